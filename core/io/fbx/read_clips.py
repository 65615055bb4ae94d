"""FBX animation stacks to clips."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import WHOLE, Channel, Clip, Property
from core.ids import AssetId, new_id
from core.io.common.clip_extras import parsed, with_extras
from core.io.common.helper.meshes import MeshReader
from core.io.common.helper.packet import Packet
from core.io.common.helper.scene import Scene
from core.io.common.naming import unique_names
from core.io.fbx.curves import within
from core.io.fbx.key_table import Curve, key_table
from core.io.report import ImportReport
from core.math import euler, quat
from core.progress import Progress
from core.timing import TIME_EPSILON, FrameRate
from core.tracks.evaluate import evaluate_scalar
from core.tracks.keys import Interpolation, ScalarTrack, TangentMode, Track, quaternion_track, scalar_track
from core.tracks.setting import scaled_values
from core.tracks.splits import settled

NEAR_TURN = 2e-4
"""Radians that slerp between two samples of a turned root may be off."""
ROUNDS = 6
PER_CENT = 0.01
Known = dict[tuple[tuple[Any, ...], float], tuple[ScalarTrack, int]]
"""By where its keys are and what they are multiplied by: a track, and how many keys are not in it."""
MOST_TOLD = 20
"""How many animated things that are not imported the report names."""


@dataclass(slots=True)
class ClipReader:
    """Reads the stacks of one file.

    Parameters
    ----------
    meshes : know which morph tracks a morph channel drives
    """

    packet: Packet
    scene: Scene
    rig: AssetId
    meshes: MeshReader
    report: ImportReport
    cut: int = 0
    sampled: dict[str, list[str]] = field(default_factory=dict)

    def read(self, progress: Progress) -> list[Clip]:
        """One clip a stack."""
        told = self.packet.told["clips"]
        names = unique_names([clip["name"].strip() or f"clip_{n}" for n, clip in enumerate(told)])
        clips = []
        for number, (clip, name) in enumerate(zip(told, names, strict=True)):
            progress.report(number / len(told), f"reading clip {name}")
            clips.append(self._clip(clip, name))
        return clips

    def _clip(self, told: dict[str, Any], name: str) -> Clip:
        self.cut, self.sampled = 0, {}
        begin, length = float(told["begin"]), float(told["end"]) - float(told["begin"])
        rows, samples = self.packet.array(told["rows"]), self.packet.array(told["samples"])
        tracks: dict[Channel, Track] = {}
        keyed = 0
        known = self._all_keys(told, rows, begin, length)
        metres = self.scene.source.metres_per_unit
        for part in told["parts"]:
            bone = self.scene.bones.get(part["node"])
            if bone is None:
                continue
            prop = Property(part["part"])
            if "axes" in part:
                factor = metres if prop is Property.TRANSLATE else 1.0
                found = [self._keys(known, axis, factor) for axis in part["axes"]]
                keyed += len(found)
                tracks |= self._placed(bone, prop, found, length)
            else:
                self.sampled.setdefault(part["why"], []).append(bone)
                start, count = part["samples"]
                tracks |= self._samples(bone, prop, samples[start : start + count], begin)
        morphs = self._morphs(told, known, samples, begin)
        self._tell(name, told, keyed)
        rate = float(self.packet.told["rate"])
        clip = Clip(
            new_id("clip"), name, self.rig, length, FrameRate.of(rate if 0.01 < rate < 10000 else 30.0),
            tracks=tracks, morphs=morphs,
        )  # fmt: skip
        return with_extras(clip, parsed(told["extras"]), self.report)

    def _all_keys(self, told: dict[str, Any], rows: FloatArray, begin: float, length: float) -> Known:
        """Every curve that the clip's parts and morphs name, made at once, and how many keys were cut off."""
        metres = self.scene.source.metres_per_unit
        named = [
            (tuple(axis), metres if part["part"] == Property.TRANSLATE else 1.0)
            for part in told["parts"]
            if "axes" in part and part["node"] in self.scene.bones
            for axis in part["axes"]
        ]
        named += [(tuple(morph["axis"]), PER_CENT) for morph in told["morphs"] if "axis" in morph]
        if not named:
            return {}
        curves = [
            Curve(rows[start : start + count], (before, after), add, factor)
            for (start, count, before, after, add), factor in named
        ]
        table = key_table(curves, begin)
        times, first = table.columns["times"], table.bounds[:-1]
        low, high = np.minimum.reduceat(times, first), np.maximum.reduceat(times, first)
        outside = (low < -TIME_EPSILON) | (high > length + TIME_EPSILON)
        return {
            name: within(track, length) if out else (track, 0)
            for name, track, out in zip(named, table.tracks(), outside.tolist(), strict=True)
        }

    def _keys(self, known: Known, axis: list[Any], factor: float) -> ScalarTrack:
        track, cut = known[tuple(axis), factor]
        self.cut += cut if axis[1] > 1 else 0
        return track

    def _placed(
        self, bone: str, prop: Property, found: list[ScalarTrack], length: float
    ) -> dict[Channel, Track]:
        """Tracks in our units and, for roots, in our axes."""
        source = self.scene.source
        turned = self.scene.skeleton.parent(self.scene.skeleton.index(bone)) < 0
        turned = turned and abs(float(source.to_y_up[3])) < 1.0 - 1e-12
        if prop is Property.TRANSLATE:
            if turned:
                matrix = np.round(quat.to_matrix(source.to_y_up))
                axes = [int(np.argmax(np.abs(row))) for row in matrix]
                found = [
                    scaled_values(found[axis], float(matrix[row, axis])) for row, axis in enumerate(axes)
                ]
        elif prop is Property.ROTATE and turned:
            self.sampled.setdefault("the file's axes", []).append(bone)
            return self._turned(bone, found, length)
        return {Channel(bone, prop, axis): track for axis, track in enumerate(found)}

    def _turned(self, bone: str, found: list[ScalarTrack], length: float) -> dict[Channel, Track]:
        """A root's Euler curves below the turn from the file's axes to ours: samples, within the tolerance."""
        order = int(self.scene.skeleton.euler_orders[self.scene.skeleton.index(bone)])

        def curve(times: FloatArray) -> FloatArray:
            angles = np.stack([evaluate_scalar(track, times) for track in found], axis=1)
            return quat.multiply(self.scene.source.to_y_up, euler.to_quaternion(angles, order))

        keys = np.clip(np.concatenate([track.times for track in found]), 0.0, length)
        frames = np.arange(0.0, length, 1.0 / float(self.packet.told["rate"] or 30.0))
        times = np.unique(np.concatenate(([0.0, length], keys, frames)))
        times = times[np.concatenate(([True], np.diff(times) > 2e-5))]
        for _ in range(ROUNDS):
            values, middle = curve(times), 0.5 * (times[1:] + times[:-1])
            between = quat.slerp(values[:-1], values[1:], np.full(len(middle), 0.5))
            bad = (quat.angle_between(between, curve(middle)) > NEAR_TURN) & (np.diff(times) > 1e-3)
            if not bad.any():
                break
            times = np.sort(np.concatenate((times, middle[bad])))
        track = quaternion_track(settled(times), settled(quat.continuous(curve(times))))
        return {Channel(bone, Property.ROTATE, WHOLE): track}

    def _samples(self, bone: str, prop: Property, table: FloatArray, begin: float) -> dict[Channel, Track]:
        times = settled(np.maximum(table[:, 0] - begin, 0.0))
        source = self.scene.source
        root = self.scene.skeleton.parent(self.scene.skeleton.index(bone)) < 0
        if prop is Property.ROTATE:
            values = quat.continuous(quat.normalise(table[:, 1:5]))
            if root:
                values = quat.multiply(source.to_y_up, values)
            return {Channel(bone, prop, WHOLE): quaternion_track(times, settled(values))}
        values = table[:, 1:4]
        if prop is Property.TRANSLATE:
            values = values * source.metres_per_unit
            if root:
                values = quat.rotate(source.to_y_up, values)
        return {Channel(bone, prop, axis): _linear(times, values[:, axis]) for axis in range(3)}

    def _morphs(
        self, told: dict[str, Any], known: Known, samples: FloatArray, begin: float
    ) -> dict[str, ScalarTrack]:
        found: dict[str, ScalarTrack] = {}
        for morph in told["morphs"]:
            if "axis" in morph:
                track = self._keys(known, morph["axis"], PER_CENT)
            elif "samples" in morph:
                start, count = morph["samples"]
                table = samples[start : start + count]
                track = _linear(settled(np.maximum(table[:, 0] - begin, 0.0)), table[:, 1])
            else:
                continue
            for name in self.meshes.channels.get(morph["channel"], ()):
                found[name] = self.meshes.track(name, track)
        return found

    def _tell(self, name: str, told: dict[str, Any], keyed: int) -> None:
        bones = {bone for group in self.sampled.values() for bone in group}
        if bones:
            reasons = "; ".join(
                f"{why}: {', '.join(sorted(set(group))[:4])}" + (" …" if len(set(group)) > 4 else "")
                for why, group in self.sampled.items()
            )
            self.report.warn(
                f"clip {name!r}: {keyed} curves came in with their own keys; "
                f"{len(bones)} bones were sampled ({reasons})"
            )
        elif keyed:
            self.report.warn(f"clip {name!r}: all {keyed} curves came in with their own keys")
        if told["layers"] > 1:
            self.report.warn(f"clip {name!r}: its {told['layers']} layers were put together")
        if self.cut:
            self.report.leave_out(f"clip {name!r}: {self.cut} keys outside of the take ({told['end']:g} s)")
        if told["others"]:
            more = len(told["others"]) - MOST_TOLD
            self.report.leave_out(
                f"clip {name!r}: motion of {', '.join(told['others'][:MOST_TOLD])}"
                + (f" and {more} more" if more > 0 else "")
            )


def _linear(times: FloatArray, values: FloatArray) -> ScalarTrack:
    return scalar_track(
        times, settled(np.array(values)), interpolations=Interpolation.LINEAR, modes=TangentMode.LINEAR
    )
