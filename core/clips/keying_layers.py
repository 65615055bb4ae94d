"""Setting keys on the clip of a layer, whose channels without keys show what is below."""

from collections.abc import Iterable

from core.clips.clip import Clip
from core.clips.keying import KeyWhich, Tolerance, changed_channels_of, key_pose, other_than, with_keys
from core.errors import ValidationError
from core.math.transform import Transform
from core.pose.pose import Pose
from core.rig.rig import Rig


def key_layer(
    clip: Clip,
    rig: Rig,
    time: float,
    pose: Pose,
    bones: Iterable[str],
    tolerance: Tolerance | None = None,
    which: KeyWhich = KeyWhich.CHANGED,
    sampled: Pose | None = None,
) -> Clip:
    """A layer's clip with keys at a time, as `key_pose` sets them on a clip that stands alone.

    What has no keys in a layer shows what is below it, not the rest pose: there a pose is compared with `sampled`, what
    the clip would have to hold for what is shown already. A property that has changed is keyed to rounding.
    """
    if sampled is None:
        return key_pose(clip, rig, time, pose, bones, tolerance, which)
    if pose.rig != rig.id or len(pose) != len(rig.skeleton):
        raise ValidationError(f"the pose belongs to {pose.rig}, not to {rig.id}")
    if which is KeyWhich.CHANGED:
        bones = other_than(rig.skeleton, pose, sampled, bones)
    names = list(dict.fromkeys(bones))
    chosen = [rig.skeleton.index(bone) for bone in names]
    goal = Transform(pose.translations[chosen], pose.rotations[chosen], pose.scales[chosen])
    held = Transform(sampled.translations[chosen], sampled.rotations[chosen], sampled.scales[chosen])
    return with_keys(
        clip, time, changed_channels_of(clip, rig.skeleton, names, time, goal, tolerance, which, held)
    )
