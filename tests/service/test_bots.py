"""Bots and versions in a real database."""

from pathlib import Path

import pytest

from arena.bundle.pack import pack_folder
from arena.errors import UsageError
from arena.service import bots, roster
from arena.service.check import CheckReport, Promise
from arena.store.pool import Database

ROOT = Path(__file__).resolve().parents[2]
PASSED = CheckReport([Promise("starts and says hello in time")], "hello\n", 8, 100, 100, 5000)
FAILED = CheckReport([Promise("answers in time", "too late")], "", 0, 0, 0, 0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a small bot's folder."""
    bot = tmp_path / "Ada"
    bot.mkdir()
    (bot / "bot.py").write_text("pass\n")
    write_manifest(bot)
    return bot


def write_manifest(folder: Path, name: str = "Ada", runtime: str = "python", extra: str = "") -> bytes:
    """Write the manifest and return the bundle."""
    (folder / "bot.toml").write_text(
        f'name = "{name}"\nruntime = "{runtime}"\nrun = ["python3", "bot.py"]\ninclude = ["*.py"]\n{extra}'
    )
    return pack_folder(folder).data


def test_the_same_bytes_are_the_same_version(database: Database, folder: Path):
    """Submitted again nothing changes; other bytes are the next version."""
    data = pack_folder(folder).data
    first = bots.submit_version(database, data, "ann")
    again = bots.submit_version(database, data, "ann")
    (folder / "bot.py").write_text("print()\n")
    second = bots.submit_version(database, pack_folder(folder).data, "ann")

    assert (first.is_new, again.is_new, second.is_new) == (True, False, True)
    assert first.version == again.version
    assert (first.version.label, second.version.label) == ("Ada@1", "Ada@2")
    assert first.version.manifest == (folder / "bot.toml").read_text()
    assert bots.load_bundle(database, first.version.digest) == data
    assert [version.number for version in roster.show(database, "ada").versions] == [2, 1]


def test_another_owner_is_refused_and_nothing_is_stored(database: Database, folder: Path):
    """A name belongs to whoever took it first; so does its spelling."""
    bots.submit_version(database, write_manifest(folder), "ann")
    (folder / "bot.py").write_text("print()\n")

    with pytest.raises(UsageError, match="belongs to 'ann', not to 'bob'"):
        bots.submit_version(database, write_manifest(folder), "bob")
    with pytest.raises(UsageError, match="exists as 'Ada'"):
        bots.submit_version(database, write_manifest(folder, "ADA"), "ann")
    assert roster.show(database, "Ada").bot.versions == 1


@pytest.mark.parametrize(
    ("runtime", "extra", "sentence"),
    [
        ("pyton", "", "unknown runtime 'pyton' (did you mean 'python'?)"),
        ("python", "[limits]\nmemory_mib = 9999\n", "at most 512"),
    ],
)
def test_what_could_never_play_is_not_stored(
    database: Database, folder: Path, runtime: str, extra: str, sentence: str
):
    """An unknown runtime or too large a wish is refused with nothing stored."""
    with pytest.raises(UsageError) as caught:
        bots.submit_version(database, write_manifest(folder, runtime=runtime, extra=extra), "ann")

    assert sentence in str(caught.value)
    assert roster.list_all(database) == []


def test_a_check_decides_what_a_name_means(database: Database, folder: Path):
    """The name alone is the newest version that passed; a number or digest names any."""
    first = bots.submit_version(database, write_manifest(folder), "ann").version
    with pytest.raises(UsageError, match="no version that passed"):
        roster.get_version(database, "Ada")

    passed = bots.record_check(database, first, PASSED)
    (folder / "bot.py").write_text("print()\n")
    second = bots.submit_version(database, write_manifest(folder), "ann").version
    failed = bots.record_check(database, second, FAILED)

    assert (passed.state, passed.stderr) == ("checked", "hello\n")
    assert (failed.state, failed.check_report) == ("failed", "FAILED  answers in time: too late")
    assert roster.get_version(database, "ada").id == first.id
    assert roster.get_version(database, "ada@2").id == second.id
    assert roster.get_version(database, f"ada@{second.digest.hex()[:8]}").id == second.id


def test_a_name_can_be_taken_before_the_first_version(database: Database):
    """Registering twice is as once; what is no name is refused."""
    first = bots.register(database, "Ada", "ann")

    assert bots.register(database, "Ada", "ann") == first
    with pytest.raises(UsageError, match="belongs to"):
        bots.register(database, "ada", "bob")
    with pytest.raises(UsageError, match="not allowed"):
        bots.register(database, "a b", "ann")


def test_a_folder_and_its_zip_are_the_same_bundle(folder: Path, tmp_path: Path):
    """What is read from either is equal; what is neither is told."""
    packed = pack_folder(folder)
    (tmp_path / "ada.zip").write_bytes(packed.data)

    assert bots.read_bundle(folder) == packed == bots.read_bundle(tmp_path / "ada.zip")
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        bots.read_bundle(tmp_path / "missing.zip")
    with pytest.raises(UsageError, match="not a zip"):
        bots.read_bundle(folder / "bot.py")
