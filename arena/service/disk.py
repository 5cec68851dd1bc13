"""Whether the disk of a data folder has room for a job: bundles, logs, folders of seats, a database."""

import os
from pathlib import Path

LEAST_BYTES = 4 << 20
"""Room below which a worker takes no job."""


def why_full(folder: Path) -> str:
    """Return a sentence when the disk of the folder is full, else an empty text."""
    try:
        space = os.statvfs(folder)
    except FileNotFoundError:  # nobody has worked here yet
        return ""
    if space.f_bavail * space.f_frsize >= LEAST_BYTES:
        return ""
    return f"the disk of {folder} is full: less than {LEAST_BYTES >> 20} MiB are free"
