"""What Python costs: arrays against the program, and a ruleset against its own methods.

Needs the package, NumPy, and the program by NIMOON, both built in one profile.
"""

import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

import numpy

import nimoon


def best(work, times=3):
    """The shortest of some runs, in seconds."""

    def once():
        start = time.perf_counter()
        work()
        return time.perf_counter() - start

    return min(once() for _ in range(times))


def arrays(nodes=1_000_000, arcs=4_000_000):
    """Labelling arcs that are given as arrays, against `label_s` of the program for the same digraph."""
    random = numpy.random.default_rng(1)
    tails, heads = random.integers(0, nodes, (2, arcs))
    found = []

    def label():
        found[:] = [nimoon.Digraph.from_arrays(tails, heads, nodes=nodes).label().nimbers()]

    ours = best(label)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "random.edges"
        # Lone nodes first, so that names and numbers agree.
        with path.open("w") as file:
            file.write("\n".join(map(str, range(nodes))) + "\n")
            file.writelines(f"{tail} {head}\n" for tail, head in zip(tails.tolist(), heads.tolist()))
        program = [os.environ["NIMOON"], "label", str(path), "--timing", "json", "--format", "none"]
        runs = [json.loads(subprocess.run(program, capture_output=True, check=True).stdout) for _ in range(3)]
    theirs = min(run["label_s"] for run in runs)
    values, counts = numpy.unique(found[0], return_counts=True)
    assert counts.sum() == nodes and values[0] == -1
    print(f"labelling {arcs} arcs: {ours:.3f} s from arrays, {theirs:.3f} s in the program, ratio {ours / theirs:.2f}")


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
    ours = best(lambda: rules.value((size, size)), 2)
    alone = best(lambda: [rules.options(position) for position in positions], 2)
    minute = 60 * len(positions) / ours
    print(f"a ruleset in Python: {minute:.0f} positions a minute, ratio {ours / alone:.1f} to its methods alone")


if __name__ == "__main__":
    arrays()
    ruleset()
