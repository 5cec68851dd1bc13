"""Promises of throwing away: it is said first, no fact goes, and what is in use or may be stays."""

import json
import os
from pathlib import Path

import pytest

from arena.cli.app import run
from arena.service import bots, roster, watching
from arena.service.prune import DAY_S, prune
from arena.service.standings import tournament_standing
from arena.store.pool import Connection, Database
from tests.fix_queue import add_bots, drain, make_tournament, read_rows


def make_spare(database: Database, bundles: Path) -> None:
    """Finish one tournament, begin another, let two versions fail, unpack four bundles."""
    make_tournament(database, "a", "b")
    drain(database)
    make_tournament(database, "c", "d", name="next")
    add_bots(database, "old", "new")

    def fail(connection: Connection) -> None:
        connection.execute(
            "UPDATE bot_version SET state = 'failed', checked_at = now() - make_interval(days =>"
            " CASE bot.name WHEN 'old' THEN 2 ELSE 0 END)"
            " FROM bot WHERE bot.id = bot_id AND bot.name IN ('old', 'new')"
        )

    database.run(fail)
    needed = roster.get_version(database, "a").digest.hex()
    for name, age_s in ((needed, 9), ("0" * 64, 9), ("1" * 64, 0), ("extract-abc", 9), ("mine", 9)):
        folder = bundles / name
        folder.mkdir(parents=True)
        (folder / "bot.py").write_text("12345")
        past = folder.stat().st_mtime - age_s * DAY_S
        os.utime(folder, (past, past))
        folder.chmod(0o555)


def test_it_is_said_first_and_done_when_asked_for(database: Database, tmp_path: Path) -> None:
    """Counted twice it is the same; removed it is gone, and facts, running play and fresh things stay."""
    make_spare(database, tmp_path)
    rows, standing = read_rows(database), tournament_standing(database, "cup").standing

    said = prune(database, tmp_path)
    done = prune(database, tmp_path, is_done=True)

    assert said == done
    assert [spare.count for spare in said] == [2, 1, 2]
    assert [spare.size for spare in said][1:] == [len("bundle of old"), 10]
    assert [spare.count for spare in prune(database, tmp_path)] == [0, 0, 0]
    assert read_rows(database) == rows
    assert tournament_standing(database, "cup").standing == standing
    assert roster.get_version(database, "old@1").state == "failed"
    assert bots.load_bundle(database, roster.get_version(database, "new@1").digest)
    assert sorted(path.name[:7] for path in tmp_path.iterdir()) == sorted(
        ["1" * 7, roster.get_version(database, "a").digest.hex()[:7], "mine"]
    )
    drain(database)
    assert watching.get(database, "next").state == "finished"


def test_the_command_removes_nothing_unasked(
    database: Database,
    database_url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Without --yes it tells; with it the same figures, and the next time there is nothing."""
    make_spare(database, tmp_path / "data" / "cache" / "bundles")
    flags = ["--data-folder", str(tmp_path / "data"), "prune", "--json"]
    monkeypatch.setenv("ARENA_DATABASE_URL", database_url)

    told = []
    for more in ([], ["--yes"], []):
        assert run([*flags, *more]) == 0
        told.append(json.loads(capsys.readouterr().out))
    assert [facts["removed"] for facts in told] == [False, True, False]
    assert told[0]["spare"] == told[1]["spare"]
    assert [[spare["count"] for spare in facts["spare"]] for facts in told[1:]] == [[2, 1, 2], [0, 0, 0]]
