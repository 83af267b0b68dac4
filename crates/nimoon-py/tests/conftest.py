"""What the tests share."""

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def golden():
    """Reads a file of verified cases."""
    return lambda name: json.loads((ROOT / "golden" / name).read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def nimoon_program():
    """Runs the program, and gives its JSON and its exit code."""
    program = os.environ.get("NIMOON")
    if not program:
        pytest.skip("NIMOON does not tell where the program is")

    def run(*arguments, text=False):
        form = [] if text else ["--format", "json"]
        done = subprocess.run([program, *arguments, *form], capture_output=True, text=True, cwd=ROOT, check=False)
        return (done.stdout if text else json.loads(done.stdout or "null")), done.returncode

    return run


@pytest.fixture(scope="session")
def root():
    """The top of the repository."""
    return ROOT
