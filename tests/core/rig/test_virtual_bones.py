"""Virtual bones: where a pose has them, as IK goals, edits, files, and made real."""

from dataclasses import replace

import numpy as np
import pytest

from core.cli.main import main
from core.clips.clip import Channel, Property
from core.clips.virtual_bones import made_real
from core.errors import MissingReferenceError, ValidationError
from core.ik.keyed import GOAL, TURN, curve_name, present_values
from core.ik.rigged import sample_many
from core.ik.solve import target_in_model
from core.io import load, save
from core.math import quat, transform
from core.math.transform import Transform, down_chain
from core.project.project import Project
from core.rig import virtual_bones
from core.rig.ik_setup import EndRotation, IkSetup, IkSolver, IkSpace, IkTarget
from core.rig.rig import Rig, VirtualBone
from core.tracks.keys import scalar_track
from tests.editor.rigs import small_clip, small_rig

VB = VirtualBone("vb", "hand_r", "hand_l", (0.1, -0.2, 0.3))
TIMES = np.linspace(0.0, 2.0, 13)


def rig_with(*bones: VirtualBone) -> Rig:
    return replace(small_rig(), virtual_bones=bones or (VB,))


def clip_of(rig: Rig):  # type: ignore[no-untyped-def]
    times = [0.0, 1.0, 2.0]
    return small_clip(rig).with_tracks(
        {
            Channel("chest", Property.ROTATE, 1): scalar_track(times, [0.0, 30.0, -20.0]),
            Channel("upper_arm_l", Property.ROTATE, 2): scalar_track(times, [0.0, 40.0, -30.0]),
            Channel("upper_arm_r", Property.ROTATE, 0): scalar_track(times, [10.0, -40.0, 30.0]),
            Channel("lower_arm_l", Property.ROTATE, 1): scalar_track([0.0], [-60.0]),
            Channel("lower_arm_r", Property.ROTATE, 1): scalar_track([0.0], [60.0]),
        }
    )


def models(rig: Rig, clip) -> Transform:  # type: ignore[no-untyped-def]
    return down_chain(rig.skeleton.parents, sample_many(rig, clip, TIMES, wrap=False).local)


def test_virtual_bone_follows_its_target_by_matrices() -> None:
    rig = rig_with()
    model = models(rig, clip_of(rig))
    found = virtual_bones.frame_of(rig, "vb", model)
    hand = Transform(*(part[:, rig.skeleton.index("hand_l")] for part in model))
    wanted = (transform.to_matrix(hand) @ [*VB.offset, 1.0])[:, :3]
    assert found.translation == pytest.approx(wanted, abs=1e-12)
    assert quat.angle_between(found.rotation, hand.rotation).max() < 1e-12


def test_virtual_bone_goes_with_its_source_once_derived() -> None:
    rig = rig_with()
    before = models(rig, clip_of(rig))
    derived = virtual_bones.derived_from(rig, before)
    same = virtual_bones.frame_of(rig, "vb", before, derived)
    assert same.translation == pytest.approx(virtual_bones.frame_of(rig, "vb", before).translation, abs=1e-9)
    after = Transform(before.translation.copy(), before.rotation, before.scale)
    after.translation[:, rig.skeleton.index("hand_r")] += [0.0, 1.0, 0.0]
    moved = virtual_bones.frame_of(rig, "vb", after, derived)
    assert moved.translation - same.translation == pytest.approx(np.tile([0.0, 1.0, 0.0], (13, 1)), abs=1e-9)


def test_virtual_bones_may_hang_on_earlier_ones() -> None:
    second = VirtualBone("vb2", "vb", "vb", (0.5, 0.0, 0.0))
    rig = rig_with(VB, second)
    model = models(rig, clip_of(rig))
    first, found = (virtual_bones.frame_of(rig, name, model) for name in ("vb", "vb2"))
    assert found.translation == pytest.approx(transform.apply(first, [0.5, 0.0, 0.0]), abs=1e-12)
    with pytest.raises(MissingReferenceError, match="'vb2' names 'vb', which is no bone"):
        rig_with(second, VB)


def two_handed() -> tuple[Rig, object]:
    """The left hand follows where it was on the right hand, which is led elsewhere."""
    rig = rig_with(replace(VB, offset=(0.0, 0.0, 0.0)))
    right = IkSetup(
        "right", "upper_arm_r", "hand_r", IkSolver.CCD, tolerance=1e-6, iterations=200, use_limits=False
    )
    left = replace(
        right, name="left", root="upper_arm_l", tip="hand_l", goal=IkTarget(IkSpace.BONE, "vb"),
        end_rotation=EndRotation.GOAL,
    )  # fmt: skip
    rig = replace(rig, ik_setups=(right, left))
    clip = clip_of(rig)
    local = sample_many(rig, clip, TIMES, wrap=False).local
    hand = present_values(rig, local, right)
    drop = {curve_name("right", f): hand[curve_name("right", f)] for f in (*GOAL, *TURN)}
    drop[curve_name("right", "goal y")] = drop[curve_name("right", "goal y")] - 0.05
    curves = {name: scalar_track(TIMES, values) for name, values in drop.items()}
    curves |= {curve_name("left", field): scalar_track([0.0], [0.0]) for field in GOAL}
    return rig, replace(clip, curves=curves)


