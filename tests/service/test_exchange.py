"""Promises of a tournament as a file: the same facts, the same standing, and nothing that is not true."""

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import pytest

from arena.errors import UsageError
from arena.rules.presets import preset
from arena.service import tournaments
from arena.service.exchange import export_tournament, import_tournament
from arena.service.proofs import verify
from arena.service.standings import tournament_standing
from arena.service.tournaments import TournamentSpec
from arena.store import bots, matches
from arena.store.matches import NewUsage, PlayedBy
from arena.store.pool import Connection, Database
from arena.store.rows import JobId, NewDeath, NewFault
from tests.fix_db import make_database
from tests.service.test_matches import store_matches

PAGE = Path(__file__).resolve().parents[2] / "docs" / "export.md"


@pytest.fixture
def empty(postgres: object) -> Iterator[Database]:
    """Give a second, empty arena."""
    with make_database(postgres) as url, Database(url) as other:  # type: ignore[arg-type]
        yield other


def write_cup(connection: Connection) -> None:
    """Store a finished tournament with two played matches, a death and an annulment."""
    store_matches(connection)
    cup = tournaments.store.get_tournament(connection, "cup")
    where = PlayedBy(cup.id, 0, 0, JobId(1), 1, "w", "strict", "", "")
    matches.add_deaths(connection, where, [NewDeath(0, "crashed", {"detail": "gone \u2028 \\ \n"})])
    matches.add_usage(connection, where, [NewUsage(0, 41 << 20, 256 << 20, "control group", 3)])
    connection.execute("UPDATE tournament SET state = 'finished', finished_at = now()")
    connection.execute("INSERT INTO annulment (reason, worker) VALUES ('a test', 'nobody')")
    connection.execute("INSERT INTO annulled_play SELECT id, 2 FROM annulment")
    # The digests of the made-up bots are not those of their bytes.
    connection.execute("UPDATE bundle SET content = 'weird'")


@pytest.fixture
def lines(database: Database) -> Sequence[str]:
    """Give the file of such a tournament."""
    database.run(write_cup)
    return list(export_tournament(database, "cup"))


def sealed(lines: Sequence[str]) -> list[str]:
    """Return lines with a last line that fits what stands before it."""
    body = list(lines[:-1])
    digest = hashlib.sha256("".join(body).encode()).hexdigest()
    return [*body, json.dumps({"fact": "end", "lines": len(body), "sha256": digest}) + "\n"]


def test_a_copy_has_the_same_standing_and_the_same_file(
    database: Database, empty: Database, lines: Sequence[str]
) -> None:
    """Every digit of the standing, every proof, every line of the file; and the copy can be played in."""
    done = import_tournament(empty, lines)

    assert (done.tournament, done.matches, done.rows) == ("cup", 2, len(lines) - 2)
    ours, copied = (tournament_standing(each, "cup") for each in (database, empty))
    assert asdict(copied.standing) == asdict(ours.standing)
    assert copied.standing.matches == 2
    assert not any(check.failure for number in (1, 2) for check in verify(empty, number))
    assert list(export_tournament(empty, "cup")) == list(lines)
    empty.run(lambda connection: bots.add_bot(connection, "newcomer", "ann"))
    spec = TournamentSpec(name="next", ruleset=preset("mattel"))
    assert tournaments.create(empty, spec).id > ours.tournament.id


def test_the_page_names_every_key(lines: Sequence[str]) -> None:
    """docs/export.md lists all kinds in their order, each with all its keys."""
    documented = {
        kind: re.findall(r"`(\w+)`", keys)
        for kind, keys in re.findall(r"^\| `(\w+)` \| (.*) \|$", PAGE.read_text(), re.MULTILINE)
    }
    facts = [json.loads(line) for line in lines[1:-1]]
    written = {fact["fact"]: [key for key in fact if key != "fact"] for fact in facts}

    assert [kind for kind in documented if kind in written] == list(written)
    assert {kind: documented[kind] for kind in written} == written
    assert set(documented) - set(written) == {"bundle", "fault"}


