"""Writes protobuf's wire format directly, for the few messages that are written a hundred thousand times.

A turn is mostly made of parts that were written before: a legal move, an event, a small number. Joining
ready bytes costs a third of filling message objects and serialising them, and lets all seats of a table share
one event. The numbers of fields come from the generated descriptors, so this cannot disagree with the proto;
tests parse what is written and compare it with messages built field by field. Knows nothing of the game.
"""

from collections.abc import Iterable
from typing import Any, Final

VARINT: Final = 0
LENGTH: Final = 2


def varint(number: int) -> bytes:
    """Return an unsigned number in protobuf's variable length."""
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


SMALL: Final = tuple(varint(number) for number in range(1 << 14))
"""The numbers that fit in two bytes."""


def number(value: int) -> bytes:
    """Return an unsigned number, from the table where it is in there."""
    return SMALL[value] if value < len(SMALL) else varint(value)


def zigzag(value: int) -> int:
    """Return the unsigned number that stands for a signed one."""
    return value << 1 if value >= 0 else (-value << 1) - 1


def key(message: Any, field: str) -> bytes:
    """Return the bytes that announce a field: its number and the shape of what follows."""
    descriptor = message.DESCRIPTOR.fields_by_name[field]
    text_or_message = (descriptor.TYPE_STRING, descriptor.TYPE_BYTES, descriptor.TYPE_MESSAGE)
    has_length = descriptor.is_repeated or descriptor.type in text_or_message
    return varint(descriptor.number << 3 | (LENGTH if has_length else VARINT))


class NumberField(dict[int, bytes]):
    """A field that holds one number: its bytes for each value met so far, looked up without a call.

    The numbers of a game are few: cards, sizes, milliseconds of a bank.
    """

    def __init__(self, message: Any, field: str, added: int = 0) -> None:
        """Take a field of `message`; the wire's value is `added` more than the one looked up."""
        self._key = key(message, field)
        self._added = added

    def __missing__(self, value: int) -> bytes:
        self[value] = data = self._key + number(value + self._added)
        return data


def packed(values: Iterable[int]) -> bytes:
    """Return the numbers of a packed field with their length; numbers below 128 are copied as they are."""
    try:
        data = bytes(values)
    except ValueError:
        data = b"".join([number(value) for value in values])
    else:
        if not data.isascii():
            data = b"".join([number(value) for value in data])
    return SMALL[len(data)] + data if len(data) < len(SMALL) else number(len(data)) + data


def framed(data: bytes) -> bytes:
    """Return a message or text with its length before it."""
    return number(len(data)) + data
