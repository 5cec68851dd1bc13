"""Comparisons of two bots: an unrated, unlisted tournament of one pairing that a sequential test ends.

Owns the name of a comparison, so that the same question goes on where it was, however many deal sets are
asked for, and where it stops. The test is `arena.ratings.sequential`; who plays, and how, is like in any
tournament. Its matches enter no wider standing, because when they stop depends on how they ended.
"""

from dataclasses import dataclass, replace
from hashlib import sha256

from arena.errors import UsageError
from arena.ratings.sequential import Comparison, Design, Test
from arena.ratings.setscores import scores_in_order
from arena.service import tournaments
from arena.service.standings import read_facts
from arena.service.tournaments import TournamentSpec
from arena.store import annulments, bots
from arena.store import tournaments as store
from arena.store.pool import Connection, Database
from arena.store.rows import TournamentRow

JOB_SECONDS = 6.0
"""Jobs are short, so that a verdict is not waited for; at 2 s most of it was the start of bots."""


@dataclass(frozen=True, slots=True)
class Compared:
    """How far a comparison is."""

    tournament: TournamentRow
    """Its tournament."""
    labels: tuple[str, str]
    """The two bots."""
    comparison: Comparison
    """What the test says."""
    annulled: int = 0
    """How many deal sets do not count because something of them is annulled."""
    suspended: tuple[str, ...] = ()
    """Those of the two that play no more because their processes died too often."""
    at_most: int = 0
    """How many deal sets were asked for."""

    def told_from(self, label: str) -> "Compared":
        """Return the same with that bot named first, as the question had it."""
        if self.labels[1] != label:
            return self
        return replace(self, labels=(label, self.labels[0]), comparison=self.comparison.turned())

    @property
    def over(self) -> bool:
        """Whether nothing more will be played."""
        return self.comparison.decided or self.comparison.sets >= self.at_most or self.stuck

    @property
    def stuck(self) -> bool:
        """Whether nothing more can be played, whatever is asked for."""
        state = self.tournament.state
        return state == "cancelled" or (state == "finished" and bool(self.suspended))

    @property
    def stands(self) -> bool:
        """Whether nobody plays it now."""
        return self.tournament.paused or self.tournament.state != "running"


def create(database: Database, spec: TournamentSpec, design: Design) -> TournamentRow:
    """Create the tournament of a comparison, or return that of the same question.

    Args:
        database: Where it is stored.
        spec: What is played, between which two bots, over at most how many deal sets; its name is ignored.
        design: What is asked.

    Raises:
        UsageError: These are not two different bots that may play.
    """
    if len(spec.bots) != 2 or spec.twins or spec.seats != 2:
        raise UsageError("two different bots are compared, at tables of two")

    def read(connection: Connection) -> tuple[str, ...]:
        return tuple(bots.get_version(connection, bot).label for bot in spec.bots)

    labels = tuple(sorted(database.run(read)))  # whoever is named first, it is the same question
    if labels[0] == labels[1]:
        raise UsageError(
            f"{labels[0]} is compared with itself: `--twin` of a tournament shows the noise floor"
        )
    fixed = replace(spec, bots=labels, unrated=True, name="compare", format="compare")
    asked = f"{fixed.arguments()} {design.width_elo:g} {design.error:g}"
    plain = "-".join(label.partition("@")[0][:7] for label in labels)
    name = f"compare-{plain}-{sha256(asked.encode()).hexdigest()[:8]}"
    return tournaments.create(database, replace(fixed, name=name))


def name_version(database: Database, bot: str) -> str:
    """Return what the version is called that a name stands for now.

    Raises:
        UsageError: There is none.
    """
    return database.run(lambda connection: bots.get_version(connection, bot).label)


def look(database: Database, name: str, design: Design, at_most: int) -> Compared:
    """Return what the test says of the deal sets that are complete, in schedule order.

    Args:
        database: Where they are.
        name: The comparison's tournament.
        design: What is asked.
        at_most: Deal sets that count after which nobody waits any longer.
    """

    def read(connection: Connection) -> Compared:
        tournament = store.get_tournament(connection, name)
        entries = store.list_entries(connection, tournament.id)
        annulled = annulments.list_sets(connection, tournament.id)
        scores = scores_in_order(read_facts(connection, tournament), entries[0].number, annulled)
        return Compared(
            tournament,
            labels=(entries[0].label, entries[1].label),
            comparison=Test(design).add(scores),
            annulled=len(annulled),
            suspended=tuple(entry.label for entry in entries if entry.suspended_at is not None),
            at_most=at_most,
        )

    return database.run(read)


def go_on(database: Database, found: Compared, *, workers: int, job_seconds: float) -> None:
    """Play on, up to as many deal sets as were asked for beside those that are annulled."""

    def work(connection: Connection) -> None:
        store.lock(connection, found.tournament.id)
        if not found.suspended:
            wanted = min(found.at_most + found.annulled, tournaments.DEAL_SETS_MAX)
            store.extend(connection, found.tournament.id, wanted)

    database.run(work)
    tournaments.start(database, found.tournament.name, workers=workers, job_seconds=job_seconds)


def stop(database: Database, name: str) -> None:
    """Play nothing more of a comparison that is answered; asked again, or for more, it can go on."""
    tournaments.pause(database, name)
