"""Promises about messages: the measured settings, a number and nothing else, a broker that is away."""

import base64
import json
import socket
import ssl

import pytest
from redis import Redis

from arena import broker
from arena.embedded.valkey import Valkey
from arena.errors import PlatformError, UsageError
from arena.store.rows import JobId


@pytest.mark.parametrize("url", ["redis://h/0", "redis+socket:///s", "amqp://h//"])
def test_the_settings_are_those_that_were_measured(url: str) -> None:
    """Late acknowledgement, no results, no prefetch, no cancelling, a hard limit behind the cut."""
    conf = broker.make_app(url, job_s=600).conf

    assert conf.task_acks_late is True
    assert conf.task_reject_on_worker_lost is True
    assert conf.worker_prefetch_multiplier == 1
    assert conf.task_ignore_result is True
    assert conf.result_backend is None
    assert conf.accept_content == ["json"]
    assert conf.worker_cancel_long_running_tasks_on_connection_loss is False
    assert conf.worker_soft_shutdown_timeout == 30
    assert conf.task_time_limit == 660
    assert conf.broker_connection_retry_on_startup is True
    assert conf.broker_connection_max_retries is None
    assert not conf.beat_schedule


def test_redis_gives_a_message_back_late_and_looks_often() -> None:
    """The visibility timeout is three times the longest job, in all three places."""
    conf = broker.make_app("redis://h/0", job_s=600).conf

    assert conf.broker_transport_options["visibility_timeout"] == 1800
    assert conf.result_backend_transport_options["visibility_timeout"] == 1800
    assert conf.visibility_timeout == 1800
    assert conf.broker_transport_options["unacked_restore_interval"] == 5
    assert conf.broker_transport_options["unacked_restore_throttle"] == 1
    assert conf.broker_transport_options["health_check_interval"] == 25
    assert conf.broker_transport_options["socket_keepalive"] is True
    assert conf.broker_transport_options["socket_keepalive_options"][socket.TCP_USER_TIMEOUT] == 15_000


def test_rabbitmq_has_a_quorum_queue_and_confirms() -> None:
    """On RabbitMQ the queue survives a node, and publishing is confirmed."""
    conf = broker.make_app("amqp://h//").conf

    assert conf.task_default_queue_type == "quorum"
    assert conf.broker_transport_options["confirm_publish"] is True


def test_a_message_is_a_number(valkey_server: Valkey, broker_url: str) -> None:
    """What is sent holds the job's number, as JSON, and nothing else of the job."""
    app = broker.make_app(broker_url)

    broker.send(app, [JobId(7), JobId(8)])

    with Redis(unix_socket_path=str(valkey_server.socket_path)) as client:
        messages = [json.loads(text) for text in client.lrange(broker.QUEUE, 0, -1)]
    bodies = sorted(broker_body(message) for message in messages)
    assert bodies == [[[7], {}], [[8], {}]]
    assert {message["content-type"] for message in messages} == {"application/json"}


def broker_body(message: dict[str, str]) -> list[object]:
    """Return arguments of a message."""
    return json.loads(base64.b64decode(message["body"]))[:2]  # type: ignore[no-any-return]


def test_a_broker_that_is_away_is_one_sentence() -> None:
    """Sending to nobody is the platform's failure, in one line, and checking says the same."""
    app = broker.make_app("redis+socket:///nowhere/at/all.sock")

    with pytest.raises(PlatformError, match="broker: cannot be reached"):
        broker.send(app, [JobId(1)])
    assert broker.check(app).startswith("broker: cannot be reached")


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1/0", "redis+socket:///nowhere"])
def test_a_worker_waits_for_a_broker_that_is_away(url: str) -> None:
    """A worker that starts without its Redis does not end by it: Celery tries again."""
    broker.refuse_a_wrong_login(broker.make_app(url))


def test_a_broker_that_is_there_is_fine(broker_url: str) -> None:
    """Checking a broker that answers finds nothing."""
    assert broker.check(broker.make_app(broker_url)) == ""


def test_a_broker_that_never_answers_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is no server of TLS may say nothing to a handshake: the look at it ends all the same."""
    monkeypatch.setattr(broker, "ANSWER_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        app = broker.make_app(f"rediss://127.0.0.1:{silent.getsockname()[1]}/0")

        assert broker.check(app).startswith("broker: cannot be reached")


@pytest.mark.parametrize(
    ("words", "check"),
    [
        ("", ssl.CERT_REQUIRED),
        ("?ssl_ca_certs=/ca.pem", ssl.CERT_REQUIRED),
        ("?ssl_cert_reqs=required", ssl.CERT_REQUIRED),
        ("?ssl_cert_reqs=none", ssl.CERT_NONE),
    ],
)
def test_redis_by_tls_is_checked_unless_the_address_says_otherwise(words: str, check: ssl.VerifyMode) -> None:
    """An address that says nothing of certificates takes none but a good one."""
    with broker.make_app(f"rediss://:secret@h:6379/0{words}").connection_for_read() as connection:
        told = connection.info()["ssl"]

    assert told["ssl_cert_reqs"] == check
    assert told.get("ssl_ca_certs") == ("/ca.pem" if "ca.pem" in words else None)


def test_a_check_of_redis_that_is_none_is_refused() -> None:
    """What is not understood is not passed over."""
    with pytest.raises(UsageError, match="broker_url: rediss:// takes ssl_cert_reqs of required"):
        broker.make_app("rediss://h/0?ssl_cert_reqs=maybe")


@pytest.mark.parametrize("words", ["ssl_cert_reqs=maybe", "ssl_ca_cert=/ca.pem"])
def test_a_word_about_tls_that_nobody_understands_is_refused(words: str) -> None:
    """What is not understood is not passed over: it might have been the check that was wanted."""
    with pytest.raises(UsageError, match="broker_url: amqps:// takes"):
        broker.make_app(f"amqps://h//?{words}")
