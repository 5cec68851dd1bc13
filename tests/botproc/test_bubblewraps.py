"""Promises about the choice of a bubblewrap: what is not even tried."""

from pathlib import Path

import pytest

from arena.botproc import probe
from arena.botproc.sandbox import SandboxSettings
from arena.errors import PlatformError


def test_a_setuid_bubblewrap_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """It would set sandboxes up as root for whoever asks; not even one that was named is tried."""
    monkeypatch.setattr(probe, "find_abi", lambda: 5)
    tried, bwrap = tmp_path / "tried", tmp_path / "bwrap"
    bwrap.write_text(f"#!/bin/sh\ntouch {tried}\n")
    bwrap.chmod(0o4755)

    with pytest.raises(PlatformError, match="is setuid"):
        probe.open_sandbox(SandboxSettings(cache_dir=tmp_path / "cache", bwrap=bwrap))
    assert not tried.exists()
