"""The filter's tables, proved by interpreting its bytes: the aarch64 half needs no such machine."""

import errno
import platform
import re
import struct
from pathlib import Path

import pytest

from arena.botproc import seccomp
from arena.botproc.seccomp import ALLOW, ARCHITECTURES, CALLS, ERRNO, JUDGED, KILL, filter_program
from arena.errors import PlatformError

MACHINES = tuple(ARCHITECTURES)
COLUMN = {machine: column for column, machine in enumerate(MACHINES)}
EPERM = ERRNO | errno.EPERM
ENOSYS = ERRNO | errno.ENOSYS
NO_FAMILY = ERRNO | errno.EAFNOSUPPORT


def run(program: bytes, data: bytes) -> int:
    """Interpret classic BPF as the kernel's seccomp does; an instruction it does not know is an error."""
    steps = [struct.unpack_from("<HBBI", program, at) for at in range(0, len(program), 8)]
    accumulator, at = 0, 0
    while True:
        code, jt, jf, k = steps[at]
        at += 1
        match code:
            case 0x20:
                accumulator = struct.unpack_from("<I", data, k)[0]
            case 0x15:
                at += jt if accumulator == k else jf
            case 0x25:
                at += jt if accumulator > k else jf
            case 0x35:
                at += jt if accumulator >= k else jf
            case 0x45:
                at += jt if accumulator & k else jf
            case 0x06:
                return k
            case _:
                raise AssertionError(f"unknown instruction {code:#x}")


def verdict(machine: str, number: int, *arguments: int, arch: int | None = None) -> int:
    """Return what the filter says to a call."""
    six = (*arguments, *[0] * (6 - len(arguments)))
    data = struct.pack("<IIQ6Q", number, ARCHITECTURES[machine] if arch is None else arch, 0, *six)
    return run(filter_program(machine), data)


@pytest.mark.parametrize("machine", MACHINES)
def test_every_listed_call_is_refused_and_every_other_reviewed_one_allowed(machine: str):
    """Below the last reviewed number exactly the listed calls fail, whatever their arguments."""
    column = COLUMN[machine]
    refused = {numbers[column] for numbers in CALLS.values()} - {None}
    judged = {numbers[column] for numbers in (*JUDGED.values(), *seccomp.IGNORED_CALLS.values())}

    for number in set(range(seccomp.LAST_REVIEWED + 1)) - judged:
        expected = EPERM if number in refused else ALLOW
        assert expected == verdict(machine, number), number
        assert expected == verdict(machine, number, *[2**64 - 1] * 6), number


@pytest.mark.parametrize("machine", MACHINES)
def test_memory_files_need_a_memory_group(machine: str):
    """Where no group bounds memory, the call that hides it from a watch is refused; nothing else differs."""
    number = seccomp.UNBOUNDED_CALLS["memfd_create"][COLUMN[machine]]
    loose = filter_program(machine, bounds_memory=False)
    data = struct.pack("<IIQ6Q", number, ARCHITECTURES[machine], 0, *[0] * 6)

    assert verdict(machine, number) == ALLOW
    assert run(loose, data) == EPERM
    assert len(loose) == len(filter_program(machine)) + 16


