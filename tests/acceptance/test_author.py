"""An author's first minutes: a new bot from every template passes its check, with nothing submitted."""

import json
import shutil

import pytest

from arena.bundle.template import list_languages
from tests.fix_user_home import Home

pytestmark = pytest.mark.xdist_group("acceptance")


def test_a_new_bot_passes_its_check(home: Home) -> None:
    """What `new` writes in Python passes as it is; a second `new` of that name touches nothing."""
    made = home.arena("bot", "new", "fresh", "--json")
    assert json.loads(made.out)["files"] == ["README.md", "bot.py", "bot.toml"]
    before = (home.arena.folder / "fresh" / "bot.py").read_bytes()
    try:
        again = home.arena("bot", "new", "fresh")
        assert (again.code, again.out) == (2, "")
        assert "fresh exists" in again.err
        assert (home.arena.folder / "fresh" / "bot.py").read_bytes() == before

        checked = home.arena("bot", "check", "fresh", *home.sandbox)
        assert (checked.code, checked.err) == (0, "")
        assert checked.out.count("  ok  ") == 7
        known = home.arena("bot", "show", "fresh")
        assert known.code == 2
    finally:
        shutil.rmtree(home.arena.folder / "fresh")


def test_a_failed_check_shows_what_the_bot_wrote_escaped(home: Home) -> None:
    """Exit code 2, the broken promise, and an escape sequence as its code."""
    assert home.arena("bot", "new", "sick").code == 0
    folder = home.arena.folder / "sick"
    (folder / "bot.py").write_text('import sys\nsys.exit("no luck \\x1b[31m today")\n')
    try:
        checked = home.arena("bot", "check", "sick", *home.sandbox)
        facts = home.arena("bot", "check", "sick", "--json", *home.sandbox)
    finally:
        shutil.rmtree(folder)

    assert checked.code == facts.code == 2
    assert "FAILED  starts and says hello in time" in checked.out
    assert "no luck \\x1b[31m today" in checked.out
    assert "\x1b" not in checked.out + checked.err
    assert not json.loads(facts.out)["passed"]


def test_a_language_without_a_template_is_answered_with_the_nearest(home: Home) -> None:
    """Exit code 2, and nothing is written."""
    ended = home.arena("bot", "new", "other", "--lang", "pyton")

    assert (ended.code, ended.out) == (2, "")
    assert "did you mean 'python'?" in ended.err
    assert not (home.arena.folder / "other").exists()
    assert "python" in list_languages()
