"""Promises of the queue over time: messages, waiting, pausing, cancelling, workers that come and go."""

import threading
from dataclasses import replace

import pytest

from arena.service import jobs, messages, tournaments, watching
from arena.service.reconcile import reconcile
from arena.store.jobs import queue
from arena.store.pool import Database
from tests.fix_places import AT_DATABASES
from tests.fix_queue import (
    ABLE,
    OpenDatabase,
    claimed,
    count_rows,
    drain,
    expire,
    greet_worker,
    make_outcome,
    make_tournament,
    read_rows,
    take,
)


def test_messages_are_sent_after_the_commit_and_survive_a_dead_broker(database: Database) -> None:
    """A message waits in the outbox until it could be sent; then it is sent once."""
    make_tournament(database, "a", "b")
    sent: list[int] = []

    def refuse(_: object) -> None:
        raise jobs.PlatformError("broker: cannot be reached")

    with pytest.raises(jobs.PlatformError, match="broker"):
        messages.flush(database, refuse)
    first = messages.flush(database, sent.extend)
    second = messages.flush(database, sent.extend)

    assert (first, second, len(sent)) == (1, 0, 1)


def test_a_job_can_be_claimed_while_its_message_is_on_its_way(database: Database) -> None:
    """The fastest worker finds the job unlocked, else its message were spent in vain."""
    make_tournament(database, "a", "b")
    leases: list[jobs.Lease] = []

    messages.flush(database, lambda _: leases.append(claimed(database)))

    assert len(leases) == 1


def test_the_end_of_a_rotation_sends_the_next(database: Database) -> None:
    """At planning the first rotation is announced; finishing it announces the second."""
    make_tournament(database, "a", "b")
    sent: list[int] = []
    messages.flush(database, sent.extend)
    lease = claimed(database)

    jobs.finish(database, lease, make_outcome(lease))
    messages.flush(database, sent.extend)

    assert sent == [lease.job.id, lease.job.id + 1]


def test_a_lost_message_is_sent_again_while_a_worker_waits(database: Database) -> None:
    """The reconciler sends again what a waiting worker should have got, once an interval, and counts it."""
    make_tournament(database, "a", "b")
    messages.flush(database, lambda _: None)
    with database.transaction() as connection:
        connection.execute("UPDATE job SET published_at = clock_timestamp() - interval '1 min'")

    nobody = reconcile(database, resend_s=30, fresh_s=60)
    greet_worker(database, "w1")
    found = reconcile(database, resend_s=30, fresh_s=60)
    waiting = reconcile(database, resend_s=30, fresh_s=60)

    assert (nobody.resent, found.resent, waiting.resent) == (0, 2, 0)


def test_a_worker_takes_only_what_it_can_play(database: Database) -> None:
    """Another rules epoch, a runtime that is missing or a level that is too low leaves the job to others."""
    make_tournament(database, "a", "b")

    for able in (
        replace(ABLE, rules_epoch=99),
        replace(ABLE, protocols=[99]),
        replace(ABLE, runtimes=["node"]),
        replace(ABLE, isolations=["none"]),
    ):
        assert jobs.claim(database, "w1", able, lease_s=2) is None
    assert jobs.claim(database, "w1", ABLE, lease_s=2) is not None


def test_a_message_goes_on_from_a_worker_that_cannot_play_its_job(database: Database) -> None:
    """At once to an idle worker that can; while all those are busy, as soon as one has ended its job."""
    make_tournament(database, "a", "b", "c", deal_sets=1)
    unable = replace(ABLE, runtimes=["node"])
    sent: list[int] = []
    messages.flush(database, sent.extend)
    mine, theirs = sent
    sent.clear()

    greet_worker(database, "able")
    assert not messages.pass_on(database, mine, ABLE)
    assert messages.pass_on(database, theirs, unable)
    messages.flush(database, sent.extend)
    assert sent == [theirs]

    lease = claimed(database, "able")
    assert messages.pass_on(database, theirs, unable)
    messages.flush(database, sent.extend)
    assert sent == [theirs]

    assert jobs.finish(database, lease, make_outcome(lease))
    messages.flush(database, sent.extend)
    assert sent.count(theirs) == 2


def test_a_refused_message_waits_for_a_worker_of_a_good_enough_level(database: Database) -> None:
    """A worker that is idle but too weak is not sent what others have refused, now or by the reconciler."""
    make_tournament(database, "a", "b")
    sent: list[int] = []
    messages.flush(database, sent.extend)
    with database.transaction() as connection:
        connection.execute("UPDATE job SET isolation = 'strict'")
    greet_worker(database, "weak")
    with database.transaction() as connection:
        connection.execute("UPDATE worker SET level = 'userns'")

    assert messages.pass_on(database, sent[0], replace(ABLE, isolations=["userns"]))
    weak = reconcile(database, resend_s=30, fresh_s=60)
    greet_worker(database, "strong")
    strong = reconcile(database, resend_s=30, fresh_s=60)

    assert (weak.resent, strong.resent) == (0, 1)


