"""What `arena doctor` is told."""

import os
import subprocess
from pathlib import Path

import pytest

from arena.botproc import probe
from arena.botproc.level import Level
from arena.botproc.runtimes import RUNTIMES, find_runtime, list_runtimes
from arena.botproc.sandbox import Sandbox, SandboxSettings
from arena.botproc.uids import UidPool
from arena.rules import ENGINE
from arena.service import doctor
from arena.service.doctor import _overlaps, examine
from arena.service.workers import find_abilities


@pytest.mark.needs("sandbox")
def test_this_machine(stage_cache: Path):
    """The level is the best for this user, with a reason, the filter's hash and every runtime."""
    found = examine(SandboxSettings(cache_dir=stage_cache))

    assert found.level == (Level.STRICT if os.geteuid() == 0 else Level.USERNS)
    assert "canary" in found.reason
    assert found.bwrap_version[0].isdigit()
    assert len(found.filter_hash) == 64
    assert found.cgroups.keys() == {"memory", "pids", "cpu", "freeze"}
    assert [runtime.name for runtime in found.runtimes] == list(RUNTIMES)
    assert all(
        bool(runtime.missing) != bool(runtime.version or runtime.name == "native")
        for runtime in found.runtimes
    )


def test_a_machine_without_a_sandbox_says_why_and_what_to_do(
    stage_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """No level, a reason, a remedy; the rest is examined all the same."""
    monkeypatch.setattr(probe, "find_abi", lambda: 0)
    found = examine(SandboxSettings(cache_dir=stage_cache, bwrap=tmp_path / "no-bwrap"))

    assert found.level is None
    assert "does not exist" in found.refused.values()
    assert "no bubblewrap" in found.refused["userns" if os.geteuid() else "strict"]
    assert "nstall the package bubblewrap" in found.remedy
    assert "--sandbox none" in found.remedy
    assert found.runtimes


def test_level_none_is_called_what_it_is(stage_cache: Path):
    """Asked for by name it is found, with a warning."""
    found = examine(SandboxSettings(cache_dir=stage_cache), Level.NONE)

    assert found.level is Level.NONE
    assert any("unrated" in warning for warning in found.warnings)


def test_user_ids_of_others_are_noticed():
    """A pool that overlaps with a user's containers is warned about; one that does not is not."""
    pool = UidPool(200_000, 1000)

    assert _overlaps(pool, "ann:100000:65536\n# comment\n") == []
    assert "ann" in _overlaps(pool, "ann:165536:65536\n")[0]


@pytest.mark.parametrize("level", [None, Level.NONE])
def test_an_uncompiled_core_is_told_with_its_price(
    level: Level | None, stage_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Where the core runs as plain Python the doctor says why and what that costs, else nothing."""
    settings = SandboxSettings(cache_dir=stage_cache, bwrap=None if level else tmp_path / "no-bwrap")
    monkeypatch.setattr(probe, "find_abi", lambda: 0)
    monkeypatch.setattr(doctor, "COMPILED", True)
    quiet = examine(settings, level)
    monkeypatch.setattr(doctor, "COMPILED", False)
    monkeypatch.setattr(doctor, "ENGINE", "uncompiled: no compiler")
    (told,) = set(examine(settings, level).warnings) - set(quiet.warnings)

    assert quiet.engine == ENGINE
    assert told.startswith("the core of the rules is uncompiled: no compiler")
    assert "half as many decisions" in told


def test_landlock_says_what_would_be_better(monkeypatch: pytest.MonkeyPatch, stage_cache: Path):
    """The weakest level that counts is told with what it lacks, why strict was refused, and the remedy."""
    refused = {"strict by bwrap (seat)": "bwrap: No permissions to create new namespace"}
    settings = SandboxSettings(cache_dir=stage_cache)
    found = Sandbox(Level.LANDLOCK, settings, reason="kept inside", refused=refused)
    monkeypatch.setattr(doctor, "open_sandbox", lambda *_: found)
    monkeypatch.setattr(probe, "_is_set", lambda *_: False)
    told = examine(settings)

    assert (told.level, told.refused) == (Level.LANDLOCK, refused)
    assert any("need /proc (Java) or a writable /tmp" in warning for warning in told.warnings)
    assert any(warning.startswith("for level strict: a container forbids") for warning in told.warnings)
    assert "java" not in find_abilities(found).runtimes
    assert find_abilities(found).isolations == ["landlock", "none"]


def test_a_runtime_without_what_its_bots_import_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A Ruby without the gem is no runtime for bots; the sentence says what to install."""
    ruby = tmp_path / "ruby"
    ruby.write_text("#!/bin/sh\necho 'cannot load such file -- grpc (LoadError)' >&2\nexit 1\n")
    ruby.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")

    assert list_runtimes(tmp_path / "cache")["ruby"] == (
        f"this machine's {ruby} lacks the gem grpc (Debian: ruby-grpc): install it for bots of runtime 'ruby'"
    )


@pytest.mark.parametrize(
    "name", [name for name, kind in RUNTIMES.items() if kind.version and name != "python"]
)
def test_a_runtime_is_asked_without_the_callers_variables(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """What the caller's shell sets, and what lies in its home, no sandbox has: both are hidden."""
    program = tmp_path / str(RUNTIMES[name].program)
    program.write_text('#!/bin/sh\necho "1.0 ${STRAY:-bare} $(ls -A "$HOME") end"\n')
    program.chmod(0o755)
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "things").touch()
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setenv("STRAY", "stray")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))

    assert find_runtime(name, tmp_path / "cache").version == "1.0 bare  end"


@pytest.mark.needs("ruby-packages")
def test_gems_that_no_sandbox_holds_do_not_count(tmp_path: Path):
    """A newer gem outside the installation, found by the machine's Ruby, is not the one that bots get."""
    (tmp_path / "specifications").mkdir()
    (tmp_path / "specifications" / "grpc-99.0.gemspec").write_text(
        "Gem::Specification.new { |s| s.name = 'grpc'; s.version = '99.0'; s.summary = s.author = 'x' }\n"
    )
    gem = tmp_path / "gems" / "grpc-99.0" / "lib"
    gem.mkdir(parents=True)
    (gem / "grpc.rb").write_text("module GRPC; VERSION = '99.0'; end\n")
    script = "require 'grpc'; puts GRPC::VERSION"
    told = [
        subprocess.run(
            ["ruby", *arguments],
            env=os.environ | {"GEM_PATH": f"{tmp_path}:"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for arguments in (("-e", script), RUNTIMES["ruby"].version)
    ]

    assert told[0] == "99.0\n"
    assert ", grpc 1." in told[1]
