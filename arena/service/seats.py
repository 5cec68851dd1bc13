"""From bundles to running bots: extract, grant limits, start side by side, give everything back.

Owns what check games and jobs have in common. Refuses to know what is played.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from arena.botproc.limits import DEFAULT_CEILING, Limits, grant_limits
from arena.botproc.live import LiveBot
from arena.botproc.process import start_seats
from arena.botproc.runtimes import get_kind
from arena.botproc.sandbox import Sandbox
from arena.botproc.seat import SeatOrder
from arena.bundle.cache import BundleCache
from arena.bundle.manifest import Manifest
from arena.bundle.pack import load_manifest, pack_folder
from arena.service.seats_folder import seats_folder

HOUSE = Path(__file__).resolve().parent.parent / "botproc" / "house"
USUAL_HELLO_S = 5.0


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot that is to be started."""

    name: str
    """For messages to people; no bot sees it."""
    folder: Path
    """Its extracted bundle."""
    manifest: Manifest
    limits: Limits

    @property
    def hello_ms(self) -> int | None:
        """The time for its hello where its runtime needs more than the usual, else None."""
        hello_s = get_kind(self.manifest.runtime).hello_s
        return int(hello_s * 1000) if hello_s > USUAL_HELLO_S else None


def enter_bundle(
    cache: BundleCache,
    name: str,
    digest: str,
    load: Callable[[], bytes],
    ceiling: Limits = DEFAULT_CEILING,
) -> Entrant:
    """Make a stored bundle ready to start; `load` is asked for its bytes when they are not here yet.

    Raises:
        UsageError: The bundle, its manifest or what it asks for is not allowed.
        PlatformError: The bundle's bytes are damaged, or the disk does not take them.
    """
    folder = cache.extracted(digest, load)
    manifest = load_manifest(folder)
    return Entrant(name, folder, manifest, grant_limits(manifest.limits, ceiling))


def house_bot(cache: BundleCache) -> Entrant:
    """Return the house's own bot, from the cache as any other: users of seats may not reach its source."""
    bundle = pack_folder(HOUSE)
    return enter_bundle(cache, bundle.manifest.name, bundle.digest, lambda: bundle.data)


@contextmanager
def running(
    sandbox: Sandbox, entrants: Sequence[Entrant], core: int | None = None
) -> Iterator[list[LiveBot]]:
    """Start fresh processes of all bots and end them with the block; from the main thread only.

    Raises:
        PlatformError: The machine could not start them.
    """
    with ExitStack() as stack:
        root = stack.enter_context(seats_folder())
        orders = [
            SeatOrder(entrant.folder, entrant.manifest, entrant.limits, root / str(number), core)
            for number, entrant in enumerate(entrants)
        ]
        seats = start_seats(sandbox, orders)
        for seat in seats:
            stack.callback(seat.close)
        yield [
            LiveBot(entrant.name, seat, entrant.limits, entrant.hello_ms)
            for entrant, seat in zip(entrants, seats, strict=True)
        ]
