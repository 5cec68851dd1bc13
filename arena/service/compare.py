"""Comparisons of two bots: an unrated, unlisted tournament of one pairing that a sequential test ends.

Owns the name of a comparison, so that the same question goes on where it was, and the end. The test is
`arena.ratings.sequential`; who plays, and how, is like in any tournament. Its matches enter no wider
standing, because when they stop depends on how they ended.
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

JOB_SECONDS = 2.0
"""Jobs are short, so that a verdict is not waited for."""


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

    @property
    def over(self) -> bool:
        """Whether nothing more will be played."""
        return self.comparison.decided or self.tournament.state in {"finished", "cancelled"}


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


def look(database: Database, name: str, design: Design) -> Compared:
    """Return what the test says of the deal sets that are complete, in schedule order."""

    def read(connection: Connection) -> Compared:
        tournament = store.get_tournament(connection, name)
        entries = store.list_entries(connection, tournament.id)
        annulled = annulments.list_sets(connection, tournament.id)
        scores = scores_in_order(read_facts(connection, tournament), entries[0].number, annulled)
        labels = entries[0].label, entries[1].label
        return Compared(tournament, labels, Test(design).add(scores), len(annulled))

    return database.run(read)


def stop(database: Database, name: str) -> None:
    """Play nothing more of a comparison that is decided; what was played stays."""
    try:
        tournaments.cancel(database, name)
    except UsageError:
        # It came to its end in the same moment.
        return
