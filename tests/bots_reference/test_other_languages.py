"""Colour keeper is one strategy in every language: each real bot answers thousands of questions alike."""

import os
import queue
import re
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import grpc
import pytest

from arena.bot import Bot
from arena.bot.local import LocalBot
from arena.bot.session import Session
from arena.botproc.bare import bare
from arena.botproc.connection import channel_options
from arena.bundle.manifest import parse_manifest
from arena.protocol.hello import ruleset_message
from arena.protocol.inprocess import play_messages
from arena.protocol.pb import bot_pb2 as pb
from arena.protocol.pb import bot_pb2_grpc
from arena.rules.presets import PRESETS, parse_ruleset
from arena.service.conform import conform_folder
from tests.bots_reference.reference import BOTS, CLASSES, key_of
from tests.bots_reference.test_any_rules import SETS, table_by_lot
from tests.bots_reference.test_playing import SHUFFLED, SPECIAL
from tests.builds import QUICK_BUILD

PATIENCE_S = 120
MESSAGE_BYTES = 4 << 20
TOOLS = {
    "colour-keeper-cpp": "cpp-packages",
    "colour-keeper-go": "go-modules",
    "colour-keeper-java": "java-packages",
    "colour-keeper-node": "node-packages",
    "colour-keeper-ruby": "ruby-packages",
    "colour-keeper-rust": "rust-crates",
}
"""The folders in other languages, and what building each needs of the machine."""


WILD = 'base = "mattel"\ndeck = "custom"\ncards = "R1*20 G2*20 B3*20 Y4*20 W*30"\n'
"""Many rounds of this begin with a wild, whose colour is asked for."""
Forgetful = type("Forgetful", (CLASSES["random"],), {"call_uno": False})
"""Plays at random and does not call UNO."""


class Recorder:
    """A session that keeps every question with its answer."""

    def __init__(self, bot: type[Bot]) -> None:
        self.session = Session(bot)
        self.turns: list[Any] = []
        self.answers: list[Any] = []

    def play(self, batch: Any) -> Any:
        """Answer, and keep what was asked."""
        answers = self.session.play(batch)
        self.turns.extend(batch.turns)
        self.answers.extend(answers.answers)
        return answers


class Overheard:
    """A session whose questions with a hand that is shown are kept: colour keeper itself never challenges."""

    def __init__(self, session: Session, hello: Any) -> None:
        self.session = session
        self.hello = hello
        self.turns: list[Any] = []

    def play(self, batch: Any) -> Any:
        """Answer, and keep what shows a hand (R34)."""
        self.turns.extend(turn for turn in batch.turns if turn.shown)
        return self.session.play(batch)

    def answers(self, bot: type[Bot]) -> list[Any]:
        """Return what a fresh bot answers to each kept question."""
        answers = []
        for turn in self.turns:
            fresh = LocalBot(bot, self.hello)
            fresh.open(turn.table, seats=len(turn.hand_sizes))
            answers.append(fresh.ask(turn))
        return answers


@cache
def record() -> tuple[list[Any], list[Any]]:
    """Return questions under every preset and 50 rulesets by lot, with the Python bot's answers."""
    recorder = Recorder(CLASSES["colour-keeper"])
    texts = [*(f'base = "{name}"\n' for name in PRESETS), SPECIAL, SHUFFLED, WILD]
    rulesets = [parse_ruleset(text + "rounds = 8\n") for text in texts]
    tables = [(ruleset, seats) for ruleset in rulesets for seats in (2, 3, 5)]
    tables += [table_by_lot(number) for number in range(SETS)]
    for number, (ruleset, seats) in enumerate(tables):
        others = [Session((CLASSES["random"], Forgetful)[seat % 2]) for seat in range(seats - 1)]
        hello = pb.HelloRequest(ruleset=ruleset_message(ruleset))
        for session in (recorder.session, *others):
            session.hello(hello)
        overheard = Overheard(others[0], hello)
        seated = [recorder.play, overheard.play, *(session.play for session in others[1:])]
        play_messages(ruleset, key_of("recorded", number, seats), seated)
        recorder.turns += overheard.turns
        recorder.answers += overheard.answers(CLASSES["colour-keeper"])
    return recorder.turns, recorder.answers


PLACES = {
    "colour-keeper-go": r"strategy\.go:\d+",
    "colour-keeper-java": r"at bot\.Strategy\.\w+\(Strategy\.java:\d+\)\Z",
    "colour-keeper-node": r"\(\S+/src/strategy\.ts:\d+:\d+\)",
    "colour-keeper-ruby": r"strategy\.rb:\d+",
    "colour-keeper-rust": r"src/strategy\.rs:\d+:\d+\Z",
}
"""How the standard error of each tells where its strategy has an error; C++ has no places to tell."""
TRAP = """const has = Set.prototype.has;
Set.prototype.has = function (value) {
  if (typeof value === "number") throw new Error("trapped");
  return has.call(this, value);
};
"""
"""What makes the strategy in Node fail, which takes every number that is not there for 0."""


