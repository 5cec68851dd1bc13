"""What a move does: the order of effects, as one list.

Owns the order in which rules meet, and each answer's place in it. `follow` is the list: it runs step by
step until somebody must decide or the round is over; the answer then goes on from the step it belongs to.
The steps themselves live where their rules live: `hands`, `uno`, `penalty`, `talk`, `turns`.
"""

from typing import Final

from arena.rules.cards import NO_CARD, RANKS, WILD, WILD_FOUR
from arena.rules.drawing import draw_card
from arena.rules.events import BY, COLOUR_NAMED, COUNT_SHIFT, DREW, JUMPED_IN, PLAYED, SAID_READY, WENT_OUT
from arena.rules.hands import give, refill, work_on_hands
from arena.rules.legal import has_answer, may_be_jumped_on, may_be_played, playable_kinds
from arena.rules.moves import (
    ACCEPT,
    ACTION_SHIFT,
    CARD_SHIFT,
    CATCH_IT,
    CHALLENGE,
    COLOUR_SHIFT,
    GIVE,
    JUMP,
    KEEP,
    MOVE_DRAW,
    NAME,
    NAMES,
    NO,
    NO_SEAT,
    card_of,
    colour_of,
)
from arena.rules.penalty import judge_four, pay, pay_last, raise_effect, settle_challenge
from arena.rules.questions import CATCH, DRAWN, JUMP_IN, PENALTY, TURN
from arena.rules.state import State
from arena.rules.talk import end_silence_of, hush
from arena.rules.turns import end_in_stalemate, end_round, next_turn, pass_turn, start_turn
from arena.rules.uno import ask_to_catch, call_uno, catch
from arena.rules.variant import BITS, CIRCLE, CIRCLE_BACK

RAISING: Final = 1
CATCHING: Final = 2
JUMPING: Final = 3
ANSWERING: Final = 4
PAYING: Final = 5

HIGHEST_PLAY: Final = JUMP << ACTION_SHIFT | NAMES
"""Every move that puts a card down is at most this number, every other one is greater."""
PLAYED_BY: Final[list[int]] = BY[PLAYED]
JUMPED_BY: Final[list[int]] = BY[JUMPED_IN]
DREW_BY: Final[list[int]] = BY[DREW]


def follow(s: State, step: int) -> None:
    """Run the order of effects from a step on, until somebody must decide or the round is over."""
    variant = s.variant
    if step <= RAISING and variant.effective[s.card]:
        raise_effect(s)
    if step <= CATCHING and s.catchable and ask_to_catch(s, s.player):
        return
    if step <= JUMPING and variant.jump_in and may_be_jumped_on(s) and ask_to_jump(s, s.player):
        return
    if s.pending:
        if step <= ANSWERING and variant.answerable[s.pending] and has_answer(s):
            s.ask(PENALTY, s.victim)
            return
        if pay(s):
            return
    next_turn(s)


def execute(s: State, move: int) -> None:
    """Do what a legal move says that plays no card."""
    if move == MOVE_DRAW:
        draw(s)
        return
    action = move >> ACTION_SHIFT
    if action == KEEP:
        next_turn(s)
    elif action == ACCEPT:
        follow(s, PAYING)
    elif action == CHALLENGE:
        if not settle_challenge(s):
            next_turn(s)
    elif action == CATCH_IT:
        if catch(s):
            follow(s, JUMPING)
        else:
            pass_on(s)
    elif action == NO:
        pass_on(s)
    elif action == GIVE:
        if not give(s, card_of(move)):
            follow(s, RAISING)
    elif action == NAME:
        name_first_colour(s, colour_of(move))
    else:
        s.note(SAID_READY, s.seat)
        next_turn(s)


def play(s: State, move: int, uno: bool) -> None:
    """Put a card down; follow the order of effects where any rule has more to say about the play.

    Most plays end here: the next turn begins as in `start_turn`, but nobody can owe cards or be silent.
    """
    card = (move >> CARD_SHIFT & 63) - 1
    player = s.seat
    hand = s.hands[player]
    variant = s.variant
    if variant.eventful[card] or hand.size <= 2:
        play_with_effects(s, move, card, uno)
        return
    hand.remove(card)
    s.discard.append(card)
    s.top = card
    s.colour = card // RANKS
    s.passes = 0
    s.log.append(PLAYED_BY[player] | move & NAMES)
    turns = s.turns
    if turns >= variant.max_turns:
        end_in_stalemate(s)
        return
    s.turns = turns + 1
    s.kind = TURN
    s.player = s.seat = s.following[player]


