"""What is pending against a seat: how it comes up, is answered, challenged and paid (R29, R33-R38, R40-R45).

Owns the one pending penalty: kind, amount, source, victim. Which cards answer it is said in `legal`.
"""

from typing import Final

from arena.rules.cards import REVERSE, WILD_FOUR
from arena.rules.drawing import draw_cards
from arena.rules.events import BY, CHALLENGED, PAID, RETURNED, SKIPPED
from arena.rules.legal import may_play_four
from arena.rules.questions import A_FOUR, A_SKIP, A_TWO, NOTHING, READY
from arena.rules.state import State
from arena.rules.talk import break_on_colour
from arena.rules.turns import lose_turn
from arena.rules.variant import AMOUNTS, FOUR_BIT, RANK_OF, STACK

FAILED_CHALLENGE = 2
SKIPPED_BY: Final[list[int]] = BY[SKIPPED]


def judge_four(s: State, player: int) -> None:
    """Remember, at the moment a wild +4 is played, what a challenge will be judged by (R34).

    With an empty hand it cannot have been a bluff, and no challenge is offered (R38).
    """
    hand = s.hands[player].kinds
    if WILD_FOUR not in s.hands[player].spare:
        hand ^= FOUR_BIT
    s.bluffed = not may_play_four(s, hand)
    s.top_before = s.top
    s.colour_before = s.colour
    s.doubtful = s.variant.challenge and hand != 0
    if s.doubtful:
        s.judged_hand = s.hands[player].copy()
        s.judged_hand.remove(WILD_FOUR)


def raise_effect(s: State) -> None:
    """A reverse flips the direction (R62); a skip, a reverse between two or a draw card becomes pending."""
    if s.answering:
        answer_penalty(s)
        return
    card = s.card
    effect = s.variant.effects[card]
    if RANK_OF[card] == REVERSE:
        turn_direction(s)
        effect = reverse_between_two(s)
    if effect != NOTHING:
        s.pending = effect
        s.amount = AMOUNTS[effect]
        s.pending_card = card
        s.source = s.player
        s.victim = s.following[s.player]


def turn_direction(s: State) -> None:
    """Turn the direction of play; every reverse does, so two in a row cancel and three turn it (R62)."""
    s.direction = -s.direction
    s.link()


def reverse_between_two(s: State) -> int:
    """Return what a reverse makes pending: between two seats it may be a skip (R28), else nothing."""
    return A_SKIP if s.left == 2 and s.variant.reverse_skips else NOTHING


def answer_penalty(s: State) -> None:
    """The victim has answered with a card: the penalty goes back (R44), or on to the next seat (R40-R43)."""
    if s.rank == REVERSE:
        turn_direction(s)
        s.victim = s.source
        s.source = s.player
        return
    effect = s.variant.effects[s.card]
    amount = AMOUNTS[effect]
    if stacks(s, effect):
        amount += s.amount
    s.pending = effect
    s.amount = amount
    s.pending_card = s.card
    s.source = s.player
    s.victim = s.next_seat(s.player)


def stacks(s: State, effect: int) -> bool:
    """Whether an answer adds to what is pending (R40, R41); a +4 that became a +2 starts anew (R42)."""
    if effect == A_TWO:
        return s.pending == A_TWO and s.variant.two_answer == STACK
    return effect == A_FOUR


def pay(s: State) -> bool:
    """The victim draws what is pending and loses its turn (R29, R37); True when it must say ready (R56)."""
    victim = s.victim
    was_four = s.pending == A_FOUR
    amount = s.amount
    clear(s)
    got = 0
    if amount:
        got = draw_cards(s, victim, amount)
        s.note_count(PAID, victim, got)
    else:
        s.log.append(SKIPPED_BY[victim])
    lose_turn(s, victim)
    return was_four and asks_ready(s, victim, got)


def pay_last(s: State) -> None:
    """Before a round ends, whoever would have to pay draws the whole amount, and nothing answers it (R81)."""
    raise_effect(s)
    if s.amount:
        victim = s.victim
        amount = s.amount
        clear(s)
        s.note_count(PAID, victim, draw_cards(s, victim, amount))
    clear(s)


def settle_challenge(s: State) -> bool:
    """Judge a doubted wild +4 and let the loser draw (R35, R36); True when that seat must say ready."""
    offender = s.source
    challenger = s.victim
    amount = s.amount
    s.show(challenger, s.judged, offender)
    s.note(CHALLENGED, challenger, count=1 if s.bluffed else 0, other=offender)
    clear(s)
    if s.bluffed:
        loser = offender
        if s.variant.returned:
            return_four(s)
    else:
        loser = challenger
        amount += FAILED_CHALLENGE
        lose_turn(s, challenger)
    got = draw_cards(s, loser, amount)
    s.note_count(PAID, loser, got)
    return asks_ready(s, loser, got)


def return_four(s: State) -> None:
    """The bluff goes back to its player's hand, and what lay before is in force again (R35)."""
    card = s.discard.pop()
    s.hands[s.source].add(card)
    s.top = s.top_before
    s.colour = s.colour_before
    break_on_colour(s)
    s.note(RETURNED, s.source, card=card, colour=s.colour)


def asks_ready(s: State, seat: int, drawn: int) -> bool:
    """Ask a seat that drew because of a wild +4 to say ready (R56)."""
    if drawn and s.variant.ready:
        s.ask(READY, seat)
        return True
    return False


def clear(s: State) -> None:
    """Nothing is pending any more."""
    s.pending = NOTHING
    s.amount = 0
    s.doubtful = False
