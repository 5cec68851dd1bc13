"""What a sandbox has of this machine: the file that a path inside it stands for.

Owns the walk along a path as a seat's process would take it, symbolic links included. Refuses to start
anything; levels that show more of the machine than this are no reason for a bot to need it.
"""

import os
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from arena.botproc.runtimes import RUNTIMES, Mount, Runtime, base_mounts

USUAL_PATH: Final = ("/usr/local/bin", "/usr/bin", "/bin")
"""Where programs are looked for behind the runtime's own folders."""
_LINKS_MAX: Final = 40
"""So many symbolic links the kernel follows."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What a seat of one runtime sees outside its bundle."""

    mounts: tuple[Mount, ...]
    links: tuple[tuple[str, str], ...]
    path: tuple[str, ...]
    """Folders in which commands are looked for."""

    def locate(self, path: str) -> Path | None:
        """Return the machine's file that an absolute path is in the sandbox; None where it has none."""
        here, ahead, links = PurePosixPath("/"), list(PurePosixPath(path).parts[1:]), 0
        while ahead:
            part = ahead.pop(0)
            if part == "..":
                here = here.parent
                continue
            target = self._link(here / part)
            if not target:
                here /= part
                continue
            links += 1
            if links > _LINKS_MAX:
                return None
            here = PurePosixPath("/") if target.startswith("/") else here
            ahead = [word for word in PurePosixPath(target).parts if word != "/"] + ahead
        found = self._on_machine(here)
        return found if found is not None and found.exists() else None

    def find_program(self, name: str) -> str | None:
        """Return where a command is found in the sandbox, None when it has none."""
        for folder in self.path:
            found = self.locate(f"{folder}/{name}")
            if found is not None and found.is_file() and os.access(found, os.X_OK):
                return f"{folder}/{name}"
        return None

    def runtime_of(self, program: str) -> str:
        """Return the name of the runtime that brings a command, or an empty text."""
        return next((kind.name for kind in RUNTIMES.values() if program == kind.program), "")

    def _link(self, path: PurePosixPath) -> str:
        """Return where a symbolic link leads, or an empty text; a mount point is none."""
        for name, target in self.links:
            if name == str(path):
                return target
        found = self._on_machine(path)
        if found is None or any(mount.target == str(path) for mount in self.mounts):
            return ""
        return str(found.readlink()) if found.is_symlink() else ""

    def _on_machine(self, path: PurePosixPath) -> Path | None:
        """Return what of the machine lies at a path without links; the last mount there covers the others."""
        within = [mount for mount in self.mounts if path.is_relative_to(mount.target)]
        if not within:
            return None
        mount = max(within, key=lambda mount: len(mount.target))
        return mount.source.resolve() / path.relative_to(mount.target)


def look_from(runtime: Runtime) -> Sight:
    """Return what a bot of a runtime sees."""
    mounts, links = base_mounts()
    return Sight((*mounts, *runtime.mounts), links, (*runtime.path, *USUAL_PATH))
