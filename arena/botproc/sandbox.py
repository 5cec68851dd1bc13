"""What this machine has to shut a bot in with, as one value that every start needs.

Owns the settings and the findings. It is made by `arena.botproc.probe`, which lets nothing through that it
has not attacked, and used by `arena.botproc.process`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from arena.botproc.cgroup_hosts import Hosts
from arena.botproc.level import Level
from arena.botproc.policy import Shape
from arena.botproc.seat import Program
from arena.botproc.uids import UidPool
from arena.errors import LackingError


@dataclass(frozen=True, slots=True)
class SandboxSettings:
    """What an operator may choose."""

    cache_dir: Path
    """Where the bots' Python folder is kept; as root, users of seats should be able to reach it."""
    uids: UidPool = field(default_factory=UidPool)
    """User ids for seats, used as root only."""
    bwrap: Path | None = None
    """The one bubblewrap to use; None looks for the distribution's, then the one that pip brought."""


@dataclass(frozen=True, slots=True)
class Sandbox:
    """A level of isolation that has been proved on this machine, and how to reach it."""

    level: Level
    settings: SandboxSettings
    shapes: tuple[Shape, ...] = ()
    """The proved shapes, the preferred first; empty at level none."""
    proc_shapes: tuple[Shape, ...] = ()
    """Those of them in which a /proc can be had."""
    bwrap: Path | None = None
    bwrap_version: str = ""
    setpriv: Path | None = None
    filter_hash: str = ""
    cgroups: Hosts = field(default_factory=Hosts)
    reason: str = ""
    """Why this level and no better one."""
    refused: Mapping[str, str] = field(default_factory=dict)
    """What else was tried, and what spoke against it."""

    @property
    def gives_proc(self) -> bool:
        """Whether bots that ask for a /proc can be played; landlock has none but the machine's own."""
        return self.level is Level.NONE or bool(self.proc_shapes)

    def refuse(self, program: Program) -> None:
        """Refuse a bot that asks for what cannot be given here; whoever would start it asks first.

        Raises:
            LackingError: It asks for a /proc or a writable /tmp; the message says what is missing.
        """
        if self.level is Level.LANDLOCK and (program.needs_proc or program.needs_tmp):
            raise LackingError(
                f"bot {program.name} asks for {'/proc' if program.needs_proc else 'a writable /tmp'}, which "
                "level landlock cannot give: it would be the machine's own; play it where level strict or "
                "userns is reached"
            )
        if program.needs_proc and not self.gives_proc:
            raise LackingError(
                f"bot {program.name} asks for a /proc, which cannot be had here: see `arena doctor`"
            )
        if program.needs_tmp and self.level is not Level.NONE and not self.cgroups.bounds_memory:
            raise LackingError(
                f"bot {program.name} asks for a writable /tmp, "
                "which this machine cannot bound: no memory cgroup is writable"
            )
