"""Who deals, and who begins (R13, R14).

Owns the choice of the dealer before each round.
"""

from arena.rules.cards import SKIP, WILD, Card, rank_of_card
from arena.rules.keys import Stream, derive, shuffled
from arena.rules.moves import NO_SEAT
from arena.rules.scoring import hand_points
from arena.rules.state import State
from arena.rules.variant import Variant

ATTEMPTS = 100
"""After so many whole decks without one highest number (a deck of equal numbers) the lowest seat deals."""


def first_dealer(variant: Variant, seats: int, set_key: bytes) -> int:
    """Return who deals the first round (R13)."""
    choice = variant.ruleset.first_dealer
    if choice == "seat0":
        return 0
    if choice == "random":
        return Stream(derive(set_key, "dealer")).below(seats)
    return draw_for_dealer(variant, seats, set_key, [])


def draw_for_dealer(variant: Variant, seats: int, set_key: bytes, draws: list[tuple[int, Card]]) -> int:
    """Let every seat draw and return whose number is highest (R13); who drew what is added to `draws`."""
    tied = list(range(seats))
    for attempt in range(ATTEMPTS):
        pile = shuffled(variant.deck, derive(set_key, "dealer", attempt))
        tied = highest_cards(tied, pile, draws)
        if len(tied) == 1:
            break
    return tied[0]


def highest_cards(seats: list[int], pile: list[Card], draws: list[tuple[int, Card]]) -> list[int]:
    """Let each seat draw a number from the pile, ties again, until one is highest or too few are left.

    A card without a number goes to the bottom, that is: it is never drawn again before the pile is shuffled.
    Who drew what is added to `draws`.
    """
    numbers = len([card for card in pile if is_number(card)])
    tied = seats
    place = 0
    while len(tied) > 1 and numbers >= len(tied):
        numbers -= len(tied)
        drawn: list[int] = []
        for seat in tied:
            while not is_number(pile[place]):
                draws.append((seat, pile[place]))
                place += 1
            draws.append((seat, pile[place]))
            drawn.append(rank_of_card(pile[place]))
            place += 1
        best = max(drawn)
        tied = [seat for seat, number in zip(tied, drawn, strict=True) if number == best]
    return tied


def is_number(card: Card) -> bool:
    """Whether a card has a number."""
    return card < WILD and rank_of_card(card) < SKIP


def next_in_match(seat: int, in_match: list[bool]) -> int:
    """Return the next seat clockwise that is still in the match."""
    while True:
        seat = (seat + 1) % len(in_match)
        if in_match[seat]:
            return seat


def next_dealer(s: State, dealer: int, in_match: list[bool]) -> int:
    """Return who deals after a finished round (R14)."""
    rotation = s.variant.ruleset.dealer_rotation
    if rotation == "lazy":
        loser = lazy_loser(s, dealer, in_match)
        dealer = dealer if loser == NO_SEAT else loser
    if rotation == "clockwise" or not in_match[dealer]:
        return next_in_match(dealer, in_match)
    return dealer


def next_starter(s: State, starter: int, in_match: list[bool]) -> int:
    """Return who begins instead of the seat left of the dealer, or NO_SEAT (R14 lazy)."""
    if s.variant.ruleset.dealer_rotation != "lazy":
        return NO_SEAT
    if s.winner != NO_SEAT:
        starter = s.winner
    if starter != NO_SEAT and not in_match[starter]:
        return next_in_match(starter, in_match)
    return starter


def lazy_loser(s: State, dealer: int, in_match: list[bool]) -> int:
    """Return who has most points in hand but the winner; of several the first from the dealer's left."""
    loser = NO_SEAT
    if s.winner == NO_SEAT:
        return loser
    most = -1
    seat = dealer
    for _seat in in_match:
        seat = (seat + 1) % len(in_match)
        if in_match[seat] and seat != s.winner and hand_points(s, seat) > most:
            most = hand_points(s, seat)
            loser = seat
    return loser
