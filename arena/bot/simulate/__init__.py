"""The arena's own engine as a simulator, for bots that look ahead: worlds that a question allows, played on.

    worlds = Worlds(view)                     # once for a question
    world = worlds.deal()                     # every card placed, as chance may have placed them
    world.play(view.legal[0])                 # what the arena would do with this move
    world.play_out()                          # to the end of the round, at random
    world.gain(view.seat)                     # what the round then brought this seat

`Worlds` deals what nobody has shown by lot, `World` is one such deal and plays on by the rules in force, and
`Player` is a quick, fair player for both sides of a look ahead. A world holds one round. It is the engine
that referees the match, compiled where the arena's is; it knows of the real table only what the view does.
Importing it costs 30 ms, which a bot without it does not pay.
"""

from arena.rules.engine import use_compiled

use_compiled("bot/simulate", __path__)

# isort: split
# The line above decides from where the modules below come: it must stand first.
from arena.bot.simulate.player import Player  # noqa: E402
from arena.bot.simulate.world import World  # noqa: E402
from arena.bot.simulate.worlds import Worlds  # noqa: E402

__all__ = ["Player", "World", "Worlds"]
