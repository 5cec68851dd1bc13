"""A tournament that everything happens to, again and again, ends as if nothing had happened.

    python bench/soak_nemesis.py [--minutes 10] [--seed N] [--workers 2]

Plays one tournament undisturbed, then the same one, with the same secret, over and over, while a nemesis
kills, stops, cuts off and floods workers and servers at random. After each tournament its history is checked:
every match has one row, no row is of a lease that was lost, and rows and standing equal those of the
undisturbed run digit for digit. The first difference ends the run with exit code 1. The seed is printed; it
repeats the order of what the nemesis does, not the moments of the machine.
"""

import argparse
import os
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from nemesis import Nemesis, Scene

from arena.bundle.pack import pack_folder
from arena.errors import ArenaError
from arena.match.plan import ClockSettings
from arena.rules.presets import parse_ruleset
from arena.service import tournaments, watching
from arena.service.standings import tournament_standing
from arena.service.tournaments import TournamentSpec
from arena.store import bots
from arena.store.pool import Connection, Database

ROOT = Path(__file__).resolve().parents[1]
BOTS = (ROOT / "bots" / "greedy", ROOT / "bots" / "colour-keeper", ROOT / "tests" / "bots" / "plodder")
NAMES = ("greedy", "colour-keeper", "plodder")
RULES = 'base = "mattel"\nrounds = 3\n'
DEAL_SETS = 16
PATIENT = ClockSettings(bank_ms=100_000, hello_ms=60_000)
"""A clock on which no sound bot loses, whatever happens to its machine."""
HURT_S = 15.0
"""How long a tournament is hurt before it is left to end."""
HEALED_S = 300.0
"""How long it may take to end once nothing hurts it."""
ROWS = """
    SELECT pairing, deal_set, rotation, entries, places, totals, rounds, decisions, ending,
           encode(match.sha256, 'hex')
    FROM match JOIN tournament ON tournament.id = match.tournament_id
    WHERE tournament.name = %(name)s ORDER BY pairing, deal_set, rotation
"""
FACTS = """
    SELECT count(*) FILTER (WHERE job.state NOT IN ('done', 'cancelled')),
           count(*) FILTER (WHERE play.fence <> job.fence),
           sum(job.fence - 1), sum(job.lost), sum(job.infra)
    FROM job LEFT JOIN play ON play.job_id = job.id
    JOIN tournament ON tournament.id = job.tournament_id WHERE tournament.name = %(name)s
"""


def submit(database: Database) -> None:
    """Store the bots as checked versions."""

    def work(connection: Connection) -> None:
        for folder in BOTS:
            bundle = pack_folder(folder)
            manifest = bundle.manifest
            bot = bots.add_bot(connection, manifest.name, "soak")
            text, digest = (folder / "bot.toml").read_text(), bytes.fromhex(bundle.digest)
            version, _ = bots.add_version(connection, bot.id, digest, text, manifest.runtime, bundle.data)
            bots.set_checked(connection, version.id, passed=True, report="", stderr="")

    database.run(work)


def start(scene: Scene, name: str) -> None:
    """Create the tournament and tell the workers; a broker that is away is told later."""
    ruleset = parse_ruleset(RULES)
    spec = TournamentSpec(
        name=name, ruleset=ruleset, bots=NAMES, deal_sets=DEAL_SETS, secret=bytes(32), clock=PATIENT
    )
    tournaments.create(scene.database, spec)
    tournaments.start(scene.database, name, workers=len(scene.workers))
    scene.flush()


def finish(scene: Scene, name: str, nemesis: Nemesis | None) -> None:
    """Return when the tournament is over; hurt it meanwhile, and try again what the platform has failed."""
    hurt_until = time.monotonic() + HURT_S
    deadline = time.monotonic() + HURT_S + HEALED_S
    is_healed = nemesis is None
    while True:
        try:
            watched = watching.progress(scene.database, name)
            if watched.tournament.state == "finished":
                break
            if watched.totals.jobs_failed and is_healed:
                start(scene, name)
        except ArenaError:
            pass  # the database is one of the things that are hurt
        if nemesis is not None and time.monotonic() < hurt_until:
            nemesis.act()
        elif nemesis is not None and not is_healed:
            nemesis.heal()
            is_healed = True
        if time.monotonic() > deadline:
            raise SystemExit(f"{name} has not ended {HEALED_S:.0f} s after the last fault:\n{scene.logs()}")
        time.sleep(0.1)
    if nemesis is not None:
        nemesis.heal()


def read(database: Database, name: str) -> tuple[list[tuple[object, ...]], list[dict[str, object]]]:
    """Return a tournament's rows and its standing, without times."""
    with database.transaction() as connection:
        rows = connection.execute(ROWS.encode(), {"name": name}).fetchall()
    standing = [asdict(row) for row in tournament_standing(database, name).standing.rows]
    for row in standing:
        del row["us_per_decision"]
    return rows, standing


def check(database: Database, name: str, undisturbed: tuple[object, object]) -> tuple[int, int, int]:
    """Compare a tournament's history with that of the undisturbed one; return what it went through."""
    with database.transaction() as connection:
        row = connection.execute(FACTS.encode(), {"name": name}).fetchone()
    assert row is not None
    unended, passed, again, lost, failed = (int(str(number or 0)) for number in row)
    if read(database, name) != undisturbed or unended or passed:
        raise SystemExit(f"{name} differs: {unended} jobs not ended, {passed} results of a passed fence")
    return again, lost, failed


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    """Hurt and check until the time is over."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    given = parser.parse_args()
    say(f"seed {given.seed}")
    deadline = time.monotonic() + 60 * given.minutes
    went_through: Counter[str] = Counter()
    cups = 0
    with (
        tempfile.TemporaryDirectory(prefix="arena-soak-") as folder,
        Scene(Path(folder), given.workers) as scene,
    ):
        submit(scene.database)
        start(scene, "undisturbed")
        finish(scene, "undisturbed", None)
        undisturbed = read(scene.database, "undisturbed")
        nemesis = Nemesis(scene, random.Random(given.seed))  # noqa: S311 (repeatable on purpose)
        while not cups or time.monotonic() < deadline:
            name = f"cup-{cups}"
            start(scene, name)
            finish(scene, name, nemesis)
            again, lost, failed = check(scene.database, name, undisturbed)
            went_through.update({"leases taken again": again, "leases lost": lost, "failures": failed})
            cups += 1
            say(f"{name}: the same; {again} leases taken again")
    rows = len(undisturbed[0])
    say(f"\n{cups} tournaments of {rows} matches, each equal to the undisturbed one to the last digit")
    for what, count in [*sorted(nemesis.done.items()), *went_through.items()]:
        say(f"  {count:6,} {what}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
