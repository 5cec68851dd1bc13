"""From one turn to the next, and the end of a round.

Owns the order of turns and the stalemate (R27). Refuses to know what happens inside a turn: that is
`effects`.
"""

from arena.rules.events import ROUND_OVER
from arena.rules.moves import NO_SEAT
from arena.rules.questions import OVER, TURN
from arena.rules.scoring import hand_points
from arena.rules.state import State
from arena.rules.talk import end_silence_of, pay_for_talk


def start_turn(s: State, seat: int) -> None:
    """Begin the turn of a seat, unless the round has taken too many (R27)."""
    turns = s.turns
    if turns >= s.variant.max_turns:
        end_in_stalemate(s)
        return
    if s.debts:
        pay_for_talk(s)
    s.turns = turns + 1
    s.player = seat
    s.kind = TURN
    s.seat = seat
    if s.silences:
        end_silence_of(s, seat)


def pass_turn(s: State) -> None:
    """A turn has passed without a play or a draw; the round ends when nobody can move it on (R27)."""
    s.passes += 1
    if s.passes >= s.left:
        end_in_stalemate(s)
    else:
        start_turn(s, s.following[s.player])


def next_turn(s: State) -> None:
    """Begin the turn that follows the player's."""
    start_turn(s, s.following[s.player])


def lose_turn(s: State, seat: int) -> None:
    """A seat loses its turn: play goes on after it."""
    s.player = seat
    if s.silences:
        end_silence_of(s, seat)


def end_round(s: State, winner: int) -> None:
    """The round is over (R80)."""
    s.winner = winner
    s.kind = OVER
    s.seat = NO_SEAT
    s.note(ROUND_OVER, winner, count=1 if s.stalemate else 0)


def end_in_stalemate(s: State) -> None:
    """The round is over without an end of its own: void, or won by the lowest hand (R27)."""
    s.stalemate = True
    winner = NO_SEAT
    if s.variant.lowest_hand_wins:
        winner = s.exits[0] if s.exits else lowest_hand(s)
    end_round(s, winner)


def lowest_hand(s: State) -> int:
    """Return the seat with the fewest points in hand, NO_SEAT when several have as few."""
    lowest = NO_SEAT
    fewest = 0
    for seat in range(s.seats):
        if s.inside[seat]:
            points = hand_points(s, seat)
            if lowest == NO_SEAT or points < fewest:
                fewest = points
                lowest = seat
    for seat in range(s.seats):
        if seat != lowest and s.inside[seat] and hand_points(s, seat) == fewest:
            return NO_SEAT
    return lowest
