import gc
import weakref
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtWidgets import QComboBox

from core.arrays import same_value
from core.clips.clip import WHOLE, Channel, Property
from core.math import euler, quat
from core.math.transform import Transform
from core.pose import kinematics
from core.rig.rig import Rig
from tests.editor.stage import RIG, TURN, small_project, stage
from tests.editor.user import SHIFT


@pytest.fixture
def here(qapp):
    with stage(qapp, "inspector") as made:
        made.session.selection.select(["arm_l"])
        made.user.settle()
        yield made


def keyed_at(here, channel, frame):
    track = here.clip().tracks.get(channel)
    return track is not None and bool((abs(track.times - frame / 30) < 1e-6).any())


def value(here, name):
    return here.user.find(name).value


def test_first_use_shows_the_active_bones_numbers(here):
    here.frame(30)
    assert here.user.find("boneName").text() == "arm_l"
    assert [round(value(here, f"translate.{a}"), 6) for a in "xyz"] == [0.2, 0.3, 0.0]
    assert [round(value(here, f"rotate.{a}"), 6) for a in "xyz"] == [0.0, 10.0, 20.0]
    assert [value(here, f"scale.{a}") for a in "xyz"] == [1.0, 1.0, 1.0]
    assert here.user.find("eulerOrder").text() == "XYZ"
    units = {
        part: {here.user.find(f"{part}.{a}").unit for a in "xyz"} for part in ("translate", "rotate", "scale")
    }
    assert units == {"translate": {"m"}, "rotate": {"°"}, "scale": {""}}


def test_numbers_follow_the_playhead(here):
    here.frame(0)
    assert value(here, "rotate.z") == 0.0
    here.frame(15)
    assert value(here, "rotate.z") == pytest.approx(10.0)


def test_diamonds_tell_keyed_animated_and_none(here):
    here.frame(0)
    assert here.user.find("rotate.x").key_state == "key"
    assert here.user.find("translate.x").key_state == "none"
    here.frame(10)
    assert here.user.find("rotate.x").key_state == "animated"


def test_typed_value_keys_just_that_channel_in_one_step(here):
    here.frame(10)
    before = here.clip()
    here.user.type_into("rotate.z", "45")
    after = here.clip()
    changed = {c for c in after.tracks if after.tracks[c] is not before.tracks.get(c)}
    assert changed == {Channel("arm_l", Property.ROTATE, 2)}
    assert value(here, "rotate.z") == pytest.approx(45.0)
    assert here.session.history.labels[-1] == "Rotate arm_l Z 45° @ f10"
    assert len(here.session.history.labels) == 1


def test_typed_angle_beyond_a_turn_is_kept_as_typed(here):
    here.frame(10)
    here.user.type_into("rotate.z", "450")
    assert value(here, "rotate.z") == pytest.approx(450.0)
    assert float(here.clip().tracks[Channel("arm_l", Property.ROTATE, 2)].values.max()) == 450.0


def test_expression_is_relative_to_what_is_shown(here):
    here.frame(30)
    here.user.type_into("rotate.y", "+5")
    assert value(here, "rotate.y") == pytest.approx(15.0)


def test_scrub_previews_live_and_ends_in_one_undo_step(here):
    here.frame(10)
    before, seen = here.clip(), []

    def during():
        seen.append(here.session.preview.pose is not None)
        seen.append(here.clip() is before)
        seen.append(here.session.evaluator.pose().translations[4][0])

    here.user.drag("translate.x", (60, 10), (160, 10), during=during)
    assert seen[:2] == [True, True] and seen[2] == pytest.approx(0.3)
    assert here.session.preview.pose is None
    assert here.session.history.labels == ("Move arm_l X 0.3 m @ f10",)
    assert keyed_at(here, Channel("arm_l", Property.TRANSLATE, 0), 10)
    assert not keyed_at(here, Channel("arm_l", Property.TRANSLATE, 1), 10)


def test_scrub_with_shift_is_ten_times_finer(here):
    here.user.drag("translate.x", (60, 10), (160, 10), modifiers=SHIFT)
    assert value(here, "translate.x") == pytest.approx(0.21)


