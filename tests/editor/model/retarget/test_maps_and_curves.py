"""Edits of a chain map at their limits, and contacts as curves: frames inside the clip, steps, names."""

from dataclasses import replace

import pytest

from core.clips.clip import Clip
from core.errors import ValidationError
from core.ids import AssetId
from core.retarget.chain_map import ChainMap, Part, propose_map
from core.retarget.contacts import ContactSpan
from core.timing import FrameRate
from core.tracks.keys import Interpolation, TangentMode, scalar_track
from editor.model.retarget import maps
from editor.model.retarget.contact_curves import curve_of, with_contact_curves
from tests.core.retarget.figures import figure

SOURCE, TARGET = figure(spine=4), figure(spine=3)


def proposal() -> ChainMap:
    return propose_map(SOURCE, TARGET)


@pytest.mark.parametrize("text, bones", [
    ("spine_2 … spine_2", ("spine_2",)), (" spine_1…spine_2 ", ("spine_1", "spine_2")),
    (f"{SOURCE.names[0]} … {SOURCE.names[1]}", SOURCE.names[:2]),
    ("hand_l;spine_1,hand_l", ("spine_1", "hand_l")), (" , ; ", ()),
])  # fmt: skip
def test_bones_are_written_in_several_ways(text, bones):
    assert maps.bones_of(text, SOURCE) == bones


@pytest.mark.parametrize("text, words", [
    ("SPINE", "there is no bone “SPINE”; did you mean spine_1, spine_2, spine_3\\?$"),
    ("tail", "there is no bone “tail”$"), ("spine_1 … ", "there is no bone “”$"), ("… spine_1", "there is no bone “”$"),
    ("spine_4 … spine_1", "spine_1 is not a descendant of spine_4"),
])  # fmt: skip
def test_what_is_no_bone_is_said_with_what_is_near(text, words):
    with pytest.raises(ValidationError, match=words):
        maps.bones_of(text, SOURCE)


def test_bones_are_written_with_commas():
    assert maps.text_of(["a", "b"]) == "a, b" and maps.text_of(()) == ""


def test_other_bones_are_sure_and_leave_the_other_side():
    chains = proposal()
    chains = replace(
        chains, chains=tuple(replace(p, confidence=0.5) for p in chains.chains), refused="for some reason"
    )
    before = chains.chain("head")
    found = maps.with_bones(chains, "head", {"source": ("head",)}, SOURCE, TARGET)
    assert found.chain("head").confidence == 1.0 and found.chain("head").target == before.target
    assert found.chain("spine").confidence == 0.5 and found.refused == ""
    with pytest.raises(ValidationError, match="there is no chain “none”"):
        maps.with_bones(chains, "none", {}, SOURCE, TARGET)


def test_a_chain_that_takes_from_another_leaves_it_the_rest():
    found = maps.with_bones(proposal(), "neck", {"source": ("spine_4",)}, SOURCE, TARGET)
    assert found.chain("spine").source == tuple(b for b in proposal().chain("spine").source if b != "spine_4")
    assert found.chain("spine").target == proposal().chain("spine").target


@pytest.mark.parametrize("source, target", [((), ("head",)), (("head",), ()), ((), ())])
def test_a_chain_more_needs_bones_on_both_sides(source, target):
    with pytest.raises(ValidationError, match="select a bone in both views first, then add the chain"):
        maps.with_chain(proposal(), source, target, SOURCE, TARGET)


def test_a_chain_more_is_of_no_part_and_has_a_free_name():
    found = maps.with_chain(proposal(), ("head",), ("head",), SOURCE, TARGET)
    made = found.chains[-1]
    assert (made.name, made.part, made.source, made.target) == ("head 2", Part.OTHER, ("head",), ("head",))
    assert found.chain("head") is None


def test_what_a_removed_chain_had_is_left_over():
    chains = proposal()
    found = maps.without_chain(chains, "head", SOURCE, TARGET)
    assert len(found.chains) == len(chains.chains) - 1 and "head" in found.source_left
    assert (
        "head" in found.target_left
        and maps.without_chain(chains, "none", SOURCE, TARGET).chains == chains.chains
    )


def test_the_last_chain_may_go():
    found = proposal()
    for pair in found.chains:
        found = maps.without_chain(found, pair.name, SOURCE, TARGET)
    assert found.chains == ()
    assert maps._checked(found, SOURCE, TARGET).chains == ()


# ---------------------------------------------------------------- curves
def clip(frames: float = 30.0) -> Clip:
    return Clip(AssetId("clip"), "clip", AssetId("rig"), frames / 30.0, FrameRate.of(30))


def keys(made: Clip, name: str) -> list[tuple[float, float]]:
    track = made.curves[name]
    return [(round(float(t) * 30, 6), float(v)) for t, v in zip(track.times, track.values, strict=True)]


@pytest.mark.parametrize("spans, found", [
    ([(3, 9)], [(0, 0), (3, 1), (10, 0)]), ([(0, 9)], [(0, 1), (10, 0)]), ([(20, 30)], [(0, 0), (20, 1)]),
    ([(3, 9), (8, 12)], [(0, 0), (3, 1), (13, 0)]), ([(3, 9), (10, 12)], [(0, 0), (3, 1), (13, 0)]),
    ([(3, 9), (11, 12)], [(0, 0), (3, 1), (10, 0), (11, 1), (13, 0)]), ([(-5, 2)], [(0, 1), (3, 0)]),
    ([(25, 40)], [(0, 0), (25, 1)]), ([(28, 29)], [(0, 0), (28, 1), (30, 0)]),
    ([(35, 40)], [(0, 0)]), ([(5, 5)], [(0, 0), (5, 1), (6, 0)]),
])  # fmt: skip
def test_a_curve_is_one_while_its_limb_stands_within_the_clip(spans, found):
    made = with_contact_curves(clip(), [ContactSpan("left foot", 0, *span) for span in spans])
    assert keys(made, "contact_left_foot") == [(float(f), float(v)) for f, v in found]
    track = made.curves["contact_left_foot"]
    assert set(track.interpolations) == {Interpolation.CONSTANT}
    assert set(track.modes) == {TangentMode.STEPPED}


def test_each_limb_has_a_curve_whatever_its_points_and_other_curves_stay():
    speed = scalar_track([0.0], [1.0])
    plain = replace(clip(), curves={"speed": speed})
    spans = [
        ContactSpan("left foot", 0, 3, 5),
        ContactSpan("right hand", 0, 1, 2),
        ContactSpan("left foot", 1, 5, 8),
    ]
    made = with_contact_curves(plain, spans)
    assert list(made.curves) == ["speed", "contact_left_foot", "contact_right_hand"]
    assert made.curves["speed"] is speed and curve_of("left foot") == "contact_left_foot"
    assert keys(made, "contact_left_foot") == [(0.0, 0.0), (3.0, 1.0), (9.0, 0.0)]
    assert with_contact_curves(plain, []).curves.keys() == {"speed"}
