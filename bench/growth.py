"""How cost grows: in matches, in tables and in players, as processor time of arena and bots together.

    python bench/growth.py
    python bench/growth.py --runs 1 --matches 8 --tables 8 16 --players 2 3

Linear means: a match costs the same in a job of four times as many; a decision costs no more at more tables;
each further player adds the same to a decision. Everything is pinned to one core and sandboxed.
"""

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

from rows import Row, as_given, parser_of, show
from seats import open_pinned, play_matches, start_bots

from arena.botproc.sandbox import Sandbox

ROOT = Path(__file__).resolve().parents[1]
TIMES = 4
"""How many times as many matches the bigger job has."""


def measure(sandbox: Sandbox, core: int, players: int, tables: int, matches: int) -> tuple[float, float]:
    """Return the microseconds of processor time a match and a decision, of a job played to its end."""
    with start_bots(sandbox, ROOT / "bots" / "first-legal", core, players) as seats:
        began, bots_began = time.process_time(), sum(seat.cpu_ns() for seat in seats)
        _played, decisions = play_matches(seats, tables, matches)
        used = (time.process_time() - began) * 1e6 + (sum(seat.cpu_ns() for seat in seats) - bots_began) / 1e3
    return used / matches, used / decisions


def rows_of(sandbox: Sandbox, core: int, options: argparse.Namespace) -> Sequence[Row]:
    """Measure, and return a row for each of the three."""
    few, many = options.tables
    matches: list[float] = []
    tables: list[float] = []
    players: list[float] = []
    for _run in range(options.runs):
        a_match, a_decision = measure(sandbox, core, 2, few, options.matches)
        matches.append(measure(sandbox, core, 2, few, TIMES * options.matches)[0] / a_match)
        tables.append(measure(sandbox, core, 2, many, TIMES * options.matches)[1] / a_decision)
        costs = [measure(sandbox, core, count, few, options.matches)[1] for count in options.players]
        players.append(costs[1] / costs[0] / (options.players[1] / options.players[0]))
    low, high = options.players
    repeat = as_given()
    more = f"{TIMES * options.matches} matches at {few} tables, processor time a match"
    return (
        Row(more, f"{options.matches} matches", "x", matches, repeat, 1.1, is_limit=True),
        Row(
            f"{many} tables, processor time a decision",
            f"{few} tables",
            "x",
            tables,
            repeat,
            1.1,
            is_limit=True,
        ),
        Row(
            f"{high} players, processor time a decision, by the player",
            f"{low} players",
            "x",
            players,
            repeat,
            1.1,
            is_limit=True,
        ),
    )


def main() -> None:
    """Measure and print."""
    parser = parser_of(__doc__)
    parser.add_argument("--matches", type=int, default=128, help="of the smaller job")
    parser.add_argument("--tables", type=int, nargs=2, default=[64, 128], metavar=("FEW", "MANY"))
    parser.add_argument("--players", type=int, nargs=2, default=[4, 8], metavar=("FEW", "MANY"))
    parser.add_argument("--sandbox", help="level; default the best that is proved here")
    options = parser.parse_args()
    sandbox, core = open_pinned(options.sandbox)
    show(rows_of(sandbox, core, options), as_json=options.json)


if __name__ == "__main__":
    main()
