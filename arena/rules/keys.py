"""Randomness that is the same on every machine: keys by name, bounded draws, the shuffle.

Owns everything random in the project. Python's own shuffle is promised by no version, so the three procedures
below are written out; whoever repeats them in another language gets the same cards.

* `derive(key, *labels)` = SHA-256 of ``wildcard-arena/1`` | key | for each label: its length in bytes (4
  bytes, big-endian) | its UTF-8 text; a number is written in decimal.
* the *words* of a key = the output of SHAKE-256(key), cut into 32-bit big-endian numbers.
* a draw *below n* takes words until one is smaller than the largest multiple of n up to 2**32; the result is
  this word modulo n. Every result is exactly equally likely.
* the shuffle (Fisher and Yates) of n items: for i from 0 to n - 2, exchange items i and i + `below(n - i)`.
"""

from hashlib import sha256, shake_256
from struct import Struct
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from mypy_extensions import i64

Item = TypeVar("Item")
_DOMAIN: Final = b"wildcard-arena/1"
_WORD_VALUES: Final = 4294967296
_SAFE: Final = _WORD_VALUES - 65536
"""Below it a word counts whatever the bound, as long as the bound is at most 65536."""
_UNSAFE_START: Final = b"\xff\xff"
"""How every word begins that is not below it."""
_WORDS: Final[list[Struct]] = [Struct(f">{count}I") for count in range(256)]
"""Reads so many words at once."""
_SIZES: Final[list[bytes]] = [size.to_bytes(4, "big") for size in range(256)]
"""How the length of a short label is written."""
_BLOCK: Final = 34
"""As many words as one block of SHAKE-256 gives."""
_AHEAD: Final = 28
"""How many words more than the first cards a round is likely to need."""


def derive(key: bytes, *labels: str | int) -> bytes:
    """Return the 32-byte key that belongs to a path of labels under `key`."""
    path = _DOMAIN + key
    for label in labels:
        text = str(label).encode()
        size = len(text)
        path += (_SIZES[size] if size < len(_SIZES) else size.to_bytes(4, "big")) + text
    return sha256(path).digest()


class Stream:
    """The words of one key, drawn one after the other."""

    def __init__(self, key: bytes, ahead: int = 0) -> None:
        """Begin with the first word.

        Args:
            key: The key.
            ahead: How many words more than asked for are made the first time.
        """
        self._key: bytes = key
        self._ahead: i64 = ahead
        self._output: bytes = b""
        self._count: i64 = 0
        self._all_safe: bool = True
        self._next: i64 = 0

    def below(self, bound: int) -> int:
        """Draw a number from 0 to bound - 1, each equally likely."""
        while True:
            if self._next == self._count:
                self._reach(self._next + 1)
            word = int.from_bytes(self._output[4 * self._next : 4 * self._next + 4], "big")
            self._next += 1
            if word < _SAFE or word < _WORD_VALUES - _WORD_VALUES % bound:
                return word % bound

    def shuffle(self, items: list[Item]) -> None:
        """Bring a list into a random order, each order equally likely."""
        if items:
            self.exchange(items, 0, len(items) - 1)

    def exchange(self, items: list[Item], first: "i64", last: "i64") -> None:
        """Do the exchanges of a shuffle from one place up to another."""
        count = last - first
        end = self._next + count
        if end > self._count:
            self._reach(end)
        size: i64 = len(items)
        if not self._all_safe or count >= len(_WORDS):
            for here in range(first, last):
                other = here + self.below(size - here)
                items[here], items[other] = items[other], items[here]
            return
        word: i64
        place: i64 = first
        words: tuple[int, ...] = _WORDS[count].unpack_from(self._output, 4 * self._next)
        for word in words:
            other = place + word % (size - place)
            items[place], items[other] = items[other], items[place]
            place += 1
        self._next = end

    def _reach(self, count: int) -> None:
        """Have so many words at hand, the first time those ahead too."""
        blocks = (count + self._ahead + _BLOCK - 1) // _BLOCK
        self._output = shake_256(self._key).digest(4 * _BLOCK * blocks)
        self._ahead = 0
        self._count = _BLOCK * blocks
        self._all_safe = self._output.find(_UNSAFE_START) < 0


class Shuffle:
    """A list that comes into a random order as far as somebody looks: the same order as `Stream.shuffle`."""

    def __init__(self, items: list[int], key: bytes) -> None:
        self.items: list[int] = items.copy()
        self.settled: i64 = 0
        self._stream: Stream = Stream(key, _AHEAD)

    def settle(self, count: int) -> None:
        """Settle the first places, as many as asked for, or all there are."""
        size = len(self.items)
        count = min(count, size)
        if self.settled < count:
            self._stream.exchange(self.items, self.settled, min(count, size - 1))
            self.settled = count


def shuffled(items: list[int], key: bytes) -> list[int]:
    """Return the items in the order that a key gives them."""
    order = items.copy()
    Stream(key).shuffle(order)
    return order
