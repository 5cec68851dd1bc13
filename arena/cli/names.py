"""The kinds of names that commands take: bots, tournaments, rulesets; each completes in the shell.

Owns what an empty name is answered with, and where the known ones come from. Whether a name is known is the
use case's to say. Completion never starts a server and never fails: at worst it knows nothing.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, ClassVar

import click

from arena.cli.arguments import complete_files
from arena.errors import ArenaError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from arena.config import Settings


class _Name(click.ParamType[str]):
    """A name that the store or the rules know."""

    what: ClassVar[str]

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name; an empty one is refused."""
        name = str(value)
        if not name.strip():
            self.fail(f"the name of a {self.what} must not be empty", param, ctx)
        return name

    def known(self, ctx: click.Context) -> Iterable[str]:  # noqa: ARG002 (the signature of each kind's own)
        """Return the names there are."""
        return ()

    def shell_complete(
        self,
        ctx: click.Context,
        param: click.Parameter,  # noqa: ARG002 (click's signature)
        incomplete: str,
    ) -> "list[CompletionItem]":
        """Return the known names that begin as typed."""
        return _beginning(self.known(ctx), incomplete)


class BotName(_Name):
    """A bot, as `name`, `name@3` or `name@1a2b3c`."""

    name = "bot"
    what = "bot"

    def known(self, ctx: click.Context) -> Iterable[str]:
        """Return the bots of the store."""
        from arena.service.names import known_bots

        return _stored(ctx, known_bots)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> "list[CompletionItem]":
        """Return the known bots that begin as typed, or the versions of one that is typed already."""
        if "@" not in incomplete:
            return super().shell_complete(ctx, param, incomplete)
        from arena.service.names import known_versions

        return _beginning(_stored(ctx, known_versions), incomplete)


class BotOrPath(BotName):
    """A bot of the store, or a folder or zip."""

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> "list[CompletionItem]":
        """Return the known bots that begin as typed, and let the shell complete files."""
        return super().shell_complete(ctx, param, incomplete) + complete_files(incomplete)


class FolderOrAddress(_Name):
    """A bot's folder, or where one listens."""

    name = "bot"
    what = "bot"

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002 (click's signature)
        param: click.Parameter,  # noqa: ARG002 (click's signature)
        incomplete: str,
    ) -> "list[CompletionItem]":
        """Let the shell complete files."""
        return complete_files(incomplete)


class ColumnNames(_Name):
    """Columns of a standing, with commas between them."""

    name = "columns"
    what = "column"

    def known(self, ctx: click.Context) -> Iterable[str]:  # noqa: ARG002 (the columns are in the code)
        """Return the columns."""
        from arena.cli.standing_columns import known_columns

        return known_columns()

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> "list[CompletionItem]":
        """Return what may stand behind the last comma."""
        from click.shell_completion import CompletionItem

        before, comma, begun = incomplete.rpartition(",")
        found = super().shell_complete(ctx, param, begun)
        return [CompletionItem(f"{before}{comma}{item.value}") for item in found]


class TournamentName(_Name):
    """A tournament."""

    name = "tournament"
    what = "tournament"

    def known(self, ctx: click.Context) -> Iterable[str]:
        """Return the tournaments of the store, the newest first."""
        from arena.service.names import known_tournaments

        return _stored(ctx, known_tournaments)


class RulesetName(_Name):
    """A preset, or a TOML file."""

    name = "ruleset"
    what = "ruleset"

    def known(self, ctx: click.Context) -> Iterable[str]:  # noqa: ARG002 (the presets are in the code)
        """Return the presets."""
        from arena.rules.presets import PRESETS

        return PRESETS

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> "list[CompletionItem]":
        """Return the presets that begin as typed, and let the shell complete files."""
        return super().shell_complete(ctx, param, incomplete) + complete_files(incomplete)


ruleset_option = click.option(
    "--rules",
    "ruleset",
    metavar="RULESET|FILE",
    type=RulesetName(),
    default="mattel",
    show_default=True,
    help="The game: a preset, or a TOML file.",
)
"""The game of a command that plays at once and has one in any case."""


class LevelName(_Name):
    """A level of isolation."""

    name = "level"
    what = "level"

    def known(self, ctx: click.Context) -> Iterable[str]:  # noqa: ARG002 (the levels are in the code)
        """Return the levels."""
        from arena.config import LEVELS

        return LEVELS


class VerdictName(_Name):
    """A kind of fault."""

    name = "verdict"
    what = "verdict"

    def known(self, ctx: click.Context) -> Iterable[str]:  # noqa: ARG002 (the verdicts are in the code)
        """Return the verdicts."""
        from arena.match.fault import FaultKind

        return [kind.value for kind in FaultKind]


class EndingName(_Name):
    """What a match can end by."""

    name = "ending"
    what = "ending"

    def known(self, ctx: click.Context) -> Iterable[str]:  # noqa: ARG002 (the endings are in the code)
        """Return the endings."""
        from arena.rules.standing import ENDINGS, NOT_OVER

        return [ending for ending in ENDINGS if ending != NOT_OVER]


def _beginning(names: Iterable[str], incomplete: str) -> "list[CompletionItem]":
    """Return the names that begin as typed."""
    from click.shell_completion import CompletionItem

    typed = incomplete.casefold()
    return [CompletionItem(name) for name in names if name.casefold().startswith(typed)]


def _stored(ctx: click.Context, fetch: "Callable[[Settings], list[str]]") -> list[str]:
    """Return names from the database of the settings; nothing where it does not run."""
    try:
        return fetch(_settings(ctx))
    except (ArenaError, OSError, ValueError):
        return []


def _settings(ctx: click.Context) -> "Settings":
    """Return the settings, from the global options that stand before the command."""
    import os

    from arena.config import load_settings

    given = ctx.find_root().params
    flags = {"data_folder": given.get("data_folder")}
    return load_settings(flags, environment=os.environ, file=given.get("config"))
