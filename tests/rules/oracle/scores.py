"""Points, totals, places, and who deals next (R14, R27, R80-R92)."""

from typing import Any

from tests.rules.oracle.faces import face_of, worth
from tests.rules.oracle.opening import left_of
from tests.rules.oracle.sheet import rounds_of, target_of
from tests.rules.oracle.table import MatchOverError, Table, note

Outcome = dict[str, Any]
"""winner: a seat or None; void: nobody scores; points: of each seat's hand."""


def points_of(t: Table, seat: int) -> int:
    """Return what the seat's hand is worth (R06, R88)."""
    hand = t["hands"][seat]
    if len(hand) == 1 and face_of(hand[0]) == "0":
        return int(t["rules"]["lone_zero"])
    return sum(worth(card) for card in hand)


def outcome_of(t: Table, why: str) -> Outcome:
    """Return who won the round that has just ended."""
    points = {seat: points_of(t, seat) for seat in t["match"]}
    out = [seat for seat in t["exits"] if seat in t["match"]]
    if why != "stalemate":
        return {"winner": out[0] if out else None, "void": False, "points": points, "exits": out}
    if t["rules"]["stalemate"] == "void":
        return {"winner": None, "void": True, "points": points, "exits": []}
    if out:
        return {"winner": out[0], "void": False, "points": points, "exits": out}
    fewest = [seat for seat in t["match"] if points[seat] == min(points.values())]
    if len(fewest) > 1:
        return {"winner": None, "void": True, "points": points, "exits": []}
    return {"winner": fewest[0], "void": False, "points": points, "exits": []}


def loser_by_hand(t: Table, outcome: Outcome) -> list[int]:
    """Return the seats other than the winner whose hands are worth most."""
    others = [seat for seat in t["match"] if seat != outcome["winner"]]
    most = max(outcome["points"][seat] for seat in others)
    return [seat for seat in others if outcome["points"][seat] == most]


def score_round(t: Table, why: str) -> Outcome:
    """Add what the round brings to the totals (R82-R89)."""
    outcome = outcome_of(t, why)
    scored = dict.fromkeys(t["match"], 0)
    if not outcome["void"]:
        scored = recorded(t, outcome)
    for seat, points in scored.items():
        if t["rules"]["scoring"] == "lazy":
            t["wins"][seat] += points == 1
            t["losses"][seat] += points == -1
        else:
            t["totals"][seat] += points
    dropped = []
    if t["rules"]["scoring"] == "elimination":
        dropped = [seat for seat in t["match"] if t["totals"][seat] >= target_of(t["rules"])]
    note(t, "round_over", why=why, winner=outcome["winner"], scored=scored, dropped=dropped)
    return outcome


def recorded(t: Table, outcome: Outcome) -> dict[int, int]:
    """Return what each seat records for a round that counts; 1 a won and -1 a lost round under R86."""
    winner, points, scoring = outcome["winner"], outcome["points"], t["rules"]["scoring"]
    if scoring == "lazy":
        losers = loser_by_hand(t, outcome)
        return {seat: 1 if seat == winner else -1 if seat in losers else 0 for seat in t["match"]}
    if scoring == "single_round":
        return dict.fromkeys(t["match"], 0)
    if scoring == "winner_takes":
        taken = sum(points.values())
        scored = {seat: taken - points[seat] if seat == winner else 0 for seat in t["match"]}
    else:
        scored = dict(points)
    if t["rules"]["h2o_finish"] == "on":
        for seat, card in t["finish"].items():
            bonus = 40 if card == "W+2" else 20 if face_of(card) == "+1" else 0
            if seat in scored:
                scored[seat] -= bonus
    return scored


def rotate_dealer(t: Table, outcome: Outcome) -> None:
    """Find who deals next and who stands for the seat left of the dealer (R14)."""
    old, rotation, winner = t["dealer"], t["rules"]["dealer_rotation"], outcome["winner"]
    new = old
    if rotation == "clockwise":
        new = left_of(t, old)
    if rotation == "lazy" and winner is not None:
        # Rotation means seats in the match: one that has just been eliminated cannot deal.
        losers = loser_by_hand(t, outcome)
        places = [(old + i) % t["seats"] for i in range(1, t["seats"] + 1)]
        new = next(place for place in places if place in losers)
        t["starter"] = winner
    t["dealer"] = new if new in t["match"] else left_of(t, new)
    if t["starter"] is not None and t["starter"] not in t["match"]:
        t["starter"] = left_of(t, t["starter"])


def end_of_round(t: Table, why: str) -> None:
    """Score the round, end the match if it is over, else find the next dealer."""
    outcome = score_round(t, why)
    rules, scoring = t["rules"], t["rules"]["scoring"]
    reached = [seat for seat in t["match"] if t["totals"][seat] >= target_of(rules)]
    if scoring == "single_round":
        t["decided"] = outcome
        raise MatchOverError("target")
    if scoring in ("winner_takes", "own_points", "lowest") and reached:
        t["reached"] = reached
        raise MatchOverError("target")
    if scoring == "elimination" and reached:
        for total in sorted({t["totals"][seat] for seat in reached}, reverse=True):
            t["gone"].append([seat for seat in reached if t["totals"][seat] == total])
        t["match"] = [seat for seat in t["match"] if seat not in reached]
        if len(t["match"]) <= 1:
            raise MatchOverError("target")
    if t["round"] >= rounds_of(rules):
        raise MatchOverError("rounds")
    if t["decisions"] >= rules["max_decisions"]:
        raise MatchOverError("decisions")
    rotate_dealer(t, outcome)


def ranking(t: Table) -> dict[int, Any]:
    """Return a key for each seat still in the match: the smaller, the better."""
    scoring, totals = t["rules"]["scoring"], t["totals"]
    if scoring == "winner_takes":
        return {seat: -totals[seat] for seat in t["match"]}
    if scoring == "own_points" and "reached" in t:
        return {seat: seat in t["reached"] for seat in t["match"]}
    if scoring == "lazy":
        return {seat: (-t["wins"][seat], t["losses"][seat]) for seat in t["match"]}
    if scoring == "single_round":
        return ranking_of_one_round(t)
    return {seat: totals[seat] for seat in t["match"]}


def ranking_of_one_round(t: Table) -> dict[int, Any]:
    """The winner, then the others: together, or in the order in which they went out (R87)."""
    outcome = t.get("decided")
    if outcome is None or outcome["void"]:
        return dict.fromkeys(t["match"], 0)
    order = outcome["exits"] if t["rules"]["to_the_last"] == "on" else []
    order = order or [outcome["winner"]]
    return {seat: order.index(seat) if seat in order else len(order) for seat in t["match"]}


def places(t: Table) -> list[int]:
    """Return the place of each seat: one more than the number of seats that are better (R90, R92)."""
    keys = ranking(t)
    groups = [[seat for seat in t["match"] if keys[seat] == key] for key in sorted(set(keys.values()))]
    groups += reversed(t["gone"])
    place = {}
    for group in groups:
        for seat in group:
            place[seat] = 1 + len([other for better in groups[: groups.index(group)] for other in better])
    return [place[seat] for seat in range(t["seats"])]
