"""`arena migrate`: bring the database to the schema of this version, before anything else of it runs."""

import click

from arena.cli.session import Session, json_option, pass_session


@click.command(epilog="Example: arena migrate")
@json_option
@pass_session
def migrate(session: Session, as_json: bool) -> None:
    """Bring the database to the schema of this version; a current one is left as it is.

    `arena up` and `arena tournament run` do this themselves. Where servers and workers run on many machines,
    run it once before the workers of a new version start. Any number of these may run at once.
    """
    from arena.service import visit

    with session.told_of_waiting():
        applied = visit.upgrade(session.settings)
    if as_json:
        session.terminal.json({"applied": applied})
    else:
        session.terminal.line(f"applied {', '.join(applied)}" if applied else "the schema is current")