def test_scrub_then_escape_leaves_everything_bit_for_bit(here):
    here.frame(10)
    before = here.clip()
    pose = here.session.evaluator.pose()
    here.user.drag("rotate.y", (60, 10), (160, 10), during=lambda: here.user.press("Esc"))
    assert here.clip() is before
    assert here.session.preview.pose is None and here.session.history.labels == ()
    assert same_value(here.session.evaluator.pose(), pose)


def test_undo_and_redo_bring_equal_data_back(here):
    here.frame(10)
    before = here.clip()
    here.user.type_into("rotate.z", "45")
    after = here.clip()
    here.user.press("Ctrl+Z")
    assert same_value(here.clip(), before)
    assert value(here, "rotate.z") == pytest.approx(20 / 3, abs=3)
    here.user.press("Ctrl+Shift+Z")
    assert same_value(here.clip(), after) and value(here, "rotate.z") == pytest.approx(45.0)


def test_auto_key_off_makes_a_pending_pose_that_s_keys_and_esc_drops(here):
    here.frame(10)
    here.session.keying.auto = False
    before = here.clip()
    here.user.type_into("rotate.z", "45")
    assert here.clip() is before and set(here.session.keying.pending) == {"arm_l"}
    here.user.settle()
    assert here.user.find("rotate.z").key_state == "pending"
    assert here.user.find("rotate.x").key_state == "animated"
    assert value(here, "rotate.z") == pytest.approx(45.0)
    here.user.press("Esc")
    assert here.session.keying.pending == {}
    here.user.type_into("rotate.z", "45")
    here.user.press("S")
    assert all(keyed_at(here, Channel("arm_l", Property.ROTATE, axis), 10) for axis in range(3)), "all it has"


def test_model_space_shows_and_edits_where_the_bone_is_in_the_character(here):
    here.frame(30)
    model = here.session.evaluator.model()
    box = here.user.find("inspectorSpace")
    assert isinstance(box, QComboBox)
    box.setFocus()
    here.user.press("Down")
    assert value(here, "translate.y") == pytest.approx(float(model.translation[4][1]))
    here.user.type_into("translate.y", "2")
    rig = here.session.rig
    again = kinematics.to_model(rig.skeleton, here.session.evaluator.pose().local)
    assert again.translation[4] == pytest.approx([model.translation[4][0], 2.0, model.translation[4][2]])
    assert float(quat.angle_between(again.rotation[4], model.rotation[4])) < 1e-9
    assert here.user.find("translate.y").key_state == "none"


def test_model_space_rotation_reaches_the_angles_asked_for(here):
    here.frame(30)
    here.user.find("inspectorSpace").setCurrentIndex(1)
    here.user.settle()
    here.user.type_into("rotate.x", "30")
    rig = here.session.rig
    model = kinematics.to_model(rig.skeleton, here.session.evaluator.pose().local)
    assert euler.from_quaternion(model.rotation[4], 0)[0] == pytest.approx(30.0, abs=1e-6)


def test_quaternion_bone_is_shown_as_such_and_keyed_as_a_quaternion(here):
    here.session.playback.set_clip(TURN)
    here.session.selection.select(["head"])
    here.frame(6)
    assert here.user.find("eulerOrder").text() == "quaternion, shown as XYZ"
    shown = here.user.find("quaternion")
    assert shown.isVisible()
    q = here.session.evaluator.pose().rotations[3]
    assert abs(q[0] - q[1]) > 0.01, "the two could be swapped else"
    told = [float(word.replace("−", "-")) for word in shown.text().split()[1::2]]
    assert shown.text().split()[::2] == ["x", "y", "z", "w"] and told == pytest.approx(list(q), abs=6e-4)
    here.user.click(shown, double=True)
    assert shown.selectedText(), "it can be copied"
    here.user.type_into("rotate.x", "20")
    clip = here.clip(TURN)
    assert {c.axis for c in clip.tracks if c.bone == "head"} == {WHOLE}
    pose = here.session.evaluator.pose()
    assert euler.from_quaternion(pose.rotations[3], 0)[0] == pytest.approx(20.0, abs=1e-6)


