"""The referee of one table: a generator that asks, is answered, and ends with the result.

    answer = yield Question(...)      -> Answer                  the seat's choice
                                      -> tuple of Fault          these seats leave, in one moment (R92)

Owns who is asked, under which number, and what an illegal answer means. Refuses to wait, to measure time and
to know who or what answers: drivers do (`arena.match.drive`, `arena.protocol.inprocess`,
`arena.botproc.driver`). The game itself is decided by `arena.rules.match.Match`.
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from arena.match.fault import Evidence, Fault, FaultKind
from arena.match.result import MatchResult, SeatStats
from arena.rules.match import Match
from arena.rules.moves import MISPLAY, IllegalMoveError, Move, format_move
from arena.rules.questions import QuestionKind
from arena.rules.record import record_of
from arena.rules.view import View

SAY_CHARS = 200
"""Kept of a line said to the table (R68); the rest is cut and counted."""
NO_MOVE: Move = MISPLAY
"""What an index outside the list stands for: never legal."""
SHOWN_MOVES = 12
"""How many legal moves the text of a question lists."""


class Question:
    """One seat is asked. A plain class: compiled, it is made in a fraction of a named tuple's time."""

    __slots__ = ("number", "seat", "view")

    def __init__(self, seat: int, number: int, view: View) -> None:
        """Ask a seat."""
        self.seat: Final = seat
        """Who."""
        self.number: Final = number
        """Counted per seat from 1: a common one would tell a seat when others were asked in secret (R93)."""
        self.view: Final = view
        """All that the seat may know."""


class Answer(NamedTuple):
    """What a seat chose."""

    choice: int
    """Index into the view's legal moves, or -1 when `move` is given in full."""
    move: Move = NO_MOVE
    """The move in full."""
    uno: bool = False
    """UNO was called with it."""
    say: str = ""
    """A line for the table."""
    advice: bool = False
    """Whether the line is advice to another player."""


Reply = Answer | Sequence[Fault]
"""What a referee is sent."""
Referee = Generator[Question, Reply, MatchResult]


def referee(
    match: Match, absent: Sequence[Fault] = (), measured: Callable[[int], Evidence] | None = None
) -> Referee:
    """Lead `match` to its end; the seats of `absent` leave before the first question.

    `measured` says what a driver has measured of a seat so far: it is asked when an answer is illegal.
    """
    desk = _Desk(match, measured)
    if absent:
        desk.leave(absent)
    while not match.over:
        if match.is_forced():
            desk.unasked[match.seat] += 1
            match.apply(match.legal_moves()[0])
            continue
        seat = match.seat
        desk.asked[seat] += 1
        question = Question(seat, desk.asked[seat], View(match, seat))
        reply = yield question
        if isinstance(reply, Answer):
            desk.take(question, reply)
        else:
            desk.leave(reply)
    return desk.result()


class _Desk:
    """What the referee writes down during a match."""

    __slots__ = ("asked", "cut", "faults", "match", "measured", "unasked")

    def __init__(self, match: Match, measured: Callable[[int], Evidence] | None) -> None:
        self.match = match
        self.measured = measured
        self.asked = [0] * match.seats
        self.unasked = [0] * match.seats
        self.cut = [0] * match.seats
        self.faults: list[Fault] = []

    def take(self, question: Question, answer: Answer) -> None:
        """Play an answer; an illegal one is a fault unless the rules have a price for it (R53)."""
        index, move, uno, say, advice = answer
        if index >= 0:
            legal = question.view.legal
            move = legal[index] if index < len(legal) else NO_MOVE
        if len(say) > SAY_CHARS:
            self.cut[question.seat] += len(say) - SAY_CHARS
            say = say[:SAY_CHARS]
        try:
            self.match.apply(move, uno, say, advice)
        except IllegalMoveError:
            evidence = replace(
                self.measured(question.seat) if self.measured is not None else Evidence(),
                last_question=describe_question(question),
                last_answer=describe_answer(answer),
                detail=f"{describe_answer(answer)} is not legal at question {question.number}",
            )
            self.leave((Fault(FaultKind.ILLEGAL_MOVE, question.seat, evidence),))

    def leave(self, faults: Sequence[Fault]) -> None:
        """Let the seats at fault leave in one moment; a seat that has left already is left alone."""
        gone = {fault.seat for fault in self.faults}
        fresh = [fault for fault in faults if fault.seat not in gone]
        self.faults += fresh
        if fresh and not self.match.over:
            self.match.leave([fault.seat for fault in fresh])

    def result(self) -> MatchResult:
        """Return what came of the match."""
        match = self.match
        seats = tuple(
            SeatStats(decisions=asked, unasked=unasked, dropped_output=cut)
            for asked, unasked, cut in zip(self.asked, self.unasked, self.cut, strict=True)
        )
        return MatchResult(
            places=tuple(match.places),
            totals=tuple(match.totals),
            rounds=match.round_number,
            decisions=match.decisions,
            ending=match.ending,
            faults=tuple(self.faults),
            record=str(record_of(match)),
            seats=seats,
        )


def describe_question(question: Question) -> str:
    """Return a question as one line of evidence: number, kind, legal moves."""
    return describe_asked(question.number, question.view.kind, question.view.legal)


def describe_asked(number: int, kind: int, legal: Sequence[Move]) -> str:
    """Return the same of a question that may be answered by now, when its view tells of another one."""
    moves = " ".join(_show(move) for move in legal[:SHOWN_MOVES])
    more = f" and {len(legal) - SHOWN_MOVES} more" if len(legal) > SHOWN_MOVES else ""
    return f"{number} {QuestionKind(kind).name.lower()}: {moves}{more}"


def describe_answer(answer: Answer) -> str:
    """Return an answer as one line of evidence."""
    said = f"index {answer.choice}" if answer.choice >= 0 else f"move {_show(answer.move)}"
    if answer.choice < 0 and answer.move == NO_MOVE:
        said = "a move that does not exist"
    return f"{said} uno" if answer.uno else said


def _show(move: Move) -> str:
    """Return a move's text in quotes where it has blanks, or its number where it is none."""
    try:
        text = format_move(move)
    except (KeyError, IndexError):
        return f"number {move}"
    return repr(text) if " " in text else text
