"""Promises of the settings: each layer wins over the one before, and nothing unknown is swallowed."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from arena.config import PREFIX, Settings, load_settings
from arena.errors import UsageError


def write(folder: Path, text: str) -> Path:
    """Write a settings file."""
    path = folder / "arena.toml"
    path.write_text(text)
    return path


def test_defaults_need_nothing() -> None:
    """Without file, environment and flags every setting has its default and says so."""
    settings = load_settings(environment={})

    assert settings == Settings()
    assert set(settings.origins.values()) == {"default"}
    assert set(settings.origins) == {spec.name for spec in fields(Settings)} - {"origins"}


def test_flags_win_over_environment_over_file_over_defaults(tmp_path: Path) -> None:
    """Each layer wins over the one before, and each value says where it came from."""
    path = write(tmp_path, "workers = 1\nlease_s = 11\njob_s = 111\n")
    environment = {"ARENA_LEASE_S": "22", "ARENA_JOB_S": "222"}

    settings = load_settings({"job_s": 333.0, "sandbox": None}, environment=environment, file=path)

    assert (settings.workers, settings.lease_s, settings.job_s, settings.sandbox) == (1, 22.0, 333.0, "auto")
    assert [settings.origins[name] for name in ("workers", "lease_s", "job_s", "sandbox")] == [
        str(path), "ARENA_LEASE_S", "flag", "default",
    ]  # fmt: skip


def test_an_unknown_key_of_the_file_is_refused_with_the_nearest(tmp_path: Path) -> None:
    """A misspelt key is an error that names the file and the key that was meant."""
    path = write(tmp_path, "databse_url = 'x'\n")

    with pytest.raises(
        UsageError, match=r"arena.toml: unknown setting 'databse_url' \(did you mean 'database_url'"
    ):
        load_settings(environment={}, file=path)


def test_a_misspelt_variable_is_refused_and_a_foreign_one_is_not() -> None:
    """A near miss of a setting is an error; variables of other programs and of bots are left alone."""
    with pytest.raises(UsageError, match=r"'ARENA_DATABSE_URL' \(did you mean 'ARENA_DATABASE_URL'"):
        load_settings(environment={"ARENA_DATABSE_URL": "x"})

    with pytest.raises(UsageError, match=r"'ARENA_DATA' \(did you mean 'ARENA_DATA_FOLDER'"):
        load_settings(environment={"ARENA_DATA": "x"})
    load_settings(environment={"ARENA_ADDRESS": "unix:/x", "ARENA_BUILD_CORE": "0", "ARENA_QQQQ": "1"})


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ({"workers": -1}, "workers must lie between 0 and 1,024"),
        ({"workers": "many"}, "workers must be a whole number, not 'many'"),
        ({"workers": 1.5}, "workers must be a whole number"),
        ({"workers": True}, "workers must be a whole number"),
        ({"lease_s": 0.1}, "lease_s must lie between"),
        ({"lease_s": float("nan")}, "lease_s must lie between"),
        ({"job_s": 2000}, "job_s must lie between 1 and 1,400"),
        ({"sandbox": "strickt"}, r"sandbox: 'strickt' is none of .*did you mean 'strict'"),
        ({"owner": 3}, "owner must be a text"),
        ({"owner": "\udcff"}, "owner must be UTF-8"),
        ({"owner": "a\0b"}, "owner must hold no control characters"),
        ({"metrics_host": "::1\x1b[31m"}, "metrics_host must hold no control characters"),
        ({"owner": "a" * 5000}, "at most 4,095 characters"),
        ({"data_folder": ""}, "data_folder must be a path that is not empty"),
        ({"uid_first": 10**400}, "uid_first must lie between 1,000 and 2,000,000,000"),
        ({"workers": float("inf")}, "workers must lie between 0 and 1,024"),
        ({"broker_url": "rediss//host"}, "broker_url must begin with one of redis://"),
        ({"broker_url": "amqps+x://host"}, r"did you mean 'amqps'"),
        ({"database_url": "mysql://host/x"}, "database_url must begin with one of postgresql://"),
        (
            {"broker_url": "redis://host:abc/0"},
            "must have a host and, after a colon, a port below 65536",
        ),
        ({"broker_url": "amqp://host:70000//"}, "a port below 65536"),
        ({"database_url": "postgresql://host:99999/x"}, "a port from 1 to 65535"),
        ({"database_url": "postgresql://u:p@a:5432,b:0/x"}, "a port from 1 to 65535"),
        ({"database_url": "postgresql://[::1]:abc/x"}, "a port from 1 to 65535"),
        ({"database_url": "postgresql:///x?host=/run&port=65536"}, "a port from 1 to 65535"),
        ({"broker_url": "redis://[::1/0"}, "must have a host"),
        ({"broker_url": "rediss://host/first"}, "must end in a database's number"),
        ({"wokers": 3}, r"unknown setting 'wokers' \(did you mean 'workers'"),
    ],
)
def test_values_that_cannot_be_are_refused(flags: dict[str, Any], said: str) -> None:
    """A wrong type, an impossible number or an unknown word is one clear sentence."""
    with pytest.raises(UsageError, match=said):
        load_settings(flags, environment={})


@pytest.mark.parametrize(
    "url",
    [
        "postgresql:///x?host=/run/a:b&user=arena",
        "postgresql://u:p%3A%40@[::1]:5432/x",
        "postgresql://a:5432,b/x?port=",
        "postgresql://h:65535",
    ],
)
def test_addresses_that_can_be_are_taken(url: str) -> None:
    """Ports are looked for where ports are."""
    assert load_settings({"database_url": url}, environment={}).database_url == url


def test_a_wrong_value_in_the_environment_names_the_variable() -> None:
    """The message names the variable, not only the setting."""
    with pytest.raises(UsageError, match=r"ARENA_WORKERS: workers must be a whole number, not '3\.7'"):
        load_settings(environment={"ARENA_WORKERS": "3.7"})


def test_a_file_that_was_named_must_exist(tmp_path: Path) -> None:
    """A named file that is missing or no TOML is an error; the default one may be missing."""
    with pytest.raises(UsageError, match="no such file"):
        load_settings(environment={}, file=tmp_path / "none.toml")
    with pytest.raises(UsageError, match="cannot be read"):
        load_settings(environment={}, file=write(tmp_path, "workers = = 1"))


def test_a_file_writes_numbers_without_quotes(tmp_path: Path) -> None:
    """A text is none, whatever it holds; in the environment all values are texts."""
    with pytest.raises(UsageError, match=r"lease_s must be a number, not '3'"):
        load_settings(environment={}, file=write(tmp_path, 'lease_s = "3"'))
    assert load_settings(environment={"ARENA_LEASE_S": "3"}).lease_s == 3.0


@pytest.mark.parametrize(
    "text",
    ["workers = 1e400", f"workers = {'9' * 5000}", f"x = {'[' * 100_000}", "workers = \xff", "a" * 2_000_000],
    ids=["infinite", "digits", "nested", "not utf-8", "large"],
)
def test_no_settings_file_is_beyond_a_clear_word(tmp_path: Path, text: str) -> None:
    """Whatever the file holds: one sentence, of bounded length, that names the file."""
    path = tmp_path / "arena.toml"
    path.write_bytes(text.encode("latin-1"))

    with pytest.raises(UsageError, match=r"arena\.toml") as refused:
        load_settings(environment={}, file=path)

    assert len(str(refused.value)) < 500 + len(str(path))


def test_every_setting_can_be_told_through_the_environment() -> None:
    """Every setting, written as text in its variable, gives the same settings again."""
    settings = Settings()
    environment = {
        PREFIX + spec.name.upper(): str(getattr(settings, spec.name))
        for spec in fields(Settings)
        if spec.name != "origins"
    }

    assert load_settings(environment=environment) == settings


def test_an_address_without_a_scheme_is_not_repeated() -> None:
    """What was typed may be a login: the message says what an address begins with and shows no password."""
    for url in "host=db user=arena password=geheim", "arena:geheim@db/arena", "postgresql:arena:geheim@db":
        with pytest.raises(UsageError, match="must begin with one of") as error:
            load_settings({}, environment={"ARENA_DATABASE_URL": url})

        assert "geheim" not in str(error.value)


@pytest.mark.parametrize("password", ["ge#heim", "12#geheim", "ge/heim", "ge?heim", "ge@heim"])
@pytest.mark.parametrize("scheme", ["redis", "amqp"])
def test_a_password_with_characters_of_addresses_is_told_apart(scheme: str, password: str) -> None:
    """A password written as it is may cut the address short: how to write it is said, the password is not."""
    url = f"{scheme}://arena:{password}@queue/0"
    with pytest.raises(UsageError, match="# is written %23") as error:
        load_settings({}, environment={"ARENA_BROKER_URL": url})

    assert "heim" not in str(error.value)
    assert str(error.value).startswith("ARENA_BROKER_URL: ")


def test_a_value_out_of_range_is_named_with_its_place(tmp_path: Path) -> None:
    """The file or the variable in which it stands; what was typed a moment ago needs no place."""
    file = tmp_path / "arena.toml"
    file.write_text("workers = 5000\n")

    with pytest.raises(UsageError, match=f"^{re.escape(str(file))}: workers must lie between"):
        load_settings(environment={}, file=file)
    with pytest.raises(UsageError, match=r"^ARENA_WORKERS: workers must lie between"):
        load_settings(environment={"ARENA_WORKERS": "5000"})
    with pytest.raises(UsageError, match=r"^ARENA_SANDBOX: sandbox: 'strickt' is none of"):
        load_settings(environment={"ARENA_SANDBOX": "strickt"})
    with pytest.raises(UsageError, match=r"^workers must lie between"):
        load_settings({"workers": 5000}, environment={})
