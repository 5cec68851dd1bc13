"""The end of a round and of a match: last cards, scoring, places, limits, leaving (R80-R92)."""

import pytest

from arena.rules import Match, Variant, derive
from arena.rules.scoring import hand_points, record_round
from arena.rules.standing import DECISIONS, ROUNDS, TARGET, Standing
from tests.rules.positions import do, legal, news, position, ruleset, turn

OTHERS = "|G1,G2,G3|Y1,Y2,Y3"


def over(hands: str, more: str, **options: object) -> Standing:
    """Return a standing after one finished round."""
    rules = ruleset(**options)
    round_ = position(f"hands={hands} discard=R1 pile= {more}", rules)
    standing = Standing(round_.variant, round_.seats)
    standing.count_round(round_)
    return standing


def test_the_first_without_cards_ends_the_round():
    """R80: the round is over when a seat has no cards."""
    round_ = turn("B1|R1,R2" + OTHERS, "B5")
    do(round_, "B1")

    assert news(round_)[-2:] == ["went_out seat=0 count=1", "round_over seat=0"]
    assert legal(round_) == []


@pytest.mark.parametrize(
    ("card", "paid"), [("B+2", 2), ("W+4:R", 4), ("B+1", 1), ("W+2:R", 2), ("BL:R", 10), ("BS", 0), ("BR", 0)]
)
def test_a_last_draw_card(card: str, paid: int):
    """R81: whoever would have to pay draws first, and those cards count; a skip or reverse draws nothing."""
    rules = ruleset(deck=dict.fromkeys(("R1", "BL"), 1) | {"R2": 99}, blank="plus_ten", reverse_answer="all")
    round_ = turn(f"{card.split(':', maxsplit=1)[0]}|BR,R1,R2" + OTHERS, "B5", rules)
    do(round_, card)

    assert round_.sizes[1] == 3 + paid
    assert news(round_)[-1] == "round_over seat=0"


def test_a_last_answer_to_a_draw_card():
    """R81: an answer that empties the hand: the whole pending amount is drawn, and nothing answers it."""
    rules = ruleset(draw_two_answer="stack", reverse_answer="draws")
    stacked = turn("B+2,B3,B4|R+2|Y+2,G2,G3|Y1,Y2,Y3", "B5", rules)
    do(stacked, "B+2", "R+2")
    sent_back = turn("B+2,B3,B4|BR" + OTHERS, "B5", rules)
    do(sent_back, "B+2", "BR")

    assert stacked.sizes == [2, 0, 7, 3]
    assert sent_back.sizes == [4, 0, 3, 3]


def test_winner_takes():
    """R82: the winner gets the points in all other hands."""
    assert over("|R7,R2|GS", "winner=0").totals == [29, 0, 0]


def test_own_points():
    """R83: everyone records the own hand; who reaches the target is last, the others share first place."""
    standing = over("|R7,R2|GS", "winner=0", scoring="own_points", target=20)

    assert standing.totals == [0, 9, 20]
    assert standing.reached_target()
    assert standing.places(TARGET) == (1, 1, 3)


def test_own_points_when_all_reach_the_target():
    """R83: if all reach it in one round, all share first."""
    standing = over("RS|R9|GS", "winner=0", scoring="own_points", target=5)

    assert standing.places(TARGET) == (1, 1, 1)


def test_lowest():
    """R84: when anyone reaches the target the lowest total wins; places by total."""
    standing = over("|R7,R2|GS", "winner=0", scoring="lowest", target=20)

    assert standing.reached_target()
    assert standing.places(TARGET) == (1, 2, 3)


def test_elimination():
    """R85: who reaches the target drops out until one is left; those of one round by total."""
    standing = over("|R9,R2|GS|R3", "winner=0", scoring="elimination", target=10)

    assert standing.drop_out() == [1, 2]
    assert not standing.reached_target()
    assert standing.places(ROUNDS) == (1, 3, 4, 2)
    standing.totals[3] = 10
    assert standing.drop_out() == [3]
    assert standing.reached_target()
    assert standing.places(TARGET) == (1, 3, 4, 2)


