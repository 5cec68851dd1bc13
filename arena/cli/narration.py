"""A match told to a person: each step as a line, the table as a picture; coloured where there are colours.

Owns the words and the colours, and what the viewer of one seat is told. It reads the steps of
`arena.rules.trace` and nothing else, so that what is played now and what is replayed look alike.
"""

import json
import re
import string
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from arena.cli import figures

if TYPE_CHECKING:
    from arena.rules.frames import Position

Parts = list[tuple[str, str]]
"""One line: texts, each with its style; an empty style is the terminal's own."""

STYLES: Final = {"R": "bright_red", "G": "bright_green", "B": "bright_blue", "Y": "bright_yellow"}
COLOURS: Final = {"R": "red", "G": "green", "B": "blue", "Y": "yellow"}
WILD: Final = "bold"
FAINT: Final = "dim"
ENDINGS: Final = ("", "the target is reached", "the rounds are played", "the decisions are used up",
                  "one seat is left")  # fmt: skip
PHRASES: Final = {
    "round_began": "round {count}, dealt by {seat}",
    "first_card": "first card {card}{refused}",
    "played": "{seat} plays {card}{naming}",
    "jumped_in": "{seat} jumps in with {card}{naming}",
    "drew": "{seat} draws {cards}",
    "paid": "{seat} must draw {cards}",
    "fined": "{seat} is fined {cards}",
    "skipped": "{seat} is skipped",
    "colour_named": "{seat} names {colour}",
    "uno_called": "{seat} calls UNO",
    "uno_caught": "{seat} catches {other}, who did not call UNO",
    "false_uno": "{seat} calls UNO wrongly",
    "false_catch": "{seat} points at {other}, who had called UNO",
    "challenged": "{seat} challenges {other}: {bluff}",
    "returned": "{card} goes back to {seat}",
    "swapped": "{seat} and {other} change hands",
    "rotated": "every hand moves on by one seat",
    "exchanged": "{seat} and {other} give each other {cards}",
    "hands_shuffled": "all hands are shuffled and dealt again",
    "refilled": "{seat} has emptied its hand and takes {cards}",
    "went_out": "{seat} has no cards left",
    "reshuffled": "the discard pile becomes a draw pile of {count} cards",
    "said": "{seat} says {line}",
    "said_ready": "{seat} is ready",
    "misplayed": "{seat} answers with what is not legal",
    "left": "{seat} leaves the match",
    "round_over": "the round is over{winner}",
    "scored": "{seat} records {count} points",
    "eliminated": "{seat} is out of the match",
    "match_over": "the match is over: {why}",
    "placed": "{seat} ends in place {count}",
}
"""What each event is in words."""


