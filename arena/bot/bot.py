"""The class an author derives from: one instance a table, one method that must be written."""

from abc import ABC, abstractmethod
from random import Random
from typing import ClassVar, NamedTuple

from arena.bot.events import Event
from arena.bot.moves import Move
from arena.bot.rules import Rules
from arena.bot.view import View


class Answer(NamedTuple):
    """A choice with something beside it: `return Answer(move, say="good luck")`."""

    choice: Move | int | str
    """A move, an index into `view.legal`, or the text of a move."""
    uno: bool | None = None
    """The UNO flag; None leaves it to `Bot.call_uno`."""
    say: str = ""
    """A line said to the table, at most 200 characters."""
    advice: bool = False
    """Whether the line is advice to another player."""


Choice = Answer | Move | int | str
"""What `Bot.move` may return."""


class Result(NamedTuple):
    """How a match ended for everybody at its table."""

    places: tuple[int, ...]
    """Each seat's place, 1 is best; places may be shared. Empty when nothing counts."""
    totals: tuple[int, ...]
    """Each seat's points at the end."""
    ending: str
    """Why it ended: target, rounds, decisions, last_seat, replanned."""
    verdict: str
    """What this bot did wrong, if that is why it left the table, else empty."""


class Bot(ABC):
    """A player at one table for one match. Derive from it, write `move`, and call `serve` with the class.

    The arena makes one instance for each table, so what a bot keeps in `self` belongs to that table alone.
    Questions with one legal move are answered without asking; so are missed UNO calls (`catch_missed`).
    """

    tables: ClassVar[int] = 1024
    """How many tables this bot plays at once, if the arena asks for so many; who thinks long offers fewer."""
    description: ClassVar[str] = ""
    """Free text for logs."""
    call_uno: ClassVar[bool] = True
    """Call UNO by itself with every move that leaves one card."""
    catch_missed: ClassVar[bool] = True
    """Point out by itself when somebody did not call UNO; if False, `move` is asked."""

    seat: int
    """The bot's own seat. This and what follows is set before `opened`, not yet in `__init__`."""
    seats: int
    """How many seats the match has."""
    rules: Rules
    """The rules in force and the limits that hold."""
    random: Random
    """Seeded for this table by the arena: a bot that uses no other randomness is repeatable."""

    @abstractmethod
    def move(self, view: View) -> Choice:
        """Return the choice for this question: a move, an index into `view.legal`, a text, or an `Answer`."""

    def opened(self) -> None:  # noqa: B027 (a hook, empty on purpose)
        """Do something when the match begins; `seat`, `seats`, `rules` and `random` are known."""

    def event(self, event: Event) -> None:  # noqa: B027
        """Learn what happened at the table since the last question; called before `move`."""

    def closed(self, result: Result) -> None:  # noqa: B027
        """Do something when the match has ended."""
