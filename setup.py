"""Build hooks: the core of the rules, compiled by mypyc where a C compiler is found.

`pyproject.toml` describes the project; here stands only what it cannot say.

* ``python setup.py build_core`` compiles the core of a checkout into ``build/core/<platform>/``.
* A wheel carries it in ``arena/rules/_core/``. Without a C compiler, or with ``ARENA_BUILD_CORE=0``, the
  build goes on without it: the same sources run uncompiled.

Beside the compiled files lies ``SHA256SUMS`` of the sources they were made from; `arena.rules.engine` uses
them only while it holds, so a compiled core is never older than its sources.
"""

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from setuptools import Command, Distribution, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
RULES = Path("arena", "rules")
CORE = (
    "cards",
    "deal",
    "dealers",
    "decision",
    "drawing",
    "effects",
    "events",
    "hand",
    "hands",
    "keys",
    "leaving",
    "legal",
    "match",
    "moves",
    "offers",
    "penalty",
    "pile",
    "playout",
    "questions",
    "round",
    "scoring",
    "standing",
    "state",
    "talk",
    "turns",
    "uno",
    "variant",
    "view",
)
"""The modules of the rules that are compiled, all into one group, so that calls between them are direct."""
BEYOND = {"match": ("referee",), "protocol/turn": ("writer",), "bot/simulate": ("facts", "gains", "player")}
"""Other packages' modules in that group: what every decision goes through beside the rules."""
REFERENCE = ("colour-keeper", "first-legal", "greedy", "random", "veteran")
"""The reference bots that are written in Python."""
AS_ONE = ("-flto=auto", "-fno-semantic-interposition", "-fno-plt")
"""Optimise the core and mypyc's own library as one program: its list operations are inlined (12 %)."""
PLATFORM = str(sysconfig.get_config_var("EXT_SUFFIX")).strip(".").removesuffix(".so")


def core_is_wanted() -> str:
    """Return why the core cannot or shall not be compiled here, or an empty text."""
    if os.environ.get("ARENA_BUILD_CORE") == "0":
        return "ARENA_BUILD_CORE=0"
    compiler = shlex.split(os.environ.get("CC") or str(sysconfig.get_config_var("CC") or "cc"))
    if not compiler or shutil.which(compiler[0]) is None:
        return "no C compiler found"
    if not Path(sysconfig.get_paths()["include"], "Python.h").exists():
        return "Python's own headers (Python.h) not found"
    return ""


def links_as_one(folder: Path) -> bool:
    """Whether this compiler and linker can do what `AS_ONE` asks, tried on an empty library."""
    (folder / "empty.c").write_text("int empty;\n")
    compiler = shlex.split(os.environ.get("CC") or str(sysconfig.get_config_var("CC") or "cc"))
    command = [*compiler, *AS_ONE, "-shared", "-fPIC", "-o", "empty.so", "empty.c"]
    return subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 0


def compile_core(target: Path) -> None:
    """Compile the core into a folder, which appears at once or not at all."""
    work = ROOT / "build" / "core-work"
    shutil.rmtree(work, ignore_errors=True)
    before = os.environ.copy()
    os.environ["TMPDIR"] = str(work / "tmp")  # a compiler that is interrupted leaves its files there
    (work / "tmp").mkdir(parents=True)
    try:
        compile_within(work, target)
    finally:
        os.environ.clear()
        os.environ.update(before)
        shutil.rmtree(work, ignore_errors=True)


