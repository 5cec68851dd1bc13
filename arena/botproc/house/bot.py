"""The house: plays the first legal move, calls UNO, and is never the reason why a check game ends early."""

from arena.bot import Bot, Move, View, serve


class House(Bot):
    """The first of the legal moves."""

    description = "house"

    def move(self, view: View) -> Move:
        """Take the first."""
        return view.legal[0]


if __name__ == "__main__":
    serve(House)
