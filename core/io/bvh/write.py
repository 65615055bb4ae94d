"""Writing BVH: one clip, sampled on every frame."""

from pathlib import Path

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Clip, Property
from core.clips.sample import sample_many
from core.errors import ValidationError
from core.io.bvh.hierarchy import END_SUFFIX
from core.io.bvh.options import BvhWriteOptions
from core.io.common.atomic import write_atomic
from core.io.common.decimals import rows_of
from core.io.common.naming import unique_names
from core.io.common.units_and_axes import UP_AXES
from core.io.prepare.selection import chosen_rig
from core.io.report import ExportReport
from core.math import euler, quat
from core.math.transform import Transform, from_matrix
from core.pose.kinematics import model_matrices
from core.progress import Progress
from core.project.project import Project
from core.rig.rig import Rig
from core.timing import FrameRate

MOST_FRAMES = 2_000_000
ROUNDING = 5e-6
"""Seconds between a frame and a key that are one."""
GRID = 0.05
"""A length this near to whole frames, in frames, is taken for whole."""


def write(project: Project, path: Path, options: BvhWriteOptions, progress: Progress) -> ExportReport:
    """Write a rig and one of its clips (the rest pose where there is none).

    Angles are in each bone's own Euler order; bones whose position is animated get six channels,
    the others three. Bones that end a chain, were called after an End Site and carry no motion
    become End Sites again.

    Raises
    ------
    ValidationError
        The project holds no rig.
    """
    report = ExportReport("Biovision hierarchy")
    rig, clip = _chosen(project, options, report)
    for what, there in (
        ("curves", clip.curves), ("morph weights", clip.morphs), ("notifies", clip.notifies),
        ("markers", clip.markers or clip.sync_markers), ("additive settings", clip.additive),
    ):  # fmt: skip
        if there:
            report.leave_out(f"{what} of clips")
    rate = clip.rate if options.rate is None else FrameRate.of(options.rate)
    times, frame_time = _frames(clip, rate, report)
    local = sample_many(rig, clip, _on_keys(clip, np.minimum(times, clip.length)), wrap=False).local
    local = _unscaled(rig, local)
    progress.report(0.5, "writing frames")
    metres = options.metres_per_unit or rig.source.metres_per_unit
    back = quat.conjugate(rig.source.to_y_up if options.up_axis is None else UP_AXES[options.up_axis])
    rest = _unscaled(rig, Transform(*(part[None] for part in rig.skeleton.rest)))
    local, rest = (_in_file_units(rig, part, metres, back) for part in (local, rest))
    writer = _Writer(rig, clip, local, rest.translation[0], report)
    head = f"{writer.hierarchy()}MOTION\nFrames: {len(times)}\nFrame Time: {frame_time:.9g}\n"
    write_atomic(path, head.encode("utf-8", "replace") + writer.motion())
    return report


def _frames(clip: Clip, rate: FrameRate, report: ExportReport) -> tuple[FloatArray, float]:
    """Times of the rows, and the seconds between them."""
    count = max(0, round(clip.length * rate.fps))
    if count > MOST_FRAMES:
        raise ValidationError(f"clip {clip.name!r}: {count} frames are too many for a BVH file")
    off = abs(clip.length * rate.fps - count)
    if count and off <= GRID:  # frames that drift a little off the nominal rate stay where they are
        return np.linspace(0.0, clip.length, count + 1), clip.length / count
    times = np.array([rate.to_seconds(i) for i in range(count + 1)])
    if off > GRID:
        report.warnings.append(
            f"the clip's {clip.length:g} s are no whole frames at {rate.fps:g} a second; "
            f"the file holds {times[-1]:g} s"
        )
    return times, rate.frame


def _on_keys(clip: Clip, times: FloatArray) -> FloatArray:
    """Times moved to a key that differs by rounding alone, so that steps are complete."""
    columns = {id(track.times): track.times for track in clip.every_track()}
    if not columns:
        return times
    keys = np.unique(np.concatenate(list(columns.values())))
    after = np.clip(np.searchsorted(keys, times), 0, len(keys) - 1)
    before = np.maximum(after - 1, 0)
    nearest = np.where(np.abs(keys[after] - times) <= np.abs(keys[before] - times), keys[after], keys[before])
    return np.where(np.abs(nearest - times) < ROUNDING, np.clip(nearest, 0.0, clip.length), times)


def _chosen(project: Project, options: BvhWriteOptions, report: ExportReport) -> tuple[Rig, Clip]:
    if options.clip is not None:
        clip = project.get(Clip, options.clip)
        return project.get(Rig, options.rig or clip.rig), clip
    rig = chosen_rig(project, options.rig)
    clips = project.clips_of(rig.id)
    for another in project.rigs:
        if another is not rig:
            report.leave_out(f"rig {another.name!r}: a BVH file holds one")
    for other in clips[1:]:
        report.leave_out(f"clip {other.name!r}: a BVH file holds one")
    if project.meshes_of(rig.id):
        report.leave_out("meshes")
    return rig, clips[0] if clips else Clip(rig.id, "rest", rig.id, 0.0)


def _unscaled(rig: Rig, local: Transform) -> Transform:
    """Local transforms ``(T, B, k)`` without scale that put every bone where the scaled ones do."""
    if (
        np.abs(local.scale - 1.0).max(initial=0.0) <= 1e-6
        and np.abs(rig.skeleton.rest.scale - 1.0).max() <= 1e-6
    ):
        return local
    model = from_matrix(model_matrices(rig.skeleton, local))
    parents = rig.skeleton.parents
    inner = np.flatnonzero(parents >= 0)
    translation, rotation = np.array(model.translation), np.array(model.rotation)
    back = quat.conjugate(model.rotation[:, parents[inner]])
    away = model.translation[:, inner] - model.translation[:, parents[inner]]
    translation[:, inner] = quat.rotate(back, away)
    rotation[:, inner] = quat.multiply(back, model.rotation[:, inner])
    return Transform(translation, rotation, np.ones_like(translation))


