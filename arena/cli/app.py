"""The group of all commands, and how an error becomes one line and an exit code.

Owns the global options and the exit codes; the commands are in the files beside. A mistake is answered with
the nearest known word. Refuses to show a traceback unless --debug asks for it.
"""

import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Final

import click

from arena import __version__
from arena.cli.again import interrupted
from arena.cli.arguments import FilePath, check_arguments, open_streams, shorten
from arena.cli.endings import ended_in_order
from arena.cli.group import Commands
from arena.cli.session import Session
from arena.cli.streams import told
from arena.cli.terminal import Terminal
from arena.errors import ArenaError, PlatformError, UnfinishedError, UsageError
from arena.files import REFUSED, WRONG_PATHS, cure

COMMANDS: Final = {
    "up": "servers",
    "down": "servers",
    "status": "servers",
    "doctor": "doctor",
    "bot": "bot",
    "tournament": "tournament",
    "standings": "standings",
    "crosstable": "crosstable",
    "habits": "habits",
    "report": "report",
    "compare": "compare",
    "match": "match",
    "rules": "rules",
    "backup": "backup",
    "restore": "backup",
    "prune": "prune",
    "migrate": "migrate",
    "worker": "worker",
    "config": "config",
    "completion": "completion",
}
"""Each command and the file it is in, in the order of the help."""

ASKED: Final = "_ARENA_COMPLETE"
"""The variable in which a shell asks for the continuations of a line."""

EPILOG: Final = "Example: arena tournament run cup greedy random veteran"
CODES: Final = (
    ("0", "done"),
    ("2", "the command was wrong, or a bot failed its check: stderr says what is allowed; no more is stored"),
    ("3", "begun and not finished, or interrupted: the same command goes on"),
    ("4", "the platform failed (database, queue, sandbox, disk): the same command can be tried again"),
)
"""What each exit code means."""
MOST_HELP: Final = 100
LEAST_HELP: Final = 30
"""A help is no wider than the one, and no narrower than the other, in columns."""


class Arena(Commands):
    """The command `arena`; each of its commands is imported when it is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        """List the commands in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command from its file."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"arena.cli.{COMMANDS[cmd_name]}"), cmd_name)
        return command

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the example, and what the exit codes mean."""
        super().format_epilog(ctx, formatter)
        with formatter.section("Exit codes, the same for every command"):
            formatter.write_dl(CODES)


def _help_width() -> int:
    """Return how wide a help is: as the terminal, which click by itself takes for 50 columns at least."""
    return max(LEAST_HELP, min(shutil.get_terminal_size().columns, MOST_HELP)) - 2


class Help(click.HelpFormatter):
    """Writes a help; where a terminal is narrow, what an option means begins further left."""

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write names and their meanings in two columns."""
        super().write_dl(rows, col_max if self.width >= 2 * col_max - 10 else self.width // 3, col_spacing)


click.Context.formatter_class = Help


@click.group(
    cls=Arena,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "terminal_width": _help_width()},
)
@click.option("--data-folder", type=FilePath(), help="Where servers keep their data.  [default: .arena]")
@click.option("--config", type=FilePath(), help="Settings file.  [default: arena.toml]")
@click.option("--no-hints", is_flag=True, help="Name no next steps at the end.")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.version_option(__version__, prog_name="arena", message="%(prog)s %(version)s")
@click.pass_context
def arena(
    ctx: click.Context, data_folder: Path | None, config: Path | None, no_hints: bool, debug: bool
) -> None:
    """Bots in any language compete at UNO, each in its own sandbox."""
    ctx.obj = Session(flags={"data_folder": data_folder}, file=config, debug=debug, with_hints=not no_hints)


def run(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit code."""
    # gRPC's library has a log of its own on stderr, which is the person's.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    # A standing has small matrices: on a busy machine threads wait for each other longer than one computes.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if refusal := open_streams():
        Terminal().error(refusal)
        return UsageError.exit_code
    terminal = Terminal()
    try:
        with ended_in_order():
            return _answer(list(arguments), terminal)
    except KeyboardInterrupt:  # while an error was told
        return UnfinishedError.exit_code


def _answer(arguments: list[str], terminal: Terminal) -> int:
    """Do what the arguments say; tell what went wrong in one line; return the exit code."""
    try:
        return _do(arguments, terminal)
    except click.ClickException as error:
        terminal.error(shorten(_describe(error), arguments))
        return UsageError.exit_code
    except ArenaError as error:
        _show_traceback(arguments)
        terminal.error(shorten(str(error), arguments))
        terminal.output(error.output)
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        terminal.error(interrupted())
        return UnfinishedError.exit_code
    except BrokenPipeError:
        # Whoever read the results has seen enough; the interpreter must not try to flush them.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        _show_traceback(arguments)
        # A path may be deep: who is told where it begins finds the rest.
        name = shorten(str(error.filename or ""), [str(error.filename)])
        where = f"{name}: " if name else ""
        terminal.error(shorten(f"{where}{error.strerror or error}; {cure(error)}", arguments))
        return UsageError.exit_code if error.errno in WRONG_PATHS | REFUSED else PlatformError.exit_code
    except Exception as error:  # noqa: BLE001 (a person gets a line, whatever it was)
        _show_traceback(arguments)
        text = shorten(f"{type(error).__name__}: {error}", arguments)
        terminal.error(f"unexpected failure: {text}; add --debug for the whole story, and please report it")
        return PlatformError.exit_code


def _do(arguments: list[str], terminal: Terminal) -> int:
    """Do what the arguments say, print all of it, and return the exit code."""
    if asked := os.environ.get(ASKED):
        from arena.cli.completion import complete

        complete(arena, asked)
        return 0
    code = 0
    try:
        check_arguments(arguments)
        with arena.make_context("arena", list(arguments)) as context:
            arena.invoke(context)
    except click.exceptions.Exit as ended:
        code = ended.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        terminal.block(error.format_message(), indent="")
        code = UsageError.exit_code
    except OSError as error:
        if not _is_click_printing(error):
            raise
        with told(sys.stdout):
            raise
    terminal.flush()
    return code


def _is_click_printing(error: OSError) -> bool:
    """Whether it was click's own printing that failed: of help, of the version."""
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    return place is not None and place.tb_frame.f_globals["__name__"] == click.echo.__module__


def _describe(error: click.ClickException) -> str:
    """Return click's complaint as one line that says what to do."""
    text = error.format_message().rstrip(".")
    context = error.ctx if isinstance(error, click.UsageError) else None
    return f"{text}; see `{context.command_path} --help`" if context is not None else text


def _show_traceback(arguments: Sequence[str]) -> None:
    if "--debug" in arguments:
        import traceback

        traceback.print_exc()
