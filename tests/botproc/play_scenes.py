"""The stage's door: `play_scenes.py SHAPE`, a process that reads scenes and tells what came of them, as JSON.

It runs as whoever starts it, so the same scenes are played as root and as an ordinary user. It plays the
arena's part with the project's own code; what happened is judged by the tests that start it.
"""

# Printing is how it tells.
# ruff: noqa: T201

import json
import os
import shutil
import sys
import tempfile
import traceback
from pathlib import Path

from beside import OTHERS
from container import forbid_namespaces
from duels import DUELS
from scenes import SCENES
from stage import Stage, leftovers


def play(stage: Stage, scene: str, arguments: dict[str, object]) -> dict[str, object]:
    """Play one scene and add what is left over after it."""
    given = arguments.pop("args", [])
    result = (SCENES | OTHERS | DUELS)[scene](stage, *given, **arguments)  # type: ignore[misc]
    result["leftovers"] = leftovers(stage)
    result["level"] = str(stage.sandbox.level)
    result["bounds_memory"] = stage.sandbox.cgroups.bounds_memory
    return result


def main() -> None:
    """Play the scenes that are asked for, one a line, in one sandbox."""
    shape = sys.argv[1]
    if shape == "landlock":
        forbid_namespaces()
    folder = Path(tempfile.mkdtemp(prefix="arena-stage-"))
    folder.chmod(0o755)
    try:
        stage = Stage(shape, Path(os.environ["STAGE_HOSTILE"]), folder)
        for line in sys.stdin:
            scene, arguments = json.loads(line)
            try:
                result = play(stage, scene, arguments)
            except Exception:  # noqa: BLE001 (whatever it was, the test that asked is to see it)
                result = {"error": traceback.format_exc()}
            print(json.dumps(result), flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
