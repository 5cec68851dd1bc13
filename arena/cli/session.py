"""What every command shares: settings, terminal, database.

Owns the way from the global options to open servers, each opened when a command first asks for it. Refuses to
leave anything running that this command started for itself alone.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.terminal import Terminal

if TYPE_CHECKING:
    from arena.config import Settings
    from arena.store.pool import Database


class Session:
    """One run of the command."""

    def __init__(self, *, flags: Mapping[str, Any], file: Path | None = None, debug: bool = False) -> None:
        self._flags = dict(flags)
        self._file = file
        self.debug = debug
        """Whether a traceback is wanted."""
        self.terminal = Terminal()
        """Where the command writes."""

    def set(self, **flags: object) -> None:
        """Add settings that a command's own options give; None stands for "not given"."""
        self.__dict__.pop("settings", None)
        self._flags |= flags

    @cached_property
    def settings(self) -> "Settings":
        """The settings, from defaults, file, environment and flags."""
        from arena.config import load_settings

        return load_settings(self._flags, environment=os.environ, file=self._file)

    @contextmanager
    def database(self, *, make: bool = False) -> Iterator["Database"]:
        """Open the database; an embedded one that does not run is started, and stopped again.

        Args:
            make: Whether a data folder may be made; without it a missing one is refused.
        """
        from arena.store.migrate import migrate
        from arena.store.pool import Database

        with self._database_url(make=make) as url, Database(url) as database:
            migrate(database)
            yield database

    @contextmanager
    def _database_url(self, *, make: bool) -> Iterator[str]:
        if self.settings.database_url:
            yield self.settings.database_url
            return
        raise NotImplementedError


pass_session = click.make_pass_decorator(Session)
"""Hands the session to a command as its first argument."""

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
"""The option of every listing."""
