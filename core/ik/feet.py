"""Foot placement of whole clips: keys on hips and legs for a ground that the clip was not made on."""

import numpy as np

from core.clips.clip import Channel, Clip, Property
from core.ik.bake import frame_times, spliced, tracks_of
from core.ik.ground import Ground, place_feet
from core.ik.rigged import sample_many
from core.math.transform import Transform
from core.rig.rig import Rig
from core.rig.roles import Role, Roles
from core.timing import TIME_EPSILON
from core.tracks.keys import Track


def placed_clip(
    rig: Rig, roles: Roles, clip: Clip, ground: Ground, start: float | None = None, end: float | None = None
) -> tuple[Clip, float]:
    """The clip with its feet on a ground, a key a frame on hips and legs; and the worst foot's metres off.

    Offsets come over time as `place_feet` says, from the first frame of the range as it is. On the level ground
    the clip is given back. Goals that the clip keys stay; they are followed after this.

    Raises
    ------
    ValidationError
        Hips or legs could not be told.
    """
    times = frame_times(clip, start, end)
    whole = times[0] <= TIME_EPSILON and times[-1] >= clip.length - TIME_EPSILON
    before = sample_many(rig, clip, times, wrap=False).local
    if ground.flat:
        return clip, 0.0
    done = place_feet(rig, roles, before, ground, times=times)
    bones = [
        rig.skeleton.index(b)
        for leg in roles.legs()
        for b in (leg.upper, leg.lower, leg.end)
        if b is not None
    ]
    fresh = tracks_of(rig, clip, times, done.local, sorted(bones), moved=False)
    hips = roles.one(Role.HIPS)
    if hips is not None:
        every = tracks_of(rig, clip, times, done.local, [rig.skeleton.index(hips)])
        fresh |= {c: t for c, t in every.items() if c.property is Property.TRANSLATE}
    tracks: dict[Channel, Track | None] = {
        channel: track if whole else spliced(rig, clip, channel, track) for channel, track in fresh.items()
    }
    return clip.with_tracks(tracks), float(np.max(done.residual, initial=0.0))


def placed_pose(
    rig: Rig,
    roles: Roles,
    clip: Clip | None,
    ground: Ground,
    local: Transform,
    time: float,
    start: float = 0.0,
) -> Transform:
    """A pose ``(B, k)`` at a time with its feet on a ground: as `placed_clip` bakes that frame.

    Parameters
    ----------
    clip : what was played up to then, which offsets come from; None where the pose stands alone
    start : seconds, where the bake of its range begins
    """
    single = Transform(*(part[None] for part in local))
    if clip is None:
        return Transform(*(part[0] for part in place_feet(rig, roles, single, ground).local))
    frames = frame_times(clip, start, None)
    times = np.append(frames[frames < time - TIME_EPSILON], time)
    before = sample_many(rig, clip, times[:-1], wrap=False).local if len(times) > 1 else None
    poses = single
    if before is not None:
        poses = Transform(*(np.concatenate(parts) for parts in zip(before, single, strict=True)))
    done = place_feet(rig, roles, poses, ground, times=times)
    return Transform(*(part[-1] for part in done.local))
