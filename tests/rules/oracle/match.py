"""A whole match of the second opinion, as an object that is asked and told."""

from collections.abc import Generator
from typing import Any

from tests.rules.oracle import news, scores
from tests.rules.oracle.opening import choose_first_dealer
from tests.rules.oracle.playing import MISPLAYED_AS, Answer, Question
from tests.rules.oracle.sheet import Options
from tests.rules.oracle.table import MatchOverError, Table, new_table, note
from tests.rules.oracle.turns import play_round


class FaultError(Exception):
    """A move that is not in the legal list and costs nothing: it changes nothing (R53)."""


def whole_match(t: Table) -> Generator[Question, Answer, str]:
    """Play rounds until the scoring ends the match; return why it ended."""
    try:
        t["dealer"] = choose_first_dealer(t)
        while True:
            why = yield from play_round(t)
            scores.end_of_round(t, why)
    except MatchOverError as over:
        return str(over)


class OracleMatch:
    """Ask it who decides what; tell it the move."""

    def __init__(self, rules: Options, seats: int, supply: Any, asks_all: bool = False) -> None:
        self.table = new_table(rules, seats, supply, asks_all)
        self.question: Question | None = None
        self.ending = ""
        self.lines: list[str] = []
        self.told = 0
        self.play = whole_match(self.table)
        self._send(None)

    def _send(self, answer: Answer | None) -> None:
        try:
            self.question = self.play.send(answer)  # type: ignore[arg-type]
        except StopIteration as stop:
            self._end(stop.value)
        else:
            if self.table["decisions"] >= self.table["rules"]["max_decisions"]:
                self.play.close()
                self._end("decisions")

    def _end(self, why: str) -> None:
        self.question, self.ending = None, why
        note(self.table, "match_over", why=why)

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.question is None

    @property
    def seat(self) -> int:
        """The seat that decides, -1 when the match is over."""
        return self.question["seat"] if self.question else -1

    @property
    def kind(self) -> str:
        """Which question is asked."""
        return self.question["kind"] if self.question else ""

    @property
    def moves(self) -> list[str]:
        """The legal moves in canonical order."""
        return list(self.question["moves"]) if self.question else []

    @property
    def bluffs(self) -> list[str]:
        """Those of the legal moves that are bluffs."""
        return list(self.question["bluffs"]) if self.question else []

    @property
    def events(self) -> list[str]:
        """The public news of the whole match."""
        lines = self.lines
        for what, facts in self.table["log"][self.told :]:
            self.told += 1
            if what == "round_over":
                lines += news.at_the_end_of_a_round(facts)
            elif what == "match_over":
                lines += news.at_the_end_of_the_match(facts["why"], self.places)
            else:
                lines += news.public(what, facts)
        return lines

    @property
    def places(self) -> list[int]:
        """The places at the end."""
        return scores.places(self.table)

    def tell(self, move: str, uno: bool = False, say: str = "", advice: bool = False) -> None:
        """Answer the question.

        Raises:
            FaultError: The move is not legal and R53 puts no price on it.
        """
        assert self.question is not None
        priced = self.table["rules"]["misplay_penalty"] and self.kind in MISPLAYED_AS
        if move not in self.moves and not priced:
            raise FaultError(move)
        self._send({"move": move, "uno": uno, "say": say, "advice": advice})

    def leave(self, *seats: int) -> None:
        """Let the seats leave at one moment."""
        assert self.question is not None
        self._send({"leave": list(seats)})
