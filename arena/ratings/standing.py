"""The rows of a standing from the facts of matches: pure, the same rows from any order of the matches.

Owns what a row says and what it must admit not to know: an entry without a complete deal set has no rating,
one that never met the others has a rating that compares only inside its own group. A rating is never given
without its interval. Matches, wins and points count complete deal sets only; faults, deaths and time all.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from arena.ratings.comparison import NORMAL_95, luck, rank_ranges, sets_to_tell, superiorities
from arena.ratings.facts import Flags, Floats, Ints, MatchFacts
from arena.ratings.figures import WHOLE_WIN, Figures
from arena.ratings.fit import Strengths, fit
from arena.ratings.noise import NoiseFloor, noise_floors
from arena.ratings.spread import (
    middle_of,
    relative_to,
    relative_to_middle,
    sandwich,
    scores_spread,
    with_fictitious,
)
from arena.ratings.tally import Tally, count

MIDDLE_ELO: Final = 1500.0
"""The middle of the ratings of connected entries, see `arena.ratings.spread.middle_of`."""
TOLD: Final = 0.975
"""Likelihood of superiority from which on two are told apart."""
ELO_PER_LOGIT: Final = 400.0 / math.log(10.0)
"""400 Elo are odds of ten to one."""


@dataclass(frozen=True)
class Entrant:
    """What the standing must know of an entry beside its matches."""

    number: int
    """The number by which the match facts name it."""
    name: str
    """What the row is called."""
    deaths: int = 0
    """Processes of this entry that died."""
    planned_sets: int | None = None
    """Deal sets planned for it: against those who are not suspended, or, when it is suspended itself, all it
    was to play. None where no plan has an end."""
    suspended: bool = False
    """Whether its remaining matches were cancelled for its deaths."""
    twin_of: int | None = None
    """The entry of the same version that was there before it."""
    annulled: int = 0
    """Matches that it played and that do not count."""


@dataclass(frozen=True)
class Anchor:
    """An entry whose rating is fixed instead of the middle."""

    number: int
    """The entry."""
    elo: float
    """Its rating."""


@dataclass(frozen=True)
class Row:
    """One entry's line of a standing."""

    rank: int | None
    """Place by rating within the group; None without a rating."""
    number: int
    """The entry."""
    name: str
    """What it is called."""
    elo: float | None
    """Rating; None where nothing is known."""
    plus_minus: float | None
    """Half the width of the 95 % interval; 0 for the anchor only."""
    best_rank: int | None
    """The best rank that it may truly have, at 95 %; None without a rating."""
    worst_rank: int | None
    """The worst rank that it may truly have."""
    above_next: float | None
    """How likely it is that it is truly stronger than the next row; None for the last one of a group."""
    sets_to_next: int | None
    """How many more deal sets it must play with the next row's entry until the two are told apart at 95 %, if
    they differ by what it seems; 0: they are told apart."""
    group: int
    """Entries connected by matches share a group; 0 is the largest."""
    matches: int
    """Matches of complete deal sets."""
    wins: float
    """First places among them, a shared one in parts."""
    win_share: float | None
    """Wins by matches."""
    points_per_round: float | None
    """Points won less the mean of what the table's others won, per round; more is better in every scoring."""
    points_plus_minus: float | None
    """Half the width of its 95 % interval; None where there are too few deal sets."""
    faults: int
    """Faults in all rated matches."""
    deaths: int
    """Processes that died."""
    us_per_decision: float | None
    """Mean time of an answer, in microseconds."""
    open_sets: int
    """Deal sets begun or planned that are not complete."""
    note: str
    """What cannot be known, or happened to the entry; empty as a rule."""


@dataclass(frozen=True)
class Standing:
    """All rows, best first, and what they rest on."""

    rows: tuple[Row, ...]
    """One row an entry; larger groups first, entries without a rating last."""
    seats: int
    """Seats of a table."""
    matches: int
    """Rated matches of complete deal sets."""
    complete_sets: int
    """Complete deal sets."""
    open_matches: int
    """Rated matches whose deal set is not complete."""
    anchor: Anchor | None
    """What the ratings are relative to; None: the middle of a group is 1500."""
    notes: tuple[str, ...]
    """Sentences about the whole table; empty when everything is known."""
    floors: tuple[NoiseFloor, ...] = ()
    """How far apart twins are, which are equal by nature."""


