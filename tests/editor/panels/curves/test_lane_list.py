"""Which lanes the curve editor lists, draws and lets edit: bones hidden and locked, words, flags, ghosts."""

from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Channel, Property
from core.tracks.components import Reading
from core.tracks.keys import scalar_track
from editor.model.channels import curve_channel
from editor.tools.curves.lanes import Lane
from tests.editor.panels.curves.curve_stage import TURN, X, Y, Z
from tests.editor.panels.curves.test_curves_without_window import Scene

BLINK = Lane(curve_channel("blink"))
ARM = [
    Lane(Channel("arm", prop, axis)) for prop in (Property.TRANSLATE, Property.ROTATE) for axis in range(3)
]
HAND = [Lane(TURN, part) for part in range(3)]
ONE = np.array([0])


@pytest.fixture
def scene():
    made = Scene()
    made.lanes.set_flag("hidden", ())
    made.session.selection.select([])
    made.said.clear()
    yield made
    made.close()


def told(scene: Scene) -> list[None]:
    found: list[None] = []
    scene.lanes.curves_changed.connect(found.append)
    return found


def test_lanes_of_hidden_bones_are_left_out_and_those_beside_bones_stay(scene) -> None:
    lanes, selection = scene.lanes, scene.session.selection
    assert set(lanes.all()) == {*ARM, *HAND, BLINK}
    selection.set_flag("hidden", ["arm"])
    assert set(lanes.all()) == {*HAND, BLINK}
    selection.set_flag("hidden", ["hand"])
    assert set(lanes.all()) == {*ARM, BLINK}
    selection.select(["hand"])
    selection.set_flag("hidden", ["hand"])
    assert BLINK in lanes.all() and not set(HAND) & set(lanes.all())
    selection.set_flag("hidden", [])
    assert set(lanes.all()) == {*HAND, BLINK}


def test_words_must_all_be_in_the_bone_or_the_lane(scene) -> None:
    for words, found in (
        ("", {*ARM, *HAND, BLINK}), ("arm", set(ARM)), ("ARM rotate", set(ARM[3:])), ("rotate arm", set(ARM[3:])),
        ("x arm rot", {Lane(X)}), ("blink", {BLINK}), ("arm hand", set()), ("quat", set(HAND)), ("curves", {BLINK}),
    ):  # fmt: skip
        scene.model.set_search(words)
        assert set(scene.lanes.all()) == found, words


def test_lanes_drawn_are_the_solo_ones_among_those_that_are_not_hidden(scene) -> None:
    lanes = scene.lanes
    a, b, c = Lane(X), Lane(Y), Lane(Z)
    for hidden, solo, drawn in (
        ((), (), {*ARM, *HAND, BLINK}), ((a,), (), {*ARM, *HAND, BLINK} - {a}), ((), (a, b), {a, b}),
        ((a,), (a, b), {b}), ((a,), (a,), set()),
        ((), (Lane(Channel("elbow", Property.ROTATE, 0)),), {*ARM, *HAND, BLINK}),  # not listed
    ):  # fmt: skip
        lanes.set_flag("hidden", hidden)
        lanes.set_flag("solo", solo)
        assert set(lanes.visible()) == drawn and {one.lane for one in lanes.curves()} == drawn
        assert lanes.in_sight({X: ONE, Y: ONE, c.channel: ONE}).keys() == {
            lane.channel for lane in (a, b, c) if lane in drawn
        }


def test_bright_are_the_chosen_then_those_with_keys_then_all_of_few(scene) -> None:
    lanes, selection = scene.lanes, scene.session.selection
    every = frozenset(lanes.visible())
    assert lanes.bright() == every
    selection.select_keys({X: ONE, TURN: ONE})
    assert lanes.bright() == {Lane(X), *HAND}
    lanes.set_flag("chosen", [Lane(Y)])
    assert lanes.bright() == {Lane(Y)}
    lanes.set_flag("hidden", [Lane(Y)])
    assert lanes.bright() == {Lane(X), *HAND}
    selection.select_keys({Y: ONE})
    assert lanes.bright() == every - {Lane(Y)}
    lanes.set_flag("hidden", [])
    lanes.set_flag("chosen", [])
    selection.select_keys({})
    for count in (24, 25):
        curves = {f"c{n:02d}": scalar_track([0.0], [1.0]) for n in range(count)}
        scene.session.edits.put("many", replace(scene.session.clip, tracks={}, curves=curves))
        assert len(lanes.bright()) == (24 if count == 24 else 0)


