"""Trying a ruleset: the reference bots play it in this process, and the matches are counted.

Owns which bots sit where. No sandbox, database or clock: the bots are the project's own, on the very messages
that they get behind gRPC, so what is tried is what a tournament plays. The counting is `arena.match.tally`'s.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from arena.bot import Bot
from arena.bot.local import load_bot
from arena.bot.session import Session
from arena.errors import PlatformError
from arena.match.tally import Tally
from arena.protocol.hello import ruleset_message
from arena.protocol.inprocess import play_messages
from arena.protocol.pb import bot_pb2 as pb
from arena.rules.keys import derive
from arena.rules.options import Ruleset
from arena.rules.record import parse_record
from arena.service.reference import FOLDERS

REFERENCE: Final = ("random", "first-legal", "greedy", "colour-keeper", "veteran")
DEFAULT_ROUNDS: Final = 2000
DEFAULT_SEATS: Final = 4


@dataclass(frozen=True)
class Trial:
    """What came of trying a ruleset."""

    seats: int
    """How many sat at each table."""
    bots: tuple[str, ...]
    """Who played, in turn at every seat."""
    tally: Tally
    """The figures."""
    faults: int
    """Faults of the bots; none is expected."""


def reference_bots() -> Mapping[str, type[Bot]]:
    """Return the reference bots: of the wheel, which carries them, or of the checkout.

    Raises:
        PlatformError: Whoever built what is installed left them out.
    """
    for folder in FOLDERS:
        sources = {name: folder / name / "bot.py" for name in REFERENCE}
        if all(source.is_file() for source in sources.values()):
            return {name: load_bot(source) for name, source in sources.items()}
    raise PlatformError("the reference bots are missing: install the wheel that `make wheel` builds")


def usual_seats(ruleset: Ruleset) -> int:
    """Return the table size that a ruleset is tried at unless another is asked for."""
    can_deal = (sum(ruleset.deck_copies) - 2) // ruleset.hand_size
    return min(max(DEFAULT_SEATS, ruleset.least_seats), ruleset.most_seats, can_deal)


def try_ruleset(
    ruleset: Ruleset,
    *,
    seats: int,
    rounds: int = DEFAULT_ROUNDS,
    on_progress: Callable[[int], None] = lambda _rounds: None,
) -> Trial:
    """Play whole matches until so many rounds are played, and count what happened; repeatable.

    Args:
        ruleset: What is played.
        seats: The size of the table.
        rounds: How many rounds at least.
        on_progress: Told the rounds played after each match.

    Raises:
        RulesetError: The ruleset does not play so many seats.
    """
    ruleset.check_table(seats)
    bots = reference_bots()
    names = tuple(bots)
    tally, faults, number = Tally(ruleset), 0, 0
    hello = pb.HelloRequest(ruleset=ruleset_message(ruleset))
    while tally.rounds < rounds:
        # Each bot sits in each seat equally often, so that its strength is no advantage of the seat.
        sessions = [Session(bots[names[(number + seat) % len(names)]]) for seat in range(seats)]
        for session in sessions:
            session.hello(hello)
        key = derive(b"rules try", ruleset.digest.hex(), seats, number)
        seeds = range(number * seats, (number + 1) * seats)
        result = play_messages(ruleset, key, [session.play for session in sessions], seeds=seeds)
        played = tally.rounds
        tally.add(parse_record(result.record))
        faults += len(result.faults)
        number += 1
        on_progress(tally.rounds)
        if tally.rounds == played and number >= rounds:
            break  # No round ever ends under this ruleset: the decisions run out first.
    return Trial(seats, names, tally, faults)
