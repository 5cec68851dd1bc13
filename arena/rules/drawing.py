"""Drawing from the pile, and making a new pile of the discards.

Owns how cards come into a hand after the deal, and the reshuffle (R26).
"""

from arena.rules.cards import NO_CARD, Card
from arena.rules.events import FINED, RESHUFFLED
from arena.rules.keys import Shuffle, derive
from arena.rules.pile import Pile
from arena.rules.state import State


def draw_cards(s: State, seat: int, count: int) -> int:
    """Let a seat draw; return how many cards there were (R26)."""
    for got in range(count):
        if draw_card(s, seat) == NO_CARD:
            return got
    return count


def draw_card(s: State, seat: int) -> Card:
    """Let a seat draw one card and return it, NO_CARD when there is none (R26)."""
    pile = s.pile
    stream = pile.by_seat[seat]
    card = stream.pop() if stream else pile.take(seat)
    if card == NO_CARD:
        if not reshuffle(s):
            return NO_CARD
        card = s.pile.take(seat)
    s.hands[seat].add(card)
    s.sealed.append(card)
    s.passes = 0
    return card


def reshuffle(s: State) -> bool:
    """Make a new draw pile of the discard pile, but for what must stay (R26); False when nothing is left.

    The top card stays, and the card under a wild +4 that may still be returned (R35).
    """
    keep = 2 if s.doubtful and s.variant.returned else 1
    cards = s.discard[:-keep]
    if not cards:
        return False
    s.discard = s.discard[-keep:]
    cards.sort()
    key = derive(s.set_key, "round", s.number, "reshuffle", s.reshuffles)
    order = Shuffle(cards, key)
    s.pile = Pile(order.items, s.seats, [], 0, order)
    s.reshuffles += 1
    s.note(RESHUFFLED, count=len(cards))
    return True


def fine(s: State, seat: int, count: int) -> int:
    """Let a seat draw for what it did or missed; return how many cards there were."""
    got = draw_cards(s, seat, count)
    s.note(FINED, seat, count=got)
    return got
