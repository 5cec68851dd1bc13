"""Promises of `deploy/`: what is shipped is valid by its own schema and names only what exists."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from arena import __version__
from arena.botproc.uids import DEFAULT_FOLDER
from arena.config import load_settings
from arena.store.pool import Database

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
COMPOSE = DEPLOY / "compose" / "compose.yaml"
MANIFESTS = sorted(DEPLOY.glob("kubernetes/*.yaml"))
UNITS = sorted(path for path in DEPLOY.glob("systemd/*") if path.suffix != ".example")
COMPOSE_SCHEMA = ("github.com/compose-spec/compose-go/v2@v2.16.2", "schema/compose-spec.json")
"""The module that holds the schema of compose files, and where in it."""
NO_SCHEMA = {"kustomization.yaml", "scaling.yaml"}
"""Manifests of kinds that are not Kubernetes' own."""


def documents(path: Path) -> list[dict[str, Any]]:
    """Return the documents of a YAML file."""
    return [document for document in yaml.safe_load_all(path.read_text()) if document]


@pytest.mark.parametrize(
    "path", [path for path in MANIFESTS if path.name not in NO_SCHEMA], ids=lambda p: p.name
)
def test_a_manifest_is_valid(path: Path) -> None:
    """Every manifest passes the schema of Kubernetes, no unknown field allowed."""
    command = [sys.executable, "-m", "kubernetes_validate", "--strict", "--no-warn", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("passed") + done.stderr.count("passed") == len(documents(path))


def test_the_kustomization_names_every_manifest() -> None:
    """What is applied together is all but the example of a secret and what needs an add-on."""
    (named,) = documents(DEPLOY / "kubernetes" / "kustomization.yaml")

    there = {path.name for path in MANIFESTS} - NO_SCHEMA
    assert set(named["resources"]) == {name for name in there if ".example." not in name}


def test_every_pod_of_the_arena_knows_who_certifies_the_database() -> None:
    """The file that the address names is mounted in each, and the client is let to the broker."""
    secret, authority = documents(DEPLOY / "kubernetes" / "servers.secret.example.yaml")
    (client,) = documents(DEPLOY / "kubernetes" / "client.example.yaml")
    pods = [client["spec"]]
    for name in ("worker", "migrate"):
        pods.append(documents(DEPLOY / "kubernetes" / f"{name}.yaml")[0]["spec"]["template"]["spec"])
    policy = documents(DEPLOY / "kubernetes" / "network.yaml")[1]["spec"]["ingress"][0]["from"][0]
    wanted = policy["podSelector"]["matchLabels"]

    assert (
        "sslmode=verify-full&sslrootcert=/etc/wildcard-arena/ca.pem"
        in secret["stringData"]["ARENA_DATABASE_URL"]
    )
    assert list(authority["data"]) == ["ca.pem"]
    for pod in pods:
        (container,) = pod["containers"]
        mounted = {mount["mountPath"]: mount["name"] for mount in container["volumeMounts"]}
        volumes = {volume["name"]: volume.get("configMap", {}).get("name") for volume in pod["volumes"]}
        assert volumes[mounted["/etc/wildcard-arena"]] == authority["metadata"]["name"]
    assert wanted.items() <= client["metadata"]["labels"].items()
    assert client["spec"]["containers"][0]["image"] == f"wildcard-arena:{__version__}"


def test_no_unit_masks_a_part_of_proc() -> None:
    """Over such a mask the kernel mounts no new /proc for a sandbox, and no Java bot starts."""
    worker = (DEPLOY / "systemd" / "arena-worker@.service").read_text().splitlines()
    masks = ("ProtectKernelLogs=", "ProtectKernelTunables=", "ProtectProc=", "ProcSubset=")

    assert not [line for line in worker if line.startswith(masks)]


def test_the_scaling_asks_the_database_what_it_holds(database: Database) -> None:
    """The query that decides how many workers there are is one that this schema answers with a number."""
    scaled = documents(DEPLOY / "kubernetes" / "scaling.yaml")[1]
    with database.transaction() as connection:
        row = connection.execute(scaled["spec"]["triggers"][0]["metadata"]["query"].encode()).fetchone()

    assert row is not None
    assert row[0] == 0


@pytest.mark.needs("go")
def test_the_compose_file_is_valid() -> None:
    """It passes the schema of the Compose Specification."""
    module, inside = COMPOSE_SCHEMA
    command = ["go", "mod", "download", "-json", module]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd="/")
    schema = json.loads(Path(json.loads(done.stdout)["Dir"], inside).read_text())

    jsonschema.validate(documents(COMPOSE)[0], schema)


