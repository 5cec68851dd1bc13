"""The container image, started for real."""

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml

from arena import __version__
from tests.fix_needs import IMAGE

pytestmark = pytest.mark.xdist_group("image")
ROOT = Path(__file__).resolve().parents[2]
PLAY = """
arena --no-hints bot submit /bots/greedy /bots/first-legal &&
arena --no-hints tournament run cup greedy first-legal --sets 2 &&
arena doctor &&
/opt/arena/bin/python -c 'import arena.rules as r; print(r.ENGINE)' &&
! which cc gcc pip
"""
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def podman() -> Iterator[Run]:
    """Give podman with a storage of its own that holds the image; it takes short paths only."""
    folder = tempfile.mkdtemp(prefix="arena-podman-")
    prefix = ["podman", "--root", f"{folder}/store", "--runroot", f"{folder}/run", "--storage-driver", "vfs"]

    def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
        command = [*prefix, "--runtime", "runc", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=200)

    loaded = run("load", "--input", str(IMAGE))
    assert loaded.returncode == 0, loaded.stderr
    yield run
    run("rmi", "--all", "--force")
    shutil.rmtree(folder, ignore_errors=True)


def in_container(podman: Run, *options: str, script: str) -> "subprocess.CompletedProcess[str]":
    """Run a script in a fresh container without a network, the project's bots at /bots."""
    limits = ("--ulimit=nofile=4096:4096", "--ulimit=nproc=4096:4096")
    bots = f"--volume={ROOT / 'bots'}:/bots:ro"
    shell = '--entrypoint=["/usr/bin/tini", "--", "/bin/sh", "-c"]'
    image = f"wildcard-arena:{__version__}"
    return podman(
        "run", "--rm", "--read-only", "--network=none", *limits, bots, *options, shell, image, script
    )


@pytest.mark.needs("root", "image", "landlock")
def test_a_tournament_is_played_in_the_image(podman: Run) -> None:
    """Servers, workers and sandboxed bots run in one container that may write nothing but its data.

    The engine is compiled, and what compiled it stayed behind.
    """
    played = in_container(podman, script=PLAY)

    assert played.returncode == 0, played.stdout + played.stderr
    assert "4 matches in 2 complete deal sets" in played.stdout
    assert "level: landlock" in played.stdout
    assert "compiled" in played.stdout.splitlines()[-1]


@pytest.mark.needs("root", "image", "user-namespaces")
def test_the_image_reaches_strict_with_the_options_that_the_compose_file_has(podman: Run) -> None:
    """Without the engine's filter and masks and with the capabilities that are named, bots get namespaces."""
    worker = yaml.safe_load((ROOT / "deploy" / "compose" / "compose.yaml").read_text())["services"]["worker"]
    capabilities = [f"--cap-add={name}" for name in worker["cap_add"]]
    options = ("--security-opt=seccomp=unconfined", "--security-opt=unmask=/proc/sys", "--cap-drop=ALL")
    played = in_container(
        podman,
        *options,
        *capabilities,
        script="arena doctor && arena match play /bots/greedy /bots/first-legal",
    )

    assert worker["security_opt"] == ["seccomp=unconfined", "systempaths=unconfined"]
    assert worker["cap_drop"] == ["ALL"]
    assert played.returncode == 0, played.stdout + played.stderr
    assert "level: strict" in played.stdout
    assert "ended by" in played.stdout


@pytest.mark.needs("root", "image")
def test_the_image_plays_nothing_where_no_sandbox_is_possible(podman: Run) -> None:
    """In a container that forbids namespaces and has no root, the arena refuses, and says what to change."""
    refused = in_container(
        podman, "--user=10001", "--env=ARENA_DATA_FOLDER=/tmp/arena", script="arena bot submit /bots/greedy"
    )

    assert refused.returncode == 4
    assert "seccomp" in refused.stderr
