"""The guard of `arena.service.guard`, as a program: `python -m arena.service.leftovers FD`.

Owns the wait for the end of a command. Loads nothing before that, for most commands end well and kill it.
"""

import os
import sys


def main() -> None:
    """Wait until the pipe's other end is gone, then put away what nobody uses any more."""
    os.read(int(sys.argv[1]), 1)

    from arena.config import load_settings  # noqa: PLC0415 (see above)
    from arena.service.visit import put_away  # noqa: PLC0415

    put_away(load_settings({}, environment=os.environ))


if __name__ == "__main__":
    main()
