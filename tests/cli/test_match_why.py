"""Promises of `arena match why`, with bots that really misbehave in a small tournament."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from arena.botproc.cgroup_hosts import find_hosts
from arena.match.plan import ClockSettings
from tests.fix_terminal import Commands
from tests.fix_workers import Fleet
from tests.worker.test_bot_faults import GREEDY, misbehaving

FAULTS = {
    "crasher": ("crash", "crashed"),
    "killed": ("kill", "crashed"),
    "cheat": ("bad-index", "illegal_move"),
    "sleeper": ("stall", "timed_out"),
}
"""Each bot, what it does at its fifth question, and the verdict."""
CROWD = """\
    try:
        for _ in range(100):
            threading.Thread(target=time.sleep, args=[600], daemon=True).start()
    except RuntimeError:
        pass
"""
"""It wants more threads than it is granted, and never says that it was refused."""
SHORT = ClockSettings(bank_ms=300, hello_ms=30_000)


class Verdicts:
    """What the command says of the newest match that one bot lost by its fault."""

    def __init__(self, arena: Commands, url: str) -> None:
        self._arena, self._url = arena, url

    def __call__(self, bot: str, verdict: str) -> tuple[str, dict[str, Any]]:
        """Return the lines for people, and the evidence of the one verdict on that bot."""
        asked = ("match", "list", "cup", "--bot", bot, "--verdict", verdict, "--json")
        number = str(json.loads(self._arena(*asked, ARENA_DATABASE_URL=self._url).out)[0]["id"])
        said = self._arena("match", "why", number, ARENA_DATABASE_URL=self._url)
        facts = json.loads(self._arena("match", "why", number, "--json", ARENA_DATABASE_URL=self._url).out)
        assert said.code == 0
        assert facts["cards_shown"]
        (told,) = [v for v in facts["verdicts"] if v["bot"] == f"{bot}@1" and v["kind"] == verdict]
        return said.out, told["evidence"]

    def of_bot(self, command: str, bot: str) -> str:
        """Return what a command says of a bot."""
        return self._arena("bot", command, bot, ARENA_DATABASE_URL=self._url).out


@pytest.fixture
def verdicts(fleet: Fleet, tmp_path: Path, arena: Commands, database_url: str) -> Verdicts:
    """Play a tournament of a sound bot and of one bot for each fault."""
    bots = [misbehaving(tmp_path / "bots", name, what, "5") for name, (what, _) in FAULTS.items()]
    with (bots[0] / "bot.toml").open("a") as manifest:
        manifest.write("limits.processes = 40\n")
    source = bots[0] / "bot.py"
    source.write_text(
        source.read_text().replace('    note("crashing \\x1b', f'{CROWD}    note("crashing \\x1b')
    )
    fleet.submit(GREEDY, *bots)
    fleet.start("greedy", *FAULTS, deal_sets=1, clock=SHORT)
    fleet.up(1)
    fleet.finish()
    return Verdicts(arena, database_url)


def test_everything_that_led_to_a_verdict_is_told(verdicts: Verdicts) -> None:
    """Limit, measure, bank, question, answer, signal, exit status and stderr, each where it belongs.

    So are memory, and processes that were refused to a bot that said nothing of it.
    """
    said, crashed = verdicts("crasher", "crashed")
    assert "crasher@1: crashed\n" in said
    assert crashed["exit_code"] == 7
    assert "exit status    7" in said
    assert crashed["last_question"].startswith("5 ")
    assert crashed["last_question"] in said
    assert "\\x1b[31mred" in said
    assert "\x1b" not in said

    assert re.search(r"\n  memory         \d+ of 256 MiB at most \(by .*\)\n", said)
    shown = verdicts.of_bot("show", "crasher")
    assert re.search(r"\nmemory: crasher@1 had \d+ of 256 MiB at most \(by .*\) in \d+ jobs", shown)
    if find_hosts().describe()["pids"] != "none":
        assert (crashed["processes_refused"], crashed["process_limit"]) == (1, 40)
        assert "\n  processes      it was refused at least 1 new processes or threads: limit 40\n" in said
        assert re.search(r" jobs, \d+ processes or threads\s+refused", shown)
        assert "it was refused at least 1 new processes" in verdicts.of_bot("logs", "crasher")

    said, killed = verdicts("killed", "crashed")
    assert killed["exit_signal"] == 11
    assert "exit signal    11 (SIGSEGV)" in said

    said, cheat = verdicts("cheat", "illegal_move")
    assert cheat["last_answer"].startswith("index 1000")
    assert "last answer    index 1000" in said
    assert "what happened  index 1000" in said

    said, sleeper = verdicts("sleeper", "timed_out")
    assert sleeper["wall_ms"] >= sleeper["limit_ms"]
    assert all(f"\n  {title}" in said for title in ("limit  ", "measured  ", "bank left  "))
