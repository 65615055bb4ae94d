"""A locked bone is protected from every verb: paste, mirror, reset, keys, pose library, IK and feet."""

import numpy as np
import pytest

from core.clips.clip import Channel, Property
from core.errors import ValidationError
from core.math import quat
from core.math.transform import Transform
from core.pose.mirror import MirrorWay
from core.terrain.ground import Ground
from editor.model.ik import edits as ik_edits
from editor.model.ik.state import IkState
from editor.model.posing import library, verbs
from editor.tools import key_commands
from tests.editor.actions import rich

LOCKED = ("upper_arm_r", "thigh_l")


@pytest.fixture
def session():
    made = rich.session()
    made.selection.clear()
    made.playback.set_range(None)
    yield made
    made.close()


def locked_before(session, bones=LOCKED):
    """Lock bones, and give what they are now."""
    session.selection.set_flag("locked", bones)
    clip = session.clip
    return {c: t for c, t in clip.tracks.items() if c.bone in bones}, session.evaluator.pose()


def unchanged(session, before, bones=LOCKED) -> bool:
    tracks, pose = before
    clip, now = session.clip, session.evaluator.pose()
    mine = {c: t for c, t in clip.tracks.items() if c.bone in bones}
    places = [session.rig.skeleton.index(b) for b in bones]
    same = all(np.array_equal(a[places], b[places]) for a, b in zip(pose.local, now.local, strict=True))
    return same and mine.keys() == tracks.keys() and all(mine[c] is t for c, t in tracks.items())


def turned_everywhere(session):
    """A pose in which every bone is turned, on the clipboard; the pose shown stays."""
    pose = session.evaluator.pose()
    turns = quat.from_rotation_vector(np.random.default_rng(1).normal(scale=0.4, size=(len(pose), 3)))
    other = pose.with_local(pose.local._replace(rotation=quat.multiply(pose.rotations, turns)))
    session.keying.commit_pose("turn", other, session.rig.skeleton.names)
    verbs.copy_pose(session)
    session.undo()


VERBS = {
    "paste": verbs.paste_pose,
    "paste mirrored": verbs.paste_mirrored,
    **{f"mirror {way}": lambda s, way=way: verbs.mirror(s, way) for way in MirrorWay},
    **{f"mirror clip {way}": lambda s, way=way: verbs.mirror_clips(s, None, way) for way in MirrorWay},
    "mirror clip by half": lambda s: verbs.mirror_clips(s, half_cycle=True),
    "reset": verbs.reset_parts,
}


@pytest.mark.parametrize("name", list(VERBS))
@pytest.mark.parametrize("auto", [True, False])
def test_no_verb_changes_a_locked_bone(session, name: str, auto: bool) -> None:
    turned_everywhere(session)
    pose = session.evaluator.pose()
    turns = quat.from_rotation_vector(np.random.default_rng(2).normal(scale=0.3, size=(len(pose), 3)))
    session.keying.commit_pose(
        "begin", pose.with_local(pose.local._replace(rotation=turns)), session.rig.skeleton.names
    )
    session.keying.auto = auto
    before = locked_before(session)
    others = session.evaluator.pose()
    assert VERBS[name](session)
    if "clip" not in name:
        assert unchanged(session, before)
        assert not np.array_equal(session.evaluator.pose().rotations, others.rotations)
    else:
        tracks = before[0]
        assert all(session.clip.tracks.get(c) is t for c, t in tracks.items())
    assert not set(session.keying.pending) & set(LOCKED)


def test_mirrored_keys_leave_the_locked_other_side_alone(session) -> None:
    before = locked_before(session)
    session.selection.select_keys(
        {rich.TURN: np.array([1, 2]), Channel("lower_arm_l", Property.ROTATE, 1): [1]}
    )
    assert verbs.mirror_keys(session)
    assert unchanged(session, before)
    assert any(c.bone == "lower_arm_r" for c in session.clip.tracks)


def test_mirrored_range_leaves_locked_bones_alone(session) -> None:
    session.playback.set_range(0.2, 1.0)
    before = locked_before(session)
    assert verbs.mirror_range(session)
    assert all(session.clip.tracks.get(c) is t for c, t in before[0].items())
    assert not any(c.bone in LOCKED for c in session.clip.tracks.keys() - before[0].keys())


@pytest.mark.parametrize("mirror", [False, True])
def test_pasted_keys_leave_locked_bones_alone(session, mirror: bool) -> None:
    session.selection.select_keys({rich.TURN: np.array([1, 2])})
    key_commands.copy(session)
    bones = ("upper_arm_r",) if mirror else ("upper_arm_l",)
    before = locked_before(session, bones)
    session.playback.seek(1.1)
    with pytest.raises(ValidationError, match="none of the keys fits"):
        key_commands.paste(session, mirror=mirror)
    assert unchanged(session, (before[0], session.evaluator.pose()), bones)


def test_a_goal_of_a_locked_chain_is_not_baked_and_says_so(session) -> None:
    ik_edits.propose(session)
    session.feature(IkState).select("Left arm")
    ik_edits.match(session, "Left arm")
    clip = session.clip
    session.selection.set_flag("locked", ["lower_arm_l"])
    assert not ik_edits.bake_to_keys(session, "Left arm")
    assert session.clip is clip and "lower_arm_l" in session.messages.latest.text
    assert not ik_edits.bake_to_keys(session)
    session.selection.set_flag("locked", ["head"])
    assert ik_edits.bake_to_keys(session, "Left arm")


def test_feet_of_a_locked_leg_are_not_placed_and_say_so(session) -> None:
    session.feature(IkState).set_ground(Ground(0.0, 10.0, 0.0))
    clip = session.clip
    session.selection.set_flag("locked", ["calf_r"])
    assert not ik_edits.place_feet_in_clip(session)
    assert session.clip is clip and "calf_r" in session.messages.latest.text
    before = locked_before(session, ("calf_r",))
    ik_edits.place_feet_here(session)
    assert unchanged(session, before, ("calf_r",))
    session.selection.set_flag("locked", ())
    assert ik_edits.place_feet_in_clip(session)


def test_a_pose_asset_is_not_baked_onto_a_locked_bone(session) -> None:
    session.selection.select(["head"])
    pose = session.evaluator.pose()
    head = session.rig.skeleton.index("head")
    local = Transform(*(np.array(part) for part in pose.local))
    local.rotation[head] = quat.from_axis_angle([1.0, 0.0, 0.0], 0.5)
    session.keying.commit_pose("nod", pose.with_local(local), ["head"])
    nod = library.save_pose(session, "nod")
    asset = library.make_asset(session, [nod])
    drag = library.WeightDrag(session, "nod")
    drag.move(0.5)
    drag.finish()
    clip = session.clip
    session.selection.set_flag("locked", ["head"])
    with pytest.raises(ValidationError, match="head is locked"):
        library.bake_asset(session, asset)
    assert session.clip is clip
    session.selection.set_flag("locked", ())
    assert library.bake_asset(session, asset)
