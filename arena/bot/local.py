"""A bot in this process, on raw messages and without a socket: for tests, recorded questions and trials.

    play = LocalBot(MyBot)
    play.open(seat=0, seats=2, seed=1)
    answer = play.ask(turn)          # a `Turn` message, an `Answer` message back

A recorded question is one line of text (`format_turn`, `parse_turn`), so that a test or a bug report can hold
it. It refuses to referee: whether an answer is legal is the arena's matter.
"""

import runpy
import sys
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any

import arena.bot
from arena.bot.bot import Bot
from arena.bot.moves import MOVES
from arena.bot.session import Session
from arena.protocol.pb import bot_pb2 as pb


def load_bot(source: Path) -> type[Bot]:
    """Run a bot's source file and return the class that it would serve.

    Raises:
        ValueError: the file does not call `serve`.
    """
    served: list[type[Bot]] = []
    folder = str(source.resolve().parent)
    known = set(sys.modules)
    arena.bot._INSTEAD.append(served.append)  # noqa: SLF001 (the two modules are one mechanism)
    sys.path.insert(0, folder)
    try:
        runpy.run_path(str(source), run_name="__main__")
    finally:
        sys.path.remove(folder)
        arena.bot._INSTEAD.pop()  # noqa: SLF001
        for name in set(sys.modules) - known:
            # Another bot's folder may hold a module of the same name.
            if (getattr(sys.modules[name], "__file__", None) or "").startswith(folder):
                del sys.modules[name]
    if not served:
        raise ValueError(f"{source} does not call serve")
    return served[0]


class LocalBot:
    """One bot class with all its tables, driven by hand."""

    def __init__(self, bot_class: type[Bot], hello: Any = None) -> None:
        self.session = Session(bot_class)
        self.session.hello(hello if hello is not None else pb.HelloRequest())

    def open(self, table: int = 0, *, seat: int = 0, seats: int = 2, seed: int = 0) -> Bot:
        """Seat the bot at a table and return its instance there."""
        opened = pb.Opened(table=table, seat=seat, seats=seats, seed=seed)
        self.session.play(pb.Turns(opened=[opened]))
        return self.session.tables[table].bot

    def ask(self, turn: Any) -> Any:
        """Return the `Answer` message to a `Turn` message at an open table."""
        return self.session.play(pb.Turns(turns=[turn])).answers[0]

    def close(self, closed: Any) -> None:
        """Tell the bot that a table has ended, with a `Closed` message."""
        self.session.play(pb.Turns(closed=[closed]))


def ask_once(bot_class: type[Bot], turn: Any, *, seat: int = 0, seed: int = 0, hello: Any = None) -> str:
    """Return, as text, the move that a fresh bot of this class answers to one `Turn` message."""
    bot = LocalBot(bot_class, hello)
    bot.open(turn.table, seat=seat, seats=max(2, len(turn.hand_sizes)), seed=seed)
    answer = bot.ask(turn)
    return format_choice(turn, answer)


def format_choice(turn: Any, answer: Any) -> str:
    """Return the text of the move that an answer chooses; `index 9` when the turn has no such move."""
    if answer.HasField("move"):
        move = answer.move
    elif answer.index < len(turn.legal):
        move = turn.legal[answer.index]
    else:
        return f"index {answer.index}"
    return MOVES[move.action, move.card, move.colour, move.seat_plus_one].text


def format_turn(turn: Any) -> str:
    """Return a `Turn` message as one line of text."""
    return b64encode(turn.SerializeToString(deterministic=True)).decode()


def parse_turn(text: str) -> Any:
    """Return the `Turn` message that `format_turn` wrote."""
    return pb.Turn.FromString(b64decode(text, validate=True))
