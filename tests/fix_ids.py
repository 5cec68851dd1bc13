"""The names of parametrised tests: each worker must collect the same ones, and people be able to read them.

A test that is given a file's bytes would be named by all of them, dates included.
"""

SHOWN = 24
"""A value of more bytes is named by its length."""


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name long bytes by their length; all else as pytest does."""
    return f"{len(val)}-bytes" if isinstance(val, bytes) and len(val) > SHOWN else None
