"""Turns, answers to what is pending, and payment."""

from typing import Any

from tests.rules.oracle import may
from tests.rules.oracle.opening import open_round
from tests.rules.oracle.playing import Asking, ask, play
from tests.rules.oracle.sheet import deck_of
from tests.rules.oracle.table import (
    RoundOverError,
    Table,
    draw,
    end_silence_of,
    go_on_after,
    note,
    sitting,
)


def play_round(t: Table) -> Asking:
    """Play one round; return why it ended."""
    try:
        yield from open_round(t)
        while True:
            yield from one_turn(t)
            while t["pending"]:
                yield from one_answer(t)
    except RoundOverError as over:
        return over.why


def one_turn(t: Table) -> Asking:
    """Take one turn, from its start to the windows after its play."""
    # A standstill (R27) is seen where the next turn would begin.
    if t["idle"] >= len(t["ring"]) or t["turns"] >= t["rules"]["max_turns"]:
        raise RoundOverError("stalemate")
    for who, cost in t["owed"]:
        if who in t["ring"]:
            draw(t, who, cost, "talk")
    t["owed"] = []

    seat = sitting(t)
    t["turns"] += 1
    end_silence_of(t, seat)
    answer = yield from ask(t, seat, "TURN", lambda: may.turn_moves(t, seat))
    go_on_after(t, seat)
    if answer is None:
        return
    if answer["move"] == "pass":
        if not answer["drew"]:
            t["idle"] += 1
    elif answer["move"] == "draw":
        yield from draw_in_turn(t, seat)
    else:
        yield from play(t, seat, answer["move"], answer["uno"], "turn")


def draw_in_turn(t: Table, seat: int) -> Asking:
    """Draw one card, or until one is playable; then play that card or keep it (R22-R25)."""
    count = 1 if t["rules"]["draw"] == "one" else len(deck_of(t["rules"]))
    got = draw(t, seat, count, "turn", lambda card: may.is_playable(t, seat, card))
    if not got:
        t["idle"] += 1
        return
    card = t["drawn"] = got[-1]
    answer = yield from ask(t, seat, "DRAWN", lambda: may.drawn_moves(t, seat, card))
    if answer is None:
        return
    if answer["move"] != "keep":
        yield from play(t, seat, answer["move"], answer["uno"], "turn")


def one_answer(t: Table) -> Asking:
    """Ask the victim of what is pending, and do what it answers (R33-R45)."""
    victim = t["pending"]["victim"]
    answer = yield from ask(t, victim, "PENALTY", lambda: may.answer_moves(t))
    if answer is None:
        return
    if answer["move"] == "accept":
        yield from pay(t)
    elif answer["move"] == "challenge":
        yield from challenge(t)
    else:
        yield from play(t, victim, answer["move"], answer["uno"], "answer")


def settle(t: Table) -> dict[str, Any]:
    """Take what is pending off the table, and return it."""
    pending: dict[str, Any] = t["pending"]
    t["pending"], t["returnable"] = None, False
    return pending


def pay(t: Table, more: int = 0) -> Asking:
    """Let the victim draw, lose the turn, and say ready where R56 asks for it."""
    pending = settle(t)
    victim = pending["victim"]
    got = []
    if pending["amount"]:
        got = draw(t, victim, pending["amount"] + more, pending["kind"])
    else:
        note(t, "lost_turn", seat=victim)
    end_silence_of(t, victim)
    go_on_after(t, victim)
    if pending["kind"] == "+4":
        yield from say_ready(t, victim, got)


def challenge(t: Table) -> Asking:
    """Judge a +4 by the hand of its player at the moment of the play (R34-R36)."""
    pending = t["pending"]
    guilty, offender, challenger = pending["before"]["guilty"], pending["source"], pending["victim"]
    t["shown"].pop(challenger, None)
    t["shown"][challenger] = pending["before"]["hand"]
    note(t, "challenge", seat=challenger, other=offender, guilty=guilty)
    if not guilty:
        yield from pay(t, more=2)
        return
    settle(t)
    t["at"] = challenger
    if t["rules"]["challenge_success"] == "returned":
        t["hands"][offender].append(t["discard"].pop())
        former, t["colour"] = t["colour"], pending["before"]["colour"]
        if t["rules"]["silence"] == "wilds" and former != t["colour"]:
            t["silence"] = []
        note(t, "returned", seat=offender, card="W+4", colour=t["colour"])
    got = draw(t, offender, pending["amount"], "guilty")
    yield from say_ready(t, offender, got)


def say_ready(t: Table, seat: int, got: list[str]) -> Asking:
    """Wait until the seat that drew because of a +4 says ready (R56)."""
    if t["rules"]["ready"] == "on" and got:
        answer = yield from ask(t, seat, "READY", lambda: (["ready"], []))
        if answer is not None:
            note(t, "ready", seat=seat)
