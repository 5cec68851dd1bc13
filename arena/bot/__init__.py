"""The author's SDK: write a class with one method, call `serve` with it, and nothing else is to be known.

    from arena.bot import Bot, serve

    class MyBot(Bot):
        def move(self, view):
            return view.legal[0]

    serve(MyBot)

In reading order: `cards`, `moves`, `events` (values), `view` (one question), `bot` (the class), `memory`
(what was seen), `session` (batches), `server` (gRPC), `local` (the same without a socket, for tests). It
depends on grpcio and protobuf only, imports grpc when `serve` is called, and refuses to import the engine.
"""

from collections.abc import Callable

from arena.bot.bot import Answer, Bot, Choice, Result
from arena.bot.cards import CARDS, COLOURS, WILD, WILD_DRAW_FOUR, Card, Colour, Rank
from arena.bot.events import Event, EventKind
from arena.bot.moves import Action, Kind, Move
from arena.bot.rules import Limits, Rules
from arena.bot.view import Penalty, View

__all__ = [
    "CARDS",
    "COLOURS",
    "WILD",
    "WILD_DRAW_FOUR",
    "Action",
    "Answer",
    "Bot",
    "Card",
    "Choice",
    "Colour",
    "Event",
    "EventKind",
    "Kind",
    "Limits",
    "Move",
    "Penalty",
    "Rank",
    "Result",
    "Rules",
    "View",
    "serve",
]

_INSTEAD: list[Callable[[type[Bot]], None]] = []
"""What `serve` does instead while `local.load_bot` reads a bot's source."""


def serve(bot_class: type[Bot], address: str | None = None) -> None:
    """Play until the arena closes the stream: the last line of every bot.

    Args:
        bot_class: the class of the bot; the arena makes one instance for each table.
        address: where to listen; by default where the environment variable ARENA_ADDRESS says.

    Raises:
        SystemExit: there is no address, or nobody can listen there.
    """
    if _INSTEAD:
        _INSTEAD[-1](bot_class)
        return
    from arena.bot.server import serve_until_the_end  # noqa: PLC0415 (grpc costs 70 ms; tests need none)

    serve_until_the_end(bot_class, address)
