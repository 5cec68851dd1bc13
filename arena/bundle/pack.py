"""From a bot's folder to its bundle: a zip whose bytes depend on the files and their executable bit alone.

Owns the choice of files (what the manifest's `include` names, and `bot.toml`) and the form of the zip.
Contents are stored uncompressed on purpose: compressors differ between machines, and the same bot must give
the same digest everywhere; the database compresses what it stores anyway.
"""

import hashlib
import io
import os
import stat
import zipfile
from dataclasses import dataclass
from pathlib import Path

from arena.bundle.manifest import MANIFEST_NAME, Manifest, parse_manifest
from arena.bundle.rules import DEFAULT_BUNDLE_LIMITS, BundleLimits, check_paths, check_size
from arena.errors import UsageError
from arena.files import cure_reading, read_regular
from arena.toml import decode

_EPOCH = (1980, 1, 1, 0, 0, 0)
SKIPPED = ("__pycache__",)
"""Never shipped, nor is anything whose name starts with a dot."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """A bundle in memory."""

    manifest: Manifest
    data: bytes
    """The zip."""
    digest: str
    """SHA-256 of the zip, in hexadecimal; names the version."""
    files: tuple[str, ...]
    """What it holds, sorted."""


def digest_of(data: bytes) -> str:
    """Return the name of a bundle's bytes."""
    return hashlib.sha256(data).hexdigest()


def load_manifest(folder: Path) -> Manifest:
    """Read the `bot.toml` of a bot's folder.

    Raises:
        UsageError: There is none, or it is not right.
    """
    path = folder / MANIFEST_NAME
    if not folder.is_dir():
        what = "is no folder" if folder.exists() else "no such folder"
        raise UsageError(f"{folder}: {what}; give the folder of a bot, in which its {MANIFEST_NAME} lies")
    try:
        text = decode(read_regular(path, follow=False))
    except FileNotFoundError:
        said = f"{folder} holds no {MANIFEST_NAME}; every bot needs one (`arena bot new NAME` writes one)"
        raise UsageError(said) from None
    except ValueError as error:
        raise UsageError(f"{path}: {error}") from error
    except OSError as error:
        raise UsageError(
            f"{path}: cannot be read: {error.strerror or error}; {cure_reading(error)}"
        ) from error
    return parse_manifest(text, source=str(path))


def pack_folder(folder: Path, limits: BundleLimits = DEFAULT_BUNDLE_LIMITS) -> Bundle:
    """Make the bundle of a bot's folder.

    Raises:
        UsageError: The manifest is wrong, a pattern names nothing, or a file is not allowed in a bundle.
    """
    manifest = load_manifest(folder)
    files = choose_files(folder, manifest)
    check_paths(files)
    check_size("entries", len(files), limits.entries)
    check_size(
        "bytes of contents", sum((folder / name).stat().st_size for name in files), limits.expanded_bytes
    )
    check_command(folder, manifest, files)
    data = _zip(folder, files, limits.expanded_bytes)
    check_size("bytes of zip", len(data), limits.upload_bytes)
    return Bundle(manifest, data, digest_of(data), tuple(files))


def choose_files(folder: Path, manifest: Manifest) -> list[str]:
    """Return the sorted paths that a manifest names.

    Raises:
        UsageError: A pattern leads outside or names nothing, or a match is neither a file nor a folder.
    """
    chosen = {MANIFEST_NAME}
    for pattern in manifest.include:
        if pattern.startswith(("/", "~")) or ".." in pattern.split("/"):
            raise UsageError(
                f"bot.toml: include: {pattern!r} leads out of the bot's folder: copy what it needs into it"
            )
        found = {path for path in _matches(folder, pattern) if not _is_skipped(path)}
        if not found:
            raise UsageError(
                f"bot.toml: include: {pattern!r} names nothing in {folder}: build the bot first, or mend it"
            )
        chosen |= found
    return sorted(chosen)


def _matches(folder: Path, pattern: str) -> set[str]:
    """Return the files that a pattern matches; a folder means everything in it."""
    found: set[str] = set()
    try:
        matched = list(folder.glob(pattern))
    except (ValueError, NotImplementedError) as error:
        raise UsageError(f"bot.toml: include: {pattern!r} is not a pattern: {error}") from error
    for path in matched:
        inside = [path, *path.rglob("*")] if path.is_dir() and not path.is_symlink() else [path]
        for entry in inside:
            name = entry.relative_to(folder).as_posix()
            if _is_skipped(name):
                continue
            if _is_linked(folder, name):
                raise UsageError(f"bundle: {name!r} is a symbolic link or below one; ship the file itself")
            if entry.is_file():
                found.add(name)
            elif not entry.is_dir():
                raise UsageError(
                    f"bundle: {name!r} is neither a file nor a folder: let include name other files"
                )
    return found


def _is_linked(folder: Path, name: str) -> bool:
    path = folder
    for part in name.split("/"):
        path /= part
        if path.is_symlink():
            return True
    return False


def _is_skipped(name: str) -> bool:
    return any(part.startswith(".") or part in SKIPPED for part in name.split("/"))


def check_command(folder: Path, manifest: Manifest, files: list[str]) -> None:
    """Check that what `run` names is shipped.

    Raises:
        UsageError: A file of the folder is run but not shipped, or the program is not there at all.
    """
    for place, word in enumerate(manifest.run):
        name = os.path.normpath(word)
        if name in files or word.startswith(("-", "/")):
            continue
        if (folder / name).is_file():
            raise UsageError(f"bot.toml: run names {word!r}, which no pattern of include ships: add it there")
        if place == 0 and "/" in word:
            raise UsageError(
                f"bot.toml: run names {word!r}, which is not in {folder}: build the bot first, or mend run"
            )


def _zip(folder: Path, files: list[str], most: int) -> bytes:
    """Return the zip; what became something else since it was chosen is refused, no link is followed."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for name in files:
            path = folder / name
            try:
                is_program = bool(path.lstat().st_mode & stat.S_IXUSR)
                content = read_regular(path, most, follow=False)
            except OSError as error:
                is_refused = isinstance(error, PermissionError)
                advice = cure_reading(error) if is_refused else "leave the folder alone while it is packed"
                raise UsageError(f"{path}: cannot be read: {error.strerror or error}; {advice}") from error
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.create_system = 3
            entry.external_attr = (stat.S_IFREG | (0o755 if is_program else 0o644)) << 16
            archive.writestr(entry, content)
    return target.getvalue()
