"""The check game tells an author what failed; everything here runs in this machine's real sandbox."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest

from arena.botproc.live import Death, PlayedTables
from arena.botproc.probe import open_sandbox
from arena.botproc.sandbox import Sandbox, SandboxSettings
from arena.botproc.seat import StderrCapture
from arena.bundle.cache import BundleCache
from arena.errors import PlatformError, UsageError
from arena.match.fault import Evidence, Fault, FaultKind
from arena.match.plan import ClockSettings
from arena.service.bots import read_bundle
from arena.service.check import CLOCK as CHECK_CLOCK
from arena.service.check import (
    DECISIONS_MIN,
    MATCHES,
    PROMISES,
    CheckReport,
    check_bundle,
    judge,
    plan_matches,
)

ROOT = Path(__file__).resolve().parents[2]
CLOCK = ClockSettings(budget_ms=50, bank_ms=20_000, hello_ms=60_000)
SHORT = replace(CLOCK, bank_ms=2_500)
"""For a bot that is meant to run out of time."""

pytestmark = pytest.mark.needs("sandbox")


@pytest.fixture(scope="module")
def sandbox(stage_cache: Path) -> Sandbox:
    """Give the best sandbox of this machine."""
    return open_sandbox(SandboxSettings(cache_dir=stage_cache))


def check(
    sandbox: Sandbox, tmp_path: Path, *words: str, clock: ClockSettings = CLOCK, **limits: int
) -> CheckReport:
    """Check the misbehaving bot with some switches."""
    folder = tmp_path / "bot"
    shutil.copytree(ROOT / "tests" / "bots" / "misbehave", folder)
    manifest = (folder / "bot.toml").read_text()
    run = ", ".join(f'"{word}"' for word in ("python3", "bot.py", *words))
    manifest = manifest.replace('["python3", "bot.py"]', f"[{run}]")
    if limits:
        manifest += "[limits]\n" + "".join(f"{name} = {value}\n" for name, value in limits.items())
    (folder / "bot.toml").write_text(manifest)
    return check_bundle(sandbox, BundleCache(tmp_path / "bundles"), read_bundle(folder), clock=clock)


@pytest.mark.parametrize("name", ["random", "first-legal", "greedy", "colour-keeper", "veteran"])
def test_every_reference_bot_passes(sandbox: Sandbox, tmp_path: Path, name: str):
    """All promises kept, all matches played."""
    bundle = read_bundle(ROOT / "bots" / name)
    report = check_bundle(sandbox, BundleCache(tmp_path / "bundles"), bundle)

    assert report.passed, str(report)
    assert (report.matches, report.stderr) == (8, "")
    assert report.decisions > 100
    assert str(report).count("ok ") == len(PROMISES)


@pytest.mark.parametrize(
    ("words", "promise", "hint"),
    [
        (("crash-at-hello",), "starts and says hello in time", "exit"),
        (("wrong-version",), "speaks this arena's protocol", "99"),
        (("garbage", "3"), "keeps to the protocol", ""),
        (("illegal", "3"), "plays legal moves only", "asked: "),
        (("stall", "3"), "answers in time", "limit "),
        (("hog-memory", "3"), "stays within its memory", ""),
        (("crash", "3"), "stays alive and connected to the end", "exit status"),
        (("close-stream", "3"), "stays alive and connected to the end", ""),
    ],
)
def test_each_misbehaviour_breaks_its_promise(
    sandbox: Sandbox, tmp_path: Path, words: tuple[str, ...], promise: str, hint: str
):
    """One promise is broken, with what proves it; the others stand, or were never tried."""
    report = check(sandbox, tmp_path, *words, clock=SHORT if words[0] == "stall" else CLOCK)
    failed = {kept.name: kept.failure for kept in report.promises if kept.failure}

    assert not report.passed
    assert promise in failed, str(report)
    assert hint in failed[promise]
    assert f"FAILED  {promise}" in str(report)
    was_asked = len(words) > 1
    assert any(kept.was_tried and not kept.failure for kept in report.promises) == was_asked
    assert all(line.isprintable() for line in str(report).splitlines())


def test_only_what_was_answered_is_counted(sandbox: Sandbox, tmp_path: Path):
    """A bot that answered nothing made no decision, however many questions it was asked."""
    report = check(sandbox, tmp_path, "crash", "1")

    assert report.decisions == 0
    assert report.questions > 0
    line = f"{report.matches} matches, 0 decisions in answer to {report.questions} questions"
    assert line in str(report).splitlines()


def test_the_authors_own_words_are_returned(sandbox: Sandbox, tmp_path: Path):
    """What the bot wrote before it died reaches its author."""
    report = check(sandbox, tmp_path, "crash-at-hello")

    assert "crashing at the hello" in report.stderr


def test_a_program_that_does_not_exist(sandbox: Sandbox, tmp_path: Path):
    """A wrong command is told as what it is, not as a time-out."""
    folder = tmp_path / "bot"
    shutil.copytree(ROOT / "bots" / "random", folder)
    manifest = (folder / "bot.toml").read_text().replace('"python3", "bot.py"', '"pyhton3", "bot.py"')
    (folder / "bot.toml").write_text(manifest)
    report = check_bundle(sandbox, BundleCache(tmp_path / "bundles"), read_bundle(folder), clock=CLOCK)

    assert report.promises[0].failure
    assert not any(promise.was_tried for promise in report.promises[1:])
    assert "pyhton3" in report.stderr


SILENT = {
    "proc": ("open('/proc/self/status').close()", "write needs_proc = true in bot.toml"),
    "tmp": ("open('/tmp/mine', 'w').close()", "write needs_tmp = true in bot.toml"),
    "both": (
        "open('/proc/self/status').close(); open('/tmp/mine', 'w').close()",
        "write needs_proc = true and needs_tmp = true in bot.toml",
    ),
}
"""What a bot does first without having said so, and what its author is told."""


@pytest.mark.parametrize(
    "need",
    ["proc", *(pytest.param(need, marks=pytest.mark.needs("memory-cgroup")) for need in ("tmp", "both"))],
)
def test_what_a_bot_does_not_say_is_found_out(sandbox: Sandbox, tmp_path: Path, need: str):
    """A need for /proc or /tmp is named by the check, not left to be guessed."""
    code, sentence = SILENT[need]
    folder = tmp_path / "bot"
    shutil.copytree(ROOT / "bots" / "first-legal", folder)
    (folder / "bot.py").write_text(f"{code}\n{(folder / 'bot.py').read_text()}")
    report = check_bundle(sandbox, BundleCache(tmp_path / "bundles"), read_bundle(folder), clock=CLOCK)

    assert report.promises[0].failure
    assert sentence in str(report)


def test_a_start_that_cannot_be_tried_here_hides_no_report(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Where /tmp cannot be bound, a bot that ends at its start is judged, and its own words are shown."""

    def refuse(*_: object) -> NoReturn:
        raise PlatformError("no memory cgroup is writable")

    monkeypatch.setattr("arena.service.lacking.running", refuse)
    report = check(sandbox, tmp_path, "crash-at-hello")

    assert report.promises[0].failure
    assert "crashing at the hello" in report.stderr


