"""Timing keys in the whole window: from the curve editor, from the bone tree, and by the palette."""

import numpy as np
import pytest

from core.clips.clip import Channel, Property
from core.math import quat
from editor.panels.curves.plot import PlotView
from tests.editor.stage import TURN, WALK, stage

HEIGHT = Channel("pelvis", Property.TRANSLATE, 1)


@pytest.fixture
def here(qapp):
    with stage(qapp, "clips", "bone_tree", "timeline", "curves", "inspector") as made:
        made.session.playback.set_clip(WALK)
        made.user.settle()
        yield made
        made.session.switches.set("timing_bar", False)
        made.session.preferences.reset("timing_mode")


def frames(here) -> list[float]:
    return np.round(here.session.clip.tracks[HEIGHT].times * 30.0, 6).tolist()


def test_keys_selected_in_the_curve_editor_are_nudged_there(here) -> None:
    here.user.click("workspace.curves")
    here.session.selection.select(["pelvis"])
    here.user.settle()
    plot = here.window.findChild(PlotView)
    plot.setFocus()
    here.user.press("Ctrl+A")
    assert list(here.session.selection.keys) == [HEIGHT]
    here.user.press("Alt+Right")
    assert frames(here) == [1.0, 16.0, 31.0]
    here.user.press("Ctrl+Z")
    assert frames(here) == [0.0, 15.0, 30.0]


def test_bones_of_the_tree_are_nudged_and_get_frames_from_the_playhead_on(here) -> None:
    here.user.click_row(here.window.docks["bone_tree"].body.panel.view, "root", "pelvis")
    here.session.playback.seek(0.5)
    here.user.press("Alt+Right")
    assert frames(here) == [0.0, 16.0, 30.0]
    here.user.press("Ctrl+Shift+Right")
    assert frames(here) == [0.0, 16.0, 31.0]
    for _ in range(2):
        here.user.press("Ctrl+Z")
    assert frames(here) == [0.0, 15.0, 30.0]


def test_the_palette_finds_a_mode_by_another_programs_word_and_opens_the_timeline_with_it(here) -> None:
    here.user.click("workspace.curves")
    here.window.docks["timeline"].close()
    here.session.selection.select(["pelvis"])
    here.session.playback.seek(0.5)
    here.user.press("F3")
    here.user.type("breakdowner")
    here.user.press("Enter")
    assert here.user.visible("timingBar")
    here.user.type("0")
    here.user.press("Enter")
    track = here.session.clip.tracks[HEIGHT]
    assert track.values[1] == track.values[0]
    assert here.session.history.labels[-1] == "Tween 0 %: 1 key"


def test_rotations_of_quaternion_clips_are_tweened_too(here) -> None:
    session = here.session
    session.playback.set_clip(TURN)
    session.selection.select(["head"])
    session.playback.seek(0.2)
    here.user.settle()
    here.user.press("Ctrl+T")
    here.user.type("100")
    here.user.press("Enter")
    (track,) = session.clip.tracks.values()
    assert np.round(track.times * 30.0, 6).tolist() == [0.0, 6.0, 15.0]
    assert quat.angle_between(track.values[1], track.values[2]) < 1e-9
