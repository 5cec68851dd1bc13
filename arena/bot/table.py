"""One open table: the author's bot, its seat, and what the SDK remembers for it."""

from random import Random
from typing import Any

from arena.bot.bot import Bot, Result
from arena.bot.events import read_event
from arena.bot.memory import Memory
from arena.bot.rules import Rules
from arena.protocol.pb import bot_pb2 as pb


class Table:
    """A seat at one table, from `Opened` to `Closed`."""

    __slots__ = ("bot", "hears", "memory", "number", "random", "rules", "seat", "seats")

    def __init__(self, bot_class: type[Bot], opened: Any, rules: Rules) -> None:
        self.number: int = opened.table
        self.seat: int = opened.seat
        self.seats: int = opened.seats
        self.rules = rules
        self.random = Random(opened.seed)  # noqa: S311 (a bot's dice, seeded to be repeatable)
        self.memory = Memory()
        self.hears = bot_class.event is not Bot.event
        self.bot = bot_class()
        self.bot.seat, self.bot.seats = self.seat, self.seats
        self.bot.rules, self.bot.random = rules, self.random
        self.bot.opened()

    def hear(self, events: Any) -> None:
        """Follow the news that came with a question."""
        self.memory.read(events)
        if self.hears:
            event = self.bot.event
            for message in events:
                event(read_event(message))

    def close(self, closed: Any) -> None:
        """Tell the bot how the match ended."""
        self.bot.closed(
            Result(
                places=tuple(closed.places),
                totals=tuple(closed.totals),
                ending=pb.Ending.Name(closed.ending).lower().removeprefix("ending_"),
                verdict=pb.Verdict.Name(closed.verdict).lower() if closed.verdict else "",
            )
        )
