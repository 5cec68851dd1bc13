"""How strong the reference bots are against each other: deal sets in this process, every pair of bots.

    python bench/strength.py                         # 400 deal sets of two players, every reference bot
    python bench/strength.py --seats 4 --sets 200    # the two bots of a pair in alternating seats
    python bench/strength.py --only greedy veteran --ruleset czech

In the matches of a deal set the same deals are played from every seat, so luck cancels. A bot's score in a
set is the mean over its matches and pairs of seats: a better place counts one, a shared one a half. The
interval is of the mean of independent sets.
"""

import argparse
import math
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from arena.bot.local import load_bot
from arena.bot.session import Session
from arena.protocol.hello import ruleset_message
from arena.protocol.inprocess import play_messages
from arena.protocol.pb import bot_pb2 as pb
from arena.rules.keys import derive
from arena.rules.options import Ruleset
from arena.rules.presets import parse_ruleset

BOTS = Path(__file__).resolve().parents[1] / "bots"
REFERENCE = ("random", "first-legal", "greedy", "colour-keeper", "veteran")
Z_95 = 1.959964
MOST_TOLD = 0.99
"""A score of 99 % is 798 Elo."""


class Pairing(NamedTuple):
    """What one pair of bots came to."""

    names: tuple[str, str]
    """The two bots."""
    scores: tuple[float, ...]
    """The first bot's score in each deal set, 0 to 1."""

    @property
    def mean(self) -> float:
        """The first bot's score over all sets."""
        return sum(self.scores) / len(self.scores)

    @property
    def half_width(self) -> float:
        """Half of the 95 % interval of the mean."""
        mean, n = self.mean, len(self.scores)
        variance = sum((score - mean) ** 2 for score in self.scores) / (n - 1)
        return Z_95 * math.sqrt(variance / n)

    @property
    def is_significant(self) -> bool:
        """Whether the interval excludes an even score."""
        return abs(self.mean - 0.5) > self.half_width


def score_set(ruleset: Ruleset, bots: Sequence[Sequence[Session]], seats: int, set_key: bytes) -> float:
    """Play a deal set from both sides and return the first bot's score, 0 to 1."""
    won = pairs = 0.0
    for rotation in range(2):
        owners = [(seat + rotation) % 2 for seat in range(seats)]
        seated = [bots[owner][seat].play for seat, owner in enumerate(owners)]
        seeds = [int.from_bytes(derive(set_key, "bot seed", rotation, s)[:8]) for s in range(seats)]
        result = play_messages(ruleset, set_key, seated, seeds=seeds)
        assert not result.faults, result.faults
        places = result.places
        for own, other in combinations(range(seats), 2):
            if owners[own] != owners[other]:
                first, second = (own, other) if owners[own] == 0 else (other, own)
                won += (places[first] < places[second]) + (places[first] == places[second]) / 2
                pairs += 1
    return won / pairs


def score_sets(
    ruleset: Ruleset, sources: tuple[Path, Path], seats: int, keys: Sequence[bytes]
) -> list[float]:
    """Play some deal sets of one pair, in a process of their own."""
    hello = pb.HelloRequest(ruleset=ruleset_message(ruleset))
    bots = [[start(source, hello) for _ in range(seats)] for source in sources]
    return [score_set(ruleset, bots, seats, key) for key in keys]


def start(source: Path, hello: pb.HelloRequest) -> Session:
    """Return a session of the bot with this source that has heard the hello."""
    session = Session(load_bot(source))
    session.hello(hello)
    return session


def play_pairing(
    pool: ProcessPoolExecutor, ruleset: Ruleset, names: tuple[str, str], seats: int, sets: int, seed: str
) -> Pairing:
    """Play all deal sets of a pair, cut in pieces for the processes of the pool."""
    sources = (BOTS / names[0] / "bot.py", BOTS / names[1] / "bot.py")
    keys = [derive(seed.encode(), "strength", *names, number) for number in range(sets)]
    pieces = [keys[start : start + 10] for start in range(0, sets, 10)]
    scored = pool.map(partial(score_sets, ruleset, sources, seats), pieces)
    return Pairing(names, tuple(score for piece in scored for score in piece))


def elo(score: float) -> str:
    """Return the rating difference that stands for a score; that of nearly all matches won is unknown."""
    if not 1 - MOST_TOLD <= score <= MOST_TOLD:
        return "over 800" if score > MOST_TOLD else "below -800"
    return f"{400 * math.log10(score / (1 - score)):+.0f}"


def report(pairings: Iterable[Pairing]) -> None:
    """Print one line a pairing as it ends, in Markdown."""
    sys.stdout.write("| bot | against | score | 95 % | Elo | significant |\n|---|---|---|---|---|---|\n")
    for pairing in pairings:
        low, high = pairing.mean - pairing.half_width, pairing.mean + pairing.half_width
        sys.stdout.write(
            f"| {pairing.names[0]} | {pairing.names[1]} | {pairing.mean:.1%} | {low:.1%} to {high:.1%} "
            f"| {elo(pairing.mean)} | {'yes' if pairing.is_significant else 'no'} |\n"
        )
        sys.stdout.flush()


def main() -> None:
    """Read the arguments, play, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sets", type=int, default=400, help="deal sets of each pairing")
    parser.add_argument("--seats", type=int, default=2, help="seats at a table, an even number")
    parser.add_argument("--ruleset", default="mattel", help="a preset's name or TOML text")
    parser.add_argument("--only", nargs="+", default=list(REFERENCE), help="which bots")
    parser.add_argument("--seed", default="1", help="another text gives other deals")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    given = parser.parse_args()
    ruleset = parse_ruleset(given.ruleset)
    with ProcessPoolExecutor(given.jobs) as pool:
        report(
            play_pairing(pool, ruleset, pair, given.seats, given.sets, given.seed)
            for pair in combinations(reversed(given.only), 2)
        )


if __name__ == "__main__":
    main()
