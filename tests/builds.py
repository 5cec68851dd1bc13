"""How tests build bots in other languages: by each bot's own command, told by the environment to be quick.

What is shipped is optimised, and a test that compares decisions needs none of that. Bot and template of a
language stand on the same packages, so what one has compiled of them the other finds.
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
QUICK_BUILD = {
    "CARGO_TARGET_DIR": str(ROOT / "build" / "cargo"),
    "CMAKE_BUILD_TYPE": "None",  # no flags at all
    "MAVEN_OPTS": "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto",
}
"""Environment variables of Cargo, CMake and Maven; Go keeps a cache of its own, and TypeScript is quick."""
