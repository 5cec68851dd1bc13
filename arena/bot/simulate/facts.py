"""What a player sees of a move in a turn, as a row of small numbers.

Owns which facts are looked at; what each is worth is in `worth`. Compiled with the engine. It refuses to look
into any hand but that of the seat that is asked.
"""

from typing import Final

from arena.rules.cards import NO_CARD, RANKS, REVERSE, SKIP, WILD, WILD_FOUR
from arena.rules.effects import HIGHEST_PLAY
from arena.rules.hand import Hand
from arena.rules.legal import playable_kinds
from arena.rules.moves import COLOUR_SHIFT, card_of
from arena.rules.questions import A_SKIP, NOTHING, TURN
from arena.rules.round import Round
from arena.rules.scoring import POINTS
from arena.rules.state import State
from arena.rules.variant import AMOUNTS, BITS, COLOUR_MASKS, FOUR_BIT, RANK_MASKS

FACTS: Final = (
    "points",
    "cards",
    "one_left",
    "two_left",
    "follow",
    "symbol",
    "actions",
    "actions_late",
    "wilds",
    "fours",
    "wild_late",
    "colours",
    "ready",
    "mover",
    "mover_one",
    "mover_two",
    "others",
    "points_late",
    "drew",
    "again",
    "again_follow",
    "bluff",
    "again_late",
    "skipped_one",
    "always",
)
"""What is looked at, in the order of the numbers in `worth`.

The hand that is left: its points, its cards, whether it is one or two cards, cards (four at most) of the
colour in force and of the same symbol in other colours, coloured action cards, the same late (three cards or
fewer), wilds, wild draw fours, wild cards late, colours, a last card that fits. The table: cards of the next
seat on turn, whether it has one or two, cards of the others, points left while somebody has one or two cards.
The move: an unseen card was drawn, the turn comes again, the same with something to lay then, a bluff, the
turn again with three cards or fewer, a seat with one card loses its turn. And one, always.
"""
_LATE: Final = 3
_MATTERS: Final = 4
_BITS_SET: Final[list[int]] = [mask.bit_count() for mask in range(16)]


class Facts:
    """The facts of the move that was looked at last."""

    def __init__(self) -> None:
        self.facts: list[int] = [0] * len(FACTS)

    def look(self, s: Round, move: int) -> None:
        """Write down the facts of a turn's move: a play, drawing, or keeping."""
        facts = self.facts
        seat = s.seat
        hand = s.hands[seat]
        card = card_of(move) if move <= HIGHEST_PLAY else NO_CARD
        colour = s.colour
        rank = s.rank
        if card >= WILD:
            named = (move >> COLOUR_SHIFT & 7) - 1
            colour = named if named >= 0 else s.colour
            rank = RANKS
        elif card >= 0:
            colour = card // RANKS
            rank = card % RANKS
        self._look_at_hand(hand, card, colour, rank)
        cards = facts[1]
        drew = 1 if card == NO_CARD and s.kind == TURN else 0
        if drew:
            facts[1] = cards + 1
            facts[2] = facts[3] = facts[12] = 0
        facts[18] = drew
        bluff = card == WILD_FOUR and not playable_kinds(s, seat) & FOUR_BIT
        facts[21] = 1 if bluff else 0
        self._look_at_table(s, seat, card)
        again = facts[19]
        kept = hand.kinds if card == NO_CARD or card in hand.spare else hand.kinds ^ BITS[card]
        fits = kept & (COLOUR_MASKS[colour] | RANK_MASKS[rank])
        facts[20] = 1 if again and (fits or facts[8]) else 0
        facts[22] = 1 if again and cards <= _LATE else 0
        facts[24] = 1

    def _look_at_hand(self, hand: Hand, without: int, colour: int, rank: int) -> None:
        """Write down the facts of the hand that is left."""
        points = follow = symbol = actions = wilds = fours = colours = ready = 0
        cards = hand.size - (without != NO_CARD)
        kinds: int = hand.kinds
        if without != NO_CARD and without not in hand.spare:
            kinds ^= BITS[without]
        spare = len(hand.spare)
        gone = spare if without == NO_CARD or kinds != hand.kinds else hand.spare.index(without)
        while kinds or spare:
            if kinds:
                low = kinds & -kinds
                kinds ^= low
                card = low.bit_length() - 1
            else:
                spare -= 1
                if spare == gone:
                    continue
                card = hand.spare[spare]
            points += POINTS[card]
            if card >= WILD:
                ready = 1
                if card == WILD_FOUR:
                    fours += 1
                else:
                    wilds += 1
                continue
            own = card // RANKS
            symbol_of = card - own * RANKS
            colours |= 1 << own
            if own == colour:
                follow += 1
                ready = 1
            elif symbol_of == rank:
                symbol += 1
            if symbol_of >= SKIP:
                actions += 1
        late = cards <= _LATE
        facts = self.facts
        facts[0] = points
        facts[1] = cards
        facts[2] = 1 if cards == 1 else 0
        facts[3] = 1 if cards == 2 else 0
        facts[4] = min(follow, _MATTERS)
        facts[5] = min(symbol, _MATTERS)
        facts[6] = actions
        facts[7] = actions if late else 0
        facts[8] = wilds
        facts[9] = fours
        facts[10] = wilds + fours if late else 0
        facts[11] = _BITS_SET[colours]
        facts[12] = ready if cards == 1 else 0

    def _look_at_table(self, s: Round, seat: int, card: int) -> None:
        """Write down the facts of the other seats once the move has worked."""
        effect = s.variant.effects[card] if card >= 0 else NOTHING
        mover = s.following[seat]
        if card >= 0 and card < WILD and card % RANKS == REVERSE:
            if s.left > 2:
                mover = seat_before(s, seat)
            elif s.variant.reverse_skips:
                effect = A_SKIP
        again = hit = skipped_one = 0
        if effect != NOTHING:
            hit = AMOUNTS[effect]
            skipped_one = 1 if s.hands[mover].size == 1 else 0
            victim = mover
            mover = s.following[mover]
            if mover == seat:
                again = 1
                mover = victim
        size = s.hands[mover].size + (hit if again else 0)
        others = hit if not again else 0
        fewest = size
        for other in range(s.seats):
            if other not in (seat, mover) and s.inside[other]:
                count = s.hands[other].size
                others += count
                fewest = min(fewest, count)
        facts = self.facts
        facts[13] = min(size, 20)
        facts[14] = 1 if size == 1 else 0
        facts[15] = 1 if size == 2 else 0
        facts[16] = others // (s.left - 2) if s.left > 2 else 0
        facts[17] = facts[0] if fewest <= 2 else 0
        facts[19] = again
        facts[23] = skipped_one


def seat_before(s: State, seat: int) -> int:
    """Return the seat in the round that a seat follows in the direction of play."""
    for other in range(s.seats):
        if s.inside[other] and s.following[other] == seat:
            return other
    return seat