def test_lazy():
    """R86: per round the first out wins and the hand worth most loses, several of them all."""
    standing = over("|R9|B9|R3", "winner=0", scoring="lazy")

    assert (standing.wins, standing.losses) == ([1, 0, 0, 0], [0, 1, 1, 0])
    assert standing.places(ROUNDS) == (1, 3, 3, 2)


def test_single_round():
    """R87: the winner is first, the others share second place; with R72 they stand by exit order."""
    alone = over("|R9|B9", "winner=0 exits=0", scoring="single_round")
    ordered = over("|R9|", "winner=2 exits=2,0 finishes=R1,R1", scoring="single_round", to_the_last=True)
    void = over("R1|R9|B9", "stalemate=1", scoring="single_round")

    assert alone.reached_target()
    assert alone.places(TARGET) == (1, 2, 2)
    assert ordered.places(TARGET) == (2, 3, 1)
    assert void.places(TARGET) == (1, 1, 1)


@pytest.mark.parametrize(("value", "points"), [(0, 0), (50, 50)])
def test_a_lone_zero(value: int, points: int):
    """R88: a hand that is exactly one 0 may be worth fifty; two of them are not."""
    round_ = position("hands=R0|R0,B0|R0,R1 discard=R1 pile=", ruleset(lone_zero=value))

    assert [hand_points(round_, seat) for seat in range(3)] == [points, 0, 1]


@pytest.mark.parametrize(("card", "bonus"), [("R+1", 20), ("W+2", 40), ("R1", 0)])
def test_h2o_finish(card: str, bonus: int):
    """R89: finishing with a +1 or a wild +2 takes points off; totals may go negative."""
    rules = ruleset(deck="h2o", h2o_finish=True, scoring="lowest")
    round_ = position(f"hands=|R9 discard=R1 pile= winner=0 exits=0 finishes={card}", rules)

    assert record_round(round_, [True, True]) == [-bonus, 9]


def test_shared_places():
    """R90: equal totals share a place; a place is one more than the number of better seats."""
    standing = Standing(Variant(ruleset()), 4)
    standing.totals = [10, 30, 30, 0]

    assert standing.places(ROUNDS) == (3, 1, 1, 4)


@pytest.mark.parametrize(("scoring", "target"), [("winner_takes", 500), ("own_points", 200), ("lowest", 500)])
def test_default_targets(scoring: str, target: int):
    """R91: the default target depends on the scoring."""
    assert ruleset(scoring=scoring).points_target == target


def played(match: Match) -> Match:
    """Play a match to its end, always the first legal move."""
    while not match.over:
        match.apply(match.legal_moves()[0], uno=True)
    return match


def test_rounds_cap_a_match():
    """R91: after `rounds` rounds the leader wins: by default 200, or 5 for lazy."""
    match = played(Match(ruleset(rounds=2), 3, derive(b"cap", 1)))

    assert (match.ending, match.round_number) == (ROUNDS, 2)
    assert match.places[match.totals.index(max(match.totals))] == 1
    assert (ruleset().most_rounds, ruleset(scoring="lazy").most_rounds) == (200, 5)


def test_decisions_cap_a_match():
    """R91: the round under way then counts for nothing."""
    match = played(Match(ruleset(max_decisions=5), 3, derive(b"cap", 1)))

    assert (match.ending, match.decisions, match.totals) == (DECISIONS, 5, (0, 0, 0))
    assert match.places == (1, 1, 1)


def test_the_lowest_hand_takes_all_others():
    """R91, R27: the winner of a stalemate takes all other hands; in other scorings all record theirs."""
    takes = over("R1|R7,R2|GS", "winner=0 stalemate=1", stalemate="lowest_hand")
    own = over("R1|R7,R2|GS", "winner=0 stalemate=1", stalemate="lowest_hand", scoring="lowest")

    assert takes.totals == [29, 0, 0]
    assert own.totals == [1, 9, 20]


def test_a_void_round_scores_nothing():
    """R27 void: nobody scores, and the exits of that round are forgotten."""
    standing = over("|R7|GS", "stalemate=1 exits=0", scoring="lowest", to_the_last=True)

    assert standing.totals == [0, 0, 0]
    assert standing.exits == []


