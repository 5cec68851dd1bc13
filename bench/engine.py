"""How fast the engine plays random two-player rounds, beside RLCard's `uno` with the same policy, in one run.

    python bench/engine.py             # a table, with ratios to RLCard
    python bench/engine.py --json      # the same for programs
    python bench/engine.py --runs 3 --seconds 1

Every figure is measured in a process of its own, by its CPU time, in short slices in turn with the others,
and is that of its fastest slices (`slices`); the median and the spread of several runs are shown. Moves a
second are measured; a round has as many moves as all rounds of all runs have on average. The policy is
RLCard's random agent's: any playable card is equally likely, and one draws only when stuck. RLCard plays as
it comes, with its own agent; beside it stands RLCard with one that costs next to nothing. It is installed
from `deploy/requirements/bench.lock` into `build/bench-venv` when it is not there.
"""

import os
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from rows import Row as Line
from rows import as_given, parser_of, show
from slices import Slice, best_rate, measure_in_turn

ROOT = Path(__file__).resolve().parents[1]
PEER_VENV = ROOT / "build" / "bench-venv"

ENGINE = """
import json, sys, time
from random import choice
from arena.rules import Round, Ruleset, Variant, derive, play_out, preset
name, seats, what = sys.argv[1], int(sys.argv[2]), sys.argv[3]
peers_game = Ruleset(
    challenge=False, wild_draw_four="no_colour_or_match", drawn_card="forced", reverse_two_players="pass"
)
variant = Variant(peers_game if name == "RLCard's rules" else preset(name))
key = derive(b"bench", name)

def play(number):
    round_ = Round(variant, seats, key, number)
    round_.begin(number % seats, -1)
    if what == "rounds":
        return play_out(round_, number)
    moves = 0
    if what == "asked":
        while round_.kind:
            legal = round_.legal_moves()
            round_.apply(choice(legal[:-1]) if len(legal) > 1 else legal[0], True)
            moves += 1
        return moves
    for _ in range(10):
        if round_.seat >= 0:
            round_.apply(round_.legal_moves()[0], True)
    for seed in range(20):
        moves += play_out(round_.copy(), seed)
    return moves
"""

PEER = """
import json, sys, time
from random import choice
import numpy, rlcard
from rlcard.agents import RandomAgent

class QuickAgent(RandomAgent):
    def eval_step(self, state):
        return choice(list(state["legal_actions"])), {}

env = rlcard.make("uno", config={"seed": int(sys.argv[1])})
numpy.random.seed(int(sys.argv[1]))
agent = QuickAgent if sys.argv[2] == "quick" else RandomAgent
env.set_agents([agent(env.num_actions) for _ in range(env.num_players)])

def play(number):
    trajectories, _payoffs = env.run(is_training=False)
    return sum(len(trajectory) // 2 for trajectory in trajectories)
"""

IN_SLICES = """
number = 0
for line in sys.stdin:
    rounds = moves = 0
    began = time.process_time()
    while (spent := time.process_time() - began) < float(line):
        number += 1
        rounds += 1
        moves += play(number)
    print(json.dumps({"rounds": rounds, "moves": moves, "s": spent}), flush=True)
"""
"""How both play: by the processor time, as long as they are told to; see `slices`."""


PLAIN, PEERS_GAME, COPIES = "mattel, 2 players", "RLCard's rules, 2 players", "copy and play out, 2 players"


class Row(NamedTuple):
    """One thing that is measured."""

    name: str
    """What it is."""
    build: str
    """`pure`, `compiled`, or empty for the peer."""
    arguments: tuple[str, ...]
    """What its process is told."""


class Figure(NamedTuple):
    """What one row came to."""

    row: Row
    """The row."""
    rounds: list[float]
    """Rounds a second, one entry a run."""
    moves: list[float]
    """Moves a second, one entry a run."""


PEER_ITSELF = Row("RLCard uno, 2 players", "", ("own",))
QUICK_PEER = Row("RLCard uno, its agent replaced by choice()", "", ("quick",))
"""How much of the peer's time is its random agent's: NumPy's choice, and the probability of every action."""
ROWS = (
    PEER_ITSELF,
    QUICK_PEER,
    *(
        Row(f"{name}, {seats} players", build, (name, str(seats), "rounds"))
        for build in ("pure", "compiled")
        for name, seats in (
            ("RLCard's rules", 2),
            ("mattel", 2),
            ("mattel", 4),
            ("mattel", 10),
            ("classic", 2),
            ("family", 2),
            ("czech", 2),
        )
    ),
    *(
        Row(name, build, ("mattel", "2", what))
        for build in ("pure", "compiled")
        for name, what in (
            (COPIES, "copies"),
            ("mattel asked move by move from outside", "asked"),
        )
    ),
)


def install_peer() -> Path:
    """Return the Python that has RLCard, installing it the first time."""
    python = PEER_VENV / "bin" / "python"
    if not (PEER_VENV / "ready").exists():
        subprocess.run([sys.executable, "-m", "venv", str(PEER_VENV)], check=True)
        lock = ROOT / "deploy" / "requirements" / "bench.lock"
        command = [str(python), "-m", "pip", "install", "--quiet", "--require-hashes", "-r", str(lock)]
        subprocess.run(command, check=True)
        (PEER_VENV / "ready").touch()
    return python


