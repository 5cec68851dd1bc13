"""Finished matches played again: every step, every picture, and the proof that one was what it says.

Owns what a proof consists of. No card of a deal set is shown before all its matches are played. Refuses to
change a fact.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from arena.errors import PlatformError, UsageError
from arena.match.fault import Evidence, Fault, FaultKind
from arena.match.result import MatchResult
from arena.match.verify import Claim
from arena.match.verify import verify as replay_claim
from arena.rules.cards import NotationError
from arena.rules.frames import Frame, frames
from arena.rules.moves import IllegalMoveError
from arena.rules.options import Ruleset
from arena.rules.presets import parse_ruleset
from arena.rules.record import Record, parse_record
from arena.rules.trace import Step
from arena.rules.trace import trace as trace_record
from arena.service.deals import find_deals
from arena.service.matches import MatchFacts, read_facts
from arena.store.pool import Connection, Database
from arena.store.rows import MatchRow
from arena.tournament.plans import parse_plan
from arena.tournament.seating import seat_bots
from arena.tournament.seeds import Deals, hash_secret, make_tournament_key


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was proved, or not."""

    promise: str
    """What should hold."""
    failure: str
    """What was found instead; empty when it holds."""


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


def _read_open(database: Database, match_id: int) -> MatchFacts:
    facts = database.run(lambda connection: read_facts(connection, match_id))
    if not facts.are_open:
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


def verify(database: Database, match_id: int) -> list[Check]:
    """Prove a match from its record: deals, seats, every move, the result and its digest.

    Raises:
        UsageError: There is none of that number.
    """
    return _prove(database.run(lambda connection: read_facts(connection, match_id)))


def prove(connection: Connection, match_id: int) -> list[Check]:
    """Prove a match from its record, in its caller's transaction.

    Raises:
        UsageError: There is none of that number.
    """
    return _prove(read_facts(connection, match_id))


def _prove(facts: MatchFacts) -> list[Check]:
    return [
        _check("the deals were fixed by the secret before the first match", lambda: _deals(facts)),
        _check("the seats are those of the drawn circle and the rotation", lambda: _seats(facts)),
        _check("every move of the record is legal and leads to the result", lambda: _replay(facts)),
        _check("the digest is that of the result", lambda: _digest(facts)),
    ]


def _check(promise: str, find_failure: Callable[[], str]) -> Check:
    try:
        return Check(promise, find_failure())
    except (NotationError, UsageError) as error:
        return Check(promise, str(error))


def _deals(facts: MatchFacts) -> str:
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


def _find_deals(facts: MatchFacts) -> Deals | None:
    met = [entry.digest for entry in facts.entries if entry.number in facts.match.entries]
    return find_deals(facts.tournament, met, facts.match.pairing)


def _seats(facts: MatchFacts) -> str:
    pairing = sorted(facts.match.entries)
    seating = seat_bots(_record(facts).set_key, len(pairing), facts.match.rotation)
    due = [pairing[place] for place in seating]
    return "" if due == list(facts.match.entries) else f"seats {list(facts.match.entries)}, not {due}"


def _replay(facts: MatchFacts) -> str:
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


def _digest(facts: MatchFacts) -> str:
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


def _record(facts: MatchFacts) -> Record:
    return parse_record(facts.stored.record)
