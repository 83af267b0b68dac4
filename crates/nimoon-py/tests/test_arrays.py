"""NumPy, pandas and Matplotlib convert tables and labels to their values, and never to the numbers of the rows.

The expected values of Kayles and of Top Entails are those that Winning Ways prints.
"""

import matplotlib
import numpy
import pandas
import pytest

import nimoon
from nimoon import Digraph, Value, loopy, ordinal, table

KAYLES = [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6]
TOP_ENTAILS = [Value(0), Value("moon"), Value(0), Value("moon"), Value(1)]


def cyclic():
    """Return a digraph in which a and b are draws, c loses, d wins, and g is gray."""
    return Digraph({"a": ["b"], "b": ["a"], "c": [], "d": ["c"], "g": ["c"]}, gray=["g"])


def test_numpy_converts_a_table_to_its_values():
    for first in (0, 4):
        found = table("kayles", range(first, len(KAYLES)))
        for array in (numpy.array(found), numpy.asarray(found), numpy.array(found, dtype=float)):
            assert array.tolist() == KAYLES[first:]
        assert numpy.array(found).dtype.kind == "i" and numpy.array(found, dtype=float).dtype == float
        assert (found + numpy.zeros(len(found), int)).tolist() == KAYLES[first:]
        assert numpy.max(found) == 6
    assert numpy.array(found, dtype=object).tolist() == [Value(n) for n in KAYLES[4:]]
    assert all(isinstance(value, Value) for value in numpy.array(found, dtype=object))


def test_a_table_with_other_values_than_nimbers_becomes_an_array_of_objects():
    found = numpy.array(table("top-entails", 5))
    assert found.dtype == object and found.tolist() == TOP_ENTAILS
    with pytest.raises(TypeError):
        numpy.array(table("top-entails", 5), dtype=float)


def test_arrays_are_writable():
    found = numpy.array(table("kayles", 5))
    found[0] = 7
    assert found.tolist() == [7, 1, 2, 3, 1] and numpy.array(table("kayles", 5)).tolist() == [0, 1, 2, 3, 1]


def test_numpy_converts_labels_to_their_values():
    heaps = Digraph.from_arrays([3, 3, 3, 5, 4], [0, 1, 2, 4, 0])
    assert numpy.array(heaps.label()).tolist() == [0, 0, 0, 1, 1, 0]
    labels = cyclic().label()
    assert numpy.array(labels).tolist() == [labels[node] for node in "abcdg"]
    assert numpy.array(labels).tolist()[4] is None


def test_outcomes_compare_with_letters():
    labels = cyclic().label()
    assert labels.outcomes().tolist() == ["D", "D", "P", "N", "-"]
    assert (labels.outcomes() == "P").sum() == 1 and (labels.outcomes() == "D").sum() == 2


def test_pandas_converts_a_table_to_a_series_with_the_rows_as_index():
    for pattern, numbers, expected in [
        ("kayles", range(4, 9), KAYLES[4:9]),
        ("kayles", range(5), KAYLES[:5]),
        ("top-entails", range(5), TOP_ENTAILS),
    ]:
        series = pandas.Series(table(pattern, numbers))
        assert series.index.tolist() == list(numbers) and series.tolist() == expected
    labels = cyclic().label()
    series = pandas.Series(labels)
    assert series.index.tolist() == list("abcdg") and series["d"] == Value(1) and series["g"] is None
    frame = pandas.DataFrame({"value": table("kayles", 5), "other": table("nim", 5)})
    assert frame["value"].tolist() == KAYLES[:5] and frame.index.tolist() == list(range(5))


def test_matplotlib_draws_the_values():
    matplotlib.use("agg")
    from matplotlib import pyplot

    found = table("kayles", range(4, 12))
    axes = pyplot.figure().add_subplot()
    (line,) = axes.plot(found)
    assert line.get_ydata().tolist() == KAYLES[4:]
    (line,) = axes.plot(list(found), found)
    assert line.get_xdata().tolist() == list(range(4, 12)) and line.get_ydata().tolist() == KAYLES[4:]
    with pytest.raises(TypeError):
        axes.plot(table("top-entails", 5))


def test_tables_and_labels_are_mappings():
    found = table("kayles", range(4, 9))
    assert dict(found) == {n: Value(KAYLES[n]) for n in range(4, 9)} == dict(found.items())
    assert list(found.values()) == KAYLES[4:9] and found.get(4) == 1 and found.get(99) is None and 3 not in found
    labels = cyclic().label()
    assert dict(labels) == dict(labels.items()) and list(labels.keys()) == list("abcdg")
    assert labels.get("d") == 1 and labels.get("x") is None and "x" not in labels and "g" in labels


@pytest.mark.parametrize("answer", [ordinal("w"), nimoon.affine("*"), nimoon.value("nim:3"), loopy("on"), Value(2)])
def test_numpy_treats_an_answer_as_one_object(answer):
    assert numpy.array(answer).shape == () and numpy.array(answer)[()] is answer
    both = numpy.array([answer, answer])
    assert both.shape == (2,) and both[0] is answer and both[1] is answer
