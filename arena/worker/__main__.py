"""`python -m arena.worker --core N`: what `arena up` starts; settings come from the environment."""

import argparse
import os
import sys

from arena.config import load_settings
from arena.errors import ArenaError


def main() -> int:
    """Run a worker; an error of the arena is one line."""
    parser = argparse.ArgumentParser(prog="python -m arena.worker")
    parser.add_argument("--core", type=int, help="pin jobs to this core")
    core = parser.parse_args().core
    try:
        from arena.worker.main import run  # noqa: PLC0415 (a wrong setting is told before Celery is loaded)

        return run(load_settings(environment=os.environ), core=core)
    except ArenaError as error:
        sys.stderr.write(f"arena worker: {error}\n")
        return error.exit_code


if __name__ == "__main__":
    sys.exit(main())
