"""What a worker says: one line an event, for people or for programs.

Owns the two forms of a line. An event is a name and its values, written `log.info("job_claimed job=%s", 7)`;
while a job is in hand every line also carries what it is about, whoever writes it. Refuses to be set up
anywhere but in a worker's own process.
"""

import json
import logging
import re
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime

from celery.exceptions import SecurityWarning

TERSE = (
    "celery.worker.consumer.consumer",
    "celery.worker.consumer.connection",
    "celery.worker.request",
    "celery.worker.strategy",
)
"""Where Celery speaks of its broker and of what came from it."""
AGAIN_S = 600.0
"""How long the same line is not told again."""
LINE_CHARS = 400
_VALUE = re.compile(r"(\w+)=%[\w.]+")
_subject: ContextVar[Mapping[str, object]] = ContextVar("subject")


@contextmanager
def about(**values: object) -> Iterator[None]:
    """Add these values to every line that this thread writes in the block."""
    token = _subject.set({**_subject.get({}), **values})
    try:
        yield
    finally:
        _subject.reset(token)


class TextFormatter(logging.Formatter):
    """A line for people."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (the name is logging's)
        """Return the line, with what it is about at its end."""
        told = _event(record)
        more = [f"{name}={value}" for name, value in _subject.get({}).items() if name not in told]
        return " ".join([super().formatMessage(record), *more])


class JsonFormatter(logging.Formatter):
    """A line for programs: one JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        """Return time, level, logger, event, the event's values and what it is about."""
        when = datetime.fromtimestamp(record.created, UTC)
        line = {
            "time": when.isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            **_subject.get({}),
            **_event(record),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def _event(record: logging.LogRecord) -> dict[str, object]:
    """Return an event's name and values; what another library wrote is one event with its sentence."""
    name, _, rest = str(record.msg).partition(" ")
    names = _VALUE.findall(rest)
    if not record.name.startswith("arena") or not isinstance(record.args, tuple):
        return {"event": "message", "message": record.getMessage()}
    return {"event": name, **dict(zip(names, record.args, strict=False))}


class Terse(logging.Filter):
    """Makes one line of what Celery says of its connection and of strange messages, and says it once a while.

    It tries a broker that refuses it again and again, at growing intervals, which is right, and tells it with
    an error each time, which buries everything else.
    """

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._now_s = now_s
        self._told: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Shorten a record; False drops one that was told a short while ago."""
        text = record.getMessage().partition("Trying again")[0]
        if record.exc_info and record.exc_info[1] is not None and str(record.exc_info[1]) not in text:
            text = f"{text} {record.exc_info[1]}"
        text = " ".join(text.split())[:LINE_CHARS]
        record.msg, record.args, record.exc_info, record.exc_text = "%s", (text,), None, None
        if record.levelno > logging.WARNING:
            record.levelno, record.levelname = logging.WARNING, "WARNING"
        now = self._now_s()
        is_news = now - self._told.get(text, -AGAIN_S) >= AGAIN_S
        if is_news:
            self._told = {old: at for old, at in self._told.items() if now - at < AGAIN_S} | {text: now}
        return is_news


def log_to_stderr(form: str) -> None:
    """Write to the standard error from now on, as text for people or as json for programs."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter() if form == "json" else TextFormatter())
    logging.basicConfig(handlers=[handler], level=logging.WARNING)
    logging.getLogger("arena").setLevel(logging.INFO)
    terse = Terse()
    for name in TERSE:
        logging.getLogger(name).addFilter(terse)
    # Root is what gives each seat a user of its own, and messages are JSON, never pickles.
    warnings.filterwarnings("ignore", category=SecurityWarning)
