"""How tests build bots in other languages: by each bot's own command, told by the environment to be quick.

What is shipped is optimised, and a test that compares decisions needs none of that. Bot and template of a
language stand on the same packages, so what one has compiled of them the other finds.
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
QUICK_BUILD = {
    "CARGO_TARGET_DIR": str(ROOT / "build" / "cargo"),
    # The same settings for what runs while building and for the bot: what both stand on is compiled once.
    "CARGO_PROFILE_RELEASE_OPT_LEVEL": "0",
    "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": "256",
    "CARGO_PROFILE_RELEASE_PANIC": "unwind",
    "CMAKE_BUILD_TYPE": "None",  # no flags at all
}
"""Environment variables of Cargo and CMake; Go keeps a cache of its own, Java and TypeScript are quick."""
