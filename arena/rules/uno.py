"""The call of UNO, missing it, and pointing that out (R50-R55).

Owns the UNO step of the order of effects and the catch window.
"""

from arena.rules.drawing import fine
from arena.rules.events import FALSE_CATCH, FALSE_UNO, UNO_CALLED, UNO_CAUGHT
from arena.rules.keys import Stream, derive
from arena.rules.moves import NO_SEAT
from arena.rules.questions import CATCH
from arena.rules.state import State

CENTRE_CARDS = 2


def call_uno(s: State) -> None:
    """Judge the flag of the play: called, missed (R50), or false (R53).

    A hand that was refilled owes no call; neither does one that shrinks by a swap later on (R55).
    """
    player = s.player
    if s.hands[player].size == 1 and not s.refilled:
        s.uno_missed = not s.called
        s.catchable = s.uno_missed or s.variant.misplay_penalty > 0
        if s.called:
            s.note(UNO_CALLED, player)
            if s.variant.uno_centre:
                uno_in_the_centre(s)
    elif s.called and s.variant.misplay_penalty and s.inside[player]:
        s.note(FALSE_UNO, player)
        fine(s, player, s.variant.misplay_penalty)


def uno_in_the_centre(s: State) -> None:
    """One of the others, drawn by the key, was the last to lay a hand on the centre and draws two (R54)."""
    others = [seat for seat in range(s.seats) if s.inside[seat] and seat != s.player]
    key = derive(s.set_key, "round", s.number, "centre", s.centre_draws)
    s.centre_draws += 1
    fine(s, others[Stream(key).below(len(others))], CENTRE_CARDS)


def ask_to_catch(s: State, after: int) -> bool:
    """Ask the next seat whether to point out a missed call (R51); False when all were asked."""
    seat = s.next_asked(after)
    if seat in (s.player, NO_SEAT):
        return False
    s.ask(CATCH, seat)
    return True


def catch(s: State) -> bool:
    """The asked seat points at the player (R52); False when the call was not missed (R53): others may try."""
    if s.uno_missed:
        s.note(UNO_CAUGHT, s.seat, other=s.player)
        fine(s, s.player, s.variant.uno_penalty)
        return True
    s.note(FALSE_CATCH, s.seat, other=s.player)
    fine(s, s.seat, s.variant.misplay_penalty)
    return False
