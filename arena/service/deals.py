"""From which key a stored pairing's deals come: the tournament's own, or in a ladder that of its versions.

Owns the one place where both are told apart. How keys are derived is `arena.tournament.seeds`'.
"""

from collections.abc import Iterable

from arena.store.rows import TournamentRow
from arena.tournament.plans import parse_plan
from arena.tournament.seeds import Deals, ladder_deals


def find_deals(tournament: TournamentRow, digests: Iterable[bytes], number: int) -> Deals | None:
    """Return the deals of a pairing; None while entries are open.

    Args:
        tournament: Whose pairing it is.
        digests: The digests of the versions that meet.
        number: The pairing's number.
    """
    if tournament.tournament_key is None:
        return None
    if parse_plan(tournament.format).is_ladder:
        return ladder_deals(
            tournament.secret, tournament.ruleset_digest, digests, number, tournament.deal_sets
        )
    return Deals(tournament.tournament_key)
