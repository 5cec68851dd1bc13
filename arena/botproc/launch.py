"""Starting bubblewrap: from a bot's order to a process that waits for a byte, with nothing of ours in it.

Owns the descriptors that bubblewrap is given and the empty environment that it is born with. What the command
line says is decided in `arena.botproc.policy`; what happens next, by `arena.botproc.sandboxed`.
"""

import contextlib
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from arena.botproc import policy
from arena.botproc.cgroup import SeatGroup
from arena.botproc.counts import ROOM
from arena.botproc.limits import resource_limits
from arena.botproc.policy import Descriptors, Profile, Shape
from arena.botproc.reach import choose_shape
from arena.botproc.runtimes import Runtime, base_mounts
from arena.botproc.sandbox import Sandbox
from arena.botproc.seat import SeatOrder
from arena.botproc.seccomp import filter_program


@dataclass(frozen=True, slots=True)
class Launched:
    """A bubblewrap that has been started and waits."""

    process: subprocess.Popen[bytes]
    gate: int
    """A byte written here lets the bot start."""
    info: int
    """Here bubblewrap tells the id of the sandbox's first process."""
    stderr: int
    """The reading end of its standard error."""


def make_profile(sandbox: Sandbox, order: SeatOrder, runtime: Runtime, uid: int, group: SeatGroup) -> Profile:
    """Return the profile of a bot's sandbox.

    Raises:
        PlatformError: No proved shape reaches everything that must be mounted.
    """
    mounts, links = base()
    mounts += runtime.mounts
    bundle = order.bundle_dir.resolve()
    assert sandbox.bwrap is not None
    sources = (sandbox.bwrap, bundle, *(mount.source for mount in mounts))
    has_proc = order.program.needs_proc
    shape = choose_shape(sandbox.proc_shapes if has_proc else sandbox.shapes, sources)
    # The sandbox's own first process is its user's, and counts as one of his; but root's counts as root's.
    resources = seat_resources(order, runtime, group, beside=int(shape is not Shape.ROOT))
    return Profile(
        shape=shape,
        bwrap=sandbox.bwrap,
        setpriv=sandbox.setpriv or Path("setpriv"),
        uid=uid,
        bundle=bundle,
        mounts=mounts,
        links=links,
        environment=runtime.environment,
        path=runtime.path,
        command=order.program.run,
        limits=order.limits,
        resources=tuple(resources.items()),
        has_proc=has_proc,
        has_tmp=order.program.needs_tmp,
    )


def seat_resources(
    order: SeatOrder, runtime: Runtime, group: SeatGroup, *, beside: int = 0
) -> dict[str, int]:
    """Return the resource limits of a seat, whose user has some processes beside the bot's."""
    return resource_limits(
        order.limits,
        bounds_address_space=not group.bounds_memory and not runtime.kind.has_own_address_space,
        spare_processes=beside + ROOM if group.counts.refuses_first else 0,
    )


def launch(profile: Profile, core: int | None, *, bounds_memory: bool) -> Launched:
    """Start bubblewrap; it sets the sandbox up and waits."""
    block, gate = os.pipe()
    info, told = os.pipe()
    stderr, written = os.pipe()
    given = Descriptors(os.memfd_create("arguments"), os.memfd_create("filter"), block, gate, told)
    process = None
    try:
        fill(given.arguments, policy.encode_arguments(policy.bwrap_arguments(profile, given)))
        fill(given.seccomp, filter_program(bounds_memory=bounds_memory))
        with on_core(core):
            process = subprocess.Popen(
                policy.command_line(profile, given),
                env={},
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=written,
                pass_fds=(given.arguments, given.seccomp, block, gate, told),
                start_new_session=True,
            )
    finally:
        ours = (given.arguments, given.seccomp, block, told, written)
        for descriptor in ours if process else (*ours, gate, info, stderr):
            os.close(descriptor)
    return Launched(process, gate, info, stderr)


@contextlib.contextmanager
def on_core(core: int | None) -> Iterator[None]:
    """Stand on one core while a child is born: it stays there. Pinning it later needs a privilege."""
    if core is None:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def fill(descriptor: int, data: bytes) -> None:
    """Put data where the child will read it from the beginning."""
    os.write(descriptor, data)
    os.lseek(descriptor, 0, os.SEEK_SET)


base = lru_cache(maxsize=1)(base_mounts)
"""What every sandbox holds, found once a process."""
