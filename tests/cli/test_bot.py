"""Promises of `arena bot pack`, of what `check` prints, and of what `submit` refuses at once."""

import json
from pathlib import Path

import pytest

from arena.cli.app import run
from arena.cli.bot_check import show_report
from arena.cli.last_words import FIRST, LAST, fold
from arena.cli.terminal import Terminal
from arena.service.check import CheckReport

ROOT = Path(__file__).resolve().parents[2]
GREEDY = str(ROOT / "bots" / "greedy")


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run each test in an empty folder."""
    monkeypatch.chdir(tmp_path)


def test_the_same_folder_packs_to_the_same_bytes(capsys: pytest.CaptureFixture[str]) -> None:
    """Packed twice under two names the zips are equal, and the digest is printed."""
    assert run(["bot", "pack", GREEDY]) == 0
    assert run(["bot", "pack", GREEDY, "-o", "other.zip", "--json"]) == 0

    assert Path("greedy.zip").read_bytes() == Path("other.zip").read_bytes()
    lines, facts = capsys.readouterr().out.split("{", 1)
    assert json.loads("{" + facts)["digest"] in lines
    assert sorted(path.name for path in Path().iterdir()) == ["greedy.zip", "other.zip"]


def test_another_file_is_not_written_over() -> None:
    """An existing file survives unless --force is given; the same bytes are no conflict."""
    Path("greedy.zip").write_text("mine")

    assert run(["bot", "pack", GREEDY]) == 2
    assert Path("greedy.zip").read_text() == "mine"
    assert run(["bot", "pack", GREEDY, "--force"]) == 0
    assert run(["bot", "pack", GREEDY]) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["bot", "pack", "nowhere"], "nowhere"),
        (["bot", "pack", GREEDY, "-o", "no/folder/x.zip"], "cannot be written"),
        (["bot", "submit", "nowhere.zip"], "cannot be read"),
        (["bot", "submit", "nowhere.zip", "--owner", ""], "must not be empty"),
        (["bot", "submit", "bad", "--owner", "x", "--owner-from-name"], "exclude each other"),
        (["bot", "pack", "strange"], "did you mean 'python'"),
        (["standings", "--columns", ","], "--columns: name one at least"),
        (["bot", "submit", "text.zip"], "zip"),
        (["bot", "submit"], "Missing argument"),
        (["bot", "sumbit", GREEDY], "did you mean 'submit'"),
        (["bot", "new", "x", "--lang", "C#"], 'plays with runtime = "dotnet" in bot.toml'),
        (["bot", "new", "x", "--lang", "cobol"], "for a bot in another language docs/protocol.md is"),
        (["bot", "submit", "bad"], "did you mean 'runtime'"),
        (["bot", "submit", "bad", "./bad"], "did you mean 'runtime'"),
        (["bot", "show", "greedy"], "there is no arena in"),
        (["bot", "list"], "there is no arena in"),
        (["standings"], "there is no arena in"),
        (["match", "show", "1"], "there is no arena in"),
        (["compare", "nobody", "greedy"], "there is no arena in"),
        (["tournament", "create", "cup", "nobody", "greedy"], "there is no arena in"),
        (["tournament", "run", "cup", "nobody", "greedy"], "there is no arena in"),
    ],
)
def test_a_mistake_makes_nothing(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2, one line, and not even a data folder."""
    Path("text.zip").write_text("no zip at all")
    Path("strange").mkdir()
    Path("strange/bot.toml").write_text(
        'name = "s"\nruntime = "pythn"\nrun = ["sh"]\ninclude = ["bot.toml"]\n'
    )
    Path("bad").mkdir()
    Path("bad/bot.toml").write_text(
        'name = "bad"\nruntme = "python"\nrun = ["bot.py"]\ninclude = ["bot.py"]\n'
    )

    assert run(arguments) == 2

    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.err.count("\n") == 1
    assert not Path(".arena").exists()


def test_a_verdict_is_not_scrolled_away(capsys: pytest.CaptureFixture[str]) -> None:
    """Of a long standard error both ends are shown, how many lines were left out, and where they are."""
    for written in (3, FIRST + LAST, FIRST + LAST + 1, 1500):
        stderr = "".join(f"line {number}\n" for number in range(written))
        show_report(Terminal(), CheckReport([], stderr, 8, 0, 0, 0), Path("mine"))
        out = capsys.readouterr().out.splitlines()

        told = [line for line in out if line.startswith("  | ")]
        shown = [*range(FIRST), *range(1500 - LAST, 1500)] if written == 1500 else range(written)
        assert told == [f"  | line {number}" for number in shown]
        assert any("left out" in line for line in out) == (written == 1500)
    assert "  … 1,470 lines left out; arena bot check mine --json has all" in out


def test_what_a_library_logs_again_and_again_is_told_once() -> None:
    """A flood of gRPC's leaves what the author wrote in sight; the author's own lines are all there."""
    log = "E1130 19:34:59.{:06} {:7} thd.cc:157] pthread_create failed"
    lines = ["turn 1", "turn 2", *[log.format(number, 2) for number in range(1500)], "turn 2", "turn 2"]

    assert fold(lines) == ["turn 1", "turn 2", lines[2], "… the same 1,499 times more", "turn 2", "turn 2"]
    assert fold(lines[:3]) == lines[:3]
    assert fold([]) == []
