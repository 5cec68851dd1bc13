"""The group of all commands, and how an error becomes one line and an exit code.

Owns the global options and the exit codes; the commands are in the files beside. A mistake is answered with
the nearest known word. Refuses to show a traceback unless --debug asks for it.
"""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Final

import click

from arena import __version__
from arena.cli.endings import ended_in_order
from arena.cli.group import Commands
from arena.cli.session import Session
from arena.cli.terminal import Terminal
from arena.errors import ArenaError, PlatformError, UnfinishedError, UsageError

COMMANDS: Final = {
    "up": "servers",
    "down": "servers",
    "status": "servers",
    "doctor": "doctor",
    "bot": "bot",
    "tournament": "tournament",
    "standings": "standings",
    "match": "match",
    "rules": "rules",
    "worker": "worker",
}
"""Each command and the file it is in, in the order of the help."""

EPILOG: Final = """Example: arena tournament run cup greedy random veteran

\b
Exit codes, the same for every command:
  0  done
  2  the command was wrong: the line on stderr says what is allowed; nothing was stored
  3  begun and not finished: the same command goes on
  4  the platform failed (database, queue, sandbox, disk): the same command can be tried again
"""


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


@click.group(
    cls=Arena,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--data-folder", type=click.Path(path_type=Path), help="Where servers keep their data.  [default: .arena]"
)
@click.option("--config", type=click.Path(path_type=Path), help="Settings file.  [default: arena.toml]")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.version_option(__version__, prog_name="arena", message="%(prog)s %(version)s")
@click.pass_context
def arena(ctx: click.Context, data_folder: Path | None, config: Path | None, debug: bool) -> None:
    """Bots in any language compete at UNO, each in its own sandbox."""
    ctx.obj = Session(flags={"data_folder": data_folder}, file=config, debug=debug)


def run(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit code."""
    # gRPC's library has a log of its own on stderr, which is the person's.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    terminal = Terminal()
    try:
        with ended_in_order():
            return _finish(arena.main(list(arguments), prog_name="arena", standalone_mode=False))
    except click.exceptions.NoArgsIsHelpError as error:
        terminal.block(error.format_message(), indent="")
        return UsageError.exit_code
    except click.UsageError as error:
        terminal.error(_describe(error))
        return UsageError.exit_code
    except click.ClickException as error:
        terminal.error(error.format_message())
        return UsageError.exit_code
    except ArenaError as error:
        _show_traceback(arguments)
        terminal.error(" ".join(str(error).split()))
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        terminal.error("interrupted; nothing is lost, the same command can be given again")
        return UnfinishedError.exit_code
    except BrokenPipeError:
        # Whoever read the results has seen enough; the interpreter must not try to flush them.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:  # noqa: BLE001 (a person gets a line, whatever it was)
        _show_traceback(arguments)
        text = " ".join(f"{type(error).__name__}: {error}".split())
        terminal.error(f"unexpected failure: {text}; add --debug for the whole story, and please report it")
        return PlatformError.exit_code


def _finish(result: object) -> int:
    """Return the exit code that click gives for --help and --version."""
    sys.stdout.flush()
    return result if isinstance(result, int) else 0


def _describe(error: click.UsageError) -> str:
    """Return click's complaint as one line that says what to do."""
    text = error.format_message().rstrip(".")
    return f"{text}; see `{error.ctx.command_path} --help`" if error.ctx is not None else text


def _show_traceback(arguments: Sequence[str]) -> None:
    if "--debug" in arguments:
        import traceback

        traceback.print_exc()
