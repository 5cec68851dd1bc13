"""How the others bluff and doubt: counted over a match; a guess to begin with is soon overruled."""

from arena.bot import COLOURS, WILD_DRAW_FOUR, Event, EventKind, View

ANSWERS = (EventKind.PAID, EventKind.CHALLENGED)


class Habits:
    """What each seat of one table did with wild draw fours."""

    def __init__(self, seats: int) -> None:
        self.bluffs, self.fours = [0.2] * seats, [2.0] * seats
        """Of the wild draw fours that a seat played and that were judged, how many were bluffs."""
        self.doubts, self.faced = [0.6] * seats, [2.0] * seats
        """Of the wild draw fours that a seat had to answer, how many it doubted."""
        self.is_open = False
        """Whether a wild draw four was laid that nobody has answered yet."""

    def follow(self, event: Event) -> None:
        """Learn from one event."""
        if event.kind is EventKind.PLAYED:
            self.is_open = event.card is WILD_DRAW_FOUR
        elif self.is_open and event.kind in ANSWERS:
            self.is_open = False
            self.faced[event.seat] += 1
            if event.kind is EventKind.CHALLENGED:
                self.doubts[event.seat] += 1
                self.fours[event.other] += 1
                self.bluffs[event.other] += event.amount

    def chance_of_doubt(self, seat: int) -> float:
        """Estimate the chance that a seat doubts a wild draw four."""
        return self.doubts[seat] / self.faced[seat]

    def chance_of_bluff(self, view: View) -> float:
        """Estimate the chance that the wild draw four to be answered is a bluff."""
        before, penalty = view.memory.colour_before, view.penalty
        if penalty is None or before not in COLOURS:
            return 0.0
        without = view.chance_without(penalty.source, before)
        bluffing = self.bluffs[penalty.source] / self.fours[penalty.source] * (1 - without)
        return bluffing / (bluffing + without) if bluffing else 0.0
