"""Reading BVH."""

import re
from fractions import Fraction
from pathlib import Path

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import WHOLE, Channel, Clip, Property
from core.errors import FormatError
from core.ids import AssetId, new_id
from core.io.bvh.guess import UNITS, guess_unit, guess_up, height_along
from core.io.bvh.hierarchy import Joint, parse_hierarchy
from core.io.bvh.motion import Motion, parse_motion
from core.io.bvh.options import BvhReadOptions
from core.io.common.characters import made_apart, told_apart
from core.io.common.naming import stem_of, unique_names
from core.io.common.opening import read_regular
from core.io.common.units_and_axes import UP_AXES
from core.io.loaded import Loaded
from core.io.report import ImportReport
from core.math import euler, quat
from core.math.transform import Transform
from core.pose.kinematics import to_model
from core.progress import Progress
from core.project.project import Project
from core.rig.rig import Rig, SourceFrame
from core.rig.skeleton import Skeleton
from core.timing import FrameRate
from core.tracks.keys import Interpolation, TangentMode, Track, quaternion_track, scalar_track

MOST_BYTES = 512 << 20
START = re.compile(rb"^[ \t]*MOTION\b", re.MULTILINE | re.IGNORECASE)
NUMBER_COMMA = re.compile(rb"(?<=\d),(?=\d)")
COMMA_AFTER_POINT = re.compile(rb"(?<=\d)\.\d*,")
COMMA_BETWEEN = re.compile(rb",(?=\s*([-+.\d]|$))", re.MULTILINE)
DRIFT = 0.05
"""A nominal rate is taken where the last frame lies nearer than this many frames to its grid."""


def read(path: Path, options: BvhReadOptions, progress: Progress) -> Loaded:
    """Read a BVH file; every frame becomes a key, rotations as quaternions.

    Raises
    ------
    FormatError
        Naming the line.
    """
    report = ImportReport("Biovision hierarchy")
    progress.report(0.0, f"reading {path.name}")
    if path.stat().st_size > MOST_BYTES:
        raise FormatError(path, "", f"expected at most {MOST_BYTES >> 20} MB", "cut it into pieces")
    data = _plain(read_regular(path), report)
    start = START.search(data)
    if start is None:
        parse_hierarchy(_text(data[: 1 << 20]), path)  # reports an earlier mistake, if there is one
        raise FormatError(
            path, f"line {data.count(bytes([10])) + 1}", "expected MOTION, the file ends before it"
        )
    joints, columns = parse_hierarchy(_text(data[: start.start()]), path)
    progress.report(0.2, "reading frames")
    motion = parse_motion(data, start.end(), columns, path, report, options.frame_time)
    progress.report(0.6, "making keys")
    given = [joint.name for joint in joints]
    names = unique_names(given, [i for i, joint in enumerate(joints) if not joint.end_site])
    report.renamed = [(old, new) for old, new in zip(given, names, strict=True) if old != new]
    animated = _Frames(joints, motion)
    source = _source_frame(names, joints, animated, options, path, report)
    rig = Rig(new_id("rig"), stem_of(path) or "rig", _skeleton(names, joints, source), source=source)
    clips = []
    if motion.values.shape[1]:
        clips.append(_clip(stem_of(path) or "clip", rig.id, names, joints, animated, source, report))
    else:
        report.warn("the file holds no frames, so there is no clip")
    project = Project().with_assets(rig, *clips)
    if options.apart:
        branches = [joint.parent for joint in joints]
        found = told_apart(np.array(branches), given, range(len(joints)))
        project = made_apart(project, found, given) if found else project
    return Loaded(project, report)


def _plain(data: bytes, report: ImportReport) -> bytes:
    """The file with lines and numbers as the format wants them."""
    if b"\r" in data and b"\n" not in data:
        data = data.replace(b"\r", b"\n")
    if b"," not in data:
        return data
    if COMMA_AFTER_POINT.search(data):
        report.warn("commas stand between its numbers; they were taken for spaces")
        return COMMA_BETWEEN.sub(b" ", data)
    if NUMBER_COMMA.search(data):
        report.warn("its numbers have decimal commas")
    return NUMBER_COMMA.sub(b".", data)


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


