"""Stages for hostile bots: `stage("scene", ...)` plays a scene in every shape of sandbox of this machine.

The sandbox of a shape is proved once, when its stage is started; the scenes then share it.

A test that asks for `stage` runs once per shape: as root, whose bubblewrap either stays root or has become
the seat's user, as an ordinary user, and as the root of a container that forbids namespaces.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arena.botproc.landlocked import sweep_folders
from arena.botproc.uids import UidPool
from tests.fix_dying import DYING_S

if TYPE_CHECKING:
    from tests.fix_user import Ordinary

ROOT = Path(__file__).resolve().parent.parent
BOTS = ROOT / "bots"
HOSTILE = ROOT / "tests" / "bots" / "hostile"
SCRIPT = ROOT / "tests" / "botproc" / "play_scenes.py"
SHAPES = [
    pytest.param("root", marks=pytest.mark.needs("root", "setpriv")),
    pytest.param("seat", marks=pytest.mark.needs("root", "setpriv", "reachable-python")),
    pytest.param("self", marks=pytest.mark.needs("setpriv", "reachable-python", "user-namespaces")),
    pytest.param("landlock", marks=pytest.mark.needs("landlock", "setpriv", "reachable-python")),
]

CAPABILITIES = (
    *("chown", "dac_override", "fowner", "fsetid", "kill", "setgid", "setuid", "setpcap", "net_bind_service"),
    *("net_raw", "sys_chroot", "mknod", "audit_write", "setfcap"),
)
"""What the root of a container has in Docker's default profile."""

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


class Stage:
    """A stage that has been started; scenes are played on it one after another."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        """Take over a process that waits for its first scene."""
        self.process = process
        self.uids: set[int] = set()
        """The users of the seats that it has told of."""

    def begin(self, scene: str, **arguments: object) -> None:
        """Ask for a scene."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps([scene, arguments]) + "\n")
        self.process.stdin.flush()

    def told(self) -> dict[str, object]:
        """Wait for one line of what the stage tells."""
        assert self.process.stdout is not None
        # A stage gives up by itself, see PATIENCE_S there; the limit of the test stands behind it.
        line = self.process.stdout.readline()
        if not line:
            assert self.process.stderr is not None
            raise AssertionError(f"the stage has ended: {self.process.stderr.read()}")
        found = dict(json.loads(line))

        assert "error" not in found, found["error"]
        self.uids.update(found.get("uids", ()))
        return found

    def close(self) -> None:
        """End it."""
        self.process.kill()
        self.process.communicate()


@pytest.fixture(scope="session")
def open_stage(stage_cache: Path, request: pytest.FixtureRequest) -> Iterator[Callable[[str], Stage]]:
    """Start a stage as a process of the user that a shape belongs to."""
    started: list[Stage] = []

    def start(shape: str) -> Stage:
        here = {
            "STAGE_CACHE": str(stage_cache),
            "STAGE_HOSTILE": str(HOSTILE),
            "STAGE_MISBEHAVE": str(HOSTILE.parent / "misbehave"),
            "STAGE_BOTS": str(BOTS),
            "TMPDIR": str(stage_cache / "tmp"),
        }
        if shape == "self":
            command, environment = _as_ordinary(request.getfixturevalue("ordinary"))
        elif shape in {"seat", "landlock"}:
            # Root with an interpreter that the users of seats can reach.
            python = str(request.getfixturevalue("ordinary").python)
            command = [*(_in_a_container() if shape == "landlock" else []), python, str(SCRIPT)]
            environment = os.environ | here
        else:
            command = [sys.executable, str(SCRIPT)]
            environment = os.environ | here | {"PYTHONPATH": str(ROOT)}
        process = subprocess.Popen(
            [*command, shape],
            env=environment,
            cwd="/",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(Stage(process))
        return started[-1]

    yield start
    for stage in started:
        stage.close()


@pytest.fixture
def new_stage(shape: str, open_stage: Callable[[str], Stage]) -> Iterator[Stage]:
    """Give a stage of the test's own, to be killed or to be changed for good."""
    stage = open_stage(shape)
    yield stage
    stage.close()
    if os.geteuid() == 0:
        _put_away(stage.uids)


def _put_away(uids: set[int]) -> None:
    """Do what the next arena would do, as tests that look for leftovers may run before one comes."""
    pool = UidPool()
    until = time.monotonic() + DYING_S
    for uid in uids:
        while time.monotonic() < until:
            with pool.unused(uid) as is_unused:  # what was killed may be dying still
                if is_unused:
                    break
            time.sleep(0.01)
    sweep_folders(pool)


@pytest.fixture(scope="session")
def stages(open_stage: Callable[[str], Stage]) -> Callable[[str], Stage]:
    """Give the stage of a shape on which many tests play, one after another."""
    kept: dict[str, Stage] = {}

    def find(shape: str) -> Stage:
        if shape not in kept or kept[shape].process.poll() is not None:
            kept[shape] = open_stage(shape)
        return kept[shape]

    return find


def _in_a_container() -> list[str]:
    """Return what gives a process a container's root: its capabilities, and files that keep no read times."""
    kept = ",".join(f"+{name}" for name in CAPABILITIES)
    inside = ["setpriv", "--inh-caps=-all", f"--bounding-set=-all,{kept}"]
    if subprocess.run(["unshare", "--mount", "true"], check=False).returncode:
        return inside  # it is one already, and its overlay keeps none
    quiet = 'mount -o remount,bind,noatime /; exec "$@"'
    return ["unshare", "--mount", "sh", "-c", quiet, "container", *inside]


def _as_ordinary(ordinary: "Ordinary") -> tuple[list[str], dict[str, str]]:
    """Copy stage and bot to where the user can read them."""
    place = ordinary.home / "stage"
    if not place.exists():
        shutil.copytree(HOSTILE, place / "hostile")
        shutil.copytree(BOTS, place / "bots")
        shutil.copytree(HOSTILE.parent / "misbehave", place / "misbehave")
        for name in ("play_scenes.py", "stage.py", "scenes.py", "beside.py", "duels.py", "container.py"):
            shutil.copy(SCRIPT.parent / name, place / name)
        (ordinary.home / "cache").mkdir()
        owner = ordinary.home.stat()
        for path in (place, ordinary.home / "cache"):
            os.chown(path, owner.st_uid, owner.st_gid)
    environment = ordinary.environment(
        STAGE_CACHE=str(ordinary.home / "cache"),
        STAGE_HOSTILE=str(place / "hostile"),
        STAGE_MISBEHAVE=str(place / "misbehave"),
        STAGE_BOTS=str(place / "bots"),
    )
    return ordinary.command(str(ordinary.python), str(place / "play_scenes.py")), environment


@pytest.fixture
def stage(shape: str, stages: Callable[[str], Stage]) -> PlayStage:
    """Play a scene to its end and return what it told."""

    def play(scene: str, **arguments: object) -> dict[str, object]:
        shared = stages(shape)
        shared.begin(scene, **arguments)
        return shared.told()

    return play
