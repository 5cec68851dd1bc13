"""Jars that Java is told to run: is it one, and does it say which class begins?

Owns the sentence for a jar that could not be started. Refuses to look at classes.
"""

import io
import re
import zipfile
from collections.abc import Sequence
from pathlib import PurePosixPath

_MANIFEST = "META-INF/MANIFEST.MF"


def find_jar(run: Sequence[str]) -> str:
    """Return the jar that `java -jar` is told to run, or an empty text."""
    if PurePosixPath(run[0]).name != "java" or "-jar" not in run[:-1]:
        return ""
    return run[run.index("-jar") + 1]


def find_jar_flaw(content: bytes) -> str:
    """Return why Java could not start a jar, or an empty text."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            manifest = archive.read(_MANIFEST).decode(errors="replace")
    except KeyError:
        manifest = ""
    except (zipfile.BadZipFile, OSError, EOFError, ValueError, NotImplementedError, RuntimeError):
        return "is no jar, or cut short: build it again"
    if not re.search(r"^Main-Class:\s*\S", manifest, re.MULTILINE):
        return "does not say which class begins: let its manifest name a Main-Class"
    return ""
