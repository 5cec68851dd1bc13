"""What hands are worth, and who stands where.

Owns points (R06, R88), what a round adds to the totals (R82-R87, R89) and the places at a match's end
(R90-R92). Refuses to play: it is given a round that is over, or the totals of a match.
"""

from typing import Final

from arena.rules.cards import DRAW_ONE, KINDS, RANKS, WILD, WILD_TWO, points_of_card
from arena.rules.moves import NO_SEAT
from arena.rules.state import State

POINTS: Final[list[int]] = [points_of_card(card) for card in range(KINDS)]


def hand_points(s: State, seat: int) -> int:
    """Return what a seat's hand is worth (R06); a hand of exactly one 0 may be worth more (R88)."""
    hand = s.hand(seat)
    if len(hand) == 1 and hand[0] < WILD and hand[0] % RANKS == 0:
        return s.variant.lone_zero
    points = 0
    for card in hand:
        points += POINTS[card]
    return points


def record_round(s: State, in_match: list[bool]) -> list[int]:
    """Return what each seat records for a finished round (R82-R87, R27, R89); 1 and -1 in `lazy`."""
    records = [0] * s.seats
    if s.stalemate and s.winner == NO_SEAT:
        return records
    scoring = s.variant.ruleset.scoring
    hands = [hand_points(s, seat) if in_match[seat] else 0 for seat in range(s.seats)]
    if scoring == "winner_takes":
        record_winner(s.winner, hands, records)
    elif scoring == "lazy":
        record_lazy(s.winner, hands, in_match, records)
    elif scoring != "single_round":
        records = hands
    if s.variant.ruleset.h2o_finish and scoring not in ("lazy", "single_round"):
        for seat, card in zip(s.exits, s.finishes, strict=True):
            records[seat] -= h2o_bonus(card)
    return records


def record_winner(winner: int, hands: list[int], records: list[int]) -> None:
    """The winner gets the points in all other hands (R82)."""
    records[winner] = sum(hands) - hands[winner]


def record_lazy(winner: int, hands: list[int], in_match: list[bool], records: list[int]) -> None:
    """The first out wins the round, and the hand worth most loses it; several of them all lose (R86)."""
    records[winner] = 1
    most = max(points for seat, points in enumerate(hands) if in_match[seat] and seat != winner)
    for seat, points in enumerate(hands):
        if in_match[seat] and seat != winner and points == most:
            records[seat] = -1


def h2o_bonus(card: int) -> int:
    """Return what finishing with a card takes off the own total (R89)."""
    if card == WILD_TWO:
        return 40
    return 20 if card < WILD and card % RANKS == DRAW_ONE else 0


def places_of(keys: list[tuple[int, ...]]) -> list[int]:
    """Return each seat's place, 1 + the number of better seats; less is better, equals share (R90)."""
    return [1 + sum(1 for other in keys if other < key) for key in keys]
