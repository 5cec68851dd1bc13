"""What every command shares: settings, terminal, database, workers.

Owns the way from the global options to open servers, each opened when a command first asks for it. Refuses to
leave anything running that this command started for itself alone, however it ends.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.terminal import Terminal

if TYPE_CHECKING:
    from arena.botproc.level import Level
    from arena.botproc.limits import Limits
    from arena.botproc.sandbox import Sandbox, SandboxSettings
    from arena.bundle.cache import BundleCache
    from arena.bundle.manifest import Manifest
    from arena.bundle.pack import Bundle
    from arena.config import Settings
    from arena.service.check import CheckReport
    from arena.service.status import Status
    from arena.store.pool import Database

SILENCE_S = 2.0
"""How long a command waits for another one before it says so."""


@dataclass(frozen=True)
class Crew:
    """The workers that play what a command asks for."""

    amount: int
    """How many there are on this machine."""
    is_own: bool
    """Whether they were started for commands like this one, and stop with the last of them."""
    interrupted: Sequence[str] = ()
    """Tournaments that a killed command had left under way."""

    def tell_interrupted(self, terminal: "Terminal", name: str) -> None:
        """Say which tournaments, beside the own one, now wait until they are run again."""
        for other in self.interrupted:
            if other != name:
                terminal.note(f"{other} was left under way: `arena tournament run {other}` goes on with it")


class Session:
    """One run of the command."""

    def __init__(
        self,
        *,
        flags: Mapping[str, Any],
        file: Path | None = None,
        debug: bool = False,
        with_hints: bool = True,
    ) -> None:
        self._flags = dict(flags)
        self._file = file
        self.debug = debug
        """Whether a traceback is wanted."""
        self.terminal = Terminal(with_hints=with_hints)
        """Where the command writes."""

    def set(self, **flags: object) -> None:
        """Add settings that a command's own options give; None stands for "not given"."""
        self.__dict__.pop("settings", None)
        self._flags |= {name: value for name, value in flags.items() if value is not None}

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
        from arena.service.visit import visit

        with self.told_of_waiting(), visit(self.settings, make=make) as database:
            yield database

    @contextmanager
    def told_of_waiting(self) -> Iterator[None]:
        """Say so where another command starts or stops something in the data folder and this one waits."""
        import threading

        from arena.embedded.folder import DataFolder

        over = threading.Event()
        folder = DataFolder(self.settings.data_folder)

        def tell() -> None:
            if not over.wait(SILENCE_S) and (holder := folder.holder(besides=os.getpid())):
                self.terminal.note(f"waiting for {holder}, which starts or stops something in {folder.path}")

        thread = threading.Thread(target=tell, daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    @property
    def owner(self) -> str:
        """The owner label of what is submitted."""
        import getpass

        if self.settings.owner:
            return self.settings.owner
        try:
            return getpass.getuser()
        except (KeyError, OSError):  # a user without an entry in the password file, as in containers
            return f"uid-{os.getuid()}"

    def sandbox(self) -> "Sandbox":
        """Prove and return this machine's best sandbox, or the one that was asked for.

        Raises:
            PlatformError: None withstood; the message says why and what to do.
        """
        from arena.botproc.probe import open_sandbox

        return open_sandbox(*self.sandbox_settings())

    def sandbox_settings(self) -> "tuple[SandboxSettings, Level | None]":
        """Return what the sandbox is made of, and the level that is wanted; None is the best there is."""
        from arena.botproc.sandbox import SandboxSettings
        from arena.botproc.uids import UidPool

        settings = self.settings
        pool = UidPool(settings.uid_first, settings.uid_count)
        return SandboxSettings(cache_dir=self.cache, uids=pool), self._wanted_level

    @property
    def _wanted_level(self) -> "Level | None":
        """The level of the settings; None is the best there is."""
        from arena.botproc.level import Level

        return None if self.settings.sandbox == "auto" else Level(self.settings.sandbox)

    def check_level(self) -> None:
        """Refuse a level of isolation that this user cannot have, before anything is started for it.

        Raises:
            UsageError: Says which ones there are.
        """
        from arena.botproc.probe import check_level

        check_level(self._wanted_level)

    def bundles(self) -> "BundleCache":
        """Return where unpacked bundles are kept."""
        from arena.bundle.cache import BundleCache

        return BundleCache(self.cache / "bundles")

    def build(self, source: Path, *, plays: bool = True) -> "Bundle":
        """Build a bot's folder, or open a zip, and look at what its command starts.

        Args:
            source: Where the bot lies.
            plays: Whether it is to play in a sandbox: what cannot play here is then refused before its build,
                whose lines are not all shown.
        """
        from arena.bundle.named import named
        from arena.cli.building import Building
        from arena.embedded.folder import DataFolder
        from arena.service import bots, build

        ceiling = self.ceiling  # what is wrong with a setting is not the bot's
        admit = self.admit if plays else None
        with named(source):
            if source.is_dir():
                folder = DataFolder(self.settings.data_folder)
                with Building(self.terminal, folder, source, shows_all=not plays) as listener:
                    build.build_bot(source, ceiling, listener, admit)
            bundle = bots.read_bundle(source)
            notes = build.inspect_bundle(bundle, self.cache, ceiling)
            if admit is not None:
                admit(bundle.manifest)
        for note in notes:
            self.terminal.note(f"note: {source}: {note}")
        return bundle

    def admit(self, manifest: "Manifest") -> None:
        """Refuse a bot that cannot be played on this machine.

        Raises:
            LackingError: It has not the bot's runtime, or its sandbox gives less than the bot asks for.
        """
        from arena.botproc.runtimes import find_runtime

        find_runtime(manifest.runtime, self.cache)
        if manifest.needs_proc or manifest.needs_tmp:
            self.sandbox().refuse(manifest)

    def check(self, sandbox: "Sandbox", bundle: "Bundle") -> "CheckReport":
        """Play the check game of a bundle."""
        from arena.service.check import check_bundle

        return check_bundle(sandbox, self.bundles(), bundle, ceiling=self.ceiling)

    @property
    def ceiling(self) -> "Limits":
        """Return the most that a bot may ask for here."""
        from arena.botproc.limits import make_ceiling

        return make_ceiling(self.settings.memory_mib_max, self.settings.processes_max)

    @property
    def cache(self) -> Path:
        """Where unpacked bundles and the bots' Python lie; made when it is asked for."""
        from arena.embedded.folder import DataFolder

        folder = DataFolder(self.settings.data_folder)
        folder.make()
        return folder.cache

    def check_broker(self) -> str:
        """Return why the queue cannot be reached and what to do, or an empty text."""
        from arena import broker
        from arena.errors import PlatformError
        from arena.service import platform

        try:
            url = platform.find_servers(self.settings).broker_url
        except PlatformError as error:
            return str(error)
        return broker.check(broker.make_app(url))

    def look(self, database: "Database", broken: str = "") -> "Status":
        """Return what runs and what blocks; `broken` says why the queue cannot be reached, if it cannot."""
        from arena.service.dead import find_dead
        from arena.service.status import status

        silent_s, dead = self.settings.silent_s, find_dead(self.settings)
        return status(database, broker_error=broken, silent_s=silent_s, dead=dead)

    @contextmanager
    def workers(self) -> Iterator["Crew"]:
        """Start what is missing to play, say who plays, and stop what was started."""
        from arena.embedded.workers import usable_cores
        from arena.service import platform, visit

        self.check_level()
        if not any(name.startswith("worker") for name in platform.running(self.settings)):
            self.terminal.note("starting servers and workers")  # each proves its sandbox first
        with self.told_of_waiting(), visit.crew(self.settings) as crew:
            for notice in crew.notices:
                self.terminal.note(notice)
            amount = self.settings.workers or len(usable_cores())
            yield Crew(amount, is_own=crew.is_temporary, interrupted=crew.interrupted)


pass_session = click.make_pass_decorator(Session)
"""Hands the session to a command as its first argument."""

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
"""The option of every listing."""