def test_workers_of_one_host_lock_their_users_in_one_place() -> None:
    """Whatever starts bots in the compose file shares the folder in which user ids are leased."""
    file = documents(COMPOSE)[0]
    shared = f"users:{DEFAULT_FOLDER}"

    assert "users" in file["volumes"]
    assert [shared in file["services"][name]["volumes"] for name in ("worker", "arena")] == [True, True]


@pytest.mark.needs("systemd-analyze")
def test_the_units_are_valid(tmp_path: Path) -> None:
    """Systemd finds nothing to complain of, once the program is where the units say."""
    program = tmp_path / "arena"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    for unit in UNITS:
        (tmp_path / unit.name).write_text(unit.read_text().replace("/opt/arena/bin/arena", str(program)))
    units = [str(tmp_path / unit.name) for unit in UNITS]
    done = subprocess.run(["systemd-analyze", "verify", *units], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")


def commands() -> Iterator[tuple[str, list[str]]]:
    """Yield every command of `arena` that something in `deploy/` runs, with where it stands."""
    for name, service in documents(COMPOSE)[0]["services"].items():
        if service.get("image", "").startswith("wildcard-arena"):
            yield f"compose {name}", service["command"]
    for path in MANIFESTS:
        for document in documents(path):
            pod = document.get("spec", {}).get("template", {}).get("spec", {})
            for container in pod.get("containers", []):
                if container["image"] == "wildcard-arena":
                    yield path.name, container["args"]
    for unit in UNITS:
        for words in re.findall(r"/opt/arena/bin/arena ([a-z %-]*)", unit.read_text()):
            yield unit.name, words.replace("%i", "0").split()


@pytest.mark.parametrize(("where", "words"), list(commands()), ids=lambda value: str(value)[:40])
def test_every_command_exists(where: str, words: list[str]) -> None:
    """What is run is a command of this version, with options that it has."""
    asked = [sys.executable, "-m", "arena.cli", *words, "--help"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)

    assert done.returncode == 0, (where, done.stderr)
    assert all(word in done.stdout for word in words if word.startswith("--"))


def environments() -> Iterator[Mapping[str, str]]:
    """Yield every set of variables that something in `deploy/` gives the arena."""
    for service in documents(COMPOSE)[0]["services"].values():
        if service.get("image", "").startswith("wildcard-arena"):
            # What compose would put in from its own environment.
            given = {name: str(value) for name, value in service["environment"].items()}
            yield {name: re.sub(r"\$\{\w+:\?[^}]*\}", "secret", value) for name, value in given.items()}
    yield documents(DEPLOY / "kubernetes" / "servers.secret.example.yaml")[0]["stringData"]
    lines = (DEPLOY / "systemd" / "arena.env.example").read_text().splitlines()
    yield dict(line.split("=", 1) for line in lines if not line.startswith("#"))


def test_every_setting_exists() -> None:
    """What is set are settings of this version, with values that it takes."""
    for environment in environments():
        settings = load_settings(environment=environment)
        named = {name for name in environment if name.startswith("ARENA_")}

        assert {settings.origins[name.removeprefix("ARENA_").lower()] for name in named} == named


def test_the_image_is_of_this_version() -> None:
    """No file names the image of another version."""
    (named,) = documents(DEPLOY / "kubernetes" / "kustomization.yaml")
    images = {
        service["image"] for service in documents(COMPOSE)[0]["services"].values() if "image" in service
    }

    assert named["images"] == [{"name": "wildcard-arena", "newTag": __version__}]
    assert {image for image in images if image.startswith("wildcard-arena")} == {
        f"wildcard-arena:{__version__}"
    }
