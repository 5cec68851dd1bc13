"""Promises about stored bots: names, owners, versions, references."""

import hashlib
import threading

import pytest

from arena.errors import UsageError
from arena.store import bots
from arena.store.pool import Connection, Database
from arena.store.rows import BotRow, VersionRow
from tests.fix_queue import OpenDatabase


def add(database: Database, name: str, content: bytes = b"x", *, passed: bool | None = True) -> VersionRow:
    """Store a version of a bot."""

    def work(connection: Connection) -> VersionRow:
        bot = bots.add_bot(connection, name, "me")
        digest = hashlib.sha256(content).digest()
        version, _ = bots.add_version(connection, bot.id, digest, "", "python", content)
        if passed is not None:
            bots.set_checked(connection, version.id, passed=passed, report="", stderr="")
        return version

    return database.run(work)


def label(database: Database, reference: str) -> str:
    """Return what a reference names."""
    return database.run(lambda connection: bots.get_version(connection, reference)).label


def test_the_same_bytes_are_the_same_version(database: Database) -> None:
    """Submitting the same bundle again changes nothing; other bytes are the next version."""
    first, again, other = add(database, "a", b"1"), add(database, "a", b"1"), add(database, "a", b"2")

    assert (first.id, first.number, other.number) == (again.id, 1, 2)
    assert database.run(lambda connection: bots.get_bundle(connection, first.digest)) == b"1"


def test_the_name_means_the_newest_version_that_passed(database: Database) -> None:
    """`name` is the newest checked version; `@` names any version by number or digest."""
    first = add(database, "Bot", b"1")
    add(database, "Bot", b"2", passed=False)
    add(database, "Bot", b"3", passed=None)

    assert label(database, "bot") == "Bot@1"
    assert label(database, "Bot@2") == "Bot@2"
    assert label(database, f"Bot@{first.digest.hex()[:8]}") == "Bot@1"
    assert label(database, f"BOT@{first.digest.hex().upper()}") == "Bot@1"


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        ("greedi", r"no bot is named 'greedi' \(did you mean 'greedy'"),
        ("bots/greedy", r"'bots/greedy' is a path, and a name is wanted here; `arena bot submit PATH`"),
        ("greedy@7", "names no version; 'greedy' has version 1, see"),
        ("greedy@", "names no version"),
        ("greedy@zz", "names no version"),
        ("'; DROP TABLE bot; --", "no bot is named"),
        ("x" * 100_000, "no bot is named"),
        ("greedy@" + "9" * 1000, "names no version"),
    ],
)
def test_a_reference_that_names_nothing_is_refused(database: Database, reference: str, said: str) -> None:
    """Whatever is typed, the answer is one sentence with the nearest known name."""
    add(database, "greedy", passed=False)

    with pytest.raises(UsageError, match=said):
        label(database, reference)


def test_an_ambiguous_digest_is_refused(database: Database) -> None:
    """The beginning of two digests names neither."""
    known: dict[str, bytes] = {}
    for number in range(10_000):
        content = str(number).encode()
        start = hashlib.sha256(content).hexdigest()[:4]
        if start in known and not start.isdecimal():
            add(database, "a", known[start])
            add(database, "a", content)
            break
        known[start] = content

    with pytest.raises(UsageError, match="more than one version"):
        label(database, f"a@{start}")


def test_names_that_differ_in_case_are_one_name(database: Database) -> None:
    """A second spelling is refused with the first, and so is another owner."""
    add(database, "Greedy")

    with pytest.raises(UsageError, match="exists as 'Greedy'"):
        add(database, "greedy")
    with pytest.raises(UsageError, match="belongs to 'me', not to 'you'"):
        database.run(lambda connection: bots.add_bot(connection, "Greedy", "you"))


def test_two_submissions_at_once_get_two_numbers(open_database: OpenDatabase) -> None:
    """Versions of one bot submitted at the same moment are numbered without gap or clash."""
    databases = [open_database() for _ in range(4)]
    threads = [
        threading.Thread(target=add, args=(database, "a", str(number).encode()))
        for number, database in enumerate(databases)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    def read(connection: Connection) -> tuple[BotRow, list[VersionRow]]:
        bot = bots.get_bot(connection, "a")
        return bot, bots.list_versions(connection, bot.id)

    bot, versions = databases[0].run(read)
    assert [version.number for version in versions] == [4, 3, 2, 1]
    assert (bot.versions, bot.newest_checked) == (4, 4)


def test_a_retired_version_is_no_longer_what_the_name_means(database: Database) -> None:
    """Retiring the newest version makes the one before it the newest; the number still names it."""
    add(database, "a", b"1")
    newest = add(database, "a", b"2")

    database.run(lambda connection: bots.set_retired(connection, newest.bot_id, newest.id, retired=True))

    assert label(database, "a") == "a@1"
    assert label(database, "a@2") == "a@2"


def test_what_a_bot_writes_is_stored_whatever_it_is(database: Database) -> None:
    """A NUL in a bot's output does not keep its check from being written down."""
    version = add(database, "a", passed=None)

    database.run(
        lambda connection: bots.set_checked(
            connection, version.id, passed=False, report="r\0", stderr="\0\x1b[31m\N{RIGHT-TO-LEFT OVERRIDE}"
        )
    )

    stored = database.run(lambda connection: bots.get_version(connection, "a@1"))
    assert (stored.state, stored.check_report) == ("failed", "r\\0")
