"""A play, step by step in the sheet's order of effects; every function here is one of its steps.

A generator that asks yields a question, a dict of seat, kind, moves and bluffs, and is sent an answer: either
{"move", "uno", "say", "advice"}, or {"leave": seats}.
"""

from collections import Counter
from collections.abc import Callable, Generator
from typing import Any

from tests.rules.oracle import may
from tests.rules.oracle.faces import RING, colour_of, face_of, in_order, split
from tests.rules.oracle.table import (
    RoundOverError,
    Table,
    draw,
    end_silence_of,
    go_on_after,
    leave,
    note,
    others_from,
    step,
)

Question = dict[str, Any]
Answer = dict[str, Any]
Asking = Generator[Question, Answer, Any]

MISPLAYED_AS = {
    "TURN": "pass",
    "DRAWN": "keep",
    "PENALTY": "accept",
    "CATCH": "no",
    "JUMP_IN": "no",
}
"""What a move outside the legal list counts as, where R53 makes it cost two cards."""


def ask(
    t: Table,
    seat: int,
    kind: str,
    moves: Callable[[], may.Moves],
    still: Callable[[], bool] = lambda: True,
) -> Asking:
    """Ask until there is an answer; return None when a leave has made the question void (R92)."""
    while True:
        legal, bluffs = moves()
        if legal in (["keep"], ["accept"]) and not t["asks_all"]:
            # Nothing can be decided, so this is no decision; it cannot be told from one that was (R93).
            return {"move": legal[0], "uno": False}
        answer = yield {"seat": seat, "kind": kind, "moves": legal, "bluffs": bluffs}
        if "leave" in answer:
            leave(t, answer["leave"])
            if seat in t["ring"] and still():
                continue
            return None
        t["decisions"] += 1
        if is_really_asked(t, seat, kind, legal):
            t["shown"].pop(seat, None)
        talk(t, seat, answer)
        if answer["move"] in legal:
            note(t, "move", seat=seat, question=kind, move=answer["move"], uno=answer["uno"])
            return answer
        note(t, "misplay", seat=seat, question=kind, move=answer["move"])
        got = draw(t, seat, 2, "misplay")
        return answer | {"move": MISPLAYED_AS[kind], "uno": False, "drew": len(got)}


def is_really_asked(t: Table, seat: int, kind: str, legal: may.Moves) -> bool:
    """Tell whether a bot hears the question: it may choose, call UNO or say ready; a shown hand waits."""
    may_call = kind in ("TURN", "DRAWN") and legal[0] not in ("draw", "keep") and len(t["hands"][seat]) == 2
    return len(legal) > 1 or kind == "READY" or may_call


def talk(t: Table, seat: int, answer: Answer) -> None:
    """Judge a line by the silence in force before its move (R67, R68)."""
    if not answer["say"]:
        return
    note(t, "said", seat=seat, count=t["lines"], other=1 if answer["advice"] else None)
    t["lines"] += 1
    if t["silence"]:
        t["owed"].append((seat, 2))
    t["silence"] = []
    if answer["advice"] and t["rules"]["advice_penalty"]:
        t["owed"].append((seat, t["rules"]["advice_penalty"]))


def play(t: Table, seat: int, move: str, uno: bool, how: str) -> Asking:
    """Play a card: `how` is "turn", "answer" or "jump"."""
    _, card, named, target = split(move)
    if colour_of(card) == "" and t["rules"]["wild_colour"] == "circle":
        # One step on the ring in the direction of play (R31).
        named = RING[(RING.index(t["colour"]) + t["direction"]) % 4]
    pending_before = t["pending"]
    before = {
        "colour": t["colour"],
        "hand": may.without(t["hands"][seat], card),
        "guilty": card == "W+4" and may.breaks_r32(t, seat),
    }

    # The card leaves the hand.
    t["hands"][seat].remove(card)
    t["discard"].append(card)
    t["idle"] = 0
    left = len(t["hands"][seat])
    challengeable = card == "W+4" and t["rules"]["challenge"] == "on" and left > 0
    t["returnable"] = challengeable and t["rules"]["challenge_success"] == "returned"
    t["pending"] = None
    note(t, "play", seat=seat, card=card, how=how, colour=named, other=target)

    # Out of cards?
    if left == 0:
        refill(t, seat)
    if not t["hands"][seat]:
        go_out(t, seat, card)

    # UNO called, missed or false.
    missed = uno_step(t, seat, left, uno)

    # Colour.
    colour_step(t, seat, card, named)

    # Hand effects.
    if left > 0:
        yield from hand_step(t, seat, card, target)

    # Direction, and what becomes pending.
    pending_step(t, seat, card, pending_before, before | {"challengeable": challengeable}, how)
    go_on_after(t, seat)
    if is_decided(t):
        pay_at_the_end(t)
        raise RoundOverError("out")

    # The two windows; nobody jumps on an effect, even if its victim leaves before it suffers (R60).
    has_effect = t["pending"] is not None
    if left == 1:
        yield from catch_window(t, seat, missed)
    if not has_effect:
        yield from jump_window(t, seat)


