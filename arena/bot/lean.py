"""Leaves out of a bot's start what gRPC and protobuf load and a synchronous bot never uses.

gRPC loads its asyncio half, and asyncio loads TLS; protobuf loads a parser in Python beside the compiled
one. That was two fifths of the processor time until a bot can answer, in every job. Whoever uses one of them
too imports it before `serve`: what is loaded already is not left out, and nothing is hidden afterwards.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Final

ASYNCHRONOUS: Final = ("asyncio", "grpc.aio")
"""Loaded by gRPC for its asynchronous API."""
IN_PYTHON: Final = "google.protobuf.internal.python_message"
"""Loaded by protobuf, used only where there is no compiled parser."""


class _LeftOut(ModuleType):
    """Stands for a module that nobody calls; whatever is looked up in it while others load is a class."""

    def __getattr__(self, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        return object


@contextmanager
def left_out() -> Iterator[None]:
    """Load gRPC and protobuf without what a synchronous bot does not need of them."""
    loaded = any(name in sys.modules for name in ("grpc", *ASYNCHRONOUS))
    names = [] if loaded else [*ASYNCHRONOUS]
    if IN_PYTHON not in sys.modules and _has_compiled_parser():
        names.append(IN_PYTHON)
    standing = {name: _LeftOut(name) for name in names}
    sys.modules.update(standing)
    try:
        yield
    finally:
        for name in standing:
            del sys.modules[name]


def _has_compiled_parser() -> bool:
    from google.protobuf.internal import api_implementation  # noqa: PLC0415 (only where a bot is served)

    return str(api_implementation.Type()) == "upb"