LATE = {
    "proc": (
        "open('/proc/self/status')",
        "speaks of /proc, which it did not ask for: write needs_proc = true in",
    ),
    "tmp": ("open('/tmp/mine', 'w')", "speaks of /tmp, which it did not ask for: write needs_tmp = true in"),
}
"""The same, done in the first move only."""


@pytest.mark.parametrize("need", LATE)
def test_what_a_bot_needs_in_play_is_named_too(sandbox: Sandbox, tmp_path: Path, need: str):
    """A bot that starts well and ends at its first question is told what its own traceback speaks of."""
    code, sentence = LATE[need]
    folder = tmp_path / "bot"
    shutil.copytree(ROOT / "bots" / "first-legal", folder)
    source = "from arena.bot import Bot, serve\nclass Late(Bot):\n    def move(self, view):\n"
    (folder / "bot.py").write_text(f"{source}        {code}\nserve(Late)\n")
    report = check_bundle(sandbox, BundleCache(tmp_path / "bundles"), read_bundle(folder), clock=CLOCK)

    assert report.promises[-1].failure
    assert sentence in str(report)


LISTEN = "import socket, time; s = socket.socket({}); s.bind({!r}); s.listen(); time.sleep(600)"
"""A bot that serves somewhere, for longer than anybody waits."""


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (
            "import socket; socket.create_server(('0.0.0.0', 5000))",
            "it tried to open a network port: a bot has no network: it must listen on the unix socket",
        ),
        (
            "import grpc; grpc.server(None).add_insecure_port('[::]:5000')",
            "it tried to open a network port [::]:5000: a bot has no network: it must listen on the",
        ),
        (
            LISTEN.format("socket.AF_UNIX", "/bot/mine.sock"),
            "it tried to listen on the unix socket '/bot/mine.sock': it must listen on the unix socket that",
        ),
        (
            "import grpc; grpc.server(None).add_insecure_port('unix:/tmp/bot.sock')",
            "it tried to listen on the unix socket '/tmp/bot.sock': it must listen on the unix socket that",
        ),
        (
            "raise SystemExit('listen unix /tmp/server: bind: read-only file system')",
            "it tried to listen on the unix socket '/tmp/server': it must listen on the unix socket that",
        ),
        (
            LISTEN.format("socket.AF_UNIX", "/run/seat/mine.sock"),
            "it listens on the unix socket '/run/seat/mine.sock': it must listen on the unix socket that",
        ),
        (
            LISTEN.format("socket.AF_UNIX", "\0mine"),
            "it listens on the unix socket '@mine': it must listen on the unix socket that ARENA_ADDRESS",
        ),
        ("", "it came to its end without listening on"),
        ("raise SystemExit('cannot listen')", "it could not listen: it must listen on the unix socket that"),
        (
            "raise SystemExit('IllegalStateException: channel not registered to an event loop')",
            "it could not listen: it must listen on the unix socket that",
        ),
        ("open('mine', 'w')", "(exit status 1)"),
        ("raise SystemExit('File \"tcp.py\", line 1; /net/tcp.go:20')", "(exit status 1)"),
        ("open('/proc/meminfo')", "(exit status 1)"),
        ("raise SystemExit('at binding.open; this.address.bind(this)')", "(exit status 1)"),
        ("raise SystemExit('OSError: [Errno 24] Too many open files')", "(exit status 1)"),
    ],
    ids=[
        *("tcp", "grpc-tcp", "refused-path", "grpc-path", "go-path", "beside", "abstract"),
        *("nowhere", "somewhere", "netty", "read-only", "file", "proc", "source", "descriptors"),
    ],
)
def test_a_bot_that_never_listens_is_told_what_is_known(
    sandbox: Sandbox, tmp_path: Path, code: str, said: str
):
    """A port and another path are told apart, as found, with what is expected; who fails otherwise is not."""
    folder = tmp_path / "bot"
    shutil.copytree(ROOT / "bots" / "first-legal", folder)
    (folder / "bot.py").write_text(code)
    clock = replace(CLOCK, hello_ms=2_000) if "sleep" in code else CLOCK
    report = check_bundle(sandbox, BundleCache(tmp_path / "bundles"), read_bundle(folder), clock=clock)

    assert said in report.promises[0].failure
    assert ("ARENA_ADDRESS" in report.promises[0].failure) == ("listen" in said)
    spent = "note: its stderr says 'Too many open files': each process may have 256 files open"
    assert (spent in str(report)) == ("Too many" in code)
    assert ("write needs_proc = true in bot.toml" in str(report)) == ("/proc" in code)
    where = "a bot makes its socket where ARENA_ADDRESS says, and writes no files"
    note = f"note: its stderr says 'Read-only file system': {where}"
    assert (note in str(report)) == ("Read-only file system" in report.stderr)


