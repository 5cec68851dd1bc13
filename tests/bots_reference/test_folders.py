"""Each reference bot is a folder that an author can copy."""

from pathlib import Path

import pytest

from arena.bundle.manifest import parse_manifest
from tests.bots_reference.reference import BOTS, NAMES

FOLDERS = sorted(path for path in BOTS.iterdir() if path.is_dir())


def test_every_python_bot_is_tested() -> None:
    """No Python bot stands in bots/ without being played by these tests."""
    python = {
        path.name for path in FOLDERS if parse_manifest((path / "bot.toml").read_text()).runtime == "python"
    }

    assert python == set(NAMES)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_a_folder_is_complete(folder: Path) -> None:
    """A folder has a manifest under its own name, a page, and every file that its run command names."""
    manifest = parse_manifest((folder / "bot.toml").read_text())

    assert manifest.name == folder.name
    assert (folder / "README.md").read_text().startswith(f"# {folder.name}\n")
    if manifest.runtime == "python":
        assert (folder / manifest.run[-1]).is_file()
