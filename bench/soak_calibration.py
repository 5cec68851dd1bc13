"""Two hundred real tournaments with bots in this process: how often the printed intervals hold the truth.

    python bench/soak_calibration.py                                 # four minutes on a core
    python bench/soak_calibration.py --tournaments 50 --sets 20

Every tournament is a round robin of four entries, one of them a twin that decides by seeds of its own, on
the real engine with fresh deals; a match is one round. Nobody knows the true ratings, but all together
know them fourteen times better than one: that is the truth its intervals are held against. Entries
that are equal by nature, the bot and its twin, must seem different in about one tournament of twenty. What
a shorter tournament would have printed is told from the first deal sets of every pairing.
"""

import argparse
import itertools
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import fields
from functools import partial
from typing import Final, cast

import numpy as np
from savings import start_bot
from strength import BOTS

from arena.bot import Bot, Move, View
from arena.bot.local import load_bot
from arena.bot.session import Session
from arena.protocol.hello import ruleset_message
from arena.protocol.inprocess import play_messages
from arena.protocol.pb import bot_pb2 as pb
from arena.ratings.facts import Flags, MatchFacts
from arena.ratings.standing import Entrant, Row, make_standing
from arena.rules.keys import derive
from arena.rules.presets import parse_ruleset
from arena.tournament.seating import seat_bots

CARELESS: Final = "careless"
"""Greedy that takes any legal move, by its own dice, in one decision of so many."""
SLIPS: Final = 2
ENTRIES: Final = (CARELESS, CARELESS, "greedy", "colour-keeper")
"""The first two are twins."""
RULES: Final = 'base = "mattel"\nscoring = "single_round"\n'
KEY_BITS: Final = 32
LENGTHS: Final = (5, 10, 20, 50, 100, 200)
"""Deal sets of a pairing after which a table is looked at."""
ENOUGH_SETS, ENOUGH = 50, 200
"""Deal sets from which intervals may not be too wide either, and tournaments that tell it to one percent."""
FEWEST, MOST, TWINS_MOST = 0.93, 0.97, 0.10
"""Intervals that must hold, and may; twins that may seem different."""


def play_tournament(sets: int, number: int) -> MatchFacts:
    """Play one tournament and return its matches."""
    ruleset = parse_ruleset(RULES)
    hello = pb.HelloRequest(ruleset=ruleset_message(ruleset))
    bots = [_start_careless(hello) if name == CARELESS else start_bot(name, hello) for name in ENTRIES]
    rows: list[tuple[int, int, list[int], Sequence[int], Sequence[int], int]] = []
    for pairing, pair in enumerate(itertools.combinations(range(len(ENTRIES)), 2)):
        for deal_set in range(sets):
            key = derive(b"soak", "calibration", number, pairing, deal_set)
            for rotation in range(2):
                seated = [pair[place] for place in seat_bots(key, 2, rotation)]
                rows.append((pairing, rotation, seated, *_play(ruleset, key, bots, seated), deal_set))
    places = np.array([row[3] for row in rows])
    ones = np.ones_like(places)
    return MatchFacts(
        deal_sets=np.array([(row[0] << KEY_BITS) + row[5] for row in rows]),
        rotations=np.array([row[1] for row in rows]),
        entries=np.array([row[2] for row in rows]),
        places=places,
        totals=np.array([row[4] for row in rows]),
        rounds=ones[:, 0],
        faults=0 * ones,
        decisions=ones,
        wall_us=ones,
    )


def _start_careless(hello: pb.HelloRequest) -> Session:
    """Start the bot that slips now and then."""
    kind = load_bot(BOTS / "greedy" / "bot.py")

    def move(self: Bot, view: View) -> Move:
        if view.random.randrange(SLIPS) == 0:
            return view.random.choice(view.legal)
        return cast("Move", kind.move(self, view))

    session = Session(type("Careless", (kind,), {"move": move}))
    session.hello(hello)
    return session


def _play(
    ruleset: object, key: bytes, bots: Sequence[Session], seated: Sequence[int]
) -> tuple[Sequence[int], Sequence[int]]:
    """Play one match and return places and totals."""
    seeds = [int.from_bytes(derive(key, "seed", entry, seat)[:8]) for seat, entry in enumerate(seated)]
    result = play_messages(ruleset, key, [bots[entry].play for entry in seated], seeds=seeds)  # type: ignore[arg-type]
    assert not result.faults, result.faults
    return result.places, result.totals


