"""Buckets of equal size."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from errai.abstraction.percentile import (
    NEVER,
    edges_of,
    joined_buckets,
    nested_buckets,
    percentile_buckets,
    place_among,
)
from errai.errors import ErraiError

weights = st.lists(st.integers(0, 1000), min_size=1, max_size=60)


@given(weights, st.integers(1, 20))
def test_each_value_falls_where_the_middle_of_its_deals_does(weight, buckets):
    weight = np.array(weight)
    found = percentile_buckets(weight, buckets)
    assert found[0] == 0
    assert (np.diff(found) >= 0).all()
    assert (np.diff(found) <= 1).all()
    total = weight.sum()
    below = 0
    lookup = {}
    for value, w in enumerate(weight):
        if w:
            lookup[value] = int(buckets * (below + w / 2) / total)
        below += w
    # The same place is the same bucket, another place another one.
    for a, place in lookup.items():
        for b, other in lookup.items():
            assert (found[a] == found[b]) == (place == other)


@given(st.integers(2, 50))
def test_equal_weights_make_equal_buckets(buckets):
    found = percentile_buckets(np.ones(10 * buckets), buckets)
    assert np.bincount(found).tolist() == [10] * buckets


@given(weights, st.integers(1, 20))
def test_edges_say_the_same_as_the_buckets(weight, buckets):
    found = percentile_buckets(np.array(weight), buckets)
    values = np.arange(len(weight), dtype=np.uint16)
    assert np.array_equal(place_among(edges_of(found), values), found)


@given(
    st.lists(st.lists(st.integers(0, 9), min_size=7, max_size=7), min_size=1, max_size=6), st.integers(1, 5)
)
def test_nested_buckets_are_percentiles_within_each_parent(joint, buckets):
    joint = np.array(joint)
    refine, count = nested_buckets(joint, buckets)
    assert np.array_equal(refine == NEVER, joint == 0)
    used = [set(row[row >= 0].tolist()) for row in refine]
    assert sum(map(len, used)) == len(set().union(*used)) == count
    for row, weight in zip(refine, joint, strict=True):
        if weight.any():
            here = row[row >= 0]
            assert np.array_equal(here - here[0], percentile_buckets(weight, buckets)[weight > 0])


def test_joined_buckets_number_what_happens():
    refine, count = joined_buckets(np.array([[1, 0, 2], [0, 0, 5]]))
    assert count == 3
    assert refine.tolist() == [[0, NEVER, 1], [NEVER, NEVER, 2]]


def test_no_buckets_is_an_error():
    with pytest.raises(ErraiError, match="1 or more"):
        percentile_buckets(np.ones(3), 0)


def test_buckets_have_the_sizes_that_are_given():
    assert np.bincount(percentile_buckets(np.ones(60), 3, (3, 2, 1))).tolist() == [30, 20, 10]
    assert np.bincount(percentile_buckets(np.ones(60), 3, (4, 4, 4))).tolist() == [20, 20, 20]
