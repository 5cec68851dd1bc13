"""The messages that the arena writes: `parts`, and the `writer` that joins them to turns."""

from arena.rules.engine import use_compiled

use_compiled("protocol/turn", __path__)