def rate(facts: MatchFacts) -> dict[int, Row]:
    """Return the rows of a standing by entry."""
    entrants = [Entrant(number, f"{name} {number}") for number, name in enumerate(ENTRIES)]
    return {row.number: row for row in make_standing(facts, entrants).rows}


def together(lots: Sequence[MatchFacts], sets: int) -> MatchFacts:
    """Return all tournaments as one, whose deal sets are all different."""
    joined = {
        each.name: np.concatenate([getattr(lot, each.name) for lot in lots]) for each in fields(MatchFacts)
    }
    lot = np.repeat(np.arange(len(lots)), lots[0].matches)
    joined["deal_sets"] = joined["deal_sets"] + sets * lot
    return MatchFacts(**joined)


def first(facts: MatchFacts, sets: int) -> MatchFacts:
    """Return the matches of the first deal sets of every pairing."""
    return _chosen(facts, np.isin(facts.deal_sets % (1 << KEY_BITS), np.arange(sets)))


def measure(lots: Sequence[MatchFacts], truth: Mapping[int, float], sets: int) -> bool:
    """Print how often intervals held the truth and twins seemed different; return whether all is well."""
    standings = [rate(lot) for lot in lots]
    held = np.mean(
        [
            abs((row.elo or 0.0) - truth[number]) <= (row.plus_minus or 0.0)
            for rows in standings
            for number, row in rows.items()
        ]
    )
    place = {number: 1 + sum(other > truth[number] for other in truth.values()) for number in truth}
    ranks = np.mean(
        [
            (row.best_rank or 0) <= place[number] <= (row.worst_rank or 9)
            for rows in standings
            for number, row in rows.items()
            if number > 1  # twins have no order
        ]
    )
    pair = [make_standing(_between(lot, 0, 1), [Entrant(0, "a"), Entrant(1, "b")]).rows for lot in lots]
    apart = np.mean([(rows[0].above_next or 0.5) > 0.975 for rows in pair])
    most = MOST if sets >= ENOUGH_SETS else 1.0
    goal = f"{FEWEST:.0%} to {most:.0%}" if sets >= ENOUGH_SETS else f"{FEWEST:.0%} or more"
    sys.stdout.write(
        f"after {sets} deal sets a pairing:\n"
        f"  95 % intervals of ratings hold the truth in {held:.1%} (goal: {goal})\n"
        f"  95 % ranges of ranks hold it in {ranks:.1%}\n"
        f"  twins seem different in {apart:.1%} (goal: about 5 %)\n"
    )
    return bool(FEWEST <= held <= most and ranks >= FEWEST and apart <= TWINS_MOST)


def measure_all(lots: Sequence[MatchFacts], sets: int) -> bool:
    """Hold tournaments against what all of them know together, after few deal sets and after all."""
    truth = {number: row.elo or 0.0 for number, row in rate(together(lots, sets)).items()}
    spread = ", ".join(f"{name} {truth[number]:.0f}" for number, name in enumerate(ENTRIES))
    sys.stdout.write(f"{len(lots)} tournaments ({spread})\n")
    lengths = sorted({each for each in LENGTHS if each < sets} | {sets})
    well = [measure([first(lot, length) for lot in lots], truth, length) for length in lengths]
    if len(lots) < ENOUGH:
        sys.stdout.write(f"fewer than {ENOUGH} tournaments: nothing is judged\n")
        return True
    return all(well)


def _between(facts: MatchFacts, one: int, other: int) -> MatchFacts:
    """Return the matches of two entries."""
    both: Flags = np.all(np.isin(facts.entries, (one, other)), axis=1)
    return _chosen(facts, both)


def _chosen(facts: MatchFacts, chosen: Flags) -> MatchFacts:
    """Return some of the matches."""
    return MatchFacts(**{each.name: getattr(facts, each.name)[chosen] for each in fields(MatchFacts)})


def main() -> None:
    """Read the arguments, play, print; fail when the intervals promise too much or too little."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tournaments", type=int, default=200, help="how many")
    parser.add_argument("--sets", type=int, default=50, help="deal sets of a pairing")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    given = parser.parse_args()
    with ProcessPoolExecutor(given.jobs) as pool:
        lots = list(pool.map(partial(play_tournament, given.sets), range(given.tournaments)))
    sys.exit(0 if measure_all(lots, given.sets) else 1)


if __name__ == "__main__":
    main()
