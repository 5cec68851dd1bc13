"""The matches to come in words: what is left, who plays now and next, and why nobody does."""

from typing import TYPE_CHECKING, Final

from arena.cli import figures

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.service.coming import Coming, Meeting
    from arena.store.rows import TournamentRow

NAMED: Final = 6
"""Pairings that are named in a line."""


def tell_coming(coming: "Coming", row: "TournamentRow") -> list[str]:
    """Say what is still to be played, one sentence a line."""
    amount = coming.begun + coming.waiting
    when = ", once it begins" if row.state == "open" else ""
    left = f"{figures.count(coming.matches)} match{'' if coming.matches == 1 else 'es'}"
    pairings = f"{figures.count(amount)} pairing{'' if amount == 1 else 's'}"
    lines = [f"to come: {left} of {pairings}{when}"] if coming.matches else []
    if coming.round_number is not None:
        lines.append(_tell_round(coming))
    return lines + name_coming(coming)


def name_coming(coming: "Coming") -> list[str]:
    """Name who plays now, and who plays next."""
    lots = (
        ("under way", coming.under_way, coming.begun),
        ("coming next", coming.coming_next, coming.waiting),
    )
    return [f"{title}: {_name(meetings, amount)}" for title, meetings, amount in lots if meetings]


def tell_state(row: "TournamentRow") -> str:
    """Say in a word what state a tournament is in."""
    if row.state != "running" or not row.paused:
        return row.state
    # A ladder has no end, and a comparison ends with an answer: whoever stops them interrupts nothing.
    return {"ladder": "resting", "compare": "stopped"}.get(row.format, "interrupted")


def tell_pause(row: "TournamentRow") -> str:
    """Say that nobody plays a tournament until it is run again; empty where it is played."""
    state = tell_state(row)
    if state == row.state:
        return ""
    command = "the same `arena compare`" if row.format == "compare" else f"`arena tournament run {row.name}`"
    return f"{state}: {command} goes on"


def _tell_round(coming: "Coming") -> str:
    pausing = f"; pausing in it: {', '.join(coming.pausing)}" if coming.pausing else ""
    later = "; who meets in the next round follows from the results up to then"
    if not coming.is_round_to_come:
        later = ""
    return f"round {coming.round_number} of {coming.rounds}{pausing}{later}"


def _name(meetings: "Sequence[Meeting]", amount: int) -> str:
    named = [
        " - ".join(each.bots)
        + (f" ({figures.count(each.played)} of {figures.count(each.matches)})" if each.played else "")
        for each in meetings[:NAMED]
    ]
    more = f" and {figures.count(amount - len(named))} more" if amount > len(named) else ""
    return ", ".join(named) + more
