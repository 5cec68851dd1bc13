"""A quick player for both sides of a look ahead, and the dice it plays with.

Owns one policy: each play is weighed by a sum of `facts`, each with a worth in points of the round (`worth`).
It looks at its own hand, at sizes and at what lies, never at another hand, though a world would show it.
Compiled with the engine. It refuses to search: that is a bot's own business.
"""

from typing import Final

from arena.bot.simulate.facts import Facts
from arena.bot.simulate.gains import gain_of, points_of_others
from arena.bot.simulate.worth import DUEL, TABLE
from arena.rules.cards import RANKS, WILD
from arena.rules.effects import HIGHEST_PLAY, execute, play
from arena.rules.legal import legal_moves, turn_moves
from arena.rules.moves import ACTION_SHIFT, CARD_SHIFT, MOVE_ACCEPT, MOVE_CHALLENGE, NO_SEAT
from arena.rules.pile import pile_of
from arena.rules.questions import CATCH, DRAWN, EXCHANGE, FIRST_COLOUR, PENALTY, TURN
from arena.rules.round import Round
from arena.rules.scoring import POINTS
from arena.rules.variant import COLOUR_MASKS

LEFT_OUT: Final = -1e9
OUT: Final = 1e4
"""Added where a move empties the hand: nothing is better."""
PATIENCE: Final = 300
"""A look ahead that comes to no end after so many decisions for each seat is given up."""
_FACTOR: Final = 29773421
_STEP: Final = 12345
_MASK: Final = 1073741823
_CALLED: Final = True
_SWAPPED_CARD: Final = 4.0
"""What each card fewer is worth in a change of hands."""