def test_flags_are_set_and_turned_and_told_where_they_differ(scene) -> None:
    lanes, changed = scene.lanes, told(scene)
    a, b, c = Lane(X), Lane(Y), Lane(Z)
    for flag in ("hidden", "locked", "solo", "chosen"):
        changed.clear()
        for given, held, tells in (
            ((a,), {a}, 1), ((b,), {a, b}, 2), ((a, b, c), {a, b, c}, 3), ((a, c), {b}, 4),
            ((), {b}, 4), ((b,), set(), 5),
        ):  # fmt: skip
            lanes.toggle_flag(flag, given)
            assert getattr(lanes, flag) == held and len(changed) == tells
        lanes.set_flag(flag, [])
        assert len(changed) == 5


def test_keys_of_locked_lanes_and_bones_are_left_out_and_said_once(scene) -> None:
    lanes, selection = scene.lanes, scene.session.selection
    keys = {X: ONE, TURN: ONE, BLINK.channel: ONE}
    assert lanes.unlocked(keys) == keys and not scene.said
    for locked, bones, kept in (
        ([Lane(X)], [], {TURN, BLINK.channel}), ([], ["arm"], {TURN, BLINK.channel}), ([BLINK], ["hand"], {X}),
        ([HAND[1]], [], {X, BLINK.channel}), ([], ["arm", "hand"], {BLINK.channel}),
    ):  # fmt: skip
        lanes.set_flag("locked", locked)
        selection.set_flag("locked", bones)
        scene.said.clear()
        assert set(lanes.unlocked(keys)) == kept
        assert scene.said == ["Keys of locked curves were not changed"]
    lanes.set_flag("hidden", [BLINK])
    scene.said.clear()
    assert lanes.editable({BLINK.channel: ONE}) == {} and not scene.said


def test_selected_keys_are_those_that_the_clip_has(scene) -> None:
    lanes, selection = scene.lanes, scene.session.selection
    selection.select_keys({X: np.array([0, 3]), Y: np.array([1])})
    found = lanes.selected_keys()
    assert {c: k.tolist() for c, k in found.items()} == {X: [0, 3], Y: [1]} and lanes.selected_keys() is found
    clip = scene.session.clip
    scene.session.preview.set_clip(clip.with_tracks({X: scalar_track([0.0, 1.0], [0.0, 1.0])}))
    assert {c: k.tolist() for c, k in lanes.selected_keys().items()} == {X: [0], Y: [1]}
    selection.select_keys({Y: np.array([1])})
    assert {c: k.tolist() for c, k in lanes.selected_keys().items()} == {Y: [1]}
    scene.session.preview.set_clip(None)
    scene.session.playback.set_clip(None)
    assert (
        lanes.selected_keys() == {}
        and lanes.all() == ()
        and lanes.curves() == ()
        and lanes.curve(Lane(X)) is None
    )


def test_ghosts_are_bright_curves_that_differ_and_none_where_there_are_more(scene) -> None:
    lanes, clip = scene.lanes, scene.session.clip
    assert lanes.ghosts() == {}
    lanes.keep_buffer(clip)
    assert lanes.ghosts() == {}
    moved = {c: scalar_track([0.0, 1.0], [5.0, 6.0]) for c in (X, Y, Z)}
    scene.session.edits.put("moved", clip.with_tracks(moved))
    found = lanes.ghosts()
    assert set(found) == {Lane(X), Lane(Y), Lane(Z)}
    for lane, curve in found.items():
        assert curve.track is clip.tracks[lane.channel] and curve.lane == lane
        assert np.array_equal(curve.values, clip.tracks[lane.channel].values)
    assert set(lanes.ghosts(3)) == set(found) and lanes.ghosts(2) == {}
    lanes.set_flag("chosen", [Lane(X)])
    assert set(lanes.ghosts()) == {Lane(X)}
    lanes.keep_buffer(replace(clip, id=type(clip.id)("clip-other")))
    assert lanes.ghosts() == {}
    lanes.keep_buffer(replace(clip, tracks={c: t for c, t in clip.tracks.items() if c != X}))
    assert lanes.ghosts() == {}


def test_another_reading_of_quaternions_is_told_and_drawn(scene) -> None:
    lanes, changed = scene.lanes, told(scene)
    before = {curve.lane: curve for curve in lanes.curves()}
    assert lanes.curves() is lanes.curves()
    other = next(reading for reading in Reading if reading is not lanes.reading)
    lanes.set_reading(lanes.reading)
    assert not changed
    lanes.set_reading(other)
    assert len(changed) == 1 and lanes.reading is other is lanes.reader.reading
    after = {curve.lane: curve for curve in lanes.curves()}
    assert any(not np.allclose(after[lane].values, before[lane].values) for lane in HAND)
    assert all(np.array_equal(after[lane].values, before[lane].values) for lane in ARM)
