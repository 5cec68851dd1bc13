"""The profile of level landlock, as values: what is allowed, and where reading leaves no mark."""

from pathlib import Path

import pytest

from arena.botproc import confine, landlock
from arena.botproc.landlock import Right, make_rules, read_marks, seal

WRITES = ~(Right.READ_FILE | Right.READ_DIR | Right.EXECUTE)


def test_only_devices_and_a_socket_can_be_written(tmp_path: Path):
    """What is read is never written; the seat's folder takes sockets; a file has no rights of a folder."""
    (tmp_path / "file").touch()
    places = [tmp_path, tmp_path / "file"]
    whole, one, device, seat = make_rules(places, tmp_path / "seat", [Path("/dev/null")])

    assert (whole.path, whole.rights & WRITES) == (tmp_path, Right(0))
    assert one.rights == Right.READ_FILE | Right.EXECUTE
    assert (device.path, device.rights) == (Path("/dev/null"), Right.READ_FILE | Right.WRITE_FILE)
    assert (seat.path, seat.rights) == (tmp_path / "seat", Right.MAKE_SOCK | Right.REMOVE_FILE)


def test_every_right_that_is_known_is_handled():
    """A right that is not handled would be allowed everywhere."""
    assert int(landlock.EVERY_RIGHT) == (1 << len(Right)) - 1 == 0xFFFF
    assert confine.CREATE_RULESET == landlock.CREATE_RULESET


def mount(place: str, kind: str, options: str = "rw,relatime", more: str = "rw") -> str:
    """Write a line of mountinfo."""
    return f"30 23 0:26 / {place} {options} shared:9 - {kind} /dev/x {more}\n"


@pytest.mark.parametrize(
    ("mounts", "silent", "silent_when_sealed"),
    [
        ((mount("/", "ext4"),), False, True),
        ((mount("/", "ext4", "rw,noatime"),), True, True),
        ((mount("/", "ext4", "ro,relatime"),), True, True),
        ((mount("/", "ext4", more="ro"),), True, True),
        ((mount("/", "ext4", "rw"),), False, False),
        ((mount("/", "overlay"),), True, True),
        ((mount("/", "overlay"), mount("/usr", "xfs")), False, True),
        ((mount("/", "ext4"), mount("/usr", "xfs", "rw,noatime")), True, True),
        ((mount("/usr", "xfs", "rw,noatime"), mount("/usr", "ext4")), False, True),
        ((mount("/", "overlay"), mount("/us", "ext4"), mount("/usr/binary", "ext4")), True, True),
        ((mount("/nowhere", "overlay"),), False, False),
    ],
)
def test_a_file_system_that_notes_reading_is_named(
    mounts: tuple[str, ...], silent: bool, silent_when_sealed: bool
):
    """The deepest mount counts, of two at one place the last; an overlay keeps no times of lower files."""
    text = "".join(mounts)
    expected = {True: None, False: Path("/usr/bin")}

    assert read_marks([Path("/usr/bin")], mountinfo=text) == expected[silent]
    assert read_marks([Path("/usr/bin")], are_sealed=True, mountinfo=text) == expected[silent_when_sealed]


def test_a_sealed_folder_keeps_no_trace_of_a_reader(tmp_path: Path):
    """Its files look read already, in the future: under `relatime` reading them changes no time."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "file").write_text("x")
    (tmp_path / "folder" / "link").symlink_to("file")
    seal(tmp_path)
    places = [tmp_path, *tmp_path.rglob("*")]
    times = [(place.lstat().st_atime_ns, place.lstat().st_mtime_ns) for place in places]

    for _ in range(2):
        (tmp_path / "folder" / "link").read_text()
        list((tmp_path / "folder").iterdir())
    seal(tmp_path)

    assert [(place.lstat().st_atime_ns, place.lstat().st_mtime_ns) for place in places] == times
    assert {atime for atime, _ in times} == {landlock.SEALED_NS}