def _forge(kind: str, key: str, value: object) -> Callable[[Sequence[str]], list[str]]:
    def forge(lines: Sequence[str]) -> list[str]:
        facts = [json.loads(line) for line in lines]
        for fact in facts:
            if fact["fact"] == kind:
                fact[key] = value
                break
        return sealed([json.dumps(fact) + "\n" for fact in facts])

    return forge


def _without(kind: str) -> Callable[[Sequence[str]], list[str]]:
    return lambda lines: sealed([line for line in lines if json.loads(line)["fact"] != kind])


BAD = {
    "cut off": (lambda lines: lines[:-1], "without its last line"),
    "a line lost": (lambda lines: [*lines[:-2], lines[-1]], "are not those that were written"),
    "empty": (lambda _: [], "stops after line 0"),
    "something else": (lambda _: ["hello\n"], "line 1: no JSON object"),
    "no head": (lambda lines: lines[1:], "line 1: this is no file of"),
    "another schema": (_forge("arena-export", "schema", 999), "schema 999"),
    "another kind": (_forge("bot", "fact", "pg_authid"), "no kind of line is called 'pg_authid'"),
    "a name": (_forge("arena-export", "tournament", "\x1b[31m"), "is not allowed"),
    "a type": (_forge("match", "rounds", "many"), "these are no match rows of this schema"),
    "a reference": (_forge("entry", "version_id", 77), "these are no entry rows of this schema"),
    "a result": (_forge("match", "totals", [1, 2]), "match 1: not true that every move"),
    "a secret": (_forge("tournament", "secret", "\\x" + "00" * 32), "not true that the deals"),
    "under way": (_forge("tournament", "state", "running"), "and that over"),
    "no record": (_without("match_record"), "match 1 has no record"),
    "no bots": (_without("entry"), "not true that the deals"),
}


@pytest.mark.parametrize("what", BAD)
def test_what_is_not_true_is_not_stored(what: str, empty: Database, lines: Sequence[str]) -> None:
    """Damaged, forged or strange: one sentence that says where, and the arena stays empty."""
    change, said = BAD[what]
    with pytest.raises(UsageError, match=re.escape(said)) as refused:
        import_tournament(empty, change(lines))

    assert "\n" not in str(refused.value)
    assert import_tournament(empty, lines).matches == 2


def test_a_bundle_of_other_bytes_is_refused(
    database: Database, empty: Database, lines: Sequence[str]
) -> None:
    """With the programs in the file, their digests are proved too."""
    assert not [line for line in lines if '"fact":"bundle"' in line]

    with pytest.raises(UsageError, match="its bytes have another digest"):
        import_tournament(empty, export_tournament(database, "cup", with_bundles=True))


def test_nothing_is_written_over_and_nothing_shown_early(database: Database, lines: Sequence[str]) -> None:
    """An arena with bots takes no file; a tournament under way gives none."""
    with pytest.raises(UsageError, match="into an empty one"):
        import_tournament(database, lines)
    database.run(lambda connection: connection.execute("UPDATE tournament SET state = 'running'"))

    with pytest.raises(UsageError, match="its cards are not to be shown before its end"):
        next(export_tournament(database, "cup"))


def test_faults_travel_with_their_matches(database: Database, empty: Database) -> None:
    """A fault with its evidence is a line of its own and comes back as it was."""

    def write(connection: Connection) -> None:
        store_matches(connection, faults=[NewFault(0, "timed_out", {"limit_ms": 20})])
        connection.execute("UPDATE tournament SET state = 'cancelled', finished_at = now()")

    database.run(write)
    file = list(export_tournament(database, "cup"))
    import_tournament(empty, file, is_proving=False)

    assert sum('"fact":"fault"' in line for line in file) == 2
    assert list(export_tournament(empty, "cup")) == file
