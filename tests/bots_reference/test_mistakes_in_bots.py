"""A mistake in a new bot's own code is told with its file and line, by its build or once it is met."""

from collections.abc import Callable
from pathlib import Path
from time import sleep

import pytest

from arena.botproc.bare import bare
from arena.botproc.rehearsal import rehearse
from arena.bundle.pack import load_manifest
from arena.bundle.template import write_bot
from arena.errors import UsageError
from arena.protocol.conformance import hello_cases, play_cases
from arena.service.build import build_bot

LOOK_S = 0.01
Written = Callable[[str, str], Path]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    """Give what writes a new bot in Ruby, with the beginning of its strategy's answer replaced."""

    def write(line: str, name: str) -> Path:
        folder = tmp_path / name
        write_bot(name, "ruby", folder)
        strategy = folder / "strategy.rb"
        text = strategy.read_text()
        assert text.count("  def answer(turn)\n") == 1
        strategy.write_text(text.replace("  def answer(turn)\n", f"  def answer(turn)\n    {line}\n"))
        return folder

    return write


@pytest.mark.needs("ruby-packages")
def test_every_file_in_ruby_is_checked_by_its_build(written: Written) -> None:
    """What Ruby cannot parse is refused by the build, whichever file it stands in; the place is told."""
    folder = written("turn.legal.map(", "odd")
    place = (folder / "strategy.rb").read_text().splitlines().index("    turn.legal.map(") + 1

    with pytest.raises(UsageError, match="exit code 1; it said:") as caught:
        build_bot(folder)

    told = [line for line in caught.value.output if line.startswith("strategy.rb:")]
    assert [int(line.split(":")[1]) >= place for line in told] == [True]


@pytest.mark.needs("ruby-packages")
@pytest.mark.parametrize("line", ["turn.no_such_thing", "answer(turn)"])
def test_an_error_in_ruby_ends_the_bot_and_says_where(written: Written, tmp_path: Path, line: str) -> None:
    """A missing method, and a recursion without end, which no bare `rescue` takes: the trace, exit code 1."""
    folder = written(line, "odd")
    build_bot(folder)
    place = (folder / "strategy.rb").read_text().splitlines().index(f"    {line}") + 1
    hello, *_ = hello_cases()
    case, *_ = play_cases()

    with bare(folder, load_manifest(folder), tmp_path / "cache") as seat:
        said = rehearse(f"unix:{seat.socket_path}", hello, (case,), lambda: seat.poll() is not None)
        outcomes = {outcome.id: outcome.failure for outcome in said}
        while (ended := seat.poll()) is None:
            sleep(LOOK_S)
        stderr = seat.stderr().text

    assert outcomes[hello.id] == ""
    assert "the stream ended" in outcomes[case.id]
    assert ended.code == 1
    assert f"strategy.rb:{place}:in `answer'" in stderr
