"""Whether a hand can be emptied in one run: with two players an action card brings the turn back at once."""

from prospect import takes_a_turn

from arena.bot import COLOURS, WILD_DRAW_FOUR, Card, Colour, Move, View

LONGEST = 8
"""Cards in a hand for which it is worth looking."""


def finishing_run(view: View) -> Move | None:
    """Return the first play of a run that empties the hand without giving up the turn."""
    hand = view.hand
    if len(hand) > LONGEST or sum([not takes_a_turn(card, view) for card in hand]) > 1:
        return None
    for move in view.playable:
        assert move.card is not None
        left = list(hand)
        left.remove(move.card)
        colour = move.colour if move.colour in COLOURS else move.card.colour
        if not left or (takes_a_turn(move.card, view) and can_finish(left, move.card, colour, view)):
            return move
    return None


def can_finish(hand: list[Card], top: Card, colour: Colour, view: View) -> bool:
    """Say whether this hand can be laid in one run on this card and colour, without a bluff."""
    for card in set(hand):
        left = list(hand)
        left.remove(card)
        if card is WILD_DRAW_FOUR:
            fits = all(other.colour is not colour for other in left)
        else:
            fits = card.is_wild or card.colour is colour or card.rank == top.rank
        if not fits:
            continue
        if not left:
            return True
        if takes_a_turn(card, view):
            named = COLOURS if card.is_wild else (card.colour,)
            if any(can_finish(left, card, after, view) for after in named):
                return True
    return False
