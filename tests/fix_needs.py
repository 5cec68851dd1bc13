"""What a test needs of the machine: `@pytest.mark.needs("root", "cc")`.

A missing need skips the test with its reason; the reasons are counted at the end of the run. Under `CI=true`,
where `deploy/ci-setup` has installed everything, any skip at all makes the run fail.
"""

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import pytest

from arena.botproc.landlock import NEEDED_ABI, find_abi

ORDINARY_UID = 65533
"""The ordinary user whom tests become by setpriv; needs no entry in the password file."""


IMAGE = Path(__file__).resolve().parents[1] / "build" / "image" / "wildcard-arena.tar"
"""The container image, made by `deploy/image/build`."""


def _root() -> str:
    return "" if os.geteuid() == 0 else "root"


def _cc() -> str:
    return "" if shutil.which("cc") or shutil.which("gcc") else "a C compiler"


def _command(name: str) -> Callable[[], str]:
    return lambda: "" if shutil.which(name) else f"the command {name!r}"


def _user_namespaces() -> str:
    command = ["unshare", "--user", "--map-root-user", "true"]
    if os.geteuid() == 0:
        command = [
            "setpriv",
            "--reuid",
            str(ORDINARY_UID),
            "--regid",
            str(ORDINARY_UID),
            "--clear-groups",
            *command,
        ]
    done = subprocess.run(command, capture_output=True, check=False)
    return "" if done.returncode == 0 else "user namespaces for an ordinary user"


def _mounts() -> str:
    own = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    mount = ["mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    done = subprocess.run(["unshare", "--mount", *own, *mount], capture_output=True, check=False)
    return "" if done.returncode == 0 else "mounts of a namespace's own"


def _memory_cgroup() -> str:
    for folder in ("/sys/fs/cgroup/memory", "/sys/fs/cgroup"):
        if os.access(folder, os.W_OK) and Path(folder, "cgroup.procs").exists():
            return ""
    return "a writable cgroup with a memory controller"


def _network_namespaces() -> str:
    lacking = "network namespaces (root, iproute2)"
    if os.geteuid() != 0 or not shutil.which("ip"):
        return lacking
    name = f"arena-need-{os.getpid()}"
    done = subprocess.run(["ip", "netns", "add", name], capture_output=True, check=False)
    if done.returncode != 0:
        return lacking
    cable = ["ip", "-n", name, "link", "add", "near", "type", "veth", "peer", "name", "far"]
    done = subprocess.run(cable, capture_output=True, check=False)
    subprocess.run(["ip", "netns", "del", name], check=True)
    return "" if done.returncode == 0 else lacking


def _rabbitmq() -> str:
    found = [*Path("/usr/lib/rabbitmq/lib").glob("*/sbin/rabbitmq-server")]
    return "" if found and shutil.which("epmd") else "the package rabbitmq-server"


def _postgresql() -> str:
    if not [*Path("/usr/lib/postgresql").glob("*/bin/postgres")]:
        return "the package postgresql"
    try:
        pwd.getpwuid(os.geteuid())
    except KeyError:
        return "a name of this user, which Debian's PostgreSQL asks for"
    return ""


def _reachable_python() -> str:
    done = subprocess.run(
        ["/usr/bin/python3", "-c", "import sys; sys.exit(sys.version_info < (3, 11))"],
        capture_output=True,
        check=False,
    )
    return "" if done.returncode == 0 else "a Python 3.11 in /usr/bin that every user can read"


def _cgroup_2() -> str:
    for line in Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines():
        if " - cgroup2 " in line and os.access(line.split()[4], os.W_OK):
            return ""
    return "a writable cgroup of version 2"


def _landlock() -> str:
    if os.geteuid() != 0:
        return "root"
    return "" if find_abi() >= NEEDED_ABI else f"a kernel with version {NEEDED_ABI} of Landlock"


def _image() -> str:
    if lacking := [name for name in ("podman", "runc") if not shutil.which(name)]:
        return f"the commands {', '.join(lacking)}"
    return "" if IMAGE.exists() else f"{IMAGE.name} (deploy/image/build)"


def _sandbox() -> str:
    if os.geteuid() != 0:
        return _user_namespaces()
    return _command("setpriv")()


def _packages(bot: str, programs: Sequence[str], fetch: Sequence[str]) -> Callable[[], str]:
    """Check that the programs are there and that one of them gets what the bot's build needs."""

    def look() -> str:
        absent = [repr(name) for name in programs if not shutil.which(name)]
        if absent:
            return f"the commands {', '.join(absent)}"
        folder = Path(__file__).resolve().parents[1] / "bots" / bot
        done = subprocess.run(fetch, cwd=folder, capture_output=True, check=False)
        return "" if done.returncode == 0 else f"what {bot} is built with, or a network to get it"

    return look


def _package_index() -> str:
    lock = Path(__file__).resolve().parents[1] / "deploy" / "requirements" / "venv.lock"
    with tempfile.TemporaryDirectory() as folder:
        fetch = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder]
        done = subprocess.run([*fetch, "--requirement", str(lock)], capture_output=True, check=False)
    return "" if done.returncode == 0 else "a network to get packages of Python"