def err_of_a_mistake(folder: Path, command: Sequence[str], socket: Path) -> str:
    """Ask a bot about a seat that nobody has, which its strategy does not expect; return its last words."""
    trap = socket.with_name("trap.cjs")
    trap.write_text(TRAP)
    more = {"NODE_OPTIONS": f"--require={trap}", "ARENA_ADDRESS": f"unix:{socket}"}
    swap = pb.Move(action=pb.PLAY, card=8, seat_plus_one=9)
    turn = pb.Turn(table=1, question=1, kind=pb.TURN, hand=[8, 8, 9], legal=[swap, swap])
    with (
        subprocess.Popen(
            command, cwd=folder, env=os.environ | more, stderr=subprocess.PIPE, text=True
        ) as process,
        grpc.insecure_channel(f"unix:{socket}", options=channel_options(MESSAGE_BYTES)) as channel,
    ):
        stub = bot_pb2_grpc.BotStub(channel)  # type: ignore[no-untyped-call]
        hello = pb.HelloRequest(protocol_min=1, protocol_max=1, nonce=b"n", tables_max=64)
        stub.Hello(hello, wait_for_ready=True, timeout=PATIENCE_S)
        call = stub.Play(iter([pb.Turns(turns=[turn])]), timeout=PATIENCE_S)
        assert call.code() is not grpc.StatusCode.OK
        _, said = process.communicate(timeout=PATIENCE_S)
        assert process.returncode > 0
    return said.rstrip()


@contextmanager
def running(folder: Path, command: Sequence[str], socket: Path) -> Iterator[Any]:
    """Start a bot bare and yield its stub."""
    address = f"unix:{socket}"
    process = subprocess.Popen(command, cwd=folder, env={**os.environ, "ARENA_ADDRESS": address})
    channel = grpc.insecure_channel(address, options=channel_options(MESSAGE_BYTES))
    try:
        yield bot_pb2_grpc.BotStub(channel)  # type: ignore[no-untyped-call]
        assert process.wait(PATIENCE_S) == 0
    finally:
        channel.close()
        if process.poll() is None:
            process.kill()
        process.wait()


def test_generated_at_build_time_from_the_contract() -> None:
    """Each bot's build generates its code from a copy that is the contract; no generated code is kept."""
    contract = BOTS.parent / "protos" / "arena" / "v1" / "bot.proto"
    copies = [path for path in BOTS.glob("**/bot.proto") if "target" not in path.parts]
    kept = subprocess.run(["git", "ls-files", "."], cwd=BOTS, check=True, capture_output=True, text=True)

    assert {path.relative_to(BOTS).parts[0] for path in copies} == set(TOOLS)
    assert {path.read_text() for path in copies} == {contract.read_text()}
    assert not re.findall(r".*(?:\.pb\.|_pb\.|_grpc\.).*", kept.stdout)


@pytest.mark.timeout(900)  # the first build in Rust compiles all that it stands on
@pytest.mark.parametrize(
    "name",
    [
        # Beside the template of its language: Rust's two builds share what they compile.
        pytest.param(
            name,
            marks=[
                pytest.mark.needs(tool),
                pytest.mark.xdist_group(name.replace("colour-keeper", "language")),
            ],
        )
        for name, tool in TOOLS.items()
    ],
)
def test_every_language_decides_alike(name: str, tmp_path: Path) -> None:
    """Built as its author builds it, it answers as the Python one did, and passes each conformance case.

    A mistake in its strategy ends it, and its standard error says where.
    """
    folder = BOTS / name
    manifest = parse_manifest((folder / "bot.toml").read_text())
    subprocess.run(manifest.build, cwd=folder, env=os.environ | QUICK_BUILD, check=True, timeout=1200)
    turns, expected = record()
    outgoing: queue.SimpleQueue[Any] = queue.SimpleQueue()
    answered: list[Any] = []
    with running(folder, manifest.run, tmp_path / "bot.sock") as stub:
        hello = pb.HelloRequest(protocol_min=1, protocol_max=1, nonce=b"n", tables_max=64)
        reply = stub.Hello(hello, wait_for_ready=True, timeout=PATIENCE_S)
        call = stub.Play(iter(outgoing.get, None), timeout=PATIENCE_S)
        for start in range(0, len(turns), 64):
            batch = turns[start : start + 64]
            outgoing.put(pb.Turns(turns=batch))
            answered.extend(next(call).answers)
        outgoing.put(None)
        assert call.code() is grpc.StatusCode.OK

    assert (reply.protocol, reply.nonce, reply.tables) == (1, b"n", 64)
    assert len(turns) > 2000
    assert {turn.kind for turn in turns} == set(pb.QuestionKind.values()) - {pb.QUESTION_NONE}
    assert any(turn.shown for turn in turns)
    assert {answer.index for turn, answer in zip(turns, expected, strict=True) if turn.kind == pb.CATCH} == {
        0,
        1,
    }
    assert answered == expected
    outcomes = list(conform_folder(lambda: bare(folder, manifest, tmp_path / "cache")))
    assert len(outcomes) > 30
    assert not [outcome for outcome in outcomes if outcome.failure]
    if name in PLACES:
        assert re.search(PLACES[name], err_of_a_mistake(folder, manifest.run, tmp_path / "mistaken.sock"))
