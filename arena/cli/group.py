"""A group of commands that answers a misspelt one with the nearest, and lets no option be given twice.

Of an option that takes one value, a second one would replace the first without a word: it is refused for
every command at once. A switch that can only be set may be set twice.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import ClassVar

import click

from arena.errors import UsageError, nearest


class Commands(click.Group):
    """A group that answers an unknown command with the nearest known one."""

    lazy: ClassVar[Mapping[str, str]] = {}
    """Commands that are in files of their own: the name, and `module:attribute` below `arena.cli`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands, those of other files too."""
        return sorted({*super().list_commands(ctx), *self.lazy})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, imported when it is needed."""
        if cmd_name not in self.lazy:
            return super().get_command(ctx, cmd_name)
        module, attribute = self.lazy[cmd_name].split(":")
        command: click.Command = getattr(import_module(f"arena.cli.{module}"), attribute)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the group's own options, each given once."""
        refuse_repeated(ctx, args)
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is named, or refuse it."""
        known = self.list_commands(ctx)
        if args and not args[0].startswith("-") and args[0] not in known:
            where = f"{ctx.command_path} --help"
            raise UsageError(f"no command {args[0]!r}{nearest(args[0], known)}; `{where}` lists them")
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None and not isinstance(command, Commands):
            refuse_repeated(click.Context(command, ctx, name, resilient_parsing=ctx.resilient_parsing), rest)
        return name, command, rest


def refuse_repeated(ctx: click.Context, args: Sequence[str]) -> None:
    """Refuse an option that takes one value and is given twice.

    Raises:
        UsageError: There is one.
    """
    if ctx.resilient_parsing:
        return  # a line that is still being written
    *_, given = ctx.command.make_parser(ctx).parse_args(args=list(args))
    seen = set()
    for option in given:
        if isinstance(option, click.Option) and loses_the_first(option):
            if option in seen:
                raise UsageError(f"{max(option.opts, key=len)} is given twice: it takes one value")
            seen.add(option)


def loses_the_first(option: click.Option) -> bool:
    """Say whether an option that is given again forgets what it was given before."""
    if option.is_flag:
        return bool(option.secondary_opts)
    return not option.multiple and not option.count
