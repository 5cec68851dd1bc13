"""From a table to the bytes of its messages, and from the bytes of answers to the domain.

Owns the reading of answers; the writing is `arena.protocol.turn`'s. Refuses to send, to time and to judge: an
undecodable message is a `DecodeError`, all else is for the referee.
"""

from collections.abc import Sequence
from typing import Final

from google.protobuf.message import DecodeError

from arena.match.referee import NO_MOVE, Answer, describe_answer
from arena.protocol.pb import bot_pb2 as pb
from arena.protocol.turn.parts import ACTIONS
from arena.protocol.turn.writer import TableWriter
from arena.rules import moves as mv

__all__ = ["DecodeError", "TableWriter", "decode_answers", "decode_choice", "describe_reply", "turns_message"]

ACTIONS_BACK: Final = {int(wire): action for action, wire in ACTIONS.items()}
MOVES_KEPT: Final = 1 << 8
"""Indices below this have a shared answer; no list of legal moves is longer."""


def turns_message(parts: Sequence[bytes]) -> bytes:
    """Return one `Turns` message made of parts that `TableWriter` wrote."""
    return b"".join(parts)


def decode_answers(data: bytes) -> Sequence[pb.Answer]:
    """Return the answers of a message.

    Raises:
        DecodeError: It is no `Answers` message.
    """
    return pb.Answers.FromString(data).answers


def decode_choice(message: pb.Answer) -> Answer | None:
    """Return what an answer chose, None when it chose nothing."""
    choice = message.WhichOneof("choice")
    if choice == "index" and not message.say:
        return (_WITH_UNO if message.uno else _WITHOUT)[message.index]
    if choice is None:
        return None
    index, move = (message.index, NO_MOVE) if choice == "index" else (-1, read_move(message.move))
    return Answer(index, move, message.uno, message.say, message.advice)


def describe_reply(message: pb.Answer) -> str:
    """Return what was sent as one line of evidence, whether or not it is an answer to anything."""
    choice = decode_choice(message)
    said = "nothing chosen" if choice is None else describe_answer(choice)
    return f"{said}, for question {message.question}"


class _Plain(dict[int, Answer]):
    """Answers by index alone, which nearly all are: made once and shared."""

    def __init__(self, uno: bool) -> None:
        self._uno = uno

    def __missing__(self, index: int) -> Answer:
        answer = Answer(index, NO_MOVE, self._uno)
        if index < MOVES_KEPT:
            self[index] = answer
        return answer


_WITH_UNO: Final = _Plain(uno=True)
_WITHOUT: Final = _Plain(uno=False)


def read_move(message: pb.Move) -> mv.Move:
    """Return the move of a message, `NO_MOVE` when no move has such numbers."""
    action = ACTIONS_BACK.get(message.action)
    card, colour, seat = message.card - 1, message.colour - 1, message.seat_plus_one - 1
    if action is None or not (-1 <= card <= 60 and -1 <= colour <= 3 and -1 <= seat <= 9):
        return NO_MOVE
    return mv.pack(action, card, colour, seat)