@pytest.mark.parametrize("machine", MACHINES)
def test_without_a_network_of_its_own_a_bot_dials_nobody(machine: str):
    """There `connect` is refused, and every socket that could send to an address without it."""
    column = COLUMN[machine]
    program = filter_program(machine, owns_network=False)

    def say(number: int, *arguments: int) -> int:
        six = (*arguments, *[0] * (6 - len(arguments)))
        return run(program, struct.pack("<IIQ6Q", number, ARCHITECTURES[machine], 0, *six))

    connect = seccomp.SHARED_NETWORK_CALLS["connect"][column]
    assert verdict(machine, connect) == ALLOW
    assert say(connect, 3) == EPERM
    for call in ("socket", "socketpair"):
        number = JUDGED[call][column]
        for flags in (0, 0x800, 0x80000, 0x80800, 1 << 40):
            assert say(number, 1, 1 | flags) == ALLOW
            assert say(number, 2, 1 | flags) == NO_FAMILY
            for kind in (0, 2, 3, 4, 5, 6, 10):
                assert say(number, 2, kind | flags) == NO_FAMILY, kind
                assert say(number, 1, kind | flags) == EPERM, kind
                assert verdict(machine, number, 1, kind | flags) == ALLOW
    for number in set(range(seccomp.LAST_REVIEWED + 1)) - {connect}:
        if number not in {JUDGED["socket"][column], JUDGED["socketpair"][column]}:
            assert say(number) == verdict(machine, number), number


@pytest.mark.parametrize("machine", MACHINES)
def test_a_call_nobody_has_reviewed_is_not_implemented(machine: str):
    """What a future kernel adds is closed until somebody looks at it."""
    for number in (seccomp.LAST_REVIEWED + 1, 462, 1000, seccomp.X32_BIT - 1):
        assert verdict(machine, number) == ENOSYS


@pytest.mark.parametrize("machine", MACHINES)
def test_the_other_ways_into_the_kernel_kill(machine: str):
    """A foreign architecture (32-bit calls have other numbers) and x32 end the process."""
    i386, arm = 0x40000003, 0x40000028

    for arch in (i386, arm, 0, *(set(ARCHITECTURES.values()) - {ARCHITECTURES[machine]})):
        assert verdict(machine, 0, arch=arch) == KILL
    assert verdict(machine, seccomp.X32_BIT | 1) == KILL
    assert verdict(machine, 0xFFFFFFFF) == KILL


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("call", ["socket", "socketpair"])
def test_only_unix_sockets(machine: str, call: str):
    """Every family but AF_UNIX is unsupported; bits the kernel does not read change nothing."""
    number = JUDGED[call][COLUMN[machine]]

    assert verdict(machine, number, 1) == ALLOW
    for family in (0, *range(2, 64), 2**31, 2**32 - 1):
        assert verdict(machine, number, family) == NO_FAMILY, family
        assert verdict(machine, number, family | 1 << 32) == NO_FAMILY, family


@pytest.mark.parametrize("machine", MACHINES)
def test_no_new_namespaces(machine: str):
    """`clone` makes threads and children, never a namespace; `clone3` hides its flags and does nothing."""
    clone, clone3 = JUDGED["clone"][COLUMN[machine]], JUDGED["clone3"][COLUMN[machine]]
    thread, fork = 0x3D0F00, 0x1200011

    assert verdict(machine, clone, thread) == ALLOW
    assert verdict(machine, clone, fork) == ALLOW
    for bit in (17, 25, 26, 27, 28, 29, 30):
        assert verdict(machine, clone, fork | 1 << bit) == EPERM, bit
    assert verdict(machine, clone3, 0, 88) == ENOSYS


@pytest.mark.parametrize("machine", MACHINES)
def test_terminal_injection_is_compared_on_the_low_bits(machine: str):
    """TIOCSTI hidden behind high bits is still TIOCSTI (CVE-2019-10063)."""
    ioctl = JUDGED["ioctl"][COLUMN[machine]]

    for command in (seccomp.TIOCSTI, seccomp.TIOCLINUX):
        assert verdict(machine, ioctl, 0, command) == EPERM
        assert verdict(machine, ioctl, 0, command | 1 << 32) == EPERM
    assert verdict(machine, ioctl, 0, 0x5413) == ALLOW


