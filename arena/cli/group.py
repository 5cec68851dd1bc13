"""A group of commands that answers a misspelt one with the nearest."""

from collections.abc import Mapping
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

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is named, or refuse it."""
        known = self.list_commands(ctx)
        if args and not args[0].startswith("-") and args[0] not in known:
            where = f"{ctx.command_path} --help"
            raise UsageError(f"no command {args[0]!r}{nearest(args[0], known)}; `{where}` lists them")
        return super().resolve_command(ctx, args)
