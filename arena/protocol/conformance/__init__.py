"""What the contract asks of a bot, as data (`bot.json`) and as the judgement of what came back.

Owns the cases, which are of no language, and the few rules by which an answer is judged; they are told in
`docs/bots/conformance.md` to those who write an arena or an SDK of their own. `arena.json` is the other half:
what the arena does about a bot that breaks the contract. It refuses to talk to a bot: that is for
`arena.botproc.rehearsal`.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from google.protobuf import json_format

from arena.protocol.pb import bot_pb2 as pb

_FOLDER: Final = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class HelloCase:
    """A handshake."""

    id: str
    says: str
    """What is tried, in one sentence."""
    request: pb.HelloRequest
    """What is sent."""
    data: bytes
    """The same on the wire, with fields that nobody knows where the case wants some."""


@dataclass(frozen=True, slots=True)
class PlayCase:
    """Messages on an open stream; each case has tables of its own, so that one stream serves for many."""

    id: str
    says: str
    """What is tried, in one sentence."""
    messages: Sequence[pb.Turns]
    """What is sent, one after the other, each when the former one is answered."""
    data: Sequence[bytes]
    """The same on the wire."""


@cache
def _cases() -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads((_FOLDER / "bot.json").read_text(encoding="utf-8"))
    return found


def hello_cases() -> Iterator[HelloCase]:
    """Yield the handshakes, the plain one first."""
    cases = _cases()
    for case in cases["hellos"]:
        fields = {
            name: value for name, value in (cases["hello"] | case["hello"]).items() if value is not None
        }
        request = json_format.ParseDict(fields, pb.HelloRequest())
        yield HelloCase(case["id"], case["says"], request, _wire(request, case))


def play_cases() -> Iterator[PlayCase]:
    """Yield the cases of the stream."""
    for case in _cases()["cases"]:
        messages = [json_format.ParseDict(sent["turns"], pb.Turns()) for sent in case["send"]]
        data = [_wire(message, sent) for message, sent in zip(messages, case["send"], strict=True)]
        yield PlayCase(case["id"], case["says"], messages, data)


def arena_cases() -> Sequence[Mapping[str, Any]]:
    """Return what a bot may do wrong and what the arena then does, row by row."""
    rows: Sequence[Mapping[str, Any]] = json.loads((_FOLDER / "arena.json").read_text(encoding="utf-8"))[
        "cases"
    ]
    return rows


def _wire(message: Any, case: Mapping[str, Any]) -> bytes:
    """Return a message's bytes and those to be appended to it."""
    data: bytes = message.SerializeToString(deterministic=True)
    return data + bytes.fromhex(case.get("append", ""))


def fault_in_reply(request: pb.HelloRequest, reply: pb.HelloReply) -> str:
    """Return what is wrong with the answer to a hello, or an empty text."""
    if not request.protocol_min <= reply.protocol <= request.protocol_max:
        return f"it speaks version {reply.protocol}, not {request.protocol_min} to {request.protocol_max}"
    if reply.nonce != request.nonce:
        return "its nonce is not the one it was sent"
    return "" if reply.tables else "it offers no table"


class Ledger:
    """The questions of one message, and which of them are answered."""

    def __init__(self, turns: pb.Turns) -> None:
        self.open = {(turn.table, turn.question): turn for turn in turns.turns}
        self.answered: set[tuple[int, int]] = set()

    def fault_in(self, answers: pb.Answers) -> str:
        """Take answers; return what is wrong with the first that is wrong, or an empty text."""
        for answer in answers.answers:
            key = (answer.table, answer.question)
            where = f"question {answer.question} of table {answer.table}"
            turn = self.open.pop(key, None)
            if turn is None:
                return f"{where} was answered {'twice' if key in self.answered else 'but not asked'}"
            self.answered.add(key)
            choice = answer.WhichOneof("choice")
            if choice is None:
                return f"the answer to {where} chooses nothing"
            if choice == "index" and answer.index >= len(turn.legal):
                return f"the answer to {where} chooses move {answer.index} of {len(turn.legal)}"
            if choice == "move" and answer.move not in turn.legal:
                return f"the answer to {where} is no legal move"
        return ""