def refill(t: Table, seat: int) -> None:
    """Refill an emptied hand (R71)."""
    size = t["refills"].get(seat, t["rules"]["hand_size"] - 1)
    if t["rules"]["seven_rounds"] == "off" or size == 0:
        return
    t["refills"][seat] = size - 1
    draw(t, seat, size, "refill")


def go_out(t: Table, seat: int, card: str) -> None:
    """Take a seat without cards out of the round (R80, R72); without R72 the round is down to nobody else."""
    t["exits"].append(seat)
    t["finish"][seat] = card
    end_silence_of(t, seat)
    note(t, "out", seat=seat, count=len(t["exits"]))
    if t["rules"]["to_the_last"] == "on":
        t["ring"].remove(seat)


def uno_step(t: Table, seat: int, left: int, uno: bool) -> bool:
    """Note the call, let the centre or a false call cost two; return whether a call was missed (R50-R54)."""
    if is_decided(t):
        return False
    if left == 1 and uno:
        note(t, "uno", seat=seat)
        if t["rules"]["uno_centre"] == "on":
            others = sorted(others_from(t, seat))
            chosen = t["supply"].centre(others)
            assert chosen in others
            draw(t, chosen, 2, "centre")
    if left != 1 and uno and t["rules"]["misplay_penalty"] and seat in t["ring"]:
        note(t, "false_uno", seat=seat)
        draw(t, seat, 2, "false_uno")
    return left == 1 and not uno


def is_decided(t: Table) -> bool:
    """Tell whether the round ends with the play under way (R80; R72: one seat is left)."""
    if t["rules"]["to_the_last"] == "on":
        return len(t["ring"]) == 1
    return bool(t["exits"])


def colour_step(t: Table, seat: int, card: str, named: str) -> None:
    """Set the active colour, and let silences begin and end (R30, R67)."""
    former, t["colour"] = t["colour"], named or colour_of(card)
    if t["rules"]["silence"] == "wilds":
        if named:
            t["silence"] = ["colour"]
        elif t["colour"] != former:
            t["silence"] = []
    if t["rules"]["silence"] == "twos" and face_of(card) == "2" and seat in t["ring"]:
        end_silence_of(t, seat)
        t["silence"].append(seat)


def hand_step(t: Table, seat: int, card: str, target: int) -> Asking:
    """Swap, rotate, exchange or shuffle hands (R63-R65, R70)."""
    rules, hands = t["rules"], t["hands"]
    if face_of(card) == "7" and rules["seven"] == "swap":
        hands[seat], hands[target] = hands[target], hands[seat]
        note(t, "swap", seat=seat, other=target)
    if face_of(card) == "0" and rules["zero"] == "rotate":
        moved = {step(t, giver): hands[giver] for giver in t["ring"]}
        hands.update(moved)
        note(t, "rotate", seat=seat)
    if face_of(card) == "5" and rules["five"] == "exchange" and target >= 0:
        yield from exchange(t, seat, target)
    if card == "SH":
        shuffle_hands(t, seat)


def exchange(t: Table, seat: int, target: int) -> Asking:
    """Let both choose a card, then exchange them (R65)."""
    both = [seat, target]
    given = {}
    for giver in both:
        answer = yield from ask(
            t,
            giver,
            "EXCHANGE",
            lambda giver=giver: (in_order(["give " + card for card in t["hands"][giver]]), []),  # type: ignore[misc]
            lambda: all(one in t["ring"] for one in both),
        )
        if answer is None:
            return
        given[giver] = split(answer["move"])[1]
    for giver, taker in [(seat, target), (target, seat)]:
        t["hands"][giver].remove(given[giver])
        t["hands"][taker].append(given[giver])
    note(t, "exchange", seat=seat, other=target, given=given)


