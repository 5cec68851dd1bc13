"""Which build of the core runs: the sources as they are, or the same sources compiled.

Owns the choice, made once when `arena.rules` is imported. It is the only module of the package that looks
at the machine: at ``ARENA_ENGINE`` (``pure`` or ``compiled``; unset: compiled where it is built and fresh)
and at the folder of compiled modules. A compiled core is used only while the checksums written when it was
built hold for the sources beside it; both builds give the same results.
"""

import hashlib
import importlib.machinery
import importlib.util
import os
import sys
import sysconfig
from pathlib import Path
from typing import Final

from arena.errors import UsageError, quote

_SOURCES: Final = Path(__file__).resolve().parent
_SUFFIX: Final = str(sysconfig.get_config_var("EXT_SUFFIX"))
_SHARED_LIBRARY: Final = "arena_rules__mypyc"


def core_folder() -> Path:
    """Return where the compiled core lies: in the package when installed, else in the build folder."""
    installed = _SOURCES / "_core"
    if installed.is_dir():
        return installed
    return _SOURCES.parents[1] / "build" / "core" / _SUFFIX.strip(".").removesuffix(".so")


def use_compiled(part: str, path: list[str]) -> None:
    """Let a package beyond the rules have its compiled modules, where the core is used and they are fresh.

    Args:
        part: The package's folder below `arena`; the core has one of the same name.
        path: The package's `__path__`.
    """
    folder = core_folder() / part
    if COMPILED and not _why_not_compiled(folder, Path(path[0])):
        path.insert(0, str(folder))


def how_to_build(sources: Path) -> str:
    """Say what compiles the core: of a checkout, or of an installed package, which has no `make`."""
    if any((folder / "setup.py").is_file() for folder in sources.parents[:2]):
        return "`make build` compiles it"
    return "`pip install --force-reinstall --no-deps --no-cache-dir` of the sources compiles it"


def _why_not_compiled(folder: Path, sources: Path) -> str:
    """Return why the compiled modules cannot be used, or an empty text."""
    try:
        sums = (folder / "SHA256SUMS").read_text().splitlines()
    except OSError:
        return f"not built; {how_to_build(sources)}"
    for line in sums:
        digest, name = line.split("  ")
        if hashlib.sha256((sources / name).read_bytes()).hexdigest() != digest:
            return f"{name} changed since the core was built; {how_to_build(sources)}"
        if not (folder / (name.removesuffix(".py") + _SUFFIX)).exists():
            return f"{name} was compiled for another Python; {how_to_build(sources)}"
    return ""


def _use(folder: Path) -> None:
    """Let the modules of the package come from the folder first, and load the library that they share."""
    spec = importlib.util.spec_from_file_location(_SHARED_LIBRARY, folder / (_SHARED_LIBRARY + _SUFFIX))
    if spec is None or spec.loader is None:
        raise ImportError(f"no compiled core in {folder}")
    library = importlib.util.module_from_spec(spec)
    sys.modules[_SHARED_LIBRARY] = library
    spec.loader.exec_module(library)
    sys.modules["arena.rules"].__path__.insert(0, str(folder))


def _choose() -> tuple[bool, str]:
    """Choose a build; return whether it is compiled, and a sentence about it."""
    wish = os.environ.get("ARENA_ENGINE", "")
    if wish not in ("", "pure", "compiled"):
        raise UsageError(f"ARENA_ENGINE: {quote(wish)} is no build of the engine: pure or compiled")
    if wish == "pure":
        return False, "uncompiled, as ARENA_ENGINE asks"
    folder = core_folder()
    reason = _why_not_compiled(folder, _SOURCES)
    if not reason:
        _use(folder)
        return True, "compiled"
    if wish == "compiled":
        raise UsageError(f"ARENA_ENGINE=compiled, but the core of the rules is uncompiled: {reason}")
    return False, f"uncompiled: {reason}"


COMPILED, ENGINE = _choose()
