"""A second of what `tests/fuzz/fuzz_values.py` does for hours: journals, clipboard texts, preferences and maps."""

import logging

import pytest

from tests.fuzz.fuzz_values import KINDS, fuzz


@pytest.mark.parametrize("kind", KINDS)
def test_broken_values_give_a_value_or_an_error_that_was_foreseen(kind, monkeypatch):
    monkeypatch.setattr(logging.root.manager, "disable", logging.CRITICAL)
    told = fuzz(kind, seconds=2.0, seed=20261122, count=60)
    assert set(told["outcomes"]) <= {"read", "refused"}, told
