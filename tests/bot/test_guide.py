"""The author's page says nothing that does not run."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.bot import View
from arena.bot.local import LocalBot, ask_once, load_bot
from arena.bundle.manifest import parse_manifest
from arena.protocol.hello import ruleset_message
from arena.protocol.pb import bot_pb2 as pb
from arena.rules import preset
from tests.bot.turns import make_turn
from tests.fix_bare_bot import BareBot

PAGE = Path(__file__).resolve().parents[2] / "docs" / "bots" / "python.md"
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
HELLO = pb.HelloRequest(ruleset=ruleset_message(preset("mattel")))
PYTHON = [code for language, code in BLOCKS if language == "python"]
MANIFESTS = [code for language, code in BLOCKS if language == "toml"]


def test_the_first_bot_has_fifteen_lines_and_plays(bare_bot: Callable[..., BareBot]) -> None:
    """The page's first bot is complete in 15 lines and answers the arena from a process of its own."""
    lines = [line for line in PYTHON[0].splitlines() if line.strip()]
    bot = bare_bot(PYTHON[0])
    bot.hello()
    bot.send(opened=[pb.Opened(table=0, seat=0, seats=2)])
    bot.send(turns=[make_turn("R1 R7 RR", "R1, R7, RR, draw"), make_turn("G1 W", "draw, keep")])
    answers = bot.receive().answers

    assert len(lines) <= 15
    assert [answer.index for answer in answers] == [2, 0]


def test_every_bot_of_the_page_answers(tmp_path: Path) -> None:
    """Each block that calls `serve` is a bot that opens a table, answers and hears the end."""
    bots = [code for code in PYTHON if "serve(" in code]
    for code in bots:
        source = tmp_path / "bot.py"
        source.write_text(code)
        local = LocalBot(load_bot(source), HELLO)
        local.open(0)
        local.ask(make_turn("R1 R7", "R1, R7, draw"))
        local.close(pb.Closed(table=0, places=[1, 2]))

    assert len(bots) == 3


def test_the_local_block_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The block on testing runs as it stands beside the page's first bot."""
    (tmp_path / "bot.py").write_text(PYTHON[0])
    monkeypatch.chdir(tmp_path)
    (block,) = [code for code in PYTHON if "load_bot" in code]

    exec(compile(block, "python.md", "exec"), {})


def test_the_manifest_of_the_page_is_read() -> None:
    """The page's bot.toml has the keys that the arena knows."""
    manifest = parse_manifest(MANIFESTS[0])

    assert (manifest.name, manifest.runtime, manifest.run) == ("heavy", "python", ("python3", "bot.py"))


def test_all_that_the_page_names_exists() -> None:
    """Every `view.name` and `arena.bot` name of the page is there."""
    text = PAGE.read_text()
    view = set(re.findall(r"view\.(\w+)", text))
    missing = {name for name in view if not hasattr(View, name)}

    assert not missing


def test_a_source_that_serves_nothing_is_refused(tmp_path: Path) -> None:
    """Loading a file that never calls `serve` says so by its path."""
    source = tmp_path / "bot.py"
    source.write_text("x = 1\n")

    with pytest.raises(ValueError, match=r"bot\.py does not call serve"):
        load_bot(source)


def test_two_folders_may_hold_modules_of_one_name(tmp_path: Path) -> None:
    """Each loaded bot gets the modules of its own folder."""
    turn = make_turn("R1 R7", "R1, R7, draw")
    for name, index in (("one", 0), ("two", 1)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "wisdom.py").write_text(f"INDEX = {index}\n")
        (folder / "bot.py").write_text(
            "from arena.bot import Bot, serve\nfrom wisdom import INDEX\n"
            "class It(Bot):\n    def move(self, view):\n        return INDEX\nserve(It)\n"
        )

    assert [ask_once(load_bot(tmp_path / name / "bot.py"), turn) for name in ("one", "two")] == ["R1", "R7"]
