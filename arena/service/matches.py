"""Finished matches: look at one, and prove that it was what it says.

Owns what a proof consists of, and the rule that no card of a deal set is shown before all its matches are
played. Refuses to change a fact.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from arena.errors import PlatformError, UsageError, nearest, quote
from arena.match.fault import TELLS_CARDS, Evidence, Fault, FaultKind
from arena.match.result import MatchResult
from arena.match.verify import Claim
from arena.match.verify import verify as replay_claim
from arena.rules.cards import NotationError
from arena.rules.frames import Frame, frames
from arena.rules.moves import IllegalMoveError
from arena.rules.options import Ruleset
from arena.rules.presets import parse_ruleset
from arena.rules.record import Record, parse_record
from arena.rules.standing import ENDINGS, NOT_OVER
from arena.rules.trace import Step
from arena.rules.trace import trace as trace_record
from arena.service.deals import find_deals
from arena.store import bots, matches, tournaments
from arena.store.pool import Connection, Database
from arena.store.rows import EntryRow, FaultRow, MatchId, MatchRow, RecordRow, TournamentRow
from arena.tournament.plans import parse_plan
from arena.tournament.seating import seat_bots
from arena.tournament.seeds import Deals, hash_secret, make_tournament_key


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
class Check:
    """One thing that was proved, or not."""

    promise: str
    """What should hold."""
    failure: str
    """What was found instead; empty when it holds."""


@dataclass(frozen=True, slots=True)
class _Facts:
    match: MatchRow
    faults: Sequence[FaultRow]
    stored: RecordRow
    tournament: TournamentRow
    entries: Sequence[EntryRow]


def show(database: Database, match_id: int) -> ShownMatch:
    """Return a match.

    Raises:
        UsageError: There is none of that number.
    """
    facts = database.run(lambda connection: _read(connection, match_id))
    visible = facts.stored.set_done or facts.stored.open_hands
    if visible:
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
    _check_word("verdict", verdict, [kind.value for kind in FaultKind])
    _check_word("ending", ending, [word for word in ENDINGS if word != NOT_OVER])
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


def _check_word(what: str, word: str | None, known: Sequence[str]) -> None:
    if word is not None and word not in known:
        raise UsageError(
            f"no {what} is named {quote(word)}{nearest(word, known)}; there are {', '.join(known)}"
        )


def trace(database: Database, match_id: int) -> list[Step]:
    """Return every step of a match whose deal set is done.

    Raises:
        UsageError: There is none of that number, or its cards are not to be shown yet.
        PlatformError: The record is not one that this arena can play again.
    """
    facts = _read_open(database, match_id)
    with _replaying(match_id):
        return list(trace_record(_record(facts), parse_ruleset(facts.stored.ruleset_text)))


def replay(database: Database, match_id: int) -> tuple[MatchRow, Sequence[Frame]]:
    """Return a match whose deal set is done, and its pictures in order.

    Raises:
        UsageError: There is none of that number, or its cards are not to be shown yet.
        PlatformError: The record is not one that this arena can play again.
    """
    facts = _read_open(database, match_id)
    with _replaying(match_id):
        return facts.match, list(frames(_record(facts), parse_ruleset(facts.stored.ruleset_text)))


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match whose cards may be shown, with what playing it again needs."""

    match: MatchRow
    record: Record
    ruleset: Ruleset
    deals: Deals | None
    """From which the seeds of its bots came."""


def read_played(database: Database, match_id: int) -> PlayedMatch:
    """Return a match whose deal set is done.

    Raises:
        UsageError: There is none of that number, or its cards are not to be shown yet.
        PlatformError: The record cannot be read.
    """
    facts = _read_open(database, match_id)
    with _replaying(match_id):
        ruleset = parse_ruleset(facts.stored.ruleset_text)
        return PlayedMatch(facts.match, _record(facts), ruleset, _find_deals(facts))


def _read_open(database: Database, match_id: int) -> _Facts:
    facts = database.run(lambda connection: _read(connection, match_id))
    if not (facts.stored.set_done or facts.stored.open_hands):
        raise UsageError(f"match {match_id}: its cards are shown when all matches of its deal set are played")
    return facts


