"""Forked processes, as `multiprocessing` creates them: each call returns the same answer as in the parent.

A call that waits for a thread of the parent would never end, so the tests have a time limit. It does not measure speed.
"""

import multiprocessing
import os
import threading

import pytest

import nimoon
from nimoon import Digraph, Ruleset

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")

LONG = 120
"""The number of seconds after which a test assumes that a child waits forever."""

NODES = 300_000
"""So many that the threads of the pool share the work."""


def path():
    import numpy

    tails = numpy.arange(1, NODES)
    return Digraph.from_arrays(tails, tails - 1)


INHERITED = path()


class Steps(Ruleset):
    def options(self, n):
        return [n - 1, n - 2] if n > 1 else []


# The expected numbers are known without nimoon.
CALLS = {
    "a digraph from arrays": (lambda: int(path().label().nimbers().sum()), NODES // 2),
    "a digraph of the parent": (lambda: int(INHERITED.label().nimbers().sum()), NODES // 2),
    "a digraph of a list": (lambda: len(Digraph([(i + 1, i) for i in range(NODES)])), NODES + 1),
    "remoteness": (lambda: INHERITED.remoteness(budget=NODES)[str(NODES - 1)]["remoteness"], NODES - 1),
    "rulesets in Python": (lambda: Steps().value(3000).nimber, 2),
    "a sum of heaps": (lambda: nimoon.value("nim:5 + nim:3").value.nimber, 6),
    "a table": (lambda: int(nimoon.table("nim", 30_000).nimbers()[-1]), 29_999),
    "a loopy game": (lambda: int(nimoon.loopy("on") > nimoon.loopy("over")), 1),
}


def answer(name):
    return CALLS[name][0]()


def in_children(names):
    """Return the answers of two forked processes."""
    with multiprocessing.get_context("fork").Pool(2) as pool:
        return pool.map_async(answer, names, chunksize=1).get(LONG)


@pytest.mark.parametrize("name", CALLS)
def test_a_forked_process_returns_the_answers_of_its_parent(name):
    expected = CALLS[name][1]
    # This starts the threads of the parent.
    assert answer("a digraph from arrays") == NODES // 2
    assert answer(name) == expected
    assert in_children([name] * 4) == [expected] * 4


LATEST = []
"""The digraphs that threads of the parent label. Each has a cycle, so that labelling needs the predecessors."""


def label_the_latest(_):
    return int(LATEST[-1].label().nimbers()[1])


def test_a_process_forked_during_a_call_returns_correct_answers():
    import numpy

    stop, started = threading.Event(), threading.Event()
    tails = numpy.arange(1, NODES)

    def work():
        while not stop.is_set():
            LATEST.append(Digraph.from_arrays(numpy.append(tails, NODES - 1), numpy.append(tails - 1, NODES - 1)))
            started.set()
            LATEST[-1].label()

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    started.wait()
    try:
        for _ in range(8):
            with multiprocessing.get_context("fork").Pool(2) as pool:
                assert pool.map_async(label_the_latest, range(2)).get(LONG) == [1, 1]
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def test_a_child_of_a_child_returns_correct_answers():
    def child(queue):
        grandchild = multiprocessing.get_context("fork").Process(target=lambda: queue.put(answer("a digraph from arrays")))
        grandchild.start()
        queue.put(answer("rulesets in Python"))
        grandchild.join()

    queue = multiprocessing.get_context("fork").Queue()
    process = multiprocessing.get_context("fork").Process(target=child, args=(queue,))
    process.start()
    assert {queue.get(timeout=LONG), queue.get(timeout=LONG)} == {2, NODES // 2}
    process.join()


def test_a_fork_within_a_call_is_an_error_in_the_child():
    children = []

    def fork(_):
        if not children:
            children.append(os.fork())

    me = os.getpid()
    try:
        # Increase the work until the call reports progress.
        for count in [3_000, 30_000, 300_000, 3_000_000]:
            nimoon.audit(random=count, progress=fork)
            if children:
                break
    except nimoon.NimoonError as error:
        os._exit(7 if os.getpid() != me and "forked" in str(error) else 1)
    finally:
        if os.getpid() != me:
            os._exit(2)
    _, status = os.waitpid(children[0], 0)
    assert os.waitstatus_to_exitcode(status) == 7
