"""`arena config`: every setting, its value, and where that came from."""

import re
from dataclasses import asdict

import click

from arena.cli.group import Commands
from arena.cli.session import Session, json_option, pass_session
from arena.cli.terminal import Column


@click.group(cls=Commands, epilog="Example: arena config show")
def config() -> None:
    """The settings: defaults, arena.toml, environment, flags, the later winning."""


@config.command("show", epilog="Example: arena config show")
@json_option
@pass_session
def show_config(session: Session, as_json: bool) -> None:
    """Show each setting's value and where it came from.

    What each means, and what it may be, is in docs/settings.md.
    """
    settings = session.settings
    values = {name: value for name, value in asdict(settings).items() if name != "origins"}
    if as_json:
        session.terminal.json(
            {
                name: {
                    "value": _without_password(value),
                    "from": settings.origins[name],
                    "variable": f"ARENA_{name.upper()}",
                }
                for name, value in values.items()
            }
        )
        return
    session.terminal.table(
        [
            Column("setting", keep=True),
            Column("value", keep=True),
            Column("from"),
            Column("variable", drop=1),
        ],
        [
            (name, _text(value), settings.origins[name], f"ARENA_{name.upper()}")
            for name, value in values.items()
        ],
    )


def _text(value: object) -> str:
    """Write a value for people; nothing is a dash."""
    return f"{value:g}" if isinstance(value, float) else str(_without_password(value)) or "-"


def _without_password(value: object) -> object:
    """Return a value as it is; of an address, neither the login's password nor the options' stay."""
    if not isinstance(value, str) or "://" not in value:
        return value
    scheme, _, rest = value.partition("://")
    login, at, place = rest.rpartition("@")
    if at and ":" in login:
        rest = f"{login.partition(':')[0]}:...@{place}"
    return re.sub(r"([?&][^=&]*password=)[^&]*", r"\1...", f"{scheme}://{rest}", flags=re.IGNORECASE)