@contextmanager
def _replaying(match_id: int) -> Iterator[None]:
    try:
        yield
    except (NotationError, IllegalMoveError) as error:
        raise PlatformError(
            f"match {match_id}: its record does not replay: {error}; see `arena match verify {match_id}`"
        ) from error


def _without_cards(fault: FaultRow) -> FaultRow:
    measured = {name: value for name, value in fault.evidence.items() if name not in TELLS_CARDS}
    return replace(fault, evidence=measured)


def verify(database: Database, match_id: int) -> list[Check]:
    """Prove a match from its record: deals, seats, every move, the result and its digest.

    Raises:
        UsageError: There is none of that number.
    """
    return _prove(database.run(lambda connection: _read(connection, match_id)))


def prove(connection: Connection, match_id: int) -> list[Check]:
    """Prove a match from its record, in its caller's transaction.

    Raises:
        UsageError: There is none of that number.
    """
    return _prove(_read(connection, match_id))


def _prove(facts: _Facts) -> list[Check]:
    return [
        _check("the deals were fixed by the secret before the first match", lambda: _deals(facts)),
        _check("the seats are those of the drawn circle and the rotation", lambda: _seats(facts)),
        _check("every move of the record is legal and leads to the result", lambda: _replay(facts)),
        _check("the digest is that of the result", lambda: _digest(facts)),
    ]


def _read(connection: Connection, match_id: int) -> _Facts:
    match = matches.find_match(connection, MatchId(match_id)) if 0 < match_id < 2**63 else None
    if match is None:
        raise UsageError(f"no match has the number {match_id}; `arena match list` names them")
    return _Facts(
        match,
        matches.list_faults(connection, match.id),
        matches.get_record(connection, match.id),
        tournaments.get_by_id(connection, match.tournament_id),
        tournaments.list_entries(connection, match.tournament_id),
    )


def _check(promise: str, find_failure: Callable[[], str]) -> Check:
    try:
        return Check(promise, find_failure())
    except (NotationError, UsageError) as error:
        return Check(promise, str(error))


def _deals(facts: _Facts) -> str:
    tournament = facts.tournament
    if hash_secret(tournament.secret) != tournament.secret_hash:
        return "the secret does not have the published hash"
    digests = [entry.digest for entry in facts.entries]
    key = make_tournament_key(tournament.secret, tournament.ruleset_digest, digests)
    if key != tournament.tournament_key and not parse_plan(tournament.format).is_ladder:
        return "the tournament's key does not follow from secret, ruleset and entered versions"
    deals = _find_deals(facts)
    if deals is None or _record(facts).set_key != deals.set_key(facts.match.entries, facts.match.deal_set):
        return "the record's key is not that of its deal set"
    return ""


def _find_deals(facts: _Facts) -> Deals | None:
    met = [entry.digest for entry in facts.entries if entry.number in facts.match.entries]
    return find_deals(facts.tournament, met, facts.match.pairing)


def _seats(facts: _Facts) -> str:
    pairing = sorted(facts.match.entries)
    seating = seat_bots(_record(facts).set_key, len(pairing), facts.match.rotation)
    due = [pairing[place] for place in seating]
    return "" if due == list(facts.match.entries) else f"seats {list(facts.match.entries)}, not {due}"


def _replay(facts: _Facts) -> str:
    row = facts.match
    claim = Claim(
        record=facts.stored.record,
        places=tuple(row.places),
        totals=tuple(row.totals),
        rounds=row.rounds,
        decisions=row.decisions,
        ending=row.ending,
        left=tuple(fault.seat for fault in facts.faults),
    )
    return "; ".join(replay_claim(claim, parse_ruleset(facts.stored.ruleset_text)))


def _digest(facts: _Facts) -> str:
    row = facts.match
    faults = tuple(Fault(FaultKind(fault.kind), fault.seat, Evidence()) for fault in facts.faults)
    result = MatchResult(
        places=tuple(row.places),
        totals=tuple(row.totals),
        rounds=row.rounds,
        decisions=row.decisions,
        ending=row.ending,
        faults=faults,
        record=facts.stored.record,
        seats=(),
    )
    return "" if result.sha256() == facts.stored.sha256.hex() else "it is another one"


def _record(facts: _Facts) -> Record:
    return parse_record(facts.stored.record)
