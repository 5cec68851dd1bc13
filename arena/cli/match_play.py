"""`arena match play`: a match here and now, step by step."""

import json
import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from arena.cli import figures
from arena.cli.entering import enter_all
from arena.cli.names import BotOrPath, LevelName, ruleset_option
from arena.cli.narration import Narrator
from arena.cli.rulesets import read_ruleset
from arena.cli.session import Session, json_option, pass_session
from arena.cli.terminal import Column
from arena.errors import UsageError

if TYPE_CHECKING:
    from arena.cli.terminal import Terminal
    from arena.rules.options import Ruleset
    from arena.rules.record import Record
    from arena.rules.trace import Step, Tracer

MOST_SEATS = 10


@click.command("play", epilog="Example: arena match play greedy random --quiet")
@click.argument("bots", nargs=-1, required=True, metavar="BOT|DIR|ZIP...", type=BotOrPath())
@ruleset_option
@click.option("--key", metavar="HEX", help="Deals to repeat, as a former play named them.")
@click.option("--quiet", is_flag=True, help="Only the result.")
@click.option("--sandbox", type=LevelName(), help="Isolation; auto takes the best there is.")
@json_option
@pass_session
def play(
    session: Session,
    bots: Sequence[str],
    ruleset: str,
    key: str | None,
    quiet: bool,
    sandbox: str | None,
    as_json: bool,
) -> None:
    """Play one match between bots, each in its sandbox, and tell every step of it; nothing is stored.

    In the list of what a bot may do `?` marks a bluff.
    """
    from arena.rules.record import parse_record
    from arena.rules.trace import trace
    from arena.service.exhibition import play_one

    if not 2 <= len(bots) <= MOST_SEATS:
        raise UsageError(f"bots: {len(bots)}, but a table has 2 to {MOST_SEATS} seats")
    session.set(sandbox=sandbox)
    session.check_level()
    rules = read_ruleset(ruleset)
    rules.check_table(len(bots))
    set_key = parse_key(key) if key is not None else secrets.token_bytes(32)
    entrants = enter_all(session, bots)
    terminal = session.terminal
    live = None if quiet or as_json else _Live(terminal, [entrant.name for entrant in entrants], rules)
    result = play_one(session.sandbox(), entrants, rules, set_key, live.show if live else lambda _: None)
    if as_json:
        terminal.json(
            {
                "bots": [entrant.name for entrant in entrants],
                "places": result.places,
                "totals": result.totals,
                "rounds": result.rounds,
                "ending": result.ending,
                "faults": [{"seat": fault.seat, "kind": fault.kind.value} for fault in result.faults],
                "key": set_key.hex(),
                "record": result.record,
                "steps": []
                if quiet
                else [json.loads(step.json) for step in trace(parse_record(result.record), rules)],
            }
        )
        return
    terminal.table(
        [
            Column("seat", right=True),
            Column("bot", keep=True),
            Column("place", right=True),
            Column("points", right=True),
        ],
        [
            (str(seat), entrant.name, str(result.places[seat]), figures.count(result.totals[seat]))
            for seat, entrant in enumerate(entrants)
        ],
    )
    terminal.line(f"{figures.rounds(result.rounds)}, ended by {result.ending}; key {set_key.hex()}")
    for fault in result.faults:
        terminal.line(f"{entrants[fault.seat].name}: {fault}")
    terminal.hint(f"arena match play {' '.join(bots)} --key {set_key.hex()}")


class _Live:
    """Tells every step of a match as soon as it has happened."""

    def __init__(self, terminal: "Terminal", names: Sequence[str], rules: "Ruleset") -> None:
        self._terminal, self._rules = terminal, rules
        self._narrator = Narrator(names)
        self._tracer: Tracer | None = None

    def show(self, record: "Record") -> None:
        """Print what this record has more than the one before."""
        from arena.rules.trace import Tracer

        if self._tracer is None:
            self._tracer = Tracer(record, self._rules)
            self._print(self._tracer.opening())
        for steps in self._tracer.follow(record):
            self._print(steps)

    def _print(self, steps: "Sequence[Step]") -> None:
        from arena.rules.frames import read_steps

        for step in read_steps(steps):
            for parts in self._narrator.tell(step):
                self._terminal.painted(parts)


def parse_key(text: str) -> bytes:
    """Read a key.

    Raises:
        UsageError: It is not 64 hexadecimal digits.
    """
    try:
        found = bytes.fromhex(text)
    except ValueError:
        found = b""
    if len(found) != 32:
        raise UsageError("--key: give the 64 hexadecimal digits that a former play named")
    return found
