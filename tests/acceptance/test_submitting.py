"""Submitting as an author does it: what the check says of a bot that fails, and what is kept of it."""

import io
import json
import os
import zipfile
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


def packed(name: str, code: str) -> bytes:
    """Return the zip of a bot, compressed as people's tools do."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bot.toml", MANIFEST.format(name=name))
        archive.writestr("bot.py", code)
    return target.getvalue()


def torn(name: str) -> bytes:
    """Return a zip in which a byte of the compressed code is another one."""
    data = bytearray(packed(name, "print()\n" * 50))
    data[data.index(b"bot.py") + len("bot.py") + 1] ^= 0xFF
    return bytes(data)


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
    os.mkfifo(mail / "pipe.zip")
    (mail / "gone.zip").symlink_to("nowhere.zip")
    (mail / "torn.zip").write_bytes(torn("torn"))

    ended = home.arena("bot", "submit", str(mail), *home.sandbox)
    facts = json.loads(home.arena("bot", "submit", str(mail), "--json", *home.sandbox).out)

    assert (ended.code, ended.err.splitlines()[-1].count("arena: ")) == (2, 1)
    assert "gone.zip, letter.zip, pipe.zip, torn.zip, late@1 did not pass" in ended.err
    assert f"{mail / 'letter.zip'}: not a zip archive; make it anew" in json.dumps(facts)
    assert "2 of 7 passed" in ended.out
    assert [(Path(fact["source"]).name, fact.get("label"), fact.get("state")) for fact in facts] == [
        ("gone.zip", None, None),
        ("greedy.zip", "greedy@1", "checked"),
        ("late", "late@1", "failed"),
        ("letter.zip", None, None),
        ("pipe.zip", None, None),
        ("random.zip", "random@1", "checked"),
        ("torn.zip", None, None),
    ]
    why = {Path(fact["source"]).name: fact["why"] for fact in facts}
    assert "starts and says hello in time" in why["late"]
    assert "no zip archive" in why["letter.zip"] or "not a zip archive" in why["letter.zip"]
    assert "is no regular file" in why["pipe.zip"]
    assert "No such file" in why["gone.zip"]
    assert "'bot.py' is damaged" in why["torn.zip"]


def path_without(folder: Path, *programs: str) -> str:
    """Return a PATH with all programs of this machine but some."""
    folder.mkdir()
    for place in os.environ["PATH"].split(":"):
        for program in Path(place).iterdir() if Path(place).is_dir() else ():
            if program.name not in programs and not os.path.lexists(folder / program.name):
                (folder / program.name).symlink_to(program)
    return str(folder)


def test_what_one_bot_lacks_keeps_no_other_out(home: Home) -> None:
    """Named one by one or in a folder, with a runtime or a toolchain that is not here: the others are stored.

    The table tells which and why; the exit code is 4 where only this machine is in the way, else 2.
    """
    post = home.arena.folder / "post"
    post.mkdir()
    write_bot(home, "post/sound", (ROOT / "bots" / "random" / "bot.py").read_text())
    (post / "sound" / "bot.toml").write_text(MANIFEST.format(name="sound"))
    write_bot(home, "post/script", "")
    (post / "script" / "bot.toml").write_text(
        'name = "script"\nruntime = "node"\nrun = ["node", "bot.py"]\ninclude = ["bot.py"]\n'
    )
    path = path_without(home.arena.folder / "programs", "node", "cobolc")
    sources = [str(post / name) for name in ("script", "sound")]

    one_by_one = home.arena("bot", "submit", *sources, *home.sandbox, PATH=path)
    together = home.arena("bot", "submit", str(post), *home.sandbox, PATH=path)
    write_bot(home, "post/built", "")
    (post / "built" / "bot.toml").write_text(MANIFEST.format(name="built") + 'build = ["cobolc"]\n')
    with_a_wrong_one = home.arena(
        "bot", "submit", *sources, str(post / "built"), *home.sandbox, "--json", PATH=path
    )

    assert (one_by_one.code, together.code, with_a_wrong_one.code) == (4, 4, 2)
    for ended in (one_by_one, together):
        assert "1 of 2 passed" in ended.out
        lines = [line.split(maxsplit=2) for line in ended.out.splitlines()]
        assert ["sound", "sound@1", "checked"] in lines
        assert [
            "script",
            "-",
            "not here  this machine has no 'node': install it for bots of runtime 'node'",
        ] in lines
        assert "arena: script cannot be played here" in ended.err
    facts = {Path(fact["source"]).name: fact for fact in json.loads(with_a_wrong_one.out)}
    assert facts["sound"]["state"] == "checked"
    assert "build needs 'cobolc', which this machine does not have" in facts["built"]["why"]
    assert "this machine has no 'node'" in facts["script"]["why"]


def test_two_authors_of_one_name_are_both_refused(home: Home) -> None:
    """By mail, nobody's bot becomes a version of somebody else's: not in one folder, and not in the next."""
    mail = home.arena.folder / "inbox"
    mail.mkdir()
    for author in ("anna", "ben"):
        (mail / f"{author}.zip").write_bytes(packed("samename", f"# {author}\n"))
    (mail / "again.zip").symlink_to("anna.zip")

    both = home.arena("bot", "submit", str(mail), "--owner-from-name", *home.sandbox)
    one_by_one = home.arena("bot", "submit", *map(str, sorted(mail.glob("*n*.zip"))), *home.sandbox)

    assert (both.code, one_by_one.code) == (2, 2)
    assert "0 of 3 passed" in both.out
    assert "the bot 'samename' is in" in one_by_one.err
    assert home.arena("bot", "show", "samename").code == 2
    first = home.arena("bot", "submit", str(mail / "anna.zip"), "--owner-from-name", *home.sandbox)
    second = home.arena("bot", "submit", str(mail / "ben.zip"), "--owner-from-name", *home.sandbox)
    assert "samename@1" in first.out
    assert "'samename' belongs to 'anna', not to 'ben'" in second.err
