"""Which card of the draw pile belongs to which seat.

When the pile is settled it is cut into as many streams as the match has seats; seat s owns the places s,
s + n, s + 2n, ... A seat whose stream is empty takes the last card of the longest stream, of several the one
of the lowest seat. Cards that went under the pile are taken when all streams are empty. A pile with a card at
a place that everybody knows is drawn from the top by all.
"""


class Streams:
    """The draw pile as the streams of its seats."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.streams: list[list[str]] = []
        self.tail: list[str] = []

    def lies(self, pile: list[str], tail: list[str], one_pile: bool) -> None:
        """Cut a new pile."""
        self.streams = [list(pile)] if one_pile else [pile[seat :: self.seats] for seat in range(self.seats)]
        self.tail = list(tail)

    def under(self, cards: list[str]) -> None:
        """Put cards under the pile."""
        self.tail += cards

    def take(self, seat: int) -> str:
        """Take the seat's next card."""
        if len(self.streams) == 1:
            return (self.streams[0] or self.tail).pop(0)
        if self.streams[seat]:
            return self.streams[seat].pop(0)
        longest = max(self.streams, key=len)
        if longest:
            return longest.pop()
        return self.tail.pop(0)
