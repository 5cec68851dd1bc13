"""The addresses of servers among the settings: which kinds there are, and what is none.

Owns the sentences for an address that cannot be read. It may hold a password, also where it is wrong: no part
of it is repeated but its scheme.
"""

from urllib.parse import parse_qsl, urlsplit

from arena.errors import UsageError, nearest, quote

SCHEMES = {
    "database_url": ("postgresql", "postgres"),
    "broker_url": ("redis", "rediss", "redis+socket", "amqp", "amqps"),
}
"""The settings that are addresses, and how each may begin."""
PORTS = 65536
IN_PASSWORDS = "in a password # is written %23, / %2F, ? %3F, @ %40 and : %3A"


def check_address(name: str, url: str, where: str) -> None:
    """Refuse an address that nobody could connect to; an empty one is none.

    Args:
        name: The setting.
        url: Its value.
        where: Where the setting was made, for the message.

    Raises:
        UsageError: It is no address, or one of another kind.
    """
    scheme, colon, _ = url.partition("://")
    if scheme and not (colon and scheme in SCHEMES[name]):
        known = ", ".join(f"{known}://" for known in SCHEMES[name])
        # What has no scheme may be a login with its password: it is not repeated.
        seen = f", not {quote(scheme)}{nearest(scheme, SCHEMES[name])}" if colon else ""
        raise UsageError(f"{where}: {name} must begin with one of {known}{seen}")
    if url.partition("://")[2].partition("/")[0].count("@") > 1:
        raise UsageError(f"{where}: {name} has more than one @; {IN_PASSWORDS}")
    if name == "database_url":
        _check_ports(url, where)
    if name == "broker_url" and scheme != "redis+socket":
        _check_broker(url, where)


def _check_ports(url: str, where: str) -> None:
    """Refuse a port that no server can have; libpq would only say that it cannot connect."""
    place, _, query = url.partition("://")[2].partition("?")
    hosts = place.partition("/")[0].rpartition("@")[2].split(",")
    # A bracket that nobody closes is left to libpq, which says that it cannot read it.
    ends = [end for host in hosts if "[" not in (end := host.rpartition("]")[2])]
    ports = [end.partition(":")[2] for end in ends]
    ports += [port for name, told in parse_qsl(query) if name == "port" for port in told.split(",")]
    if not all(port.isascii() and port.isdecimal() and 0 < int(port) < PORTS for port in ports if port):
        raise UsageError(f"{where}: database_url must name a port from 1 to 65535; {IN_PASSWORDS}")


def _check_broker(url: str, where: str) -> None:
    """Refuse what the queue's own library would stumble over; libpq reads its addresses better itself."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        raise UsageError(
            f"{where}: broker_url must have a host and, after a colon, a port below 65536; {IN_PASSWORDS}"
        ) from None
    if parts.fragment or "@" in parts.path + parts.query:
        raise UsageError(f"{where}: broker_url is cut short by a character of its password; {IN_PASSWORDS}")
    number = parts.path.strip("/")
    if parts.scheme in {"redis", "rediss"} and number and not (number.isascii() and number.isdecimal()):
        raise UsageError(f"{where}: broker_url must end in a database's number, as in redis://host:6379/0")
