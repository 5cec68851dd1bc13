"""The bots that the project brings are found by name, and their builds give the same bytes again."""

from pathlib import Path

import pytest

from arena.bundle.pack import load_manifest
from arena.bundle.template import TEMPLATES, list_languages, load_about
from arena.service.reference import FOLDERS, find_reference


@pytest.mark.parametrize("language", list_languages())
def test_each_opponent_that_an_author_is_told_of_is_brought(language: str) -> None:
    """What a new bot's next steps and its README name as opponent is there without being submitted."""
    readme = (TEMPLATES / language / "files/README.md").read_text()
    steps = [*load_about(language)["next"], *readme.splitlines()]
    opponents = [step.partition("--against ")[2].split()[0] for step in steps if "--against " in step]

    assert len(opponents) >= 2
    for name in opponents:
        folder = find_reference(name)
        assert folder is not None
        assert load_manifest(folder).name == name


@pytest.mark.parametrize("name", ["", ".", "..", "../bots/greedy", "nobody", "*", "/etc"])
def test_only_a_name_finds_one(name: str) -> None:
    """A path or pattern finds nothing."""
    assert find_reference(name) is None


def test_unchanged_sources_are_the_same_version() -> None:
    """No build writes its time or the state of a repository into what is shipped: its digest would change."""
    bots = Path(FOLDERS[1])

    pom = (bots / "colour-keeper-java/pom.xml").read_text()
    assert "<project.build.outputTimestamp>2" in pom
    assert "-buildvcs=false" in (bots / "colour-keeper-go/build.sh").read_text()
