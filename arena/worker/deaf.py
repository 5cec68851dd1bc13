"""Finds out that a worker waits for messages that its connection will never bring.

A broker may die while a job is played. Nobody reads from it at that time, and Celery only logs that the job's
message could not be acknowledged: to the channel it is in work for good, and as it may have one message in
work, it asks for no other. Owns how that is noticed, and the way out: the connection counts as broken, and
Celery makes a new one. (The same in the issue lists of Celery, among others 8384 and 10302.)
"""

import logging
from typing import Protocol

from celery.worker import state

log = logging.getLogger("arena.worker")


class Prefetch(Protocol):
    """What a channel of Redis knows of its messages; one of RabbitMQ leaves that to the server."""

    def can_consume(self) -> bool:
        """Return whether another message may come."""


def refuse_to_be_deaf(consumer: object) -> None:
    """Break the connection on which no message can come although nothing is in work.

    Raises:
        ConnectionResetError: The worker was deaf; Celery takes it for a lost connection and makes a new one.
    """
    channel = getattr(getattr(consumer, "task_consumer", None), "channel", None)
    prefetch: Prefetch | None = getattr(channel, "qos", None)
    if prefetch is None or state.reserved_requests or prefetch.can_consume():
        return
    log.warning("deaf reason=a message could not be acknowledged; connecting anew")
    raise ConnectionResetError("a message could not be acknowledged")
