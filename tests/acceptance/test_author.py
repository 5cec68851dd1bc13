"""An author's first minutes: a new bot from every template passes its check, with nothing submitted."""

import json
import shutil

import pytest

from arena.bundle.template import list_languages
from tests.fix_user_home import ROOT, Home

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


def test_a_trial_says_how_strong_a_bot_is_without_storing_anything(home: Home) -> None:
    """Both seats of every deal, an interval, a stored opponent and a folder, which is built; none stored."""
    before = home.arena("bot", "list", "--json").out
    assert home.arena("bot", "new", "hopeful").code == 0
    folder = home.arena.folder / "hopeful"
    (folder / "bot.py").rename(folder / "source.txt")
    with (folder / "bot.toml").open("a") as manifest:
        manifest.write('build = ["cp", "source.txt", "bot.py"]\n')
    try:
        ended = home.arena(
            *("bot", "try", "hopeful", "--against", "greedy", "--against", "hopeful"),
            *("--matches", "4", "--json", *home.sandbox),
        )
    finally:
        shutil.rmtree(home.arena.folder / "hopeful")

    assert ended.code == 0
    facts = json.loads(ended.out)
    assert (facts["matches"], facts["complete_sets"], facts["faults"]) == (8, 4, [])
    assert [row["matches"] for row in sorted(facts["rows"], key=lambda row: row["number"])] == [8, 4, 4]
    assert all(row["plus_minus"] > 0 for row in facts["rows"] if row["number"] != 1)
    assert home.arena("bot", "list", "--json").out == before


def test_a_trial_of_a_bot_that_errs_names_the_first_fault(home: Home) -> None:
    """A bot that answers with what is not legal: its faults by kind, and the evidence of the first."""
    assert home.arena("bot", "new", "rogue").code == 0
    source = home.arena.folder / "rogue" / "bot.py"
    source.write_text(
        "from arena.bot import Bot, serve\n"
        "class Rogue(Bot):\n    def move(self, view):\n"
        "        raise RuntimeError('\\x1b[31mlost')\nserve(Rogue)\n"
    )
    try:
        ended = home.arena("bot", "try", "rogue", "--against", "greedy", "--matches", "2", *home.sandbox)
    finally:
        shutil.rmtree(source.parent)

    assert "rogue: crashed in" in ended.out
    assert "exit" in ended.out
    assert "\x1b" not in ended.out + ended.err


def test_a_verdict_is_explained_and_logs_are_kept(home: Home) -> None:
    """`why` of a match without a fault says so; `logs` names each version; both know what is not there."""
    assert "greedy@1, checked" in home.arena("bot", "logs", "greedy").out
    assert json.loads(home.arena("bot", "logs", "greedy@1", "--json").out)[0]["stderr"] == ""
    assert home.arena("bot", "logs", "greedi").code == 2
    unknown = home.arena("match", "why", "999999999")
    assert unknown.code == 2
    assert "arena match list" in unknown.err


def test_a_match_is_played_here_and_repeated_by_its_key(home: Home) -> None:
    """Step by step, or the result only; the same key deals the same cards again."""
    first = home.arena("match", "play", "greedy", "first-legal", "greedy", "--json", *home.sandbox)
    facts = json.loads(first.out)
    again = home.arena(
        *("match", "play", "greedy", "first-legal", "greedy", "--key", facts["key"]), *home.sandbox
    )

    assert first.code == again.code == 0
    assert min(facts["places"]) == 1
    deals = [step["hands"] for step in facts["steps"] if "hands" in step]
    assert f"seat 0 greedy@1: {' '.join(deals[0][0])}\n" in again.out
    assert f"seat 2 greedy@1: {' '.join(deals[0][2])}\n" in again.out
    assert "the match is over: " in again.out
    result = again.out[again.out.rindex("\nseat ") + 1 :]
    quiet = home.arena(
        *("match", "play", "greedy", "first-legal", "greedy", "--key", facts["key"], "--quiet"), *home.sandbox
    )
    assert quiet.out.splitlines()[0] == result.splitlines()[0]
    assert len(quiet.out.splitlines()) == len(result.splitlines()) == 5
    assert "plays" not in quiet.out
    assert home.arena("match", "play", "greedy").code == 2
    assert home.arena("match", "play", "greedy", "greedy", "--key", "12").code == 2


def test_an_authors_own_rules_are_played(home: Home) -> None:
    """A TOML file stands wherever a preset does; one that is none is refused before anything starts."""
    (home.arena.folder / "one.toml").write_text('base = "mattel"\nrounds = 1\n')
    (home.arena.folder / "bad.toml").write_text('base = "mattel"\nruonds = 1\n')
    tried = ("bot", "try", str(ROOT / "bots" / "greedy"), "--against", "greedy", "--matches", "2", "--json")

    played = home.arena("match", "play", "greedy", "greedy", "--rules", "one.toml", "--json", *home.sandbox)
    measured = home.arena(*tried, "--rules", "one.toml", *home.sandbox)
    asked = home.arena("bot", "debug", str(ROOT / "bots" / "greedy"), "--rules", "one.toml", "--json")

    assert (json.loads(played.out)["rounds"], json.loads(played.out)["ending"]) == (1, "rounds")
    assert json.loads(measured.out)["matches"] == 2
    assert 0 < len(json.loads(asked.out)) < 200
    for command in (("match", "play", "greedy", "greedy"), tried, ("bot", "debug", "nowhere")):
        refused = home.arena(*command, "--rules", "bad.toml")
        assert (refused.code, refused.out) == (2, "")
        assert "did you mean 'rounds'" in refused.err
