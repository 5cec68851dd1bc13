"""Binaries by their first bytes: is this one for this machine, and what does it need to be loaded?

Owns the forms that are told apart: ELF, Windows and macOS programs, object files. Refuses to guess about
anything else.
"""

import struct
from typing import Final

HEAD_BYTES: Final = 4096
"""So much of a file tells what it is."""
MACHINES: Final = {3: "i386", 40: "arm", 62: "x86_64", 183: "aarch64", 243: "riscv64"}
"""The numbers that an ELF file gives to architectures, and the names that the kernel gives."""
_ELF: Final = b"\x7fELF"
_MACH_O: Final = frozenset(
    {b"\xfe\xed\xfa\xce", b"\xfe\xed\xfa\xcf", b"\xce\xfa\xed\xfe", b"\xcf\xfa\xed\xfe"}
)
_MACH_O_OF_MANY: Final = b"\xca\xfe\xba\xbe"
"""Java's classes begin with the same bytes; their next number is a version of 45 or more."""
_JAVA_MIN: Final = 45
_UNLINKED: Final = 1
_HEADER_BYTES: Final = 64


def is_elf(head: bytes) -> bool:
    """Say whether a file is an ELF file: a program, a library or an object file."""
    return head.startswith(_ELF)


def find_flaw(head: bytes, machine: str) -> str:
    """Return why no machine of this kind can load a binary, an empty text if it can or if it is none."""
    if is_elf(head):
        return _elf_flaw(head, machine)
    if head.startswith(b"MZ") and len(head) >= _HEADER_BYTES:
        (start,) = struct.unpack_from("<I", head, 0x3C)
        if head[start : start + 4] == b"PE\0\0":
            return f"is a Windows program: build it for Linux on {machine}"
    many = head.startswith(_MACH_O_OF_MANY) and len(head) >= 8
    if head[:4] in _MACH_O or (many and struct.unpack_from(">I", head, 4)[0] < _JAVA_MIN):
        return f"is a macOS program: build it for Linux on {machine}"
    return ""


def _elf_flaw(head: bytes, machine: str) -> str:
    if len(head) < _HEADER_BYTES or head[5] not in {1, 2}:
        return "is cut short or not a proper ELF executable: build it again"
    kind, number = struct.unpack_from(_order(head) + "HH", head, 16)
    found = MACHINES.get(number, "an unknown architecture")
    if found != machine:
        return f"is built for {found}, and this machine is {machine}: build it for {machine}"
    return "is an object file, not linked: link it to a program" if kind == _UNLINKED else ""


def _order(head: bytes) -> str:
    return "<" if head[5] == 1 else ">"
