"""Fixtures for all tests."""

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def golden():
    """Return a function that reads a file of verified cases."""
    return lambda name: json.loads((ROOT / "golden" / name).read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def nimoon_program():
    """Return a function that runs the program and returns its JSON and its exit code."""
    program = os.environ.get("NIMOON")
    if not program:
        pytest.skip("NIMOON is not set to the path of the program")

    def run(*arguments, text=False):
        form = [] if text else ["--format", "json"]
        done = subprocess.run([program, *arguments, *form], capture_output=True, text=True, cwd=ROOT, check=False)
        return (done.stdout if text else json.loads(done.stdout or "null")), done.returncode

    return run


@pytest.fixture(scope="session")
def root():
    """Return the root folder of the repository."""
    return ROOT
