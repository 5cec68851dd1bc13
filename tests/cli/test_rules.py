"""`arena rules check` and `arena rules try`, as an organiser uses them."""

import json
from pathlib import Path

import pytest

from arena.cli.app import run
from arena.rules.presets import PRESETS, parse_ruleset, preset

HOUSE = """
base = "classic"
jump_in = true
seven = "swap"
scoring = "own_points"
"""


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("jumpin = true", ["unknown option 'jumpin'", "did you mean 'jump_in'?"]),
        ("seven = 'swp'", ["option 'seven' cannot be 'swp'", "did you mean 'swap'?", "off, swap"]),
        ("base = 'matel'", ["unknown base 'matel'", "did you mean 'mattel'?", ", ".join(PRESETS)]),
        ("jump_in = 1", ["option 'jump_in' cannot be 1", "on or off"]),
        ("uno_penalty = 3", ["option 'uno_penalty' cannot be 3", "2 or 4"]),
        ("hand_size = 0", ["option 'hand_size' cannot be 0", "1 to "]),
        ("players = '1-4'", ["option 'players' cannot be '1-4'", "2 to 10"]),
        ("hand_size = 60", ["'deck', 'hand_size'", "122 cards", "108"]),
        ("to_the_last = true", ["'to_the_last' and 'scoring' = winner_takes"]),
        ("h2o_finish = true", ["'h2o_finish' needs a deck with +1 or W+2"]),
        ("[deck]\nQ9 = 3", ["option 'deck'", "Q9"]),
        ("deck = 'custom'", ["option 'cards' is empty"]),
        ("seven = ", ["the ruleset is no TOML"]),
        ("x = " + "[" * 5000 + "]" * 5000, ["no TOML"]),
        ("rounds = 1" + "0" * 5000, ["rounds.toml"]),
    ],
)
def test_what_is_wrong_is_told_in_one_line(
    text: str, messages: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that cannot be played names the option, what is allowed, and the nearest known word."""
    file = tmp_path / "rounds.toml"
    file.write_text(text)

    assert run(["rules", "check", str(file)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert all(message in printed.err for message in messages)


@pytest.mark.parametrize(
    ("name", "messages"),
    [
        (".", ["'.' is a folder"]),
        ("./sub", ["'./sub' is a folder"]),
        ("hause.toml", ["no file 'hause.toml'", "did you mean 'house.toml'?"]),
        ("sub/ruls.toml", ["no file 'sub/ruls.toml'", "did you mean 'sub/rules.toml'?"]),
        ("matel.toml", ["no file 'matel.toml'", "did you mean 'mattel'?"]),
        ("house", ["unknown ruleset 'house'", "did you mean 'house.toml'?"]),
        ("plain", ["unknown ruleset 'plain'", "did you mean './plain'?"]),
        ("nowhere/x.toml", ["no file 'nowhere/x.toml'"]),
    ],
)
def test_what_is_no_ruleset_is_told_what_was_near(
    name: str,
    messages: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A folder, a misspelt file, one without its ending: what may have been meant, and what can be given."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    for file in ("house.toml", "plain", "sub/rules.toml"):
        (tmp_path / file).write_text(HOUSE)

    assert run(["rules", "check", name]) == 2

    said = capsys.readouterr().err
    assert all(message in said for message in [*messages, ", ".join(PRESETS), "or a TOML file"])


def test_a_good_file_is_told_in_full(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Canonical text, digest, what differs from the base, what is inactive; the text reads back the same."""
    file = tmp_path / "house.toml"
    file.write_text(HOUSE)
    assert run(["rules", "check", str(file)]) == 0
    text = capsys.readouterr().out
    assert run(["rules", "check", str(file), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)

    ruleset = parse_ruleset(HOUSE)
    assert told["digest"] == ruleset.digest.hex()
    assert told["base"] == "classic"
    assert told["differs"] == {
        "jump_in": {"value": "on", "base": "off"},
        "seven": {"value": "swap", "base": "off"},
        "scoring": {"value": "own_points", "base": "winner_takes"},
    }
    assert "blank" in told["inactive"]
    assert parse_ruleset(told["text"]).digest == ruleset.digest
    assert ruleset.digest.hex() in text
    assert all(f"  {line}\n" in text for line in ruleset.canonical_text().splitlines())


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_can_be_checked(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A preset's name does as a file does; what it changes in the first preset is listed."""
    assert run(["rules", "check", name, "--json"]) == 0

    told = json.loads(capsys.readouterr().out)
    assert told["digest"] == preset(name).digest.hex()
    assert set(told["differs"]) == set(PRESETS[name])


def test_a_ruleset_can_be_tried(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The reference bots play so many rounds without a fault, the figures are told, and again the same."""
    file = tmp_path / "house.toml"
    file.write_text(HOUSE)
    command = ["rules", "try", str(file), "--rounds", "40", "--seats", "3", "--json"]
    assert run(command) == 0
    told = json.loads(capsys.readouterr().out)
    assert run(command) == 0
    assert json.loads(capsys.readouterr().out) == told

    assert told["digest"] == parse_ruleset(HOUSE).digest.hex()
    assert (told["seats"], told["faults"], told["target"]) == (3, 0, 200)
    assert told["rounds"] >= 40
    assert told["rounds"] == round(told["rounds_a_match"]["mean"] * told["matches"])
    assert -1 / 3 <= told["advantage_of_the_starting_seat"]["mean"] <= 2 / 3
    assert told["advantage_of_the_starting_seat"]["half_width_95"] > 0
    assert told["stalemates"] == 0
    fired = {row["rule"]: row["count"] for row in told["fired"]}
    always, answers = {"R27", "R33", "R36", "R51"}, {"R35", "R40", "R41", "R43"}
    assert set(fired) == {*always, *answers, "R60", "R61", "R62", "R63", "R66"}
    assert fired["R63"] > fired["R36"] > 0


def test_a_trial_reads_well(capsys: pytest.CaptureFixture[str]) -> None:
    """For people: the length to the target, the figures with their intervals, each special rule by its id."""
    assert run(["rules", "try", "mattel", "--rounds", "20"]) == 0

    text = capsys.readouterr().out
    for part in (
        "rounds to 500",
        "decisions a round",
        "starting seat",
        "stalemates",
        "R33",
        "±",
        "faults: 0",
    ):
        assert part in text


def test_a_table_that_is_not_played_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A ruleset for two is not tried by three; without --seats one that it can deal is taken."""
    file = tmp_path / "two.toml"
    file.write_text("players = 2\nrounds = 1\n")
    assert run(["rules", "try", str(file), "--seats", "3"]) == 2
    assert "'players' = 2" in capsys.readouterr().err
    assert run(["rules", "try", str(file), "--rounds", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["seats"] == 2
    file.write_text("rounds = 1\nhand_size = 2\n[deck]\nR1 = 9")
    assert run(["rules", "try", str(file), "--rounds", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["seats"] == 3