@pytest.mark.parametrize("machine", MACHINES)
def test_no_file_locks_and_leases(machine: str):
    """Every lock and hint that another sandbox could see on a shared inode is refused, and nothing else."""
    fcntl = JUDGED["fcntl"][COLUMN[machine]]

    for command in seccomp.FCNTL_SHARED:
        assert verdict(machine, fcntl, 0, command) == EPERM, command
        assert verdict(machine, fcntl, 0, command | 1 << 40) == EPERM, command
    for command in (0, 1, 2, 3, 4, 1030, 1031, 1033):
        assert verdict(machine, fcntl, 0, command) == ALLOW, command


@pytest.mark.parametrize("machine", MACHINES)
def test_no_page_of_a_shared_file_is_asked_after_fetched_or_dropped(machine: str):
    """What is in memory outlives a match: no call tells it or moves it at once, reading and memory go on."""
    column = COLUMN[machine]
    ignored, unsupported = ERRNO, ERRNO | errno.EOPNOTSUPP

    assert verdict(machine, CALLS["mincore"][column] or 0) == EPERM
    for numbers in seccomp.IGNORED_CALLS.values():
        assert verdict(machine, numbers[column], *[2**64 - 1] * 6) == ignored
    for call in ("preadv2", "pwritev2"):
        assert verdict(machine, JUDGED[call][column], 3, 1, 1, 0, 0, 0) == ALLOW
        for flag in (1, 8, 2**31):
            assert verdict(machine, JUDGED[call][column], 3, 1, 1, 0, 0, flag) == unsupported
    madvise = JUDGED["madvise"][column]
    for advice in (1, 2, 3, 20, 21, 22, 23, 20 | 1 << 32):
        assert verdict(machine, madvise, 0, 4096, advice) == ignored, advice
    for advice in (0, 4, 8, 10, 14, 15, 16, 17):
        assert verdict(machine, madvise, 0, 4096, advice) == ALLOW, advice
    assert verdict(machine, 451) == ENOSYS  # cachestat


@pytest.mark.parametrize("machine", MACHINES)
def test_the_program_is_one_the_kernel_takes(machine: str):
    """Jumps stay inside, the last step returns, and the length is below the kernel's 4,096."""
    program = filter_program(machine)
    steps = [struct.unpack_from("<HBBI", program, at) for at in range(0, len(program), 8)]

    assert len(steps) < 4096
    assert steps[-1] == (0x06, 0, 0, ALLOW)
    for at, (code, jt, jf, _) in enumerate(steps):
        if code != 0x20:
            assert at + 1 + max(jt, jf) <= len(steps)


def test_no_number_is_listed_twice():
    """A number that two names share would be a slip of the table."""
    for column in range(2):
        tables = (CALLS, JUDGED, seccomp.IGNORED_CALLS)
        numbers = [row[column] for table in tables for row in table.values() if row[column] is not None]
        assert len(numbers) == len(set(numbers))


def test_an_unknown_machine_is_refused():
    """No table, no sandbox."""
    with pytest.raises(PlatformError, match="riscv64"):
        filter_program("riscv64")


HEADERS = {
    "x86_64": "/usr/include/x86_64-linux-gnu/asm/unistd_64.h",
    "aarch64": "/usr/include/asm-generic/unistd.h",
}


OFFICIAL = CALLS | JUDGED | seccomp.IGNORED_CALLS | seccomp.UNBOUNDED_CALLS | seccomp.SHARED_NETWORK_CALLS


@pytest.mark.needs("kernel-headers")
@pytest.mark.parametrize("machine", MACHINES)
def test_the_numbers_are_the_kernels(machine: str):
    """Both columns equal the kernel's own headers (aarch64 uses the generic table)."""
    if machine == "x86_64" and platform.machine() != "x86_64":
        text = Path("/usr/include/asm/unistd_64.h").read_text(encoding="ascii")
    else:
        text = Path(HEADERS[machine]).read_text(encoding="ascii")
    found = re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", text)
    official = {name: int(number) for name, number in found}

    for name, numbers in OFFICIAL.items():
        if name != "fcntl" or machine == "x86_64":
            assert official.get(name) == numbers[COLUMN[machine]], name
