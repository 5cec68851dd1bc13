"""F12. Promises when the database commits and its reply is lost: written once, and the worker knows it."""

import pytest

from arena.service import jobs, watching
from arena.store.pool import Database, UnreachableError
from tests.fix_places import AT_DATABASES
from tests.fix_proxy import Proxy, proxied
from tests.fix_queue import expire, make_outcome, make_tournament, read_rows, take


@AT_DATABASES
def test_a_result_whose_reply_was_lost_is_written_once(
    database: Database, database_url: str, proxy: Proxy
) -> None:
    """The worker tries again, finds its own result, and reports success."""
    make_tournament(database, "a", "b")
    with Database(proxied(proxy, database_url)) as remote:
        lease = take(remote)
        assert lease is not None
        proxy.loses_commits = 1

        written = jobs.finish(remote, lease, make_outcome(lease))

    assert proxy.loses_commits == 0
    assert written
    assert len(read_rows(database)) == 4
    assert watching.progress(database, "cup").totals.done == 4


@AT_DATABASES
def test_a_result_lost_again_and_again_is_written_once(
    database: Database, database_url: str, proxy: Proxy
) -> None:
    """Three lost replies in a row change nothing of that."""
    make_tournament(database, "a", "b")
    with Database(proxied(proxy, database_url)) as remote:
        lease = take(remote)
        assert lease is not None
        proxy.loses_commits = 3

        assert jobs.finish(remote, lease, make_outcome(lease))

    assert len(read_rows(database)) == 4


@AT_DATABASES
def test_a_claim_whose_reply_was_lost_ends_with_its_lease(
    database: Database, database_url: str, proxy: Proxy
) -> None:
    """A lease that its worker never learnt of runs out, and the job is claimed again."""
    make_tournament(database, "a", "b")
    with Database(proxied(proxy, database_url)) as remote:
        proxy.loses_commits = 1
        with pytest.raises(UnreachableError):
            take(remote)
        expire(database)

        again = take(remote, "w2")

    assert again is not None
    assert (again.job.fence, again.job.lost) == (2, 1)