def test_goal_on_a_virtual_bone_keeps_two_hands_together() -> None:
    rig, clip = two_handed()
    still = replace(clip, curves={})  # type: ignore[type-var]
    before, after = models(rig, still), models(rig, clip)
    hands = [rig.skeleton.index(name) for name in ("hand_l", "hand_r")]
    apart = [m.translation[:, hands[0]] - m.translation[:, hands[1]] for m in (before, after)]
    assert (
        np.linalg.norm(after.translation[:, hands[1]] - before.translation[:, hands[1]], axis=-1).min() > 0.03
    )
    assert np.abs(apart[0] - apart[1]).max() < 1e-3


def test_target_on_a_virtual_bone_is_placed_in_its_frame() -> None:
    rig = rig_with()
    model = models(rig, clip_of(rig))
    place, turn = target_in_model(IkTarget(IkSpace.BONE, "vb", (0.0, 0.1, 0.0)), rig, model)
    frame = virtual_bones.frame_of(rig, "vb", model)
    assert place == pytest.approx(transform.apply(frame, [0.0, 0.1, 0.0]), abs=1e-12)
    assert quat.angle_between(turn, frame.rotation).max() < 1e-12


def test_edits_refuse_what_would_leave_nothing_to_follow() -> None:
    rig, _ = two_handed()
    with pytest.raises(ValidationError, match="used by the IK set-up 'left'"):
        virtual_bones.removed(rig, "vb")
    renamed = virtual_bones.renamed(rig, "vb", "sword")
    assert renamed.ik_setup("left").goal.bone == "sword" and renamed.virtual_bones[0].name == "sword"
    plain = virtual_bones.removed(rig_with(), "vb")
    assert plain.virtual_bones == ()
    again = virtual_bones.added(plain, VB)
    assert again.virtual_bones == (VB,)
    assert virtual_bones.free_name(again, "hand_r", "hand_l") == "vb_hand_r_hand_l"
    taken = virtual_bones.added(plain, replace(VB, name="vb_hand_r_hand_l"))
    assert virtual_bones.free_name(taken, "hand_r", "hand_l") == "vb_hand_r_hand_l_2"
    for bad, error in (
        (replace(VB, name=""), ValidationError),
        (replace(VB, name="hand_l"), ValidationError),
        (replace(VB, target="tail"), MissingReferenceError),
        (replace(VB, offset=(0.0, np.nan, 0.0)), ValidationError),
    ):
        with pytest.raises(error):
            virtual_bones.added(plain, bad)
    with pytest.raises(MissingReferenceError, match="no virtual bone 'x'; there are: vb"):
        virtual_bones.removed(again, "x")
    with pytest.raises(MissingReferenceError, match="nor a virtual bone"):
        virtual_bones.frame_of(again, "x", models(again, clip_of(again)))


def test_made_real_the_bone_goes_where_the_virtual_one_went() -> None:
    rig = rig_with()
    clip = clip_of(rig)
    larger, (made,) = made_real(rig, [clip])
    assert larger.virtual_bones == () and larger.skeleton.names[-1] == "vb"
    assert larger.skeleton.parent(len(larger.skeleton) - 1) == rig.skeleton.index("hand_r")
    frames = np.array([clip.rate.to_seconds(f) for f in range(0, 60, 7)])
    wanted = down_chain(rig.skeleton.parents, sample_many(rig, clip, frames, wrap=False).local)
    found = down_chain(larger.skeleton.parents, sample_many(larger, made, frames, wrap=False).local)
    virtual = virtual_bones.frame_of(rig, "vb", wanted)
    assert found.translation[:, -1] == pytest.approx(virtual.translation, abs=1e-6)
    assert quat.angle_between(found.rotation[:, -1], virtual.rotation).max() < 1e-5
    assert made_real(small_rig(), [clip])[0].skeleton.names == small_rig().skeleton.names


def test_files_keep_virtual_bones_and_exports_hide_them_unless_asked(tmp_path, capsys) -> None:  # type: ignore[no-untyped-def]
    rig = rig_with()
    path = tmp_path / "a.posewright"
    save(Project().with_assets(rig, clip_of(rig)), path)
    assert load(path).project.rigs[0].virtual_bones == (VB,)
    assert main(["convert", str(path), str(tmp_path / "plain.glb")]) == 0
    assert main(["convert", str(path), str(tmp_path / "more.glb"), "--virtual-bones"]) == 0
    capsys.readouterr()
    assert "vb" not in load(tmp_path / "plain.glb").project.rigs[0].skeleton.names
    assert "vb" in load(tmp_path / "more.glb").project.rigs[0].skeleton.names
