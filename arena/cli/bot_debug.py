"""`arena bot debug`: each question and each answer, with all the time in the world."""

import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli import figures
from arena.cli.arguments import FilePath
from arena.cli.match_play import parse_key
from arena.cli.names import FolderOrAddress, RulesetName
from arena.cli.narration import COLOURS, cards, style_of
from arena.cli.rulesets import read_ruleset
from arena.cli.session import SILENCE_S, Session, json_option, pass_session
from arena.errors import UsageError

if TYPE_CHECKING:
    from arena.botproc.plain import PlainSeat
    from arena.cli.terminal import Terminal
    from arena.service.debug import Exchange, Recorded


@click.command("debug", epilog="Example: arena bot debug mybot --match 17")
@click.argument("bot", metavar="DIR|ADDRESS", type=FolderOrAddress())
@click.option("--match", "number", type=int, help="Put the recorded questions of this match.")
@click.option("--seat", type=click.IntRange(0, 9), help="Where it sits.  [default: where its name sat, or 0]")
@click.option(
    "--rules",
    "ruleset",
    metavar="RULESET|FILE",
    type=RulesetName(),
    help="The game: a preset, or a TOML file.  [default: mattel]",
)
@click.option("--seats", type=click.IntRange(2, 10), help="The size of the table.  [default: 2]")
@click.option("--key", metavar="HEX", help="Deals to repeat, as a former run named them.")
@json_option
@pass_session
def debug(
    session: Session,
    bot: str,
    number: int | None,
    seat: int | None,
    ruleset: str | None,
    seats: int | None,
    key: str | None,
    as_json: bool,
) -> None:
    """Ask a bot question by question, without sandbox and without clock, and print every answer.

    DIR is started bare, where it stands. ADDRESS is where one listens already, in a debugger:
    `ARENA_ADDRESS=localhost:5000 python -m pdb bot.py`, then `arena bot debug localhost:5000`. It plays one
    match against the house's bots; with --match it gets the recorded questions of a stored match, which goes
    on as it was recorded, and each answer that is another one now is shown.
    """
    from arena.botproc.bare import dial, is_address
    from arena.service import debug as debugging

    recorded: Recorded | None = None
    if number is not None:
        if ruleset is not None or seats is not None or key is not None:
            raise UsageError("--match says what is played: leave out --rules, --seats and --key")
        with session.database() as database:
            recorded = debugging.read_recorded(database, number)
    rules = recorded.ruleset if recorded else read_ruleset(ruleset or "mattel")
    size = len(recorded.bots) if recorded else seats or 2
    rules.check_table(size)
    folder = None if is_address(bot) else FilePath().convert(bot, None, None)
    place = _find_seat(folder, seat, size, recorded)
    set_key = parse_key(key) if key is not None else secrets.token_bytes(32)
    with _running(session, folder) as process:
        watch = _Stderr(session.terminal, process, is_silent=as_json)
        address = bot if process is None else f"unix:{process.socket_path}"
        try:
            link = dial(address, rules, watch.has_ended if process else expect(session.terminal, bot))
            try:
                if recorded:
                    asked = debugging.ask_recorded(link, recorded, place, watch.has_ended)
                else:
                    asked = debugging.ask_freely(link, rules, set_key, size, place, watch.has_ended)
                exchanges = _tell(session.terminal, asked, watch, as_json=as_json)
            finally:
                link.close()
        finally:
            watch.end()
    if as_json:
        session.terminal.json([asdict(each) | {"differs": each.differs} for each in exchanges])
        return
    _sum_up(session.terminal, exchanges, number, None if recorded else set_key)


def expect(terminal: "Terminal", address: str) -> Callable[[], bool]:
    """Return what says, when nothing has answered for a while, at which address something is waited for."""
    silent_until = time.monotonic() + SILENCE_S
    is_told = False

    def look() -> bool:
        nonlocal is_told
        if not is_told and time.monotonic() > silent_until:
            is_told = True
            terminal.note(f"waiting for a bot that speaks the protocol at {address}; Ctrl-C ends it")
        return False

    return look


