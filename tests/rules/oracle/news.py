"""What everybody at the table learns, as the public lines of `arena.rules.events`."""

from typing import Any

DRAWN_AS = {
    "turn": "drew",
    "refill": "refilled",
    "misplay": "fined",
    "false_uno": "fined",
    "false_catch": "fined",
    "caught": "fined",
    "centre": "fined",
    "talk": "fined",
}
"""Why cards were drawn -> the public word; everything else was paid."""

ENDINGS = {"target": 1, "rounds": 2, "decisions": 3, "last_seat": 4}


def line(word: str, seat: int | None = None, **facts: Any) -> str:
    """Return one line of news; what is None, "", -1 or a count of 0 is left out."""
    words = [word] if seat is None else [word, f"seat={seat}"]
    for name in ("card", "colour", "count", "other"):
        value = facts.get(name)
        nothing = (None, "", 0) if name == "count" else (None, "", -1)
        if value not in nothing:
            words.append(f"{name}={value}")
    return " ".join(words)


def public(what: str, facts: dict[str, Any]) -> list[str]:
    """Return the lines that an entry of the log brings; most entries bring one, hidden ones none."""
    seat = facts.get("seat")
    if what == "round":
        return [line("round_began", facts["dealer"], count=facts["number"])]
    if what == "first":
        return [line("first_card", card=facts["card"], colour=facts["colour"])]
    if what == "play":
        word = "jumped_in" if facts["how"] == "jump" else "played"
        return [line(word, seat, card=facts["card"], colour=facts["colour"], other=facts["other"])]
    if what == "draw":
        return [line(DRAWN_AS.get(facts["why"], "paid"), seat, count=len(facts["cards"]))]
    if what == "reshuffle":
        return [line("reshuffled", count=len(facts["cards"]))]
    if what == "challenge":
        return [line("challenged", seat, count=int(facts["guilty"]), other=facts["other"])]
    if what == "shuffle_hands":
        return [line("hands_shuffled", seat, count=facts["cards"])]
    if what == "caught":
        return [line("uno_caught", facts["by"], other=seat)]
    plain = {
        "lost_turn": "skipped",
        "first_colour": "colour_named",
        "uno": "uno_called",
        "false_uno": "false_uno",
        "false_catch": "false_catch",
        "returned": "returned",
        "swap": "swapped",
        "rotate": "rotated",
        "exchange": "exchanged",
        "out": "went_out",
        "said": "said",
        "ready": "said_ready",
        "misplay": "misplayed",
        "leave": "left",
    }
    if what in plain:
        named = {name: facts.get(name) for name in ("card", "colour", "count", "other")}
        return [line(plain[what], seat, **named)]
    return []


def at_the_end_of_a_round(facts: dict[str, Any]) -> list[str]:
    """Return the lines about a round that is over."""
    stalemate = int(facts["why"] == "stalemate")
    lines = [line("round_over", facts["winner"], count=stalemate)]
    lines += [line("scored", seat, count=points) for seat, points in facts["scored"].items()]
    lines += [line("eliminated", seat) for seat in facts["dropped"]]
    return lines


def at_the_end_of_the_match(why: str, places: list[int]) -> list[str]:
    """Return the lines about a match that is over."""
    lines = [line("match_over", count=ENDINGS[why])]
    return lines + [line("placed", seat, count=place) for seat, place in enumerate(places)]
