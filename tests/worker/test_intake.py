"""Promises of a worker whose queue holds what no arena has sent: one line for each, and it goes on."""

import json
from base64 import b64encode

import amqp
import pytest
from celery import Celery

from arena.broker import QUEUE, TASK, make_app
from arena.store.rows import JobId
from arena.worker.intake import JSON, why_strange, why_unreadable
from tests.fix_cup import begin, is_playing
from tests.fix_places import AT_RABBITMQ
from tests.fix_workers import Fleet

HEADERS = {"task": TASK, "id": "1", "root_id": "1", "timelimit": [None, None]}
BODY = b'[[7],{},{"callbacks":null}]'
WAY = {"exchange": "", "routing_key": QUEUE}
MESSAGE = {
    "body": b64encode(BODY).decode(),
    "content-type": JSON,
    "content-encoding": "utf-8",
    "headers": HEADERS,
    "properties": {"body_encoding": "base64", "delivery_tag": "t", "delivery_info": WAY},
}


def turned(**more: object) -> bytes:
    """Return a message as Redis keeps it, but for some of its parts."""
    return json.dumps(MESSAGE | {name.replace("_", "-"): value for name, value in more.items()}).encode()


def properties(**more: object) -> dict[str, object]:
    """Return the properties of a message, but for some."""
    return {"body_encoding": "base64", "delivery_tag": "t", "delivery_info": WAY} | more


UNREADABLE = {
    "bytes": b"\xff\xfe\x00raw",
    "nothing": b"",
    "no object": b"[1,2]",
    "an empty object": b"{}",
    "brackets without end": b"[" * 200_000,
    "an object of another kind": b'{"__type__": "decimal", "__value__": "x"}',
    "no body": turned(body=None),
    "a body that is no base64": turned(body="x"),
    "a body with letters of no base64": turned(body="\u00e4"),
    "headers that are none": turned(headers="task"),
    "no kind": turned(content_type=None),
    "packed": turned(headers=HEADERS | {"compression": "application/x-gzip"}),
    "no properties": turned(properties=[]),
    "another encoding": turned(properties=properties(body_encoding="rot13")),
    "no tag": turned(properties=properties(delivery_tag={})),
    "no way": turned(properties=properties(delivery_info=3)),
    "half a way": turned(properties=properties(delivery_info={"exchange": None})),
    "a strange priority": turned(properties=properties(priority="high")),
}
STRANGE: dict[str, tuple[object, object, object]] = {
    "no headers": (None, JSON, BODY),
    "no task": ({}, JSON, b'{"task": "arena.play_job"}'),
    "another task": (HEADERS | {"task": "x.y"}, JSON, BODY),
    "a task that is no word": (HEADERS | {"task": [1]}, JSON, BODY),
    "no id": ({"task": TASK}, JSON, BODY),
    "a pickle": (HEADERS, "application/x-python-serialize", BODY),
    "a time limit": (HEADERS | {"timelimit": "x"}, JSON, BODY),
    "a time to come": (HEADERS | {"eta": [3]}, JSON, BODY),
    "bytes": (HEADERS, JSON, b"\xff\xff"),
    "brackets without end": (HEADERS, JSON, b"[" * 200_000),
    "another body": (HEADERS, JSON, b"[1,2,3]"),
    "a task behind it": (HEADERS, JSON, b'[[7],{},{"callbacks":[{"task":"x.y"}]}]'),
}


@pytest.mark.parametrize("case", UNREADABLE)
def test_what_the_transport_cannot_read_is_told(case: str) -> None:
    """Each of these ended a worker, or the next one too."""
    assert why_unreadable(UNREADABLE[case])


@pytest.mark.parametrize("case", STRANGE)
def test_what_is_no_task_of_ours_is_told(case: str) -> None:
    """Whatever a message asks for beside the one task is no arena's."""
    assert why_strange(*STRANGE[case])


def test_what_the_arena_sends_is_taken() -> None:
    """The form is that of the very messages that are sent."""
    app = make_app("memory://intake")
    with app.connection_for_write() as connection, app.amqp.Producer(connection) as producer:
        app.send_task(TASK, args=[JobId(7)], producer=producer)
        got = connection.SimpleQueue(QUEUE).get(timeout=5)

    assert why_strange(got.headers, got.content_type, got.body) == ""
    assert why_strange(HEADERS | {"parent_id": "1"}, JSON, BODY) == ""  # as a child sends it in its task
    assert why_unreadable(turned()) == ""


def put(app: Celery, raw: bytes) -> None:
    """Lay bytes into the queue that are no message."""
    with app.connection_for_write() as connection:
        channel = connection.default_channel
        if connection.transport.driver_type == "redis":
            channel.client.lpush(QUEUE, raw)
        else:
            channel.basic_publish(amqp.Message(raw), routing_key=QUEUE)


@AT_RABBITMQ
def test_a_worker_drops_what_nobody_has_sent_and_goes_on(fleet: Fleet) -> None:
    """One line for each, no other worker is needed, and the tournament is played."""
    begin(fleet)
    (service,) = fleet.up()
    before = service.pid()
    fleet.wait(is_playing)
    for raw in UNREADABLE.values():
        put(fleet.app, raw)
    fleet.app.send_task("x.y", args=[1], queue=QUEUE)
    fleet.app.send_task(TASK, args=[1], queue=QUEUE, countdown=5)
    fleet.finish()
    (log,) = fleet.settings.data_folder.glob("log/*.log")
    fleet.wait(lambda _: log.read_text().count("garbage_dropped") >= len(UNREADABLE) + 2)
    (service,) = fleet.running()

    assert service.pid() == before
    told = [line for line in log.read_text().splitlines() if "garbage_dropped" in line]
    assert len(told) == len(UNREADABLE) + 2, told
    assert "Traceback" not in log.read_text()
