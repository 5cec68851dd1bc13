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
    parser.add_argument("--wait-db", type=float, default=5.0, help="seconds to wait for the database")
    given = parser.parse_args()
    try:
        from arena.worker.main import run  # noqa: PLC0415 (a wrong setting is told before Celery is loaded)

        return run(load_settings(environment=os.environ), core=given.core, wait_s=given.wait_db)
    except ArenaError as error:
        sys.stderr.write(f"arena worker: {error}\n")
        return error.exit_code


if __name__ == "__main__":
    sys.exit(main())
