"""How deep expressions nest: what stands beside does not count."""

import pytest

from core.graph.language.syntax import MOST_DEPTH, ExpressionError, parse


def deepest(before: str = "", opening: str = "(", closing: str = ")") -> int:
    """The most levels that are taken behind some text."""
    for levels in range(2 * MOST_DEPTH):
        try:
            parse(before + opening * levels + "1" + closing * levels)
        except ExpressionError:
            return levels - 1
    raise AssertionError("any depth is taken")


@pytest.mark.parametrize("beside", [
    "-1 + ", "2 ** 2 + ", "(1) + ", "min(1, 2) + ", "1 < 2 and ", "not true or ", "2 * 3 - ", "-(-1) ** 2 + ",
    "vec(1, 2, 3).x + ",
])  # fmt: skip
def test_what_stands_beside_does_not_count(beside):
    parse(beside + "1")
    whole = deepest()
    assert whole - 2 <= deepest(beside * 3) <= whole
    assert deepest(beside * 3) == deepest(beside * 9)


@pytest.mark.parametrize(
    ("opening", "closing"), [("(", ")"), ("-", ""), ("2 ** ", ""), ("not ", ""), ("abs(", ")")]
)
def test_every_way_to_nest_has_an_end(opening, closing):
    assert 10 <= deepest("", opening, closing) <= MOST_DEPTH
