"""Runs the examples in docstrings, documents and notebooks, and checks the stubs."""

import doctest
import importlib
import inspect
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

import nimoon
from nimoon import _native

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("name", ["_affine", "_answers", "_digraph", "_errors", "_expressions", "_loopy", "_progress", "_rules"])
def test_docstrings_of_python(name):
    failed, _ = doctest.testmod(importlib.import_module(f"nimoon.{name}"))
    assert failed == 0


def test_docstrings_of_rust():
    names = {**vars(nimoon), "Value": _native.Value}
    tried = 0
    for name, member in [("Value", _native.Value), *inspect.getmembers(_native.Value)]:
        text = inspect.getdoc(member) or ""
        if ">>>" in text:
            test = doctest.DocTestParser().get_doctest(text, dict(names), name, None, 0)
            assert doctest.DocTestRunner().run(test).failed == 0
            tried += test.examples.__len__()
    assert tried >= 6


def test_every_parameter_of_a_public_function_is_documented():
    functions = [(name, getattr(nimoon, name)) for name in nimoon.__all__]
    for name, member in list(functions):
        if inspect.isclass(member) and member.__module__.startswith("nimoon"):
            functions += [(f"{name}.{inner}", method) for inner, method in vars(member).items() if not inner.startswith("_")]
    checked = 0
    for name, function in functions:
        function = getattr(function, "__func__", function)
        if not inspect.isfunction(function):
            continue
        parameters = set(inspect.signature(function).parameters) - {"self", "cls"}
        # A function of one obvious argument is described by its first sentence.
        if len(parameters) < 2 or "those of ``nimoon.value``" in inspect.getdoc(function):
            continue
        missing = [parameter for parameter in parameters if f"``{parameter}``" not in inspect.getdoc(function)]
        assert not missing, f"{name}: {missing}"
        checked += 1
    assert checked >= 25


def test_every_public_name_has_a_docstring():
    for name in nimoon.__all__:
        member = getattr(nimoon, name)
        assert inspect.getdoc(member), name
        for inner, method in vars(member).items() if inspect.isclass(member) else []:
            if not inner.startswith("_") and callable(method):
                assert inspect.getdoc(method), f"{name}.{inner}"


@pytest.mark.parametrize("file", ["README.md", "crates/nimoon-py/README.md", "docs/tour/8-page-and-python.md"])
def test_the_examples_in_the_documents_are_correct(root, file, monkeypatch):
    monkeypatch.chdir(root)
    text = (root / file).read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert blocks
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, file, file, 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0


@pytest.mark.slow
def test_the_stubs_match_the_module():
    checked = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "nimoon._native", "--ignore-disjoint-bases"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.slow
def test_the_package_passes_the_type_checker():
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--package", "nimoon"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_there_are_five_notebooks():
    assert len(NOTEBOOKS) == 5


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_notebook_runs(path):
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    start = time.monotonic()
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    print(f"{path.stem}: {time.monotonic() - start:.1f} s")
    # Notebooks are stored without output, which could become outdated.
    assert all(not cell.get("outputs") for cell in nbformat.read(path, as_version=4).cells)
