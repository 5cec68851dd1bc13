"""Every key of a tournament by name, from its secret down to a bot's own seed.

    secret                                      32 random bytes; its hash is published before entries close
      tournament key  <- ruleset, versions      fixed when entries close
        deal set key  <- pairing, set number    everything random in the matches of the set (see arena.rules)
          circular order                        who sits next to whom (see seating)
        bot seed      <- pairing, set, rotation, entry      another branch: no two matches share one
        table number  <- pairing, set, rotation

A pairing is named by its entries' numbers (``0-3``), so its deals do not depend on the rest of the schedule.
A ladder never ends, so its secret has parts of `PART_SETS` deal sets, each published when it is over, and
each of its helpings a key from the versions that meet.
This module derives and checks; it draws nothing and stores nothing. `arena.rules.keys` says how a key is
derived; anybody can repeat it in any language.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from arena.errors import UsageError
from arena.rules.keys import derive

SECRET_BYTES: Final = 32
"""Length of a secret, and of every key."""
PART_SETS: Final = 10_000
"""Deal sets of a ladder after which its secret changes."""


@dataclass(frozen=True)
class Deals:
    """From which key the deal sets of a pairing come, and which numbers they have under it."""

    key: bytes
    """The tournament's key, or a ladder's for the versions of the pairing."""
    first: int = 0
    """What the first deal set of the pairing is called under that key."""

    def set_key(self, pairing: Sequence[int], deal_set: int) -> bytes:
        """Return the key that all matches of a deal set share."""
        return make_set_key(self.key, pairing, self.first + deal_set)

    def bot_seed(self, pairing: Sequence[int], deal_set: int, rotation: int, entry: int) -> int:
        """Return the seed of one entry in one match."""
        return make_bot_seed(self.key, pairing, self.first + deal_set, rotation, entry)


def parse_secret(text: str) -> bytes:
    """Read a secret written in hexadecimal.

    Raises:
        UsageError: it is not 64 hexadecimal digits.
    """
    try:
        secret = bytes.fromhex(text)
    except ValueError:
        secret = b""
    if len(secret) != SECRET_BYTES:
        raise UsageError(f"a secret is {2 * SECRET_BYTES} hexadecimal digits, not {text[:80]!r}")
    return secret


def hash_secret(secret: bytes) -> bytes:
    """Return the commitment to a secret: its plain SHA-256, so that `sha256sum` can check it."""
    return sha256(secret).digest()


def make_tournament_key(secret: bytes, ruleset_digest: bytes, version_digests: Iterable[bytes]) -> bytes:
    """Return the key of a tournament; the order in which versions were entered does not matter."""
    entered = sorted(digest.hex() for digest in version_digests)
    return derive(secret, "tournament", ruleset_digest.hex(), *entered)


def name_pairing(pairing: Sequence[int]) -> str:
    """Return the label under which a pairing's keys are derived: its entries' numbers, ascending."""
    return "-".join(map(str, sorted(pairing)))


def make_set_key(tournament_key: bytes, pairing: Sequence[int], deal_set: int) -> bytes:
    """Return the key that all matches of a deal set share."""
    return derive(tournament_key, "deal set", name_pairing(pairing), deal_set)


def make_bot_seed(
    tournament_key: bytes, pairing: Sequence[int], deal_set: int, rotation: int, entry: int
) -> int:
    """Return 64 bits of randomness for the own use of one entry in one match."""
    key = derive(tournament_key, "bot seed", name_pairing(pairing), deal_set, rotation, entry)
    return int.from_bytes(key[:8], "big")


def make_table_number(tournament_key: bytes, pairing: Sequence[int], deal_set: int, rotation: int) -> int:
    """Return the number, 1 to 2**32 - 1, by which bots know the table of one match: it tells them nothing."""
    key = derive(tournament_key, "table", name_pairing(pairing), deal_set, rotation)
    return 1 + int.from_bytes(key[:8], "big") % (2**32 - 1)


def make_part_secret(secret: bytes, part: int) -> bytes:
    """Return the secret of a part of a ladder; knowing it tells nothing of the other parts."""
    return derive(secret, "ladder part", part)


def part_of(number: int, sets: int) -> int:
    """Return in which part of a ladder the helping `number` lies, each of `sets` deal sets."""
    return number * sets // PART_SETS


def ladder_deals(
    secret: bytes, ruleset_digest: bytes, version_digests: Iterable[bytes], number: int, sets: int
) -> Deals:
    """Return the deals of the helping `number` of a ladder between these versions."""
    part = make_part_secret(secret, part_of(number, sets))
    return Deals(make_tournament_key(part, ruleset_digest, version_digests), number * sets)
