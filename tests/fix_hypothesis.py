"""Hypothesis without a clock and without luck: no example has a deadline, and each run has the same examples.

`ARENA_LUCK=1` draws others, for a search by hand. The uncompiled core is put to fewer: it is the same source.
"""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "arena",
    deadline=None,
    derandomize=os.environ.get("ARENA_LUCK", "") != "1",
    max_examples=40 if os.environ.get("ARENA_ENGINE") == "pure" else 100,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("arena")
