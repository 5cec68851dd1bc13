"""Promises of the keys of a tournament."""

import hashlib
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.tournament.seeds import (
    hash_secret,
    make_bot_seed,
    make_set_key,
    make_table_number,
    make_tournament_key,
    name_pairing,
    parse_secret,
)

KEY = bytes(range(32))
GOLDEN_SET_KEY = "86ed0597f0b4b0dca6e892a5880275eb8d91dd8b6c87873f1136a532f72af9e7"
GOLDEN_SEED = 8210217394933703302
GOLDEN_TABLE = 2105000681


def test_the_commitment_is_checked_with_plain_tools() -> None:
    """The published hash is the SHA-256 of the secret, nothing more."""
    assert hash_secret(KEY) == hashlib.sha256(KEY).digest()


@given(st.binary(min_size=32, max_size=32))
def test_a_secret_is_read_as_it_is_printed(secret: bytes) -> None:
    """Hexadecimal both ways."""
    assert parse_secret(secret.hex()) == secret


@pytest.mark.parametrize("text", ["", "xyz", "00" * 31, "00" * 33, "é" * 64])
def test_anything_else_is_no_secret(text: str) -> None:
    """A secret of another length or alphabet is refused in one line."""
    with pytest.raises(UsageError, match="64 hexadecimal digits"):
        parse_secret(text)


def test_the_tournament_key_depends_on_everything_and_on_no_order() -> None:
    """Secret, ruleset and versions change it, a twin too; the order of entering does not."""
    one, two = b"\1" * 32, b"\2" * 32
    key = make_tournament_key(KEY, b"r" * 32, [one, two])

    assert make_tournament_key(KEY, b"r" * 32, [two, one]) == key
    others = [
        make_tournament_key(one, b"r" * 32, [one, two]),
        make_tournament_key(KEY, b"s" * 32, [one, two]),
        make_tournament_key(KEY, b"r" * 32, [one, one]),
        make_tournament_key(KEY, b"r" * 32, [one, two, two]),
    ]
    assert len({key, *others}) == 5


def test_a_pairing_is_named_by_its_entries() -> None:
    """The same entries in another order are the same pairing; no two pairings share a name."""
    assert name_pairing([12, 3]) == name_pairing((3, 12)) == "3-12"
    names = [name_pairing(p) for n in (2, 3) for p in itertools.combinations(range(13), n)]
    assert len(set(names)) == len(names)


def test_no_two_branches_share_a_key() -> None:
    """Deal sets, seeds and tables of different pairings, sets, rotations and entries all differ."""
    keys = [make_set_key(KEY, p, s).hex() for p in ((0, 1), (0, 2)) for s in range(20)]
    seeds = [make_bot_seed(KEY, (0, 1), s, r, e) for s in range(20) for r in range(2) for e in range(2)]
    tables = [make_table_number(KEY, (0, 1), s, r) for s in range(20) for r in range(2)]

    assert len(set(keys)) == len(keys)
    assert len(set(seeds)) == len(seeds)
    assert len(set(tables)) == len(tables)


def test_the_keys_stay_what_they_are() -> None:
    """A tournament that is begun under one version of the code is played on under the next."""
    assert make_set_key(KEY, (0, 1), 0).hex() == GOLDEN_SET_KEY
    assert make_bot_seed(KEY, (0, 1), 0, 0, 0) == GOLDEN_SEED
    assert make_table_number(KEY, (0, 1), 0, 0) == GOLDEN_TABLE