class Narrator:
    """Tells one match."""

    def __init__(self, names: Sequence[str], viewer: int | None = None) -> None:
        """Tell of bots by name.

        Args:
            names: The bots, by seat.
            viewer: Through whose eyes; None sees all.
        """
        self._names = names
        self.viewer = viewer

    def tell(self, step: Mapping[str, Any]) -> Iterator[Parts]:
        """Return the lines of a step; none where the viewer learns nothing."""
        kind = step["step"]
        if kind == "match":
            yield [(f"{step['seats']} seats: {', '.join(map(self._who, range(step['seats'])))}", "")]
        elif kind == "leave":
            return
        elif kind == "decision":
            if self._sees(step["seat"]):
                yield self._decision(step)
        else:
            yield list(self._phrase(step))
            for draw in step.get("dealer_draws", ()):
                yield [(f"  for the dealer: {self._who(draw['seat'])} ", FAINT), *cards([draw["card"]])]
            for hands in step.get("in_vain", ()):
                yield [("  dealt in vain, for no card could be the first: ", FAINT), *self._hands(hands)]
            for seat, hand in enumerate(step.get("hands", ())):
                if hand and self._sees(seat):
                    yield [(f"  {self._who(seat)}: ", ""), *cards(hand)]

    def picture(self, position: "Position") -> Iterator[Parts]:
        """Return the lines of what lies on the table."""
        arrow = "clockwise" if position.direction == 1 else "the other way"
        colour = COLOURS.get(position.colour, "")
        yield [
            (f"round {position.round_number}   top ", ""),
            (position.top, style_of(position.top)),
            ("   colour ", ""),
            (colour or figures.NOTHING, STYLES.get(position.colour, "")),
            (f"   draw pile {position.draw_pile}   {arrow}", ""),
        ]
        width = max(len(self._who(seat)) for seat in range(len(self._names)))
        for seat, hand in enumerate(position.hands):
            is_asked = position.seat == seat and self._sees(seat)
            place = f"place {position.places[seat]}" if position.places else ""
            yield [
                (">" if is_asked else " ", "bold"),
                (f" {self._who(seat):<{width}} {figures.count(position.totals[seat]):>6} points ", ""),
                (place or (f" {len(hand):>2} cards " if position.in_round[seat] else " out "), ""),
                *(cards(hand) if self._sees(seat) and not position.places else []),
            ]

    def _sees(self, seat: int) -> bool:
        return self.viewer is None or self.viewer == seat

    def _who(self, seat: int) -> str:
        return f"seat {seat} {self._names[seat]}"

    def _decision(self, step: Mapping[str, Any]) -> Parts:
        flags = "".join(
            f" {word}" for word, is_set in (("UNO", step["uno"]), ("talks", step["talks"])) if is_set
        )
        parts: Parts = [(f"  {self._who(step['seat'])}, {step['question']}: ", FAINT)]
        parts += [(step["move"], style_of(step["move"])), (flags, ""), ("   of", FAINT)]
        for number, move in enumerate(step["legal"]):
            parts += [(", " if number else " ", FAINT), (move, style_of(move))]
            parts += [("?", FAINT)] * (number in step["bluffs"])
        return parts

    def _hands(self, hands: Sequence[Sequence[str]]) -> Parts:
        """Return the hands that the viewer saw, in one line."""
        seen = [hand for seat, hand in enumerate(hands) if hand and self._sees(seat)]
        return [
            part for number, hand in enumerate(seen) for part in ((" | " * bool(number), FAINT), *cards(hand))
        ]

    def _phrase(self, step: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """Fill in the phrase of an event."""
        for text, field, _, _ in string.Formatter().parse(PHRASES[step["event"]]):
            yield text, ""
            if field:
                yield from self._field(field, step)

    def _field(self, field: str, step: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        if field in {"seat", "other"}:
            yield self._who(step[field]) if field in step else "nobody", "bold" if field == "seat" else ""
        elif field == "card":
            yield step["card"], style_of(step["card"])
        elif field == "cards":
            yield from self._cards(step)
        elif field == "naming":
            if "colour" in step and step["card"].startswith(("W", "SH", "BL")):
                yield f" naming {COLOURS[step['colour']]}", STYLES[step["colour"]]
            if "other" in step:
                yield f" naming {self._who(step['other'])}", ""
        elif field == "colour":
            yield COLOURS[step["colour"]], STYLES[step["colour"]]
        elif field == "refused":
            if refused := step.get("refused"):
                yield f", after {len(refused)} that cannot be the first: ", FAINT
                yield from cards(refused)
        elif field == "bluff":
            yield "it was a bluff" if step["count"] else "it was no bluff", ""
        elif field == "winner":
            yield (f", won by {self._who(step['seat'])}" if "seat" in step else ", won by nobody"), ""
        elif field == "why":
            yield ENDINGS[step["count"]], ""
        else:
            value = step[field]
            yield json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value), ""

    def _cards(self, step: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """Name cards that moved unseen to those who saw them; to others only how many they were."""
        saw = self.viewer is None or self.viewer in (step["seat"], step.get("other"))
        amount = step["count"] if step["event"] != "exchanged" else 1
        yield ("nothing" if not amount else f"{amount} {'card' if amount == 1 else 'cards'}"), ""
        if saw and step.get("cards"):
            yield ": ", ""
            yield from cards(step["cards"])


def cards(texts: Sequence[str]) -> Parts:
    """Return cards with a space between them, each in its colour."""
    return [
        part
        for number, text in enumerate(texts)
        for part in ((" " * bool(number), ""), (text, style_of(text)))
    ]


def wrap(parts: Parts, width: int, indent: int = 4) -> Iterator[Parts]:
    """Return a line as lines that are no wider, broken between words; what goes on is indented."""
    line: Parts = []
    used = 0
    for text, style in parts:
        for word in re.findall(r" *[^ ]+| +$", text):
            shown = word
            if used + len(shown) > width and used > indent:
                yield line
                line, used = [(" " * indent, "")], indent
                shown = word.lstrip(" ")
            used += len(shown)
            if line and line[-1][1] == style:
                shown = line.pop()[0] + shown
            line.append((shown, style))
    yield line


def style_of(text: str) -> str:
    """Return the style of a card or a move."""
    if text.startswith(("W", "SH", "BL")):
        return STYLES.get(text.partition(":")[2][:1], WILD)
    card = text.removeprefix("jump ").removeprefix("give ").removeprefix("colour ")
    return STYLES.get(card[:1], "") if card else ""
