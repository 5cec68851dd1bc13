"""The command `arena`: parse, call one use case, present; the use cases are in `arena.service`.

    app.py        the group of all commands, and how an error becomes one line and an exit code
    commands.py   the commands' class: errors with the nearest known word, help, completion
    session.py    what every command shares: settings, database, terminal
    terminal.py   tables and lines, on a terminal and on a pipe; everything is escaped here
    *.py          one file a noun: bot, tournament, standings, match, rules, servers, worker

Importing this package imports nothing else, and the commands import what they need when they run: help and
completion answer at once.
"""

try:
    # Of the signal module only what is built in: the module itself takes longer than a hasty finger.
    import _signal  # type: ignore[import-not-found]
    import os
    import sys

    # "-m" or the installed script: this is the command, not a test that imports it.
    is_command = sys.argv[:1] == ["-m"] or "".join(sys.argv[:1]).endswith("/arena")
    if is_command and _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        # Until the command knows what to do, it ends by the signal, as programs do: no traceback.
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
except KeyboardInterrupt:
    raise SystemExit(3) from None

from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    # Before it is needed: who is interrupted while a module is imported cannot import it.
    from arena.cli.again import interrupted

    def leave(*_: object) -> None:
        """End before anything is begun or open: the imports of a command take longer than a hasty finger."""
        with open(2, "w", closefd=False) as err:
            err.write(f"arena: {interrupted()}\n")
        os._exit(3)

    if _signal.getsignal(_signal.SIGINT) in {_signal.SIG_DFL, _signal.default_int_handler}:
        _signal.signal(_signal.SIGINT, leave)
    from arena.cli.app import run

    try:
        code = run(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:  # it came between the last word of a command and its end
        code = 3
    # All is done and said: an interrupt now has nothing to interrupt but the interpreter's own end.
    _signal.signal(_signal.SIGINT, _signal.SIG_IGN)
    # Where an interrupt came while a text was run as code (a dataclass in the making), Python remembers it
    # although it was answered, and die of it instead of giving our exit code; running another forgets it.
    exec("")  # noqa: S102
    sys.exit(code)
