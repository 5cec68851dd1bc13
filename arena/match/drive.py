"""Plays one match in this process, with a plain function of a view for each seat.

The smallest driver of the referee: no messages, no clock. For tests and tools; bots that speak messages
are driven by `arena.protocol.inprocess`, live ones by `arena.botproc.driver`.
"""

from collections.abc import Callable, Sequence

from arena.match.fault import Fault
from arena.match.referee import Answer, Referee, referee
from arena.match.result import MatchResult
from arena.rules.match import Match
from arena.rules.moves import Move
from arena.rules.options import Ruleset
from arena.rules.view import View

Chooser = Callable[[View], Move | Answer | Fault]
"""Decides for one seat: a move (UNO is then called whenever it is due), an answer with flags, or a fault."""


def play_match(ruleset: Ruleset, set_key: bytes, choosers: Sequence[Chooser]) -> MatchResult:
    """Play a match to its end; seat s is decided by `choosers[s]`."""
    return lead(referee(Match(ruleset, len(choosers), set_key)), choosers)


def lead(table: Referee, choosers: Sequence[Chooser]) -> MatchResult:
    """Answer a referee until it has the result."""
    try:
        question = next(table)
        while True:
            said = choosers[question.seat](question.view)
            if isinstance(said, Fault):
                question = table.send((said,))
            elif isinstance(said, Answer):
                question = table.send(said)
            else:
                question = table.send(Answer(-1, said, uno=len(question.view.hand) == 2))
    except StopIteration as stop:
        result: MatchResult = stop.value
        return result
