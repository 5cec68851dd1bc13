"""How even balanced tables of k get, size by size, and how long the search takes.

    python bench/designs.py                     # the number of tables that is taken unasked, 3 to 40 entries
    python bench/designs.py --every             # every number up to three a bot, to 20 entries: half an hour

Printed are the sizes at which meetings differ by more than one, or by more than is proved to be the least.
"""

import argparse
import itertools
import math
import sys
import time
from collections.abc import Iterator

from arena.tournament.balanced import balance, enough_tables

ENTRIES, SEATS = range(3, 41), range(3, 11)
EVERY_MAX = 20


def sizes(*, every: bool) -> Iterator[tuple[int, int, int]]:
    """Yield entries, seats, tables."""
    for entries, seats in itertools.product(ENTRIES, SEATS):
        if entries < seats or (every and entries > EVERY_MAX):
            continue
        if not every:
            yield entries, seats, enough_tables(entries, seats)
            continue
        groups = math.comb(entries, seats)
        for tables in range(math.ceil(entries / seats), min(groups, 3 * entries) + 1):
            yield entries, seats, tables


def main() -> None:
    """Search for all, print those that are not even and a summary."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--every", action="store_true", help="every number of tables, not the usual one")
    given = parser.parse_args()
    even = proved = amount = 0
    slowest = (0.0, (0, 0, 0))
    for size in sizes(every=given.every):
        began = time.perf_counter()
        design = balance(*size)
        took = time.perf_counter() - began
        slowest = max(slowest, (took, size))
        amount, even, proved = amount + 1, even + (design.spread <= 1), proved + design.is_best
        if not design.is_best or (design.spread > 1 and not given.every):
            sys.stdout.write(
                f"{size[0]} entries, {size[2]} tables of {size[1]}: {design.fewest} to {design.most} "
                f"meetings, at least {design.least} apart, {took:.1f} s\n"
            )
            sys.stdout.flush()
    sys.stdout.write(
        f"{amount} sizes: {even} even to within one, {proved} as even as can be; "
        f"slowest {slowest[0]:.1f} s for {slowest[1]}\n"
    )


if __name__ == "__main__":
    main()
