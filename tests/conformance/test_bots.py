"""The conformance cases: sound data, passed by reference bots, failed by one that breaks the contract."""

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format

from arena.bot.session import Session
from arena.botproc.bare import bare
from arena.botproc.plain import PlainSeat
from arena.botproc.rehearsal import Outcome
from arena.bundle.pack import load_manifest
from arena.protocol.conformance import Ledger, fault_in_reply, hello_cases, play_cases
from arena.protocol.hello import ruleset_message
from arena.protocol.pb import bot_pb2 as pb
from arena.rules import preset
from arena.service import conform
from arena.service.conform import conform_folder
from tests.bot.turns import make_turn
from tests.bots_reference.reference import BOTS, CLASSES, NAMES
from tests.fix_live import MISBEHAVE

IDS = [case.id for case in (*hello_cases(), *play_cases())] + ["end"]


def test_the_cases_are_sound() -> None:
    """Ids are unique and plain, tables belong to one case, cards played are held, every question is asked."""
    tables: set[int] = set()
    asked: set[int] = set()
    for case in play_cases():
        own = {opened.table for message in case.messages for opened in message.opened}
        assert not own & tables
        tables |= own
        for turn in (turn for message in case.messages for turn in message.turns):
            assert turn.table in own
            assert all(move.card in turn.hand for move in turn.legal if move.card)
            assert all(index < len(turn.legal) for index in turn.bluffs)
            asked.add(turn.kind)

    assert len(set(IDS)) == len(IDS)
    assert all(re.fullmatch("[a-z-]+", name) for name in IDS)
    assert asked >= set(pb.QuestionKind.values()) - {pb.QUESTION_NONE}
    assert next(hello_cases()).request.ruleset == ruleset_message(preset("mattel"), "mattel")


@pytest.mark.parametrize("name", NAMES)
def test_every_python_bot_passes_every_case(name: str) -> None:
    """Fed the very bytes of the cases, each reference bot answers what is asked, and nothing else."""
    for hello in hello_cases():
        session = Session(CLASSES[name])
        assert fault_in_reply(hello.request, session.hello(pb.HelloRequest.FromString(hello.data))) == ""
    session.hello(next(hello_cases()).request)
    for case in play_cases():
        for message, data in zip(case.messages, case.data, strict=True):
            ledger = Ledger(message)
            fault = ledger.fault_in(session.play(pb.Turns.FromString(data)))
            assert (case.id, fault, ledger.open) == (case.id, "", {})


def put(folder: Path, cache: Path, *switches: str) -> Iterator[Outcome]:
    """Put every case to the bot of a folder, started with some switches."""
    manifest = load_manifest(folder)
    program = replace(manifest, run=(*manifest.run, *switches))

    def start() -> AbstractContextManager[PlainSeat]:
        return bare(folder, program, cache)

    return conform_folder(start)


def test_a_real_process_passes_every_case_to_its_end(tmp_path: Path) -> None:
    """Behind a real socket: every case, the end of the stream, and the end of the process."""
    outcomes = list(put(BOTS / "greedy", tmp_path))

    assert {outcome.id: outcome.failure for outcome in outcomes} == dict.fromkeys(IDS, "")


TURNS = [turn for case in play_cases() for message in case.messages for turn in message.turns]


@pytest.mark.parametrize(
    ("switches", "failed", "words"),
    [
        (("bad-index", "1"), ["one-turn", "end"], "chooses move 1000 of 2"),
        (("crash", str(len(TURNS))), ["unanswered-end"], "the stream ended"),
    ],
)
def test_who_breaks_the_contract_fails_the_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, switches: tuple[str, ...], failed: list[str], words: str
) -> None:
    """What is broken is named with what was wrong; all else is put. The scripted bot never exits."""
    monkeypatch.setattr(conform, "EXIT_S", 0.1)
    outcomes = list(put(MISBEHAVE.parent, tmp_path, *switches))
    faults = {outcome.id: outcome.failure for outcome in outcomes if outcome.failure}

    assert list(faults) == failed
    assert words in faults[failed[0]]
    assert {outcome.id for outcome in outcomes} >= set(IDS) - {"end"}


def test_without_a_good_hello_nothing_more_is_put(tmp_path: Path) -> None:
    """Each handshake is tried; no case of the stream is."""
    outcomes = {outcome.id: outcome.failure for outcome in put(MISBEHAVE.parent, tmp_path, "wrong-nonce")}

    assert list(outcomes) == [case.id for case in hello_cases()]
    assert all("nonce" in failure for failure in outcomes.values())


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"index": 2}, "chooses move 2 of 2"),
        ({"move": {"action": "PLAY", "card": "CARD_B1"}}, "no legal move"),
        ({}, "chooses nothing"),
        ({"index": 0, "question": 2}, "not asked"),
        ({"index": 0, "table": 9}, "not asked"),
    ],
)
def test_every_wrong_answer_is_told_apart(answer: dict[str, Any], words: str) -> None:
    """Beyond the list, not in it, nothing, what was never asked, and twice; no answer at all is none."""
    turns = pb.Turns(turns=[make_turn("R1 R2", "R1, draw")])
    said = json_format.ParseDict({"table": 0, "question": 1} | answer, pb.Answer())
    sound = pb.Answers(answers=[pb.Answer(question=1, index=1)])
    ledger = Ledger(turns)

    assert words in Ledger(turns).fault_in(pb.Answers(answers=[said]))
    assert Ledger(pb.Turns()).fault_in(pb.Answers(answers=[said])).endswith("not asked")
    assert Ledger(pb.Turns()).fault_in(pb.Answers()) == ""
    assert ledger.fault_in(sound) == ""
    assert "twice" in ledger.fault_in(sound)
