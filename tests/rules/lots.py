"""Rulesets, tables and play by lot, for the properties that hold whatever is played."""

from dataclasses import fields
from random import Random

from hypothesis import assume
from hypothesis import strategies as st

from arena.rules import PRESETS, Match, Ruleset, RulesetError, derive
from arena.rules.presets import ruleset_of

CUSTOM_DECKS = (
    "R0*4 R7*6 G0*4 G7*6 B5*6 Y5*6 B2*6 Y2*6 W*6 W+4*6",
    "RS*6 RR*6 R+2*6 GS*6 GR*6 G+2*6 BR*6 B+2*6 R1*4 W+4*8",
    "R1*8 G1*8 B1*8 Y1*8 R+1*4 W+2*4 SH*3 BL*4 W*4",
)


def _values(name: str, metadata: dict[str, object]) -> st.SearchStrategy[object]:
    """Return values of an option."""
    if name == "deck":
        return st.sampled_from(["standard", "blanks", "gdj85", "h2o"])
    if "values" in metadata:
        return st.sampled_from(list(metadata["values"]))
    if metadata.get("numbers"):
        return st.sampled_from(list(metadata["numbers"]))
    small = {"hand_size": 4, "max_turns": 30, "target": 60, "rounds": 3, "max_decisions": 400}
    return st.integers(1, small[name])


@st.composite
def rulesets(draw: st.DrawFn) -> Ruleset:
    """Draw a ruleset: a preset with some options changed, now and then with a deck of its own."""
    given: dict[str, object] = {"base": draw(st.sampled_from(sorted(PRESETS)))}
    options = [option for option in fields(Ruleset) if option.name not in ("players", "cards")]
    for option in draw(st.lists(st.sampled_from(options), max_size=12, unique_by=lambda option: option.name)):
        given[option.name] = draw(_values(option.name, dict(option.metadata)))
    if draw(st.integers(0, 3)) == 0:
        given |= {"deck": "custom", "cards": draw(st.sampled_from(CUSTOM_DECKS))}
    try:
        return ruleset_of(given)
    except RulesetError:
        assume(condition=False)
        raise


@st.composite
def matches(draw: st.DrawFn) -> Match:
    """Draw a table at which nothing has been played."""
    rules = draw(rulesets())
    most = (sum(rules.deck_copies) - 2) // rules.hand_size
    seats = draw(st.integers(2, max(2, min(10, most))))
    return Match(rules, seats, derive(b"lots", draw(st.integers(0, 2**32))))


def decide(match: Match, random: Random) -> None:
    """Let the seat that is asked do any legal move, or now and then talk, forget UNO, misplay or leave."""
    moves = match.legal_moves()
    if random.random() < 0.01:
        match.leave([random.randrange(match.seats)])
    elif match.round.may_misplay() and random.random() < 0.05:
        match.apply(0)
    else:
        line = "hello" if random.random() < 0.1 else ""
        match.apply(random.choice(moves), random.random() < 0.6, line, random.random() < 0.5)


def played_by_lot(data: st.DataObject, most: int = 200) -> Match:
    """Return a match broken off after some decisions."""
    match = data.draw(matches())
    random = data.draw(st.randoms(use_true_random=False))
    for _decision in range(random.randrange(most)):
        if match.over:
            break
        decide(match, random)
    return match