def make_standing(
    facts: MatchFacts, entrants: Sequence[Entrant], *, anchor: Anchor | None = None, low_wins: bool = False
) -> Standing:
    """Compute a standing.

    Args:
        facts: the rated matches in scope.
        entrants: every entry, with or without matches, in any order.
        anchor: an entry that keeps its rating; without one the middle is 1500.
        low_wins: whether the ruleset's scoring counts points against their owner.
    """
    known = sorted(entrants, key=lambda entrant: entrant.number)
    ids = np.array([entrant.number for entrant in known], dtype=np.int64)
    tally = count(facts, ids)
    strengths = fit(tally)
    figures = Figures.of(facts, ids, low_wins=low_wins)
    lively = _count_lively_sets(tally, known)
    met: Flags = np.any(strengths.pairs.weight > 0, axis=1)
    real = scores_spread(tally, strengths)
    spread = sandwich(with_fictitious(real, strengths, facts.seats), strengths)
    elo, margin = _on_the_elo_scale(strengths, spread, ids, anchor)
    rows = [
        _row(
            known[i], i, figures, int(strengths.groups[i]), (elo[i], margin[i]) if met[i] else None, lively[i]
        )
        for i in range(len(known))
    ]
    complete = int(tally.sets.sum())
    return Standing(
        rows=_compared(_ranked(rows), strengths, spread, luck(real, strengths, facts.seats), tally),
        seats=facts.seats,
        matches=complete * facts.seats,
        complete_sets=complete,
        open_matches=facts.matches - complete * facts.seats,
        anchor=anchor,
        notes=_notes(known, met, strengths.groups, anchor, ids),
        floors=noise_floors(
            tally,
            strengths,
            spread,
            [(each.twin_of, each.number) for each in known if each.twin_of is not None],
            ELO_PER_LOGIT,
        ),
    )


def _on_the_elo_scale(
    strengths: Strengths, spread: Floats, ids: Ints, anchor: Anchor | None
) -> tuple[Floats, Floats]:
    """Return ratings and half widths of their intervals."""
    elo = MIDDLE_ELO + ELO_PER_LOGIT * strengths.theta
    spread = spread.copy()
    shares = middle_of(strengths)
    for group in range(int(strengths.groups.max(initial=-1)) + 1):
        members = np.flatnonzero(strengths.groups == group)
        inside = np.ix_(members, members)
        if anchor is not None and anchor.number in ids[members]:
            fixed = int(np.flatnonzero(ids[members] == anchor.number)[0])
            elo[members] += anchor.elo - elo[members[fixed]]
            spread[inside] = relative_to(spread[inside], fixed)
        else:
            elo[members] += MIDDLE_ELO - shares[members] @ elo[members]
            spread[inside] = relative_to_middle(spread[inside], shares[members])
    # Rounding may leave a variance a hair below zero where it is zero.
    return elo, NORMAL_95 * ELO_PER_LOGIT * np.sqrt(np.maximum(np.diag(spread), 0.0))


def _row(
    entrant: Entrant,
    i: int,
    figures: "Figures",
    group: int,
    rating: tuple[float, float] | None,
    lively_sets: int,
) -> Row:
    matches = int(figures.matches[i])
    open_sets = int(figures.open_sets[i])
    if entrant.planned_sets is not None:
        open_sets = 0 if entrant.suspended else entrant.planned_sets - int(lively_sets)
    wins = int(figures.win_units[i]) / WHOLE_WIN
    return Row(
        rank=None,
        number=entrant.number,
        name=entrant.name,
        elo=None if rating is None else float(rating[0]),
        plus_minus=None if rating is None else float(rating[1]),
        best_rank=None,
        worst_rank=None,
        above_next=None,
        sets_to_next=None,
        group=group,
        matches=matches,
        wins=wins,
        win_share=wins / matches if matches else None,
        points_per_round=_known(figures.margins.mean[i]),
        points_plus_minus=_known(figures.margins.plus_minus[i]),
        faults=int(figures.faults[i]),
        deaths=entrant.deaths,
        us_per_decision=_ratio(int(figures.wall_us[i]), int(figures.decisions[i])),
        open_sets=open_sets,
        note=_row_note(entrant, figures, i, group, rated=rating is not None),
    )


