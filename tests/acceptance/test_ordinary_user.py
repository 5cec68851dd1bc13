"""The main job without root: an ordinary user, the level `userns`, everything below the user's own folder."""

import json

import pytest

from tests.fix_user import Ordinary

pytestmark = [
    pytest.mark.xdist_group("acceptance"),
    pytest.mark.needs("setpriv", "reachable-python", "user-namespaces"),
]


def test_the_main_job_needs_no_root(ordinary: Ordinary) -> None:
    """Submit, play, and a rated standing, as somebody who may do nothing on the machine."""
    arena = str(ordinary.home / "bin" / "arena")
    bots = [str(ordinary.home / "package" / "bots" / name) for name in ("greedy", "first-legal")]

    doctor = ordinary.run([arena, "doctor", "--json"])
    submitted = ordinary.run([arena, "bot", "submit", *bots])
    run = ordinary.run([arena, "tournament", "run", "cup", "greedy", "first-legal", "--sets", "2", "--json"])

    assert json.loads(doctor.stdout)["level"] == "userns", doctor.stderr
    assert submitted.returncode == 0, submitted.stderr
    assert run.returncode == 0, run.stderr
    facts = json.loads(run.stdout)
    assert (facts["rated"], facts["matches"], len(facts["rows"])) == (True, 4, 2)
    status = ordinary.run([arena, "status"])
    assert "start it with `arena up`" in status.stdout
