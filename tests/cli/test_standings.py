"""Promises of `arena standings`, on a real database."""

import json
from collections.abc import Callable

import pytest

from arena.cli.app import run
from arena.store.pool import Connection, Database
from tests.fix_db import all_rows
from tests.fix_terminal import Commands
from tests.service.test_standings import play, write_tournament


@pytest.fixture
def cup(database: Database, database_url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Give the URL of a database with a tournament under way."""

    def write(connection: Connection) -> None:
        row = write_tournament(connection, "cup", ["weak", "strong", "mid"])
        play(connection, row, 0, [(1, 1), (1, 1)])
        play(connection, row, 1, [(2, 2)])
        play(connection, row, 2, [(1, 2), (1, -1)])

    database.run(write)
    monkeypatch.setenv("ARENA_DATABASE_URL", database_url)
    return database_url


def test_the_standing_as_it_looks(cup: str, arena: Commands, golden: Callable[[str, str], None]) -> None:
    """On a terminal, on a narrow one, and on a pipe: these very screens."""
    golden("standings", arena.on_terminal("standings", "cup", ARENA_DATABASE_URL=cup).screen)
    golden("standings_narrow", arena.on_terminal("standings", columns=60, ARENA_DATABASE_URL=cup).screen)
    golden("standings_pipe", arena("standings", "--anchor", "weak=1000", ARENA_DATABASE_URL=cup).out)


def test_no_colour_is_respected(cup: str, arena: Commands) -> None:
    """With NO_COLOR there is no colour in the output."""
    ended = arena.on_terminal("standings", ARENA_DATABASE_URL=cup, NO_COLOR="1")

    assert "\x1b[3" not in ended.out


def test_a_locale_without_unicode_is_served(cup: str, arena: Commands) -> None:
    """In the C locale with ASCII the table is still a table."""
    ended = arena("standings", ARENA_DATABASE_URL=cup, PYTHONIOENCODING="ascii")

    assert (ended.code, ended.err) == (0, "")
    assert "+/-" in ended.out
    assert ended.out.isascii()


@pytest.mark.usefixtures("cup")
def test_the_json_has_every_figure(capsys: pytest.CaptureFixture[str]) -> None:
    """`--json` gives the rows with their intervals, unrounded."""
    assert run(["standings", "--json"]) == 0

    facts = json.loads(capsys.readouterr().out)
    assert (facts["tournament"], facts["state"], facts["rated"], facts["seats"]) == (
        "cup",
        "running",
        True,
        2,
    )
    assert [row["name"] for row in facts["rows"]] == ["strong@1", "mid@1", "weak@1"]
    assert all(row["plus_minus"] > 0 for row in facts["rows"])


MISTAKES: list[tuple[list[str], str]] = [
    (["standings", "cupp"], "no tournament is named 'cupp' (did you mean 'cup'?)"),
    (["standings", "--anchor", "strnog"], "did you mean 'strong@1'"),
    (["tournament", "show", "cupp"], "did you mean 'cup'"),
    (["tournament", "watch", "cupp"], "did you mean 'cup'"),
    (["tournament", "run", "new"], "name its bots"),
    (["tournament", "run", "cupp"], "tournament 'cupp' is new (did you mean 'cup'?): name its bots"),
    (["tournament", "create", "new", "--format", "swis"], "'ladder' (did you mean 'swiss'?)"),
    (["completion", "zhs"], "'fish' (did you mean 'zsh'?)"),
    (["bot", "show", "weak@9"], "'weak@9' names no version; 'weak' has version 1, see `arena bot show weak`"),
    (["bot", "show", "weak@1"], "'weak@1' is one version, and all are shown: `arena bot show weak`"),
    (["tournament", "run", "cup", "--sets", "7"], "--sets cannot change it"),
    (["tournament", "run", "cup", "weak", "strong"], "exists with other arguments"),
    (["tournament", "enter", "cup", "weak"], "its entries are closed"),
    (["tournament", "create", "new", "strnog", "weak"], "no bot is named 'strnog'"),
    (["tournament", "create", "new", "weak"], "needs at least 2 entries"),
    (["tournament", "create", "new", "--sets", "0"], "deal sets of a pairing: 1 to"),
    (["tournament", "create", "new", "--budget-ms", "0"], "--budget-ms: 1 to"),
    (["tournament", "create", "new", "--budget-ms", "100"], "lower the budget"),
    (["tournament", "create", "new", "--seats", "11"], "11 seats"),
    (["tournament", "create", "new", "--secret", "12"], "64 hexadecimal digits"),
    (["tournament", "create", "new", "--rules", "no.toml"], "no.toml"),
    (["tournament", "create", "new", "--sandbox", "strickt"], "did you mean 'strict'"),
    (["tournament", "create", "\x1b[1m"], "tournament name"),
    (["match", "show", "999"], "no match has the number 999"),
    (["match", "verify", "0"], "no match has the number 0"),
]


@pytest.mark.usefixtures("cup")
def test_a_mistake_stores_nothing(
    subtests: pytest.Subtests, capsys: pytest.CaptureFixture[str], database: Database
) -> None:
    """Exit code 2 and one line that names the nearest known word or what is allowed; no row changes."""
    before = database.run(all_rows)
    for arguments, message in MISTAKES:
        with subtests.test(arguments=arguments):
            assert run(arguments) == 2

            printed = capsys.readouterr()
            assert message in printed.err
            assert printed.err.count("\n") == 1
            assert printed.out == ""
    after = database.run(all_rows)
    assert before["tournament"]
    assert before["match"]
    assert after == before


@pytest.mark.usefixtures("cup")
def test_tournaments_are_listed_and_shown(capsys: pytest.CaptureFixture[str]) -> None:
    """The list and the page of one tournament name its state; a secret stays secret before the end."""
    assert run(["tournament", "list"]) == 0
    assert run(["tournament", "show"]) == 0
    text = capsys.readouterr().out
    assert text.count("running") == 2
    assert "secret: " not in text

    assert run(["tournament", "list", "--json"]) == 0
    assert run(["tournament", "show", "--json"]) == 0
    assert '"secret":' not in capsys.readouterr().out


def test_entries_open_with_the_published_hash(
    database: Database, database_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Created without bots, a tournament prints the hash of its secret and takes bots until it runs."""
    monkeypatch.setenv("ARENA_DATABASE_URL", database_url)
    database.run(lambda connection: write_tournament(connection, "old", ["ann", "bob"]))
    database.run(lambda connection: connection.execute("UPDATE bot_version SET state = 'checked'"))

    assert run(["tournament", "create", "cup", "--sets", "3"]) == 0
    assert "secret hash: " in capsys.readouterr().out
    assert run(["tournament", "enter", "cup", "ann", "--twin", "ann"]) == 0

    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()[1:]] == ["ann@1", "ann@1"]
    assert run(["tournament", "enter", "cup", "ann"]) == 2
    assert run(["tournament", "watch", "cup"]) == 2
    assert "has not begun" in capsys.readouterr().err