def test_scrub_of_a_quaternion_passes_ninety_degrees_without_a_jump(here):
    here.session.playback.set_clip(TURN)
    here.session.selection.select(["head"])
    here.frame(0)
    seen = []
    field = here.user.find("rotate.y")
    field.previewed.connect(lambda v: seen.append(here.session.evaluator.pose().rotations[3].copy()))
    here.user.drag("rotate.y", (60, 10), (-540, 10), steps=60)
    turned = [float(np.degrees(quat.angle_between(a, b))) for a, b in pairwise(seen)]
    assert len(seen) > 50 and max(turned) < 4.0


def test_key_button_keys_the_three_channels_and_takes_them_away_again(here):
    here.frame(10)
    channels = [Channel("arm_l", Property.SCALE, axis) for axis in range(3)]
    here.user.click("key.scale")
    assert all(keyed_at(here, c, 10) for c in channels)
    here.user.click("key.scale")
    assert not any(keyed_at(here, c, 10) for c in channels)
    assert len(here.session.history.labels) == 2


def test_locked_bone_takes_nothing(here):
    here.session.selection.set_flag("locked", ["arm_l"])
    here.user.settle()
    assert not here.user.find("rotate.z").isEnabled()
    before = here.clip()
    here.user.drag("rotate.z", (60, 10), (160, 10))
    here.user.click("key.scale")
    assert here.clip() is before


def test_wheel_over_the_fields_changes_nothing(here):
    before = here.clip()
    here.user.wheel("rotate.z", 3)
    assert here.clip() is before


def test_several_selected_shows_the_active_one_and_says_so(here):
    here.session.selection.select(["arm_l", "hand_l", "head"])
    here.user.settle()
    assert here.user.find("boneName").text() == "head"
    assert here.user.visible("and 2 more bones")


def test_nothing_selected_and_empty_project_say_what_to_do(here):
    here.session.selection.clear()
    here.user.settle()
    assert here.user.visible("Select a bone in the viewport or the bone tree.")
    here.session.files.new()
    here.user.settle()
    assert here.user.visible("No character yet.")


def test_close_and_reopen_leaves_nothing_alive(qapp):
    with stage(qapp, "inspector") as here:
        session = here.session
        panel = weakref.ref(here.window.docks["inspector"].body.panel)
        here.user.type_into("rotate.z", "45") if here.user.visible("rotate.z") else None
        del here
    gc.collect()
    assert panel() is None
    assert len(session.evaluator.changed) == 0
    assert len(session.keying.changed) == 0


def scaled_project():
    """The small project with its root at a hundredth, as below an armature that was made in centimetres."""
    project = small_project()
    rig = project.get(Rig, RIG)
    rest = rig.skeleton.rest
    scale, place = np.array(rest.scale), np.array(rest.translation)
    scale[0], place[1:] = 0.01, place[1:] * 100.0
    skeleton = replace(rig.skeleton, rest=Transform(place, rest.rotation, scale))
    clips = [
        replace(clip, tracks={c: t for c, t in clip.tracks.items() if c.bone != "pelvis"})
        for clip in project.clips
    ]
    return project.with_assets(replace(rig, skeleton=skeleton), *clips)


def test_translation_below_a_scale_is_shown_and_typed_in_metres_of_the_world(qapp):
    with stage(qapp, "inspector", project=scaled_project) as here:
        here.session.selection.select(["arm_l"])
        here.user.settle()
        assert [round(value(here, f"translate.{a}"), 6) for a in "xyz"] == [0.2, 0.3, 0.0]
        index = here.session.rig.skeleton.index("arm_l")
        before = kinematics.model_matrices(here.session.rig.skeleton, here.session.evaluator.pose().local)
        here.user.type_into("translate.x", "0.5")
        assert here.session.evaluator.pose().translations[index] == pytest.approx([50.0, 30.0, 0.0])
        after = kinematics.model_matrices(here.session.rig.skeleton, here.session.evaluator.pose().local)
        assert (after - before)[index, :3, 3] == pytest.approx([0.3, 0.0, 0.0], abs=1e-12)
        here.session.keying.auto = False
        here.user.type_into("translate.y", "-0.25")
        assert here.session.evaluator.pose().translations[index] == pytest.approx([50.0, -25.0, 0.0])
        here.user.drag("translate.z", (50, 10), (150, 10))
        assert here.session.evaluator.pose().translations[index][2] == pytest.approx(
            100.0 * value(here, "translate.z")
        )
        here.session.keying.drop_pending()
