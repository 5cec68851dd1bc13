"""Packing is deterministic and ships what the manifest names, no more."""

import errno
import os
from pathlib import Path

import pytest

from arena.bundle.extract import read_entries, read_manifest
from arena.bundle.pack import digest_of, load_manifest, pack_folder
from arena.bundle.rules import BundleLimits
from arena.errors import UsageError

MANIFEST = 'name = "ada"\nruntime = "python"\nrun = ["python3", "bot.py"]\ninclude = ["*.py", "data/**"]\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a bot's folder."""
    bot = tmp_path / "ada"
    (bot / "data" / "deep").mkdir(parents=True)
    (bot / "__pycache__").mkdir()
    (bot / "bot.toml").write_text(MANIFEST)
    (bot / "bot.py").write_text("print(1)\n")
    (bot / "data" / "deep" / "book.bin").write_bytes(b"\0" * 100)
    (bot / "data" / ".hidden").write_text("no")
    (bot / "notes.txt").write_text("private")
    (bot / "__pycache__" / "bot.pyc").write_bytes(b"no")
    return bot


def test_the_same_files_give_the_same_bytes(folder: Path, tmp_path: Path):
    """Times, order of creation, place and umask change nothing; contents and the executable bit do."""
    first = pack_folder(folder)
    other = tmp_path / "elsewhere"
    (other / "data" / "deep").mkdir(parents=True)
    for name in reversed(first.files):
        (other / name).write_bytes((folder / name).read_bytes())
        (other / name).chmod(0o600)
        os.utime(other / name, (1, 1))

    assert pack_folder(other).data == first.data
    assert first.digest == digest_of(first.data)

    (other / "bot.py").chmod(0o700)
    with_bit = pack_folder(other)
    (other / "bot.py").write_text("print(2)\n")

    assert len({first.digest, with_bit.digest, pack_folder(other).digest}) == 3


def test_what_is_named_is_shipped_and_nothing_else(folder: Path):
    """The manifest always, patterns as they match, never hidden files or caches."""
    bundle = pack_folder(folder)

    assert bundle.files == ("bot.py", "bot.toml", "data/deep/book.bin")
    assert [entry.name for entry in read_entries(bundle.data)] == list(bundle.files)
    assert read_manifest(bundle.data) == bundle.manifest == load_manifest(folder)


def refuse(folder: Path, sentence: str, limits: BundleLimits | None = None) -> None:
    """Assert that packing fails in one line that holds the sentence."""
    with pytest.raises(UsageError) as caught:
        pack_folder(folder, limits or BundleLimits())

    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def manifest_of(folder: Path, old: str, new: str) -> None:
    """Change the manifest."""
    (folder / "bot.toml").write_text(MANIFEST.replace(old, new))


def test_a_folder_without_a_manifest(tmp_path: Path):
    """The sentence names the file that is missing."""
    refuse(tmp_path, "holds no bot.toml")


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("*.py", "*.rs", "'*.rs' names nothing"),
        ("*.py", "../**", "leads out"),
        ("*.py", "/etc/passwd", "leads out"),
        ('"*.py", ', "", "run names 'bot.py', which no pattern of include ships"),
        ('"python3", "bot.py"', '"./bot"', "'./bot', which is not in"),
    ],
)
def test_a_manifest_that_ships_the_wrong_things(folder: Path, old: str, new: str, sentence: str):
    """Patterns that name nothing or lead out, and commands that are not shipped, are told."""
    manifest_of(folder, old, new)

    refuse(folder, sentence)


def test_links_and_pipes_are_not_shipped(folder: Path):
    """A bundle holds regular files; a link could name anything."""
    (folder / "link.py").symlink_to("/etc/passwd")
    refuse(folder, "symbolic link")

    (folder / "link.py").unlink()
    (folder / "data" / "linked").symlink_to(folder)
    refuse(folder, "symbolic link")

    (folder / "data" / "linked").unlink()
    os.mkfifo(folder / "data" / "pipe")
    refuse(folder, "neither a file nor a folder")


def test_names_that_would_not_come_out_again(folder: Path):
    """What the extractor refuses is refused here already."""
    (folder / "data" / "a b").write_text("x")
    refuse(folder, "is not allowed")

    (folder / "data" / "a b").unlink()
    (folder / "data" / "A").write_text("x")
    (folder / "data" / "a").write_text("x")
    refuse(folder, "without regard to case")


def test_a_bundle_over_the_limit(folder: Path):
    """Each limit names itself, the size and what is allowed."""
    refuse(folder, "3 entries; at most 2 are allowed", BundleLimits(entries=2))
    refuse(folder, "bytes of contents", BundleLimits(expanded_bytes=100))
    refuse(folder, "bytes of zip", BundleLimits(upload_bytes=300))


def test_a_file_that_may_not_be_read(folder: Path, monkeypatch: pytest.MonkeyPatch):
    """Its author is told to make it readable, not to wait."""

    def refuse(path: Path, *_: object, **__: object) -> bytes:
        if path.suffix == ".py":
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return path.read_bytes()

    monkeypatch.setattr("arena.bundle.pack.read_regular", refuse)
    with pytest.raises(UsageError, match=r"bot\.py: cannot be read: Permission denied; make it readable"):
        pack_folder(folder)