def command_of(row: Row, peer: Path, run: int) -> tuple[list[str], dict[str, str]]:
    """Return the command of a row's process, and its environment."""
    if not row.build:
        return [str(peer), "-c", PEER + IN_SLICES, str(run), *row.arguments], {}
    command = [sys.executable, "-c", ENGINE + IN_SLICES, *row.arguments]
    return command, {"ARENA_ENGINE": row.build, "PYTHONPATH": str(ROOT)}


def measure_all(rows: Sequence[Row], runs: int, seconds: float) -> list[Figure]:
    """Measure every row several times over, all of them in turn in short slices."""
    peer = install_peer()
    measured: dict[Row, list[list[Slice]]] = {row: [] for row in rows}
    for run in range(runs):
        for row, slices in measure_in_turn(
            {row: command_of(row, peer, run) for row in rows}, seconds
        ).items():
            measured[row].append(slices)
    return [figure_of(row, by_run) for row, by_run in measured.items()]


def figure_of(row: Row, by_run: Sequence[Sequence[Slice]]) -> Figure:
    """Return what the slices of a row came to; the average length of a round is that of all its runs."""
    moves, rounds = (sum(one[what] for slices in by_run for one in slices) for what in ("moves", "rounds"))
    rates = [best_rate(slices, "moves", "s") for slices in by_run]
    return Figure(row, [rate * rounds / moves for rate in rates], rates)


def has_compiled_core() -> bool:
    """Whether the compiled core can be had here."""
    command = [sys.executable, "-c", "import arena.rules"]
    environment = {**os.environ, "ARENA_ENGINE": "compiled", "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, env=environment, check=False, capture_output=True).returncode == 0


def own_ratio(figures: Sequence[Figure], figure: Figure) -> float:
    """Return moves a second against two players of `mattel` in the same build."""
    own = next(one for one in figures if (one.row.build, one.row.name) == (figure.row.build, PLAIN))
    return statistics.median(figure.moves) / statistics.median(own.moves)


def goal_rows(figures: Sequence[Figure], again: str) -> list[Line]:
    """Return what is compared with the peer or with the plain round, run by run, with the goals."""
    by_name = {(figure.row.build, figure.row.name): figure for figure in figures}
    peer = figures[0]
    lines = [quick_line(by_name[("", QUICK_PEER.name)], peer, again)]
    for build, goal, aim in (("pure", 10.0, 15.0), ("compiled", 60.0, 150.0)):
        for name in (PLAIN, PEERS_GAME):
            figure = by_name.get((build, name))
            if figure is not None:
                ratios = [ours / theirs for ours, theirs in zip(figure.rounds, peer.rounds, strict=True)]
                lines.append(Line(f"{name}, {build}, rounds/s", peer.row.name, "x", ratios, again, goal, aim))
                ratios = [ours / theirs for ours, theirs in zip(figure.moves, peer.moves, strict=True)]
                lines.append(Line(f"{name}, {build}, moves/s", peer.row.name, "x", ratios, again))
        plain = by_name.get((build, PLAIN))
        for figure in figures:
            if plain is None or figure.row.build != build or figure.row.name in (PLAIN, PEERS_GAME):
                continue
            ratios = [ours / theirs for ours, theirs in zip(figure.moves, plain.moves, strict=True)]
            goals = (0.8, 1.0) if figure.row.name == COPIES and build == "compiled" else (None, None)
            lines.append(Line(f"{figure.row.name}, {build}, moves/s", PLAIN, "x", ratios, again, *goals))
    return lines


def quick_line(quick: Figure, peer: Figure, again: str) -> Line:
    """Return how much faster the peer is with an agent that costs it next to nothing."""
    ratios = [own / theirs for own, theirs in zip(quick.moves, peer.moves, strict=True)]
    return Line(f"{quick.row.name}, moves/s", peer.row.name, "x", ratios, again)


def as_table(figures: Sequence[Figure]) -> str:
    """Return the figures for people."""
    peer_rounds = statistics.median(figures[0].rounds)
    peer_moves = statistics.median(figures[0].moves)
    lines = [
        f"{'':42} {'rounds/s':>9} {'x':>6} {'moves/s':>11} {'x':>6} {'own x':>6}  spread of the rounds' x"
    ]
    for figure in figures:
        rounds, moves = statistics.median(figure.rounds), statistics.median(figure.moves)
        ratios_of_runs = [ours / peer for ours, peer in zip(figure.rounds, figures[0].rounds, strict=True)]
        name = f"{figure.row.name} {figure.row.build}"
        ratios = f"{rounds:9,.0f} {rounds / peer_rounds:6.1f} {moves:11,.0f} {moves / peer_moves:6.1f}"
        own = f"{own_ratio(figures, figure):6.2f}" if figure.row.build else " " * 6
        spread = f"{min(ratios_of_runs):.1f} to {max(ratios_of_runs):.1f} in {len(ratios_of_runs)} runs"
        lines.append(f"{name:42} {ratios} {own}  {spread}")
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    parser = parser_of(__doc__)
    parser.add_argument("--seconds", type=float, default=1.5, help="CPU seconds a row and run")
    arguments = parser.parse_args()
    compiled = has_compiled_core()
    rows = [row for row in ROWS if row.build != "compiled" or compiled]
    figures = measure_all(rows, arguments.runs, arguments.seconds)
    if not arguments.json:
        sys.stdout.write(as_table(figures) + "\n\n")
    again = as_given()
    show(goal_rows(figures, again), as_json=arguments.json)
    if not compiled:
        sys.stderr.write("No compiled core here: `make build` makes one where there is a C compiler.\n")


if __name__ == "__main__":
    main()
