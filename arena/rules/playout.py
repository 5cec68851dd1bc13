"""Random play to the end of a round: the inner loop of a search bot, and the yardstick of the benchmark.

Owns one policy and its small generator of random numbers. The policy: each move but the last of the legal
list is equally likely; the last one (draw, keep, no, ready, a challenge) is chosen only when it is alone, or
when the round has lasted longer than any that comes to an end so: where jumping in is allowed and cards are
many, nobody would ever leave it to whose turn it is. UNO is always called. A move that was just taken from
the list is done without being looked for in it again. Refuses to be a good player.
"""

from typing import TYPE_CHECKING, Final

from arena.rules.effects import HIGHEST_PLAY, draw, execute, play
from arena.rules.legal import legal_moves, turn_moves
from arena.rules.moves import MOVE_DRAW
from arena.rules.questions import TURN
from arena.rules.round import Round

if TYPE_CHECKING:
    from mypy_extensions import i64

CALLED: Final = True
LONGEST: Final = 4000
"""So many decisions are made without the last move of the lists."""
_FACTOR: Final = 29773421
_MASK: Final = 1073741823
"""Numbers of 30 bits: products of two of them are quick to make in both builds."""


def play_out(round_: Round, seed: int) -> int:
    """Play a round to its end at random; return how many decisions it took.

    Args:
        round_: The round; it is changed, so a search plays out a `copy`.
        seed: Any number; the same seed plays the same moves.
    """
    number: i64 = 2 * seed + 1 & _MASK
    decisions: i64 = 0
    round_.legal = None
    while kind := round_.kind:
        moves = turn_moves(round_) if kind == TURN else legal_moves(round_)
        choices = len(moves) - (1 if decisions < LONGEST else 0)
        if choices > 1:
            number = number * _FACTOR & _MASK
            move = moves[(number >> 8) % choices]
        else:
            move = moves[0]
        if round_.showing:
            round_.apply(move, CALLED)
        elif move <= HIGHEST_PLAY:
            play(round_, move, CALLED)
        elif move == MOVE_DRAW:
            draw(round_)
        else:
            execute(round_, move)
        decisions += 1
    return decisions
