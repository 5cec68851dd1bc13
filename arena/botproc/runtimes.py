"""Runtimes as data: what a sandbox must hold beside the bundle so that a bot of a language can run.

A runtime is one row of `RUNTIMES`. `find_runtime` looks on this machine for what the row names and says what
is missing; nothing here starts a bot, and no other module asks which language a bot is written in.
"""

import hashlib
import re
import shutil
import site
import subprocess
import sys
import sysconfig
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from arena.botproc.python_folder import publish, python_folder
from arena.errors import LackingError, PlatformError, UsageError, nearest

PYTHON_PATH = "/opt/arena"
"""Where a Python bot finds its imports inside the sandbox."""


@dataclass(frozen=True, slots=True)
class Mount:
    """A file or folder of the machine, read-only inside the sandbox."""

    source: Path
    target: str


@dataclass(frozen=True, slots=True)
class RuntimeKind:
    """A row of the table of runtimes."""

    name: str
    about: str
    """One line for `arena doctor`."""
    program: str | None = None
    """The command that must exist, None for bundles that bring everything."""
    version: tuple[str, ...] = ()
    """Arguments that make the program print its version."""
    extra: tuple[str, ...] = ()
    """Patterns of further paths outside /usr that it reads, mounted where they are."""
    has_own_address_space: bool = False
    """True for runtimes that reserve more address space than any limit would allow."""
    needs_proc: bool = False
    """True for runtimes that do not start without /proc."""
    lacking: str = ""
    """What else is not there when the program cannot print its version; "" where that does not matter."""
    hello_s: float = 5.0
    """Time to start and answer the hello."""
    languages: tuple[str, ...] = ()
    """Words for the languages that it runs and `arena bot new` has no template for."""


_RUBY_VERSION = """
seen = ['/usr/', File.join(RbConfig::CONFIG['prefix'], '')]
kept = Gem.path.select { |path| path.start_with?(*seen) }
Gem.paths = { 'GEM_HOME' => kept.first || '/nonexistent', 'GEM_PATH' => kept.join(':') }
require 'grpc'
puts "ruby #{RUBY_VERSION}, grpc #{GRPC::VERSION}"
"""
"""Gems that lie elsewhere, as in /var/lib/gems or an author's home, are in no sandbox."""

RUNTIMES: dict[str, RuntimeKind] = {
    kind.name: kind
    for kind in (
        RuntimeKind("python", "the arena's own Python with its SDK", "python3", ("--version",)),
        RuntimeKind("native", "an executable that brings everything but the C library"),
        RuntimeKind("node", "JavaScript on Node.js", "node", ("--version",), has_own_address_space=True),
        RuntimeKind(
            "java",
            "the Java virtual machine",
            "java",
            ("-version",),
            extra=("/etc/java-*",),
            has_own_address_space=True,
            needs_proc=True,
            hello_s=30.0,
        ),
        RuntimeKind(
            "ruby",
            "Ruby with the gems grpc and google-protobuf",
            "ruby",
            ("-e", _RUBY_VERSION),
            lacking="the gem grpc (Debian: ruby-grpc)",
        ),
        RuntimeKind(
            "dotnet",
            ".NET; no template",
            "dotnet",
            ("--version",),
            has_own_address_space=True,
            hello_s=30.0,
            languages=("dotnet", ".net", "c#", "cs", "csharp", "f#", "fsharp"),
        ),
    )
}