class _Frames:
    """Local positions and rotations of joints over the frames, in the file's units and axes."""

    def __init__(self, joints: list[Joint], motion: Motion) -> None:
        self.joints = joints
        self.motion = motion
        self.count = motion.values.shape[1]
        self.rotations = self._all_rotations()

    def _all_rotations(self) -> dict[int, FloatArray]:
        """Joint → ``(F, 4)``, joints of one channel order computed together."""
        groups: dict[tuple[int, ...], list[int]] = {}
        for number, joint in enumerate(self.joints):
            axes = tuple(joint.rotation_axes())
            if axes:
                groups.setdefault(axes, []).append(number)
        result: dict[int, FloatArray] = {}
        for axes, members in groups.items():
            rows = np.array(
                [[self.joints[j].first + c for c, (turns, _) in enumerate(self.joints[j].channels) if turns]
                 for j in members]
            )  # fmt: skip
            found = _product(np.radians(self.motion.values[rows.T]), axes)
            for place, joint_number in enumerate(members):
                result[joint_number] = found[place]
        return result

    def positions(self, number: int) -> FloatArray | None:
        """``(3, F)`` where the joint has position channels; they replace its OFFSET."""
        joint = self.joints[number]
        rows = {axis: joint.first + c for c, (turns, axis) in enumerate(joint.channels) if not turns}
        if not rows:
            return None
        columns = np.repeat(np.array(joint.offset)[:, None], self.count, axis=1)
        for axis, row in rows.items():
            columns[axis] = self.motion.values[row]
        return columns

    def first_pose(self) -> Transform:
        """Local transforms of the first frame, or of the rest pose without frames."""
        rest = _rest(self.joints)
        if self.count:
            for number in range(len(self.joints)):
                columns = self.positions(number)
                if columns is not None:
                    rest.translation[number] = columns[:, 0]
                if number in self.rotations:
                    rest.rotation[number] = self.rotations[number][0]
        return rest


def _product(angles: FloatArray, axes: tuple[int, ...]) -> FloatArray:
    """Quaternions ``(J, F, 4)`` of angles ``(len(axes), J, F)`` in radians, outermost first.

    The signs run on from frame to frame, so that the curves have no jumps.
    """
    half = angles * 0.5
    sine, cosine = np.sin(half), np.cos(half)
    q = np.zeros((4, *angles.shape[1:]))
    q[axes[0]], q[3] = sine[0], cosine[0]
    for axis, s, c in zip(axes[1:], sine[1:], cosine[1:], strict=True):
        i, j, k = axis, (axis + 1) % 3, (axis + 2) % 3
        qi, qj, qk, w = q[i], q[j], q[k], q[3]
        turned = np.empty_like(q)
        turned[i], turned[j] = qi * c + w * s, qj * c + qk * s
        turned[k], turned[3] = qk * c - qj * s, w * c - qi * s
        q = turned
    if q.shape[2] > 1:
        flips = np.einsum("kjf,kjf->jf", q[:, :, 1:], q[:, :, :-1]) < 0.0
        if flips.any():
            q[:, :, 1:] *= np.where(np.cumsum(flips, axis=1) % 2 == 1, -1.0, 1.0)
    return np.ascontiguousarray(q.transpose(1, 2, 0))


def _rest(joints: list[Joint]) -> Transform:
    count = len(joints)
    offsets = np.array([joint.offset for joint in joints])
    return Transform(offsets, np.tile(quat.IDENTITY, (count, 1)), np.ones((count, 3)))


