"""One world: a round with every card in a known place, played on by the rules of the match.

Owns the words in which a bot speaks to the engine: moves, cards and kinds of `arena.bot`, seats as in the
view. It refuses to be the real table: it is what the real table may be.
"""

from arena.bot.cards import CARDS, Card, Colour
from arena.bot.moves import KINDS, MOVES, Kind, Move
from arena.bot.simulate.gains import gain_of
from arena.bot.simulate.player import Player
from arena.rules.moves import IllegalMoveError, action_of, card_of, colour_of, parse_move, seat_of
from arena.rules.playout import play_out
from arena.rules.round import Round

_ACTIONS = {1: 1, 2: 8, 3: 10, 4: 9, 5: 2, 6: 3, 7: 4, 8: 5, 9: 6, 10: 7, 11: 11}
"""The engine's number of an action: the wire's."""
_TO_MOVE: dict[int, Move] = {}
_TO_NUMBER: dict[Move, int] = {}


def move_of(number: int) -> Move:
    """Return the move that is this number in the engine."""
    move = _TO_MOVE.get(number)
    if move is None:
        wire = (_ACTIONS[action_of(number)], card_of(number) + 1, colour_of(number) + 1, seat_of(number) + 1)
        move = _TO_MOVE[number] = MOVES[wire]
    return move


def number_of(move: Move) -> int:
    """Return the engine's number of a move."""
    number = _TO_NUMBER.get(move)
    if number is None:
        number = _TO_NUMBER[move] = parse_move(move.text)
    return number


class World:
    """A round that may be so. It changes with `play` and `play_out`; try a `copy` to keep it."""

    __slots__ = ("round",)

    def __init__(self, round_: Round) -> None:
        self.round = round_
        """The engine's own object: for speed, by those who read `arena.rules.round`."""

    @property
    def over(self) -> bool:
        """Whether the round is over."""
        return self.round.kind == 0

    @property
    def seat(self) -> int:
        """The seat that is asked, -1 when the round is over."""
        return self.round.seat

    @property
    def kind(self) -> Kind:
        """What it is asked; `Kind.OTHER` when the round is over."""
        return KINDS.get(self.round.kind, Kind.OTHER)

    @property
    def legal(self) -> tuple[Move, ...]:
        """The legal moves of the seat that is asked."""
        return tuple([move_of(number) for number in self.round.legal_moves()])

    @property
    def bluffs(self) -> tuple[Move, ...]:
        """Those that break a rule, if the next player challenges them."""
        legal = self.round.legal_moves()
        return tuple([move_of(legal[index]) for index in self.round.bluffs()])

    @property
    def top(self) -> Card:
        """The card on top of the discard pile."""
        return CARDS[self.round.top]

    @property
    def colour(self) -> Colour:
        """The colour in force."""
        return Colour(self.round.colour)

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """Cards in each seat's hand."""
        return tuple(self.round.sizes)

    def hand(self, seat: int) -> tuple[Card, ...]:
        """Return the cards of a seat in this world."""
        return tuple([CARDS[card] for card in self.round.hand(seat)])

    def play(self, move: Move | str, *, uno: bool = True) -> None:
        """Do a move of the seat that is asked.

        Args:
            move: One of the legal moves, or its text.
            uno: Whether UNO is called with it.

        Raises:
            IllegalMoveError: The move is not legal; nothing was changed.
        """
        if isinstance(move, str):
            move = Move.parse(move)
        number = number_of(move)
        if number not in self.round.legal_moves():
            raise IllegalMoveError(f"{move} is not legal")
        self.round.apply(number, uno)

    def copy(self) -> "World":
        """Return a world that goes on alone from here."""
        return World(self.round.copy())

    def play_out(self, seed: int = 1, player: Player | None = None) -> None:
        """Play to the end of the round: at random, or by a `Player`, who plays a much better game."""
        if player is None:
            play_out(self.round, seed)
        else:
            player.finish(self.round)

    def gain(self, seat: int) -> float:
        """Return what the finished round brought a seat, in points; less than 0 where another won."""
        return gain_of(self.round, seat)
