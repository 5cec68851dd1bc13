"""What a bot process does with the arena's messages, without any socket: a batch in, answers out.

Owns the tables of one process, the handshake's reply and the flags beside a move. `server` puts it behind
gRPC and `local` calls it directly. It refuses to hide an author's mistake: an exception in a bot becomes a
`BotFailure` that carries the question and the answers given before it.
"""

from collections.abc import Callable
from typing import Any, Final

from arena.bot.bot import Answer, Bot, Choice
from arena.bot.moves import MOVES, Action, Kind, Move
from arena.bot.news import News
from arena.bot.rules import Rules, read_rules
from arena.bot.table import Table
from arena.bot.view import View, called_uno
from arena.protocol.pb import bot_pb2 as pb

PROTOCOL: Final = 1
"""The protocol version that this SDK speaks."""

_CATCH: Final = int(Kind.CATCH)
_CATCH_IT: Final = int(Action.CATCH)
_NO: Final = int(Action.NO)
_LAYS_A_CARD: Final = frozenset({int(Action.PLAY), int(Action.JUMP)})


class BotFailure(Exception):  # noqa: N818 (it is the bot that failed, not this program)
    """The author's code raised; the cause is chained."""

    def __init__(self, where: str, answers: Any) -> None:
        super().__init__(where)
        self.answers = answers
        """The `Answers` message of what was decided before."""


class Session:
    """All tables of one bot process."""

    def __init__(self, bot_class: type[Bot]) -> None:
        self.bot_class = bot_class
        self.rules = Rules()
        self.tables: dict[int, Table] = {}
        self.asked: tuple[Table, Any] | None = None

    def hello(self, request: Any) -> Any:
        """Return the `HelloReply` to a `HelloRequest`, and keep the rules it tells."""
        self.rules = read_rules(request)
        tables = max(1, self.bot_class.tables)
        return pb.HelloReply(
            protocol=PROTOCOL,
            nonce=request.nonce,
            tables=min(tables, request.tables_max) if request.tables_max else tables,
            description=self.bot_class.description or self.bot_class.__name__,
        )

    def play(self, batch: Any, sent: bytes = b"") -> Any:
        """Return the `Answers` to a `Turns` message: open, answer, close, in this order.

        Args:
            batch: The message.
            sent: The same as it came, if it did: news that nobody has read yet are then kept so.

        Raises:
            BotFailure: the author's code raised; its `answers` hold what was decided before.
        """
        answers = pb.Answers()
        add, tables, turns = answers.answers.add, self.tables, batch.turns
        news = News(turns, sent)
        self.asked = None
        try:
            for opened in batch.opened:
                tables[opened.table] = Table(self.bot_class, opened, self.rules)
            for place, turn in enumerate(turns):
                number = turn.table
                table = tables[number]
                self.asked = table, turn
                table.hear(turn, news, place)
                _answer(table, number, turn, add)
            self.asked = None
            for closed in batch.closed:
                table = tables.pop(closed.table)
                table.close(closed)
        except Exception as error:
            raise BotFailure(self._question(), answers) from error
        return answers

    def _question(self) -> str:
        """Write down the question that was open, for a person."""
        if self.asked is None:
            return "no question was open"
        table, turn = self.asked
        return f"the question was {View(turn, table)}"


def _answer(table: Table, number: int, turn: Any, add: Callable[..., Any]) -> None:
    """Add the answer to one question."""
    legal = turn.legal
    bot = table.bot
    choice: Choice
    if len(legal) == 1:
        choice = 0
    elif turn.kind == _CATCH and bot.catch_missed:
        choice = _catch(turn)
    else:
        view = View(turn, table)
        choice = bot.move(view)
        if type(choice) is Move and choice in view.legal:
            choice = view.legal.index(choice)
    if type(choice) is int and 0 <= choice < len(legal):
        # What nearly every answer is; all else takes the long way.
        answer = add(table=number, question=turn.question, index=choice)
        if len(turn.hand) == 2 and bot.call_uno and legal[choice].action in _LAYS_A_CARD:
            answer.uno = True
    else:
        _write(choice, turn, bot.call_uno, add)


def _catch(turn: Any) -> int:
    """Return the index of the honest answer to a catch question."""
    wanted = _NO if called_uno(turn.events) else _CATCH_IT
    return next((index for index, move in enumerate(turn.legal) if move.action == wanted), 0)


def _write(choice: Choice, turn: Any, call_uno: bool, add: Callable[..., Any]) -> None:
    """Add an answer with words, with a move in full, or one that the arena will refuse."""
    full = choice if isinstance(choice, Answer) else Answer(choice)
    answer = add(table=turn.table, question=turn.question, say=full.say, advice=full.advice)
    move = Move.parse(full.choice) if isinstance(full.choice, str) else full.choice
    if isinstance(move, Move):
        legal = [MOVES[m.action, m.card, m.colour, m.seat_plus_one] for m in turn.legal]
        if move in legal:
            move = legal.index(move)
        else:
            written = answer.move
            written.action, written.card, written.colour, written.seat_plus_one = move.wire
    if isinstance(move, int):
        answer.index = move
    elif not isinstance(move, Move):
        hint = "; was `return` forgotten?" if move is None else ""
        raise TypeError(f"move() must return a move, an index, a text or an Answer, not {move!r}{hint}")
    called = call_uno and len(turn.hand) == 2 and _lays_a_card(answer, turn.legal)
    answer.uno = called if full.uno is None else full.uno


def _lays_a_card(answer: Any, legal: Any) -> bool:
    """Say whether this answer is a play or a jump-in."""
    if answer.HasField("move"):
        return answer.move.action in _LAYS_A_CARD
    return answer.index < len(legal) and legal[answer.index].action in _LAYS_A_CARD