def _source_frame(
    names: list[str],
    joints: list[Joint],
    frames: _Frames,
    options: BvhReadOptions,
    path: Path,
    report: ImportReport,
) -> SourceFrame:
    parents = np.array([joint.parent for joint in joints], dtype=np.int32)
    first = frames.first_pose()
    positions = to_model(Skeleton(tuple(names), parents, first), first).translation
    up = (options.up_axis or "").upper() or guess_up(names, positions)
    if up not in UP_AXES:
        raise FormatError(path, "", f"up axis: expected one of {', '.join(UP_AXES)}, got {up!r}")
    name, metres = guess_unit(height_along(positions, up))
    if options.metres_per_unit is not None:
        metres = options.metres_per_unit
        name = next((n for n, size, _ in UNITS if abs(size - metres) < 1e-9), f"{metres:g} m")
    report.unit, report.unit_guessed = name, options.metres_per_unit is None
    report.up_axis, report.up_axis_guessed = up, options.up_axis is None
    return SourceFrame(metres, UP_AXES[up])


def _skeleton(names: list[str], joints: list[Joint], source: SourceFrame) -> Skeleton:
    rest = _rest(joints)
    parents = np.array([joint.parent for joint in joints], dtype=np.int32)
    roots = np.flatnonzero(parents < 0)
    translation = rest.translation * source.metres_per_unit
    translation[roots] = quat.rotate(source.to_y_up, translation[roots])
    rest.rotation[roots] = source.to_y_up
    orders = np.zeros(len(joints), np.uint8)
    for number, joint in enumerate(joints):
        axes = joint.rotation_axes()
        if sorted(axes) == [0, 1, 2]:  # the first named is the outermost, which we write last
            orders[number] = euler.order_index("".join("XYZ"[axis] for axis in reversed(axes)))
    return Skeleton(tuple(names), parents, Transform(translation, rest.rotation, rest.scale), orders)


def _clip(
    name: str,
    rig: AssetId,
    names: list[str],
    joints: list[Joint],
    frames: _Frames,
    source: SourceFrame,
    report: ImportReport,
) -> Clip:
    times = np.arange(frames.count) * frames.motion.frame_time
    times.flags.writeable = False
    tracks: dict[Channel, Track] = {}
    for number, joint in enumerate(joints):
        bone, root = names[number], joint.parent < 0
        columns = frames.positions(number)
        if columns is not None and not _stays(columns.T, np.array(joint.offset)):
            columns = columns * source.metres_per_unit
            if root:
                columns = quat.rotate(source.to_y_up, columns.T).T
            for axis, column in enumerate(_settled(columns)):
                tracks[Channel(bone, Property.TRANSLATE, axis)] = scalar_track(
                    times, column, interpolations=Interpolation.LINEAR, modes=TangentMode.LINEAR
                )
        turned = frames.rotations.get(number)
        if turned is not None and not _stays(turned, quat.IDENTITY):
            if root and source.to_y_up[3] != 1.0:
                turned = quat.multiply(source.to_y_up, turned)
            tracks[Channel(bone, Property.ROTATE, WHOLE)] = quaternion_track(times, _settled(turned))
    length = float(times[-1])
    rate = _rate(frames.motion.frame_time, frames.count)
    report.frames, report.rate, report.duration = frames.count, rate.fps, length
    return Clip(new_id("clip"), name, rig, length, rate, tracks=tracks)


def _rate(frame_time: float, frames: int) -> FrameRate:
    """The usual rate nearest to the frame time, unless the frames drift off its grid."""
    nominal = FrameRate.of(1.0 / frame_time)
    if abs(frame_time * nominal.fps - 1.0) * frames <= DRIFT:
        return nominal
    return FrameRate(1 / Fraction(str(frame_time)))


def _stays(rows: FloatArray, rest: FloatArray) -> bool:
    """Whether a channel never leaves the rest pose, so that it needs no keys."""
    return bool((rows == rest).all())


def _settled(values: FloatArray) -> FloatArray:
    array = np.array(values, dtype=np.float64, order="C")
    array.flags.writeable = False
    return array
