"""What paired deals save: the matches that they need, by those that independent deals would need.

    python bench/savings.py                          # 400 deal sets of every company of close bots
    python bench/savings.py --sets 2000 --seats 2    # more, tables of two only
    python bench/savings.py --kinds step --write     # into docs/statistics/savings.csv, for deploy/gen-plots

Independent deals means that every match has a deal of its own and its bots in random seats. The variance of
one such match is the spread of *all* matches about their common mean, whatever set they come from, since a
match picked at random from a random set has a random deal and random seats. The spread within one seat would
be too small: what a seat is worth on average is luck, too, for who sits down at random. The mean of k
independent matches has a k-th of that variance; the mean of a deal set of k matches has the variance that is
seen between sets. The ratio of the two is the share of matches that paired deals need for the same certainty.

The gain hangs on how alike the bots play: two that always decide alike would split every set exactly. Close
bots are versions of one bot that are about as strong: the veteran, and veterans that lack one of its habits
(bluffing, challenging, both). They are what authors compare, and what the goals are about. Beside them stand,
without a goal, the veteran without its memory of who lacks which colour, a step of some 80 Elo, and bots of
different makes, 50 to 200 Elo apart.
"""

import argparse
import csv
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from strength import BOTS

from arena.bot.local import load_bot
from arena.bot.session import Session
from arena.protocol.hello import ruleset_message
from arena.protocol.inprocess import play_messages
from arena.protocol.pb import bot_pb2 as pb
from arena.rules.keys import derive
from arena.rules.presets import preset

if TYPE_CHECKING:
    from arena.bot.bot import Bot

Floats = NDArray[np.float64]
RESAMPLES: Final = 400
PIECE: Final = 10
HABITS: Final[dict[str, dict[str, float]]] = {
    "": {},
    "no-bluff": {"challenged_costs": 1000.0},
    "no-doubt": {"doubt": 2.0},
    "no-bluff-no-doubt": {"challenged_costs": 1000.0, "doubt": 2.0},
    "no-memory": {},
}
"""What a veteran can be told to leave: above a doubt of 1 it never challenges."""
FORGOTTEN: Final = {"no-memory": {"starved": 0.0, "starved_late": 0.0}}
"""What its judgement of a position leaves out."""
CLOSE: Final = {
    2: (
        ("veteran", "veteran:no-bluff"),
        ("veteran", "veteran:no-doubt"),
    ),
    4: (("veteran", "veteran:no-bluff", "veteran:no-doubt", "veteran:no-bluff-no-doubt"),),
}
"""Versions of one bot that are about as strong, by table size."""
STEP: Final = {
    2: (("veteran", "veteran:no-memory"),),
    4: (("veteran", "veteran:no-memory", "veteran", "veteran:no-memory"),),
}
"""Versions of one bot of which one is clearly better."""
FAR: Final = {
    2: (("colour-keeper", "greedy"),),
    4: (("veteran", "veteran:no-bluff", "colour-keeper", "greedy"),),
}
"""Bots of different makes."""
GOALS: Final = {2: (0.70, 0.50), 4: (0.55, 0.45)}
"""For close bots, by wins and by margin."""
PAGE: Final = Path(__file__).resolve().parents[1] / "docs" / "statistics" / "savings.csv"


class Saving(NamedTuple):
    """The matches that paired deals need, by those of independent deals."""

    share: float
    """The estimate."""
    low: float
    """The lower end of its 95 % interval."""
    high: float
    """The upper end."""


class Line(NamedTuple):
    """One line of the figures."""

    kind: str
    """Close, step or far."""
    seats: int
    """Bots at a table."""
    company: str
    """Which."""
    by: str
    """Wins or margin."""
    share: float
    """The saving."""
    low: float
    """The lower end of its 95 % interval."""
    high: float
    """The upper end."""
    sets: int
    """Deal sets that were played."""
    score: float
    """The first bot's share of the wins."""


def measure(values: Floats) -> Saving:
    """Estimate the saving from one value a match: (deal sets, rotations, bots).

    Every bot's own matches give a ratio of variances; theirs are averaged over the bots. The interval is from
    resampled deal sets.
    """
    random = np.random.default_rng(1)
    sets = values.shape[0]
    drawn = [_share(values[random.integers(0, sets, sets)]) for _ in range(RESAMPLES)]
    low, high = np.quantile(drawn, [0.025, 0.975])
    return Saving(_share(values), float(low), float(high))


def _share(values: Floats) -> float:
    sets, rotations, _ = values.shape
    of_sets = values.mean(axis=1).var(axis=0, ddof=1)
    # About the common mean, which itself varies by a set's variance over the number of sets.
    of_matches = ((values - values.mean(axis=(0, 1))) ** 2).mean(axis=(0, 1)) + of_sets / sets
    return float(rotations * of_sets.mean() / of_matches.mean())


