"""Lays the first playable card after a moment's thought: a job of it lasts long enough to be hurt."""

import time

from arena.bot import Bot, Choice, View, serve

THOUGHT_S = 0.006


class Plodder(Bot):
    """The same moves as anybody's first legal ones, only later."""

    def move(self, view: View) -> Choice:
        """Think, then lay the first card."""
        time.sleep(THOUGHT_S)
        return view.playable[0] if view.playable else view.legal[0]


serve(Plodder)
