"""What the rules that a preset does not use cost it: `mattel` beside a copy of the engine without their code.

    python bench/unused.py             # the share of its time that `mattel` pays for them

The copy is made anew each time, in a folder of its own: every step of a turn whose condition names a rule
that `mattel` leaves out is taken away. Both play the same rounds, uncompiled, in turn; the bench fails if
they differ in a single decision.
"""

import ast
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rows import Row, parser_of, show

ROOT = Path(__file__).resolve().parents[1]
RULES = Path("arena", "rules")
UNUSED = (
    "circle", "debts", "exchange", "jump_in", "misplay_penalty", "on_hands", "seven_rounds", "silence",
    "silences", "silent_colour", "to_the_last", "uno_centre", "until_playable",
)  # fmt: skip
"""The names in conditions that belong to rules which `mattel` leaves out."""
PLAY = """
import sys, time
from arena.rules import Round, Variant, derive, play_out, preset
variant, key = Variant(preset("mattel")), derive(b"bench", "unused")
decisions, number, began = [], 0, time.process_time()
for number in range(int(sys.argv[1])):
    round_ = Round(variant, 2, key, number)
    round_.begin(number % 2, -1)
    decisions.append(play_out(round_, number))
print(time.process_time() - began, hash(tuple(decisions)))
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


def measure(folder: Path, rounds: int) -> tuple[float, str]:
    """Return the CPU seconds of so many rounds, and what identifies the decisions that were taken."""
    environment = {**os.environ, "ARENA_ENGINE": "pure", "PYTHONPATH": str(folder)}
    command = [sys.executable, "-c", PLAY, str(rounds)]
    done = subprocess.run(command, env=environment, cwd=folder, check=True, capture_output=True, text=True)
    seconds, decisions = done.stdout.split()
    return float(seconds), decisions


def main() -> None:
    """Measure and print."""
    parser = parser_of(__doc__)
    parser.add_argument("--rounds", type=int, default=3000)
    arguments = parser.parse_args()
    ratios = []
    with tempfile.TemporaryDirectory() as name:
        taken = strip(Path(name))
        for _run in range(arguments.runs):
            whole, decisions = measure(ROOT, arguments.rounds)
            stripped, same = measure(Path(name), arguments.rounds)
            if decisions != same:
                raise SystemExit("the copy plays otherwise: a step was taken away that mattel needs")
            ratios.append(whole / stripped)
    what = "processor time of a round of mattel, uncompiled"
    against = f"the engine without {taken} steps of rules it leaves out"
    again = "python bench/unused.py"
    show([Row(what, against, "x", ratios, again, goal=1.05, is_limit=True)], as_json=arguments.json)


if __name__ == "__main__":
    main()