def play_sets(company: Sequence[str], keys: Sequence[bytes]) -> tuple[Floats, Floats, Floats]:
    """Play deal sets; return wins, points above the others' mean, (sets, rotations, bots), and rounds."""
    ruleset = preset("mattel")
    hello = pb.HelloRequest(ruleset=ruleset_message(ruleset))
    bots = [start_bot(name, hello) for name in company]
    size = len(bots)
    wins, points = np.zeros((len(keys), size, size)), np.zeros((len(keys), size, size))
    rounds = np.zeros((len(keys), size, 1))
    for number, key in enumerate(keys):
        for turn in range(size):
            seated = [(seat + turn) % size for seat in range(size)]
            seeds = [int.from_bytes(derive(key, "seed", turn, seat)[:8]) for seat in range(size)]
            result = play_messages(ruleset, key, [bots[bot].play for bot in seated], seeds=seeds)
            assert not result.faults, result.faults
            places, totals = np.array(result.places), np.array(result.totals)
            for seat, bot in enumerate(seated):
                wins[number, turn, bot] = np.sign(places - places[seat]).sum() / (2 * (size - 1)) + 0.5
                points[number, turn, bot] = (size * totals[seat] - totals.sum()) / (size - 1)
            rounds[number, turn] = result.rounds
    return wins, points, rounds


def start_bot(name: str, hello: pb.HelloRequest) -> Session:
    """Start a bot in this process; `veteran:no-bluff` is one that lacks a habit."""
    folder, _, habit = name.partition(":")
    kind: type[Bot] = load_bot(BOTS / folder / "bot.py")
    changed: dict[str, object] = dict(HABITS[habit])
    if habit in FORGOTTEN:
        changed |= {name: getattr(kind, name)._replace(**FORGOTTEN[habit]) for name in ("duel", "table")}
    session = Session(type(kind.__name__, (kind,), changed))
    session.hello(hello)
    return session


def report(pool: ProcessPoolExecutor, company: Sequence[str], sets: int, kind: str) -> list[Line]:
    """Play one company and print its savings, for close bots beside the goals."""
    seats = len(company)
    keys = [derive(b"bench", "savings", *company, number) for number in range(sets)]
    pieces = list(
        pool.map(partial(play_sets, company), [keys[at : at + PIECE] for at in range(0, sets, PIECE)])
    )
    wins, points, rounds = (np.concatenate([piece[part] for piece in pieces]) for part in range(3))
    # Σ margin / Σ rounds, as in a standing: a match's part is what it has above the mean of its rounds.
    margins = points - points.mean(axis=(0, 1)) / rounds.mean() * rounds
    score = float(wins[:, :, 0].mean())
    lines = []
    for by, values, goal in zip(("wins", "margin"), (wins, margins), GOALS[seats], strict=True):
        found = measure(values)
        line = Line(kind, seats, " / ".join(company), by, *found, sets, round(score, 4))
        aim = f"; goal {goal:.2f}: {'missed' if misses(line) else 'met'}" if kind == "close" else ""
        say(
            f"  {seats} players, by {by}: {found.share:.2f} of the matches "
            f"({found.low:.2f} to {found.high:.2f}{aim}), {' / '.join(company)}, "
            f"the first scores {score:.1%}"
        )
        lines.append(line)
    return lines


def misses(line: Line) -> bool:
    """Say whether close bots need more matches than the goal; only of them something is asked."""
    by_wins, by_margin = GOALS[line.seats]
    return line.kind == "close" and line.share > (by_wins if line.by == "wins" else by_margin)


def say(text: str) -> None:
    """Print one line at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


KINDS: Final[dict[str, tuple[Mapping[int, Sequence[Sequence[str]]], str]]] = {
    "close": (CLOSE, "close bots, versions about as strong: for the same certainty, paired deals need"),
    "step": (STEP, "versions a clear step apart, without a goal:"),
    "far": (FAR, "bots of different makes, without a goal:"),
}
"""Companies, and what is said above their figures."""


def measure_all(sets: int, seats: Sequence[int], jobs: int, kinds: Sequence[str] = (*KINDS,)) -> list[Line]:
    """Print the savings of every company."""
    lines = []
    with ProcessPoolExecutor(jobs) as pool:
        for kind in kinds:
            companies, title = KINDS[kind]
            say(title)
            for size in seats:
                for company in companies[size]:
                    lines += report(pool, company, sets, kind)
    return lines


def write(lines: Sequence[Line]) -> None:
    """Write the figures that the page and its plot show; those of companies that were not played stay."""
    with PAGE.open(encoding="ascii", newline="") as file:
        rows = {tuple(row[:4]): row for row in list(csv.reader(file))[1:]}
    for line in lines:
        new = [f"{value:.3f}" if isinstance(value, float) else str(value) for value in line]
        rows[tuple(new[:4])] = new
    with PAGE.open("w", encoding="ascii", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(Line._fields)
        out.writerows(rows.values())


def main() -> None:
    """Read the arguments, play, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sets", type=int, default=400, help="deal sets of each company")
    parser.add_argument("--seats", type=int, nargs="+", default=list(GOALS), help="table sizes")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS), help="which companies")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--write", action="store_true", help="write docs/statistics/savings.csv")
    given = parser.parse_args()
    lines = measure_all(given.sets, given.seats, given.jobs, given.kinds)
    if given.write:
        write(lines)
    sys.exit(any(map(misses, lines)))


if __name__ == "__main__":
    main()
