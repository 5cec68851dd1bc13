"""What a worker says: one line an event, for people or for programs.

Owns the two forms of a line. An event is a name and its values, written `log.info("job_claimed job=%s", 7)`;
while a job is in hand every line also carries what it is about, whoever writes it. Refuses to be set up
anywhere but in a worker's own process.
"""

import json
import logging
import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime

from celery.exceptions import SecurityWarning

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


def log_to_stderr(form: str) -> None:
    """Write to the standard error from now on, as text for people or as json for programs."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter() if form == "json" else TextFormatter())
    logging.basicConfig(handlers=[handler], level=logging.WARNING)
    logging.getLogger("arena").setLevel(logging.INFO)
    # Root is what gives each seat a user of its own, and messages are JSON, never pickles.
    warnings.filterwarnings("ignore", category=SecurityWarning)
