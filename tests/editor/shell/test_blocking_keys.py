"""Blocking in the whole window, by mouse and keys: tangents of new keys, the stepped view, the spline pass, types."""

import numpy as np
import pytest

from core.clips.clip import Channel, Property
from core.clips.new_keys import NewTangents
from core.tracks.key_types import KeyType
from core.tracks.keys import Interpolation, TangentMode
from editor.model import new_keys
from editor.model.blocking import Blocking
from tests.editor.stage import WALK, stage

HEIGHT = Channel("pelvis", Property.TRANSLATE, 1)


@pytest.fixture
def here(qapp):
    """One window for all steps; the clip has keys of the pelvis at frames 0, 15 and 30."""
    with stage(qapp, "viewport", "bone_tree", "timeline", "curves") as made:
        made.session.playback.set_clip(WALK)
        made.session.selection.select(["pelvis"])
        made.user.settle()
        yield made
        made.session.feature(Blocking).set(False)
        made.session.switches.set("pose_strip", False)
        new_keys.choose(made.session.preferences, NewTangents.CURVE)
        made.session.preferences.set("auto_ends", "one_sided")
        made.session.preferences.set("blocking_frames", 0)


def undone_and_redone(here, before) -> None:
    after = here.session.clip
    here.user.press("Ctrl+Z")
    assert here.session.clip is before
    here.user.press("Ctrl+Shift+Z")
    assert here.session.clip is after


def test_tangents_of_new_keys_are_chosen_beside_auto_key_and_every_new_key_gets_them(here) -> None:
    before = here.session.clip
    assert here.user.find("newTangents").toolTip().endswith("(Alt+N)")
    here.user.click("newTangents")
    here.user.choose_in_popup("Stepped")
    here.session.playback.seek(7.0 / 30.0)
    here.user.press("S")
    track = here.session.clip.tracks[HEIGHT]
    assert (
        track.modes.tolist()[1] == TangentMode.STEPPED and track.interpolations[1] == Interpolation.CONSTANT
    )
    undone_and_redone(here, before)
    here.user.press("Alt+N")
    assert new_keys.chosen(here.session.preferences) is NewTangents.CURVE
    assert here.user.find("newTangents").text() == "As the curve"


def test_the_blocking_view_is_told_in_the_viewport_and_stepped_by_key_and_button(here) -> None:
    view, session = here.session.feature(Blocking), here.session
    session.playback.seek(7.0 / 30.0)
    overlay = here.user.find("viewportOverlay")
    moving = session.evaluator.pose().translations.copy()
    here.user.press("Ctrl+Shift+B")
    assert view.on and overlay.lines.blocking == "Blocking view: key poses · holds f0"
    assert not np.allclose(session.evaluator.pose().translations, moving)
    here.user.click("blocking.view")
    assert not view.on and not overlay.lines.blocking
    assert np.array_equal(session.evaluator.pose().translations, moving)


def test_keys_are_stepped_by_the_menu_splined_by_the_key_and_typed(here) -> None:
    start = here.session.clip
    here.user.choose("Key", "Blocking", "Back to stepped keys")
    stepped = here.session.clip
    assert (stepped.tracks[HEIGHT].interpolations[:-1] == Interpolation.CONSTANT).all()
    undone_and_redone(here, start)
    here.user.press("Alt+L")
    assert (here.session.clip.tracks[HEIGHT].interpolations[:-1] == Interpolation.CUBIC).all()
    undone_and_redone(here, stepped)
    here.session.playback.seek(0.5)
    before = here.session.clip
    here.user.choose("Key", "Key type", "Key type: extreme")
    assert here.session.clip.tracks[HEIGHT].types.tolist() == [0, KeyType.EXTREME, 0]
    undone_and_redone(here, before)
    here.user.choose("Key", "Select keys by type", "Select keys by type: extreme")
    assert here.session.selection.keys[HEIGHT].tolist() == [1]


def test_the_palette_finds_the_view(here) -> None:
    here.user.press("F3")
    here.user.type("blocking view")
    here.user.press("Enter")
    assert here.session.feature(Blocking).on


def test_a_pose_is_copied_and_pasted_with_the_keys_of_the_strip(here) -> None:
    here.user.press("Shift+B")
    strip = here.user.find("poseStrip")
    panel = here.window.docks["timeline"].body.panel
    before = here.session.clip
    here.user.click(strip, (panel.model.view.view_x(0.5), 30.0))
    assert here.session.playback.time == pytest.approx(0.5)
    here.user.press("Ctrl+C")
    here.session.playback.seek(0.7)
    here.user.press("Ctrl+V")
    track = here.session.clip.tracks[HEIGHT]
    assert track.times.tolist() == pytest.approx([0.0, 0.5, 0.7, 1.0]) and track.values[2] == track.values[1]
    undone_and_redone(here, before)
    here.user.press("Shift+B")
