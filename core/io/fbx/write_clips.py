"""Clips to FBX animation stacks."""

import json
from collections.abc import Callable, Sequence

import numpy as np

from core.arrays import FloatArray
from core.clips.bake import unrolled_degrees
from core.clips.clip import Channel, Clip, Property
from core.clips.evaluator import rest_degrees
from core.clips.sample import sample_many
from core.io.common.clip_extras import to_extras
from core.io.common.marks import EXTRAS
from core.io.common.options import Curves
from core.io.common.spans import breaks_of, fitted, is_exact
from core.io.fbx.binary import Int32, Record, properties
from core.io.fbx.document import TICKS, Document
from core.io.fbx.options import FbxWriteOptions
from core.io.fbx.write_keys import FbxKeys, own_keys, spans_to_keys
from core.io.report import ExportReport
from core.math import euler, quat
from core.rig.rig import Rig
from core.tracks.evaluate import evaluate_quaternion, evaluate_scalar
from core.tracks.keys import ScalarTrack

NAMES = ("Lcl Translation", "Lcl Rotation", "Lcl Scaling")
TAGS = ("T", "R", "S")
STILL = 1e-9
Curve = Callable[[FloatArray], FloatArray]


class ClipWriter:
    """Writes the clips of one rig.

    Parameters
    ----------
    bones : object numbers of the bones
    channels : ``mesh/target`` → object number of the morph channel
    back : rotation from our axes to the file's
    clips : all that will be written: what one of them moves gets a key in each, as Blender and others
        keep the last clip's pose where a clip says nothing
    """

    def __init__(
        self, document: Document, rig: Rig, bones: list[int], channels: dict[str, int], back: FloatArray,
        options: FbxWriteOptions, report: ExportReport, clips: Sequence[Clip],
    ) -> None:  # fmt: skip
        self.moved = {
            (channel.bone, channel.property)
            for clip in clips
            for channel in clip.tracks
            if rig.skeleton.find(channel.bone) is not None
        }
        self.document, self.rig, self.skeleton = document, rig, rig.skeleton
        self.bones, self.channels, self.back = bones, channels, back
        self.options, self.report = options, report

    def write(self, clip: Clip, title: str) -> None:
        """One stack with one layer."""
        self.clip = clip
        self.loop = clip.length if clip.looping and clip.length > 0.0 else None
        self.fitted = 0
        end = round(clip.length * TICKS)
        limits = (("LocalStart", 0), ("LocalStop", end), ("ReferenceStart", 0), ("ReferenceStop", end))
        span: list[tuple[object, ...]] = [(name, "KTime", "Time", "", time) for name, time in limits]
        span.append((EXTRAS, "KString", "", "U", json.dumps(to_extras(clip, title), separators=(",", ":"))))
        stack = self.document.add("AnimationStack", title, "AnimStack", "", properties(*span))
        self.layer = self.document.add("AnimationLayer", "BaseLayer", "AnimLayer", "")
        self.document.connect(self.layer, stack)
        driven = self._driven()
        self._resting(driven)
        degrees = self._unrolled(driven)
        wrote = False
        for bone, chosen in driven.items():
            for prop in sorted(chosen):
                keys = self._bone(bone, prop, degrees.get(bone))
                self._put(TAGS[prop], NAMES[prop], self.bones[bone], [f"d|{a}" for a in "XYZ"], keys)
                wrote = True
        for name, track in clip.morphs.items():
            if name in self.channels:
                keys = self._scalars([track], [0.0], Property.SCALE, 100.0)
                self._put("DeformPercent", "DeformPercent", self.channels[name], ["d|DeformPercent"], keys)
                wrote = True
        if not wrote:  # a stack without a curve is taken for none
            still = self.skeleton.rest.translation[0] / self.options.metres_per_unit
            still = quat.rotate(self.back, still)
            ends = np.unique([0.0, clip.length])
            keys = [FbxKeys.still(ends, float(value)) for value in still]
            self._put("T", NAMES[0], self.bones[0], [f"d|{a}" for a in "XYZ"], keys)
        self._tell()

    def _resting(self, driven: dict[int, set[Property]]) -> None:
        """One key in rest for what only other clips move."""
        for name, prop in sorted(self.moved):
            bone = self.skeleton.index(name)
            if prop in driven.get(bone, ()):
                continue
            if prop is not Property.ROTATE:
                factor = 1.0 / self.options.metres_per_unit if prop is Property.TRANSLATE else 1.0
                values = self.skeleton.rest[prop][bone] * factor
                if prop is Property.TRANSLATE and self._turned(bone):
                    values = quat.rotate(self.back, values)
            elif self._turned(bone):
                turned = quat.multiply(self.back, self.skeleton.rest.rotation[bone])
                values = euler.from_quaternion(turned, int(self.skeleton.euler_orders[bone]))
            else:
                values = np.array(rest_degrees(self.skeleton, bone))
            keys = [FbxKeys.still(np.zeros(1), float(value)) for value in values]
            self._put(TAGS[prop], NAMES[prop], self.bones[bone], [f"d|{a}" for a in "XYZ"], keys)

    def _driven(self) -> dict[int, set[Property]]:
        driven: dict[int, set[Property]] = {}
        for channel in self.clip.tracks:
            bone = self.skeleton.find(channel.bone)
            if bone is None:
                self.report.leave_out(
                    f"clip {self.clip.name!r}: tracks of {channel.bone!r}, which is no bone"
                )
            else:
                driven.setdefault(bone, set()).add(channel.property)
        return dict(sorted(driven.items()))

    def _turned(self, bone: int) -> bool:
        return self.skeleton.parent(bone) < 0 and abs(float(self.back[3])) < 1.0

    # ------------------------------------------------------------ curves

    def _unrolled(self, driven: dict[int, set[Property]]) -> dict[int, tuple[FloatArray, FloatArray]]:
        """For bones whose rotation is not made of Euler curves: times, and angles there without jumps."""
        bones = [b for b, chosen in driven.items() if Property.ROTATE in chosen and not self._is_euler(b)]
        if not bones:
            return {}
        breaks = self._breaks(list(self.clip.tracks.values()))
        times = np.unique(np.concatenate((breaks, 0.5 * (breaks[1:] + breaks[:-1]))))
        local = sample_many(self.rig, self.clip, times, wrap=False).local.rotation
        rotations = np.array(local)
        for root in self.skeleton.roots():
            rotations[:, root] = quat.multiply(self.back, rotations[:, root])
        table = unrolled_degrees(self.skeleton, rotations, bones)
        return {bone: (times, table[:, place]) for place, bone in enumerate(bones)}

    def _is_euler(self, bone: int) -> bool:
        return self.clip.rotation(self.skeleton.names[bone]) is None and not self._turned(bone)

    def _breaks(self, tracks: Sequence[object]) -> FloatArray:
        """Key times; and all frames, where a key on each is wanted."""
        clip = self.clip
        breaks = breaks_of([t for t in tracks if t is not None], clip.length)  # type: ignore[misc]
        if self.options.curves is Curves.FRAMES and clip.length > 0.0:
            frames = np.arange(1, int(np.ceil(clip.length * clip.rate.fps - 1e-6))) / clip.rate.fps
            near = np.searchsorted(breaks, frames)
            gap = np.minimum(
                np.abs(breaks[np.minimum(near, len(breaks) - 1)] - frames), np.abs(breaks[near - 1] - frames)
            )
            breaks = np.sort(np.concatenate((breaks, frames[gap > 1e-4])))
        return breaks

    def _bone(
        self, bone: int, prop: Property, reference: tuple[FloatArray, FloatArray] | None
    ) -> list[FbxKeys]:
        name = self.skeleton.names[bone]
        tracks = [self.clip.scalar(Channel(name, prop, axis)) for axis in range(3)]
        if prop is Property.ROTATE:
            if reference is None:
                return self._scalars(tracks, rest_degrees(self.skeleton, bone).tolist(), prop, 1.0)
            return self._fitted(self._angles(bone, reference), self._breaks(self._rotation_tracks(name)))
        rest = self.skeleton.rest[prop][bone].tolist()
        factor = 1.0 / self.options.metres_per_unit if prop is Property.TRANSLATE else 1.0
        if prop is Property.TRANSLATE and self._turned(bone):
            plain = self._curve(tracks, rest, factor)
            return self._fitted(lambda times: quat.rotate(self.back, plain(times)), self._breaks(tracks))
        return self._scalars(tracks, rest, prop, factor)

    def _rotation_tracks(self, name: str) -> list[object]:
        axes = [self.clip.scalar(Channel(name, Property.ROTATE, axis)) for axis in range(3)]
        return [self.clip.rotation(name), *axes]

    def _curve(self, tracks: Sequence[ScalarTrack | None], rest: Sequence[float], factor: float) -> Curve:
        def curve(times: FloatArray) -> FloatArray:
            columns = [
                np.full(len(times), value) if track is None else evaluate_scalar(track, times, self.loop)
                for track, value in zip(tracks, rest, strict=True)
            ]
            return np.stack(columns, axis=1) * factor

        return curve

    def _angles(self, bone: int, reference: tuple[FloatArray, FloatArray]) -> Curve:
        name, order = self.skeleton.names[bone], int(self.skeleton.euler_orders[bone])
        whole = self.clip.rotation(name)
        tracks = [self.clip.scalar(Channel(name, Property.ROTATE, axis)) for axis in range(3)]
        own = self._curve(tracks, rest_degrees(self.skeleton, bone).tolist(), 1.0)
        at, near = reference

        def curve(times: FloatArray) -> FloatArray:
            if whole is not None:
                q = evaluate_quaternion(whole, times, self.loop)
            else:
                q = euler.to_quaternion(own(times), order)
            if self._turned(bone):
                q = quat.multiply(self.back, q)
            close = np.stack([np.interp(times, at, near[:, axis]) for axis in range(3)], axis=1)
            return euler.nearest(q, order, close)

        return curve

    def _scalars(
        self, tracks: Sequence[ScalarTrack | None], rest: Sequence[float], prop: Property, factor: float
    ) -> list[FbxKeys]:
        if self.options.curves is Curves.KEYS:
            found = []
            for track, value in zip(tracks, rest, strict=True):
                if track is None:
                    found.append(FbxKeys.still(np.zeros(1), value * factor))
                elif is_exact(track, self.clip.length, self.loop) or self._whole(track):
                    found.append(own_keys(track, factor))
                else:
                    one = self._curve([track], [value], factor)
                    found += self._fitted(one, breaks_of([track], self.clip.length))
            return found
        return self._fitted(self._curve(tracks, rest, factor), self._breaks(tracks))

    def _whole(self, track: ScalarTrack) -> bool:
        """Whether the keys alone make the curve from 0 to the end: FBX has weighted tangents, too."""
        if max(float(track.in_weights.max()), float(track.out_weights.max())) > 1.0:  # FBX has none so long
            return False
        reaches = track.times[0] <= 1e-6 and track.times[-1] >= self.clip.length - 1e-6
        return bool(reaches and track.times[0] >= -1e-6 and track.times[-1] <= self.clip.length + 1e-6)

    def _fitted(self, curve: Curve, breaks: FloatArray) -> list[FbxKeys]:
        if len(breaks) < 2:  # a clip of no length is a pose
            return [FbxKeys.still(breaks, float(value)) for value in curve(breaks)[0]]
        self.fitted += 1
        spans = fitted(curve, breaks, self.options.tolerance)
        return spans_to_keys(spans)

    # ------------------------------------------------------------ records

    def _put(self, tag: str, prop: str, target: int, labels: list[str], keys: Sequence[FbxKeys]) -> None:
        document = self.document
        defaults = [
            (label, "Number", "", "A", float(k.values[0])) for label, k in zip(labels, keys, strict=True)
        ]
        node = document.add("AnimationCurveNode", tag, "AnimCurveNode", "", properties(*defaults))
        document.connect(node, self.layer)
        document.connect(node, target, prop)
        for label, k in zip(labels, keys, strict=True):
            flags, data, counts = k.attributes()
            curve = document.add(
                "AnimationCurve", "", "AnimCurve", "", Record("Default", float(k.values[0])),
                Record("KeyVer", Int32(4009)), Record("KeyTime", k.ticks()),
                Record("KeyValueFloat", k.values.astype(np.float32)), Record("KeyAttrFlags", flags),
                Record("KeyAttrDataFloat", data), Record("KeyAttrRefCount", counts),
            )  # fmt: skip
            document.connect(curve, node, label)

    def _tell(self) -> None:
        clip = self.clip
        if self.options.curves is Curves.KEYS and self.fitted:
            self.report.sampled.append(
                f"clip {clip.name!r}: {self.fitted} channels with curves FBX does not have"
            )
        elif self.options.curves is Curves.FRAMES:
            self.report.sampled.append(
                f"clip {clip.name!r}: a key on every frame at {clip.rate.fps:g} a second"
            )
        if clip.additive:
            self.report.leave_out("additive settings of clips")
