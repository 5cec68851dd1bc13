"""Hypothesis without a clock: no test of this project asserts a time, so no example has a deadline."""

from hypothesis import settings

settings.register_profile("arena", deadline=None)
settings.load_profile("arena")
