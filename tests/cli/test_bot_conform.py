"""Promises of `arena bot conform`: each case named, passed or failed, for people and for programs."""

import json
import os
import subprocess
import sys

from arena.protocol.conformance import hello_cases, play_cases
from tests.cli.test_bot_debug import write_bot
from tests.fix_terminal import Commands

IDS = [case.id for case in play_cases()]
HELLOS = [case.id for case in hello_cases()]


def test_a_sound_bot_passes_every_case(arena: Commands) -> None:
    """One line for each case, in order, then the number; nothing is on the standard error."""
    write_bot(arena)
    said = arena("bot", "conform", "ann")
    names = [HELLOS[0], *IDS, "end", *HELLOS[1:]]

    assert (said.code, said.err) == (0, "")
    assert said.out.splitlines() == [*(f"passed  {name}" for name in names), f"{len(names)} cases passed"]


def test_a_case_that_fails_is_named_and_the_others_are_put(arena: Commands) -> None:
    """A bot that dies at one question fails that case alone; it is started again, and the exit code is 2."""
    write_bot(arena, "if self.seats == 10: raise RuntimeError('ten are too many')")
    said = arena("bot", "conform", "ann", "--json")
    outcomes = {outcome["id"]: outcome for outcome in json.loads(said.out)}
    failed = [name for name, outcome in outcomes.items() if not outcome["passed"]]

    assert said.code == 2
    assert failed == ["ten-seats"]
    assert outcomes.keys() == {*HELLOS, *IDS, "end"}
    assert "the stream ended" in outcomes["ten-seats"]["failure"]
    assert said.err.splitlines()[-1].startswith("arena: ann: failed 1 of 34 cases; ten-seats was: ")


def test_a_bot_that_listens_gets_the_cases_of_one_stream(arena: Commands) -> None:
    """An address serves too, and neither a folder nor an address is a mistake."""
    folder = write_bot(arena)
    address = f"unix:{arena.folder}/bot.sock"
    bot = [sys.executable, "bot.py"]
    with subprocess.Popen(bot, cwd=folder, env=os.environ | {"ARENA_ADDRESS": address}) as process:
        said = arena("bot", "conform", address, "--json")
        ended = process.wait(60)
    wrong = arena("bot", "conform", "nobody")

    assert (said.code, ended) == (0, 0)
    assert [outcome["id"] for outcome in json.loads(said.out)] == [HELLOS[0], *IDS, "end"]
    assert wrong.code == 2
    assert "nobody" in wrong.err


def test_what_a_broken_stream_leaves_is_listed(arena: Commands) -> None:
    """Behind an address a stream that breaks is the last: what was not put is named, and counted apart."""
    folder = write_bot(arena, "if self.seats == 10: raise RuntimeError('ten are too many')")
    put = IDS[: IDS.index("ten-seats")]
    left = [*IDS[len(put) + 1 :], "end"]
    said = []
    for more in ((), ("--json",)):
        address = f"unix:{arena.folder}/bot{len(more)}.sock"
        bot = [sys.executable, "bot.py"]
        environment = os.environ | {"ARENA_ADDRESS": address}
        with subprocess.Popen(bot, cwd=folder, env=environment, stderr=subprocess.DEVNULL):
            said.append(arena("bot", "conform", address, *more))
    shown, rows = said[0].out.splitlines(), json.loads(said[1].out)

    assert [ended.code for ended in said] == [2, 2]
    assert left
    assert shown[: len(put) + 1] == [f"passed  {name}" for name in (HELLOS[0], *put)]
    assert shown[len(put) + 2 :] == [f"not put {name}" for name in left]
    assert [row["id"] for row in rows if row["passed"] is None] == left
    counted = f"failed 1 of {len(put) + 2} cases; {len(left)} more were not put"
    assert counted in " ".join(said[0].err.split())