THREADS = """\
import os, sys, threading, time
try:
    for _ in range(3):
        threading.Thread(target=time.sleep, args=[600]).start()
except RuntimeError as error:
    {}
    os._exit(3)
"""
"""A bot that starts more threads than it is granted."""


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        ("print(error, file=sys.stderr, flush=True)", "2 processes and threads are granted"),
        ("pass", "it was refused at least 1 new processes or threads: limit 2"),
    ],
    ids=["loud", "silent"],
)
def test_a_limit_of_processes_that_was_met_is_named(
    sandbox: Sandbox, tmp_path: Path, act: str, sentence: str
):
    """A bot that cannot start its threads hears of its limit, whatever becomes of its hello.

    It does so even when it says nothing of it, where control groups count processes.
    """
    is_counted = sandbox.cgroups.describe()["pids"] != "none"
    folder = tmp_path / "bot"
    shutil.copytree(ROOT / "bots" / "first-legal", folder)
    with (folder / "bot.toml").open("a") as file:
        file.write("limits.processes = 2\n")
    (folder / "bot.py").write_text(THREADS.format(act))
    report = check_bundle(sandbox, BundleCache(tmp_path / "bundles"), read_bundle(folder), clock=CLOCK)

    assert report.promises[0].failure
    assert sentence in str(report) or (act == "pass" and not is_counted)


