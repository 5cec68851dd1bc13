"""`arena prune`: what may be thrown away, and throwing it away."""

from dataclasses import asdict

import click

from arena.cli import figures
from arena.cli.session import Session, json_option, pass_session
from arena.cli.terminal import Column


@click.command("prune", epilog="Example: arena prune --yes")
@click.option("--yes", is_flag=True, help="Do it; without this it is only said what would be freed.")
@json_option
@pass_session
def prune(session: Session, yes: bool, as_json: bool) -> None:
    """Say what nothing needs any more, and with --yes remove it.

    Facts stay: tournaments, matches, their records and faults, bots and the programs that passed their check.
    """
    from arena.service.prune import prune as find

    with session.database() as database:
        found = find(database, session.bundles().folder, is_done=yes)
    if as_json:
        session.terminal.json({"removed": yes, "spare": [asdict(spare) for spare in found]})
        return
    session.terminal.table(
        [Column("what", keep=True), Column("how many", right=True), Column("bytes", right=True)],
        [(spare.what, figures.count(spare.count), figures.count(spare.size)) for spare in found],
    )
    total = figures.count(sum(spare.size for spare in found))
    if yes:
        session.terminal.line(f"removed: {total} bytes")
        return
    session.terminal.line(f"nothing was removed; {total} bytes would be")
    if any(spare.count for spare in found):
        session.terminal.hint("arena prune --yes")