def _in_file_units(rig: Rig, local: Transform, metres: float, back: FloatArray) -> Transform:
    """Local transforms in the file's unit and axes; `back` turns ours to them."""
    roots = np.flatnonzero(rig.skeleton.parents < 0)
    translation, rotation = local.translation / metres, np.array(local.rotation)
    translation[:, roots] = quat.rotate(back, translation[:, roots])
    rotation[:, roots] = quat.multiply(back, rotation[:, roots])
    return Transform(translation, rotation, local.scale)


class _Writer:
    """Text of a rig and a clip; `local` and `offsets` are in the file's unit and axes."""

    def __init__(
        self, rig: Rig, clip: Clip, local: Transform, offsets: FloatArray, report: ExportReport
    ) -> None:
        self.skeleton = rig.skeleton
        self.local, self.offsets = local, offsets
        count = len(self.skeleton)
        self.children: list[list[int]] = [[] for _ in range(count)]
        for bone, parent in enumerate(self.skeleton.parents):
            if parent >= 0:
                self.children[int(parent)].append(bone)
        moving = {clip_channel.bone for clip_channel in clip.tracks}
        self.end_sites = {b for b in range(count) if self._is_end_site(b, moving)}
        moved = {c.bone for c in clip.tracks if c.property is Property.TRANSLATE}
        self.six = {
            b
            for b in range(count)
            if b not in self.end_sites and (self.skeleton.parents[b] < 0 or self.skeleton.names[b] in moved)
        }
        scaled = max(
            (
                float(np.abs(t.values - 1.0).max())
                for c, t in clip.tracks.items()
                if c.property is Property.SCALE
            ),
            default=0.0,
        )
        if max(scaled, float(np.abs(self.skeleton.rest.scale - 1.0).max())) > 1e-6:
            report.leave_out("scale")
            report.warnings.append("bones stand where scale put them; their own sizes are lost")
            drift = np.abs(local.translation - self.offsets).max(axis=(0, 2), initial=0.0)
            size = max(float(np.abs(self.offsets).max()), 1e-9)
            self.six |= {int(b) for b in np.flatnonzero(drift > 1e-7 * size) if b not in self.end_sites}
        wanted = ["_".join(name.split()).replace("{", "(").replace("}", ")") for name in self.skeleton.names]
        self.names = unique_names(wanted)
        for old, new in zip(self.skeleton.names, self.names, strict=True):
            if old != new:
                report.warnings.append(f"bone {old!r} is called {new!r} in the file")
        self.order: list[int] = []

    def _is_end_site(self, bone: int, moving: set[str]) -> bool:
        """A chain's end as the reader makes it: named after its parent, unturned, without motion."""
        parent = self.skeleton.parent(bone)
        if parent < 0 or self.children[bone] or len(self.children[parent]) != 1:
            return False
        name = self.skeleton.names[bone]
        unturned = abs(float(self.skeleton.rest.rotation[bone, 3])) == 1.0
        return name == self.skeleton.names[parent] + END_SUFFIX and unturned and name not in moving

    def hierarchy(self) -> str:
        """The HIERARCHY part; notes the order in which columns follow."""
        lines = ["HIERARCHY"]
        # (bone, depth) opens one, (−1, depth) closes it: no recursion, chains may be long.
        stack = [(root, 0) for root in reversed(self.skeleton.roots())]
        while stack:
            bone, depth = stack.pop()
            tab = "\t" * depth
            if bone < 0:
                lines.append(tab + "}")
                continue
            end = bone in self.end_sites
            word = "End Site" if end else ("JOINT " if depth else "ROOT ") + self.names[bone]
            x, y, z = self.offsets[bone]
            lines += [tab + word, tab + "{", f"{tab}\tOFFSET {x:.6f} {y:.6f} {z:.6f}"]
            stack.append((-1, depth))
            if end:
                continue
            self.order.append(bone)
            lines.append(f"{tab}\tCHANNELS {self._channels(bone)}")
            if not self.children[bone]:
                lines += [f"{tab}\tEnd Site", f"{tab}\t{{", f"{tab}\t\tOFFSET 0.000000 0.000000 0.000000"]
                lines.append(f"{tab}\t}}")
            stack += [(child, depth + 1) for child in reversed(self.children[bone])]
        return "\n".join(lines) + "\n"

    def _channels(self, bone: int) -> str:
        order = euler.ORDERS[int(self.skeleton.euler_orders[bone])]
        turns = " ".join(f"{letter}rotation" for letter in reversed(order))
        return f"6 Xposition Yposition Zposition {turns}" if bone in self.six else f"3 {turns}"

    def motion(self) -> bytes:
        """The rows of numbers."""
        columns: list[FloatArray] = []
        for bone in self.order:
            order = int(self.skeleton.euler_orders[bone])
            if bone in self.six:
                columns += list(self.local.translation[:, bone].T)
            degrees = _continuous(euler.from_quaternion(self.local.rotation[:, bone], order), order)
            columns += [degrees[:, axis] for axis in reversed(euler.SEQUENCE[order])]
        return rows_of(np.stack(columns, axis=1))


def _continuous(degrees: FloatArray, order: int) -> FloatArray:
    """Angles ``(F, 3)`` without needless jumps of a whole turn from frame to frame."""
    return np.asarray(np.unwrap(degrees, period=360.0, axis=0)) if len(degrees) else degrees
