"""Silence, and the cards that talking costs (R67, R68).

Owns when a silence begins and ends, and the debts of those who talked. What was said is the match's business.
"""

from arena.rules.cards import NO_COLOUR, WILD
from arena.rules.drawing import fine
from arena.rules.events import SAID
from arena.rules.moves import NO_SEAT
from arena.rules.state import State
from arena.rules.variant import TWOS, WILDS

SILENCE_COST = 2


def hush(s: State) -> None:
    """Let the card just played, or the colour just named, begin or end a silence (R67)."""
    silence = s.variant.silence
    if silence == TWOS:
        if s.rank == 2 and s.inside[s.player]:
            s.silences |= 1 << s.player
    elif silence == WILDS:
        if s.top >= WILD:
            s.silent_colour = s.colour
        else:
            break_on_colour(s)


def break_on_colour(s: State) -> None:
    """A silence of a named colour ends when another colour is in force."""
    if s.colour != s.silent_colour:
        s.silent_colour = NO_COLOUR


def end_silence_of(s: State, seat: int) -> None:
    """The silence of a seat's 2 ends: its turn has come, or is lost, or the seat is out."""
    s.silences &= ~(1 << seat)


def speak(s: State, line: str, advice: bool) -> None:
    """Let the table hear a line (R68); judge it by the silence in force, which ends. The cards come later."""
    seat = s.seat
    s.note(SAID, seat, count=len(s.lines), other=1 if advice else NO_SEAT)
    s.lines.append(line)
    if s.silences or s.silent_colour != NO_COLOUR:
        s.silences = 0
        s.silent_colour = NO_COLOUR
        s.debts.append(seat)
        s.debts.append(SILENCE_COST)
    if advice and s.variant.advice_penalty:
        s.debts.append(seat)
        s.debts.append(s.variant.advice_penalty)


def pay_for_talk(s: State) -> None:
    """Those who talked draw, directly before the next turn, in the order in which they spoke (R67, R68)."""
    for index in range(0, len(s.debts), 2):
        seat = s.debts[index]
        if s.inside[seat]:
            fine(s, seat, s.debts[index + 1])
    s.debts = []
