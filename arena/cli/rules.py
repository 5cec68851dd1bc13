"""`arena rules`: the rulesets that can be played, option by option."""

from dataclasses import fields

import click

from arena.cli.group import Commands
from arena.cli.names import RulesetName
from arena.cli.rules_try import try_rules
from arena.cli.rulesets import base_of, read_ruleset
from arena.cli.session import Session, json_option, pass_session
from arena.cli.terminal import Column


@click.group(cls=Commands, epilog="Example: arena rules show classic")
def rules() -> None:
    """The rulesets that can be played."""


@rules.command("list", epilog="Example: arena rules list")
@json_option
@pass_session
def list_rules(session: Session, as_json: bool) -> None:
    """List the presets."""
    from arena.rules.presets import PRESETS, preset

    rows = [
        {"name": name, "digest": preset(name).digest.hex(), "changes": len(changes)}
        for name, changes in PRESETS.items()
    ]
    if as_json:
        session.terminal.json(rows)
        return
    base = next(iter(PRESETS))
    session.terminal.table(
        [Column("ruleset", keep=True), Column("digest", whole=True), Column("what differs")],
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
    from arena.rules.inactive import inactive_options
    from arena.rules.options import Ruleset

    chosen = read_ruleset(ruleset)
    options, inactive = chosen.options(), inactive_options(chosen)
    rule_ids = {option.name: str(option.metadata.get("rule", "")) for option in fields(Ruleset)}
    if as_json:
        facts = {"ruleset": ruleset, "digest": chosen.digest.hex(), "options": options, "inactive": inactive}
        session.terminal.json(facts)
        return
    session.terminal.line(f"{ruleset}  {chosen.digest.hex()}")
    session.terminal.table(
        [Column("option", keep=True), Column("value"), Column("rule")],
        [(name, value, rule_ids.get(name, "")) for name, value in options.items()],
    )
    _tell_inactive(session, inactive)
    session.terminal.hint(f"arena tournament run NAME BOT BOT... --rules {ruleset}")


@rules.command("check", epilog="Example: arena rules check house.toml")
@click.argument("ruleset", metavar="FILE", type=RulesetName())
@json_option
@pass_session
def check_rules(session: Session, ruleset: str, as_json: bool) -> None:
    """Check a ruleset: what is wrong in one line, or its digest, what it changes, and its canonical text."""
    from arena.rules.inactive import inactive_options
    from arena.rules.options import Ruleset
    from arena.rules.presets import preset

    chosen, base = read_ruleset(ruleset), base_of(ruleset)
    options, usual = chosen.options(), preset(base).options()
    differs = {name: value for name, value in options.items() if value != usual[name]}
    inactive, text = inactive_options(chosen), chosen.canonical_text()
    terminal = session.terminal
    if as_json:
        changes = {name: {"value": value, "base": usual[name]} for name, value in differs.items()}
        facts = {"ruleset": ruleset, "digest": chosen.digest.hex(), "base": base, "differs": changes}
        terminal.json(facts | {"inactive": inactive, "text": text})
        return
    terminal.line(f"{ruleset} can be played.")
    terminal.line(f"digest  {chosen.digest.hex()}")
    rule_ids = {option.name: str(option.metadata["rule"]) for option in fields(Ruleset)}
    if differs:
        terminal.table(
            [Column("option", keep=True), Column("value"), Column(f"in {base}"), Column("rule")],
            [(name, value, usual[name], rule_ids[name]) for name, value in differs.items()],
        )
    else:
        terminal.line(f"Nothing differs from {base}.")
    _tell_inactive(session, inactive)
    terminal.line("canonical text:")
    terminal.block(text)
    terminal.hint(f"arena rules try {ruleset}", f"arena tournament run NAME BOT BOT... --rules {ruleset}")


def _tell_inactive(session: Session, inactive: list[str]) -> None:
    """Name the options that cannot matter under the others."""
    if inactive:
        session.terminal.line(f"inactive under the other options: {', '.join(inactive)}")


rules.add_command(try_rules)