def test_a_paused_tournament_waits_until_it_is_run_again(database: Database) -> None:
    """Nobody claims its jobs, whichever was asked for; started again, their messages are sent at once."""
    make_tournament(database, "a", "b", deal_sets=1)
    sent: list[int] = []
    messages.flush(database, sent.extend)
    tournaments.pause(database, "cup")
    paused = take(database)
    tournaments.start(database, "cup")
    messages.flush(database, sent.extend)

    assert paused is None
    lease = claimed(database)
    assert sent == [lease.job.id, lease.job.id]


def test_what_goes_on_waits_from_then_on(database: Database) -> None:
    """Workers are not blamed for the night in which a tournament was interrupted."""
    make_tournament(database, "a", "b")
    with database.transaction() as connection:
        connection.execute("UPDATE job SET created_at = created_at - interval '10 hours'")
    before = database.run(queue).oldest_queued_s
    tournaments.pause(database, "cup")

    tournaments.start(database, "cup")

    after = database.run(queue).oldest_queued_s
    assert before is not None
    assert after is not None
    assert 0 <= after < 36_000 <= before


def test_a_cancelled_tournament_takes_its_jobs_from_their_workers(database: Database) -> None:
    """Cancelling keeps what is played, cancels the rest and fences the workers."""
    make_tournament(database, "a", "b", deal_sets=40)
    first = claimed(database)
    jobs.finish(database, first, make_outcome(first))
    lease = claimed(database)

    tournaments.cancel(database, "cup")

    assert not jobs.heartbeat(database, lease, lease_s=2, progress=0, decisions=0)
    assert not jobs.finish(database, lease, make_outcome(lease))
    assert take(database) is None
    assert len(read_rows(database)) == first.job.matches


def test_a_heartbeat_reads_off_the_lease_whether_the_worker_is_busy(database: Database) -> None:
    """A worker with a lease is busy, without one idle again, and paused while it says so."""
    make_tournament(database, "a", "b")
    greet_worker(database, "w1")
    states = [state_of(database)]
    lease = claimed(database, "w1")
    greet_worker(database, "w1")
    states.append(state_of(database))
    with database.transaction() as connection:
        connection.execute(
            "UPDATE job SET state = 'cancelled', lease_until = NULL WHERE id = %s", (lease.job.id,)
        )
    greet_worker(database, "w1")
    states.append(state_of(database))
    greet_worker(database, "w1", "the disk is full")
    states.append(state_of(database))
    greet_worker(database, "w1")

    assert [*states, state_of(database)] == ["idle", "busy", "idle", "paused", "idle"]


def state_of(database: Database) -> str:
    """Return the state of the only worker."""
    with database.transaction() as connection:
        row = connection.execute("SELECT state FROM worker").fetchone()
    assert row is not None
    return str(row[0])


def test_twenty_vanished_workers_fail_a_job(database: Database) -> None:
    """A job that twenty workers took and vanished with is failed and visible, not tried for ever."""
    make_tournament(database, "a", "b", deal_sets=1)
    claimed(database)
    with database.transaction() as connection:
        connection.execute("UPDATE job SET lost = 19 WHERE state = 'leased'")
    expire(database)

    drain(database, "w2")

    assert watching.progress(database, "cup").totals.jobs_failed == 1
    (failure,) = watching.progress(database, "cup").failures
    assert failure == "its worker w1 vanished"


@AT_DATABASES
def test_many_reconcilers_and_planners_plan_nothing_twice(open_database: OpenDatabase) -> None:
    """F14. Reconcilers and finishing workers at the same time: every match is played once."""
    make_tournament(open_database(), *"abcde", deal_sets=24, workers=3)
    is_over = threading.Event()

    def look(database: Database) -> None:
        while not is_over.is_set():
            reconcile(database, resend_s=0, fresh_s=60)

    def play(database: Database, worker: str) -> None:
        greet_worker(database, worker)
        while watching.get(database, "cup").state != "finished":
            drain(database, worker)

    lookers = [threading.Thread(target=look, args=(open_database(),)) for _ in range(2)]
    players = [threading.Thread(target=play, args=(open_database(), f"w{n}")) for n in range(2)]
    for thread in [*lookers, *players]:
        thread.start()
    for thread in players:
        thread.join(120)
    is_over.set()
    for thread in lookers:
        thread.join(60)

    rows = read_rows(open_database())
    assert len(rows) == len({(r.pairing, r.deal_set, r.rotation) for r in rows}) == 10 * 24 * 2
    assert count_rows(open_database(), "job WHERE state <> 'done'") == 0
