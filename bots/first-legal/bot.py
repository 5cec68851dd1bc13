"""The first of the legal moves, always: the fastest bot there is, a yardstick for the arena's own speed."""

from arena.bot import Bot, View, serve


class FirstLegal(Bot):
    """Index 0. By the list's fixed order: red before blue, low before high, playing before drawing."""

    description = "first-legal"

    def move(self, view: View) -> int:
        """Answer without looking."""
        del view
        return 0


serve(FirstLegal)
