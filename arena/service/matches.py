"""Finished matches: list them, and look at one.

Owns the rule that no card of a deal set is shown before all its matches are played. What plays a match again
is `arena.service.proofs`'s: a listing does not wait for the rules to be loaded. Refuses to change a fact.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from arena.errors import UsageError, nearest, quote
from arena.store import bots, matches, tournaments
from arena.store.pool import Connection, Database
from arena.store.rows import EntryRow, FaultRow, MatchId, MatchRow, RecordRow, TournamentRow


@dataclass(frozen=True, slots=True)
class ShownMatch:
    """A match as anybody may see it."""

    match: MatchRow
    """The facts."""
    faults: Sequence[FaultRow]
    """What bots did wrong, by seat; what may name a card is left out like the record."""
    record: str | None
    """The line that replays it; None while other matches of its deal set are to be played."""


@dataclass(frozen=True, slots=True)
class MatchFacts:
    """All that is stored of a match, cards and secrets too: nothing to be shown as it is."""

    match: MatchRow
    faults: Sequence[FaultRow]
    stored: RecordRow
    tournament: TournamentRow
    entries: Sequence[EntryRow]

    @property
    def are_open(self) -> bool:
        """Whether its cards may be shown."""
        return self.stored.set_done or self.stored.open_hands


def show(database: Database, match_id: int) -> ShownMatch:
    """Return a match.

    Raises:
        UsageError: There is none of that number.
    """
    facts = database.run(lambda connection: read_facts(connection, match_id))
    if facts.are_open:
        return ShownMatch(facts.match, facts.faults, facts.stored.record)
    return ShownMatch(facts.match, [_without_cards(fault) for fault in facts.faults], None)


def list_some(
    database: Database,
    *,
    tournament: str | None = None,
    bot: str | None = None,
    verdict: str | None = None,
    ending: str | None = None,
    with_faults: bool = False,
    before: int | None = None,
    limit: int,
) -> Sequence[MatchRow]:
    """Return the newest matches that meet every condition that is given.

    Args:
        database: Where they are.
        tournament: Of this one alone.
        bot: In which this bot played, or this version of it.
        verdict: In which a bot, or the one of `bot`, was found guilty of this kind of fault.
        ending: Which ended by this.
        with_faults: In which a bot, or the one of `bot`, was at fault, whatever the kind.
        before: With smaller numbers than this one: the next page.
        limit: How many at most.

    Raises:
        UsageError: There is no such tournament, bot, verdict or ending.
    """
    _check_words(verdict, ending)
    last = None if before is None else MatchId(min(before, 2**63 - 1))

    def work(connection: Connection) -> Sequence[MatchRow]:
        wanted = matches.MatchFilter(
            tournament_id=None
            if tournament is None
            else tournaments.get_tournament(connection, tournament).id,
            ending=ending,
            with_faults=with_faults or verdict is not None,
            verdict=verdict,
        )
        if bot is not None and "@" in bot:
            version = bots.get_version(connection, bot)
            wanted = replace(wanted, bot_id=version.bot_id, version_id=version.id)
        elif bot is not None:
            wanted = replace(wanted, bot_id=bots.get_bot(connection, bot).id)
        return matches.list_matches(connection, wanted, limit=limit, before=last)

    return database.run(work)


def _check_words(verdict: str | None, ending: str | None) -> None:
    if verdict is not None:
        from arena.match.fault import FaultKind  # noqa: PLC0415 (listing without a verdict needs no rules)

        _check_word("verdict", verdict, [kind.value for kind in FaultKind])
    if ending is not None:
        from arena.rules.standing import ENDINGS, NOT_OVER  # noqa: PLC0415 (as above)

        _check_word("ending", ending, [word for word in ENDINGS if word != NOT_OVER])


def _check_word(what: str, word: str, known: Sequence[str]) -> None:
    if word not in known:
        raise UsageError(
            f"no {what} is named {quote(word)}{nearest(word, known)}; there are {', '.join(known)}"
        )


def _without_cards(fault: FaultRow) -> FaultRow:
    from arena.match.fault import TELLS_CARDS  # noqa: PLC0415 (as above)

    measured = {name: value for name, value in fault.evidence.items() if name not in TELLS_CARDS}
    return replace(fault, evidence=measured)


def read_facts(connection: Connection, match_id: int) -> MatchFacts:
    """Return all that is stored of a match.

    Raises:
        UsageError: There is none of that number.
    """
    match = matches.find_match(connection, MatchId(match_id)) if 0 < match_id < 2**63 else None
    if match is None:
        raise UsageError(f"no match has the number {match_id}; `arena match list` names them")
    return MatchFacts(
        match,
        matches.list_faults(connection, match.id),
        matches.get_record(connection, match.id),
        tournaments.get_by_id(connection, match.tournament_id),
        tournaments.list_entries(connection, match.tournament_id),
    )
