"""How often the special rules of a ruleset fire, counted over matches that were played.

Owns the list of special rules, each with when it is in force and how it is recognised in what one decision
led to. Refuses to play anything; `tally` counts over whole matches.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from arena.rules.cards import BLANK, SHUFFLE_HANDS, WILD, WILD_FOUR, WILD_TWO, rank_of_card
from arena.rules.events import Event, EventKind
from arena.rules.options import Ruleset
from arena.rules.questions import PenaltyKind

_SKIP, _REVERSE, _PLUS_TWO, _PLUS_ONE = 10, 11, 12, 13
_LAID: Final = (EventKind.PLAYED, EventKind.JUMPED_IN)
_DRAWS: Final = (EventKind.DREW, EventKind.PAID, EventKind.FINED, EventKind.REFILLED)


class Moment(NamedTuple):
    """One decision and what it led to, up to the next one."""

    ruleset: Ruleset
    """What is played."""
    penalty: int
    """The `PenaltyKind` that was pending."""
    player: int
    """The seat that had played last."""
    answer: int
    """The card played as an answer to a penalty, else -1."""
    forced: bool
    """Whether a drawn card was to be played (R24)."""
    lone_zeros: tuple[int, ...]
    """The seats whose hand was exactly one 0, where that has a price (R88)."""
    events: Sequence[Event]
    """What everybody learned."""


class SpecialRule(NamedTuple):
    """A rule that a ruleset may have in force."""

    rule: str
    """Its id in the sheet."""
    name: str
    """What fires."""
    in_force: Callable[[Ruleset], bool]
    """Whether a ruleset has it."""
    fired: Callable[[Moment], int]
    """How often it fired in a moment."""


def _events(*kinds: EventKind) -> Callable[[Moment], int]:
    """Return a count of events."""
    return lambda moment: sum(event.kind in kinds for event in moment.events)


def _answered(penalty: PenaltyKind | None, *ranks: int) -> Callable[[Moment], int]:
    """Return a count of answers with cards of these numbers or symbols to a kind of penalty, or to any."""
    return lambda moment: (
        moment.answer >= 0
        and penalty in (None, moment.penalty)
        and (rank_of_card(moment.answer) in ranks or (moment.answer == WILD_FOUR and WILD_FOUR in ranks))
    )


def _laid(*cards: int, ranks: Sequence[int] = ()) -> Callable[[Moment], int]:
    """Return a count of the cards put down that are one of these."""
    return lambda moment: sum(
        event.kind in _LAID and (event.card in cards or rank_of_card(event.card) in ranks)
        for event in moment.events
    )


def _challenged(bluff: bool) -> Callable[[Moment], int]:
    """Return a count of challenges that hit a bluff, or not."""
    return lambda moment: sum(
        event.kind == EventKind.CHALLENGED and bool(event.count) == bluff for event in moment.events
    )


def _fined_after(*causes: EventKind) -> Callable[[Moment], int]:
    """Return a count of the fines that directly follow one of these; without any: of the fines for talk."""

    def count(moment: Moment) -> int:
        found, before = 0, None
        for event in moment.events:
            if event.kind == EventKind.FINED:
                found += before in causes if causes else before not in _CAUSES_OF_FINES
            before = event.kind
        return found

    return count


_CAUSES_OF_FINES: Final = (
    EventKind.UNO_CALLED,
    EventKind.UNO_CAUGHT,
    EventKind.FALSE_UNO,
    EventKind.FALSE_CATCH,
    EventKind.MISPLAYED,
)


def _jumped_own(moment: Moment) -> int:
    """Count the jumps on the own card."""
    return sum(event.kind == EventKind.JUMPED_IN and event.seat == moment.player for event in moment.events)


def _spoke_advice(moment: Moment) -> int:
    """Count the lines marked as advice."""
    return sum(event.kind == EventKind.SAID and event.other == 1 for event in moment.events)


def _took_a_colour(moment: Moment) -> int:
    """Count the cards that brought a colour which nobody named."""
    return sum(event.kind in _LAID and event.card >= WILD for event in moment.events)


def _emptied_without_effect(moment: Moment) -> int:
    """Count the cards that would have worked on hands, and emptied one."""
    rules = moment.ruleset
    ranks = [rank for rank, on in ((7, rules.seven), (0, rules.zero), (5, rules.five)) if on != "off"]
    found, card = 0, -1
    for event in moment.events:
        if event.kind in _LAID:
            card = event.card
        elif event.kind in (EventKind.WENT_OUT, EventKind.REFILLED):
            found += card == SHUFFLE_HANDS or (0 <= card < WILD and rank_of_card(card) in ranks)
            card = -1
    return found


def _finished_with(moment: Moment) -> int:
    """Count the exits with a +1 or a wild +2."""
    found, card = 0, -1
    for event in moment.events:
        if event.kind in _LAID:
            card = event.card
        elif event.kind == EventKind.WENT_OUT:
            found += card == WILD_TWO or (card < WILD and rank_of_card(card) == _PLUS_ONE)
    return found


def _ended_lone(moment: Moment) -> int:
    """Count the hands of exactly one 0 at the end of a round."""
    if not any(event.kind == EventKind.ROUND_OVER for event in moment.events):
        return 0
    changed = {event.seat for event in moment.events if event.kind in (*_LAID, *_DRAWS)}
    return sum(seat not in changed for seat in moment.lone_zeros)


def _drew_several(moment: Moment) -> int:
    """Count the draws of more than one card instead of playing."""
    return sum(event.kind == EventKind.DREW and event.count > 1 for event in moment.events)


def _has(*cards: int) -> Callable[[Ruleset], bool]:
    """Return a test that a deck has one of these cards."""
    return lambda ruleset: any(ruleset.deck_copies[card] for card in cards)


SPECIAL_RULES: Final[Sequence[SpecialRule]] = (
    SpecialRule(
        "R04",
        "a +1 or wild +2 is played",
        _has(13, 27, 41, 55, WILD_TWO),
        _laid(WILD_TWO, ranks=(_PLUS_ONE,)),
    ),
    SpecialRule(
        "R22", "more than one card is drawn to find one", lambda r: r.draw == "until_playable", _drew_several
    ),
    SpecialRule(
        "R24",
        "a drawn card must be played",
        lambda r: r.drawn_card == "forced",
        lambda moment: int(moment.forced),
    ),
    SpecialRule(
        "R27",
        "a round cannot end",
        lambda _r: True,
        lambda moment: sum(e.kind == EventKind.ROUND_OVER and e.count == 1 for e in moment.events),
    ),
    SpecialRule("R31", "a card takes the next colour", lambda r: r.wild_colour == "circle", _took_a_colour),
    SpecialRule(
        "R33",
        "a wild +4 is doubted, a bluff",
        lambda r: r.challenge and _has(WILD_FOUR)(r),
        _challenged(bluff=True),
    ),
    SpecialRule(
        "R36",
        "a wild +4 is doubted, wrongly",
        lambda r: r.challenge and _has(WILD_FOUR)(r),
        _challenged(bluff=False),
    ),
    SpecialRule(
        "R35",
        "a wild +4 is returned",
        lambda r: r.challenge and r.challenge_success == "returned",
        _events(EventKind.RETURNED),
    ),
    SpecialRule(
        "R40",
        "a +2 answers a +2",
        lambda r: r.draw_two_answer != "none",
        _answered(PenaltyKind.DRAW_TWO, _PLUS_TWO),
    ),
    SpecialRule(
        "R41",
        "a card answers a wild +4",
        lambda r: r.draw_four_answer != "none",
        _answered(PenaltyKind.DRAW_FOUR, _PLUS_TWO, WILD_FOUR),
    ),
    SpecialRule(
        "R43",
        "a skip answers a skip",
        lambda r: r.skip_answer != "none",
        _answered(PenaltyKind.SKIP, _SKIP),
    ),
    SpecialRule(
        "R44",
        "a reverse sends an effect back",
        lambda r: r.reverse_answer != "off",
        _answered(None, _REVERSE),
    ),
    SpecialRule("R51", "a missed UNO is pointed out", lambda _r: True, _events(EventKind.UNO_CAUGHT)),
    SpecialRule(
        "R53",
        "a misplay, a false call or a false catch",
        lambda r: r.misplay_penalty > 0,
        _events(EventKind.MISPLAYED, EventKind.FALSE_UNO, EventKind.FALSE_CATCH),
    ),
    SpecialRule(
        "R54",
        "a called UNO makes another one draw",
        lambda r: r.uno_centre,
        _fined_after(EventKind.UNO_CALLED),
    ),
    SpecialRule("R56", "somebody says ready", lambda r: r.ready, _events(EventKind.SAID_READY)),
    SpecialRule("R60", "a card is played out of turn", lambda r: r.jump_in, _events(EventKind.JUMPED_IN)),
    SpecialRule("R61", "of these, on the own card", lambda r: r.jump_in, _jumped_own),
    SpecialRule(
        "R62",
        "of these, a reverse on a reverse",
        lambda r: r.jump_in,
        lambda moment: sum(
            e.kind == EventKind.JUMPED_IN and rank_of_card(e.card) == _REVERSE for e in moment.events
        ),
    ),
    SpecialRule("R63", "two hands are swapped", lambda r: r.seven == "swap", _events(EventKind.SWAPPED)),
    SpecialRule("R64", "all hands move on", lambda r: r.zero == "rotate", _events(EventKind.ROTATED)),
    SpecialRule(
        "R65", "two cards are exchanged", lambda r: r.five == "exchange", _events(EventKind.EXCHANGED)
    ),
    SpecialRule(
        "R66",
        "a card that empties a hand works on none",
        lambda r: r.seven != "off" or r.zero != "off" or r.five != "off" or _has(SHUFFLE_HANDS)(r),
        _emptied_without_effect,
    ),
    SpecialRule(
        "R67",
        "cards are drawn for talk",
        lambda r: r.silence != "off" or r.advice_penalty > 0,
        _fined_after(),
    ),
    SpecialRule("R68", "a line is advice", lambda r: r.advice_penalty > 0, _spoke_advice),
    SpecialRule("R69", "a blank is played", _has(BLANK), _laid(BLANK)),
    SpecialRule("R70", "all hands are shuffled", _has(SHUFFLE_HANDS), _events(EventKind.HANDS_SHUFFLED)),
    SpecialRule("R71", "an emptied hand is refilled", lambda r: r.seven_rounds, _events(EventKind.REFILLED)),
    SpecialRule("R72", "a seat goes out", lambda r: r.to_the_last, _events(EventKind.WENT_OUT)),
    SpecialRule("R88", "a hand of exactly one 0 costs fifty", lambda r: r.lone_zero > 0, _ended_lone),
    SpecialRule("R89", "a +1 or wild +2 ends a hand", lambda r: r.h2o_finish, _finished_with),
)
"""The special rules in the order of the sheet."""
