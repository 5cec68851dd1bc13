"""A group of commands that answers a misspelt one with the nearest."""

import click

from arena.errors import UsageError, nearest


class Commands(click.Group):
    """A group that answers an unknown command with the nearest known one."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is named, or refuse it."""
        known = self.list_commands(ctx)
        if args and not args[0].startswith("-") and args[0] not in known:
            where = f"{ctx.command_path} --help"
            raise UsageError(f"no command {args[0]!r}{nearest(args[0], known)}; `{where}` lists them")
        return super().resolve_command(ctx, args)
