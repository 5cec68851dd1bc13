"""When two bots are told apart: a sequential test on the scores of deal sets, fixed before they are played.

Three answers compete: A is better, B is better, or they are closer than a width in Elo. Two of Wald's tests
run side by side (Sobel and Wald, 1949): an even score against A being better by the width, and against B
being better by it. The variance is that of the sets so far, so the test looks at nothing before `SETS_MIN` of
them. Sets count in schedule order, whoever finishes first, and the first verdict stands: what is played
afterwards never changes it. This module knows no database and no clock.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from arena.errors import UsageError

SETS_MIN: Final = 30
"""Deal sets before the first look; fewer do not tell their own variance."""
FICTITIOUS: Final = 2
"""One set won and one lost are added to the variance, so that it is never zero."""


class Verdict(StrEnum):
    """What a test came to."""

    FIRST = "first is better"
    SECOND = "second is better"
    CLOSE = "not told apart: closer than that"
    IDENTICAL = "identical so far"
    OPEN = "not told apart yet"


@dataclass(frozen=True, slots=True)
class Design:
    """What is asked, and how sure the answer shall be."""

    width_elo: float = 10.0
    """Bots closer than this are not worth telling apart."""
    error: float = 0.05
    """How often equal bots may be told apart, and bots that differ by the width be called close."""

    def __post_init__(self) -> None:
        if not 0.1 <= self.width_elo <= 400:
            raise UsageError(f"a width of 0.1 to 400 Elo is possible, not {self.width_elo:g}")
        if not 0.0001 <= self.error <= 0.4:
            raise UsageError(f"an error of 0.0001 to 0.4 is possible, not {self.error:g}")

    @property
    def edge(self) -> float:
        """How far from one half a bot scores that is better by the width."""
        return 1 / (1 + math.pow(10, -self.width_elo / 400)) - 0.5

    @property
    def accept(self) -> float:
        """The log-likelihood ratio at which a bot is called better: half the error on each side."""
        return math.log((1 - self.error) / (self.error / 2))

    @property
    def reject(self) -> float:
        """The one at which it is not."""
        return math.log(self.error / (1 - self.error / 2))


@dataclass(frozen=True, slots=True)
class Comparison:
    """How far a test is."""

    verdict: Verdict
    """OPEN as long as nothing is decided, and IDENTICAL as long as every set was split evenly."""
    decided: bool
    """Whether more deal sets cannot change anything."""
    sets: int
    """Deal sets that counted: all up to the verdict."""
    score: float | None
    """The first bot's mean score over them, 0 to 1."""
    plus_minus: float | None
    """Half of its plain 95 % interval; stopping early makes it too narrow, so the verdict is what counts."""
    progress: float
    """How far the nearest boundary is reached, 0 to 1."""

    def turned(self) -> "Comparison":
        """Return the same with the second bot named first."""
        verdict = {Verdict.FIRST: Verdict.SECOND, Verdict.SECOND: Verdict.FIRST}.get(
            self.verdict, self.verdict
        )
        return replace(self, verdict=verdict, score=None if self.score is None else 1 - self.score)


class Test:
    """A test under way: give it the scores in schedule order."""

    __test__ = False

    def __init__(self, design: Design | None = None) -> None:
        design = Design() if design is None else design
        self._edge, self._accept, self._reject = design.edge, design.accept, design.reject
        self._sets = 0
        self._sum = 0.0
        self._squares = 0.0
        self._ruled_out = [False, False]
        self._verdict = Verdict.OPEN

    def add(self, scores: Iterable[float]) -> Comparison:
        """Count scores of the first bot, 0 to 1, in schedule order; after a verdict they are ignored."""
        for score in scores:
            if self._verdict is not Verdict.OPEN:
                break
            self._sets += 1
            self._sum += score - 0.5
            self._squares += (score - 0.5) ** 2
            if self._sets >= SETS_MIN:
                self._look()
        return self._told()

    def ratios(self) -> tuple[float, float]:
        """Return the log-likelihood ratios of each bot being better, against an even score."""
        each = self._edge / self._variance
        drift = self._sets * self._edge / 2
        return each * (self._sum - drift), each * (-self._sum - drift)

    @property
    def _variance(self) -> float:
        """The variance of a set's score about its mean, fictitious sets included."""
        total = self._sets + FICTITIOUS
        return (self._squares + FICTITIOUS / 4) / total - (self._sum / total) ** 2

    @property
    def _progress(self) -> float:
        """How far the nearest boundary is reached; nothing is before the first look."""
        if self._sets < SETS_MIN:
            return 0.0
        ratios = self.ratios()
        up = max(ratios) / self._accept
        down = min(
            1.0 if out else ratio / self._reject for out, ratio in zip(self._ruled_out, ratios, strict=True)
        )
        return max(0.0, min(1.0, max(up, down)))

    def _look(self) -> None:
        """Apply both tests to what is there; each of them stays where it once ended."""
        for side, ratio in enumerate(self.ratios()):
            if self._reject < ratio < self._accept or self._ruled_out[side]:
                continue
            if ratio >= self._accept:
                self._verdict = (Verdict.FIRST, Verdict.SECOND)[side]
                return
            self._ruled_out[side] = True
            if all(self._ruled_out):
                self._verdict = Verdict.CLOSE

    def _told(self) -> Comparison:
        if not self._sets:
            return Comparison(Verdict.OPEN, decided=False, sets=0, score=None, plus_minus=None, progress=0.0)
        verdict = self._verdict
        if self._squares == 0 and verdict in {Verdict.OPEN, Verdict.CLOSE}:
            verdict = Verdict.IDENTICAL
        return Comparison(
            verdict=verdict,
            decided=self._verdict is not Verdict.OPEN,
            sets=self._sets,
            score=0.5 + self._sum / self._sets,
            plus_minus=1.959963984540054 * math.sqrt(self._variance / self._sets),
            progress=1.0 if self._verdict is not Verdict.OPEN else self._progress,
        )


def compare(scores: Iterable[float], design: Design | None = None) -> Comparison:
    """Return what a test says of these scores, in schedule order."""
    return Test(design).add(scores)
