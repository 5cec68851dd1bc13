"""A seat leaves the match in the middle of a round (R92).

Owns what becomes of its cards, of what it owed, and of the question that stood.
"""

from arena.rules.effects import ANSWERING, JUMPING, RAISING, ask_to_jump, follow
from arena.rules.events import LEFT
from arena.rules.moves import NO_SEAT
from arena.rules.penalty import clear
from arena.rules.questions import CATCH, DRAWN, EXCHANGE, FIRST_COLOUR, JUMP_IN, OVER, PENALTY, READY, TURN
from arena.rules.state import State
from arena.rules.talk import end_silence_of
from arena.rules.turns import end_round, next_turn
from arena.rules.uno import ask_to_catch


def leave_round(s: State, seats: list[int]) -> None:
    """Let seats leave in one moment (R92): their cards go under the pile, what they owed dies."""
    for seat in seats:
        put_cards_under(s, seat)
        s.note(LEFT, seat)
    s.passes = 0
    if s.player in seats:
        s.catchable = False
    if s.pending:
        forget_penalty(s, seats)
    if s.left > 1:
        resume(s, seats)
    elif s.left + len(s.exits) > 1:
        end_round(s, s.exits[0])
    else:
        s.ask(OVER, NO_SEAT)  # One seat is left in the match, which ends without an end of this round.


def put_cards_under(s: State, seat: int) -> None:
    """The seat's cards go under the draw pile, and the seat is in the round no more."""
    s.pile.put_under(s.hand(seat))
    s.set_hand(seat, [])
    if s.inside[seat]:
        s.inside[seat] = False
        s.left -= 1
        s.link()
    if seat in s.exits:
        place = s.exits.index(seat)
        s.exits.pop(place)
        s.finishes.pop(place)
    end_silence_of(s, seat)


def forget_penalty(s: State, seats: list[int]) -> None:
    """What a leaver owed dies; a wild +4 that it played is owed, but nobody can doubt it any more."""
    if s.source in seats:
        s.doubtful = False
    if s.victim in seats:
        clear(s)


def resume(s: State, seats: list[int]) -> None:
    """Go on after seats have left: drop a question that was theirs or about them, else leave it standing."""
    asked_left = s.seat in seats
    player_left = s.player in seats
    if s.kind in (TURN, DRAWN, READY):
        if asked_left:
            next_turn(s)
    elif s.kind == PENALTY:
        follow(s, ANSWERING)  # The answers may have changed; a dead penalty is skipped.
    elif s.kind == CATCH:
        if player_left or (asked_left and not ask_to_catch(s, s.seat)):
            follow(s, JUMPING)
    elif s.kind == JUMP_IN:
        if asked_left and (s.seat == s.player or not ask_to_jump(s, s.seat)):
            follow(s, ANSWERING)
    elif s.kind == EXCHANGE:
        if player_left or s.named_seat in seats:
            follow(s, RAISING)
    elif s.kind == FIRST_COLOUR and asked_left:
        s.player = s.next_seat(s.seat)
        s.ask(FIRST_COLOUR, s.player)
