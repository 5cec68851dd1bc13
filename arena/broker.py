"""The queue of messages: the Celery application, and "a worker may look at this job".

Owns every setting that decides what happens to a message when a worker, the broker or the network dies. A
message carries a job's number and nothing else; it may be lost, late or double, because the job row is the
truth and its lease decides. Refuses results, countdowns and schedules: PostgreSQL has them.
"""

import socket
import ssl
from collections.abc import Mapping, Sequence
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from amqp.exceptions import AccessRefused, AMQPError
from celery import Celery
from kombu.exceptions import OperationalError

from arena.errors import PlatformError, UsageError, quote
from arena.service import messages
from arena.store.pool import SILENCE_S, Database
from arena.store.rows import JobId

TASK = "arena.play_job"
QUEUE = "arena.jobs"
KILL_AFTER_S = 60
"""How long after its cut a job that did not end is killed."""
SOFT_SHUTDOWN_S = 30
ANSWER_S = 5.0
"""How long Redis may take for a handshake or an answer while somebody waits for it: what answers plainly to a
question for TLS says nothing at all."""
_UNREACHABLE = (OperationalError, OSError, AMQPError)


def make_app(url: str, *, job_s: float = 600.0) -> Celery:
    """Return the application for a broker.

    Args:
        url: Redis or Valkey (`redis://`, `rediss://`, `redis+socket://`) or RabbitMQ (`amqp://`, `amqps://`).
        job_s: When a running job is cut; the same on every machine.
    """
    url, tls = _part_tls(url)
    app = Celery("arena", broker=url, set_as_current=False)
    app.conf.update(tls)
    app.conf.update(
        # A message is acknowledged when its job is over; until then the broker gives it to somebody else
        # should we die. The lease makes the double delivery harmless.
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        worker_prefetch_multiplier=1,
        worker_concurrency=1,
        # Results are rows; nobody reads Celery's.
        task_ignore_result=True,
        result_backend=None,
        accept_content=["json"],
        task_serializer="json",
        task_default_queue=QUEUE,
        task_time_limit=job_s + KILL_AFTER_S,
        # Written out because Celery 6 turns it: a broker that restarts must not end a running job.
        worker_cancel_long_running_tasks_on_connection_loss=False,
        worker_soft_shutdown_timeout=SOFT_SHUTDOWN_S,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        worker_hijack_root_logger=False,
        worker_send_task_events=False,
        worker_enable_remote_control=False,
    )
    _set_transport(app, url, job_s)
    return app


TLS_FILES = {"ssl_ca_certs": "ca_certs", "ssl_certfile": "certfile", "ssl_keyfile": "keyfile"}
TLS_CHECKS = {"required": ssl.CERT_REQUIRED, "optional": ssl.CERT_OPTIONAL, "none": ssl.CERT_NONE}
_CHECKS = f"ssl_cert_reqs of {', '.join(TLS_CHECKS)}"


def _part_tls(url: str) -> tuple[str, Mapping[str, object]]:
    """Say to each library what the address says of TLS; RabbitMQ's wants it as settings.

    The server's certificate and its name are checked unless the address says otherwise, against the
    authorities that it names, else the system's. Redis' library alone would check nothing.

    Raises:
        UsageError: It says what nobody understands.
    """
    if not url.startswith(("amqps:", "rediss:")):
        return url, {}
    parts = urlsplit(url)
    said = dict(parse_qsl(parts.query, keep_blank_values=True))
    if parts.scheme == "rediss":
        check = said.setdefault("ssl_cert_reqs", "required")
        if check not in TLS_CHECKS:
            raise UsageError(f"broker_url: rediss:// takes {_CHECKS}; mend ARENA_BROKER_URL")
        return urlunsplit(parts._replace(query=urlencode(said))), {}
    check = said.pop("ssl_cert_reqs", "required")
    unknown = [name for name in said if name not in TLS_FILES]
    if check not in TLS_CHECKS or unknown:
        what = f"no {quote(unknown[0])}" if unknown else _CHECKS
        raise UsageError(f"broker_url: amqps:// takes {what}; mend ARENA_BROKER_URL")
    options: dict[str, object] = {TLS_FILES[name]: value for name, value in said.items()}
    options["cert_reqs"] = TLS_CHECKS[check]
    if check != "none":
        options["server_hostname"] = parts.hostname  # without it the library checks no name
    return urlunsplit(parts._replace(query="")), {"broker_use_ssl": options}


