"""`python -m arena.worker --core N`: what `arena up` starts; settings come from the environment.

Owns how a worker ends that is told to before it serves; from then on that is Celery's.
"""

import os
import signal
import sys
from types import FrameType
from typing import NoReturn

ENDINGS = (signal.SIGINT, signal.SIGTERM)
TOLD = "arena worker: interrupted before it took a job; the same command starts it again\n"


def leave(number: int = 0, frame: FrameType | None = None) -> NoReturn:  # noqa: ARG001 (of a handler)
    """End at once with a line.

    Python itself would end by the signal where the interrupt met code that was made from a text.
    """
    for ending in ENDINGS:
        signal.signal(ending, signal.SIG_IGN)
    sys.stderr.write(TOLD)
    sys.stderr.flush()
    os._exit(3)


def main() -> int:
    """Run a worker; an error of the arena is one line."""
    import argparse  # noqa: PLC0415

    from arena.config import load_settings  # noqa: PLC0415
    from arena.errors import ArenaError  # noqa: PLC0415

    parser = argparse.ArgumentParser(prog="python -m arena.worker")
    parser.add_argument("--core", type=int, help="pin jobs to this core")
    parser.add_argument("--wait-db", type=float, default=5.0, help="seconds to wait for the database")
    given = parser.parse_args()
    try:
        settings = load_settings(environment=os.environ)
        from arena.worker.main import run  # noqa: PLC0415 (a wrong setting is told before Celery is loaded)

        for ending in ENDINGS:
            if signal.getsignal(ending) is leave:
                # What is begun from here on, as a sandbox that is tried out, is ended in order.
                signal.signal(ending, signal.default_int_handler)
        return run(settings, core=given.core, wait_s=given.wait_db)
    except ArenaError as error:
        sys.stderr.write(f"arena worker: {error}\n")
        return error.exit_code
    except KeyboardInterrupt:
        leave()


if __name__ == "__main__":
    for early in ENDINGS:  # nothing is begun, and the imports take longer than a hasty finger
        signal.signal(early, leave)
    sys.exit(main())
