"""`arena match play`: a match here and now, step by step."""

import json
import secrets
from collections.abc import Sequence

import click

from arena.cli import figures
from arena.cli.bot_try import enter
from arena.cli.names import LevelName, RulesetName
from arena.cli.session import Session, json_option, pass_session
from arena.cli.terminal import Column
from arena.errors import UsageError

MOST_SEATS = 10


@click.command("play", epilog="Example: arena match play greedy random --quiet")
@click.argument("bots", nargs=-1, required=True, metavar="BOT|DIR|ZIP...")
@click.option("--rules", "ruleset", type=RulesetName(), default="mattel", show_default=True, help="The game.")
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
    """Play one match between bots, each in its sandbox, and tell every step of it; nothing is stored."""
    from arena.rules.options import parse_ruleset
    from arena.rules.record import parse_record
    from arena.rules.trace import trace
    from arena.service.exhibition import play_one

    if not 2 <= len(bots) <= MOST_SEATS:
        raise UsageError(f"{len(bots)} bots: a table has 2 to {MOST_SEATS} seats")
    session.set(sandbox=sandbox)
    rules = parse_ruleset(ruleset)
    set_key = _parse_key(key) if key is not None else secrets.token_bytes(32)
    cache = session.bundles()
    entrants = [enter(session, cache, name) for name in bots]
    result = play_one(session.sandbox(), entrants, rules, set_key)
    terminal = session.terminal
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
    if not quiet:
        for step in trace(parse_record(result.record), rules):
            terminal.block(step.text, indent="")
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
    terminal.line(f"{figures.count(result.rounds)} rounds, ended by {result.ending}; key {set_key.hex()}")
    for fault in result.faults:
        terminal.line(f"{entrants[fault.seat].name}: {fault}")
    terminal.hint(f"arena match play {' '.join(bots)} --key {set_key.hex()}")


def _parse_key(text: str) -> bytes:
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
