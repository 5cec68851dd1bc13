"""Every card that comes from the draw pile: the deal, the first card, drawing, and the reshuffle.

Owns where chance meets the cards (R11-R19). All of it comes by name from the set key, so that the
matches of a deal set see the same deals: ``round r`` / ``deal i`` / ``return j`` / ``reshuffle j``. The
deck is sorted by card code before each shuffle. Who deals is decided in `dealers`.
"""

from arena.rules.cards import (
    DRAW_TWO,
    NO_CARD,
    NO_COLOUR,
    REVERSE,
    SKIP,
    WILD,
    Card,
)
from arena.rules.drawing import draw_cards
from arena.rules.events import FIRST_CARD, PAID, ROUND_BEGAN, SKIPPED
from arena.rules.keys import Shuffle, derive, shuffled
from arena.rules.moves import NO_SEAT
from arena.rules.pile import AHEAD, Pile
from arena.rules.questions import FIRST_COLOUR
from arena.rules.state import State
from arena.rules.turns import start_turn


def open_round(s: State, dealer: int, starter: int) -> None:
    """Deal, turn the first card, let it work, and put the first question.

    Args:
        s: A fresh round; `inside` says who is dealt in.
        dealer: The seat that deals.
        starter: The seat that stands for "left of the dealer" (R14 lazy), or NO_SEAT.
    """
    s.note(ROUND_BEGAN, dealer, count=s.number)
    attempt = 0
    while not deal_hands(s, attempt):
        attempt += 1
    colour = s.colour if s.top < WILD else NO_COLOUR
    s.note(FIRST_CARD, card=s.top, colour=colour)
    first = s.next_seat(dealer) if starter == NO_SEAT else starter
    if s.top >= WILD:
        ask_first_colour(s, first)
    elif s.rank == REVERSE:
        first_reverse(s, dealer)
    elif s.rank in (SKIP, DRAW_TWO):
        first_penalty(s, first)
    else:
        start_turn(s, first)


def deal_hands(s: State, attempt: int) -> bool:
    """Deal the hands (R11) and turn a first card; False when no legal one is left in the pile (R15)."""
    order = Shuffle(s.variant.deck, derive(s.set_key, "round", s.number, "deal", attempt))
    deck = order.items
    dealt = s.left * s.variant.hand_size
    order.settle(dealt + 1 + AHEAD * s.seats)
    may_be_first = s.variant.may_be_first
    is_first = may_be_first[deck[dealt]]
    if not is_first and not any(may_be_first[card] for card in deck[dealt:]):
        s.sealed.append(NO_CARD)
        s.sealed.extend(deck[:dealt])
        return False
    place = 0
    for seat in range(s.seats):
        if s.inside[seat]:
            s.hands[seat].add_all(deck[place : dealt : s.left])
            place += 1
    s.sealed.extend(deck[:dealt])
    if is_first:
        s.pile = Pile(deck, s.seats, [], dealt + 1, order)
        s.lay(deck[dealt])
    elif s.variant.ruleset.first_card_return == "shuffle":
        shuffle_until_first(s, deck[dealt], deck[dealt:], attempt)
    else:
        order.settle(len(deck))
        turn_first_card(s, deck[dealt:], attempt)
    return True


def turn_first_card(s: State, pile: list[Card], attempt: int) -> None:
    """Turn the top card of the pile until one may be the first (R15); a refused one is put back (R16)."""
    may_be_first = s.variant.may_be_first
    to_the_bottom = s.variant.ruleset.first_card_return == "bottom"
    tail: list[Card] = []
    s.sealed.append(NO_CARD)
    shuffles = 0
    refused = 0
    first = pile.pop(0)
    while not may_be_first[first]:
        refused += 1
        s.sealed.append(first)
        if to_the_bottom:
            tail.append(first)
        elif refused <= len(pile):
            pile.insert(len(pile) // 2, first)
        else:
            pile.append(first)
            pile.sort()
            pile = shuffled(pile, return_key(s, attempt, shuffles))
            shuffles += 1
            refused = 0
        first = pile.pop(0)
    s.sealed.append(NO_CARD)
    s.pile = Pile(pile, 1 if refused and not to_the_bottom else s.seats, tail)
    s.lay(first)


def return_key(s: State, attempt: int, shuffles: int) -> bytes:
    """Return the key by which a pile with refused first cards is shuffled."""
    return derive(s.set_key, "round", s.number, "deal", attempt, "return", shuffles)


def shuffle_until_first(s: State, first: Card, pile: list[Card], attempt: int) -> None:
    """Shuffle a refused first card into the pile (R16), again and again until one may be the first."""
    pile.sort()
    s.sealed.append(NO_CARD)
    shuffles = 0
    while True:
        s.sealed.append(first)
        order = Shuffle(pile, return_key(s, attempt, shuffles))
        order.settle(1 + AHEAD * s.seats)
        first = order.items[0]
        if s.variant.may_be_first[first]:
            break
        shuffles += 1
    s.sealed.append(NO_CARD)
    s.pile = Pile(order.items, s.seats, [], 1, order)
    s.lay(first)


def first_penalty(s: State, first: int) -> None:
    """A skip or +2 as the first card befalls the seat left of the dealer, unanswered (R17)."""
    if s.rank == DRAW_TWO:
        s.note(PAID, first, count=draw_cards(s, first, 2))
    else:
        s.note(SKIPPED, first)
    start_turn(s, s.next_seat(first))


def first_reverse(s: State, dealer: int) -> None:
    """After a first reverse the dealer or the seat to its right starts, and play goes to the right (R18)."""
    s.direction = -1
    s.link()
    from_right = s.variant.ruleset.first_reverse == "right_of_dealer" and s.left > 2
    start_turn(s, s.next_seat(dealer) if from_right else dealer)


def ask_first_colour(s: State, first: int) -> None:
    """Let the seat left of the dealer name the colour of a first wild before its turn (R19)."""
    s.player = first
    s.ask(FIRST_COLOUR, first)
