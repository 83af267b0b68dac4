"""All calls have the same three limits: positions, memory and time. Ctrl-C stops the work of a call."""

from __future__ import annotations

import os
import signal
import threading
import time

import pytest

import nimoon

SMALL = nimoon.Digraph({"a": ["b"], "b": ["c", "a"]})
LOOPY = nimoon.loopy("{0|over} + *")

CALLS = {
    "value": lambda **limits: nimoon.value("green-lime:glglglgl", **limits),
    "period": lambda **limits: nimoon.period("kayles", **limits),
    "sum": lambda **limits: SMALL.sum("a", **limits),
    "product": lambda **limits: SMALL.product("a", "b", **limits),
    "remoteness": lambda **limits: SMALL.remoteness(**limits),
    "wide": lambda **limits: SMALL.remoteness(wide=True, **limits),
    "loopy": lambda **limits: nimoon.loopy("on + off", **limits),
    "unicycle": lambda **limits: nimoon.unicycle("LLLRLRRRLR", "0,-1", **limits),
    "ordinal": lambda **limits: nimoon.ordinal("w * 2", **limits),
    "affine": lambda **limits: nimoon.affine("{oo|0}", **limits),
    "representative": lambda **limits: nimoon.representative("ninny{300}", **limits),
    "audit": lambda **limits: nimoon.audit(exhaustive=2, **limits),
    "compare": lambda **limits: nimoon.compare_affine("oo > 100", **limits),
    "parse": lambda **limits: nimoon.Digraph.parse("a: b\nb: a c", **limits),
    "compare loopy": lambda **limits: LOOPY.compare("upon", **limits),
    "draw": lambda **limits: LOOPY.draw(**limits),
}


@pytest.mark.parametrize("name", list(CALLS))
def test_the_time_limit_raises_an_exception(name):
    with pytest.raises(nimoon.BudgetError, match="raise it with `time`"):
        CALLS[name](time=0)
    CALLS[name](time=3600, memory=1 << 33)


def test_a_sum_of_labels_has_a_value_without_time_for_a_turn():
    found, whole = SMALL.label().sum("a", time=0), SMALL.sum("a")
    assert (found.value, found.outcome, found.turn) == (whole.value, whole.outcome, None)
    assert whole.turn is not None


def test_the_memory_limit_raises_an_exception():
    for name in ("value", "loopy", "affine", "representative", "audit", "parse", "ordinal", "compare loopy", "draw"):
        with pytest.raises(nimoon.BudgetError, match="raise it with `memory`"):
            CALLS[name](memory=1)
    assert not SMALL.label(memory=1).complete
    assert SMALL.label(memory=1 << 20).complete


def test_the_budget_raises_an_exception():
    for name in ("value", "loopy", "affine", "representative", "audit", "compare loopy", "draw"):
        with pytest.raises(nimoon.BudgetError, match="raise it with `budget`"):
            CALLS[name](budget=1)


def test_files_and_explanations_have_limits_too(tmp_path):
    file = tmp_path / "small.game"
    file.write_text("a: b\nb: a c")
    labels = nimoon.Digraph.read(file, memory=1 << 20, time=3600).label()
    for limits, name in (({"memory": 1}, "memory"), ({"time": 0}, "time")):
        with pytest.raises(nimoon.BudgetError, match=f"raise it with `{name}`"):
            nimoon.Digraph.read(file, **limits)
    with pytest.raises(nimoon.BudgetError, match="raise it with `time`"):
        labels.explain("a", time=0)
    assert labels.explain("a", time=3600).text == labels.explain("a").text


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are not available")
def test_reading_a_pipe_without_a_writer_stops_at_the_time_limit(tmp_path):
    pipe = tmp_path / "pipe.game"
    os.mkfifo(pipe)
    for call in (
        lambda **limits: nimoon.Digraph.read(pipe, **limits),
        lambda **limits: nimoon.read_loopy(pipe, **limits),
        lambda **limits: nimoon.value(f"digraph[{pipe}]:a", **limits),
        lambda **limits: nimoon.value("nim:1", rulesets=[pipe], **limits),
        lambda **limits: nimoon.table(f"digraph[{pipe}]:{{}}", 4, **limits),
    ):
        with pytest.raises(nimoon.BudgetError, match="raise it with `time`"):
            call(time=0.2)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are not available")
def test_the_partial_answer_includes_a_digraph_from_a_pipe(tmp_path):
    pipe = tmp_path / "pipe.game"
    os.mkfifo(pipe)
    # The writer opens the pipe once, so a second read would wait forever.
    writer = threading.Thread(target=pipe.write_text, args=("a: b\nb:\n",))
    writer.start()
    with pytest.raises(nimoon.BudgetError) as raised:
        nimoon.value(f"digraph[{pipe}]:a + wythoff:30,30", budget=10, time=3600)
    writer.join()
    assert [part["value"] for part in raised.value.known["components"]][0] == {"kind": "nimber", "n": 1}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are not available")
def test_ctrl_c_stops_waiting_for_a_script(tmp_path):
    pipe = tmp_path / "script.rhai"
    os.mkfifo(pipe)
    threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        nimoon.value("nim:1", rulesets=[pipe])


def test_a_device_is_rejected():
    with pytest.raises(nimoon.InputError, match="/dev/zero: this is a device and not a file"):
        nimoon.Digraph.read("/dev/zero", "game")


def test_limits_default_to_those_of_the_game():
    game = nimoon.loopy("over", time=3600, budget=10**6)
    assert game._native.limits() == (10**6, None, 3600.0)
    assert game.compare(0)["relation"] == game.compare(0, time=60, memory=1 << 30)["relation"]


def test_an_incomplete_audit_reports_what_it_checked():
    with pytest.raises(nimoon.BudgetError) as hit:
        nimoon.audit(random=10**9, budget=5000)
    assert hit.value.known["wrong"] == 0 and hit.value.known["digraphs"] > 0


def test_an_incomplete_table_has_the_rows_found_in_time():
    with pytest.raises(nimoon.BudgetError, match="raise it with `time`") as hit:
        nimoon.table("hexadecimal[0.FFFF]", 100_000, time=0.5)
    assert 0 < len(hit.value.known) < 100_000


@pytest.mark.parametrize("limits", [{"time": -1}, {"time": float("nan")}, {"memory": -1}, {"budget": -1}])
def test_limits_must_be_numbers_from_0_on(limits):
    with pytest.raises(nimoon.InputError, match="expected a number from 0 on"):
        nimoon.value("nim:3", **limits)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: nimoon.period("hexadecimal[0.FFFF]", up_to=20_000),
        lambda: nimoon.value("nimstring:6x6", budget=10**12),
        lambda: nimoon.unicycle(length=18, count=True),
    ],
    ids=["period", "value", "unicycle"],
)
def test_no_thread_works_after_an_interruption(ask):
    timer = threading.Timer(0.5, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        ask()
    timer.join()
    # The processor time includes all threads of this process.
    for _ in range(100):
        before = time.process_time()
        time.sleep(0.2)
        if time.process_time() - before < 0.05:
            return
    pytest.fail("threads are still working")
