"""The state of a match: a dict of texts, numbers and lists, and the few things that can happen to cards.

rules, supply, seats     what is played, where random facts come from, how many seats the match began with
match, ring              the seats in the match, the seats in the round
totals, wins, losses     what the scoring counts
gone                     who is no longer in the match: groups, the first to go first
round, dealer, starter   the round's number, who deals, who stands for "left of the dealer" (lazy rotation)
hands, pile, tail        cards; the tail lies under the pile
discard, colour          the discard pile with the top last, the active colour
direction, at            +1 or -1; the place from which the next turn is looked for
pending                  None, or what is owed: kind, amount, source, victim, card, challengeable, before
returnable               a +4 lies on top and may still go back to its player (R35)
turns, idle              turns begun; passes in a row with nothing drawn and nothing played
silence, owed            silences in force (owners, or "colour"); cards owed for talk
exits, finish            who went out in order; the card each of them went out with
refills                  how many cards the seat's next refill brings (R71)
decisions, log           decisions taken in the match; what happened, as (what, facts)
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

from tests.rules.oracle.faces import sorted_cards
from tests.rules.oracle.sheet import Options, deck_of

Table = dict[str, Any]


class RoundOverError(Exception):
    """The round ends here: somebody has won it, or it came to a standstill."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class MatchOverError(Exception):
    """The match ends here, whatever the round was at."""


def new_table(rules: Options, seats: int, supply: Any, asks_all: bool = False) -> Table:
    """Return the table before the first round."""
    return {
        "rules": rules,
        "supply": supply,
        "seats": seats,
        "asks_all": asks_all,
        "match": list(range(seats)),
        "totals": dict.fromkeys(range(seats), 0),
        "wins": dict.fromkeys(range(seats), 0),
        "losses": dict.fromkeys(range(seats), 0),
        "gone": [],
        "round": 0,
        "dealer": None,
        "starter": None,
        "decisions": 0,
        "lines": 0,
        "log": [],
    }


def note(t: Table, what: str, **facts: Any) -> None:
    """Write down what happened."""
    t["log"].append((what, facts))


def step(t: Table, seat: int, count: int = 1) -> int:
    """Return the seat in the round that is `count` steps further in the direction of play."""
    for _ in range(count):
        seat = (seat + t["direction"]) % t["seats"]
        while seat not in t["ring"]:
            seat = (seat + t["direction"]) % t["seats"]
    return seat


def others_from(t: Table, seat: int) -> list[int]:
    """Return the other seats in the round in turn order, starting after `seat`."""
    places = [(seat + i * t["direction"]) % t["seats"] for i in range(1, t["seats"])]
    return [place for place in places if place in t["ring"]]


def go_on_after(t: Table, seat: int) -> None:
    """Let the next turn be looked for from the place after `seat`."""
    t["at"] = (seat + t["direction"]) % t["seats"]


def sitting(t: Table) -> int:
    """Return the seat whose turn is next."""
    place: int = t["at"]
    return place if place in t["ring"] else step(t, place)


def top(t: Table) -> str:
    """Return the top card of the discard pile."""
    return str(t["discard"][-1])


def draw(
    t: Table, seat: int, count: int, why: str, enough: Callable[[str], bool] = lambda _: False
) -> list[str]:
    """Let the seat draw, with a reshuffle when the pile is empty, also in the middle (R26)."""
    got: list[str] = []
    while len(got) < count and not (got and enough(got[-1])):
        if not t["pile"] and not t["tail"]:
            reshuffle(t)
        pile = t["pile"] or t["tail"]
        if not pile:
            break
        card = t["supply"].draw(seat, list(pile))
        assert card in pile, f"seat {seat} cannot draw {card}: {pile}"
        pile.remove(card)
        t["hands"][seat].append(card)
        got.append(card)
    if got:
        t["idle"] = 0
    note(t, "draw", seat=seat, cards=list(got), why=why)
    return got


def reshuffle(t: Table) -> None:
    """Make a new pile of the discard pile, but for the top card and the card under a +4 that may go back."""
    kept = 2 if t["returnable"] else 1
    cards, t["discard"] = t["discard"][:-kept], t["discard"][-kept:]
    if not cards:
        return
    order = t["supply"].reorder("reshuffle", cards)
    assert Counter(order) == Counter(cards)
    t["pile"] = list(order)
    note(t, "reshuffle", cards=list(order))
    t["supply"].lies(list(order), [], False)


def leave(t: Table, seats: list[int]) -> None:
    """Take the seats out of the match at one moment (R92)."""
    seats = [seat for seat in sorted(seats) if seat in t["match"]]
    for seat in seats:
        cards = sorted_cards(t["hands"][seat])
        t["hands"][seat] = []
        t["tail"] += cards
        t["supply"].under(list(cards))
        t["match"].remove(seat)
        if seat in t["ring"]:
            t["ring"].remove(seat)
        t["exits"] = [gone for gone in t["exits"] if gone != seat]
        end_silence_of(t, seat)
        t["owed"] = [(who, cost) for who, cost in t["owed"] if who != seat]
        note(t, "leave", seat=seat)
    t["gone"].append(seats)
    t["idle"] = 0
    if len(t["match"]) <= 1:
        raise MatchOverError("last_seat")
    if len(t["ring"]) <= 1:
        raise RoundOverError("alone")
    pending = t["pending"]
    if pending and pending["victim"] in seats:
        t["pending"], t["returnable"] = None, False
        go_on_after(t, pending["victim"])
    elif pending and pending["source"] in seats:
        pending["challengeable"] = t["returnable"] = False


def end_silence_of(t: Table, seat: int) -> None:
    """End the silence that began with a 2 of this seat (R67)."""
    t["silence"] = [owner for owner in t["silence"] if owner != seat]


def check_cards(t: Table) -> None:
    """All cards exist exactly once."""
    there = [*t["pile"], *t["tail"], *t["discard"], *(c for hand in t["hands"].values() for c in hand)]
    assert Counter(there) == Counter(deck_of(t["rules"]))
