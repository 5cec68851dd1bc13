"""One open table: the author's bot, its seat, and what the SDK remembers for it.

Cards are counted only when somebody asks for a count: until then the news of the round wait unread, and a new
round throws them away. A bot that never counts pays next to nothing for it.
"""

from random import Random
from typing import Any, Final

from arena.bot.bot import Bot, Result
from arena.bot.events import read_event
from arena.bot.memory import Memory
from arena.bot.news import News
from arena.bot.rules import Rules
from arena.protocol.pb import bot_pb2 as pb

_UNREAD_MOST: Final = 256
"""Questions whose news wait unread: each keeps the message that it came with."""


class Table:
    """A seat at one table, from `Opened` to `Closed`."""

    __slots__ = (
        "_hears",
        "_memory",
        "_round",
        "_unread",
        "bot",
        "number",
        "random",
        "rules",
        "seat",
        "seats",
    )

    def __init__(self, bot_class: type[Bot], opened: Any, rules: Rules) -> None:
        self.number: int = opened.table
        self.seat: int = opened.seat
        self.seats: int = opened.seats
        self.rules = rules
        self.random = Random(opened.seed)  # noqa: S311 (a bot's dice, seeded to be repeatable)
        self._memory = Memory()
        self._round = 0
        self._unread: list[tuple[News, int]] = []
        self._hears = bot_class.event is not Bot.event
        self.bot = bot_class()
        self.bot.seat, self.bot.seats = self.seat, self.seats
        self.bot.rules, self.bot.random = rules, self.random
        self.bot.opened()

    def hear(self, turn: Any, news: News, place: int) -> None:
        """Take the news that came with a question, the one at that place of its message."""
        unread = self._unread
        if turn.round != self._round:
            self._round = turn.round
            unread.clear()
        unread.append((news, place))
        if len(unread) == _UNREAD_MOST:
            self._read()
        if self._hears:
            event = self.bot.event
            for message in turn.events:
                event(read_event(message))

    def memory(self) -> Memory:
        """Return what was laid open in this round, up to the last question."""
        News.are_read = True
        if self._unread:
            self._read()
        return self._memory

    def _read(self) -> None:
        """Follow the news that wait."""
        for news, place in self._unread:
            self._memory.read(news.events(place))
        self._unread.clear()

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
