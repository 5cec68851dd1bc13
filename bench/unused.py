"""What the rules that a preset does not use cost it: `mattel` beside a copy of the engine without their code.

    python bench/unused.py             # the share of its time that `mattel` pays for them

The copy is made anew each time, in a folder of its own: every step of a turn whose condition names a rule
that `mattel` leaves out is taken away. Both play the same rounds, uncompiled, in short slices in turn;
the bench fails if they differ in how many moves a round takes.
"""

import ast
import shutil
import sys
import tempfile
from pathlib import Path

from rows import Row, as_given, parser_of, show
from slices import best_rate, measure_in_turn

ROOT = Path(__file__).resolve().parents[1]
RULES = Path("arena", "rules")
UNUSED = (
    "circle", "debts", "exchange", "jump_in", "misplay_penalty", "on_hands", "seven_rounds", "silence",
    "silences", "silent_colour", "to_the_last", "uno_centre", "until_playable",
)  # fmt: skip
"""The names in conditions that belong to rules which `mattel` leaves out."""
PLAY = """
import json, sys, time
from arena.rules import Round, Variant, derive, play_out, preset
variant, key = Variant(preset("mattel")), derive(b"bench", "unused")

def play(number):
    round_ = Round(variant, 2, key, number)
    round_.begin(number % 2, -1)
    return play_out(round_, number)

same = hash(tuple(play(number) for number in range(300)))
for line in sys.stdin:
    moves = 0
    number = 300
    began = time.process_time()
    while (spent := time.process_time() - began) < float(line):
        moves += play(number)
        number += 1
    print(json.dumps({"moves": moves, "s": spent, "same": same}), flush=True)
"""


class Stripping(ast.NodeTransformer):
    """Takes away the steps that only rules left out by `mattel` have need of."""

    def __init__(self) -> None:
        self.taken = 0

    def visit_If(self, node: ast.If) -> ast.AST:
        """Take a step away, or leave it."""
        self.generic_visit(node)
        names = {part.attr for part in ast.walk(node.test) if isinstance(part, ast.Attribute)}
        if node.orelse or (isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.Or)):
            return node
        if names.isdisjoint(UNUSED):
            return node
        self.taken += 1
        return ast.Pass()


def strip(folder: Path) -> int:
    """Make the copy in a folder; return how many steps were taken away."""
    shutil.copytree(ROOT / "arena", folder / "arena", ignore=shutil.ignore_patterns("__pycache__", "_core"))
    stripping = Stripping()
    for name in ("effects", "turns", "drawing", "round", "state", "uno"):
        path = folder / RULES / f"{name}.py"
        path.write_text(ast.unparse(stripping.visit(ast.parse(path.read_text()))))
    return stripping.taken


def measure(stripped: Path, seconds: float) -> float:
    """Return how many times as much processor time a move of the whole engine takes."""
    commands = {
        folder: (
            [sys.executable, "-c", PLAY],
            {"ARENA_ENGINE": "pure", "PYTHONPATH": str(folder), "PYTHONSAFEPATH": "1"},
        )
        for folder in (ROOT, stripped)
    }
    slices = measure_in_turn(commands, seconds)
    if slices[ROOT][0]["same"] != slices[stripped][0]["same"]:
        raise SystemExit("the copy plays otherwise: a step was taken away that mattel needs")
    return best_rate(slices[stripped], "moves", "s") / best_rate(slices[ROOT], "moves", "s")


def main() -> None:
    """Measure and print."""
    parser = parser_of(__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="CPU seconds of each in a run")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        taken = strip(Path(name))
        ratios = [measure(Path(name), arguments.seconds) for _run in range(arguments.runs)]
    what = "processor time of a round of mattel, uncompiled"
    against = f"the engine without {taken} steps of rules it leaves out"
    again = as_given()
    show([Row(what, against, "x", ratios, again, goal=1.05, is_limit=True)], as_json=arguments.json)


if __name__ == "__main__":
    main()