NEEDS: dict[str, Callable[[], str]] = {
    "root": _root,
    "cc": _cc,
    "bwrap": _command("bwrap"),
    "setpriv": _command("setpriv"),
    "user-namespaces": _user_namespaces,
    "kernel-headers": lambda: (
        ""
        if Path("/usr/include/asm-generic/unistd.h").exists()
        and Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h").exists()
        else "the kernel headers (linux-libc-dev)"
    ),
    "mounts": _mounts,
    "landlock": _landlock,
    "memory-cgroup": _memory_cgroup,
    "cgroup-2": _cgroup_2,
    "sandbox": _sandbox,
    "cpp-packages": _packages(
        "colour-keeper-cpp",
        ("cmake", "g++", "protoc", "grpc_cpp_plugin", "pkg-config"),
        ("pkg-config", "--exists", "grpc++_unsecure", "protobuf"),
    ),
    "go": _command("go"),
    "go-modules": _packages("colour-keeper-go", ("go", "protoc"), ("go", "mod", "download")),
    "java-packages": _packages(
        "colour-keeper-java",
        ("java", "mvn"),
        ("mvn", "--quiet", "--batch-mode", "generate-sources"),
    ),
    "network-namespaces": _network_namespaces,
    "node-packages": _packages(
        "colour-keeper-node",
        ("node", "npm", "protoc"),
        ("npm", "ci", "--silent", "--no-audit", "--no-fund"),
    ),
    "package-index": _package_index,
    "ruby-packages": _packages(
        "colour-keeper-ruby", ("ruby", "protoc", "grpc_ruby_plugin"), ("ruby", "-rgrpc", "-e", "")
    ),
    "rust-crates": _packages("colour-keeper-rust", ("cargo", "protoc"), ("cargo", "fetch", "--locked")),
    "debian-postgresql": _postgresql,
    "debian-rabbitmq": _rabbitmq,
    "debian-redis": _command("redis-server"),
    "systemd-analyze": _command("systemd-analyze"),
    "image": _image,
    "reachable-python": _reachable_python,
}
"""Each need's name and the check that returns what is missing, or an empty text."""


@cache
def missing(need: str) -> str:
    """Return what this machine lacks of `need`, or an empty text; an unknown need is an error."""
    return NEEDS[need]()


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker."""
    config.addinivalue_line(
        "markers", "needs(*names): what the test needs of the machine, see tests/fix_needs.py"
    )


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose needs are not met, with the reason."""
    for marker in item.iter_markers("needs"):
        lacking = [text for text in (missing(str(need)) for need in marker.args) if text]
        if lacking:
            pytest.skip("this machine lacks " + ", ".join(lacking))


_skips: Counter[str] = Counter()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Count the reasons of the skips."""
    if report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        _skips[str(reason).removeprefix("Skipped: ")] += 1


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Count a module that skipped itself."""
    if report.skipped:
        _skips[f"collection: {report.nodeid}"] += 1


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Under CI=true a skip is a failure."""
    controller = not hasattr(session.config, "workerinput")
    if controller and _skips and os.environ.get("CI") == "true" and session.exitstatus == 0:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what could not run here and why."""
    for reason, count in sorted(_skips.items()):
        terminalreporter.write_line(f"skipped {count}: {reason}")
    if _skips and os.environ.get("CI") == "true":
        terminalreporter.write_line(
            "Under CI=true a skip is a failure: deploy/ci-setup must install what is missing."
        )