def match_at(text: str, seats: int, **options: object) -> Match:
    """Return a match whose first round stands at a position."""
    match = Match(ruleset(**options), seats, bytes(32))
    round_ = position(text, match.ruleset)
    round_.log = match.log
    match.round = round_
    match.log.clear()
    return match


TABLE = "hands=B1,B2,B3|R1,R2,R3|G1,G2,G3 discard=B5 colour=B pile=Y1,Y2 kind=turn seat=0 player=0 turns=1"


def test_leaving_on_turn():
    """R92: a leaver's cards go under the draw pile, and the next seat plays."""
    match = match_at(TABLE, 3)
    match.leave([0])

    assert (match.seat, match.round.sizes, match.round.pile.size) == (1, [0, 3, 3], 5)
    assert match.round.pile.tail == [29, 30, 31]


def test_leaving_out_of_turn():
    """R92: who is not asked leaves, and the question stands."""
    match = match_at(TABLE, 3)
    before = match.legal_moves()
    match.leave([2])

    assert (match.seat, match.legal_moves()) == (0, before)


def test_what_a_leaver_owed_dies():
    """R92: the victim of a pending +4 leaves: nobody pays, the next seat plays."""
    match = match_at(TABLE.replace("B1,B2,B3", "W+4,R2,R3"), 3)
    do(match.round, "W+4:G")
    match.leave([1])

    assert (match.seat, match.round.pending) == (2, 0)


def test_a_four_whose_player_left_is_owed_but_not_challengeable():
    """R92: the victim draws, and nothing can be doubted."""
    match = match_at(TABLE.replace("B1,B2,B3", "W+4,R2,R3"), 3)
    do(match.round, "W+4:G")
    match.leave([0])

    assert (match.seat, match.round.sizes) == (2, [0, 7, 3])


def test_a_first_colour_that_a_leaver_owed():
    """R92: it is named by the next seat, which then plays."""
    text = "hands=B1,B2|R1,R2|G1,G2 discard=W colour=R pile=Y1 kind=first_colour seat=0 player=0"
    match = match_at(text, 3)
    match.leave([0])

    assert match.seat == 1
    match.apply(match.legal_moves()[0])
    assert (match.seat, match.question) == (1, 1)


def test_leaving_ends_an_exchange():
    """R92: an exchange with a leaver has no effect, and play goes on."""
    match = match_at(TABLE.replace("B1,B2,B3", "B5,R2,R3"), 3, five="exchange")
    do(match.round, "B5:1")
    match.leave([1])

    assert (match.seat, match.round.sizes) == (2, [2, 0, 3])


def test_leaving_ends_the_catch():
    """R92: the question of a leaver goes to the next; who left cannot be caught any more."""
    asked = match_at(TABLE.replace("B1,B2,B3", "B1,B2"), 3)
    do(asked.round, "B1")
    asked.leave([1])
    missed = match_at(TABLE.replace("B1,B2,B3", "B1,B2"), 3)
    do(missed.round, "B1")
    missed.leave([0])

    assert (asked.seat, asked.question) == (2, 4)
    assert (missed.seat, missed.question) == (1, 1)


def test_the_last_seat_wins():
    """R92: one seat left in the match ends it and wins; the first to leave is last."""
    match = match_at(TABLE, 3)
    match.leave([1])
    match.leave([0])

    assert (match.over, match.ending, match.places) == (True, "last_seat", (2, 3, 1))
    assert match.seat == -1


def test_leaving_a_round_that_goes_to_the_last():
    """R92, R72: a seat already out of the round leaves likewise; the round ends with one seat in it."""
    text = TABLE.replace("B1,B2,B3", "B1")
    match = match_at(text, 3, to_the_last=True, scoring="lowest")
    do(match.round, "B1")
    match.leave([1])

    assert match.round_number == 2
    assert match.totals == (0, 0, 6)


def test_who_left_is_not_dealt_in():
    """R92, R11: a leaver gets no cards in the next rounds, and never deals."""
    match = Match(ruleset(), 4, derive(b"leave", 1))
    match.leave([2])
    dealers = set()
    while not match.over:
        assert match.round.sizes[2] == 0
        dealers.add(match.dealer)
        match.apply(match.legal_moves()[0], uno=True)

    assert match.places[2] == 4
    assert 2 not in dealers or match.round_number == 1
