"""ELF programs from within: the loader they name, the libraries they need, whether they are whole.

Owns the reading of program headers of 64-bit files. Refuses to judge what is found: that needs to know what a
sandbox has.
"""

import os
import re
import struct
from dataclasses import dataclass
from typing import Final

_LOAD, _DYNAMIC, _INTERP = 1, 2, 3
_NEEDED, _STRTAB, _SONAME, _FLAGS_1 = 1, 5, 14, 0x6FFF_FFFB
_PIE: Final = 0x0800_0000
_SHARED: Final = 3
_DYNAMIC_BYTES: Final = 65_536
_NAME_BYTES: Final = 4096
"""So much is read of the list of what a program needs, and of each name in it."""
_CUT: Final = "is cut short or not a proper ELF executable: build it again"
COMMON: Final = re.compile(
    r"(ld-linux.*|linux-vdso|libc|libm|libmvec|libdl|librt|libpthread|libutil|libresolv|libanl|libnsl|libgcc_s"
    r"|libstdc\+\+)\.so\b.*"
)
"""What every machine of the kind has: the C library's own, and the compiler's."""


@dataclass(frozen=True, slots=True)
class Program:
    """What an ELF file says of how it is loaded."""

    loader: str = ""
    """The dynamic loader that it names, an empty text if it needs none."""
    libraries: tuple[str, ...] = ()
    """The shared libraries that it needs."""
    is_library: bool = False
    """True when it is there to be loaded by a program, not to be started."""


def read_program(content: bytes) -> Program:
    """Read an ELF file without flaw; of a 32-bit one nothing is known.

    Raises:
        ValueError: It is cut short.
    """
    if content[4] != 2:
        return Program()
    order = "<" if content[5] == 1 else ">"
    (kind,) = struct.unpack_from(order + "H", content, 16)
    (start,) = struct.unpack_from(order + "Q", content, 32)
    size, count = struct.unpack_from(order + "HH", content, 54)
    size = max(size, 1)
    # Segments may overlap as their author likes: nothing of them is copied.
    view = memoryview(content)
    loader, loaded, dynamic = "", list[tuple[int, memoryview]](), b""
    for place in range(start, start + size * count, size):
        if place + 56 > len(content):
            raise ValueError(_CUT)
        segment, _, offset, address, _, length = struct.unpack_from(order + "IIQQQQ", content, place)
        if segment in {_LOAD, _DYNAMIC, _INTERP} and offset + length > len(content):
            raise ValueError(_CUT)
        part = view[offset : offset + length]
        if segment == _LOAD:
            loaded.append((address, part))
        elif segment == _DYNAMIC:
            dynamic = bytes(part[:_DYNAMIC_BYTES])
        elif segment == _INTERP:
            loader = os.fsdecode(bytes(part[:_NAME_BYTES]).rstrip(b"\0"))
    entries = list(struct.iter_unpack(order + "QQ", dynamic[: len(dynamic) // 16 * 16]))
    is_pie = any(tag == _FLAGS_1 and value & _PIE for tag, value in entries)
    (entry,) = struct.unpack_from(order + "Q", content, 24)
    has_name = any(tag == _SONAME for tag, _ in entries)
    is_library = kind == _SHARED and not loader and not is_pie and (has_name or not entry)
    return Program(loader, _read_needed(entries, loaded), is_library)


def _read_needed(entries: list[tuple[int, int]], loaded: list[tuple[int, memoryview]]) -> tuple[str, ...]:
    """Return the names of the libraries, which stand in a table somewhere in what is loaded."""
    table = next((value for tag, value in entries if tag == _STRTAB), None)
    for address, part in loaded:
        if table is not None and address <= table < address + len(part):
            names = part[table - address :]
            found = [bytes(names[place : place + _NAME_BYTES]) for tag, place in entries if tag == _NEEDED]
            return tuple(os.fsdecode(name.partition(b"\0")[0]) for name in found)
    return ()
