"""All worlds that a question allows: what lies open is put where it is, the rest is dealt by lot.

Owns the way from a view back to a round of the engine. What a seat cannot hold (`View.most`) and a hand that
was shown are heeded; what a play tells beyond that is not. It refuses to see more than the view: a world is
right about what is open and a guess about the rest.
"""

from functools import cache
from typing import TYPE_CHECKING, Final

from arena.bot.moves import Action, Kind
from arena.bot.simulate.player import Player
from arena.bot.simulate.world import World
from arena.rules.cards import NO_CARD, WILD_FOUR
from arena.rules.legal import may_play_four
from arena.rules.presets import parse_ruleset
from arena.rules.questions import A_SKIP, NOTHING
from arena.rules.round import Round
from arena.rules.variant import Variant

if TYPE_CHECKING:
    from arena.bot.view import View

_OWN_TURN: Final = (Kind.TURN, Kind.DRAWN, Kind.FIRST_COLOUR)
"""Questions of a seat whose turn it is; the others come after somebody's play."""


@cache
def variant_of(text: str) -> Variant:
    """Return the ruleset of a hello as the engine needs it, translated once for a process."""
    return Variant(parse_ruleset(text))


class Worlds:
    """Deals worlds in which this question is asked."""

    def __init__(self, view: "View") -> None:
        self.view = view
        self.seat = view.seat
        self.dice = Player(view.random.getrandbits(31))
        memory = view.memory
        self._unseen = [int(card) for card, copies in enumerate(view.unseen) for _ in range(copies)]
        self._sizes = list(view.hand_sizes)
        self._most = [[view.most(seat, colour) for colour in range(4)] for seat in range(view.seats)]
        self._open = _open_round(view, memory.pile, memory.under)
        self._shown = [] if view.shown_seat < 0 else [int(card) for card in view.shown]

    def deal(self) -> World:
        """Return a world by lot; the view's own dice decide, so a match can be repeated."""
        view = self.view
        round_ = self._open.copy()
        round_.set_key = self.dice.below(1 << 23).to_bytes(32)
        unseen, sizes = self._unseen.copy(), self._sizes.copy()
        if self._shown and len(self._shown) <= sizes[view.shown_seat]:
            self._hold_shown(round_, unseen, sizes)
        self.dice.deal(round_, self.seat, unseen, sizes, self._most)
        if round_.pending_card == WILD_FOUR and round_.source >= 0:
            _judge(round_, view)
        if view.kind is Kind.EXCHANGE and round_.player != self.seat:
            cards = round_.hand(round_.player)
            round_.given = cards[self.dice.below(len(cards))]
        return World(round_)

    def _hold_shown(self, round_: Round, unseen: list[int], sizes: list[int]) -> None:
        """Put the shown hand back where it was seen."""
        owner = self.view.shown_seat
        for card in self._shown:
            if card in unseen:
                unseen.remove(card)
                round_.hands[owner].add(card)
                sizes[owner] -= 1


def _open_round(view: "View", pile: list[int], under: int) -> Round:
    """Return a round with all that lies open in its place, and nothing else."""
    variant = variant_of(view.rules.text)
    round_ = Round(variant, view.seats, bytes(32), view.round)
    top = NO_CARD if view.top is None else int(view.top)
    round_.set_hand(view.seat, [int(card) for card in view.hand])
    round_.inside = [size > 0 for size in view.hand_sizes]
    round_.left = sum(round_.inside)
    round_.exits = list(view.memory.exits)
    round_.finishes = list(view.memory.finishes)
    below = pile.copy()
    lying: list[int] = []
    for card in (top, under):
        if card >= 0 and below[card]:
            below[card] -= 1
            lying.insert(0, card)
    round_.discard = [card for card, copies in enumerate(below) for _ in range(copies)] + lying
    round_.top, round_.colour = top, int(view.colour)
    round_.direction = view.direction
    round_.link()
    _ask(round_, view)
    _threaten(round_, view)
    return round_


def _ask(round_: Round, view: "View") -> None:
    """Put the question."""
    memory = view.memory
    round_.kind, round_.seat = int(view.kind), view.seat
    after = memory.player
    round_.player = view.seat if view.kind in _OWN_TURN or after < 0 else after
    round_.drawn = NO_CARD if view.drawn is None else int(view.drawn)
    round_.card = round_.top
    round_.named_seat = memory.named
    round_.catchable = view.kind is Kind.CATCH
    round_.uno_missed = view.missed_uno
    round_.refills = memory.refills[: view.seats]


def _threaten(round_: Round, view: "View") -> None:
    """Let the penalty that waits be pending."""
    penalty = view.penalty
    if penalty is None:
        return
    card = NO_CARD if penalty.card is None else int(penalty.card)
    effect = round_.variant.effects[card] if card >= 0 else NOTHING
    round_.pending = effect if effect != NOTHING else A_SKIP
    round_.pending_card = card
    round_.amount = penalty.amount
    round_.source, round_.victim = penalty.source, penalty.victim
    round_.doubtful = view.legal_by(Action.CHALLENGE) is not None
    round_.top_before, round_.colour_before = view.memory.under, view.memory.colour_before


def _judge(round_: Round, view: "View") -> None:
    """Say whether the wild draw four was a bluff in this world."""
    if round_.colour_before < 0:
        return
    top, colour = round_.top, round_.colour
    round_.top, round_.colour = view.memory.under, round_.colour_before
    round_.bluffed = not may_play_four(round_, round_.hands[round_.source].kinds)
    round_.judged_hand = round_.hands[round_.source].copy()
    round_.top, round_.colour = top, colour
