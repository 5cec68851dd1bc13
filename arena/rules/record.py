"""A whole match as one line of text, and its replay.

Owns the text form of a match and its replay: a record leads to the same result on any machine.

    arena/1 <ruleset digest> <seats> <set key> R7,draw,keep,W:B!,leave 1 2,Y5~"hello"

A move is followed by ``!`` for the UNO flag, and by ``~`` and a quoted line (``~+``: advice) if one was said.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from arena.rules.cards import NotationError
from arena.rules.decision import ADVICE, LEAVES, TALKS, UNO, leaving_of, move_of, pack_decision, pack_leaving
from arena.rules.match import RULES_EPOCH, Match
from arena.rules.moves import IllegalMoveError, format_move, parse_move
from arena.rules.option_kinds import RulesetError
from arena.rules.options import Ruleset

_NAME = "arena/"
_MOST_SEATS: Final = 10
_RARE: Final = LEAVES | TALKS | ADVICE


@dataclass(frozen=True)
class Record:
    """Everything that a match was: enough to play it again."""

    epoch: int
    """The rules epoch in which it was played."""
    digest: bytes
    """The digest of its ruleset."""
    seats: int
    """How many seats the table had."""
    set_key: bytes
    """The key of everything random in it."""
    history: tuple[int, ...]
    """The decisions in order, packed as in `decision`."""
    lines: tuple[str, ...] = ()
    """What was said, in order."""

    def __str__(self) -> str:
        """Return the record as one line."""
        lines = iter(self.lines)
        items = ",".join(
            [_format_item(item, lines) if item & _RARE else _PLAIN[item] for item in self.history]
        )
        head = f"{_NAME}{self.epoch} {self.digest.hex()} {self.seats} {self.set_key.hex()}"
        return f"{head} {items}" if items else head


def record_of(match: Match) -> Record:
    """Return the record of a match as far as it was played."""
    return Record(
        RULES_EPOCH,
        match.ruleset.digest,
        match.seats,
        match.set_key,
        tuple(match.history),
        tuple(match.lines),
    )


def parse_record(text: str) -> Record:
    """Return the record that a line describes.

    Raises:
        NotationError: The line is no record.
    """
    name, *words = text.split(" ", 4)
    if not name.startswith(_NAME):
        raise NotationError(f"no record is written {text[:80]!r}: it begins with {_NAME}")
    lines: list[str] = []
    try:
        items = words[3].split(",") if len(words) > 3 else []
        return Record(
            int(name.removeprefix(_NAME)),
            bytes.fromhex(words[0]),
            int(words[1]),
            bytes.fromhex(words[2]),
            tuple([_parse_item(item, lines) for item in items]),
            tuple(lines),
        )
    except (ValueError, IndexError) as error:
        raise NotationError(f"no record is written {text[:80]!r}: {error}") from error


def replay(record: Record, ruleset: Ruleset) -> Match:
    """Play a record again and return the match as it stood at its end.

    Raises:
        NotationError: The record belongs to another ruleset or rules epoch.
        IllegalMoveError: A move of the record is not legal: the record is forged or damaged.
    """
    match = begin_replay(record, ruleset)
    lines = iter(record.lines)
    for item in record.history:
        apply_item(match, item, lines)
    return match


def begin_replay(record: Record, ruleset: Ruleset) -> Match:
    """Return the match of a record before its first decision.

    Raises:
        NotationError: The record belongs to another ruleset or rules epoch, or to no table of its ruleset.
    """
    if record.epoch != RULES_EPOCH:
        raise NotationError(
            f"the record is of rules epoch {record.epoch}; this engine plays epoch {RULES_EPOCH}"
        )
    if record.digest != ruleset.digest:
        raise NotationError(
            f"the record is of ruleset {record.digest.hex()[:12]}, not {ruleset.digest.hex()[:12]}"
        )
    try:
        return Match(ruleset, record.seats, record.set_key)
    except RulesetError as error:
        raise NotationError(f"the record is of no table: {error}") from error


def apply_item(match: Match, item: int, lines: Iterator[str]) -> None:
    """Do one entry of a history.

    Raises:
        IllegalMoveError: The move is not legal, or a seat leaves that the table does not have.
    """
    leaving = leaving_of(item)
    if leaving:
        if leaving[-1] >= match.seats:
            raise IllegalMoveError(f"seat {leaving[-1]} leaves a table of {match.seats} seats")
        match.leave(leaving)
    else:
        line = next(lines) if item & TALKS else ""
        match.apply(move_of(item), bool(item & UNO), line, bool(item & ADVICE))


class _Plain(dict[int, str]):
    """The texts of moves without a word, which nearly all are: each is written when it is first met."""

    def __missing__(self, item: int) -> str:
        text = format_move(move_of(item))
        self[item] = text = f"{text}!" if item & UNO else text
        return text


_PLAIN: Final = _Plain()


def _format_item(item: int, lines: Iterator[str]) -> str:
    """Return the text of one entry."""
    if item & LEAVES:
        return "leave " + " ".join(map(str, leaving_of(item)))
    text = _PLAIN[item & ~_RARE]
    if item & TALKS:
        text += ("~+" if item & ADVICE else "~") + json.dumps(next(lines)).replace(",", "\\u002c")
    return text


def _parse_item(text: str, lines: list[str]) -> int:
    """Return the entry that a text describes; what was said is appended to the lines."""
    if text.startswith("leave "):
        seats = [int(word) for word in text.split(" ")[1:]]
        if not all(0 <= seat < _MOST_SEATS for seat in seats):
            raise NotationError(f"no table has the seats of {text[:80]!r}")
        return pack_leaving(seats)
    head, tilde, line = text.partition("~")
    advice = line.startswith("+")
    if tilde:
        said = line.removeprefix("+")
        if not said.startswith('"'):
            raise NotationError(f"no line is written {said[:80]!r}: it begins with a quotation mark")
        lines.append(str(json.loads(said)))
    uno = head.endswith("!")
    return pack_decision(parse_move(head.removesuffix("!")), uno, bool(tilde), advice)
