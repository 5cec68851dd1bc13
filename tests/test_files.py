"""Promises of reading what people name."""

import os
from pathlib import Path

import pytest

from arena.bundle.pack import load_manifest
from arena.cli.rulesets import read_ruleset
from arena.config import load_settings
from arena.errors import UsageError
from arena.files import read_regular, written_whole
from arena.service.bots import read_bundle


def test_a_regular_file_is_read(tmp_path: Path) -> None:
    """Its bytes, up to the limit."""
    path = tmp_path / "file"
    path.write_bytes(b"x" * 10)

    assert read_regular(path, 10) == b"x" * 10
    with pytest.raises(UsageError, match="has 10 bytes; 9 at most"):
        read_regular(path, 9)


@pytest.mark.parametrize("kind", ["pipe", "device", "link to a device"])
def test_what_never_ends_is_refused_wherever_a_file_is_named(tmp_path: Path, kind: str) -> None:
    """Manifest, zip, ruleset and settings: a pipe or a device is refused at once, by name."""
    path = tmp_path / "bot.toml"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "link to a device":
        path.symlink_to("/dev/zero")
    named = Path("/dev/zero") if kind == "device" else path

    with pytest.raises(UsageError, match="no regular file"):
        read_bundle(named)
    with pytest.raises(UsageError, match="no regular file"):
        read_ruleset(str(named))
    with pytest.raises(UsageError, match="no regular file"):
        load_settings({}, environment={}, file=named)
    if kind != "device":
        with pytest.raises(UsageError, match=r"bot\.toml"):
            load_manifest(tmp_path)


def test_no_file_takes_the_place_of_a_pipe(tmp_path: Path) -> None:
    """What is no regular file stays what it is, wherever something is written; a file is replaced whole."""
    pipe, file = tmp_path / "pipe", tmp_path / "file"
    os.mkfifo(pipe)
    file.write_text("old")

    with pytest.raises(UsageError, match="pipe: is no regular file"), written_whole(pipe) as new:
        new.write_text("new")
    with written_whole(file) as new:
        new.write_text("new")

    assert pipe.is_fifo()
    assert file.read_text() == "new"
