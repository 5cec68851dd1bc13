"""One bot at level landlock: root in a container that forbids namespaces.

Owns what stands in for the namespaces that are missing. The bot has a user of its own, whom it cannot leave
and whose processes are all its processes: they are found, counted and ended by that. Its folder holds a
socket and nothing else. Because no namespace dies with the arena, a warden does the ending: a shell of
root's that waits for the arena to close a pipe, by will or by death. What the walls are is said by
`arena.botproc.landlock`.
"""

import base64
import contextlib
import json
import os
import shutil
import subprocess
import sys
import time
from functools import lru_cache
from pathlib import Path

from arena.botproc import landlock, policy
from arena.botproc.launch import base, fill, on_core, seat_resources
from arena.botproc.reach import is_open_to_all
from arena.botproc.runtimes import bare_python
from arena.botproc.seccomp import filter_program
from arena.botproc.tree import UserProcesses
from arena.botproc.uids import UidPool, end_everything_of, ending_command
from arena.botproc.walled import KILL_PATIENCE_S, MOST_SEAT_FILES, WalledSeat, has_more_files
from arena.errors import PlatformError

CONFINE = Path(__file__).resolve().parent / "confine.py"
_POLL_S = 0.001


class LandlockSeat(WalledSeat):
    """A bot behind Landlock. Made waiting; nothing of the bot runs before `release`."""

    _folder: Path | None = None
    _warden: "subprocess.Popen[bytes] | None" = None

    @property
    def socket_path(self) -> Path:
        """Where the bot must listen: in a folder of its own, which no other seat's user can enter."""
        assert self._folder is not None
        return self._folder / policy.SOCKET_NAME

    @property
    def tree(self) -> UserProcesses:
        """All processes of the seat's user."""
        return UserProcesses(self.owner_uid)

    def _spawn(self) -> None:
        """Start the warden, then the process that shuts itself in and waits."""
        assert self._lease is not None
        self._folder = _make_folder(folder_of_seats(self._sandbox.settings.uids), self._lease.uid)
        self._warden = self._start_warden()
        plan = os.memfd_create("plan")
        gate, self._gate = os.pipe()
        self._info, told = os.pipe()
        stderr, written = os.pipe()
        try:
            fill(plan, json.dumps(self._plan()).encode())
            setpriv = self._sandbox.setpriv
            assert setpriv is not None
            with on_core(self._order.core):
                self._outer = subprocess.Popen(
                    [
                        *policy.become(setpriv, self._lease.uid),
                        *(str(find_interpreter()), "-I", "-S", "-c", CONFINE.read_text(encoding="utf-8")),
                        *map(str, (plan, told, gate)),
                    ],
                    env={},
                    cwd="/",
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=written,
                    pass_fds=(plan, told, gate),
                    start_new_session=True,
                )
        except BaseException:
            os.close(stderr)
            raise
        finally:
            for descriptor in (plan, gate, told, written):
                os.close(descriptor)
        # Only sockets can be made in the seat's folder, but any number of them: somebody has to count.
        self._listen(stderr, always_looks=True)

    def _start_warden(self) -> "subprocess.Popen[bytes]":
        """Start who ends the seat's user when the arena closes the pipe; it holds the user id until then."""
        assert self._lease is not None
        assert self._sandbox.setpriv is not None
        ending = ending_command(self._lease.uid, self._sandbox.setpriv)
        return subprocess.Popen(
            ["/bin/sh", "-c", 'read -r _; exec "$@"', "warden", *ending],
            env={},
            cwd="/",
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(self._lease.descriptor,),
            start_new_session=True,
        )

    def _plan(self) -> dict[str, object]:
        """Return what the waiting process does to itself before it becomes the bot."""
        assert self._folder is not None
        assert self._group is not None
        bounded, runtime = self._group.bounds_memory, self._runtime
        bundle = self._order.bundle_dir.resolve()
        system = [mount.source for mount in base()[0]]
        own = [bundle]
        environment, path = dict(runtime.host_environment), list(runtime.host_path)
        if runtime.kind.name == "python":
            bare = bare_python(Path(sys.base_prefix).resolve(), self._sandbox.settings.cache_dir)
            path.insert(0, str(bare / "bin"))
            own += [bare, Path(environment["PYTHONPATH"])]
        cache = self._sandbox.settings.cache_dir.resolve()
        system += [mount.source for mount in runtime.mounts if cache not in mount.source.resolve().parents]
        check_readable(tuple(system), tuple(own))
        rules = landlock.make_rules(
            [*system, *own], self._folder, [Path("/dev", name) for name in policy.DEVICES]
        )
        resources = seat_resources(self._order, runtime, self._group)
        return {
            "rules": [(str(rule.path), int(rule.rights)) for rule in rules],
            "files": int(landlock.EVERY_RIGHT),
            "network": landlock.NETWORK,
            "scopes": landlock.SCOPES,
            "resources": list(resources.items()),
            "folder": str(bundle),
            "filter": base64.b64encode(filter_program(bounds_memory=bounded, owns_network=False)).decode(),
            "command": self._order.program.run,
            "environment": {
                "PATH": ":".join([*path, "/usr/local/bin", "/usr/bin", "/bin"]),
                "HOME": "/tmp",  # noqa: S108 (as in every sandbox; nothing can be written there)
                "LANG": "C.UTF-8",
                **environment,
                "ARENA_ADDRESS": f"unix:{self.socket_path}",
            },
        }

    def _find_first(self, text: bytes) -> int:
        """Return our own child: what it becomes keeps its id."""
        del text
        assert self._outer is not None
        return self._outer.pid

    def living(self) -> set[int]:
        """Return the ids of the seat's processes that still live, whatever has become of the first."""
        return self.grouped() | (set(self.tree.processes()) if self._lease is not None else set())

    def _is_over(self) -> bool:
        assert self._folder is not None
        return has_more_files(self._folder, MOST_SEAT_FILES) or super()._is_over()

    def _signal_all(self) -> None:
        """Let the warden end the user's processes, all at one stroke."""
        if self._warden is not None and self._warden.stdin is not None and not self._warden.stdin.closed:
            self._warden.stdin.close()

    def _finish(self) -> None:
        super()._finish()
        if self._warden is None:
            return
        self._signal_all()
        try:
            self._warden.wait(KILL_PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._warden.kill()
            self._warden.wait()
        self._warden = None
        self._wait_until_gone()

    def _wait_until_gone(self) -> None:
        """Wait until no process of the seat's user lives; what was born before the end is ended again."""
        assert self._sandbox.setpriv is not None
        until = time.monotonic() + KILL_PATIENCE_S
        while self.tree.processes() and time.monotonic() < until:
            end_everything_of(self.owner_uid, self._sandbox.setpriv)
            time.sleep(_POLL_S)

    def close(self) -> None:
        """Kill what lives; give back folder, groups and user id. Twice is as once."""
        self.kill()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        super().close()


def find_interpreter() -> Path:
    """Return a Python that users of seats can run, for the last steps before a bot.

    Raises:
        PlatformError: There is none.
    """
    candidates = (Path(sys.base_prefix).resolve() / "bin" / "python3", Path("/usr/bin/python3"))
    for candidate in candidates:
        with contextlib.suppress(OSError):
            if is_open_to_all(candidate.resolve()):
                return candidate
    raise PlatformError(f"no user of a seat can run {candidates[0]}; move it out of closed folders")


@lru_cache(maxsize=256)
def check_readable(system: tuple[Path, ...], own: tuple[Path, ...]) -> None:
    """Check that a seat's user reaches what a bot runs on, and that reading it leaves no mark.

    Raises:
        PlatformError: It does not, or it does; the message says what to do.
    """
    for path in (*system, *own):
        if not is_open_to_all(path):
            raise PlatformError(f"no user of a seat can read {path}; move it out of closed folders")
    marked = landlock.read_marks(system) or landlock.read_marks(own, are_sealed=True)
    if marked is not None:
        raise PlatformError(
            f"reading {marked} leaves a mark that a later match could find (its time of last access): "
            "mount its file system with noatime, or use a container, whose overlay keeps no such times"
        )
    for folder in own:
        landlock.seal(folder)


def folder_of_seats(uids: UidPool) -> Path:
    """Return where the folders of seats are."""
    return uids.folder.parent / "seats"


def sweep_folders(uids: UidPool) -> None:
    """Remove the folders of seats whose arena was killed."""
    for folder in folder_of_seats(uids).glob("[0-9]*"):
        with uids.unused(int(folder.name)) as is_unused:
            if is_unused:
                shutil.rmtree(folder, ignore_errors=True)


def _make_folder(above: Path, uid: int) -> Path:
    """Make the seat's folder anew: what a dead arena left there goes."""
    above.mkdir(mode=0o711, parents=True, exist_ok=True)
    above.chmod(0o711)
    folder = above / str(uid)
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(mode=0o700)
    os.chown(folder, uid, uid)
    return folder
