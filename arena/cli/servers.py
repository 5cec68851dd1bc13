"""`arena up`, `down` and `status`: the servers and workers of this machine."""

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from arena.cli import figures
from arena.cli.names import LevelName
from arena.cli.session import Session, json_option, pass_session
from arena.cli.terminal import Column, Terminal

if TYPE_CHECKING:
    from arena.service.status import Lost, Status
    from arena.store.rows import RunningJobRow


@click.command(epilog="Example: arena up --workers 2")
@click.option("--workers", type=int, help="How many workers.  [default: one a core]")
@click.option(
    "--sandbox",
    metavar="LEVEL",
    type=LevelName(),
    help="Isolation of the bots; auto takes the best there is.",
)
@pass_session
def up(session: Session, workers: int | None, sandbox: str | None) -> None:
    """Start servers and workers, and leave them running."""
    from arena.service import platform, visit

    session.set(workers=workers, sandbox=sandbox)
    session.check_level()
    with session.told_of_waiting():
        opened = platform.up(session.settings)
    visit.keep(session.settings)
    for notice in opened.notices:
        session.terminal.note(notice)
    started = opened.started
    session.terminal.line(f"started {', '.join(started)}" if started else "everything runs already")
    session.terminal.hint("arena status", "arena tournament run NAME BOT BOT...", "arena down")


@click.command(epilog="Example: arena down")
@pass_session
def down(session: Session) -> None:
    """Stop the servers and workers of the data folder; nothing is lost."""
    from arena.service import platform

    with session.told_of_waiting():
        stopped = platform.down(session.settings)
    session.terminal.line(f"stopped {', '.join(stopped)}" if stopped else "nothing runs here")


@click.command(epilog="Example: arena status")
@json_option
@pass_session
def status(session: Session, as_json: bool) -> None:
    """Show what runs, what waits, and what keeps matches from being played."""
    from arena.errors import PlatformError, UsageError
    from arena.service import platform
    from arena.service.dead import find_dead

    processes = dict(platform.running(session.settings))
    absent = platform.find_absent(session.settings)
    # Without workers a queue that is not there keeps nobody waiting; a database that was named is asked.
    is_own = not session.settings.database_url
    has_workers = any(name.startswith("worker") for name in processes)
    if "database" in absent or ("broker" in absent and is_own and not has_workers):
        reason = next(iter(absent.values()))
        if as_json:
            session.terminal.json({"up": False, "reason": reason, "processes": processes})
        else:
            _show_processes(session.terminal, processes)
            session.terminal.line(reason)
        return
    broken = absent.get("broker") or _check_broker(platform.find_servers(session.settings).broker_url)
    try:
        with session.database() as database:
            found = session.look(database, broken)
    except (PlatformError, UsageError) as error:
        if not as_json:
            _show_processes(session.terminal, processes)
            for name in sorted(find_dead(session.settings).values()):
                session.terminal.line(f"{name} has died; `arena up` starts another")
        raise (type(error)(f"{error}; {broken}") if broken else error) from error
    if as_json:
        session.terminal.json({"up": True, "processes": processes} | asdict(found))
        return
    _show(session.terminal, processes, found)


def _check_broker(url: str) -> str:
    from arena import broker

    return broker.check(broker.make_app(url))


def _show_processes(terminal: Terminal, processes: dict[str, int | None]) -> None:
    if processes:
        places = {name: "out of reach" if pid is None else pid for name, pid in processes.items()}
        terminal.line("running: " + ", ".join(f"{name} ({place})" for name, place in places.items()))


def _since(oldest_s: float | None) -> str:
    """Say how long the oldest of some jobs is what it is."""
    return "" if oldest_s is None else f" (the oldest for {figures.duration_s(oldest_s)})"


def _fate(job: "RunningJobRow", found: "Status") -> str:
    """Say when a job that nobody plays any more can be taken by another worker."""
    if job not in found.orphaned:
        return ""
    if job.lease_left_s <= 0:
        return ", which is gone: the next worker takes it"
    return f", which is gone: another worker takes it in {figures.duration_s(job.lease_left_s)}"


def _say_lost(worker: "Lost") -> str:
    if worker.service:
        return f"{worker.service} ({worker.pid}) has died; `arena up` starts another"
    return (
        f"worker {worker.worker} of host {worker.host} was last heard {figures.duration_s(worker.seen_s)} ago"
    )


def _show(terminal: Terminal, processes: dict[str, int | None], found: "Status") -> None:
    _show_processes(terminal, processes)
    queue = found.queue
    terminal.line(
        f"jobs: {figures.count(queue.queued)} queued{_since(queue.oldest_queued_s)}, "
        f"{figures.count(queue.leased)} under way{_since(queue.oldest_lease_s)}, "
        f"{figures.count(queue.failed)} failed"
    )
    if found.workers:
        terminal.table(
            [
                Column("worker", keep=True),
                Column("state"),
                Column("level"),
                Column("runtimes"),
                Column("jobs", right=True),
                Column("seen", right=True),
            ],
            [
                (
                    worker.id,
                    f"{worker.state}: {worker.reason}" if worker.state == "paused" else worker.state,
                    worker.level,
                    " ".join(worker.runtimes),
                    figures.count(worker.jobs_done),
                    f"{figures.duration_s(worker.seen_s)} ago",
                )
                for worker in found.workers
            ],
        )
    for worker in found.workers:
        if worker.reason and worker.state != "paused":
            terminal.line(f"worker {worker.id}: {worker.reason}")
    for job in found.running:
        terminal.line(
            f"job {job.id}: {' - '.join(job.bots)}, {job.progress} of {job.matches} matches, "
            f"for {figures.duration_s(job.running_s)} on {job.worker}{_fate(job, found)}"
        )
    for lost in found.lost:
        terminal.line(_say_lost(lost))
    for name in found.resting:
        terminal.line(f"ladder {name} rests: `arena tournament run {name}` goes on")
    for block in found.blocks:
        terminal.line(f"blocked: {block.what}")
        terminal.line(f"  do: {block.remedy}")
    if not found.blocks:
        terminal.line("nothing blocks")
