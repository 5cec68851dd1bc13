"""A bot as an ordinary child process: level none, for one's own bots only, never rated.

Owns the same contract as a sandboxed seat (`arena.botproc.seat.SeatProcess`) without any of its walls: limits
that the kernel gives to anybody, an empty environment, and a tree that is followed through /proc.
"""

import contextlib
import os
import resource
import shutil
import signal
import subprocess
import threading
from pathlib import Path

from arena.botproc.policy import SOCKET_NAME
from arena.botproc.runtimes import Runtime
from arena.botproc.seat import Exit, SeatOrder, StderrCapture, Usage, known_memory
from arena.botproc.tree import Tree
from arena.botproc.watch import SeatWatch


class PlainSeat:
    """A bot without a sandbox."""

    def __init__(self, order: SeatOrder, runtime: Runtime) -> None:
        self._run_dir = order.run_dir.resolve()
        self._limits = order.limits
        self._is_frozen = False
        self._cpu_ns = self._memory = self._threads = 0
        self._exit: Exit | None = None
        self._ending = threading.Lock()
        self._run_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.socket_path.unlink(missing_ok=True)
        read_stderr, stderr = os.pipe()
        try:
            self._process = subprocess.Popen(
                [*_dying_with_us(), *_found(order.program.run, runtime)],
                env=self._environment(runtime),
                cwd=order.bundle_dir,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
                start_new_session=True,
            )
        except BaseException:
            os.close(read_stderr)
            raise
        finally:
            os.close(stderr)
        self._tree = Tree(self._process.pid, spares_root=False)
        self._watch = SeatWatch(
            read_stderr,
            order.limits.stderr_bytes,
            oom_event=-1,
            is_over=self._is_over,
            end=self._end_from_watch,
        )
        with contextlib.suppress(ProcessLookupError):
            resource.prlimit(self._process.pid, resource.RLIMIT_CORE, (0, 0))
            if order.core is not None:
                os.sched_setaffinity(self._process.pid, {order.core})

    @property
    def socket_path(self) -> Path:
        """Where the bot must listen."""
        return self._run_dir / SOCKET_NAME

    @property
    def owner_uid(self) -> int:
        """The user id that the socket must belong to: our own."""
        return os.getuid()

    def release(self) -> None:
        """Do nothing: an ordinary process does not wait."""

    def freeze(self) -> None:
        """Stop the whole tree until `thaw`; twice is as once."""
        if not self._is_frozen and self._exit is None:
            self._is_frozen = self._watch.is_paused = True
            self._tree.stop()

    def is_still(self) -> bool:
        """True: nobody can tell better."""
        return True

    def crowd(self) -> int:
        """Return 0: nobody counts."""
        return 0

    def is_bomb(self) -> bool:
        """False: nobody counts what it asks for."""
        return False

    def step_back(self) -> None:
        """Do nothing: without groups nobody can."""

    def thaw(self) -> None:
        """Let a frozen tree go on; twice is as once."""
        if self._is_frozen:
            self._is_frozen = self._watch.is_paused = False
            self._tree.signal(signal.SIGCONT)

    def cpu_ns(self) -> int:
        """Return the processor time of the whole tree so far."""
        if self._exit is None:
            self._cpu_ns = max(self._cpu_ns, self._tree.cpu_ns())
        return self._cpu_ns

    def poll(self) -> Exit | None:
        """Return how the first process ended, None while it lives."""
        if self._exit is None:
            # Looked at without reaping: a dead leader keeps its id from being given to others.
            flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
            if os.waitid(os.P_PID, self._process.pid, flags) is not None:
                self.kill()
        return self._exit

    def kill(self) -> Exit:
        """Kill the tree as far as it can be seen: what has hidden itself away lives on at this level."""
        if self._exit is None:
            self.cpu_ns()
            with self._ending:
                self._end()
                code = self._process.wait()
            killed = self._watch.out_of_memory
            granted = self._limits.memory_bytes if killed else 0
            self._exit = Exit(None if code < 0 else code, -code if code < 0 else None, killed, granted)
        return self._exit

    def stderr(self) -> StderrCapture:
        """Return what was written to the standard error so far."""
        if self._exit is not None:
            self._watch.join(1.0)
        return self._watch.capture()

    def usage(self) -> Usage:
        """Return what the tree had at most when it was looked at; processes are not bounded at this level."""
        memory, source = known_memory(0, self._memory)
        return Usage(
            memory_bytes=memory,
            memory_limit=self._limits.memory_bytes,
            memory_source=source,
            processes=self._threads,
        )

    def living(self) -> set[int]:
        """Return the ids of its processes that still live."""
        return set() if self._exit is not None else set(self._tree.processes())

    def close(self) -> None:
        """Kill what lives and remove the socket. Twice is as once."""
        self.kill()
        self.socket_path.unlink(missing_ok=True)

    def _is_over(self) -> bool:
        with self._ending:
            if self._process.returncode is not None:
                return False
            memory, threads = self._tree.measure()
            self._memory, self._threads = max(self._memory, memory), max(self._threads, threads)
            return memory > self._limits.memory_bytes

    def _end_from_watch(self) -> None:
        with self._ending:
            if self._process.returncode is None:
                self._end()

    def _end(self) -> None:
        """Kill the tree and the first process's group; a stopped tree cannot grow while it is killed."""
        self._tree.stop()
        self._tree.signal(signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def _environment(self, runtime: Runtime) -> dict[str, str]:
        path = ":".join([*runtime.host_path, "/usr/local/bin", "/usr/bin", "/bin"])
        base = {"PATH": path, "HOME": str(self._run_dir), "LANG": "C.UTF-8"}
        return base | dict(runtime.host_environment) | {"ARENA_ADDRESS": f"unix:{self.socket_path}"}


def _dying_with_us() -> list[str]:
    """Return the prefix that ties a child's life to ours, where the machine has it."""
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "KILL"] if setpriv else []


def _found(command: tuple[str, ...], runtime: Runtime) -> list[str]:
    """Find the program where the bot's PATH would; a path with a slash is the bundle's own."""
    if "/" in command[0]:
        return list(command)
    path = ":".join([*runtime.host_path, "/usr/local/bin", "/usr/bin", "/bin"])
    return [shutil.which(command[0], path=path) or command[0], *command[1:]]
