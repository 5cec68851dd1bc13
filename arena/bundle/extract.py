"""From a stranger's zip to its manifest, and to a folder.

Owns the writing of what `arena.bundle.archive` let through: below one folder that it opened itself, never
through a link, never over a file. Refuses to read an archive in any way of its own.
"""

import contextlib
import os
from pathlib import Path

from arena.bundle.archive import Entry, read_contents, read_entries, read_file
from arena.bundle.manifest import MANIFEST_NAME, Manifest, parse_manifest
from arena.bundle.rules import DEFAULT_BUNDLE_LIMITS, BundleLimits
from arena.errors import UsageError
from arena.toml import decode


def read_manifest(data: bytes, limits: BundleLimits = DEFAULT_BUNDLE_LIMITS) -> Manifest:
    """Return the manifest of an archive.

    Raises:
        UsageError: The archive is not allowed, or holds no good manifest.
    """
    return parse_manifest(read_manifest_text(data, limits)[0])


def read_manifest_text(
    data: bytes, limits: BundleLimits = DEFAULT_BUNDLE_LIMITS
) -> tuple[str, tuple[str, ...]]:
    """Return the text of an archive's manifest, and the files that it holds.

    Raises:
        UsageError: The archive is not allowed, or holds no manifest.
    """
    entries = read_entries(data, limits)
    files = tuple(entry.name for entry in entries if not entry.is_folder)
    for entry in entries:
        if entry.name == MANIFEST_NAME and not entry.is_folder:
            try:
                return decode(read_file(data, entry)), files
            except ValueError as error:
                raise UsageError(f"bundle: {MANIFEST_NAME}: {error}") from error
    raise UsageError(
        f"bundle: the zip holds no {MANIFEST_NAME} at its top: zip what is in the folder, not itself"
    )


def extract(data: bytes, folder: Path, limits: BundleLimits = DEFAULT_BUNDLE_LIMITS) -> None:
    """Write an archive's files below an empty folder.

    Raises:
        UsageError: The archive is not allowed; part of it may have been written.
    """
    entries = read_entries(data, limits)
    root = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        for entry in entries:
            parts = entry.name.split("/")
            inside = _open_folder(root, parts if entry.is_folder else parts[:-1])
            try:
                if not entry.is_folder:
                    _write(inside, parts[-1], entry, data)
            finally:
                os.close(inside)
    finally:
        os.close(root)


def _open_folder(root: int, parts: list[str]) -> int:
    """Open a folder below `root`, making what is missing; never through a link."""
    current = os.dup(root)
    for part in parts:
        try:
            with contextlib.suppress(FileExistsError):
                os.mkdir(part, 0o755, dir_fd=current)
            below = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=current)
        finally:
            os.close(current)
        current = below
    return current


def _write(folder: int, name: str, entry: Entry, data: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(name, flags, 0o600, dir_fd=folder)
    with os.fdopen(descriptor, "wb") as target:
        for piece in read_contents(data, entry):
            target.write(piece)
        os.fchmod(descriptor, 0o755 if entry.is_program else 0o644)
