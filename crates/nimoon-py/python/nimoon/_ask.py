"""Answers every question by its name, with the same results as the program and the server."""

from __future__ import annotations

import json
from typing import Any

from . import _native
from ._limits import BUDGET, limits

QUESTIONS: tuple[str, ...] = tuple(_native.questions())
"""The names of all questions."""


def ask(
    question: str,
    /,
    *,
    budget: int = BUDGET,
    memory: int | None = None,
    time: float | None = None,
    **fields: Any,
) -> Any:
    """Answer the question with this name. The fields and the answer are those of the server.

    The answer is the parsed JSON that ``nimoon NAME --format json`` prints. A picture or another text is returned as text, and PNG as bytes.

    >>> import nimoon
    >>> nimoon.ask("ordinal", expression="w + 1")["value"]
    'w + 1'
    >>> sorted(nimoon.ask("compare", a="over", b="upon"))
    ['ge_minus', 'ge_plus', 'le_minus', 'le_plus', 'relation']
    >>> nimoon.ask("value", expression="nim:3 + kayles:9")["outcome"]
    'N'

    - ``question``: the name, one of ``QUESTIONS``.
    - ``fields``: the fields of the request, as the OpenAPI document of the server describes them.
    - ``budget``, ``memory``, ``time``: the limits of the call, as for ``value``.
    """
    kind, body = _native.ask(question, json.dumps(fields), limits(budget, memory, time))
    if kind == "application/json":
        return json.loads(body)
    return body if kind == "image/png" else body.decode()
