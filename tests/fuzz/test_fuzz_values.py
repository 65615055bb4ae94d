"""A second of what `tests/fuzz/fuzz_values.py` does for hours: journals, clipboard texts, preferences and maps."""

import copy
import logging
import random

import pytest

from tests.fuzz.fuzz_values import KINDS, fuzz
from tests.fuzz.mutations import VALUES, change_json


@pytest.mark.parametrize("kind", KINDS)
def test_broken_values_give_a_value_or_an_error_that_was_foreseen(kind, monkeypatch):
    monkeypatch.setattr(logging.root.manager, "disable", logging.CRITICAL)
    told = fuzz(kind, seconds=2.0, seed=20261122, count=60)
    assert set(told["outcomes"]) <= {"read", "refused"}, told


def test_values_put_in_do_not_grow_with_the_cases():
    """A list put into one document and changed there was put, changed, into all later ones: journals of megabytes."""
    before, chance = copy.deepcopy(VALUES), random.Random(1)
    for _ in range(3000):
        change_json({"a": [[], {}, {"b": [1]}]}, chance)
        value = {"a": [[], {}]}
        for _ in range(6):
            change_json(value, chance)
    assert repr(VALUES) == repr(before)
