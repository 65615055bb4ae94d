"""The database of motion matching: frames of a project's clips, mirrored and bent, with their features in an index."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from core.arrays import Float32Array, FloatArray, IndexArray
from core.clips.clip import Clip
from core.errors import ValidationError
from core.ik.leg import body_legs
from core.locomotion.matching.features import Scaling, raw_features, scaling_of
from core.locomotion.matching.frames import Body, Frames, bent, frames_of, mirrored_frames, paced
from core.locomotion.matching.ranges import Range, ranges_of
from core.locomotion.matching.search import Index, Spans, make_index
from core.locomotion.matching.setup import Matching, Tag
from core.pose.mirror import MirrorMap, mirror_map
from core.rig import mirror as mirroring
from core.rig.rig import Rig

AHEAD_WITHIN = 10.0
"""Degrees from straight ahead within which a range is bent."""
WINDOW = 15
"""Frames on both sides over which the speed of a range that does not loop is taken."""
ONCE = 1.1
"""Times a speed that a range which is no loop goes at most, for a character that is no faster."""
LEAST_KEPT = 0.5
"""Share of a range that remains a candidate, however short it is."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A range in the database.

    Parameters
    ----------
    clip : its name
    tag : what it is for
    mirrored : whether it is the other way round
    bend : degrees a second to the left that its path turns
    pace : times its own speed that it is played
    first, count : frames in the index
    row : of its first pose
    looping : whether it goes on at its start
    seconds : of a frame
    fastest : m/s of its root at most
    """

    clip: str
    tag: Tag
    mirrored: bool
    bend: float
    pace: float
    first: int
    count: int
    row: int
    looping: bool
    seconds: float
    fastest: float

    @property
    def end(self) -> int:
        """The frame after its last."""
        return self.first + self.count


@dataclass(frozen=True, slots=True, eq=False)
class Database:
    """Everything that is searched and played.

    Parameters
    ----------
    setup : what it was made with
    ranges : of all clips of the rig, with those that take no part
    stretches : in the order of their frames
    stretch_of : ``(N,)`` number of the stretch of each frame
    scaling : of the features
    index : of the features
    poses : ``(R, B, 7)``
    scales : ``(R', B, 3)`` by stretch
    steps : ``(N, 3)`` the root's way over a frame in its own frame: x, z in metres, yaw in radians
    speeds : ``(N, 2)`` of the root: m/s, and degrees to the right of ahead
    left : ``(N,)`` metres that the root still goes up to the end of the range; 0 of a loop
    names, curves : curves ``(R, C)`` of the poses
    body : bones of the features
    """

    setup: Matching
    ranges: tuple[Range, ...]
    stretches: tuple[Stretch, ...]
    stretch_of: IndexArray
    scaling: Scaling
    index: Index
    poses: Float32Array
    scales: FloatArray
    steps: FloatArray
    speeds: FloatArray
    left: FloatArray
    names: tuple[str, ...]
    curves: Float32Array
    body: Body
    _tags: frozenset[Tag] = field(repr=False)
    _spans: dict[tuple[tuple[Tag, ...], float, float, float], Spans] = field(default_factory=dict, repr=False)

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        own = (self.poses, self.scales, self.steps, self.speeds, self.curves, self.stretch_of)
        return self.index.nbytes + sum(a.nbytes for a in own)

    def has(self, *tags: Tag) -> bool:
        """Whether any range of some tags is there."""
        return not self._tags.isdisjoint(tags)

    def spans(
        self, tags: Sequence[Tag], slowest: float = 0.0, fastest: float = np.inf, quicker: float = 1.0
    ) -> Spans:
        """The candidates of some tags: all frames but the last ones of ranges that end.

        Parameters
        ----------
        slowest, fastest : m/s; loops that go slower, and ranges that go faster anywhere, are left out, where any
            remains
        quicker : times `fastest` that loops may go, whose pace is fitted
        """
        key = (tuple(tags), slowest, fastest, quicker)
        if key not in self._spans:
            found = [s for s in self.stretches if s.tag in tags]
            suited = [
                s
                for s in found
                if (slowest <= s.fastest <= quicker * fastest if s.looping else s.fastest <= ONCE * fastest)
            ]
            spans = [(s.first, s.first + _kept(s, self.setup.end)) for s in suited or found]
            self._spans[key] = np.array(spans, dtype=np.int64).reshape(-1, 2)
        return self._spans[key]

    def row(self, frame: float) -> tuple[int, int, float]:
        """Rows of the poses before and after a frame, and how far it is between them."""
        number = int(frame)
        stretch = self.stretches[int(self.stretch_of[number])]
        at, share = number - stretch.first, frame - number
        after = at + 1
        if after >= stretch.count:
            after = 0 if stretch.looping else at
        return stretch.row + at, stretch.row + after, share


def body_of(rig: Rig) -> Body:
    """The bones that features are of.

    Raises
    ------
    ValidationError
        Hips or one of two feet could not be told.
    """
    found = body_legs(rig)
    sides = {leg.side: leg.foot for leg in found[1]} if found is not None else {}
    if found is None or 1 not in sides or -1 not in sides:
        raise ValidationError(
            f"motion matching: {rig.name} needs hips and two legs with feet that are told by name or rest pose"
        )
    return Body(found[0], (sides[1], sides[-1]))


class _Build:
    """Collects stretches and their rows."""

    def __init__(self) -> None:
        self.stretches: list[Stretch] = []
        self.frames: list[Frames] = []
        self.poses: list[Frames] = []
        self.count = self.rows = 0

    def add(
        self,
        part: Range,
        frames: Frames,
        mirrored: bool,
        bend: float = 0.0,
        pace: float = 1.0,
        row: int | None = None,
    ) -> int:
        """Add a stretch; gives the row of its first pose, by which others share its poses."""
        if row is None:
            row = self.rows
            self.rows += len(frames)
            self.poses.append(frames)
        self.stretches.append(
            Stretch(
                part.clip.name, part.tag, mirrored, bend, pace, self.count, len(frames), row, frames.looping,
                frames.seconds, _fastest(frames),
            )
        )  # fmt: skip
        self.frames.append(frames)
        self.count += len(frames)
        return row


def build(rig: Rig, clips: Sequence[Clip], setup: Matching | None = None) -> Database:
    """The database of a rig's clips.

    Raises
    ------
    ValidationError
        The rig has no hips or feet that could be told, or no clip that stands or moves takes part.
    MissingReferenceError
        A choice names a clip that there is none of.
    """
    setup = setup or Matching()
    body, ranges = body_of(rig), ranges_of(rig, clips, setup)
    flip = _flip(rig) if setup.mirror else None
    made = _Build()
    for part in ranges:
        if part.on:
            _add(made, rig, part, body, setup, flip)
    if not made.stretches:
        raise ValidationError(
            f"motion matching: {rig.name} has no clip that stands or moves; name one idle or walk, or choose ranges"
        )
    raw = np.concatenate([raw_features(frames) for frames in made.frames])
    scaling = scaling_of(raw, setup.weights)
    names = tuple(dict.fromkeys(name for frames in made.poses for name in frames.curves))
    curves = np.zeros((made.rows, len(names)), dtype=np.float32)
    first = 0
    for frames in made.poses:
        for name, values in frames.curves.items():
            curves[first : first + len(frames), names.index(name)] = values
        first += len(frames)
    stretches = tuple(made.stretches)
    arrays = (
        np.repeat(np.arange(len(stretches)), [s.count for s in stretches]),
        np.concatenate([frames.poses for frames in made.poses]),
        np.stack([frames.scale for frames in made.frames]),
        np.concatenate([_steps(frames) for frames in made.frames]),
        np.concatenate([_speeds(frames) for frames in made.frames]),
        np.concatenate([_left(frames) for frames in made.frames]),
        curves,
    )
    for array in arrays:
        array.setflags(write=False)
    stretch_of, poses, scales, steps, speeds, left, _ = arrays
    return Database(
        setup, ranges, stretches, stretch_of, scaling, make_index(scaling(raw)), poses, scales, steps, speeds, left,
        names, curves, body, frozenset(stretch.tag for stretch in stretches),
    )  # fmt: skip


def _flip(rig: Rig) -> MirrorMap | None:
    """How the rig is mirrored: by its own lists, else by proposed ones; None where there are none."""
    if not rig.mirror.pairs:
        proposed = mirroring.propose(rig.skeleton).setup()
        if not proposed.pairs:
            return None
        rig = replace(rig, mirror=proposed)
    mapping = mirror_map(rig)
    return mapping if mapping.axis == 0 else None


def _add(made: _Build, rig: Rig, part: Range, body: Body, setup: Matching, flip: MirrorMap | None) -> None:
    frames = frames_of(rig, part, body)
    both = [(frames, False)]
    if flip is not None:
        both.append((mirrored_frames(rig, frames, body, flip), True))
    for own, mirrored in both:
        row = made.add(part, own, mirrored)
        if part.tag not in (Tag.MOVE, Tag.CROUCH_MOVE) or not own.looping:
            continue
        for pace in (1.0, *setup.paces):
            quick = paced(own, pace)
            if pace != 1.0:
                made.add(part, quick, mirrored, pace=pace, row=row)
            for bend in setup.bends if _ahead(own) else ():
                for side in (1.0, -1.0):
                    made.add(part, bent(quick, side * bend), mirrored, side * bend, pace, row)


def _ahead(frames: Frames) -> bool:
    speed, direction = _speeds(frames)[0]
    return bool(speed > 0.0 and abs(direction) <= AHEAD_WITHIN)


def _steps(frames: Frames) -> FloatArray:
    """``(n, 3)`` the way to the next frame, seen from this one."""
    count, path = len(frames), frames.path
    step = path[1 : count + 1] - path[:count]
    s, c = np.sin(path[:count, 2]), np.cos(path[:count, 2])
    return np.stack([c * step[:, 0] - s * step[:, 1], s * step[:, 0] + c * step[:, 1], step[:, 2]], axis=1)


def _speeds(frames: Frames) -> FloatArray:
    """``(n, 2)`` m/s and degrees to the right of ahead, over a loop or around the frame."""
    steps = _steps(frames)[:, :2]
    count = len(steps)
    if frames.looping:
        mean = np.repeat(steps.mean(axis=0)[None], count, axis=0)
    else:
        sums = np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)])
        low = np.maximum(np.arange(count) - WINDOW, 0)
        high = np.minimum(np.arange(count) + WINDOW + 1, count)
        mean = (sums[high] - sums[low]) / (high - low)[:, None]
    speed = np.hypot(mean[:, 0], mean[:, 1]) / frames.seconds
    direction = np.where(speed > 1e-3, np.degrees(np.arctan2(-mean[:, 0], mean[:, 1])), 0.0)
    return np.stack([speed, direction], axis=1)


def _fastest(frames: Frames) -> float:
    """M/s of the root: the mean of a loop, else the most over 0.1 s."""
    if frames.looping:
        return float(_speeds(frames)[0, 0])
    steps = np.hypot(*_steps(frames)[:, :2].T)
    wide = min(6, len(steps))
    return float(np.convolve(steps, np.ones(wide) / wide, mode="valid").max()) / frames.seconds


def _left(frames: Frames) -> FloatArray:
    """``(n,)`` metres from each frame to the last; 0 of a loop."""
    steps = np.hypot(*_steps(frames)[:, :2].T)
    if frames.looping:
        return np.zeros(len(steps))
    steps[-1] = 0.0
    return np.cumsum(steps[::-1])[::-1]


def _kept(stretch: Stretch, end: int) -> int:
    """Frames of a stretch that are candidates."""
    least = max(int(stretch.count * LEAST_KEPT), 1)
    return stretch.count if stretch.looping else max(stretch.count - end, least)
