"""Cards that move cards between hands: seven, zero, five, Shuffle Hands, and the refill (R63-R66, R70, R71).

Owns the hand effects of the order of effects. A card that empties the hand has none (R66).
"""

from arena.rules.cards import NO_CARD, RANKS, SHUFFLE_HANDS
from arena.rules.drawing import draw_cards
from arena.rules.events import EXCHANGED, HANDS_SHUFFLED, REFILLED, ROTATED, SWAPPED
from arena.rules.keys import derive, shuffled
from arena.rules.moves import NO_SEAT
from arena.rules.questions import EXCHANGE
from arena.rules.state import State


def work_on_hands(s: State) -> bool:
    """Let the card just played work on hands (R63-R66, R70); True when somebody must choose a card."""
    if s.emptied:
        return False
    if s.card == SHUFFLE_HANDS:
        shuffle_hands(s)
    elif s.card % RANKS == 0:
        rotate_hands(s)
    elif s.card % RANKS == 7:
        swap_hands(s, s.player, s.named_seat)
    elif s.named_seat != NO_SEAT:
        s.given = NO_CARD
        s.ask(EXCHANGE, s.player)
        return True
    return False


def swap_hands(s: State, one: int, other: int) -> None:
    """Two seats change hands (R63)."""
    hand = s.hands[one]
    s.hands[one] = s.hands[other]
    s.hands[other] = hand
    s.note(SWAPPED, one, other=other)


def rotate_hands(s: State) -> None:
    """Every hand moves on one seat in the direction of play (R64)."""
    carried = s.hands[s.player]
    seat = s.next_seat(s.player)
    while seat != s.player:
        hand = s.hands[seat]
        s.hands[seat] = carried
        carried = hand
        seat = s.next_seat(seat)
    s.hands[seat] = carried
    s.note(ROTATED, s.player)


def shuffle_hands(s: State) -> None:
    """All hands are gathered, shuffled, and dealt one by one, beginning with the next player (R70)."""
    cards = []
    for seat in range(s.seats):
        if s.inside[seat]:
            cards.extend(s.hand(seat))
            s.set_hand(seat, [])
    cards.sort()
    key = derive(s.set_key, "round", s.number, "hands", s.hand_shuffles)
    s.hand_shuffles += 1
    seat = s.player
    for card in shuffled(cards, key):
        seat = s.next_seat(seat)
        s.hands[seat].add(card)
        s.sealed.append(card)
    s.note(HANDS_SHUFFLED, s.player, count=len(cards))


def give(s: State, card: int) -> bool:
    """Choose the card to give away (R65); True while the other seat has not chosen yet."""
    if s.seat == s.player:
        s.given = card
        s.ask(EXCHANGE, s.named_seat)
        return True
    one = s.player
    other = s.seat
    s.hands[one].remove(s.given)
    s.hands[other].remove(card)
    s.hands[one].add(card)
    s.hands[other].add(s.given)
    s.sealed.append(s.given)
    s.sealed.append(card)
    s.note(EXCHANGED, one, other=other)
    return False


def refill(s: State) -> bool:
    """Refill the emptied hand with one card less than the time before (R71); False when it stays empty."""
    player = s.player
    s.refills[player] += 1
    count = s.variant.hand_size - s.refills[player]
    if count <= 0:
        return False
    got = draw_cards(s, player, count)
    if got == 0:
        return False
    s.refilled = True
    s.note(REFILLED, player, count=got)
    return True
