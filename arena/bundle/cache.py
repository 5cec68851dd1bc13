"""Extracted bundles on a worker's disk, each once, in a folder named by its digest and never changed again.

Owns the making of such a folder: extracted beside, its files made read-only, then renamed, so that whoever
finds it finds all of it. Its folders stay open to their owner, so that `rm -r` removes them like any others;
every sandbox mounts or rules them read-only. Refuses bytes that are not what the digest says.
"""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from arena.bundle.extract import extract
from arena.bundle.pack import digest_of
from arena.bundle.rules import DEFAULT_BUNDLE_LIMITS, BundleLimits
from arena.errors import PlatformError
from arena.files import cure


@dataclass(frozen=True, slots=True)
class BundleCache:
    """A folder of extracted bundles."""

    folder: Path
    limits: BundleLimits = DEFAULT_BUNDLE_LIMITS

    def extracted(self, digest: str, load: Callable[[], bytes]) -> Path:
        """Return the folder of a bundle; `load` is asked for its bytes when it is not here yet.

        Raises:
            UsageError: The bundle is not one that is allowed.
            PlatformError: The bytes are not the digest's, or the disk does not take them.
        """
        if len(digest) != 64 or set(digest) - set("0123456789abcdef"):
            raise PlatformError(f"{digest!r} is not the digest of a bundle")
        target = self.folder / digest
        if target.is_dir():
            return target
        data = load()
        if digest_of(data) != digest:
            raise PlatformError(f"the stored bundle {digest[:12]} is damaged: its bytes have another digest")
        try:
            self._make(data, target)
        except OSError as error:
            raise PlatformError(
                f"cannot extract a bundle into {self.folder}: {error.strerror or error}; {cure(error)}"
            ) from error
        return target

    def _make(self, data: bytes, target: Path) -> None:
        self.folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        building = Path(tempfile.mkdtemp(prefix="extract-", dir=self.folder))
        try:
            extract(data, building, self.limits)
            _close_to_writing(building)
            building.rename(target)
        except OSError:
            # Somebody else may have been first; then theirs is as good.
            if not target.is_dir():
                raise
        finally:
            if building.exists():
                remove_tree(building)


def _close_to_writing(folder: Path) -> None:
    """Take the write bit of every file away; everybody may read, because seats have users of their own."""
    for place, _, names in os.walk(folder, topdown=False):
        for name in names:
            path = Path(place) / name
            path.chmod(0o555 if path.stat().st_mode & 0o100 else 0o444)
        Path(place).chmod(0o755)


def remove_tree(folder: Path) -> None:
    """Remove a folder of extracted files, read-only or not."""
    for place, _, _ in os.walk(folder):
        with contextlib.suppress(OSError):
            Path(place).chmod(0o755)
    shutil.rmtree(folder, ignore_errors=True)
