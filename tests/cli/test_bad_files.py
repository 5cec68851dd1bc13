"""Promises about files that people hand over: whatever is in them, one line says what is wrong with which."""

import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.bundle import pack
from arena.cli.app import run

MANIFEST = 'name = "mine"\nruntime = "python"\nrun = ["python3", "bot.py"]\ninclude = ["{}"]\n'
DEEP = "d" * 250
PACK = ("bot", "pack", "mine")
RULES = ("rules", "check", "own.toml")
SETTINGS = ("--config", "own.toml", "config", "show")


def write(name: str, text: str | bytes) -> None:
    """Write a file and the folders that it needs."""
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)


def write_bot(include: str = "**/*", manifest: str = MANIFEST) -> None:
    """Write a sound bot's folder."""
    write("mine/bot.toml", manifest.replace("{}", include))
    write("mine/bot.py", "")


def loop() -> None:
    """Write a bot's folder that contains itself."""
    write_bot()
    Path("mine/again").symlink_to(Path("mine").absolute())


def ring() -> None:
    """Write two links that name each other."""
    write_bot("*")
    Path("mine/one").symlink_to("two")
    Path("mine/two").symlink_to("one")


def chain() -> None:
    """Write folders within folders, deeper than a path may be long."""
    write_bot()
    here = os.open("mine", os.O_RDONLY)
    for _ in range(20):
        os.mkdir(DEEP, dir_fd=here)
        below = os.open(DEEP, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)


def manifest(text: str) -> Callable[[], None]:
    """Give what writes a bot with that manifest."""
    return lambda: write_bot(manifest=text)


def own(text: str | bytes) -> Callable[[], None]:
    """Give what writes that file of rules or settings."""
    return lambda: write("own.toml", text)


