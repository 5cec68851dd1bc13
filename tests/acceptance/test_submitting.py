"""Submitting as an author does it: what the check says of a bot that fails, and what is kept of it."""

import json
from pathlib import Path

import pytest

from tests.fix_user_home import ROOT, Home

pytestmark = pytest.mark.xdist_group("acceptance")
MANIFEST = 'name = "{name}"\nruntime = "python"\nrun = ["python3", "bot.py"]\ninclude = ["bot.py"]\n'


def write_bot(home: Home, name: str, code: str) -> Path:
    """Write a bot's folder."""
    folder = home.arena.folder / name
    folder.mkdir()
    (folder / "bot.toml").write_text(MANIFEST.format(name=name))
    (folder / "bot.py").write_text(code)
    return folder


def test_a_failed_check_tells_its_author_why(home: Home) -> None:
    """A bot that dies at once: exit code 2, the broken promise, its stderr without its escape sequences."""
    folder = write_bot(home, "dying", 'import sys\nsys.exit("no luck \\x1b[31m today")\n')

    ended = home.arena("bot", "submit", str(folder), *home.sandbox)

    assert ended.code == 2
    assert "FAILED  starts and says hello in time" in ended.out
    assert "no luck \\x1b[31m today" in ended.out
    assert ended.err.count("\n") == 1
    assert "dying@1 failed the check" in ended.err
    shown = home.arena("bot", "show", "dying")
    assert "no luck \\x1b[31m today" in shown.out
    refused = home.arena("tournament", "create", "with-dying", "dying", "greedy")
    assert refused.code == 2
    assert "no version that passed its check" in refused.err


def test_the_same_bytes_are_the_same_version(home: Home) -> None:
    """Submitted again, as a folder or as its zip, or named twice, a bot is the version that it was."""
    assert home.arena("bot", "pack", str(ROOT / "bots" / "greedy")).code == 0
    ended = home.arena("bot", "submit", "greedy.zip", "./greedy.zip", "--json", *home.sandbox)

    assert ended.code == 0
    facts = json.loads(ended.out)
    assert [(fact["label"], fact["is_new"], fact["state"]) for fact in facts] == [
        ("greedy@1", False, "checked")
    ]


def test_another_owner_cannot_take_a_name(home: Home) -> None:
    """A new version needs the owner label of the first."""
    folder = home.arena.folder / "thief"
    folder.mkdir()
    for file in (ROOT / "bots" / "greedy").iterdir():
        if file.is_file():
            (folder / file.name).write_bytes(file.read_bytes() + b"\n")

    ended = home.arena("bot", "submit", str(folder), "--owner", "mallory", *home.sandbox)

    assert ended.code == 2
    assert "belongs to" in ended.err


def test_the_state_of_the_machine_is_told(home: Home) -> None:
    """`arena doctor` names level and runtimes; `arena status` says that nothing runs and what to do."""
    doctor = home.arena("doctor")
    assert doctor.code == (0 if home.rated else 4)
    assert "level: " in doctor.out
    assert "python" in doctor.out

    status = home.arena("status")
    assert status.code == 0
    assert "arena up" in status.out
    assert home.arena("down").out == "nothing runs here\n"


def test_a_folder_of_what_came_by_mail(home: Home) -> None:
    """Thirty zips, good and bad: each is judged by itself, and a table says what passed and why not."""
    mail = home.arena.folder / "mail"
    mail.mkdir()
    for name in ("greedy", "random"):
        packed = home.arena("bot", "pack", str(ROOT / "bots" / name), "-o", str(mail / f"{name}.zip"))
        assert packed.code == 0
    write_bot(home, "mail/late", 'import sys\nsys.exit("not today")\n')
    (mail / "late" / "bot.toml").write_text(MANIFEST.format(name="late"))
    (mail / "letter.zip").write_text("Dear organiser")
    (mail / "notes.txt").write_text("no bot")

    ended = home.arena("bot", "submit", str(mail), *home.sandbox)
    facts = json.loads(home.arena("bot", "submit", str(mail), "--json", *home.sandbox).out)

    assert (ended.code, ended.err.splitlines()[-1].count("arena: ")) == (2, 1)
    assert "letter.zip, late@1 did not pass" in ended.err
    assert f"{mail / 'letter.zip'}: not a zip archive; make it anew" in json.dumps(facts)
    assert "2 of 4 passed" in ended.out
    assert [(Path(fact["source"]).name, fact.get("label"), fact.get("state")) for fact in facts] == [
        ("greedy.zip", "greedy@1", "checked"),
        ("late", "late@1", "failed"),
        ("letter.zip", None, None),
        ("random.zip", "random@1", "checked"),
    ]
    assert "starts and says hello in time" in facts[1]["why"]
    assert "zip" in facts[2]["why"]