def shuffle_hands(t: Table, seat: int) -> None:
    """Gather all hands, shuffle, deal one by one from the next player on (R70)."""
    takers = [*others_from(t, seat), seat]
    cards = [card for taker in takers for card in t["hands"][taker]]
    hands = t["supply"].hands(list(takers), list(cards))
    assert Counter(card for taker in takers for card in hands[taker]) == Counter(cards)
    for i, taker in enumerate(takers):
        assert len(hands[taker]) == len(cards[i :: len(takers)])
        t["hands"][taker] = list(hands[taker])
    note(t, "shuffle_hands", seat=seat, cards=len(cards))


AMOUNTS = {"+1": 1, "+2": 2, "W+2": 2, "W+4": 4, "BL": 10}
KINDS = {"+1": "+1", "+2": "+2", "W+2": "W+2", "W+4": "+4", "BL": "+10"}


def pending_step(
    t: Table, seat: int, card: str, owed: dict[str, Any] | None, before: dict[str, Any], how: str
) -> None:
    """Flip the direction; let a skip, a two-player reverse or a draw card become pending (R28-R45)."""
    face = face_of(card) or card
    if face == "R":
        t["direction"] = -t["direction"]
        note(t, "direction", seat=seat, direction=t["direction"])
    if how == "answer" and face == "R":
        assert owed
        # The effect goes back to its source; a +4 that came back can no longer be challenged (R44).
        t["pending"] = owed | {"source": seat, "victim": owed["source"], "challengeable": False}
        return
    pending = {"source": seat, "card": card, "amount": 0, "challengeable": before["challengeable"]}
    pending["before"] = before
    if face == "S" or (face == "R" and len(t["ring"]) == 2 and t["rules"]["reverse_two_players"] == "skip"):
        pending["kind"] = "skip"
    elif face in AMOUNTS and not (face == "BL" and t["rules"]["blank"] == "wild"):
        pending["kind"], pending["amount"] = KINDS[face], AMOUNTS[face]
        stacked = "draw_two_answer" if face == "+2" else "draw_four_answer"
        # A +2 on a +4 is a deflection: worth two (R42). Like on like sums where stacking is on.
        if owed and owed["kind"] == pending["kind"] and t["rules"][stacked] == "stack":
            pending["amount"] += owed["amount"]
    else:
        return
    pending["victim"] = step(t, seat)
    t["pending"] = pending


def pay_at_the_end(t: Table) -> None:
    """Whoever would have to pay draws the whole pending amount before the round ends (R81)."""
    pending = t["pending"]
    if pending and pending["amount"]:
        draw(t, pending["victim"], pending["amount"], "last")


def catch_window(t: Table, seat: int, missed: bool) -> Asking:
    """Ask each other seat whether to point out a missed UNO (R51)."""
    if not missed and not t["rules"]["misplay_penalty"]:
        return
    for other in others_from(t, seat):
        if other not in t["ring"] or seat not in t["ring"]:
            continue
        answer = yield from ask(t, other, "CATCH", lambda: (["catch", "no"], []), lambda: seat in t["ring"])
        if answer is None or answer["move"] != "catch":
            continue
        if missed:
            note(t, "caught", seat=seat, by=other)
            draw(t, seat, t["rules"]["uno_penalty"], "caught")
            return
        note(t, "false_catch", seat=other, other=seat)
        draw(t, other, 2, "false_catch")


def jump_window(t: Table, seat: int) -> Asking:
    """Ask the holders of the identical card; the player of the top card is asked last (R60, R61)."""
    for other in [*others_from(t, seat), seat]:
        if other not in t["ring"] or not may.may_jump(t, other):
            continue
        answer = yield from ask(t, other, "JUMP_IN", lambda other=other: may.jump_moves(t, other))  # type: ignore[misc]
        if answer is None or answer["move"] == "no":
            continue
        yield from play(t, other, answer["move"], answer["uno"], "jump")
        return
