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

import struct
from hashlib import sha256, shake_256
from typing import Final

_DOMAIN: Final = b"wildcard-arena/1"
_WORD_VALUES: Final = 4294967296
_SAFE: Final = _WORD_VALUES - 65536
"""Below it a word counts whatever the bound, as long as the bound is at most 65536."""
_END: Final = _WORD_VALUES
"""Stands behind the words at hand; it counts for no bound."""
_FIRST_WORDS: Final = 68
"""As many as two blocks of SHAKE-256 give: enough for the cards of most rounds."""


def derive(key: bytes, *labels: str | int) -> bytes:
    """Return the 32-byte key that belongs to a path of labels under `key`."""
    parts = [_DOMAIN, key]
    for label in labels:
        text = str(label).encode()
        parts.append(len(text).to_bytes(4, "big"))
        parts.append(text)
    return sha256(b"".join(parts)).digest()


class Stream:
    """The words of one key, drawn one after the other."""

    def __init__(self, key: bytes) -> None:
        self._key: bytes = key
        self._words: list[int] = _words_of(key, _FIRST_WORDS)
        self._next: int = 0

    def below(self, bound: int) -> int:
        """Draw a number from 0 to bound - 1, each equally likely."""
        while True:
            word = self._words[self._next]
            if word == _END:
                self._words = _words_of(self._key, 2 * self._next)
                continue
            self._next += 1
            if word < _SAFE or word < _WORD_VALUES - _WORD_VALUES % bound:
                return word % bound

    def shuffle(self, items: list[int]) -> None:
        """Bring a list into a random order, each order equally likely."""
        self.exchange(items, 0, len(items) - 1)

    def exchange(self, items: list[int], first: int, last: int) -> None:
        """Do the exchanges of a shuffle from one place up to another."""
        size = len(items)
        words = self._words
        ahead = self._next - first
        for i in range(first, last):
            word = words[i + ahead]
            if word >= _SAFE:
                self._next = i + ahead
                word = self.below(size - i)
                words = self._words
                ahead = self._next - i - 1
            j = i + word % (size - i)
            items[i], items[j] = items[j], items[i]
        self._next = last + ahead


class Shuffle:
    """A list that comes into a random order as far as somebody looks: the same order as `Stream.shuffle`."""

    def __init__(self, items: list[int], key: bytes) -> None:
        self.items: list[int] = items.copy()
        self._stream: Stream = Stream(key)
        self._settled: int = 0

    def settle(self, count: int) -> int:
        """Settle at least the first places, as many as asked for; return how many are settled."""
        size = len(self.items)
        if self._settled < count < size:
            self._stream.exchange(self.items, self._settled, count)
            self._settled = count
        elif self._settled < size <= count:
            self._stream.exchange(self.items, self._settled, size - 1)
            self._settled = size
        return self._settled


def shuffled(items: list[int], key: bytes) -> list[int]:
    """Return the items in the order that a key gives them."""
    order = items.copy()
    Stream(key).shuffle(order)
    return order


def _words_of(key: bytes, count: int) -> list[int]:
    """Return the first `count` words of a key, and the end."""
    return [*struct.unpack(f">{count}I", shake_256(key).digest(4 * count)), _END]
