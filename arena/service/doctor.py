"""What this machine can do, as values for `arena doctor`: the level of isolation, why, and what to do.

Owns the examination and its warnings. It proves the sandbox by the same attack as a worker does, and changes
nothing; printing is the shell's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from arena.botproc.cgroup_hosts import Hosts, find_hosts
from arena.botproc.level import Level
from arena.botproc.policy import Shape
from arena.botproc.probe import NoSandboxError, cure, open_sandbox
from arena.botproc.runtimes import RUNTIMES, Runtime, list_runtimes
from arena.botproc.sandbox import Sandbox, SandboxSettings
from arena.botproc.uids import UidPool
from arena.errors import ArenaError
from arena.rules import COMPILED, ENGINE


@dataclass(frozen=True, slots=True)
class RuntimeFinding:
    """A language's runtime on this machine."""

    name: str
    about: str
    version: str = ""
    """As it says itself; empty for one that has none, and for one that is missing."""
    missing: str = ""
    """Why bots of it cannot be played here; empty when they can."""


@dataclass(frozen=True, slots=True)
class Examination:
    """Everything that was found."""

    level: Level | None
    """The level that was proved, None when there is none."""
    reason: str
    """Why this one, or why none."""
    remedy: str = ""
    """What to do where there is none, and how to go on without."""
    refused: Mapping[str, str] = field(default_factory=dict)
    """What else was tried, and what spoke against it."""
    bwrap: str = ""
    bwrap_version: str = ""
    filter_hash: str = ""
    engine: str = ENGINE
    """Which build of the core plays, and why."""
    cgroups: Mapping[str, str] = field(default_factory=dict)
    """For memory, pids, cpu and freeze: where it comes from, or "none"."""
    runtimes: Sequence[RuntimeFinding] = ()
    warnings: Sequence[str] = ()
    """One sentence each; none of them stops a worker."""


def examine(settings: SandboxSettings, wanted: Level | None = None) -> Examination:
    """Examine this machine; from the main thread only."""
    hosts = find_hosts()
    runtimes = [_say_runtime(name, found) for name, found in list_runtimes(settings.cache_dir).items()]
    try:
        sandbox = open_sandbox(settings, wanted)
    except ArenaError as error:
        none = Examination(
            None,
            str(error),
            cgroups=hosts.describe(),
            runtimes=runtimes,
            warnings=[*_warn_about_core(), *_warn_about_machine(hosts)],
        )
        if isinstance(error, NoSandboxError):
            return replace(
                none, reason="all that was tried has failed", remedy=error.remedy, refused=error.tried
            )
        return none
    if not sandbox.gives_proc:
        runtimes = [
            replace(
                found, version="", missing=found.missing or "it needs a /proc, which no sandbox gets here"
            )
            if RUNTIMES[found.name].needs_proc
            else found
            for found in runtimes
        ]
    return Examination(
        level=sandbox.level,
        reason=sandbox.reason,
        refused=sandbox.refused,
        bwrap=str(sandbox.bwrap or ""),
        bwrap_version=sandbox.bwrap_version,
        filter_hash=sandbox.filter_hash,
        cgroups=hosts.describe(),
        runtimes=runtimes,
        warnings=[*_warn_about_sandbox(sandbox), *_warn_about_core(), *_warn_about_machine(hosts)],
    )


def _say_runtime(name: str, found: Runtime | str) -> RuntimeFinding:
    about = RUNTIMES[name].about
    if isinstance(found, str):
        return RuntimeFinding(name, about, missing=found)
    return RuntimeFinding(name, about, found.version)


def _warn_about_core() -> list[str]:
    if COMPILED:
        return []
    price = "a job plays about half as many decisions a second, a search bot looks at about a sixth"
    remedy = "to compile it takes a C compiler and Python's headers"
    return [f"the core of the rules is {ENGINE}: results are the same, but {price}; {remedy}"]


def _warn_about_sandbox(sandbox: Sandbox) -> list[str]:
    warnings = []
    if sandbox.level is Level.NONE:
        warnings.append("no sandbox: play your own bots only; their matches are unrated")
    if sandbox.level is Level.LANDLOCK:
        warnings.append(
            "level landlock is the weakest that counts: bots that need /proc (Java) or a writable /tmp are "
            "not played here, and bots see that other processes exist; docs/isolation.md says what else"
        )
        better = cure("; ".join(sandbox.refused.values()))
        warnings += [f"for level strict: {better[0].lower()}{better[1:]}"] if better else []
        warnings += _overlaps(sandbox.settings.uids)
    elif not sandbox.gives_proc:
        why = next((why for what, why in sandbox.refused.items() if what.startswith("a /proc")), "unknown")
        warnings.append(
            "bots that need /proc (Java) are not played here, because something is mounted over a part of "
            f"the machine's own, as systemd's ProtectKernelLogs and a container's masks do: {why}"
        )
    if sandbox.level is Level.STRICT:
        if Shape.SEAT not in sandbox.shapes:
            warnings.append(
                "bubblewrap sets sandboxes up as root, because a seat's own user cannot: see what was refused"
            )
        warnings += _overlaps(sandbox.settings.uids)
    return warnings


def _warn_about_machine(hosts: Hosts) -> list[str]:
    warnings = []
    if not hosts.bounds_memory:
        warnings.append(
            "no control group for memory is writable: memory is watched every 25 ms instead of bounded, "
            "and bots that ask for a writable /tmp are refused"
        )
    if not hosts.can_freeze:
        warnings.append("no control group can freeze: idle bots are stopped by signals, which is slower")
    if _read("/proc/sys/kernel/core_pattern").startswith("|"):
        warnings.append("kernel.core_pattern is a pipe: the system may store core dumps of bots all the same")
    return warnings


def _overlaps(pool: UidPool, subuid: str | None = None) -> list[str]:
    """Warn when users of seats are also what some container's users are mapped to."""
    text = _read("/etc/subuid") if subuid is None else subuid
    for line in text.splitlines():
        name, _, numbers = line.partition(":")
        first, _, count = numbers.partition(":")
        if not (first.isdecimal() and count.isdecimal()):
            continue
        if int(first) < pool.first + pool.count and pool.first < int(first) + int(count):
            last = pool.first + pool.count - 1
            return [f"user ids {pool.first} to {last} overlap with {name}'s in /etc/subuid; set uid_first"]
    return []


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