class Player(Facts):
    """Plays any seat of a world. One player has one set of dice, so the same seed plays the same."""

    def __init__(self, seed: int = 1) -> None:
        super().__init__()
        self.number: int = seed & _MASK
        self.duel: list[float] = list(DUEL)
        self.table: list[float] = list(TABLE)
        self.worth: float = 0.0
        """What the move chosen last promised its seat, in points of the round."""
        self.astray: int = 0
        """If not 0, one move in so many is made at random."""
        self.doubts: int = 30
        """How many of a hundred wild draw fours are challenged."""

    def below(self, limit: int) -> int:
        """Return a number from 0 to `limit` - 1 by lot."""
        self.number = self.number * _FACTOR + _STEP & _MASK
        return (self.number >> 8) % limit

    def choose(self, s: Round) -> int:
        """Return the move of the seat that is asked, and leave in `worth` what it promises."""
        kind = s.kind
        if kind == TURN:
            return self.best(s, turn_moves(s))
        moves = legal_moves(s)
        if kind == DRAWN:
            return self.best(s, moves)
        if kind == PENALTY:
            return self.answer(moves)
        if kind == CATCH:
            return moves[0] if s.uno_missed else moves[1]
        if kind == FIRST_COLOUR:
            return moves[richest_colour(s.hands[s.seat].kinds)]
        if kind == EXCHANGE:
            return dearest(moves)
        return moves[0]

    def answer(self, moves: tuple[int, ...]) -> int:
        """Answer a penalty: with a card if there is one, else challenge by lot, else accept."""
        if moves[0] <= HIGHEST_PLAY:
            return moves[0]
        if moves[len(moves) - 1] == MOVE_CHALLENGE and self.below(100) < self.doubts:
            return MOVE_CHALLENGE
        return MOVE_ACCEPT

    def best(self, s: Round, moves: tuple[int, ...]) -> int:
        """Return the move that promises most."""
        if self.astray and len(moves) > 1 and self.below(self.astray) == 0:
            move = moves[self.below(len(moves))]
            self.worth = self.promise(s, move)
            return move
        best = moves[0]
        most = LEFT_OUT
        for move in moves:
            worth = self.promise(s, move)
            if worth > most:
                most = worth
                best = move
        self.worth = most
        return best

    def promise(self, s: Round, move: int) -> float:
        """Return what a move promises the seat that is asked, in points of the round."""
        hand = s.hands[s.seat]
        if move <= HIGHEST_PLAY and hand.size == 1 and not s.variant.seven_rounds:
            return OUT + points_of_others(s, s.seat)
        worths = self.duel if s.left == 2 else self.table
        self.look(s, move)
        total = 0.0
        for place, fact in enumerate(self.facts):
            if fact:
                total += worths[place] * fact
        other = (move & 15) - 1
        if other != NO_SEAT and (move >> CARD_SHIFT & 63) - 1 < WILD:
            fewer: int = hand.size - 1 - s.hands[other].size
            total += _SWAPPED_CARD * fewer
        return total

    def do(self, s: Round, move: int) -> None:
        """Do a legal move, calling UNO where it is due."""
        s.legal = None
        if s.showing:
            s.apply(move, _CALLED)
        elif move > HIGHEST_PLAY:
            execute(s, move)
        else:
            play(s, move, _CALLED)

    def roll(self, s: Round, seat: int, moves: int) -> float:
        """Play on until a seat has made so many moves of its own, and return what it then may expect.

        Args:
            s: The round; it is changed.
            seat: Whose gain is asked for.
            moves: How many turns it has; 0 plays to the end of the round.
        """
        patience = PATIENCE * s.seats
        while s.kind and patience:
            patience -= 1
            turn = s.kind == TURN and s.seat == seat
            move = self.choose(s)
            if turn:
                moves -= 1
                if moves == 0 and self.worth < OUT / 2:
                    return self.worth
            self.do(s, move)
            if not s.inside[seat]:
                break
        return gain_of(s, seat) if patience else 0.0

    def finish(self, s: Round) -> None:
        """Play to the end of the round; by lot once that takes long."""
        patience = PATIENCE * s.seats
        while s.kind:
            patience -= 1
            self.do(s, self.choose(s) if patience > 0 else self.any_move(s))

    def any_move(self, s: Round) -> int:
        """Return a move by lot."""
        moves = legal_moves(s)
        return moves[self.below(len(moves))]

    def deal(self, s: Round, me: int, unseen: list[int], sizes: list[int], most: list[list[int]]) -> None:
        """Give the other seats cards by lot, heeding how many of each colour they can hold at most.

        Args:
            s: The round; its hands but the own one are empty. What is left is the draw pile's.
            me: The seat whose hand is known.
            unseen: The cards that nobody has shown; put into another order.
            sizes: How many cards each seat holds.
            most: For each seat and colour, how many cards it can hold at most.
        """
        for place in range(len(unseen) - 1, 0, -1):
            other = self.below(place + 1)
            card = unseen[place]
            unseen[place] = unseen[other]
            unseen[other] = card
        for seat in range(s.seats):
            if seat != me and sizes[seat]:
                take_fitting(s, seat, unseen, sizes[seat], most[seat].copy())
        s.pile = pile_of([unseen], [])


def take_fitting(s: Round, seat: int, cards: list[int], size: int, most: list[int]) -> None:
    """Move the last cards that a seat can hold into its hand; when too few fit, the last ones."""
    hand = s.hands[seat]
    place = len(cards) - 1
    while size and place >= 0:
        card = cards[place]
        if card >= WILD or most[card // RANKS] > 0:
            if card < WILD:
                most[card // RANKS] -= 1
            hand.add(card)
            size -= 1
            cards[place] = cards[len(cards) - 1]
            cards.pop()
        place -= 1
    while size and cards:
        hand.add(cards.pop())
        size -= 1


def richest_colour(kinds: int) -> int:
    """Return the colour of which a hand has most kinds."""
    best = 0
    most = -1
    for colour in range(4):
        count = (kinds & COLOUR_MASKS[colour]).bit_count()
        if count > most:
            most = count
            best = colour
    return best


def dearest(moves: tuple[int, ...]) -> int:
    """Return the move that gives away the card worth most."""
    best = moves[0]
    for move in moves:
        if move >> ACTION_SHIFT == best >> ACTION_SHIFT and (
            POINTS[(move >> CARD_SHIFT & 63) - 1] > POINTS[(best >> CARD_SHIFT & 63) - 1]
        ):
            best = move
    return best
