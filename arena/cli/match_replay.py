"""`arena match replay`: a finished match again, forwards and back, through all eyes or one seat's.

Owns the keys and where in the match one is. On a pipe the whole match is told line by line.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import click

from arena.cli.narration import Narrator, Parts, wrap
from arena.cli.session import Session, pass_session
from arena.cli.terminal import paint
from arena.errors import UsageError

if TYPE_CHECKING:
    from rich.text import Text

    from arena.cli.terminal import Terminal
    from arena.rules.frames import Frame

KEYS: Final = {
    " ": "next", "n": "next", "l": "next", "\x1b[C": "next", "\x1bOC": "next", "\r": "next", "\n": "next",
    "p": "back", "b": "back", "h": "back", "\x1b[D": "back", "\x1bOD": "back", "\x7f": "back",
    "r": "round", "\x1b[6~": "round", "R": "round before", "\x1b[5~": "round before",
    "g": "first", "\x1b[H": "first", "G": "last", "\x1b[F": "last",
    "a": "all", "q": "quit", "\x04": "quit", "\x1b": "quit", "": "quit",
} | {str(seat): f"seat {seat}" for seat in range(10)}  # fmt: skip
"""What each key does."""
HELP: Final = "space, n, right: on   b, left: back   r, R: a round on, back   g, G: begin, end"


@click.command("replay", epilog="Example: arena match replay 17 --seat 0")
@click.argument("number", type=int)
@click.option("--seat", type=click.IntRange(0, 9), help="Through the eyes of this seat.  [default: all]")
@click.option("--step", type=click.IntRange(min=0), default=0, help="Begin after so many decisions.")
@pass_session
def replay(session: Session, number: int, seat: int | None, step: int) -> None:
    """Play a finished match again, step by step, once all matches of its deal set are played.

    On a terminal keys go forwards and back, and change whose cards are seen; on a pipe all steps are printed.
    In the list of what a bot may do `?` marks a bluff.
    """
    from arena.service import proofs

    with session.database() as database:
        row, frames = proofs.replay(database, number)
    if seat is not None and seat >= len(row.bots):
        raise UsageError(f"--seat {seat}: match {number} has seats 0 to {len(row.bots) - 1}")
    film = Film(row.bots, frames, seat, min(step, len(frames) - 1))
    if session.terminal.is_interactive and sys.stdin.isatty():
        _walk(session.terminal, film)
        session.terminal.hint(f"arena match show {number}", f"arena match why {number}")
        return
    for parts in film.everything():
        session.terminal.painted(parts)


class Film:
    """A match, and where in it one is."""

    def __init__(self, names: Sequence[str], frames: "Sequence[Frame]", viewer: int | None, at: int) -> None:
        self._names, self._frames, self._at = names, frames, at
        self._narrator = Narrator(names, viewer)
        self.over = False
        """Whether the viewer has seen enough."""

    def press(self, key: str) -> None:
        """Do what a key means; an unknown one means nothing."""
        action = KEYS.get(key, "")
        if action == "quit":
            self.over = True
        elif action == "all":
            self._narrator = Narrator(self._names)
        elif action.startswith("seat ") and int(action[5:]) < len(self._names):
            self._narrator = Narrator(self._names, int(action[5:]))
        elif action == "first":
            self._at = 0
        elif action == "last":
            self._at = len(self._frames) - 1
        elif action == "next":
            self._at = self._step(1)
        elif action == "back":
            self._at = self._step(-1)
        elif action == "round":
            self._at = self._find_round(range(self._at + 1, len(self._frames)), len(self._frames) - 1)
        elif action == "round before":
            self._at = self._find_round(range(self._at - 1, -1, -1), 0)

    def screen(self, height: int, width: int = 1000) -> Iterator[Parts]:
        """Return what is seen now, in at most so many lines, none of them wider."""
        frame = self._frames[self._at]
        eyes = "all" if self._narrator.viewer is None else f"seat {self._narrator.viewer}"
        head: Parts = [(f"decision {self._at} of {len(self._frames) - 1}   seen by {eyes}", "bold")]
        keys = [(HELP, "dim")], [(f"0-{len(self._names) - 1}: that seat's view   a: all   q: quit", "dim")]
        top, foot = list(wrap(head, width)), [line for parts in keys for line in wrap(parts, width)]
        picture = [line for parts in self._narrator.picture(frame.position) for line in wrap(parts, width)]
        told = [
            line for step in frame.steps for parts in self._narrator.tell(step) for line in wrap(parts, width)
        ]
        room = height - len(top) - len(foot) - 3
        if len(picture) > room > 0:
            more = len(picture) - room + 1
            picture[room - 1 :] = [[(f"… {more} more lines: a seat's number shows its own", "dim")]]
        room -= len(picture)
        yield from (*top, [], *picture, [], *(told[-room:] if room > 0 else []), [], *foot)

    def everything(self) -> Iterator[Parts]:
        """Return the whole match from here, line by line."""
        for frame in self._frames[self._at :]:
            for step in frame.steps:
                yield from self._narrator.tell(step)
        yield from self._narrator.picture(self._frames[-1].position)

    def _step(self, by: int) -> int:
        """Return where the next step is that the viewer is told of."""
        at = self._at + by
        while 0 < at < len(self._frames) - 1 and not self._tells(at):
            at += by
        return min(max(at, 0), len(self._frames) - 1)

    def _tells(self, at: int) -> bool:
        return any(True for step in self._frames[at].steps for _ in self._narrator.tell(step))

    def _find_round(self, places: range, otherwise: int) -> int:
        begins = (
            at for at in places if any(step.get("event") == "round_began" for step in self._frames[at].steps)
        )
        return next(begins, otherwise)


def _walk(terminal: "Terminal", film: Film) -> None:
    """Show pictures and obey keys, on a screen of their own, until the viewer quits."""
    console = terminal.console()
    with _keys() as descriptor, console.screen(hide_cursor=True) as screen:
        try:
            while not film.over:
                lines = film.screen(console.height, console.width)
                screen.update(_fit([paint(parts) for parts in lines]))
                film.press(_read_key(descriptor))
        except KeyboardInterrupt:  # the natural way to leave: nothing is left undone
            pass


def _fit(lines: "Sequence[Text]") -> "Text":
    """Return lines as one text in which none is broken."""
    from rich.text import Text

    return Text("\n", no_wrap=True, overflow="ellipsis").join(lines)


@contextmanager
def _keys() -> Iterator[int]:
    """Give each key at once and unseen; afterwards the terminal is as it was."""
    import termios
    import tty

    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    try:
        # What is typed already counts.
        tty.setcbreak(descriptor, termios.TCSADRAIN)
        yield descriptor
    finally:
        try:
            termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
        except termios.error:  # the terminal was closed: no viewer has left by a key
            raise KeyboardInterrupt from None


def _read_key(descriptor: int) -> str:
    """Return one key: a character, or the whole sequence of an arrow or page key; empty at the end."""
    import select

    try:
        key = os.read(descriptor, 1)
    except OSError:  # the terminal was closed
        return ""
    if key == b"\x1b":
        while select.select([descriptor], [], [], SEQUENCE_S)[0] and (more := os.read(descriptor, 1)):
            key += more
            if more not in b"[O0123456789;":
                break
    return key.decode("ascii", "replace")


SEQUENCE_S: Final = 0.05
"""A terminal sends the rest of a sequence at once; a lone Escape is followed by nothing."""
