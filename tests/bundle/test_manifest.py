"""`bot.toml` is read strictly."""

import pytest

from arena.bundle.manifest import AskedLimits, Manifest, check_name, parse_manifest
from arena.errors import UsageError

SMALL = 'name = "ada"\nruntime = "python"\nrun = ["python3", "bot.py"]\ninclude = ["*.py"]\n'


def test_a_small_manifest_has_the_defaults():
    """Four keys are enough; the rest asks for nothing."""
    manifest = parse_manifest(SMALL)

    assert manifest == Manifest(name="ada", runtime="python", run=("python3", "bot.py"), include=("*.py",))


def test_every_key_is_read():
    """Each documented key arrives in its field."""
    text = (
        SMALL
        + 'build = ["make", "all"]\nneeds_proc = true\nneeds_tmp = true\n'
        + "[limits]\nmemory_mib = 300\nprocesses = 20\ncores = 0.5\n"
    )

    manifest = parse_manifest(text)

    assert manifest.build == ("make", "all")
    assert (manifest.needs_proc, manifest.needs_tmp) == (True, True)
    assert manifest.limits == AskedLimits(memory_mib=300, processes=20, cores=0.5)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("name = ", "not valid TOML"),
        ("", "the key 'name' is missing"),
        (SMALL.replace("include", "includes"), "unknown key 'includes' (did you mean 'include'?)"),
        (SMALL + "[limits]\nmemory = 3\n", "unknown key 'memory' (did you mean 'memory_mib'?)"),
        (SMALL.replace('"ada"', "7"), "name must be a text, not a whole number"),
        (SMALL.replace('"ada"', '"a/b"'), "is not allowed"),
        (SMALL.replace('["*.py"]', '"*.py"'), "include must be a list of texts"),
        (SMALL.replace('["*.py"]', "[]"), "include must not be empty"),
        (SMALL.replace('"bot.py"', "3"), "run[1] must be a text"),
        (SMALL.replace('"bot.py"', '"a\\u0000b"'), "holds no NUL"),
        (SMALL.replace('"python"', '"Py thon"'), "not a runtime's name"),
        (SMALL + "needs_tmp = 1\n", "needs_tmp must be true or false"),
        (SMALL + "limits = 3\n", "limits must be a table"),
        (SMALL + "[limits]\nprocesses = true\n", "processes must be a whole number, not true/false"),
        (SMALL + "[limits]\nprocesses = 0\n", "must be at least 1"),
        (SMALL + "[limits]\ncores = -1\n", "must be above 0"),
        (SMALL + "[limits]\ncores = nan\n", "must be above 0"),
    ],
)
def test_a_mistake_gets_one_line_that_names_it(text: str, sentence: str):
    """Each mistake is refused with the file, the key and what is allowed, in one line."""
    with pytest.raises(UsageError) as caught:
        parse_manifest(text, source="bots/ada/bot.toml")

    assert sentence in str(caught.value)
    assert str(caught.value).startswith("bots/ada/bot.toml")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["", "-a", "_a", "a b", "a/b", "..", "a\n", "é", "a" * 33])
def test_names_that_are_not_allowed(name: str):
    """A name is 1 to 32 plain characters and never starts with a sign."""
    with pytest.raises(UsageError, match="not allowed"):
        check_name(name)


@pytest.mark.parametrize("name", ["a", "7", "Ada_Lovelace-2", "a" * 32])
def test_names_that_are_allowed(name: str):
    """Letters, digits, underscore and hyphen make a name."""
    assert name == check_name(name)
