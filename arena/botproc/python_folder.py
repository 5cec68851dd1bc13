"""The read-only folder from which a sandboxed Python bot imports: the SDK, the game, gRPC, protobuf; no more.

Owns what is in it and its name, a digest of the contents, so that it is made once and shared by all seats. It
refuses to expose the whole site-packages: a bot sees no database driver, no queue, no command.
"""

import compileall
import contextlib
import hashlib
import importlib.util
import os
import py_compile
import shutil
import stat
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from arena.errors import PlatformError
from arena.files import cure, refusal_of

ARENA_PARTS = ("__init__.py", "errors.py", "toml.py", "bot", "rules", "protocol/__init__.py", "protocol/pb")
"""What of the package `arena` a bot may import."""
LIBRARIES = ("grpc", "google.protobuf", "google._upb", "typing_extensions")
"""The libraries below it; gRPC needs the last."""
CORE_SUMS = "SHA256SUMS"
"""Beside a compiled core: what it was compiled from. The core is used only while that is what lies there."""
_SUFFIXES = (".py", ".so")


def _package_root() -> Path:
    """Return the folder that holds the package `arena`."""
    return Path(__file__).resolve().parent.parent.parent


def _files_below(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
    elif path.is_dir():
        for found in sorted(path.rglob("*")):
            is_wanted = found.suffix in _SUFFIXES or found.name == CORE_SUMS
            if found.is_file() and is_wanted and "__pycache__" not in found.parts:
                yield found


def _built_core(root: Path) -> Path:
    """Return where a checkout has its compiled core; an installed package holds it among its own files."""
    if (root / "arena" / "rules" / "_core").is_dir():
        return root / "no-second-core"
    platform = str(sysconfig.get_config_var("EXT_SUFFIX")).strip(".").removesuffix(".so")
    return root / "build" / "core" / platform


def _library_path(name: str) -> Path:
    """Find an importable library without importing it."""
    parent, _, last = name.rpartition(".")
    found = importlib.util.find_spec(parent or name)
    if found is None:
        raise PlatformError(f"the Python library {name} is not installed")
    if parent:
        for folder in found.submodule_search_locations or ():
            if (Path(folder) / last).exists():
                return Path(folder) / last
        raise PlatformError(f"the Python library {name} is not installed")
    if found.submodule_search_locations:
        return Path(next(iter(found.submodule_search_locations)))
    return Path(str(found.origin))


def _contents() -> list[tuple[str, Path]]:
    """List what belongs into the folder: (path inside, source), sorted."""
    root = _package_root()
    pairs: list[tuple[str, Path]] = []
    for part in ARENA_PARTS:
        for source in _files_below(root / "arena" / part):
            pairs.append((str(source.relative_to(root)), source))
    core = _built_core(root)
    for source in _files_below(core):
        pairs.append((f"arena/rules/_core/{source.relative_to(core)}", source))
    for name in LIBRARIES:
        library = _library_path(name)
        base = library.parents[name.count(".")]
        for source in _files_below(library):
            pairs.append((str(source.relative_to(base)), source))
    return sorted(pairs)


def _digest(pairs: list[tuple[str, Path]]) -> str:
    total = hashlib.sha256(sys.version.encode())
    for inside, source in pairs:
        total.update(f"\0{inside}\0".encode())
        total.update(hashlib.sha256(source.read_bytes()).digest())
    return total.hexdigest()[:32]


@cache
def python_folder(cache_dir: Path) -> Path:
    """Return the folder below `cache_dir`, made now if this is the first time for these contents.

    Raises:
        UsageError: The cache cannot be written.
        PlatformError: A library is missing, or the disk is full.
    """
    pairs = _contents()
    folder = cache_dir / f"python-{_digest(pairs)}"
    if folder.is_dir():
        return folder
    try:
        cache_dir.mkdir(parents=True, exist_ok=True)
        building = Path(tempfile.mkdtemp(prefix="python-", dir=cache_dir))
        with _removed_on_failure(building):
            _fill(building, pairs)
        publish(building, folder)
        _forget_old(cache_dir, keep=folder)
    except OSError as error:
        said = f"cannot make the bots' Python folder in {cache_dir}: {error.strerror or error}; {cure(error)}"
        raise refusal_of(error, said) from error
    return folder


def publish(building: Path, folder: Path) -> None:
    """Give a folder that has been built its name, unless somebody else was first."""
    try:
        building.rename(folder)
    except OSError:
        shutil.rmtree(building, ignore_errors=True)
        if not folder.is_dir():
            raise


@contextlib.contextmanager
def _removed_on_failure(building: Path) -> Iterator[None]:
    """Leave nothing half built behind."""
    try:
        yield
    except OSError:
        shutil.rmtree(building, ignore_errors=True)
        raise


OLD_S = 14 * 24 * 3600
"""How long a folder of other contents is kept: bots of an arena not yet updated may import from it."""


def _forget_old(cache_dir: Path, *, keep: Path) -> None:
    """Remove the folders of former versions, and what a start that was killed has left half built."""
    for found in cache_dir.glob("python-*"):
        with contextlib.suppress(OSError):
            if found != keep and time.time() - found.stat().st_mtime > OLD_S:
                shutil.rmtree(found)


def _place(source: Path, target: Path) -> None:
    """Put a file into the folder; libraries, which are large, share their bytes with the installed ones."""
    if source.suffix == ".so" and source.stat().st_mode & stat.S_IROTH:
        with contextlib.suppress(OSError):
            target.hardlink_to(source)
            return
    shutil.copyfile(source, target)
    target.chmod(0o444)


def _fill(building: Path, pairs: list[tuple[str, Path]]) -> None:
    """Copy everything, compile it, and take the write bits away."""
    for inside, source in pairs:
        target = building / inside
        target.parent.mkdir(parents=True, exist_ok=True)
        _place(source, target)
    compileall.compile_dir(
        str(building),
        quiet=2,
        stripdir=str(building),
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )
    for folder, _, names in os.walk(building, topdown=False):
        for name in names:
            if name.endswith(".pyc"):
                (Path(folder) / name).chmod(0o444)
        # The owner keeps the write bit of folders, so that a cache can be deleted by hand.
        Path(folder).chmod(0o755)
