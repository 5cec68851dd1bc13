"""One match as a conversation: the referee, clock arithmetic, faults and results. Nothing here waits.

Reading order: `fault` and `result` (values), `plan` (what is to be played), `referee` (the generator that
decides), `clock` (budgets and banks), `drive` (plays a referee with Python functions), `verify`.
"""

from arena.rules.engine import use_compiled

use_compiled("match", __path__)
