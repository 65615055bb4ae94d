"""Translations below a scale: axis, fields and drags of the curve editor are in the world's metres."""

from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Channel, Property
from core.io import load
from core.math.transform import Transform
from core.pose import kinematics
from core.progress import nothing
from core.rig.rig import Rig
from core.rig.world_units import metres_per_unit
from core.tracks.keys import scalar_track
from core.tracks.tangents import with_tangents
from editor.panels.curves.space import Layout
from editor.panels.inspector.view_model import Inspector
from editor.tools.curves.lanes import Lane
from editor.tools.curves.operations import Setting, operations
from tests.editor.panels.curves.curve_stage import RIG, TIMES, arm_project, curve_stage, shifted

BELOW = tuple(Channel("hand", Property.TRANSLATE, axis) for axis in range(3))


def scaled_project(factor: float = 0.01):
    """The arm in other units below its first bone; the hand's places keyed."""
    project = arm_project()
    rig, clip = project.get(Rig, RIG), project.clips[0]
    rest = rig.skeleton.rest
    scale, place = np.array(rest.scale), np.array(rest.translation)
    scale[0], place[1:] = factor, place[1:] / factor
    skeleton = replace(rig.skeleton, rest=Transform(place, rest.rotation, scale))
    r = np.random.default_rng(8)
    tracks = {
        channel: with_tangents(scalar_track(TIMES, np.round(r.normal(size=8) * 0.1, 3) / factor))
        for channel in BELOW
    }
    return project.with_assets(
        replace(rig, skeleton=skeleton), replace(clip, tracks={**clip.tracks, **tracks})
    )


@pytest.fixture(params=[0.01, 100.0])
def below(request, qapp):
    with curve_stage(qapp, scaled_project(request.param)) as made:
        made.factor = request.param
        made.show("hand")
        made.only(*BELOW)
        yield made


def test_metres_per_unit_are_the_scale_that_the_rest_pose_has_above(shared):
    for name in (
        "fbx/maya_kenney_character_7700_binary.fbx",
        "gltf/CesiumMan.gltf",
        "gltf/RobotExpressive.glb",
    ):
        skeleton = load(shared / "data" / name).project.rigs[0].skeleton
        scale = kinematics.to_model(skeleton, skeleton.rest).scale
        for bone in range(len(skeleton.names)):
            above = skeleton.parent(bone)
            wanted = scale[above] if above >= 0 else np.ones(3)
            assert metres_per_unit(skeleton, bone) == pytest.approx(np.abs(wanted), rel=1e-5)


def test_metres_per_unit_of_what_is_scaled_to_nothing_are_one():
    rig = scaled_project(0.0001).get(Rig, RIG)
    flat = np.array(rig.skeleton.rest.scale)
    flat[0] = (0.0, -2.0, 1.0 + 1e-9)
    skeleton = replace(rig.skeleton, rest=rig.skeleton.rest._replace(scale=flat))
    assert metres_per_unit(skeleton, 2).tolist() == [1.0, 2.0, 1.0]
    assert metres_per_unit(skeleton, 0).tolist() == [1.0, 1.0, 1.0]


def test_axis_and_field_show_what_the_inspector_shows(below):
    before, channel = below.track(BELOW[0]), BELOW[0]
    below.session.playback.seek(float(TIMES[3]))
    below.session.selection.select_keys({channel: [3]})
    below.user.settle()
    reading = Inspector(below.session).reading()
    assert reading is not None
    world = before.values[3] * below.factor
    assert reading.values[0][0] == pytest.approx(world)
    assert below.panel.fields.value.value == pytest.approx(world)
    assert below.panel.fields.out.value == pytest.approx(before.out_slopes[3] * below.factor)
    xs, ys = below.model.view.key_places(below.model.lanes.curve(Lane(channel)), np.array([3]))
    assert below.model.view.values.value(float(ys[0])) == pytest.approx(world)
    assert below.model.view.values.low > -1.0 and below.model.view.values.high < 1.0


def test_numbers_typed_in_metres_are_keyed_in_the_bones_own_units(below):
    channel = BELOW[0]
    below.session.selection.select_keys({channel: [3]})
    below.user.settle()
    below.user.type_into("curvesValue", "0.05")
    assert below.track(channel).values[3] == pytest.approx(0.05 / below.factor)
    below.user.type_into("curvesOut", "=0.3")
    assert below.track(channel).out_slopes[3] == pytest.approx(0.3 / below.factor)
    # relative numbers of several keys, one of them of a bone above the scale
    own = Channel("arm", Property.TRANSLATE, 0)
    old = below.track(own).values[2]
    below.show("arm", "hand")
    below.session.selection.select_keys({channel: [3], own: [2]})
    below.user.settle()
    below.user.type_into("curvesValue", "+=0.1")
    assert below.track(channel).values[3] == pytest.approx(0.15 / below.factor)
    assert below.track(own).values[2] == pytest.approx(old + 0.1)
    below.user.type_into("curvesIn", "+=0.1")
    below.user.type_into("curvesValue", "0.25")
    assert below.track(channel).values[3] * below.factor == pytest.approx(0.25)
    assert below.track(own).values[2] == pytest.approx(0.25)
    assert below.panel.fields.value.value == pytest.approx(0.25)


def test_a_dragged_key_goes_as_far_as_the_axis_says_and_its_step_is_named_in_metres(below):
    channel = BELOW[1]
    before, place = below.track(channel), below.key_place(channel, 4)
    far = 30.0 / below.model.view.values.scale
    below.user.drag(below.canvas, place, shifted(place, 0, -30))
    assert (below.track(channel).values[4] - before.values[4]) * below.factor == pytest.approx(far)
    assert below.session.history.labels[-1].endswith("m")
    told = float(below.session.history.labels[-1].split("+")[-1].removesuffix("m"))
    assert told == pytest.approx(far, abs=1e-3)


def test_other_layouts_draw_the_same_picture_whatever_the_unit(qapp):
    for layout in (Layout.NORMALISED, Layout.STACKED):
        places = []
        for factor in (1.0, 0.01):
            with curve_stage(qapp, scaled_project(factor)) as made:
                made.show("hand")
                made.only(*BELOW)
                made.model.view.set_layout(layout)
                made.user.settle()
                curve = made.model.lanes.curve(Lane(BELOW[2]))
                places.append(made.model.view.key_places(curve, slice(None))[1])
        assert places[0] == pytest.approx(places[1], abs=0.5)


@pytest.mark.parametrize("factor", [0.01, 100.0])
def test_reducing_keeps_translations_within_centimetres_of_the_world(factor):
    plain, scaled = scaled_project(1.0), scaled_project(factor)
    reduce = next(o for o in operations() if o.id == "reduce")
    left = []
    for project in (plain, scaled):
        clip, rig = project.clips[0], project.get(Rig, RIG)
        keys = {channel: np.arange(8) for channel in BELOW}
        done = reduce.apply(Setting(clip, keys, rig), {"tolerance": 6.0, "places": 0.0}, nothing())
        left.append([len(done.clip.tracks[channel]) for channel in BELOW])
    assert left[0] == left[1] and sum(left[0]) < 24