@dataclass(frozen=True, slots=True)
class Runtime:
    """A runtime as found on this machine."""

    kind: RuntimeKind
    version: str
    mounts: tuple[Mount, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    path: tuple[str, ...] = ()
    """Folders inside the sandbox where its programs are, before the usual ones."""
    host_environment: tuple[tuple[str, str], ...] = ()
    """The same without a sandbox."""
    host_path: tuple[str, ...] = ()


def get_kind(name: str) -> RuntimeKind:
    """Return the row of `name`.

    Raises:
        UsageError: There is none; the message lists what there is.
    """
    if name not in RUNTIMES:
        raise UsageError(
            f"bot.toml: unknown runtime {name!r}{nearest(name, RUNTIMES)}; known are {', '.join(RUNTIMES)}"
        )
    return RUNTIMES[name]


def find_untaught(language: str) -> str:
    """Return the runtime of a language that there is no template for, or an empty text."""
    return next((kind.name for kind in RUNTIMES.values() if language in kind.languages), "")


@cache
def find_runtime(name: str, cache_dir: Path) -> Runtime:
    """Find a runtime on this machine.

    Raises:
        UsageError: No such runtime is known.
        LackingError: This machine has none; the message says what to install.
    """
    kind = get_kind(name)
    if name == "python":
        return _find_python(kind, cache_dir)
    if kind.program is None:
        return Runtime(kind, "")
    found = shutil.which(kind.program)
    if found is None:
        raise LackingError(f"this machine has no {kind.program!r}: install it for bots of runtime {name!r}")
    version = _version([found, *kind.version])
    if kind.lacking and not version:
        raise LackingError(
            f"this machine's {found} lacks {kind.lacking}: install it for bots of runtime {name!r}"
        )
    mounts, path = _outside_usr(Path(found).resolve().parent.parent, name)
    places = [place for pattern in kind.extra for place in sorted(Path("/").glob(pattern.lstrip("/")))]
    extra = tuple(Mount(place, str(place)) for place in places)
    host_path = (str(Path(found).parent),)
    return Runtime(kind, version, mounts + extra, (), path, (), host_path)


def list_runtimes(cache_dir: Path) -> dict[str, Runtime | str]:
    """Return every known runtime as found, or the sentence that says why not."""
    found: dict[str, Runtime | str] = {}
    for name in RUNTIMES:
        try:
            found[name] = find_runtime(name, cache_dir)
        except PlatformError as error:
            found[name] = str(error)
    return found


def base_mounts() -> tuple[tuple[Mount, ...], tuple[tuple[str, str], ...]]:
    """Return what every sandbox holds: read-only mounts, and the links of a merged /usr as (name, target)."""
    mounts, links = [Mount(Path("/usr"), "/usr")], []
    for name in ("bin", "sbin", "lib", "lib32", "lib64", "libx32"):
        place = Path("/", name)
        if place.is_symlink():
            links.append((f"/{name}", str(place.readlink())))
        elif place.is_dir():
            mounts.append(Mount(place, f"/{name}"))
    for place in (Path("/etc/ld.so.cache"), Path("/etc/alternatives")):
        if place.exists():
            mounts.append(Mount(place, str(place)))
    return tuple(mounts), tuple(links)


def _find_python(kind: RuntimeKind, cache_dir: Path) -> Runtime:
    """Use the interpreter that runs the arena, without its virtual environment."""
    prefix = Path(sys.base_prefix).resolve()
    folder = python_folder(cache_dir)
    mounts, path = _outside_usr(prefix, kind.name)
    if not path:
        path = (str(prefix / "bin"),)
    hidden = _hide_site_packages(prefix, f"/opt/{kind.name}" if mounts else str(prefix), cache_dir)
    environment = [("PYTHONPATH", PYTHON_PATH), ("PYTHONNOUSERSITE", "1"), ("PYTHONDONTWRITEBYTECODE", "1")]
    host = (("PYTHONPATH", str(folder)), *environment[1:])
    if sysconfig.get_config_var("Py_ENABLE_SHARED") and mounts:
        environment.append(("LD_LIBRARY_PATH", f"/opt/{kind.name}/lib"))
    return Runtime(
        kind,
        "Python " + sys.version.split()[0],
        (*mounts, *hidden, Mount(folder, PYTHON_PATH)),
        tuple(environment),
        path,
        host,
        (str(prefix / "bin"),),
    )


def bare_python(prefix: Path, cache_dir: Path) -> Path:
    """Return a virtual environment without packages: what hides those of an interpreter without a mount."""
    folder = cache_dir / f"bare-{hashlib.sha256(f'{prefix} {sys.version}'.encode()).hexdigest()[:16]}"
    if not folder.is_dir():
        cache_dir.mkdir(parents=True, exist_ok=True)
        building = Path(tempfile.mkdtemp(prefix="bare-", dir=cache_dir))
        (building / "bin").mkdir()
        version = ".".join(map(str, sys.version_info[:3]))
        for name in ("python3", "python"):
            (building / "bin" / name).symlink_to(prefix / "bin" / "python3")
        text = f"home = {prefix}/bin\ninclude-system-site-packages = false\nversion = {version}\n"
        (building / "pyvenv.cfg").write_text(text, encoding="utf-8")
        # Not left to the umask: users of seats read it.
        for path in (building, building / "bin"):
            path.chmod(0o755)
        (building / "pyvenv.cfg").chmod(0o644)
        publish(building, folder)
    return folder


def _hide_site_packages(prefix: Path, target: str, cache_dir: Path) -> list[Mount]:
    """Lay an empty folder over the packages that happen to be installed beside the interpreter.

    A bot that found one would work on this worker and fail on the next.
    """
    empty = cache_dir / "empty"
    empty.mkdir(mode=0o755, parents=True, exist_ok=True)
    folders = [Path(folder) for folder in site.getsitepackages([str(prefix)])]
    inside = [folder.relative_to(prefix) for folder in folders if folder.is_dir()]
    return [Mount(empty, f"{target}/{folder}") for folder in inside]


def _outside_usr(prefix: Path, name: str) -> tuple[tuple[Mount, ...], tuple[str, ...]]:
    """Mount an installation that is not below /usr at /opt/NAME; everything below /usr is there already."""
    if prefix == Path("/usr") or Path("/usr") in prefix.parents:
        return (), ()
    if prefix == Path("/"):
        raise LackingError(f"the runtime {name!r} is installed at /, which cannot be mounted")
    return (Mount(prefix, f"/opt/{name}"),), (f"/opt/{name}/bin",)


def _version(command: list[str]) -> str:
    """Return the first line that looks like a version, or an empty text.

    The program has the few variables that a bot is born with: what the caller's own add, no sandbox holds.
    """
    path = ":".join([str(Path(command[0]).parent), "/usr/local/bin", "/usr/bin", "/bin"])
    try:
        with tempfile.TemporaryDirectory(prefix="arena-home-", ignore_cleanup_errors=True) as home:
            done = subprocess.run(
                command,
                env={"PATH": path, "HOME": home, "LANG": "C.UTF-8"},
                cwd=home,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=20,
                check=False,
                stdin=subprocess.DEVNULL,
            )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    for line in (done.stdout + done.stderr).splitlines():
        if re.search(r"\d+\.\d+", line):
            return line.strip()[:100]
    return ""
