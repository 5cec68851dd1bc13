"""Which messages a worker takes from its queue: those of the form in which the arena sends them, no others.

Celery and its transport take much for granted in what they read. A queue may hold what nobody has sent in
that form: bytes, a message without an id, one with a time limit of its own. Most of these end a worker, and
some end the next one as well, because they are handed out again. Owns the form, and that everything else is
dropped with one line. What the form holds is judged by the task itself (`arena.worker.main.read_number`).
"""

import binascii
import json
import logging
from base64 import b64decode
from collections.abc import Callable, Mapping

import redis
from celery.worker.consumer import Consumer
from kombu.transport import redis as transport

from arena.broker import TASK

log = logging.getLogger("arena.worker")

GARBAGE_CHARS = 200
"""Told of a message that is none of ours."""
JSON = "application/json"
EMPTY = ("shadow", "eta", "expires", "group", "retries", "stamped_headers", "compression")
"""What Celery's headers can say and ours never do. (A child's name its own task as their parent.)"""


def use_intake() -> str:
    """Gate what Redis and Valkey hand out; return the name of the consumer that gates the rest."""
    transport.Transport.Channel = GatedChannel
    # A queue that takes nothing, as on a full disk, is tried again like one that is gone; Celery would end.
    transport.Transport.connection_errors += (redis.ResponseError,)
    return f"{GatedConsumer.__module__}:{GatedConsumer.__name__}"


class GatedClient(redis.Redis):
    """A client that never hands out what the transport could not read."""

    def parse_response(self, connection: object, command_name: str, **options: object) -> object:
        """Return an answer; None, as if nothing had come in time, for what is no message."""
        got = super().parse_response(connection, command_name, **options)  # type: ignore[no-untyped-call]
        if command_name != "BRPOP" or not got or not (reason := why_unreadable(got[1])):
            return got
        tell(reason, got[1])
        return None


class GatedChannel(transport.Channel):
    """The transport's channel, with such a client."""

    def _get_client(self) -> type[redis.Redis]:
        super()._get_client()  # type: ignore[misc]  # it looks at the library's version
        return GatedClient


class GatedConsumer(Consumer):
    """Celery's consumer, which never sees a task that is not ours."""

    def create_task_handler(self, *told: object, **named: object) -> Callable[[object], object]:
        """Return what is called with each message."""
        take = super().create_task_handler(*told, **named)  # type: ignore[arg-type]

        def take_ours(message: object) -> object:
            reason = why_strange(message.headers, message.content_type, message.body)  # type: ignore[attr-defined]
            if not reason:
                return take(message)
            tell(reason, (message.headers, message.body))  # type: ignore[attr-defined]
            # RabbitMQ keeps it where the organiser has said so (a dead-letter exchange); all others drop it.
            return message.reject_log_error(log, self.connection_errors)  # type: ignore[attr-defined]

        return take_ours


def tell(reason: str, what: object) -> None:
    """Write the line about a message that is dropped."""
    log.warning("garbage_dropped reason=%s: %s", reason, repr(what)[:GARBAGE_CHARS])


def why_unreadable(raw: bytes | str) -> str:
    """Return why the transport could not make a message of what lay in the queue; empty when it can."""
    found = read_json(raw)
    if not isinstance(found, dict):
        return "no message"
    properties, headers, body = found.get("properties"), found.get("headers"), found.get("body")
    if not isinstance(properties, dict) or not isinstance(headers, dict) or not isinstance(body, str):
        return "a message without properties, headers or a body"
    way = properties.get("delivery_info")
    words = (properties.get("delivery_tag"), found.get("content-type"), found.get("content-encoding"))
    if not isinstance(way, dict) or not all(isinstance(word, str) and word for word in words):
        return "a message without a tag, a way or a kind"
    if not all(isinstance(way.get(name), str) for name in ("exchange", "routing_key")):
        return "a message without a way"
    if not isinstance(way.get("priority", 0), int) or not isinstance(properties.get("priority", 0), int):
        return "a message of a strange priority"
    if headers.get("compression") or properties.get("body_encoding") != "base64":
        return "a message packed in another way"
    try:
        b64decode(body)
    except (binascii.Error, ValueError):
        return "a message whose body cannot be read"
    return ""


def why_strange(headers: object, kind: object, body: object) -> str:
    """Return why a message is none of the arena's; empty when it has their form."""
    if not isinstance(headers, Mapping) or headers.get("task") != TASK or kind != JSON:
        return "a message of no task of ours"
    if not all(isinstance(headers.get(name), str) and headers[name] for name in ("id", "root_id")):
        return "a message without an id"
    match headers.get("timelimit"):
        case None | [int() | float() | None, int() | float() | None]:
            pass
        case _:
            return "a message of a strange time limit"
    if any(headers.get(name) for name in EMPTY):
        return "a message with wishes of its own"
    found = read_json(body if isinstance(body, str) else bytes(body))  # type: ignore[call-overload]
    match found:
        case [list(), dict(), dict() as more] if not any(more.values()):
            return ""
        case _:
            return "a message whose body is none of ours"


def read_json(text: bytes | str) -> object:
    """Return what a text holds; None where that is nothing, or would become more than plain values."""
    try:
        return json.loads(text, object_pairs_hook=_plain)
    except (ValueError, RecursionError):
        return None


def _plain(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Refuse what the transport would make an object of another kind of."""
    found = dict(pairs)
    if "__type__" in found:
        raise ValueError("not plain")
    return found
