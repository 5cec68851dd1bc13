"""What a bundle may hold: names, kinds, sizes. The packer and the extractor both obey this page.

An allow-list: whatever is not permitted here is refused with a sentence that says what is.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from arena.errors import UsageError

NAME_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._+-]{0,99}")
NAME_RULE = "each part of a path is 1 to 100 of A-Z a-z 0-9 . _ + -, the first a letter, a digit or _"
MAX_DEPTH = 8


@dataclass(frozen=True, slots=True)
class BundleLimits:
    """How much a bundle may hold."""

    upload_bytes: int = 64 << 20
    """Size of the zip."""
    entries: int = 4096
    """Files and folders."""
    expanded_bytes: int = 256 << 20
    """Sum of all contents."""


DEFAULT_BUNDLE_LIMITS = BundleLimits()


def check_path(path: str) -> str:
    """Return a path inside a bundle when it is allowed.

    Raises:
        UsageError: It is not; the message says what is.
    """
    parts = path.split("/")
    if len(parts) > MAX_DEPTH:
        raise UsageError(f"bundle: {path[:120]!r} lies {len(parts)} deep; at most {MAX_DEPTH} are allowed")
    for part in parts:
        if not NAME_PART.fullmatch(part):
            raise UsageError(f"bundle: the path {path[:120]!r} is not allowed: {NAME_RULE}")
    return path


def check_paths(files: Iterable[str], folders: Iterable[str] = ()) -> None:
    """Check that paths are different even without regard to case, and that no file is also a folder.

    Raises:
        UsageError: Two are the same.
    """
    seen: dict[str, str] = {}
    parents: set[str] = set()
    for path in files:
        check_path(path)
        key = path.casefold()
        if key in seen:
            raise UsageError(
                f"bundle: {path!r} and {seen[key]!r} are the same without regard to case: rename one"
            )
        seen[key] = path
        parents |= set(_parents(key))
    for path in folders:
        check_path(path)
        parents |= {path.casefold(), *_parents(path.casefold())}
    for key in parents & seen.keys():
        raise UsageError(f"bundle: {seen[key]!r} is both a file and a folder: rename one")


def _parents(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[:count]) for count in range(1, len(parts))]


def check_size(what: str, size: int, most: int) -> None:
    """Check a number against its limit.

    Raises:
        UsageError: It is more.
    """
    if size > most:
        found = f"{size:,} {what}; at most {most:,} are allowed"
        raise UsageError(f"bundle: {found}: let `include` in bot.toml name only what the bot needs")