def compile_within(work: Path, target: Path) -> None:
    """Compile the core in one folder and rename it to another."""
    from mypyc.build import mypycify  # noqa: PLC0415  # needed only where the core is compiled

    os.chdir(ROOT)
    parts = {RULES: CORE, **{Path("arena", part): names for part, names in BEYOND.items()}}
    sources = [str(part / f"{name}.py") for part, names in parts.items() for name in names]
    extensions = mypycify(
        ["--config-file=", "--ignore-missing-imports", *sources],
        group_name="arena_rules",
        opt_level="3",
        debug_level="0",
        target_dir=str(work),
    )
    if links_as_one(work):
        for extension in extensions:
            extension.extra_compile_args += AS_ONE
            extension.extra_link_args += AS_ONE
    command = build_ext(Distribution({"name": "core", "ext_modules": extensions}))
    command.build_lib = str(work / "lib")
    command.build_temp = str(work / "temp")
    command.ensure_finalized()
    command.run()
    ready = work / "ready"
    for part, names in parts.items():
        inside = "" if part == RULES else part.relative_to("arena")
        gather(part, names, work / "lib", ready / inside)
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(target, ignore_errors=True)
    ready.rename(target)


def gather(part: Path, names: Sequence[str], built: Path, target: Path) -> None:
    """Put compiled modules of a package into the core, with the sums of their sources and the library."""
    target.mkdir(parents=True)
    for library in [*(built / part).glob("*.so"), *(built.glob("*.so") if part == RULES else ())]:
        shutil.copy2(library, target / library.name)
    sums = [
        f"{hashlib.sha256((ROOT / part / f'{name}.py').read_bytes()).hexdigest()}  {name}.py\n"
        for name in names
    ]
    (target / "SHA256SUMS").write_text("".join(sums))


def try_to_compile_core(target: Path) -> bool:
    """Compile the core if that is possible; say so if not, and return whether it was."""
    reason = core_is_wanted()
    if not reason:
        try:
            compile_core(target)
        except Exception as error:  # noqa: BLE001  # whatever fails, the sources run uncompiled
            reason = f"{type(error).__name__}: {error}"
        else:
            return True
    sys.stderr.write(f"The core of the rules stays uncompiled ({reason}): slower, and otherwise the same.\n")
    return False


def copy_reference_bots(target: Path) -> None:
    """Copy the bots that `rules try` and `bot try` play; beside a checkout of the package alone are none."""
    for name in REFERENCE:
        for source in (*(ROOT / "bots" / name).glob("*.py"), *(ROOT / "bots" / name).glob("bot.toml")):
            (target / name).mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target / name / source.name)


class BuildCore(Command):
    """Compile the core of a checkout."""

    description = "compile the core of the rules into build/core"
    user_options: ClassVar[list[tuple[str, str | None, str]]] = [
        ("stamp=", None, "touch this file when the core is compiled, and only then"),
        ("ask", None, "compile nothing; print why that is impossible here, if it is"),
    ]

    def initialize_options(self) -> None:
        """Neither is given."""
        self.stamp = ""
        self.ask = False

    def finalize_options(self) -> None:
        """They are taken as they are."""

    def run(self) -> None:
        """Compile, or say why not."""
        reason = core_is_wanted()
        if self.ask:
            sys.stdout.write(f"{reason}\n")
            return
        if not reason:
            sys.stderr.write("Compiling the core of the engine, about a minute ...\n")
        if try_to_compile_core(ROOT / "build" / "core" / PLATFORM) and self.stamp:
            Path(self.stamp).touch()


class BuildPyWithCore(build_py):
    """Copy the sources, and put the reference bots and the compiled core beside them into a wheel."""

    def run(self) -> None:
        """Copy, then compile; an editable install uses the checkout's own core."""
        super().run()
        if not self.editable_mode:
            copy_reference_bots(Path(self.build_lib) / "arena" / "reference")
            try_to_compile_core(Path(self.build_lib).resolve() / RULES / "_core")


class CoreDistribution(Distribution):
    """A distribution whose wheel belongs to one platform when it carries a compiled core."""

    def has_ext_modules(self) -> bool:
        """Whether the wheel carries compiled code."""
        return not core_is_wanted()


setup(
    distclass=CoreDistribution,
    cmdclass={"build_core": BuildCore, "build_py": BuildPyWithCore},
)
