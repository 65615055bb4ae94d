"""Speed and acceleration of the selected bone over the curves."""

import numpy as np
import pytest

from core.math import paths
from editor.panels.curves.motion import motion_text


def places(stage, bone, times):
    """World places of a bone, pose by pose."""
    session = stage.session
    index = session.rig.skeleton.index(bone)
    return np.array([session.evaluator.pipeline.models_many(np.array([t]))[0, index, :3, 3] for t in times])


@pytest.fixture
def shown(stage):
    stage.session.switches.set("curves_motion", True)
    stage.session.selection.select(("arm", "hand"))
    stage.model.view.fit_all()
    stage.user.settle()
    return stage


def test_numbers_are_those_of_the_poses_of_the_bone_selected_last(shown):
    motion = shown.model.motion.shown(shown.model.view.axis)
    assert motion.bone == "hand"
    assert motion.times == pytest.approx(np.arange(61) / 30.0)
    path = places(shown, "hand", motion.times)
    assert motion.speed == pytest.approx(np.linalg.norm(paths.velocity(path, motion.times), axis=-1))
    assert motion.acceleration == pytest.approx(
        np.linalg.norm(paths.acceleration(path, motion.times), axis=-1)
    )
    assert motion.speed.max() > 0.05
    speed, _ = motion.at(0.5 * (motion.times[3] + motion.times[4]))
    assert speed == pytest.approx(motion.speed[3:5].mean())
    assert motion_text(motion, 0.5)[0].startswith(f"hand · speed {motion.at(0.5)[0]:.2f} of ")


def test_it_is_drawn_over_the_plot_and_gone_when_switched_off(shown):
    on = shown.user.picture(shown.plot)
    shown.session.switches.set("curves_motion", False)
    shown.user.settle()
    off = shown.user.picture(shown.plot)
    differs = (on != off).any(axis=-1)
    view = shown.model.view
    shown.session.switches.set("curves_motion", True)
    motion = shown.model.motion.shown(view.axis)
    peak = motion.times[int(np.argmax(motion.speed))]
    column = round(shown.plot.view_place(view.axis.x(peak), 0.0).x())
    rows = np.flatnonzero(differs[:, column - 1 : column + 2].any(axis=1))
    top = shown.plot.view_place(0.0, view.values.height * 0.08).y()
    assert np.abs(rows - top).min() < 4.0, "the largest speed is drawn 92 % up"
    assert differs.sum() > 200


def test_it_is_worked_out_once_until_the_clip_bone_or_stretch_differs(shown):
    axis = shown.model.view.axis
    first = shown.model.motion.shown(axis)
    shown.session.playback.seek(0.7)
    shown.user.settle()
    assert shown.model.motion.shown(axis) is first
    shown.session.selection.select(("elbow",))
    assert shown.model.motion.shown(axis).bone == "elbow"
    shown.session.selection.select(())
    assert shown.model.motion.shown(axis) is None


def test_menu_of_the_layouts_switches_it(stage):
    stage.user.click(stage.panel.layout_button)
    stage.user.choose_in_popup("Speed and acceleration of the bone")
    assert stage.session.switches["curves_motion"]
