"""What a tournament grants at most: between its row, its organiser's words and the limits of a process.

Owns the translation and the refusal of a bot that asks for more. What a platform grants at most is a setting;
how limits are enforced is `arena.botproc`'s.
"""

from arena.botproc.limits import MIB, Limits, grant_limits, make_ceiling
from arena.bundle.manifest import parse_manifest
from arena.errors import UsageError
from arena.store.rows import TournamentRow, VersionRow


def ceiling_values(ceiling: Limits) -> dict[str, int]:
    """Return a ceiling as the columns of a tournament."""
    return {
        "memory_mib": ceiling.memory_bytes // MIB,
        "processes": ceiling.processes,
        "cpu_millis": round(ceiling.cores * 1000),
    }


def ceiling_of(tournament: TournamentRow) -> Limits:
    """Return what a bot may ask for in a tournament at most."""
    return make_ceiling(tournament.memory_mib, tournament.processes, tournament.cpu_millis)


def check_asked(version: VersionRow, tournament: TournamentRow) -> None:
    """Refuse a bot that asks for more than the tournament grants: it could never start there.

    Raises:
        UsageError: It does; the message names the limit and both numbers.
    """
    try:
        asked = parse_manifest(version.manifest).limits
        grant_limits(asked, ceiling_of(tournament))
    except UsageError as error:
        raise UsageError(f"bot {version.label} cannot enter {tournament.name!r}: {error}") from None