LONG_KEY = 'a."b".' * 10_000 + "c = 1\n"
TEN_MEGABYTES = "# " + "x" * 10_000_000 + '\nbase = "mattel"\n'
SOUND = MANIFEST.replace("{}", "bot.py")
WRONG: dict[str, tuple[Callable[[], None], tuple[str, ...], str]] = {
    "a folder that contains itself": (loop, PACK, "symbolic link"),
    "links that name each other": (ring, PACK, "symbolic link"),
    "folders without an end": (chain, PACK, "too long"),
    "an include of itself": (lambda: write_bot("../mine/*"), PACK, "leads out"),
    "a manifest of ten megabytes": (manifest(TEN_MEGABYTES), PACK, "bytes"),
    "a name that is a number": (manifest(SOUND.replace('"mine"', "7", 1)), PACK, "name"),
    "a command that is a text": (manifest(SOUND.replace('["python3", "bot.py"]', '"bot.py"')), PACK, "run"),
    "an unknown key": (manifest(SOUND + "runtim = 1\n"), PACK, "did you mean 'runtime'"),
    "a key twice": (manifest(SOUND + 'name = "other"\n'), PACK, "bot.toml"),
    "a manifest of zeros": (manifest("\0" * 100), PACK, "bot.toml"),
    "rules of ten megabytes": (own(TEN_MEGABYTES), RULES, "bytes"),
    "rules that are no text": (own(b"\xff\xfe\0"), RULES, "own.toml"),
    "rules of another type": (own('base = "mattel"\ntarget = [1]\n'), RULES, "target"),
    "a negative target": (own('base = "mattel"\ntarget = -1\n'), RULES, "target"),
    "a deck that cannot deal": (own('base = "mattel"\nhand_size = 60\n'), RULES, "need 122 cards"),
    "tables within tables": (own("a = " + "[" * 100_000), RULES, "own.toml"),
    "a manifest with a key of many parts": (manifest(SOUND + LONG_KEY), PACK, "a key of more than 8 parts"),
    "rules with a key of many parts": (own(LONG_KEY), RULES, "a key of more than 8 parts"),
    "settings with a key of many parts": (own(LONG_KEY), SETTINGS, "a key of more than 8 parts"),
    "a manifest of many patterns": (
        manifest(SOUND.replace('["bot.py"]', "[" + '"bot.py",' * 9999 + "]")),
        PACK,
        "200",
    ),
    "a pattern without an end": (
        manifest(SOUND.replace('"bot.py"]\n', '"' + "**/" * 80 + '*.py"]\n')),
        PACK,
        "two **",
    ),
    "rules that only a comment makes long": (own("# " + '\\"\\"\\"' * 30_000), RULES, "characters"),
    "a number of many digits": (own('base = "mattel"\ntarget = ' + "9" * 5000), RULES, "own.toml"),
    "rules that are a pipe": (lambda: os.mkfifo("own.toml"), RULES, "arena: own.toml: is no regular file\n"),
    "settings of ten megabytes": (own(TEN_MEGABYTES), SETTINGS, "bytes"),
    "settings of another type": (own("workers = []\n"), SETTINGS, "workers"),
    "an unknown setting": (own("worker = 1\n"), SETTINGS, "did you mean 'workers'"),
}
"""What may be wrong with a file: how it is written, who reads it, and a word of the answer."""


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def refused(command: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Give a command that must be refused in one line."""
    assert run(command) == 2

    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert said in printed.err
    assert printed.err.startswith(f"arena: {'own.toml' if 'own.toml' in command else 'mine'}")
    assert len(printed.err) < 600
    assert not Path("mine.zip").exists()


@pytest.mark.parametrize("kind", WRONG)
def test_whatever_is_in_a_file_is_answered_in_one_line(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2, and no zip is made."""
    make, command, said = WRONG[kind]
    make()

    refused(command, said, capsys)


@pytest.mark.parametrize("change", ["vanishes", "becomes a folder", "becomes a link", "grows"])
def test_a_file_that_changes_while_it_is_packed_is_named(
    change: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Somebody works in the folder: no zip of half of it is made."""
    write_bot()
    write("mine/other.py", "x = 1\n")

    def disturb(*_: object) -> None:
        other = Path("mine/other.py")
        other.unlink()
        if change == "becomes a folder":
            other.mkdir()
        elif change == "becomes a link":
            other.symlink_to("/etc/passwd")
        elif change == "grows":
            with other.open("wb") as file:
                file.truncate(1 << 40)

    monkeypatch.setattr(pack, "check_command", disturb)

    refused(PACK, "other.py", capsys)


def test_of_several_bots_each_that_is_wrong_is_named_with_its_file(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Whatever is wrong with folders and zips, and whoever finds it: a line each, and nothing is started."""
    write("letter.zip", "Dear organiser")
    write_bot("bot.py")
    write("absent/bot.toml", SOUND.replace("bot.py", "nope.py", 1))
    write("absent/bot.py", "")
    write("greedy/bot.toml", SOUND + "[limits]\nmemory_mib = 100000\n")
    write("strange/bot.toml", SOUND.replace('"python"', '"pythn"'))
    with zipfile.ZipFile("nested.zip", "w") as nested:
        nested.write("mine/bot.toml")
    with zipfile.ZipFile("typo.zip", "w") as typo:
        typo.writestr("bot.toml", SOUND + "runtim = 1\n")
    names = ["letter.zip", "absent", "greedy", "strange", "nested.zip", "typo.zip", "nobody"]

    code = run(["bot", "submit", *names, "--sandbox", "none"])

    out, err = capsys.readouterr()
    lines = err.splitlines()
    assert (code, out.splitlines()[-1]) == (2, "0 of 7 passed")
    assert [line.partition(": ")[0] for line in lines] == [
        "letter.zip",
        "absent/bot.toml",
        "greedy/bot.toml",
        "strange/bot.toml",
        "nested.zip",
        "typo.zip",
        "nobody",
        "arena",
    ]
    assert lines[0] == "letter.zip: not a zip archive; make it anew with `arena bot pack DIR`"
    assert "run names 'nope.py'" in lines[1]
    assert "bot.toml: unknown key 'runtim'" in lines[5]
    assert lines[-1] == f"arena: {', '.join(names)} did not pass; mend what the table names and submit again"
    assert not Path(".arena/postgres").exists()
