"""What becomes of a job whose sandbox breaks while the worker runs."""

from dataclasses import replace
from pathlib import Path

import pytest

from arena.botproc.probe import open_sandbox
from arena.botproc.sandbox import SandboxSettings
from arena.bundle.cache import BundleCache
from arena.service import jobs
from arena.service.play import Arena, SandboxLostError
from arena.service.workers import find_abilities, load_bundle
from tests.fix_workers import ROOT, Fleet


@pytest.mark.needs("sandbox")
def test_a_job_in_a_broken_sandbox_blames_no_bot(fleet: Fleet, tmp_path: Path) -> None:
    """Where the sandbox that was proved does not start any more, the failure is named as just that."""
    fleet.submit(ROOT / "bots" / "greedy", ROOT / "bots" / "first-legal")
    fleet.start("greedy", "first-legal", deal_sets=2)
    sandbox = open_sandbox(SandboxSettings(cache_dir=tmp_path / "cache"))
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2; exit 1\n")
    broken.chmod(0o755)
    arena = Arena(
        sandbox=replace(sandbox, bwrap=broken),
        bundles=BundleCache(tmp_path / "bundles"),
        load_bundle=lambda digest: load_bundle(fleet.database, digest),
    )
    lease = jobs.claim(fleet.database, "w", find_abilities(sandbox), lease_s=600)
    assert lease is not None

    with pytest.raises(SandboxLostError, match="No permissions to create new namespace"):
        arena.play(lease, on_progress=lambda _: None, should_stop=lambda: False)
    assert not arena.still_holds()
    assert replace(arena, sandbox=sandbox).still_holds()
