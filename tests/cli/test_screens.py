"""The main screens, in a pseudo-terminal and on a pipe; `ARENA_GOLDEN=write` writes them anew."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from arena.store.jobs import WorkerCard, greet
from arena.store.pool import Connection, Database
from tests.fix_terminal import Commands
from tests.service.test_standings import play, write_tournament

SCREENS = {
    "bot_list": ["bot", "list"],
    "bot_show": ["bot", "show", "strong"],
    "tournament_list": ["tournament", "list"],
    "tournament_show": ["tournament", "show", "cup"],
    "match_list": ["match", "list", "cup", "--bot", "weak", "--limit", "3"],
    "match_show": ["match", "show", "4"],
    "match_why": ["match", "why", "4"],
    "bot_logs": ["bot", "logs", "weak"],
    "prune": ["prune"],
    "config_show": ["config", "show"],
    "unknown_bot": ["bot", "show", "strnog"],
    "unknown_command": ["tournament", "crate"],
    "unknown_option": ["standings", "--jsn"],
    "help_run": ["tournament", "run", "--help"],
}
"""Each screen and what is typed for it."""
PASSING = [
    (re.compile(r"\d{4}-\d\d-\d\d( \d\d:\d\d)?"), lambda found: "2026-01-01 00:00"[: len(found[0])]),
    (re.compile(r"\b(?:[0-9a-f]{64}|[0-9a-f]{12})\b"), lambda found: "0" * len(found[0])),
    (re.compile(r"test_\d+\?\S+"), lambda _: "test"),
]
"""What differs from run to run, and what stands for it."""


@pytest.mark.parametrize("name", SCREENS)
def test_a_screen_as_it_looks(
    name: str, database: Database, database_url: str, arena: Commands, golden: Callable[[str, str], None]
) -> None:
    """On a terminal of 80 columns and on a pipe: these very lines, but for dates and digests."""

    def write(connection: Connection) -> None:
        row = write_tournament(connection, "cup", ["weak", "strong", "mid"])
        play(connection, row, 0, [(1, 1), (1, 1)])

    database.run(write)
    more = {} if name == "config_show" else {"ARENA_DATABASE_URL": database_url}
    screen = arena.on_terminal(*SCREENS[name], columns=80, **more).screen
    piped = arena(*SCREENS[name], **more)
    text = f"{screen}--- pipe, exit code {piped.code}\n{piped.out}{piped.err}"
    for pattern, stand_in in PASSING:
        text = pattern.sub(stand_in, text)

    golden(f"screen_{name}", text)


NARROW = {"bot_list": ["bot", "list"], "status": ["status"]}
"""Screens that an operator looks at in a corner of the desk."""


@pytest.mark.parametrize("name", NARROW)
def test_a_narrow_screen_as_it_looks(
    name: str, database: Database, database_url: str, arena: Commands, golden: Callable[[str, str], None]
) -> None:
    """On a terminal of 40 columns: nothing is wider, and what has no room is named."""

    def write(connection: Connection) -> None:
        for bot in ("colour-keeper-with-a-long-name", "strong"):
            write_tournament(connection, f"cup-of-{bot}", [bot])
        card = WorkerCard("machine-0-4711", "machine", 1, 0, "0", 1, 1, ["python", "node"], "strict")
        greet(connection, replace(card, notice="no metrics at 127.0.0.1:9300: Address already in use"))
        greet(connection, replace(card, id="machine-1-4712"), "the disk of the data folder is full")

    database.run(write)
    more = {"ARENA_DATABASE_URL": database_url, "ARENA_BROKER_URL": "redis://localhost:1/0"}
    screen = arena.on_terminal(*NARROW[name], columns=40, ARENA_RECONCILE_S="600", **more).screen
    for pattern, stand_in in PASSING:
        screen = pattern.sub(stand_in, screen)

    golden(f"narrow_{name}", screen)
    # A command to copy stays one line.
    assert max(len(line) for line in screen.splitlines() if not line.startswith("next: ")) <= 40


@pytest.mark.parametrize(
    "url", ["postgresql://arena:geheim@db/arena", "postgresql://db/arena?user=arena&password=geheim&port=1"]
)
def test_no_password_is_shown(url: str, arena: Commands) -> None:
    """`config show` hides a password wherever an address holds it, for people and for programs."""
    for form in [], ["--json"]:
        shown = arena("config", "show", *form, ARENA_DATABASE_URL=url)

        assert shown.code == 0
        assert "geheim" not in shown.out
        assert "postgresql://" in shown.out
