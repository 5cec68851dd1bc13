"""Promises about TLS: database and broker with certificates of an authority of one's own."""

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from arena import broker
from arena.errors import PlatformError
from arena.store.pool import Database
from tests.fix_servers import PostgreSQL, RabbitMQ, Redis

pytestmark = [
    pytest.mark.xdist_group("foreign"),
    pytest.mark.needs("debian-postgresql", "debian-redis", "debian-rabbitmq"),
]
KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2")


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with an authority, a stranger to it, and what the authority says of `localhost`."""
    folder = tmp_path_factory.mktemp("authority")

    def openssl(*words: str) -> None:
        subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)

    for name in ("ca", "stranger"):
        openssl("req", "-x509", *KEY, "-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.pem")
    openssl("req", *KEY, "-subj", "/CN=localhost", "-keyout", "server.key", "-out", "server.csr")
    (folder / "names").write_text("subjectAltName=DNS:localhost")
    signed = ("-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names")
    openssl("x509", "-req", "-in", "server.csr", *signed, "-out", "server.pem")
    return folder


def by_tls(url: str, authority: Path) -> str:
    """Return the address by TLS, at the name that the authority vouches for."""
    secured = url.replace("://", "s://", 1).replace("127.0.0.1", "localhost")
    return f"{secured}?ssl_cert_reqs=required&ssl_ca_certs={authority}/ca.pem"


@pytest.fixture(scope="module")
def queue(authority: Path) -> Iterator[Redis]:
    """Give a Redis that speaks TLS only."""

    class Secured(Redis):
        @property
        def url(self) -> str:
            return by_tls(super().url, authority)

        def command(self) -> list[str]:
            program, _, port, *rest = super().command()
            files = (
                "--tls-cert-file",
                f"{authority}/server.pem",
                "--tls-key-file",
                f"{authority}/server.key",
            )
            return [program, "--port", "0", "--tls-port", port, *files, "--tls-auth-clients", "no", *rest]

    with Secured.made() as server:
        yield server


@pytest.fixture(scope="module")
def rabbit(authority: Path) -> Iterator[RabbitMQ]:
    """Give a RabbitMQ that speaks TLS only."""

    class Secured(RabbitMQ):
        @property
        def url(self) -> str:
            return by_tls(super().url, authority)

        def environment(self) -> Mapping[str, str]:
            found = super().environment()
            settings = self.folder / "rabbitmq.conf"
            lines = [
                settings.read_text().replace("listeners.tcp.1", "listeners.ssl.1"),
                "listeners.tcp = none",
            ]
            for name, file in (
                ("certfile", "server.pem"),
                ("keyfile", "server.key"),
                ("cacertfile", "ca.pem"),
            ):
                lines.append(f"ssl_options.{name} = {authority}/{file}")
            settings.write_text("\n".join(lines) + "\n")
            return found

        def answers(self) -> bool:
            return broker.check(broker.make_app(self.url)) == ""

    with Secured.made() as server:
        yield server


@pytest.fixture(scope="module")
def database_server(authority: Path) -> Iterator[PostgreSQL]:
    """Give a PostgreSQL that offers TLS."""

    class Secured(PostgreSQL):
        def url_of(self, database: str) -> str:
            plain = super().url_of(database).replace("127.0.0.1", "localhost")
            return f"{plain}?sslmode=verify-full&sslrootcert={authority}/ca.pem"

        def start(self, **more: object) -> None:
            for name in ("server.pem", "server.key"):
                copy = shutil.copy(authority / name, self.folder / name)
                copy.chmod(0o600)
                if os.geteuid() == 0:
                    shutil.chown(copy, "postgres", "postgres")
            super().start(**more)

        def command(self) -> list[str]:
            files = (f"--ssl_cert_file={self.folder}/server.pem", f"--ssl_key_file={self.folder}/server.key")
            return [*super().command(), "--ssl=on", *files]

    with Secured.made() as server:
        yield server


def test_the_queue_is_reached_by_tls_and_nobody_else_is_taken_for_it(queue: Redis) -> None:
    """Who certifies it is checked, and its name, whether or not the address asks for that."""
    assert broker.check(broker.make_app(queue.url)) == ""
    for wrong in (
        queue.url.replace("ca.pem", "stranger.pem"),
        queue.url.replace("localhost", "127.0.0.1").replace("ssl_cert_reqs=required&", ""),
        queue.url.partition("?")[0],
    ):
        assert "certificate verify failed" in broker.check(broker.make_app(wrong)), wrong


def test_rabbitmq_is_reached_by_tls_and_nobody_else_is_taken_for_it(rabbit: RabbitMQ) -> None:
    """Who certifies it is checked, and its name, whether or not the address asks for that."""
    assert broker.check(broker.make_app(rabbit.url)) == ""
    for wrong in (
        rabbit.url.replace("ca.pem", "stranger.pem"),
        rabbit.url.replace("localhost", "127.0.0.1").replace("ssl_cert_reqs=required&", ""),
        rabbit.url.partition("?")[0],
    ):
        assert "certificate verify failed" in broker.check(broker.make_app(wrong)), wrong


def test_the_database_is_reached_by_tls_and_nobody_else_is_taken_for_it(database_server: PostgreSQL) -> None:
    """Its authority and its name are checked; the password travels encrypted."""
    url = database_server.url
    with Database(url) as database, database.transaction() as connection:
        secured = connection.execute("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()").fetchone()

    assert secured == (True,)
    for wrong, words in (
        (url.replace("ca.pem", "stranger.pem"), "certificate verify failed"),
        (url.replace("localhost", "127.0.0.1"), "does not match host name"),
    ):
        with (
            Database(wrong, patience_s=0) as database,
            pytest.raises(PlatformError, match=words),
            database.transaction(),
        ):
            pass
