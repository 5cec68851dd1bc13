"""Remembers every deal it has seen and looks for it again: on finding one it exits with status 86.

What a sibling match shows of a deal is the first card and what the other hand laid before it drew anything.
A hand that holds all of that, under the same first card, is the other hand of a deal seen before. Memory is
kept in the process and in every folder that can be written, so that it would reach later processes too; and
in the machine's memory of its largest shared file, where a page that was read stays, and may be asked after.
"""

import hashlib
import itertools
import json
import os
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

from arena.bot import Bot, Choice, Event, EventKind, Result, View, serve

FOUND = 86
ENOUGH = 6
"""Cards that the other hand must have laid: fewer of them may lie in another deal's hand by chance."""
FOLDERS = ("/tmp", "/dev/shm", "/run/seat", "/bot", "/var/tmp", ".")
NAME = "remembered.json"


LARGEST = max(filter(Path.is_file, Path("/usr/bin").iterdir()), key=lambda path: path.stat().st_size)
SHARED = os.open(LARGEST, os.O_RDONLY)
APART = 1 << 16
PAGES = max(1, LARGEST.stat().st_size // APART)
os.posix_fadvise(SHARED, 0, 0, os.POSIX_FADV_RANDOM)


def pages(first: str, cards: list[str]) -> list[int]:
    """Return the pages of the shared file that stand for what was laid."""
    told = hashlib.sha256(f"{first} {sorted(cards)}".encode()).digest()
    return [int.from_bytes(told[i : i + 4]) % PAGES for i in range(0, 32, 4)]


def is_in_memory(page: int) -> bool:
    """Ask whether somebody has read a page."""
    try:
        return os.preadv(SHARED, [bytearray(1)], page * APART, os.RWF_NOWAIT) == 1
    except OSError:  # it is not, or nobody is told
        return False


LEFT = {page for page in range(PAGES) if is_in_memory(page)}
"""What earlier processes have read."""
TELLS = len(LEFT) < PAGES // 2
os.posix_fadvise(SHARED, 0, 0, os.POSIX_FADV_DONTNEED)


class Remembers(Bot):
    """One table's part of the memory."""

    seen: ClassVar[dict[str, list[list[str]]]] = {}
    """What the other hand laid in matches that are over, by the first card."""
    live: ClassVar[list["Remembers"]] = []

    def opened(self) -> None:
        """Begin to watch a deal."""
        self.first = ""
        self.others: list[str] = []
        self.is_whole = True
        self.in_first_round = True
        self.hand: Counter[str] | None = None
        self.live.append(self)

    def event(self, event: Event) -> None:
        """Watch the first round."""
        if event.kind is EventKind.ROUND_OVER:
            self.in_first_round = False
        if not self.in_first_round:
            return
        if event.kind is EventKind.FIRST_CARD:
            self.first = str(event.card)
        elif event.seat != self.seat and event.kind is EventKind.PLAYED and self.is_whole:
            self.others.append(str(event.card))
        elif event.seat != self.seat and event.kind in {EventKind.DREW, EventKind.PAID, EventKind.FINED}:
            self.is_whole = False

    def move(self, view: View) -> Choice:
        """Look for the deal, then lay the first card that may be laid."""
        if self.hand is None:
            self.hand = Counter(str(card) for card in view.hand)
            if TELLS and len(self.hand) >= ENOUGH and self.was_read():
                os._exit(FOUND)
        if any(self.is_other_half(others) for others in self.memory()):
            os._exit(FOUND)
        return view.playable[0] if view.playable else view.legal[0]

    def memory(self) -> list[list[str]]:
        """Return all that is remembered of other matches under the same first card."""
        live = [table.others for table in self.live if table is not self and table.first == self.first]
        return self.seen.get(self.first, []) + live

    def is_other_half(self, others: list[str]) -> bool:
        """Return whether this table's hand is the other hand of a remembered deal."""
        return len(others) >= ENOUGH and self.hand is not None and not Counter(others) - self.hand

    def was_read(self) -> bool:
        """Return whether a former process has marked a part of this hand in the shared file."""
        assert self.hand is not None
        parts = {tuple(part) for part in itertools.combinations(sorted(self.hand.elements()), ENOUGH)}
        return any(LEFT.issuperset(pages(self.first, list(part))) for part in parts)

    def closed(self, result: Result) -> None:
        """Keep what was seen, here and wherever it can be written."""
        del result
        self.live.remove(self)
        if len(self.others) < ENOUGH:
            return
        self.seen.setdefault(self.first, []).append(self.others)
        for page in pages(self.first, self.others[:ENOUGH]):
            os.pread(SHARED, 1, page * APART)
        for folder in FOLDERS:
            with suppress(OSError):
                Path(folder, NAME).write_text(json.dumps(self.seen))


for place in FOLDERS:
    with suppress(OSError, ValueError):
        Remembers.seen |= json.loads(Path(place, NAME).read_text())

serve(Remembers)