def _set_transport(app: Celery, url: str, job_s: float) -> None:
    """Set what depends on the kind of broker."""
    if url.startswith("amqp"):
        # A quorum queue survives the loss of a node; it needs confirmed publishing.
        app.conf.update(task_default_queue_type="quorum", broker_transport_options={"confirm_publish": True})
        return
    # The shortest of all workers wins, so it is the same everywhere and longer than any job.
    visibility_s = int(3 * job_s)
    options: dict[str, object] = {
        "visibility_timeout": visibility_s,
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
        "health_check_interval": 25,
        "socket_connect_timeout": 5,
    }
    if url.startswith("rediss"):
        # What speaks no TLS answers a handshake with silence. (Messages are asked for each second.)
        options["socket_timeout"] = 6 * ANSWER_S
    if not url.startswith("redis+socket"):
        # Of a broker whose host vanished nothing is heard: after a while the connection counts as lost.
        options["socket_keepalive"] = True
        options["socket_keepalive_options"] = {
            socket.TCP_KEEPIDLE: SILENCE_S // 3,
            socket.TCP_KEEPINTVL: SILENCE_S // 5,
            socket.TCP_KEEPCNT: 3,
            socket.TCP_USER_TIMEOUT: SILENCE_S * 1000,
        }
    app.conf.update(
        broker_transport_options=options,
        result_backend_transport_options={"visibility_timeout": visibility_s},
        visibility_timeout=visibility_s,
    )


def send(app: Celery, job_ids: Sequence[JobId]) -> None:
    """Tell the workers that these jobs may be ready.

    Raises:
        PlatformError: The broker is unreachable; some of the messages may have been sent.
    """
    policy = {"max_retries": 1, "interval_start": 0.1}
    try:
        options = _impatient(app)
        with (
            app.connection_for_write(transport_options=options) as connection,
            app.amqp.Producer(connection) as producer,
        ):
            for job_id in job_ids:
                app.send_task(TASK, args=[job_id], producer=producer, retry=True, retry_policy=policy)
    except _UNREACHABLE as error:
        raise PlatformError(_say(error)) from error


def check(app: Celery) -> str:
    """Return why the broker cannot be reached, or an empty text."""
    try:
        with app.connection_for_read(transport_options=_impatient(app)) as connection:
            connection.ensure_connection(max_retries=1, timeout=3, interval_start=0)
    except _UNREACHABLE as error:
        return _say(error)
    return ""


def refuse_a_wrong_login(app: Celery) -> None:
    """Try a login at RabbitMQ, whose refusal Celery does not survive; a broker that is away is waited for.

    What Redis refuses is tried again by Celery itself, and nothing is tried here.

    Raises:
        PlatformError: The login was refused.
    """
    if not str(app.conf.broker_url).startswith("amqp"):
        return
    try:
        with app.connection_for_read() as connection:
            connection.connect()
    except AccessRefused as error:
        raise PlatformError(f"{_say(error)}; mend ARENA_BROKER_URL") from error
    except _UNREACHABLE:
        return


def _impatient(app: Celery) -> dict[str, object]:
    """Return the options of a connection on which somebody waits; RabbitMQ's own are impatient enough."""
    return {} if str(app.conf.broker_url).startswith("amqp") else {"socket_timeout": ANSWER_S}


def _say(error: Exception) -> str:
    """Return what the broker said, in one line."""
    return f"broker: cannot be reached: {' '.join(str(error).split())}"


def flush(database: Database, app: Celery) -> int:
    """Send the messages that wait in the outbox and return how many; what cannot be sent stays there.

    Raises:
        PlatformError: The broker or the database is unreachable; nothing is lost.
    """
    return messages.flush(database, lambda job_ids: send(app, job_ids))
