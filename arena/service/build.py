"""Building a bot on its author's machine, and looking at what came of it.

Owns the command that `build` in `bot.toml` names: it runs in the bot's folder, with the author's rights and
environment, for it is the author's own. Refuses to build what came as a zip: nobody else's code is built.
"""

import shlex
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from arena.botproc.limits import DEFAULT_CEILING, Limits, grant_limits
from arena.botproc.runtimes import find_runtime, get_kind
from arena.botproc.sight import look_from
from arena.bundle.artifact import check_artifact
from arena.bundle.manifest import Manifest
from arena.bundle.pack import Bundle, load_manifest
from arena.errors import UsageError
from arena.service.command import run_command
from arena.service.toolchain import find_missing, find_outdated

FIRST_LINES, LAST_LINES = 15, 25
"""How much of what a failed build said is shown: compilers name the cause first, scripts last."""
LONGEST_LINE = 400
"""A longer line of it is cut."""


class Listener(Protocol):
    """Who is told how a build goes on."""

    shows_all: bool
    """Whether the lines of a build are shown, and need not be shown again when it fails."""

    def begin(self, text: str) -> None:
        """Hear what is built, and how."""

    def hear(self, line: str) -> None:
        """Hear one line of what the build says."""


def build_bot(
    folder: Path,
    ceiling: Limits = DEFAULT_CEILING,
    listener: Listener | None = None,
    admit: Callable[[Manifest], None] | None = None,
) -> bool:
    """Run the build command of a bot's folder; False when it has none.

    Args:
        folder: Where its bot.toml lies.
        ceiling: The most that it may ask for.
        listener: Who is told how it goes on.
        admit: Raises for a bot that cannot be played here: a build may take minutes.

    Raises:
        UsageError: The program cannot be started, or the build failed; the error holds its output, unless the
            listener was told all of it a moment ago.
    """
    manifest = load_manifest(folder)
    _check_proc(manifest)
    grant_limits(manifest.limits, ceiling)
    if not manifest.build:
        return False
    if admit is not None:
        admit(manifest)
    command = textwrap.shorten(shlex.join(manifest.build), 120, placeholder=" …")
    if listener is not None:
        listener.begin(f"building {manifest.name}: {command}")
    try:
        ended = run_command(manifest.build, folder, listener.hear if listener is not None else lambda _: None)
    except UsageError as error:
        told = [str(error), find_missing(folder)]
        raise UsageError(f"{folder}: bot.toml: {'; '.join(part for part in told if part)}") from error
    if ended.code != 0:
        output = excerpt(ended.lines)
        how = f"exit code {ended.code}" if ended.code > 0 else f"signal {-ended.code}"
        is_shown = (
            listener is not None and listener.shows_all and len(ended.lines) <= FIRST_LINES + LAST_LINES
        )
        last = ("it said what is above" if is_shown else "it said:") if output else "it said nothing"
        told = [f"the build `{command}` failed with {how}", find_outdated(folder), find_missing(folder), last]
        text = "; ".join(part for part in told if part)
        raise UsageError(f"{folder}: bot.toml: {text}", output=[] if is_shown else output)
    return True


def excerpt(said: Sequence[str]) -> list[str]:
    """Return lines, each cut to a length, and of many the first and the last ones."""
    lines = [line if len(line) <= LONGEST_LINE else line[:LONGEST_LINE] + "…" for line in said]
    while lines and not lines[-1]:
        lines.pop()
    if not (left_out := max(0, len(lines) - FIRST_LINES - LAST_LINES)):
        return lines
    return [*lines[:FIRST_LINES], f"… {left_out:,} lines left out …", *lines[-LAST_LINES:]]


def inspect_bundle(bundle: Bundle, cache_dir: Path, ceiling: Limits = DEFAULT_CEILING) -> list[str]:
    """Find what would keep a bundle from starting at all, before it is started.

    Returns:
        Notes on files that this machine cannot load, which may be none of its concern.

    Raises:
        UsageError: Something would; the message says what to mend.
        LackingError: This machine has not the runtime.
    """
    manifest = bundle.manifest
    _check_proc(manifest)
    runtime = find_runtime(manifest.runtime, cache_dir)
    grant_limits(manifest.limits, ceiling)
    return check_artifact(manifest, bundle.data, look_from(runtime))


def _check_proc(manifest: Manifest) -> None:
    """Refuse a bot whose runtime is none or does not start without what the bot does not ask for."""
    if get_kind(manifest.runtime).needs_proc and not manifest.needs_proc:
        raise UsageError(
            f"bot.toml: bots of runtime {manifest.runtime!r} need /proc: write needs_proc = true"
        )
