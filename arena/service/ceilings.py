"""What a tournament grants at most: between its row, its organiser's words and the limits of a process.

Owns the translation and the refusal of a bot that asks for more. What a platform grants at most is a setting;
how limits are enforced is `arena.botproc`'s.
"""

from dataclasses import replace

from arena.botproc.limits import DEFAULT_CEILING, MIB, Limits, grant_limits, make_ceiling
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


def check_asked(version: VersionRow, tournament: TournamentRow, most: Limits = DEFAULT_CEILING) -> None:
    """Refuse a bot that asks for more than the tournament grants, or that was checked with more.

    A bot that asks for nothing passed its check with what is usual here, and may need it.

    Args:
        version: The bot.
        tournament: What it is to enter.
        most: What the platform grants in a check at most.

    Raises:
        UsageError: It does; the message names the limit and both numbers.
    """
    asked = parse_manifest(version.manifest).limits
    try:
        granted = grant_limits(asked, ceiling_of(tournament))
    except UsageError as error:
        raise UsageError(f"bot {version.label} cannot enter {tournament.name!r}: {error}") from None
    checked = grant_limits(replace(asked, memory_mib=None, processes=None, cores=None), most)
    for key, had, has in (
        ("memory_mib", checked.memory_bytes // MIB, granted.memory_bytes // MIB),
        ("processes", checked.processes, granted.processes),
    ):
        if getattr(asked, key) is None and has < had:
            raise UsageError(
                f"bot {version.label} cannot enter {tournament.name!r}: it names no {key}, passed its "
                f"check with {had}, and {has} is granted there: submit it with limits.{key} = {has} in "
                f"bot.toml, or raise --{key.replace('_', '-')} of the tournament"
            )
