"""A column of figures, written for people and for programs; which there are is said where they are named."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from arena.cli.terminal import Column

Told = TypeVar("Told")
"""What a line of the table is about."""


@dataclass(frozen=True)
class Shown(Generic[Told]):
    """A column of a table."""

    column: Column
    """Its heading."""
    cell: Callable[[Told], str]
    """What a person reads."""
    value: Callable[[Told], object]
    """What a program gets."""
    when_any: bool = False
    """Shown unasked only where some row has it."""
    unasked: bool = True
    """Whether it is shown without being asked for."""