def _find_seat(folder: Path | None, seat: int | None, seats: int, recorded: "Recorded | None") -> int:
    """Return where the bot sits: as it was told, or where a bot of its name sat."""
    if seat is not None:
        if seat >= seats:
            raise UsageError(f"--seat {seat}: the table has seats 0 to {seats - 1}")
        return seat
    if recorded is None or folder is None:
        return 0
    from arena.bundle.pack import load_manifest

    name = load_manifest(folder).name
    found = [place for place, label in enumerate(recorded.bots) if label.partition("@")[0] == name]
    if not found:
        raise UsageError(
            f"bot {name!r} sat in no seat of that match ({', '.join(recorded.bots)}); say which with --seat"
        )
    return found[0]


@contextmanager
def _running(session: Session, folder: Path | None) -> Iterator["PlainSeat | None"]:
    """Start the bot of a folder, built where it says how; nothing for one that runs already."""
    if folder is None:
        yield None
        return
    from arena.botproc.bare import bare

    if not folder.is_dir():
        raise UsageError(f"{folder}: give a bot's folder, or the address of one that runs: localhost:5000")
    manifest = session.build(folder, plays=False).manifest
    with bare(folder, manifest, session.cache) as process:
        yield process


class _Stderr:
    """What a bot writes to its standard error, told as it comes."""

    def __init__(self, terminal: "Terminal", process: "PlainSeat | None", *, is_silent: bool) -> None:
        self._terminal, self._process, self._is_silent = terminal, process, is_silent
        self._told = 0

    def has_ended(self) -> bool:
        """Whether the process is gone; tells what it wrote meanwhile."""
        self.show()
        return self._process is not None and self._process.poll() is not None

    def end(self) -> None:
        """Print the last of it, and how a process that is gone has ended."""
        if self._process is not None and (found := self._process.poll()) is not None:
            self.show()
            self._print(f"the bot's process: {found}")
        self.show()

    def show(self) -> None:
        """Print what is new."""
        if self._process is None:
            return
        text = self._process.stderr().text
        fresh, self._told = text[self._told :], len(text)
        for line in fresh.splitlines():
            self._print(f"stderr | {line}")

    def _print(self, text: str) -> None:
        if self._is_silent:
            self._terminal.note(text)
        else:
            self._terminal.line(f"  {text}", whole=True)


def _tell(
    terminal: "Terminal", asked: "Iterator[Exchange]", watch: _Stderr, *, as_json: bool
) -> "list[Exchange]":
    """Print every question and its answer as it comes; return them all."""
    exchanges = []
    for exchange in asked:
        exchanges.append(exchange)
        watch.show()
        if not as_json:
            _print(terminal, exchange)
    return exchanges


def _print(terminal: "Terminal", exchange: "Exchange") -> None:
    others = " ".join(map(str, exchange.hand_sizes))
    legal = [
        part
        for n, move in enumerate(exchange.legal)
        for part in ((", " * bool(n), ""), (move, style_of(move)))
    ]
    terminal.painted(
        [
            (f"question {exchange.number}, {exchange.kind}: top ", ""),
            (exchange.top, style_of(exchange.top)),
            (f" {COLOURS.get(exchange.colour, figures.NOTHING)}, hand ", ""),
            *cards(exchange.hand),
            (f", sizes {others}", ""),
        ]
    )
    terminal.painted([("  legal  ", "dim"), *legal])
    said = f", says {exchange.say!r}" if exchange.say else ""
    wrong = "" if exchange.is_legal else "   NOT LEGAL"
    terminal.painted(
        [
            ("  answer ", "dim"),
            (exchange.said, style_of(exchange.answer) if exchange.is_legal else "bold red"),
            (f"{said}   {figures.duration_us(exchange.wall_ms * 1000)}", "dim"),
            (wrong, "bold red"),
        ]
    )
    if exchange.differs:
        terminal.painted([("  DIFFERS, recorded: ", "bold yellow"), (str(exchange.recorded), "")])


def _sum_up(terminal: "Terminal", exchanges: "list[Exchange]", number: int | None, key: bytes | None) -> None:
    """Say in one line what came of it, and how to go on."""
    illegal = sum(not each.is_legal for each in exchanges)
    text = f"{figures.count(len(exchanges))} questions, {figures.count(illegal)} answers not legal"
    if number is not None:
        differ = [each for each in exchanges if each.differs]
        text += f", {figures.count(len(differ))} other than recorded"
        if differ:
            text += f", the first at question {differ[0].number}"
    if key is not None:
        text += f"; key {key.hex()}"
    terminal.line(text)
    terminal.hint(f"arena match replay {number}" if number is not None else "arena bot check DIR")
