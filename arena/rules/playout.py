"""Random play to the end of a round: the inner loop of a search bot, and the yardstick of the benchmark.

Owns one policy and its small generator of random numbers. The policy: each move but the last of the legal
list is equally likely; the last one (draw, keep, no, ready, a challenge) is chosen only when it is alone. UNO
is always called. Refuses to be a good player.
"""

from typing import Final

from arena.rules.round import Round

CALLED: Final = True
_FACTOR: Final = 1103515245
_STEP: Final = 12345
_MASK: Final = 2147483647


def play_out(round_: Round, seed: int) -> int:
    """Play a round to its end at random; return how many decisions it took.

    Args:
        round_: The round; it is changed, so a search plays out a `copy`.
        seed: Any number; the same seed plays the same moves.
    """
    number = seed & _MASK
    decisions = 0
    while round_.kind:
        moves = round_.legal_moves()
        choices = len(moves) - 1
        if choices > 1:
            number = number * _FACTOR + _STEP & _MASK
            round_.apply(moves[(number >> 8) % choices], CALLED)
        else:
            round_.apply(moves[0], CALLED)
        decisions += 1
    return decisions
