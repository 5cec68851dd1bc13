"""What `arena bot build` shows of a build that failed: enough to mend it, and as the build said it."""

from pathlib import Path

import pytest

from tests.fix_terminal import Commands

MANIFEST = """\
name = "broken"
runtime = "native"
build = ["sh", "build.sh"]
run = ["./bot"]
include = ["bot"]
"""
EARLY = "main.c:3:9: error: expected ; before int"
LATE = "make: *** [bot] Error 1"
TWO_HUNDRED = f"""\
echo '{EARLY}'
printf '    int x\\n\\t^\\n\\033[31mred\\033[0m\\n'
i=0
while [ $i -lt 200 ]; do echo "warning $i"; i=$((i + 1)); done
head -c 2000 /dev/zero | tr '\\0' x
echo
echo '{LATE}' >&2
exit 7
"""


def write_broken(folder: Path) -> None:
    """Write a bot whose build says its cause first, then much, then what it ends with."""
    (folder / "broken").mkdir()
    (folder / "broken/bot.toml").write_text(MANIFEST)
    (folder / "broken/build.sh").write_text(TWO_HUNDRED)


@pytest.mark.parametrize("command", ["build", "check", "submit"])
def test_a_failed_build_is_shown_as_it_said_it(command: str, tmp_path: Path) -> None:
    """A line says what is built, one what failed; below are the first and last lines as said, escaped."""
    write_broken(tmp_path)

    ended = Commands(tmp_path)("bot", command, "broken")

    building, first, *output = ended.err.splitlines()
    assert building == "building broken: sh build.sh"
    assert (ended.code, ended.out) == (2, "")
    assert first == "arena: broken: bot.toml: the build `sh build.sh` failed with exit code 7; it said:"
    assert output[:4] == [f"  | {EARLY}", "  |     int x", "  |         ^", "  | \\x1b[31mred\\x1b[0m"]
    assert output[15:17] == ["  | … 166 lines left out …", "  | warning 177"]
    assert output[-1] == f"  | {LATE}"
    assert output[-2] == "  | " + "x" * 400 + "…"
    assert len(output) == 15 + 1 + 25


def test_a_terminal_shows_the_same_lines(tmp_path: Path) -> None:
    """On a terminal nothing of the output is joined or broken anew."""
    write_broken(tmp_path)

    lines = Commands(tmp_path).on_terminal("bot", "build", "broken", columns=60).screen.splitlines()

    assert f"  | {EARLY}" in lines
    assert "  |     int x" in lines
    assert f"  | {LATE}" in lines
