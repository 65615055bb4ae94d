"""Set-ups of motion matching: bounds, and files."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import FormatError, ValidationError
from core.locomotion.matching.setup import BOUNDS, Choice, Matching, Tag
from core.locomotion.matching.setup_file import read_matching, with_values, write_matching

WHOLE = ("near", "end")
numbers = st.fixed_dictionaries(
    {},
    optional={
        name: st.integers(int(low), int(high)) if name in WHOLE else st.floats(low, high)
        for name, (low, high) in BOUNDS.items()
    },
)
choices = st.lists(
    st.builds(
        Choice, st.sampled_from(("walk", "run", "läuft")), st.none() | st.sampled_from(Tag), st.booleans()
    ),
    unique_by=lambda choice: choice.clip,
).map(tuple)


@given(numbers, choices, st.booleans(), st.lists(st.floats(1.0, 360.0), max_size=8).map(tuple))
def test_a_set_up_written_and_read_is_the_same(tmp_path_factory, changed, chosen, mirror, bends):
    setup = Matching(**changed, choices=chosen, mirror=mirror, bends=bends)
    file = tmp_path_factory.mktemp("matching") / "a.json"
    write_matching(setup, file)
    assert read_matching(file) == setup


@pytest.mark.parametrize("name", BOUNDS)
def test_numbers_out_of_their_bounds_are_refused_by_name(name):
    low, high = BOUNDS[name]
    for value in (low - 1, high + 1):
        with pytest.raises(ValidationError, match=f"{name}: expected"):
            replace(Matching(), **{name: value})


def test_two_choices_of_one_clip_and_ranges_that_end_before_they_begin_are_refused():
    with pytest.raises(ValidationError, match="one of each clip"):
        Matching(choices=(Choice("walk"), Choice("walk")))
    with pytest.raises(ValidationError, match="first < last"):
        Choice("walk", first=1.0, last=0.5)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"feet": 1.0}, "feet: expected members of feet_place"),
        ({"feet_place": -1.0}, "feet_place: expected 0 to 100"),
        ({"feet_place": "much"}, "feet_place"),
        ({"bends": [400.0]}, "bends: expected"),
        ({"choices": [{"clip": "walk", "tag": "fly"}]}, r"choices\[0\].tag: expected one of stand"),
        ({"choices": [{"tag": "move"}]}, r"choices\[0\].clip"),
        ({"choices": [{"clip": "walk", "speed": 1}]}, r"choices\[0\].speed: expected members"),
    ],
)
def test_a_file_that_is_wrong_names_the_field(tmp_path, values, message):
    file = tmp_path / "a.json"
    file.write_text(json.dumps({"format": "posewright.matching", "version": 1, "matching": values}))
    with pytest.raises(FormatError, match=message):
        read_matching(file)


def test_members_are_told_as_name_and_value():
    told = ["path_place=3", "near = 12", "warp=off", "paces=0.8, 1.5", "bends="]
    made = with_values(Matching(), told)
    assert made == Matching(path_place=3.0, near=12, warp=False, paces=(0.8, 1.5), bends=())
    assert with_values(made, []) == made


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ("speed=3", "feet_place"),
        ("choices=a", "feet_place"),
        ("path_place", "expected name=value"),
        ("near=1.5", "near: expected a whole number"),
        ("warp=perhaps", "warp: expected on or off"),
        ("paces=a,b", "paces: expected numbers with commas between"),
        ("path_place=-1", "path_place: expected 0 to 100"),
    ],
)
def test_what_cannot_be_told_is_refused_by_name(told, expected):
    with pytest.raises(ValidationError, match=expected):
        with_values(Matching(), [told])
