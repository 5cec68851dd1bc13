"""What is written about the protocol is what the protocol is."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_follows_the_proto() -> None:
    """The reference in docs/protocol.md is made from the comments of the proto, and every field has one."""
    command = [sys.executable, str(ROOT / "deploy" / "gen-protocol-page"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")


def test_the_generated_code_is_fresh() -> None:
    """arena/protocol/pb is what the proto makes."""
    command = [sys.executable, str(ROOT / "deploy" / "gen-protos"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")
