"""What Python costs: arrays against the program, and a ruleset against its own methods.

``benches/run.sh`` builds the package and the program in one profile, and runs this. Needs the package, NumPy, and the program
by NIMOON. Runs of both sides take turns, the best of each counts, and all labels are compared.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy

import nimoon

ROUNDS = 5
# What may be spent on arrays, at most: so many times the time of the program.
MOST = 1.3


def seconds(work):
    """The time that a call takes, and what it gives."""
    start = time.perf_counter()
    given = work()
    return time.perf_counter() - start, given


def program(*arguments):
    """What the program prints."""
    return subprocess.run([os.environ["NIMOON"], *arguments], capture_output=True, check=True, text=True).stdout


def arrays(name, tails, heads, nodes, gray):
    """Labelling arcs that are given as arrays, against `label_s` of the program for the same digraph: reading is in neither."""

    def label():
        # What a caller waits for: the digraph, its labels, and the nimbers as an array.
        return nimoon.Digraph.from_arrays(tails, heads, nodes=nodes, gray=gray).label().nimbers()

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "random.edges"
        # Lone nodes first, so that names and numbers agree.
        with path.open("w") as file:
            file.writelines(f"{node}\n" for node in range(nodes))
            file.writelines(f"gray {node}\n" for node in gray.tolist())
            file.writelines(f"{tail} {head}\n" for tail, head in zip(tails.tolist(), heads.tolist()))
        ours, theirs = [], []
        for _ in range(ROUNDS):
            taken, found = seconds(label)
            ours.append(taken)
            timing = program("label", str(path), "--timing", "json", "--format", "none")
            theirs.append(json.loads(timing)["label_s"])
        rows = program("label", str(path), "--format", "csv").splitlines()
    place = rows[0].split(",").index("value")
    values = (row.split(",")[place] for row in rows[1:])
    expected = numpy.array([int(value) if value.isdigit() else -1 for value in values])
    assert len(rows) == nodes + 1 and numpy.array_equal(found, expected), "labels differ"
    ratio = min(ours) / min(theirs)
    print(
        f"{name}: {len(tails)} arcs, {min(ours):.3f} s from arrays of {tails.dtype}, "
        f"{min(theirs):.3f} s in the program, ratio {ratio:.2f}; no label differs",
        flush=True,
    )
    return ratio


def all_arrays(nodes=1_000_000, arcs=4_000_000):
    """Families of digraphs, as numbers of both widths."""
    random = numpy.random.default_rng(1)
    none = numpy.array([], numpy.int64)
    tails, heads = random.integers(0, nodes, (2, arcs))
    yield arrays("random", tails, heads, nodes, none)
    yield arrays("random", tails.astype(numpy.uint32), heads.astype(numpy.uint32), nodes, none.astype(numpy.uint32))
    # A tail is larger than its head, but for one arc in fifty.
    low, high = numpy.minimum(tails, heads), numpy.maximum(tails, heads)
    swapped = random.random(arcs) < 0.02
    yield arrays("few cycles", numpy.where(swapped, low, high), numpy.where(swapped, high, low), nodes, none)


class Steps(nimoon.Ruleset):
    """Two heaps of which little is taken."""

    def options(self, heaps):
        a, b = heaps
        found = [(a - 1, b)] if a else []
        if b:
            found.append((a, b - 1))
        if a and b:
            found.append((a - 1, b - 1))
        if a > 1:
            found.append((a - 2, b))
        return found


def ruleset(size=500):
    """Exploring and labelling by the engine, against calling `options` once for each position."""
    rules = Steps()
    positions = [(a, b) for a in range(size + 1) for b in range(size + 1)]
    ours = min(seconds(lambda: rules.value((size, size)))[0] for _ in range(2))
    alone = min(seconds(lambda: [rules.options(position) for position in positions])[0] for _ in range(2))
    minute = 60 * len(positions) / ours
    # By columns: a position is the mex of its options.
    values = numpy.zeros((size + 1, size + 1), int)
    for a, b in positions:
        options = {values[option] for option in rules.options((a, b))}
        values[a, b] = next(n for n in range(5) if n not in options)
    assert rules.value((size, size)) == int(values[size, size])
    print(f"a ruleset in Python: {minute:.0f} positions a minute, ratio {ours / alone:.1f} to its methods alone")


if __name__ == "__main__":
    ratios = list(all_arrays())
    ruleset()
    if max(ratios) > MOST:
        sys.exit(f"arrays cost {max(ratios):.2f} times the program, and {MOST} is the most")
