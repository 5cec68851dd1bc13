"""One question, as seen from one seat: everything is read from the message when it is first asked for.

A view is what a bot's `move` is given. Reading nothing costs nothing: a batch of 128 questions makes 128
views and not one list that nobody looks at. A view may be kept after the answer; only what was seen is always
counted up to the latest question. It refuses to judge: it says what is legal, what is a bluff and what was
seen, never what is good.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Self, TypeVar, overload

from arena.bot.cards import WIRE_CARDS, WIRE_COLOURS, Card, Colour
from arena.bot.events import Event, EventKind, read_event
from arena.bot.moves import KINDS, MOVES, Action, Kind, Move

if TYPE_CHECKING:
    from random import Random

    from arena.bot.memory import Memory
    from arena.bot.rules import Rules
    from arena.bot.table import Table

_Value = TypeVar("_Value")


class Lazy(Generic[_Value]):
    """A property that is worked out once and then is a plain attribute.

    `functools.cached_property` does the same behind a lock up to Python 3.11, which costs a microsecond.
    """

    def __init__(self, read: Callable[[Any], _Value]) -> None:
        self._read = read
        self._name = read.__name__
        self.__doc__ = read.__doc__

    @overload
    def __get__(self, view: None, owner: type) -> Self: ...
    @overload
    def __get__(self, view: object, owner: type) -> _Value: ...
    def __get__(self, view: object | None, owner: type) -> _Value | Self:
        if view is None:
            return self
        value = self._read(view)
        view.__dict__[self._name] = value
        return value


class Penalty(NamedTuple):
    """A penalty that somebody is about to suffer."""

    card: Card | None
    """The card that caused it."""
    amount: int
    """Cards to be drawn; 0 when only the turn is lost."""
    source: int
    """The seat that caused it."""
    victim: int
    """The seat that is to suffer it."""


class View:
    """One question. Seats are numbers 0..seats-1, clockwise; cards, colours and moves have text forms."""

    def __init__(self, turn: Any, table: "Table") -> None:
        self._turn = turn
        self._table = table

    # ---------------------------------------------------------------- the question

    @Lazy
    def kind(self) -> Kind:
        """What is asked."""
        return KINDS.get(self._turn.kind, Kind.OTHER)

    @Lazy
    def legal(self) -> tuple[Move, ...]:
        """Every move that may be made, in a fixed order."""
        return tuple([MOVES[m.action, m.card, m.colour, m.seat_plus_one] for m in self._turn.legal])

    @Lazy
    def bluffs(self) -> tuple[Move, ...]:
        """The legal moves that break a rule, if the next player challenges them."""
        legal = self.legal
        return tuple([legal[index] for index in self._turn.bluffs])

    @Lazy
    def plays(self) -> tuple[Move, ...]:
        """The legal moves that lay a card, bluffs included."""
        return tuple([move for move in self.legal if move.is_play])

    @Lazy
    def playable(self) -> tuple[Move, ...]:
        """The legal moves that lay a card and break no rule."""
        bluffs = self.bluffs
        return tuple([move for move in self.plays if move not in bluffs]) if bluffs else self.plays

    def legal_by(self, action: Action) -> Move | None:
        """Return the first legal move with this action, or none: `view.legal_by(Action.DRAW)`."""
        for move in self.legal:
            if move.action is action:
                return move
        return None

    @property
    def question(self) -> int:
        """The number of this question at its table."""
        number: int = self._turn.question
        return number

    # ---------------------------------------------------------------- the cards

    @Lazy
    def hand(self) -> tuple[Card, ...]:
        """The bot's own cards, sorted, one entry for each copy."""
        return tuple([WIRE_CARDS[card] for card in self._turn.hand])

    @Lazy
    def top(self) -> Card | None:
        """The card on top of the discard pile."""
        card: int = self._turn.top
        return WIRE_CARDS[card]

    @Lazy
    def colour(self) -> Colour:
        """The colour in force."""
        return WIRE_COLOURS[self._turn.colour]

    @Lazy
    def drawn(self) -> Card | None:
        """The card just drawn, when that is the question."""
        card: int = self._turn.drawn
        return WIRE_CARDS[card]

    @Lazy
    def penalty(self) -> Penalty | None:
        """The penalty that waits, if any."""
        if not self._turn.HasField("penalty"):
            return None
        penalty = self._turn.penalty
        return Penalty(WIRE_CARDS[penalty.card], penalty.amount, penalty.source, penalty.victim)

    @Lazy
    def shown(self) -> tuple[Card, ...]:
        """A hand shown to this bot alone: the offender's, after the bot's challenge."""
        return tuple([WIRE_CARDS[card] for card in self._turn.shown])

    @property
    def shown_seat(self) -> int:
        """Whose hand was shown, -1 when none was."""
        seat: int = self._turn.shown_seat_plus_one - 1
        return seat

    @property
    def draw_pile(self) -> int:
        """Cards left to draw before the discard pile is shuffled."""
        size: int = self._turn.draw_pile
        return size

    @property
    def played(self) -> list[int]:
        """How many of each card were laid open since the round began, by card code (a list of your own)."""
        return self._table.memory().played.copy()

    @Lazy
    def unseen(self) -> list[int]:
        """How many of each card are in other hands or the draw pile, by card code; ask while it is open."""
        pile = self._table.memory().pile
        unseen = [total - laid for total, laid in zip(self.rules.deck, pile, strict=True)]
        for card in self.hand:
            unseen[card] -= 1
        return unseen

    @property
    def memory(self) -> "Memory":
        """All that follows from the public events of this round; ask while the question is open."""
        return self._table.memory()

    def most(self, seat: int, colour: Colour | int) -> int:
        """Return how many cards of a colour a seat can hold at most.

        Who draws instead of playing has, read so, no card of the colour in force; only cards it got later can
        be of it. (The rules often allow to draw with such a card in hand; hardly anybody does.)
        """
        if seat == self.seat:
            return sum([card.colour == colour for card in self.hand])
        return min(self._table.memory().most[seat][colour], self.hand_sizes[seat])

    def unseen_of(self, colour: Colour | int) -> int:
        """Return how many cards of a colour are in other hands or the draw pile."""
        return sum(self.unseen[colour * 14 : colour * 14 + 14])

    def chance_without(self, seat: int, colour: Colour | int) -> float:
        """Estimate the chance that another seat holds no card of a colour, from what is unseen."""
        total = sum(self.unseen)
        if not total:
            return 1.0
        return max(0.0, 1 - self.unseen_of(colour) / total) ** self.most(seat, colour)

    # ---------------------------------------------------------------- the seats

    @property
    def seat(self) -> int:
        """The bot's own seat."""
        return self._table.seat

    @property
    def seats(self) -> int:
        """How many seats the match has."""
        return self._table.seats

    @Lazy
    def hand_sizes(self) -> tuple[int, ...]:
        """Cards in each seat's hand; 0 for a seat out of the round."""
        return tuple(self._turn.hand_sizes)

    @Lazy
    def totals(self) -> tuple[int, ...]:
        """Each seat's points in the match so far."""
        return tuple(self._turn.totals)

    @property
    def direction(self) -> int:
        """+1 clockwise, -1 the other way."""
        direction: int = self._turn.direction
        return direction

    @Lazy
    def opponents(self) -> tuple[int, ...]:
        """The other seats in the round, the next player first, in the direction of play."""
        turn, table = self._turn, self._table
        sizes, step, seats = self.hand_sizes, turn.direction, table.seats
        around = [(table.seat + step * distance) % seats for distance in range(1, seats)]
        return tuple([seat for seat in around if sizes[seat]])

    @Lazy
    def next_seat(self) -> int:
        """Who plays after this bot, unless a card changes that; the bot itself when nobody else is left."""
        return self.opponents[0] if self.opponents else self._table.seat

    @Lazy
    def next_cards(self) -> int:
        """How many cards the next player holds."""
        return self.hand_sizes[self.next_seat]

    @Lazy
    def fewest_cards(self) -> int:
        """How many cards the opponent closest to going out holds."""
        sizes = self.hand_sizes
        return min([sizes[seat] for seat in self.opponents], default=0)

    # ---------------------------------------------------------------- the match

    @property
    def round(self) -> int:
        """The round's number, from 1."""
        number: int = self._turn.round
        return number

    @property
    def dealer(self) -> int:
        """The dealer of this round."""
        seat: int = self._turn.dealer
        return seat

    @property
    def bank_ms(self) -> int:
        """What is left of the match's time bank, in milliseconds."""
        left: int = self._turn.bank_ms
        return left

    @Lazy
    def events(self) -> tuple[Event, ...]:
        """What happened at this table since the bot's last question there, in order."""
        return tuple([read_event(event) for event in self._turn.events])

    @Lazy
    def missed_uno(self) -> bool:
        """Whether the last play left one card without a call of UNO (asked by a question of kind CATCH)."""
        return self.kind is Kind.CATCH and not called_uno(self._turn.events)

    @property
    def rules(self) -> "Rules":
        """The rules in force."""
        return self._table.rules

    @property
    def random(self) -> "Random":
        """The table's own generator, seeded by the arena: use no other and the bot is repeatable."""
        return self._table.random

    def __str__(self) -> str:
        hand = " ".join(card.text for card in self.hand)
        legal = "  ".join(move.text for move in self.legal)
        top = self.top.text if self.top is not None else "none"
        place = f"question {self.question}, round {self.round}, seat {self.seat} of {self.seats}"
        lines = [
            f"{self.kind.name} ({place})",
            f"  hand   {hand}",
            f"  top    {top}, colour {self.colour.letter}",
            f"  sizes  {' '.join(map(str, self.hand_sizes))}   totals {' '.join(map(str, self.totals))}",
            f"  legal  {legal}",
        ]
        if self.penalty is not None:
            card = self.penalty.card.text if self.penalty.card is not None else "none"
            lines.append(f"  penalty {card}: {self.penalty.amount} cards, from seat {self.penalty.source}")
        return "\n".join(lines)


def called_uno(events: Any) -> bool:
    """Say whether, in these `Event` messages, UNO was called after the last card was laid."""
    called = False
    for event in events:
        kind = event.kind
        if kind in (EventKind.PLAYED, EventKind.JUMPED_IN):
            called = False
        elif kind == EventKind.UNO_CALLED:
            called = True
    return called
