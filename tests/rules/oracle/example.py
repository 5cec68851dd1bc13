"""Set up the examples that the tests of the second opinion play."""

from typing import Any

from tests.rules.oracle.match import OracleMatch
from tests.rules.oracle.sheet import options
from tests.rules.oracle.supply import Script


def example(
    *hands: str,
    first: str,
    pile: str = "",
    preset: str = "mattel",
    script: dict[str, Any] | None = None,
    **rules: Any,
) -> OracleMatch:
    """Return a match of the chosen hands; seat 0 is left of the dealer unless `script` names another dealer.

    A +4 as a first card etc. need the option that allows it. `script` holds further answers of the supply.
    """
    dealer = (script or {}).get("dealer", len(hands) - 1)
    more = {key: value for key, value in (script or {}).items() if key != "dealer"}
    rules = {"first_dealer": "random"} | rules
    script_of_round = Script(list(hands), first, pile, dealer, more)
    return OracleMatch(options(preset, **rules), len(hands), script_of_round, asks_all=True)


def tell_all(match: OracleMatch, *moves: str) -> None:
    """Tell the match several moves; a trailing ``!`` is the UNO flag."""
    for move in moves:
        assert move.rstrip("!") in match.moves, (move, match.seat, match.kind, match.moves)
        match.tell(move.rstrip("!"), uno=move.endswith("!"))


def hand(match: OracleMatch, seat: int) -> list[str]:
    """Return a hand, sorted as text."""
    return sorted(match.table["hands"][seat])


def asked(match: OracleMatch) -> tuple[int, str]:
    """Return who is asked what."""
    return match.seat, match.kind
