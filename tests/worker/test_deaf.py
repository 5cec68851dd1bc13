"""Promises of a worker whose broker died while it played: it notices that it hears nothing any more."""

import logging
import os
import signal
from types import SimpleNamespace

import pytest
from celery.worker import state

from arena import broker
from arena.store.rows import JobId
from arena.worker.deaf import refuse_to_be_deaf
from tests.fix_db import Valkey
from tests.fix_dying import wait_until_dead

log = logging.getLogger(__name__)


class Request:
    """Stands for a job in work; Celery only counts them."""


def test_a_message_that_cannot_be_acknowledged_breaks_the_connection(own_valkey: Valkey) -> None:
    """Only then: not while a job is in work, nor when its message was acknowledged; and a new one hears."""
    app = broker.make_app(own_valkey.url)
    broker.send(app, [JobId(1), JobId(2)])
    got = []
    with app.connection_for_read() as connection:
        consumer = app.amqp.TaskConsumer(
            connection.channel(), callbacks=[lambda _, message: got.append(message)]
        )
        consumer.qos(prefetch_count=1)
        consumer.consume()
        worker = SimpleNamespace(task_consumer=consumer)
        refuse_to_be_deaf(worker)
        while not got:
            connection.drain_events(timeout=20)
        in_work = Request()
        state.reserved_requests.add(in_work)
        refuse_to_be_deaf(worker)
        state.reserved_requests.discard(in_work)
        got.pop().ack()
        refuse_to_be_deaf(worker)
        while not got:
            connection.drain_events(timeout=20)
        pid = own_valkey.pid()
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        wait_until_dead({pid})
        got.pop().ack_log_error(log, connection.connection_errors)

        with pytest.raises(connection.connection_errors, match="could not be acknowledged"):
            refuse_to_be_deaf(worker)


def test_a_worker_without_a_connection_is_not_called_deaf() -> None:
    """While it connects there is no channel; that of RabbitMQ counts at the server."""
    refuse_to_be_deaf(SimpleNamespace(task_consumer=None))
    refuse_to_be_deaf(SimpleNamespace(task_consumer=SimpleNamespace(channel=SimpleNamespace())))
