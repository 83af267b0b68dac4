"""Every question has the same JSON in Python as in the program."""

import json
import os
import pathlib
import subprocess
import urllib.request

import pytest

import nimoon

ROOT = pathlib.Path(__file__).resolve().parents[3]
CASES = json.loads((ROOT / "golden" / "questions.json").read_text(encoding="utf-8"))["cases"]


@pytest.fixture(scope="module")
def program():
    """Return the path of the program."""
    name = os.environ.get("NIMOON")
    if not name:
        pytest.skip("NIMOON is not set to the path of the program")
    return name


@pytest.fixture(scope="module")
def server(program):
    """Asks the server of the program a question."""
    with subprocess.Popen([program, "serve", "--port", "0"], stdout=subprocess.PIPE, text=True) as process:
        address = process.stdout.readline().strip()

        def ask(question, fields):
            headers = {"content-type": "application/json"}
            body = json.dumps(fields).encode()
            request = urllib.request.Request(f"{address}api/{question}", data=body, headers=headers)
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.load(response)

        yield ask
        process.terminate()


def test_every_question_has_a_case():
    assert {case["question"] for case in CASES} == set(nimoon.QUESTIONS)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["question"])
def test_python_answers_as_the_server_does(case, server):
    assert nimoon.ask(case["question"], **case["fields"]) == server(case["question"], case["fields"])


@pytest.mark.parametrize("case", [case for case in CASES if "arguments" in case], ids=lambda case: case["question"])
def test_python_answers_as_the_program_does(case, program):
    answer = nimoon.ask(case["question"], **case["fields"])
    arguments = case["arguments"]
    command = [program, *arguments, "--format", "json"]
    printed = subprocess.run(command, input=case.get("input", ""), capture_output=True, text=True, check=True)
    assert answer == json.loads(printed.stdout)


def test_an_invalid_question_is_an_input_error():
    with pytest.raises(nimoon.InputError, match="unknown question `valeu`"):
        nimoon.ask("valeu")
    with pytest.raises(nimoon.InputError, match="unknown field `expresion`"):
        nimoon.ask("value", expresion="nim:3")
    with pytest.raises(nimoon.InputError) as error:
        nimoon.ask("value", expression="nim:3 + kales:4")
    assert (error.value.line, error.value.column) == (1, 9)


def test_a_limit_is_a_budget_error():
    with pytest.raises(nimoon.BudgetError):
        nimoon.ask("value", expression="green-lime:lglglglglglglg", budget=10)
