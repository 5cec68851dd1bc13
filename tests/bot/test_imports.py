"""What `import arena.bot` pulls in: starting fast is part of the contract with authors."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = {"google", "grpc", "arena", "_cython", "cython_runtime"}
"""Third-party packages that the sandbox's Python folder holds."""
OPTIONAL = {"typing_extensions", "grpc_tools"}
"""What grpc itself tries to import and does without."""

PROBE = """
import sys
before = set(sys.modules)
{statement}
print("\\n".join(sorted(set(sys.modules) - before)))
"""


def modules_of(statement: str) -> set[str]:
    """Return the modules that a statement loads in a fresh interpreter."""
    command = [sys.executable, "-c", PROBE.format(statement=statement)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    return set(done.stdout.split())


def third_party(modules: set[str]) -> set[str]:
    """Return the top-level names that are not of the standard library."""
    tops = {name.partition(".")[0] for name in modules}
    return {top for top in tops - set(sys.stdlib_module_names) if not top.startswith("_")}


def test_the_sdk_needs_only_itself() -> None:
    """Importing the SDK loads the standard library and itself: no engine, no grpc, not even protobuf yet."""
    modules = modules_of("import arena.bot")
    own = {name for name in modules if name.partition(".")[0] == "arena"}

    assert third_party(modules) == {"arena"}
    assert {name for name in own if not name.startswith("arena.bot.")} == {"arena", "arena.bot"}
    assert not own & {"arena.bot.server", "arena.bot.session", "arena.bot.local"}


def test_serving_needs_only_grpc_beside() -> None:
    """The server adds grpc and nothing that the sandbox's Python folder does not hold."""
    modules = modules_of("import arena.bot.server")

    assert third_party(modules) <= SHIPPED | OPTIONAL
    assert not {name for name in modules if name.startswith(("arena.rules", "arena.match", "arena.cli"))}


def test_playing_locally_needs_no_grpc() -> None:
    """Tests of an author's bot run without grpc."""
    assert "grpc" not in modules_of("import arena.bot.local")


def test_serving_leaves_out_what_no_bot_needs() -> None:
    """A bot's start loads no asyncio, no TLS and no second parser, and afterwards they are the real ones."""
    modules = modules_of("import arena.bot.server")
    ask = "import arena.bot.server, asyncio, google.protobuf.text_format as t; print(asyncio.run, t.Parse)"

    assert not modules & {"asyncio", "ssl", "grpc.aio", "google.protobuf.internal.python_message"}
    assert {"<function", "run", "Parse"} <= modules_of(ask)


def test_what_an_author_has_loaded_stays() -> None:
    """Whoever loads asyncio, gRPC's asyncio half or protobuf's own parser before `serve` has all of it."""
    loaded = (
        "import os; os.environ['PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION'] = 'python'; import asyncio\n"
        "import arena.bot.server, grpc.aio\n"
        "from arena.protocol.pb import bot_pb2 as pb\n"
        "assert pb.Answer.FromString(pb.Answer(index=7).SerializeToString()).index == 7\n"
        "assert asyncio.iscoroutinefunction(grpc.aio.Channel.close)"
    )

    assert {"ssl", "grpc.aio", "google.protobuf.internal.python_message"} <= modules_of(loaded)
