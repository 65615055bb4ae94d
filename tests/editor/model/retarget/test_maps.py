"""Edits of a chain map, the set-up kept in documents, and contacts over time; without a window."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import ValidationError
from core.retarget.chain_map import propose_map
from core.retarget.contacts import ContactSpan
from core.retarget.transfer import Stride
from editor.model.retarget import maps
from editor.model.retarget.choices import Choices
from editor.model.retarget.setup import Setup, from_plain, to_plain
from editor.tools.contacts import Lane, clear_of, lanes_of
from tests.core.retarget.figures import figure

SOURCE, TARGET = figure(spine=4), figure(spine=3)


def proposal():
    return propose_map(SOURCE, TARGET)


def every_bone(chains, side):
    return [bone for pair in chains.chains for bone in getattr(pair, side)]


@pytest.mark.parametrize(
    "text, bones",
    [
        ("spine_1", ("spine_1",)),
        ("spine_3, spine_1", ("spine_1", "spine_3")),
        (" spine_1 ; spine_1,", ("spine_1",)),
        ("spine_1 … spine_4", ("spine_1", "spine_2", "spine_3", "spine_4")),
        ("upper_arm_l ... hand_l", ("upper_arm_l", "lower_arm_l", "hand_l")),
        ("", ()),
    ],
)
def test_bones_of_text_are_parents_first_and_each_once(text, bones):
    assert maps.bones_of(text, SOURCE) == bones


@pytest.mark.parametrize(
    "text, words", [("spin", "did you mean spine_1"), ("hand_l … hand_r", "is not a descendant of")]
)
def test_bones_of_text_that_names_none_says_why(text, words):
    with pytest.raises(ValidationError, match=words):
        maps.bones_of(text, SOURCE)


@given(
    st.sampled_from(["hips", "spine", "head", "left arm"]),
    st.sets(st.sampled_from(SOURCE.names), min_size=1, max_size=3),
)
def test_bone_given_to_a_chain_is_in_no_other(chain, bones):
    chosen = maps.ordered(SOURCE, bones)
    try:
        found = maps.with_bones(proposal(), chain, {"source": chosen}, SOURCE, TARGET)
    except ValidationError:
        return  # mirrored
    used = every_bone(found, "source")
    assert (
        len(used) == len(set(used))
        and found.chain(chain).source == chosen
        and found.chain(chain).confidence == 1.0
    )
    assert set(found.source_left) == set(SOURCE.names) - set(used)


def test_chain_left_without_bones_goes():
    found = maps.with_bones(proposal(), "neck", {"source": ("head",)}, SOURCE, TARGET)
    assert found.chain("head") is None and found.chain("neck").source == ("head",)
    assert "head" in found.target_left


def test_chain_added_and_removed():
    chains = maps.with_chain(proposal(), ("middle_01_l",), ("middle_01_l",), SOURCE, TARGET)
    assert chains.chains[-1].source == ("middle_01_l",)
    assert (
        maps.without_chain(chains, chains.chains[-1].name, SOURCE, TARGET).chain(chains.chains[-1].name)
        is None
    )
    with pytest.raises(ValidationError, match="select a bone in both views"):
        maps.with_chain(chains, (), ("head",), SOURCE, TARGET)


def test_set_up_is_the_same_after_json():
    choices = Choices(
        Stride.LEG_LENGTH, 0.5, 0.1, hands=True, turns={"head": 0.5}, adjust={"head": (0.0, 5.0, 0.0)}
    )
    spans = {"walk": (ContactSpan("left foot", 0, 3, 9),)}
    setup = Setup(proposal(), choices, spans)
    plain = json.loads(json.dumps(to_plain("a.bvh", setup)))
    back = from_plain(plain, "a.bvh", SOURCE, TARGET)
    assert back == replace(setup, chains=back.chains) and back.chains.chains == setup.chains.chains


@pytest.mark.parametrize(
    "spoil",
    [
        lambda p: p.update(source="b.bvh"),
        lambda p: p.pop("map"),
        lambda p: p["map"]["chains"][0].update(source=["nobody"]),
        lambda p: p["choices"].update(scale="by feeling"),
        lambda p: p["spans"].update(walk=[["left foot"]]),
    ],
)
def test_set_up_of_another_source_or_broken_counts_as_none(spoil):
    plain = json.loads(json.dumps(to_plain("a.bvh", Setup(proposal()))))
    spoil(plain)
    assert from_plain(plain, "a.bvh", SOURCE, TARGET) is None


@given(
    st.lists(st.tuples(st.integers(0, 90), st.integers(0, 8)), max_size=4),
    st.integers(-20, 120),
    st.integers(0, 60),
)
def test_span_dragged_anywhere_stays_in_the_clip_and_clear_of_its_neighbours(others, first, length):
    taken, end = [], -2
    for start, size in sorted(others):
        if start > end + 1 and start + size < 100:
            taken.append(ContactSpan("left foot", 0, start, start + size))
            end = start + size
    span = clear_of(ContactSpan("left foot", 0, first, first + length), taken, 100)
    if span is None:
        return
    assert 0 <= span.first <= span.last < 100
    frames = set(range(span.first, span.last + 1))
    overlap = any(frames & set(range(o.first, o.last + 1)) for o in taken)
    assert not overlap


def test_lanes_are_those_of_the_limbs_and_of_spans_besides():
    spans = [ContactSpan("left hand", 0, 1, 2)]
    found = lanes_of(spans, [("right foot", 2), ("left foot", 1)])
    assert found == (Lane("left foot", 0), Lane("left hand", 0), Lane("right foot", 0), Lane("right foot", 1))
