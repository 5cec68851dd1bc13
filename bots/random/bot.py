"""Any legal move, each as likely as the others: what every other bot must beat."""

from arena.bot import Bot, Move, View, serve


class Random(Bot):
    """Uniform over the list of legal moves, drawing and bluffs included."""

    description = "random"

    def move(self, view: View) -> Move:
        """Pick one at random, with the table's own dice."""
        return view.random.choice(view.legal)


serve(Random)
