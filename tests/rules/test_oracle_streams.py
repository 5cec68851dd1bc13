"""The second opinion cuts the draw pile into the streams of its seats."""

from tests.rules.oracle.streams import Streams


def test_each_seat_owns_every_nth_place():
    """Seat s owns the places s, s + n, s + 2n, ... whatever the others draw."""
    pile = Streams(3)
    pile.lies(["R0", "R1", "R2", "R3", "R4"], [], one_pile=False)

    assert [pile.take(1), pile.take(1), pile.take(0)] == ["R1", "R4", "R0"]


def test_an_empty_stream_takes_the_last_card_of_the_longest():
    """A seat whose stream is empty takes the last card of the longest stream, lowest seat first."""
    pile = Streams(3)
    pile.lies(["R0", "R1", "R2", "R3", "R4", "R5", "R6"], ["W"], one_pile=False)

    assert [pile.take(2) for _ in range(8)] == ["R2", "R5", "R6", "R3", "R4", "R0", "R1", "W"]


def test_cards_under_the_pile_come_last_and_in_order():
    """The tail is taken when all streams are empty, in the order in which the cards went under."""
    pile = Streams(2)
    pile.lies(["R0"], ["R1"], one_pile=False)
    pile.under(["R2", "R3"])

    assert [pile.take(1) for _ in range(4)] == ["R0", "R1", "R2", "R3"]


def test_a_pile_with_a_known_place_is_drawn_from_the_top():
    """A round whose first card went back to the middle is played from one pile."""
    pile = Streams(2)
    pile.lies(["R0", "R1", "R2"], [], one_pile=True)

    assert [pile.take(1), pile.take(1), pile.take(0)] == ["R0", "R1", "R2"]
