"""`arena rules`: the rulesets that can be played, option by option."""

from dataclasses import fields

import click

from arena.cli.group import Commands
from arena.cli.names import RulesetName
from arena.cli.rulesets import read_ruleset
from arena.cli.session import Session, json_option, pass_session
from arena.cli.terminal import Column


@click.group(cls=Commands)
def rules() -> None:
    """The rulesets that can be played."""


@rules.command("list", epilog="Example: arena rules list")
@json_option
@pass_session
def list_rules(session: Session, as_json: bool) -> None:
    """List the presets."""
    from arena.rules.options import PRESETS, preset

    rows = [
        {"name": name, "digest": preset(name).digest.hex(), "changes": len(changes)}
        for name, changes in PRESETS.items()
    ]
    if as_json:
        session.terminal.json(rows)
        return
    base = next(iter(PRESETS))
    session.terminal.table(
        [Column("ruleset", keep=True), Column("digest"), Column("what differs")],
        [
            (name, preset(name).digest.hex()[:12], ", ".join(changes) or f"(the others differ from {base})")
            for name, changes in PRESETS.items()
        ],
    )
    session.terminal.hint("arena rules show NAME")


@rules.command("show", epilog="Example: arena rules show mattel")
@click.argument("ruleset", type=RulesetName())
@json_option
@pass_session
def show_rules(session: Session, ruleset: str, as_json: bool) -> None:
    """Show every option of a preset or of a TOML file."""
    from arena.rules.options import Ruleset

    chosen = read_ruleset(ruleset)
    options = chosen.options()
    rule_ids = {option.name: str(option.metadata.get("rule", "")) for option in fields(Ruleset)}
    if as_json:
        session.terminal.json({"ruleset": ruleset, "digest": chosen.digest.hex(), "options": options})
        return
    session.terminal.line(f"{ruleset}  {chosen.digest.hex()}")
    session.terminal.table(
        [Column("option", keep=True), Column("value"), Column("rule")],
        [(name, value, rule_ids.get(name, "")) for name, value in options.items()],
    )
    session.terminal.hint(f"arena tournament run NAME BOT BOT... --rules {ruleset}")
