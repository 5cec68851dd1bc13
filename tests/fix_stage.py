"""Stages for hostile bots: `stage("scene", ...)` plays a scene in every shape of sandbox of this machine.

A test that asks for `stage` runs once per shape: as root, whose bubblewrap either stays root or has become
the seat's user, and as an ordinary user.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.fix_user import Ordinary

ROOT = Path(__file__).resolve().parent.parent
BOTS = ROOT / "bots"
HOSTILE = ROOT / "tests" / "bots" / "hostile"
SCRIPT = ROOT / "tests" / "botproc" / "stage.py"
SHAPES = [
    pytest.param("root", marks=pytest.mark.needs("root", "setpriv")),
    pytest.param("seat", marks=pytest.mark.needs("root", "setpriv", "reachable-python")),
    pytest.param("self", marks=pytest.mark.needs("setpriv", "reachable-python", "user-namespaces")),
]

StartStage = Callable[..., "subprocess.Popen[str]"]
PlayStage = Callable[..., dict[str, object]]


@pytest.fixture(scope="session")
def stage_cache() -> Iterator[Path]:
    """Give a folder for the bots' Python, kept for the session and open to all."""
    folder = Path(tempfile.mkdtemp(prefix="arena-stage-cache-"))
    folder.chmod(0o755)
    (folder / "tmp").mkdir(mode=0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=SHAPES)
def shape(request: pytest.FixtureRequest) -> str:
    """Name each shape in turn."""
    return str(request.param)


@pytest.fixture
def start_stage(shape: str, stage_cache: Path, request: pytest.FixtureRequest) -> Iterator[StartStage]:
    """Start a scene as a process of the user that the shape belongs to."""
    started: list[subprocess.Popen[str]] = []

    def start(scene: str, **arguments: object) -> "subprocess.Popen[str]":
        here = {
            "STAGE_CACHE": str(stage_cache),
            "STAGE_HOSTILE": str(HOSTILE),
            "STAGE_BOTS": str(BOTS),
            "TMPDIR": str(stage_cache / "tmp"),
        }
        if shape == "self":
            command, environment = _as_ordinary(request.getfixturevalue("ordinary"))
        elif shape == "seat":
            # Root with an interpreter that the users of seats can reach.
            command = [str(request.getfixturevalue("ordinary").python), str(SCRIPT)]
            environment = os.environ | here
        else:
            command = [sys.executable, str(SCRIPT)]
            environment = os.environ | here | {"PYTHONPATH": str(ROOT)}
        process = subprocess.Popen(
            [*command, shape, scene, json.dumps(arguments)],
            env=environment,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def _as_ordinary(ordinary: "Ordinary") -> tuple[list[str], dict[str, str]]:
    """Copy stage and bot to where the user can read them."""
    place = ordinary.home / "stage"
    if not place.exists():
        shutil.copytree(HOSTILE, place / "hostile")
        shutil.copytree(BOTS, place / "bots")
        shutil.copy(SCRIPT, place / "stage.py")
        (ordinary.home / "cache").mkdir()
        owner = ordinary.home.stat()
        for path in (place, ordinary.home / "cache"):
            os.chown(path, owner.st_uid, owner.st_gid)
    environment = ordinary.environment(
        STAGE_CACHE=str(ordinary.home / "cache"),
        STAGE_HOSTILE=str(place / "hostile"),
        STAGE_BOTS=str(place / "bots"),
    )
    return ordinary.command(str(ordinary.python), str(place / "stage.py")), environment


@pytest.fixture
def stage(start_stage: StartStage) -> PlayStage:
    """Play a scene to its end and return what it told."""

    def play(scene: str, **arguments: object) -> dict[str, object]:
        process = start_stage(scene, **arguments)
        told, errors = process.communicate(timeout=120)

        assert process.returncode == 0, errors
        return dict(json.loads(told))

    return play