def _row_note(entrant: Entrant, figures: Figures, i: int, group: int, *, rated: bool) -> str:
    notes = []
    if entrant.suspended:
        planned = "" if entrant.planned_sets is None else f" of {entrant.planned_sets * figures.seats}"
        notes.append(f"suspended after {figures.matches[i]}{planned}")
    if not rated:
        why = "no complete deal set"
        if entrant.annulled:
            amount = f"{entrant.annulled:,} of its matches are annulled"
            why = f"{why}: {amount}" if figures.open_sets[i] else "all its matches are annulled"
        notes.append(why)
    elif group:
        notes.append(f"group {group + 1}: compares only inside it")
    return "; ".join(notes)


def _ranked(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Order the rows and number them within their group; those without a rating last, the dead at the end."""
    ordered = sorted(
        rows,
        key=lambda row: (
            row.elo is None,
            row.group if row.elo is not None else 0,
            -(row.elo or 0.0),
            row.deaths,
            row.number,
        ),
    )
    ranked: list[Row] = []
    place = 0
    for row in ordered:
        if row.elo is None:
            ranked.append(row)
            continue
        place = place + 1 if ranked and ranked[-1].group == row.group else 1
        ranked.append(replace(row, rank=place))
    return tuple(ranked)


def _compared(
    rows: Sequence[Row], strengths: Strengths, spread: Floats, luck_ratio: float, tally: Tally
) -> tuple[Row, ...]:
    """Compare each row with all others of its group, and with the next one."""
    chance = superiorities(strengths, spread, luck_ratio)
    best, worst = rank_ranges(chance)
    compared = []
    for row, following in itertools.zip_longest(rows, rows[1:]):
        here = int(np.searchsorted(tally.ids, row.number))
        if row.elo is None:
            compared.append(row)
            continue
        told = replace(row, best_rank=int(best[here]), worst_rank=int(worst[here]))
        if following is not None and following.elo is not None and following.group == row.group:
            there = int(np.searchsorted(tally.ids, following.number))
            is_told = abs(chance[here, there] - 0.5) > TOLD - 0.5
            told = replace(
                told,
                above_next=float(chance[here, there]),
                sets_to_next=0
                if is_told
                else sets_to_tell(strengths, spread, luck_ratio, tally.seats, (here, there)),
            )
        compared.append(told)
    return tuple(compared)


def _notes(
    entrants: Sequence[Entrant], met: Flags, groups: Ints, anchor: Anchor | None, ids: Ints
) -> tuple[str, ...]:
    notes = []
    if len(entrants) == 1:
        notes.append("one entry: nothing to compare it with")
    elif not met.any():
        is_annulled = any(entrant.annulled for entrant in entrants)
        notes.append(f"no complete deal set {'is left' if is_annulled else 'yet'}: no rating is known")
    elif int(groups[met].max()) > 0:
        notes.append("not all entries are connected by matches: ratings compare only inside a group")
    if anchor is not None and (anchor.number not in ids or not met[ids == anchor.number].any()):
        notes.append("the anchor has no complete deal set: the middle is 1500 instead")
    elif anchor is not None and int(groups[met].max()) > 0:
        group = int(groups[ids == anchor.number][0]) + 1
        notes.append(f"the anchor fixes group {group} alone: in every other one the middle is 1500")
    return tuple(notes)


def _ratio(amount: float, by: float) -> float | None:
    return amount / by if by else None


def _known(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _count_lively_sets(tally: Tally, entrants: Sequence[Entrant]) -> Ints:
    """Count for each entry its complete deal sets in the company of entries that are not suspended."""
    suspended = np.array([entrant.suspended for entrant in entrants], dtype=np.bool_)
    lively = ~suspended[tally.bots].any(axis=1)
    played = np.broadcast_to(tally.sets[lively, None], tally.bots[lively].shape)
    counts = np.bincount(tally.bots[lively].ravel(), weights=played.ravel(), minlength=len(entrants))
    return np.rint(counts).astype(np.int64)
