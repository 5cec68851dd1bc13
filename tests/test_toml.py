"""Promises of the one door by which TOML is read: whatever somebody wrote, it is read or refused at once."""

import pytest

from arena.toml import MOST_CHARS, MOST_PARTS, decode, read_toml

PARTS = ".".join("abcdefgh")
HARMLESS = {
    "a comment with dots": "# " + "a." * 10_000 + "\nk = 1\n",
    "a comment with quotes": "# " + '\\"\\"\\"' * 20_000 + "\nk = 1\n",
    "a text with dots": 'k = "' + "a." * 10_000 + '"\n',
    "a text of many lines with dots": 'k = """' + "\na.a.a.a.a.a.a.a.a.a = 1\n" * 1_000 + '"""\n',
    "a literal of many lines with dots": "k = '''" + "\na.a.a.a.a.a.a.a.a.a = 1\n" * 1_000 + "'''\n",
    "a key of quoted dots": 'k."' + "a." * 100 + '" = 1\n',
    "a key of as many parts as may be": f"k.{PARTS[2:]} = 1\n",
    "many numbers": "k = [" + "1.25, " * 20_000 + "]\n",
}
HOSTILE = {
    "a key of many parts": "a." * 60_000 + "a = 1\n",
    "a key of quoted parts": '"a" . ' * 20_000 + "a = 1\n",
    "one part too many": f"{PARTS}.i = 1\n",
    "after a text that ends in a quote": 'x = ["""a"""", {' + "b." * 40 + "b = 1}]\n",
    "after a literal that ends in a quote": "x = ['''a'''', {" + "b." * 40 + "b = 1}]\n",
    "quotes without an end": '"' * 100_000,
    "escaped quotes without an end": 'x = "' + '\\"' * 60_000,
    "a text of many lines without an end": 'x = """' + '""a' * 40_000,
    "tables within tables": "x = " + "{a = " * 20_000,
    "lists within lists": "x = " + "[" * 100_000,
    "a number of many digits": "x = " + "9" * 5_000,
    "too much of it": "# " + "x" * MOST_CHARS,
}


@pytest.mark.parametrize("kind", HARMLESS)
def test_what_only_looks_like_a_long_key_is_read(kind: str) -> None:
    """Comments and texts hold what they like; none of them makes the reader slow."""
    assert "k" in read_toml(HARMLESS[kind])


@pytest.mark.parametrize("kind", HOSTILE)
def test_what_would_cost_too_much_is_refused(kind: str) -> None:
    """One sentence of bounded length in plain words; each of these takes the test's patience otherwise."""
    with pytest.raises(ValueError, match=r"\w") as refused:
        read_toml(HOSTILE[kind])

    assert len(str(refused.value)) < 200
    assert "sys." not in str(refused.value)


def test_a_long_key_is_told_with_its_line() -> None:
    """The author finds it."""
    with pytest.raises(ValueError, match=rf"more than {MOST_PARTS} parts, joined by dots \(line 3\)"):
        read_toml(f"a = 1\n\n[{PARTS}.i]\n")


def test_a_file_of_another_encoding_is_told_so() -> None:
    """UTF-8 is read, with the mark that editors on Windows write or without; else the place is named."""
    assert decode(b"\xef\xbb\xbfa = 1\n") == "a = 1\n"
    with pytest.raises(ValueError, match=r"no UTF-8 text \(byte 3\): save it as such"):
        decode("é é".encode()[:2] + b"\xff")