def test_asking_for_more_than_is_granted(sandbox: Sandbox, tmp_path: Path):
    """Limits above the ceiling are refused before anything is started."""
    with pytest.raises(UsageError, match=r"limits.memory_mib asks for 4096, at most 512"):
        check(sandbox, tmp_path, memory_mib=4096)


def test_no_deal_is_met_twice():
    """Every match of a check has a key of its own, the same for the same bundle."""
    plans = plan_matches("ab" * 32)

    assert len({plan.set_key for plan in plans}) == len(plans)
    assert [plan.order for plan in plans].count((0, 1)) == len(plans) // 2
    assert plan_matches("ab" * 32) == plans
    assert plan_matches("cd" * 32) != plans


def test_every_kind_of_fault_breaks_exactly_one_promise():
    """A new kind of fault cannot be forgotten here."""
    kinds = [kind for _, broken in PROMISES for kind in broken]

    assert sorted(kinds) == sorted(FaultKind)


def test_the_house_is_never_the_authors_problem():
    """A fault of the house's bot, or matches that did not end, are the platform's failure."""
    fault = Fault(FaultKind.CRASHED, 0, Evidence(detail="gone"))

    with pytest.raises(PlatformError, match="house"):
        judge(PlayedTables([], [], deaths=[Death(1, fault, 8)]), StderrCapture())
    with pytest.raises(PlatformError, match="only 0 of 8"):
        judge(PlayedTables([], []), StderrCapture())


def test_a_slow_bot_is_not_held_against_its_author():
    """A check that ran out of time without a fault passes, and says how far it came."""
    played = PlayedTables([], [], cut=True, play_us=12_000_000, answered=[DECISIONS_MIN, 900])
    report = judge(played, StderrCapture())

    assert report.passed
    assert "the check ends after 12 s; 0 of 8 matches were over" in str(report)


def test_a_check_that_saw_too_little_is_not_passed():
    """Cut after too few answers nothing is known, and the author reads how few they were."""
    played = PlayedTables([], [], cut=True, play_us=12_000_000, answered=[DECISIONS_MIN - 1, 900])
    report = judge(played, StderrCapture())

    assert not report.passed
    assert "in the 12 s of the check it answered 49 questions, and 50 is the least to judge by" in str(report)


def test_a_bot_that_was_killed_for_its_memory_is_not_said_to_have_stayed():
    """The promise about its memory is broken, with what was granted; its end and the clock are not judged."""
    evidence = Evidence(limit_ms=1350, wall_ms=7.0, detail="the stream broke (512 MiB were granted)")
    death = Death(0, Fault(FaultKind.OUT_OF_MEMORY, 0, evidence), 8)
    said = str(judge(PlayedTables([], [], deaths=[death]), StderrCapture())).splitlines()

    assert "FAILED  stays within its memory: the stream broke (512 MiB were granted)" in said
    assert "-       stays alive and connected to the end" in said


@pytest.mark.parametrize("habit", ["flood", "slow", "burn", "stop-reading", "one-by-one", "flood-stderr"])
def test_no_habit_keeps_a_check_going(sandbox: Sandbox, tmp_path: Path, habit: str):
    """However a bot goes on, the check ends by its own limits: a promise broken, all played, or cut."""
    clock = ClockSettings(bank_ms=1_000, hello_ms=60_000, job_s=1.0)
    report = check(sandbox, tmp_path, habit, clock=clock)

    assert report.matches == MATCHES or report.was_cut or not report.passed, str(report)


def test_banks_and_limit_keep_every_check_short():
    """All the banks of a check together, and its own limit, stay below half a minute."""
    assert MATCHES * (CHECK_CLOCK.bank_ms + CHECK_CLOCK.budget_ms) < CHECK_CLOCK.job_s * 1000
    assert CHECK_CLOCK.job_s < 30
