"""A whole database as one file, by PostgreSQL's own `pg_dump` and `pg_restore` of the wheel.

Owns how the two are run: without a password on the command line, and with what they said in the message of a
failure; and the digest at the end of a file, behind what `pg_restore` reads of it. Refuses to know what is in
the database; when it may be replaced is `arena.service.backup`'s rule.
"""

import hashlib
import os
import re
import subprocess
from pathlib import Path
from typing import BinaryIO, Final
from urllib.parse import unquote, urlsplit

from arena.embedded.postgres_host import installation
from arena.errors import PlatformError, UsageError
from arena.files import remedy_of

SEAL: Final = b"\nend of a backup of an arena; sha256 of all before this line: "
"""Begins the last line of a file; older files have none."""
SEAL_BYTES: Final = len(SEAL) + 2 * hashlib.sha256().digest_size + 1
CHUNK_BYTES: Final = 1 << 20


def dump(url: str, path: Path) -> None:
    """Write a database into a new file that nobody else can read, as it is at one moment.

    Raises:
        PlatformError: It is unreachable, or the file cannot be written.
    """
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    done = _run("pg_dump", url, "--format=custom", "--no-owner", "--no-privileges", "--file", str(path))
    if done.returncode:
        said = _said(done)
        raise PlatformError(f"the database cannot be written to {path}{remedy_of(said)}: {said}")


def seal(path: Path) -> None:
    """Write the digest of a file at its end."""
    with path.open("r+b") as file:
        line = _seal_of(file, os.fstat(file.fileno()).st_size)
        file.seek(0, os.SEEK_END)
        file.write(line)


def is_damaged(path: Path) -> bool:
    """Whether a file has a digest that does not fit; of one without nothing is known."""
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size - SEAL_BYTES
        if size < 0:
            return False
        file.seek(size)
        line = file.read()
        alike = sum(found == wanted for found, wanted in zip(line, SEAL, strict=False))
        # A damaged seal is one, too.
        return alike > len(SEAL) // 2 and line != _seal_of(file, size)


def _seal_of(file: BinaryIO, size: int) -> bytes:
    """Return the last line for the first bytes of a file."""
    file.seek(0)
    digest = hashlib.sha256()
    while size > 0 and (data := file.read(min(size, CHUNK_BYTES))):
        digest.update(data)
        size -= len(data)
    return SEAL + digest.hexdigest().encode() + b"\n"


def read_table(path: Path, table: str) -> list[list[str]]:
    """Return the rows of one table of a file, as texts.

    Raises:
        UsageError: It is no such file.
    """
    done = _run("pg_restore", None, "--data-only", f"--table={table}", "--file=-", str(path))
    if done.returncode:
        raise UsageError(f"{path}: this is no backup of an arena: {_said(done)}")
    text = done.stdout.decode(errors="replace")
    found = re.search(rf"^COPY \S*\b{table} .*;\n((?:.*\n)*?)\\\.\n", text, re.MULTILINE)
    return [line.split("\t") for line in found[1].splitlines()] if found else []


def load(url: str, path: Path) -> None:
    """Fill a database without tables from a file: with all of it, or nothing.

    Raises:
        PlatformError: It is unreachable, or the file is damaged.
    """
    done = _run("pg_restore", url, "--no-owner", "--no-privileges", "--single-transaction", str(path))
    if done.returncode:
        raise PlatformError(f"{path} cannot be restored: {_said(done)}")


def _run(program: str, url: str | None, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}
    given: list[str] = []
    if url is not None:
        bare, password = _part_password(url)
        given = ["--no-password", f"--dbname={bare}"]
        environment |= {"PGPASSWORD": password} if password else {}
    command = [str(installation() / "bin" / program), *given, *arguments]
    return subprocess.run(
        command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False
    )


def _part_password(url: str) -> tuple[str, str]:
    """Take the password out of an address: every user of a machine can read its command lines."""
    parts = urlsplit(url)
    if not parts.password:
        return url, ""
    user, _, host = parts.netloc.rpartition("@")
    return parts._replace(netloc=f"{user.partition(':')[0]}@{host}").geturl(), unquote(parts.password)


def _said(done: subprocess.CompletedProcess[bytes]) -> str:
    return " | ".join(done.stderr.decode(errors="replace").split("\n")).strip(" |")[-500:]
