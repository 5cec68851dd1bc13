"""What one bot may use, as values with their units in their names.

Owns the defaults, the ceilings and the sentence for a bot that asks for more. Refuses to enforce: that
is done by `arena.botproc.cgroup` and `arena.botproc.process`.
"""

import resource
from dataclasses import dataclass, replace
from typing import Protocol

from arena.errors import UsageError

MIB = 1024 * 1024
PENDING_SIGNALS = 1024
"""Queued signals and timers: kernel memory that no other limit counts where no group does."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one seat, meaning the whole process tree of one bot in one job."""

    memory_bytes: int = 256 * MIB
    """Memory of the tree, swap included."""
    processes: int = 64
    """Processes and threads at one time."""
    cores: float = 1.0
    """Processor time per wall time."""
    cpu_s: int = 900
    """Processor time of each process in a whole job; a job ends at 600 s of wall time."""
    open_files: int = 256
    """Descriptors of each process."""
    file_bytes: int = 16 * MIB
    """Size of any one file written."""
    tmp_bytes: int = 16 * MIB
    """Size of /tmp for a bot that asks for one; /dev/shm has a quarter."""
    address_space_bytes: int = 1024 * MIB
    """Address space of each process where no memory cgroup is writable; Python with gRPC needs 628 MiB."""
    stderr_bytes: int = 64 * 1024
    """Kept of what a bot writes to its standard error; the rest is counted and dropped."""


DEFAULT_LIMITS = Limits()
DEFAULT_CEILING = Limits(memory_bytes=512 * MIB)


def make_ceiling(memory_mib: int, processes: int, cpu_millis: int = 1000) -> Limits:
    """Return what may be asked for at most."""
    return replace(
        DEFAULT_CEILING, memory_bytes=memory_mib * MIB, processes=processes, cores=cpu_millis / 1000
    )


class Asked(Protocol):
    """What a bot asks for; `arena.bundle.manifest.AskedLimits` is one."""

    @property
    def memory_mib(self) -> int | None:
        """Memory in MiB."""

    @property
    def processes(self) -> int | None:
        """Processes and threads."""

    @property
    def cores(self) -> float | None:
        """Processor cores."""


def grant_limits(asked: Asked, ceiling: Limits = DEFAULT_CEILING, default: Limits = DEFAULT_LIMITS) -> Limits:
    """Return the limits of a bot that asks for `asked`; the rest is the default, or the ceiling.

    Raises:
        UsageError: It asks for more than the ceiling; the message names the key and both numbers.
    """
    usual = min(default.memory_bytes, ceiling.memory_bytes)
    memory = usual if asked.memory_mib is None else asked.memory_mib * MIB
    processes = min(default.processes, ceiling.processes) if asked.processes is None else asked.processes
    cores = min(default.cores, ceiling.cores) if asked.cores is None else asked.cores
    for key, wanted, most in (
        ("memory_mib", memory // MIB, ceiling.memory_bytes // MIB),
        ("processes", processes, ceiling.processes),
        ("cores", cores, ceiling.cores),
    ):
        if wanted > most:
            raise UsageError(
                f"bot.toml: limits.{key} asks for {wanted}, at most {most} is granted: ask for less"
            )
    return replace(
        default,
        memory_bytes=memory,
        processes=processes,
        cores=cores,
        address_space_bytes=max(default.address_space_bytes, 4 * memory),
    )


def resource_limits(
    limits: Limits, *, bounds_address_space: bool, spare_processes: int = 0
) -> dict[str, int]:
    """Return a bot's resource limits as prlimit names them, none above what the arena has itself.

    With some processes to spare, a group says no first.
    """
    wanted = {
        "nofile": (resource.RLIMIT_NOFILE, limits.open_files),
        "fsize": (resource.RLIMIT_FSIZE, limits.file_bytes),
        "cpu": (resource.RLIMIT_CPU, limits.cpu_s),
        "nproc": (resource.RLIMIT_NPROC, limits.processes + spare_processes),
        "core": (resource.RLIMIT_CORE, 0),
        "memlock": (resource.RLIMIT_MEMLOCK, 0),
        "msgqueue": (resource.RLIMIT_MSGQUEUE, 0),
        "rtprio": (resource.RLIMIT_RTPRIO, 0),
        "sigpending": (resource.RLIMIT_SIGPENDING, PENDING_SIGNALS),
    }
    if bounds_address_space:
        wanted["as"] = (resource.RLIMIT_AS, limits.address_space_bytes)
    found = {}
    for name, (kind, value) in wanted.items():
        most = resource.getrlimit(kind)[1]
        found[name] = value if most == resource.RLIM_INFINITY else min(value, most)
    return found