@pytest.mark.usefixtures("cup")
@pytest.mark.parametrize(("method", "name"), [("glicko2", "Glicko-2"), ("openskill", "OpenSkill mu")])
def test_an_online_rating_is_named_as_such(
    method: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """On screen it says what it is and what to trust instead; programs get the same."""
    assert run(["standings", "cup", "--method", method]) == 0
    shown = capsys.readouterr().out
    assert f"{name}, an online rating; incomplete" in shown
    assert "in schedule order" in shown
    assert run(["standings", "--method", method, "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["method"], facts["is_online"]) == (method, True)
    assert facts["rows"][0]["bot"] == "strong@1"
    assert run(["standings", "--method", method, "--csv"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "bot,number,rating,plus_minus,matches,rank,group,note"
    assert run(["standings", "--method", method, "--anchor", "weak"]) == 2


@pytest.mark.parametrize(("won", "is_shared"), [(22, True), (26, False)])
def test_it_is_explained_why_who_is_told_apart_shares_ranks(
    database: Database,
    database_url: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    won: int,
    is_shared: bool,
) -> None:
    """Where neighbours are told apart and the ranges of ranks overlap a line says why, and nowhere else."""

    def write(connection: Connection) -> None:
        row = write_tournament(connection, "cup", ["a", "b", "c"])
        for pairing, (better, worse) in enumerate([(0, 1), (0, 2), (1, 2)]):
            play(connection, row, pairing, [(better, better)] * won + [(worse, worse)] * (30 - won))

    database.run(write)
    monkeypatch.setenv("ARENA_DATABASE_URL", database_url)
    assert run(["standings", "cup", "--columns", "bot,ranks,sets_to_next"]) == 0

    said = capsys.readouterr().out
    assert said.split("\n")[3].split() == ["a@1", "1", "told"]
    assert ("1-3" in said) is is_shared
    assert ('"told" is about two neighbours, ranks about all others' in said) is is_shared
