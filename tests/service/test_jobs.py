"""Promises of the queue: claims, fences, results exactly once, what follows from a result."""

import random
import threading
from dataclasses import replace

from arena.service import jobs, tournaments, watching
from arena.service.status import status
from arena.store.pool import Database
from arena.store.rows import NewDeath, NewFault
from tests.fix_queue import (
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


def test_a_tournament_is_played_to_its_end(database: Database) -> None:
    """Every match of every pairing, deal set and rotation has one row, and the tournament is finished."""
    make_tournament(database, "a", "b", "c", deal_sets=20)

    drain(database)

    rows = read_rows(database)
    assert len(rows) == 3 * 20 * 2
    assert len({(row.pairing, row.deal_set, row.rotation) for row in rows}) == len(rows)
    assert watching.get(database, "cup").state == "finished"


def test_tables_of_three_are_played_in_three_rotations(database: Database) -> None:
    """With three seats a deal set has three matches, in jobs of their own."""
    make_tournament(database, "a", "b", "c", "d", seats=3, deal_sets=5)

    drain(database)

    assert len(read_rows(database)) == 4 * 5 * 3
    assert {row.rotation for row in read_rows(database)} == {0, 1, 2}


def test_no_job_is_claimed_while_another_rotation_of_its_sets_is_leased(database: Database) -> None:
    """Of a single block one worker gets one rotation, and the next worker nothing until that one ended."""
    make_tournament(database, "a", "b")

    first = claimed(database, "w1")
    second = take(database, "w2")
    jobs.finish(database, first, make_outcome(first))
    third = claimed(database, "w2")

    assert second is None
    assert (first.job.rotation, third.job.rotation) == (0, 1)
    assert first.job.sets == third.job.sets


def test_a_hundred_racing_claims_give_each_job_once(open_database: OpenDatabase) -> None:
    """However many claim at once, no job is leased twice, and no two rotations of a set together."""
    make_tournament(open_database(), *"abcdefgh", deal_sets=8, workers=8)
    leases: list[jobs.Lease] = []

    def run(name: str, database: Database) -> None:
        for _ in range(12):
            if (lease := take(database, name)) is not None:
                leases.append(lease)

    threads = [threading.Thread(target=run, args=(f"w{n}", open_database())) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len({lease.job.id for lease in leases}) == len(leases) > 0
    keys = [(lease.job.pairing, number) for lease in leases for number in lease.job.sets]
    assert len(set(keys)) == len(keys)


def test_a_lease_that_ran_out_is_taken_over_with_the_next_fence(database: Database) -> None:
    """A job whose worker vanished is claimed again; it counts the attempt and the loss."""
    make_tournament(database, "a", "b")
    first = claimed(database, "w1")
    expire(database)

    second = claimed(database, "w2")

    assert second.job.id == first.job.id
    assert (second.job.fence, second.job.attempts, second.job.lost, second.job.infra) == (2, 2, 1, 0)


def test_a_worker_that_comes_back_is_fenced(database: Database) -> None:
    """After its lease was taken over, a worker's heartbeat and result are refused and nothing is written."""
    make_tournament(database, "a", "b")
    first = claimed(database, "w1")
    expire(database)
    second = claimed(database, "w2")

    beat = jobs.heartbeat(database, first, lease_s=2, progress=1, decisions=1)
    late = jobs.finish(database, first, make_outcome(first))

    assert (beat, late) == (False, False)
    assert read_rows(database) == []
    assert jobs.finish(database, second, make_outcome(second))
    assert count_rows(database, "match WHERE fence = 2") == 4


def test_a_late_result_counts_while_nobody_else_took_the_job(database: Database) -> None:
    """A lease that ran out unnoticed still lets its own result in: the fence decides, not the clock."""
    make_tournament(database, "a", "b")
    lease = claimed(database)
    expire(database)

    assert jobs.finish(database, lease, make_outcome(lease))


def test_the_same_result_twice_is_written_once(database: Database) -> None:
    """A worker whose reply was lost writes again and is told that its result stands; another is refused."""
    make_tournament(database, "a", "b")
    lease = claimed(database)
    outcome = make_outcome(lease)

    first = jobs.finish(database, lease, outcome)
    again = jobs.finish(database, lease, outcome)
    other = jobs.finish(database, lease, make_outcome(lease, left=[lease.job.sets[0]]))

    assert (first, again, other) == (True, True, False)
    assert count_rows(database, "match") == 4


def test_messages_delivered_three_times_in_any_order_give_the_same_rows(open_database: OpenDatabase) -> None:
    """Jobs are claimed three times by number, by racing workers, with leases lost: each match once."""
    make_tournament(open_database(), *"abcd", deal_sets=16, workers=4)
    stop = threading.Event()

    def run(name: str, database: Database) -> None:
        dice = random.Random(name)
        while not stop.is_set() and watching.get(database, "cup").state != "finished":
            with database.transaction() as connection:
                queued = connection.execute("SELECT id FROM job ORDER BY id").fetchall()
            for (number,) in dice.sample(queued * 3, k=min(12, 3 * len(queued))):
                lease = take(database, name, wanted=number)
                if lease is None:
                    continue
                if dice.random() < 0.1:
                    expire(database)
                jobs.finish(database, lease, make_outcome(lease))

    threads = [threading.Thread(target=run, args=(f"w{n}", open_database())) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    stop.set()

    rows = read_rows(open_database())
    assert len(rows) == len({(r.pairing, r.deal_set, r.rotation) for r in rows}) == 6 * 16 * 2


def test_two_workers_give_the_same_rows_as_one(open_database: OpenDatabase) -> None:
    """The rows of a tournament do not depend on how many played it, nor in which order."""
    database = open_database()
    make_tournament(database, *"abc", deal_sets=30, workers=1)
    drain(database)
    alone = read_rows(database)
    with database.transaction() as connection:
        connection.execute("DELETE FROM match; DELETE FROM job; DELETE FROM tournament")
        connection.execute("SELECT setval(pg_get_serial_sequence('tournament', 'id'), 1, false)")

    make_tournament(database, *"abc", deal_sets=30, workers=2)
    threads = [threading.Thread(target=drain, args=(open_database(), f"w{n}")) for n in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    drain(database)

    assert read_rows(database) == alone


def test_what_was_not_finished_is_planned_again(database: Database) -> None:
    """Unfinished matches of a job become a new job of the same rotation, and are played there once."""
    make_tournament(database, "a", "b", deal_sets=8)
    lease = claimed(database)

    jobs.finish(database, lease, make_outcome(lease, left=[2, 5]))
    second = claimed(database)

    assert (list(second.job.sets), second.job.rotation) == ([2, 5], lease.job.rotation) or (
        second.job.rotation != lease.job.rotation
    )
    jobs.finish(database, second, make_outcome(second))
    drain(database)
    assert len(read_rows(database)) == 16


def test_a_job_that_was_cut_is_planned_in_halves(database: Database) -> None:
    """What is left of a job whose time was over goes into jobs of at most half its size."""
    make_tournament(database, "a", "b", deal_sets=8)
    lease = claimed(database)

    jobs.finish(database, lease, make_outcome(lease, left=range(8), cut=True))

    with database.transaction() as connection:
        rows = connection.execute(
            "SELECT matches FROM job WHERE rotation = 0 AND state = 'queued'"
        ).fetchall()
    assert rows == [(4,), (4,)]
    drain(database)
    assert len(read_rows(database)) == 16


def test_jobs_that_are_cut_with_nothing_finished_come_to_an_end(database: Database) -> None:
    """Each half counts what was cut before; the third time they are failed, with who thought for how long.

    Until then the status page tells it, and running the tournament again gives them all their attempts.
    """
    make_tournament(database, "a", "b", deal_sets=8)
    greet_worker(database, "w1")
    cut = []
    for _ in range(1 + 2 + 4):
        lease = next(lease for lease in iter(lambda: claimed(database), None) if lease.job.rotation == 0)
        cut.append((len(lease.job.sets), lease.job.infra))
        fruitless = make_outcome(lease, left=lease.job.sets, cut=True)
        jobs.finish(database, lease, replace(fruitless, play_us=600_000_000, thought_us=[2_000_000, 7]))
        with database.transaction() as connection:
            connection.execute("UPDATE job SET state = 'cancelled' WHERE rotation = 1")
        if len(cut) == 1:
            (block,) = status(database, silent_s=60).blocks
            assert "jobs of 'cup' were cut 1 of 3 times: infra: cut after 600 s" in block.what

    assert cut == [(8, 0), (4, 1), (4, 1), (2, 2), (2, 2), (2, 2), (2, 2)]
    watched = watching.progress(database, "cup")
    assert watched.totals.jobs_failed == 8
    assert set(watched.failures) == {
        "infra: cut after 600 s with no match finished; a@1 thought for 2 s, b@1 thought for 0 s"
    }
    tournaments.start(database, "cup")
    assert claimed(database).job.infra == 0


def test_a_job_that_was_cut_with_something_finished_is_no_failure(database: Database) -> None:
    """Whatever ended or was charged is progress: the halves have all their attempts."""
    make_tournament(database, "a", "b", deal_sets=8)
    lease = claimed(database)

    jobs.finish(database, lease, make_outcome(lease, left=range(1, 8), cut=True))

    assert claimed(database).job.infra == 0


def test_a_job_handed_back_counts_as_never_taken(database: Database) -> None:
    """A worker that stops gives its job back: no attempt counted, ready at once."""
    make_tournament(database, "a", "b")
    lease = claimed(database)

    assert jobs.finish(database, lease, make_outcome(lease, left=lease.job.sets))
    again = claimed(database, "w2")

    assert again.job.id == lease.job.id
    assert (again.job.attempts, again.job.infra, again.job.lost) == (1, 0, 0)


def test_three_failures_of_the_platform_fail_a_job_and_running_again_revives_it(database: Database) -> None:
    """A job that the platform cannot play is failed with its reason, and `run` tries again."""
    make_tournament(database, "a", "b")
    for _ in range(3):
        jobs.fail(database, claimed(database), reason="no sandbox")
        with database.transaction() as connection:
            connection.execute("UPDATE job SET not_before = '-infinity'")

    watched = watching.progress(database, "cup")
    assert watched.totals.jobs_failed == 1
    assert watched.failures == ["infra: no sandbox"]
    assert read_rows(database) == []

    tournaments.start(database, "cup")
    drain(database)
    assert watching.get(database, "cup").state == "finished"
    assert len(read_rows(database)) == 8


def test_a_failing_job_is_told_from_a_vanished_worker(database: Database) -> None:
    """A lease not renewed by a worker that still lives is the platform's failure, with the smaller cap."""
    make_tournament(database, "a", "b")
    greet_worker(database, "w1")
    claimed(database, "w1")
    with database.transaction() as connection:
        connection.execute(
            "UPDATE job SET lease_until = clock_timestamp() - interval '1 s' WHERE state = 'leased'"
        )
        connection.execute("UPDATE worker SET seen_at = clock_timestamp()")

    again = claimed(database, "w2")

    assert (again.job.infra, again.job.lost) == (1, 0)


def test_faults_and_deaths_are_written_with_the_result(database: Database) -> None:
    """A fault stands with its match, a death once for its job."""
    make_tournament(database, "a", "b")
    lease = claimed(database)
    outcome = make_outcome(lease)
    guilty = replace(outcome.matches[0], faults=[NewFault(1, "crashed", {"exit_code": 3})])
    death = NewDeath(entry=1, kind="crashed", evidence={"exit_code": 3})

    jobs.finish(database, lease, replace(outcome, matches=[guilty, *outcome.matches[1:]], deaths=[death]))

    assert count_rows(database, "fault WHERE seat = 1 AND evidence->>'exit_code' = '3'") == 1
    assert count_rows(database, "death WHERE entry = 1") == 1


def test_a_version_that_dies_too_often_is_suspended(database: Database) -> None:
    """After three deaths its remaining jobs are cancelled, not forfeited, and the others play to the end."""
    make_tournament(database, "a", "b", "c", deal_sets=40)
    for _ in range(3):
        lease = next(
            lease
            for lease in iter(lambda: claimed(database), None)
            if 1 in [entry.number for entry in lease.entries]
            or not jobs.finish(database, lease, make_outcome(lease))
        )
        death = NewDeath(entry=1, kind="crashed", evidence={})
        rest = list(lease.job.sets)[1:]
        jobs.finish(database, lease, replace(make_outcome(lease, left=rest), deaths=[death]))
    drain(database)

    watched = watching.progress(database, "cup")
    assert [entry.suspended for entry in watched.entries] == [False, True, False]
    assert watched.tournament.state == "finished"
    assert len([row for row in read_rows(database) if set(row.entries) == {0, 2}]) == 80
    assert watched.totals.done + watched.totals.cancelled == watched.totals.matches == 240
    assert sum(line.matches for line in watched.entries) == 2 * watched.totals.done
    assert watched.why_cancelled() == "b@1 suspended after 3 deaths"


def test_every_match_of_a_cancelled_tournament_is_played_or_cancelled(database: Database) -> None:
    """What was played stays, the rest is counted as cancelled, and nobody can go on with it."""
    make_tournament(database, "a", "b", deal_sets=40)
    lease = claimed(database)
    assert lease is not None
    jobs.finish(database, lease, make_outcome(lease))
    tournaments.cancel(database, "cup")

    watched = watching.progress(database, "cup")
    assert watched.totals.done == lease.job.matches
    assert watched.totals.done + watched.totals.cancelled == watched.totals.matches
    assert watched.why_cancelled() == "the tournament was cancelled"
