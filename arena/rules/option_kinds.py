"""The kinds of option a ruleset has: one of named values, a switch, a number, a text.

Owns how an option is declared, how its value is read from TOML or text and written again, and the refusal of
a value, which names the option, what was given and what is allowed. Refuses to know what an option means, and
which options go together: that is `options`.
"""

from collections.abc import Mapping
from dataclasses import Field, field
from typing import Any, Final

from arena.errors import UsageError, nearest, quote

LONGEST_NUMBER: Final = 9
"""Digits of a number that is written as text."""
ON_OFF: Final = ("off", "on")


class RulesetError(UsageError):
    """A ruleset names an unknown option or value, or cannot be played; the message names the option."""


def one_of(rule: str, *values: str, also: str = "") -> Any:
    """Declare an option with named values; the first is the one of `mattel`.

    Args:
        rule: The id of its rule.
        values: The values.
        also: In what other form a ruleset may give it, for the message of a refusal.
    """
    return field(default=values[0], metadata={"rule": rule, "values": values, "also": also})


def switch(rule: str, default: bool = False) -> Any:
    """Declare an option that is on or off."""
    return field(default=default, metadata={"rule": rule, "values": ON_OFF})


def number(
    rule: str, default: int | None, values: tuple[int, ...] = (), least: int = 1, most: int = 10**6
) -> Any:
    """Declare an option that is a number; a default of None depends on the scoring."""
    return field(default=default, metadata={"rule": rule, "numbers": values, "least": least, "most": most})


def text(rule: str, default: str, allowed: str) -> Any:
    """Declare an option that is a text, with what it may be in words."""
    return field(default=default, metadata={"rule": rule, "allowed": allowed})


def refusal(option: "Field[Any]", value: object) -> RulesetError:
    """Return the refusal of a value: the option, what was given, what is allowed."""
    words = option.metadata.get("values", ())
    hint = nearest(value, words) if isinstance(value, str) and words != ON_OFF else ""
    return RulesetError(f"option {option.name!r} cannot be {shown(value)}{hint}: {allowed(option)}")


def allowed(option: "Field[Any]") -> str:
    """Return what an option may be, in words."""
    metadata = option.metadata
    if metadata.get("values") == ON_OFF:
        return "on or off"
    if "values" in metadata:
        return f"{', '.join(metadata['values'])}{metadata['also']}"
    if "numbers" not in metadata:
        return str(metadata["allowed"])
    if metadata["numbers"]:
        return " or ".join(map(str, metadata["numbers"]))
    usual = ", or 'default'" if option.default is None else ""
    return f"a whole number, {metadata['least']} to {metadata['most']}{usual}"


def shown(value: object) -> str:
    """Return a value as a message shows it: as TOML writes it, or what kind of thing it is."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, list):
        return "a list"
    if hasattr(value, "isoformat"):
        return f"the date or time {value}"
    return quote(value)


def format_value(value: object) -> str:
    """Return the text of an option's value."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return "default" if value is None else str(value)


def parse_value(option: "Field[Any]", value: object) -> Any:
    """Return the value of an option given as TOML or as the text of `format_value`.

    Raises:
        RulesetError: It is written as no value of this kind; what has the right form may still be refused.
    """
    if option.metadata.get("values") == ON_OFF and value in ON_OFF:
        return value == "on"
    if "numbers" in option.metadata and isinstance(value, str):
        if value == "default" and option.default is None:
            return None
        if not (value.isascii() and value.isdigit() and len(value) <= LONGEST_NUMBER):
            raise refusal(option, value)
        return int(value)
    if option.name == "players" and isinstance(value, int) and 2 <= value < 10**LONGEST_NUMBER:
        return str(value)
    return value


def check_value(option: "Field[Any]", value: object) -> None:
    """Refuse a value that an option does not have.

    Raises:
        RulesetError: It has another kind of value, or other values.
    """
    metadata = option.metadata
    if metadata.get("values") == ON_OFF:
        fits = isinstance(value, bool)
    elif "values" in metadata:
        fits = isinstance(value, str) and value in metadata["values"]
    elif "numbers" not in metadata:
        fits = isinstance(value, str)
    elif value is None or isinstance(value, bool) or not isinstance(value, int):
        fits = value is None and option.default is None
    else:
        fits = value in (metadata["numbers"] or range(metadata["least"], metadata["most"] + 1))
    if not fits:
        raise refusal(option, value)
