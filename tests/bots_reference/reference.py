"""The reference bots in this process, on the very messages that they get behind gRPC."""

from collections.abc import Sequence
from pathlib import Path

from arena.bot import Bot
from arena.bot.local import load_bot
from arena.bot.session import Session
from arena.match.result import MatchResult
from arena.protocol.hello import ruleset_message
from arena.protocol.inprocess import play_messages
from arena.protocol.pb import bot_pb2 as pb
from arena.rules.keys import derive
from arena.rules.options import Ruleset

BOTS = Path(__file__).resolve().parents[2] / "bots"
NAMES = ("random", "first-legal", "greedy", "colour-keeper", "veteran", "foresight")
CLASSES: dict[str, type[Bot]] = {name: load_bot(BOTS / name / "bot.py") for name in NAMES}
CLASSES["foresight"] = type("Hasty", (CLASSES["foresight"],), {"trials_per_ms": 0.2, "turns": 1})
"""It looks ahead a little only: what it has to prove here takes no strength."""


def key_of(*labels: str | int) -> bytes:
    """Return a set key that belongs to a test."""
    return derive(b"tests of the reference bots", *labels)


def play(ruleset: Ruleset, set_key: bytes, bots: Sequence[type[Bot]]) -> MatchResult:
    """Play one match, a session of its own for each seat."""
    hello = pb.HelloRequest(ruleset=ruleset_message(ruleset))
    sessions = [Session(bot) for bot in bots]
    for session in sessions:
        session.hello(hello)
    return play_messages(ruleset, set_key, [session.play for session in sessions])


def set_scores(ruleset: Ruleset, one: type[Bot], other: type[Bot], sets: int) -> list[float]:
    """Return the first bot's score in each of some deal sets of two players, 0 to 1."""
    scores = []
    for number in range(sets):
        key = key_of("score", number)
        ahead = play(ruleset, key, (one, other)).places == (1, 2)
        behind = play(ruleset, key, (other, one)).places == (2, 1)
        scores.append((ahead + behind) / 2)
    return scores
