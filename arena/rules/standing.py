"""The totals of a match, when it ends, and the places.

Owns everything between rounds that is counted: totals (R82-R89), who dropped out (R85) or left (R92), the
end by target or limit (R91) and shared places (R90). Refuses to play.
"""

from typing import Final

from arena.rules.moves import NO_SEAT
from arena.rules.scoring import places_of, record_round
from arena.rules.state import State
from arena.rules.variant import Variant

NOT_OVER: Final = ""
TARGET: Final = "target"
ROUNDS: Final = "rounds"
DECISIONS: Final = "decisions"
LAST_SEAT: Final = "last_seat"
ENDINGS: Final = (NOT_OVER, TARGET, ROUNDS, DECISIONS, LAST_SEAT)

IN: Final = 0
"""The rank of a seat that is still in the match; the earlier one dropped out or left, the higher its rank."""


class Standing:
    """How the seats of a match stand."""

    def __init__(self, variant: Variant, seats: int) -> None:
        self.variant: Variant = variant
        self.scoring: str = variant.ruleset.scoring
        self.target: int = variant.ruleset.points_target
        self.totals: list[int] = [0] * seats
        self.wins: list[int] = [0] * seats
        self.losses: list[int] = [0] * seats
        self.in_match: list[bool] = [True] * seats
        self.gone: list[int] = [IN] * seats
        self.left: list[bool] = [False] * seats
        self.exits: list[int] = []

    def copy(self) -> "Standing":
        """Return a standing that goes on alone."""
        twin = Standing(self.variant, 0)
        twin.totals = self.totals.copy()
        twin.wins = self.wins.copy()
        twin.losses = self.losses.copy()
        twin.in_match = self.in_match.copy()
        twin.gone = self.gone.copy()
        twin.left = self.left.copy()
        twin.exits = self.exits.copy()
        return twin

    def count_round(self, s: State) -> list[int]:
        """Add a finished round; return what each seat records."""
        records = record_round(s, self.in_match)
        for seat, points in enumerate(records):
            self.totals[seat] += points
        if self.scoring == "lazy":
            for seat, points in enumerate(records):
                self.wins[seat] += points > 0
                self.losses[seat] += points < 0
        void = s.stalemate and s.winner == NO_SEAT
        self.exits = [] if void else s.exits.copy()
        if not void and not s.exits and s.winner != NO_SEAT:
            self.exits = [s.winner]  # A stalemate won by the lowest hand (R27).
        return records

    def drop_out(self) -> list[int]:
        """Let those who reached the target drop out (R85); return them."""
        if self.scoring != "elimination":
            return []
        over = [
            seat for seat, total in enumerate(self.totals) if self.in_match[seat] and total >= self.target
        ]
        if over:
            self.remove(over)
        return over

    def leave(self, seats: list[int]) -> None:
        """Let seats leave the match in one moment (R92)."""
        self.remove(seats)
        for seat in seats:
            self.left[seat] = True

    def remove(self, seats: list[int]) -> None:
        """Take seats out of the match in one moment: all of them stand below everybody who is still in it."""
        rank = min([rank for rank in self.gone if rank != IN], default=len(self.gone) + 1) - 1
        for seat in seats:
            self.in_match[seat] = False
            self.gone[seat] = rank

    def remaining(self) -> int:
        """Return how many seats are in the match."""
        return sum(self.in_match)

    def reached_target(self) -> bool:
        """Whether the scoring ends the match after the round just counted (R82-R87)."""
        if self.scoring == "single_round":
            return True
        if self.scoring == "lazy":
            return False
        if self.scoring == "elimination":
            return self.remaining() <= 1
        return any(self.in_match[seat] and total >= self.target for seat, total in enumerate(self.totals))

    def places(self, ending: str) -> tuple[int, ...]:
        """Return the places at the end of the match; they may be shared (R90)."""
        return tuple(
            places_of([(self.gone[seat], *self._key(seat, ending)) for seat in range(len(self.totals))])
        )

    def _key(self, seat: int, ending: str) -> tuple[int, ...]:
        """Return how a seat stands among those with the same fate: less is better."""
        if self.left[seat]:
            return ()  # Those who leave at one moment share their place (R92).
        total = self.totals[seat]
        if self.scoring == "winner_takes":
            return (-total,)
        if self.scoring == "lazy":
            return (-self.wins[seat], self.losses[seat])
        if self.scoring == "single_round":
            return self.single_round_key(seat)
        if self.scoring == "own_points" and ending == TARGET:
            return (1 if total >= self.target else 0,)
        return (total,)

    def single_round_key(self, seat: int) -> tuple[int, ...]:
        """The winner is first and the others share second place; by the order of exits with R72 (R87)."""
        if seat not in self.exits:
            return (len(self.totals),)
        return (self.exits.index(seat) if self.variant.to_the_last else 0,)
