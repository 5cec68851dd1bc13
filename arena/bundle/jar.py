"""Jars that Java is told to run: is it one, and does it say which class begins?

Owns the sentence for a jar that could not be started. Refuses to look at classes.
"""

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Final

_MANIFEST: Final = "META-INF/MANIFEST.MF"
_MANIFEST_BYTES: Final = 1 << 20
"""So much of a manifest is read: the class that begins stands near its top."""
_METHODS: Final = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
"""How Java can read what is packed."""
_DAMAGE: Final = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    ArithmeticError,
    EOFError,
    LookupError,
    NotImplementedError,
    OSError,
    RuntimeError,
    ValueError,
)
"""All that Python's reader of zips, which is made for honest ones, says of others."""
_NO_JAR: Final = "is no jar, or cut short: build it again"


def find_jar(run: Sequence[str]) -> str:
    """Return the jar that `java -jar` is told to run, or an empty text."""
    if PurePosixPath(run[0]).name != "java" or "-jar" not in run[:-1]:
        return ""
    return run[run.index("-jar") + 1]


def find_jar_flaw(content: bytes) -> str:
    """Return why Java could not start a jar, or an empty text."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entry = archive.getinfo(_MANIFEST)
            if entry.compress_type not in _METHODS:
                return _NO_JAR
            with archive.open(entry) as file:
                manifest = file.read(_MANIFEST_BYTES).decode(errors="replace")
    except KeyError:
        manifest = ""
    except _DAMAGE:
        return _NO_JAR
    if not re.search(r"^Main-Class:\s*\S", manifest, re.MULTILINE):
        return "does not say which class begins: let its manifest name a Main-Class"
    return ""
