"""Building a bot on its author's machine, and looking at what came of it.

Owns the command that `build` in `bot.toml` names: it runs in the bot's folder, with the author's rights and
environment, for it is the author's own. Refuses to build what came as a zip: nobody else's code is built.
"""

import os
import shlex
import shutil
import subprocess
import textwrap
from pathlib import Path

from arena.botproc.limits import DEFAULT_CEILING, Limits, grant_limits
from arena.botproc.runtimes import find_runtime, get_kind
from arena.botproc.sight import look_from
from arena.bundle.artifact import check_artifact
from arena.bundle.pack import Bundle, load_manifest
from arena.errors import UsageError
from arena.service.toolchain import find_outdated

FIRST_LINES, LAST_LINES = 15, 25
"""How much of what a failed build said is shown: compilers name the cause first, scripts last."""
LONGEST_LINE = 400
"""A longer line of it is cut."""


def build_bot(folder: Path, ceiling: Limits = DEFAULT_CEILING) -> bool:
    """Run the build command of a bot's folder; False when it has none.

    Raises:
        UsageError: The program is not on this machine, or the build failed; the error holds its output.
    """
    manifest = load_manifest(folder)
    get_kind(manifest.runtime)
    grant_limits(manifest.limits, ceiling)
    if not manifest.build:
        return False
    program = manifest.build[0]
    found = folder / program if "/" in program else shutil.which(program)
    if found is None or not os.access(found, os.X_OK):
        raise UsageError(f"{folder}: bot.toml: build needs {program!r}, which this machine does not have")
    done = subprocess.run(
        [str(Path(found).absolute()), *manifest.build[1:]],
        cwd=folder,
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    if done.returncode != 0:
        output = excerpt(done.stdout)
        command = textwrap.shorten(shlex.join(manifest.build), 120, placeholder=" …")
        how = f"exit code {done.returncode}" if done.returncode > 0 else f"signal {-done.returncode}"
        parts = [find_outdated(folder), "it said:" if output else "it said nothing"]
        told = "; ".join([f"the build `{command}` failed with {how}", *filter(None, parts)])
        raise UsageError(f"{folder}: bot.toml: {told}", output=output)
    return True


def excerpt(text: str) -> list[str]:
    """Return the lines of a text, each cut to a length, and of many the first and the last ones."""
    lines = [
        line if len(line) <= LONGEST_LINE else line[:LONGEST_LINE] + "…"
        for line in text.rstrip().expandtabs().splitlines()
    ]
    if not (left_out := max(0, len(lines) - FIRST_LINES - LAST_LINES)):
        return lines
    return [*lines[:FIRST_LINES], f"… {left_out:,} lines left out …", *lines[-LAST_LINES:]]


def inspect_bundle(bundle: Bundle, cache_dir: Path, ceiling: Limits = DEFAULT_CEILING) -> list[str]:
    """Find what would keep a bundle from starting at all, before it is started.

    Returns:
        Notes on files that this machine cannot load, which may be none of its concern.

    Raises:
        UsageError: Something would; the message says what to mend.
        PlatformError: This machine lacks the runtime.
    """
    manifest = bundle.manifest
    runtime = find_runtime(manifest.runtime, cache_dir)
    grant_limits(manifest.limits, ceiling)
    if runtime.kind.needs_proc and not manifest.needs_proc:
        raise UsageError(
            f"bot.toml: bots of runtime {manifest.runtime!r} need /proc: write needs_proc = true"
        )
    return check_artifact(manifest, bundle.data, look_from(runtime))