def play_with_effects(s: State, move: int, card: int, uno: bool) -> None:
    """Put a card down, and begin the order of effects: going out, UNO, silence, hands, and `follow`."""
    variant = s.variant
    player = s.seat
    hand = s.hands[player]
    if card == WILD_FOUR:
        judge_four(s, player)
    hand.remove(card)
    s.discard.append(card)
    s.top = card
    named = move & NAMES
    if card < WILD:
        s.colour = card // RANKS
    elif variant.circle:
        s.colour = next_on_circle(s)
        named |= (s.colour + 1) << COLOUR_SHIFT
    else:
        s.colour = colour_of(move)
    s.player = player
    s.passes = 0
    s.log.append((JUMPED_BY if s.kind == JUMP_IN else PLAYED_BY)[player] | named)
    s.card = card
    s.named_seat = (move & 15) - 1
    s.answering = s.kind == PENALTY
    s.doubtful = s.doubtful and card == WILD_FOUR
    s.called = uno
    s.catchable = False
    s.emptied = False
    s.refilled = False
    if hand.size == 0 and go_out(s):
        return
    if hand.size == 1 or variant.misplay_penalty:
        call_uno(s)
    if variant.silence:
        hush(s)
    if variant.on_hands[card] and work_on_hands(s):
        return
    follow(s, RAISING)


def next_on_circle(s: State) -> int:
    """Return the next colour on the ring in the direction of play (R31)."""
    return CIRCLE[s.colour] if s.direction == 1 else CIRCLE_BACK[s.colour]


def go_out(s: State) -> bool:
    """Refill the empty hand (R71), leave the round (R72), or end it (R80, R81); True when it is over."""
    player = s.player
    s.emptied = True
    if s.variant.seven_rounds and refill(s):
        return False
    s.exits.append(player)
    s.finishes.append(s.card)
    s.note_count(WENT_OUT, player, len(s.exits))
    if s.variant.to_the_last:
        s.inside[player] = False
        s.left -= 1
        s.link()
        end_silence_of(s, player)
        if s.left > 1:
            return False
    pay_last(s)
    end_round(s, s.exits[0])
    return True


def draw(s: State) -> None:
    """Draw one card or until one can be played (R22); then play it or keep it, or pass (R24-R26)."""
    seat = s.seat
    card = draw_card(s, seat)
    if card == NO_CARD:
        s.note_count(DREW, seat, 0)
        pass_turn(s)
        return
    drawn = 1
    if s.variant.until_playable:
        while not playable_kinds(s, seat) & BITS[card] and (another := draw_card(s, seat)) != NO_CARD:
            card = another
            drawn += 1
    s.log.append(drawn << COUNT_SHIFT | DREW_BY[seat])
    if may_be_played(s, card):
        s.drawn = card
        s.kind = DRAWN
    else:
        start_turn(s, s.following[seat])


def ask_to_jump(s: State, after: int) -> bool:
    """Ask the next holder of the identical card (R60); the player of the own double comes last (R61)."""
    seat = after
    while True:
        seat = s.next_asked(seat)
        if seat == NO_SEAT:
            return False
        if s.hands[seat].kinds & BITS[s.top]:
            s.ask(JUMP_IN, seat)
            return True
        if seat == s.player:
            return False


def pass_on(s: State) -> None:
    """A chance was let pass: ask the next seat, or go on."""
    if s.kind == CATCH:
        if not ask_to_catch(s, s.seat):
            follow(s, JUMPING)
    elif s.seat == s.player or not ask_to_jump(s, s.seat):
        follow(s, ANSWERING)


def name_first_colour(s: State, colour: int) -> None:
    """A first wild gets its colour (R19), and the seat that named it begins."""
    s.colour = colour
    s.note(COLOUR_NAMED, s.seat, colour=colour)
    if s.variant.silence:
        hush(s)
    start_turn(s, s.seat)
