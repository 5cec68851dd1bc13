"""What `arena bot build` shows of a build that failed: enough to mend it, and as the build said it."""

from pathlib import Path

import pytest

from arena.botproc.level import Level
from arena.botproc.sandbox import Sandbox, SandboxSettings
from arena.cli import main
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
printf '    int x\\n\\t^\\n\\033[31mred\\033[0m\\007\\n'
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
    """A line says what is built, one what failed; below are the first and last lines, unpainted, escaped."""
    write_broken(tmp_path)

    ended = Commands(tmp_path)("bot", command, "broken")

    building, first, *output = ended.err.splitlines()
    assert building == "building broken: sh build.sh"
    assert (ended.code, ended.out) == (2, "")
    assert first == "arena: broken: bot.toml: the build `sh build.sh` failed with exit code 7; it said:"
    assert output[:4] == [f"  | {EARLY}", "  |     int x", "  |         ^", "  | red\\x07"]
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


WARNED = """\
printf 'warning: \\007\\n\\n\\033[1mharmless\\033[m\\n\\033[0m\\033[0m\\n'
printf text >bot
"""


@pytest.mark.parametrize("command", ["build", "check"])
@pytest.mark.parametrize("is_terminal", [False, True])
def test_of_a_build_that_goes_well_one_line_is_left(command: str, is_terminal: bool, tmp_path: Path) -> None:
    """What it said is in a file, escaped, not on the screen; `bot build` shows it where somebody looks."""
    write_broken(tmp_path)
    (tmp_path / "broken/build.sh").write_text(WARNED)
    arena = Commands(tmp_path)
    give = arena.on_terminal if is_terminal else arena

    ended = give("bot", command, "broken")

    assert ended.code == 2  # a text is no program
    lines = (ended.screen if is_terminal else ended.err).splitlines()
    left = "built; it said 2 lines, which are in .arena/log/build-broken.log"
    if command == "build" and is_terminal:
        assert lines[1:4] == [r"  | warning: \x07", "  |", "  | harmless"]
        assert left not in lines
    else:
        assert lines.count(left) == 1
        assert (tmp_path / ".arena/log/build-broken.log").read_text() == "warning: \\x07\n\nharmless\n"
        assert "| " not in "".join(lines)


@pytest.mark.parametrize("command", ["check", "submit"])
def test_what_cannot_be_played_here_is_not_built(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A machine that cannot bound a /tmp says so before a long build; `bot build` builds, with a note."""
    (tmp_path / "bot.toml").write_text(
        'name = "x"\nruntime = "native"\nneeds_tmp = true\nrun = ["./bot"]\ninclude = ["bot"]\n'
        "build = ['sh', '-c', 'printf \"#!/bin/sh\\n\" >bot && chmod +x bot']\n"
    )

    def open_unbounded(settings: SandboxSettings, _: object) -> Sandbox:
        return Sandbox(Level.USERNS, settings)

    monkeypatch.setattr("arena.botproc.probe.open_sandbox", open_unbounded)
    monkeypatch.setenv("ARENA_DATA_FOLDER", str(tmp_path / ".arena"))

    def say(command: str) -> tuple[object, str]:
        with pytest.raises(SystemExit) as ended:
            main(["bot", command, str(tmp_path)])
        return ended.value.code, capsys.readouterr().err

    code, refusal = say(command)
    was_built = (tmp_path / "bot").exists()
    built, note = say("build")

    why = "bot x asks for a writable /tmp, which this machine cannot bound: no memory cgroup is writable"
    assert (code, was_built) == (4, False)
    assert (built, (tmp_path / "bot").exists()) == (0, True)
    assert why in refusal
    assert "building" not in refusal
    assert f"it is built, and cannot be played here: {why}" in note


def test_a_wrong_setting_is_not_said_of_the_bot(tmp_path: Path) -> None:
    """A level that is none is the command's mistake, not the folder's."""
    write_broken(tmp_path)

    ended = Commands(tmp_path)("bot", "check", "broken", "--sandbox", "foo")

    assert ended.code == 2
    assert ended.err.startswith("arena: sandbox: 'foo' is none of ")
