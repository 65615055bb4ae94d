"""Animations to clips: every sampler becomes the tracks that evaluate as it does."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import WHOLE, Channel, Clip, Property
from core.errors import ValidationError
from core.ids import AssetId, new_id
from core.io.common.clip_extras import with_extras
from core.io.common.naming import unique_names
from core.io.common.rates import guess_rate
from core.io.gltf.accessors import Accessors
from core.io.gltf.nodes import Nodes
from core.io.report import ImportReport
from core.json_values import Value
from core.progress import Progress
from core.timing import TIME_EPSILON
from core.tracks.keys import (
    Interpolation,
    QuaternionTrack,
    ScalarTrack,
    TangentMode,
    quaternion_track,
    scalar_track,
)

KINDS = {
    "STEP": (Interpolation.CONSTANT, TangentMode.STEPPED),
    "LINEAR": (Interpolation.LINEAR, TangentMode.LINEAR),
    "CUBICSPLINE": (Interpolation.CUBIC, TangentMode.FREE),
}
PATHS = {
    "translation": (Property.TRANSLATE, "VEC3"),
    "rotation": (Property.ROTATE, "VEC4"),
    "scale": (Property.SCALE, "VEC3"),
}


@dataclass(slots=True)
class _Keys:
    """A sampler's keys, and tangents where it is cubic."""

    times: FloatArray
    values: FloatArray
    kind: str
    ins: FloatArray | None = None
    outs: FloatArray | None = None


@dataclass(slots=True)
class ClipReader:
    """Reads the animations of one file.

    Parameters
    ----------
    morphs : node → morph channel names (``mesh/target``) that its weights drive
    """

    accessors: Accessors
    nodes: Nodes
    rig: AssetId
    morphs: dict[int, list[str]]
    report: ImportReport
    _times: dict[int, FloatArray] = field(default_factory=dict)

    def read(self, root: Value, progress: Progress) -> list[Clip]:
        """Every animation that moves something."""
        animations = root.objects("animations")
        given = [a.text("name", "").strip() for a in animations]
        wanted = [name or f"animation_{number}" for number, name in enumerate(given)]
        clips = []
        for number, (animation, name) in enumerate(zip(animations, unique_names(wanted), strict=True)):
            progress.report(number / len(animations), f"reading clip {name}")
            clip = self._clip(animation, name)
            if clip is not None:
                clips.append(clip)
        return clips

    def _clip(self, animation: Value, name: str) -> Clip | None:
        samplers = animation.objects("samplers")
        tracks: dict[Any, Any] = {}
        morphs: dict[Any, Any] = {}
        for channel in animation.objects("channels"):
            target = channel.object("target")
            node = target.reference("node", len(self.nodes.values))
            path = target.text("path", "")
            if node is None or (path not in PATHS and path != "weights"):
                self.report.leave_out(f"channels of clip {name!r} that drive {path or 'nothing'!r}")
                continue
            if path != "weights" and node not in self.nodes.bones:
                continue  # a camera's
            sampler = samplers[channel.integer("sampler", below=len(samplers))]
            found: dict[Any, Any] = (
                self._weights(sampler, node) if path == "weights" else self._bone(sampler, node, path)
            )
            known = tracks if path != "weights" else morphs
            if any(key in known for key in found):
                self.report.warn(f"clip {name!r} drives the {path} of node {node} twice; the first counts")
                continue
            known.update(found)
        if not tracks and not morphs:
            if not animation.objects("channels") or not self._of_camera(animation):
                self.report.leave_out(f"clip {name!r}: it moves nothing")
            return None
        try:
            return self._made(animation, name, tracks, morphs)
        except ValidationError as error:
            raise animation.error(str(error)) from error

    def _of_camera(self, animation: Value) -> bool:
        """Whether it moves cameras alone."""
        nodes = [c.object("target").data.get("node") for c in animation.objects("channels")]
        known = range(len(self.nodes.values))
        return all(isinstance(n, int) and n in known and self.nodes.values[n].has("camera") for n in nodes)

    def _made(
        self, animation: Value, name: str, tracks: dict[Channel, Any], morphs: dict[str, ScalarTrack]
    ) -> Clip:
        columns = {id(t.times): t.times for t in (*tracks.values(), *morphs.values())}
        length = max(float(times[-1]) for times in columns.values())
        if length < 0.0:
            raise animation.error(f"its last key stands at {length} s, before the clip's start")
        rate = guess_rate(list(columns.values()))
        extras = animation.object("extras").data.get("posewright")
        if not isinstance(extras, dict):
            self.report.rate_guessed = True
        clip = Clip(new_id("clip"), name, self.rig, length, rate, tracks=tracks, morphs=morphs)
        return with_extras(clip, extras, self.report)

    def _bone(self, sampler: Value, node: int, path: str) -> dict[Channel, Any]:
        prop, kind = PATHS[path]
        keys = self._keys(sampler, kind, 1)
        bone = self.nodes.bones[node]
        try:
            if prop is Property.ROTATE:
                return {Channel(bone, prop, WHOLE): self._quaternions(sampler, keys)}
            return {Channel(bone, prop, axis): t for axis, t in enumerate(_scalars(keys))}
        except ValidationError as error:
            raise sampler.error(str(error)) from error

    def _weights(self, sampler: Value, node: int) -> dict[str, ScalarTrack]:
        names = self.morphs.get(node, [])
        targets = self.nodes.values[node].data.get("mesh")
        if not names or targets is None:
            self.report.leave_out(f"morph weights of node {node}, which has no morph targets")
            return {}
        # Several meshes at one node would repeat the list; each drives the same weights.
        try:
            return dict(zip(names, _scalars(self._keys(sampler, "SCALAR", len(names))), strict=True))
        except ValidationError as error:
            raise sampler.error(str(error)) from error

    def _keys(self, sampler: Value, kind: str, per_key: int) -> _Keys:
        name = sampler.text("interpolation", "LINEAR")
        if name not in KINDS:
            raise sampler.error(f"expected STEP, LINEAR or CUBICSPLINE, got {name!r}"[:100], "interpolation")
        count = len(self.accessors.all)
        times = self._key_times(sampler, sampler.integer("input", below=count))
        output = sampler.integer("output", below=count)
        values = self.accessors.read(output, (kind,))
        rows = 3 if name == "CUBICSPLINE" else 1
        if len(values) != len(times) * rows * per_key:
            raise sampler.error(
                f"expected {len(times)} keys × {rows * per_key} values, got {len(values)}", "output"
            )
        shaped = values.reshape(len(times), rows, -1)
        if rows == 1:
            return _Keys(times, shaped[:, 0], name)
        return _Keys(times, shaped[:, 1], name, shaped[:, 0], shaped[:, 2])

    def _key_times(self, sampler: Value, accessor: int) -> FloatArray:
        if accessor not in self._times:
            times = np.array(self.accessors.read(accessor, ("SCALAR",))[:, 0])
            gaps = np.diff(times)
            if len(gaps) and float(gaps.min()) < 0.0:
                place = int(np.argmin(gaps))
                raise sampler.error(
                    f"key times must rise: {times[place]:g} is followed by {times[place + 1]:g}", "input"
                )
            if len(gaps) and float(gaps.min()) < TIME_EPSILON:
                # Two keys at one time are a jump; keep both, apart by the least that counts.
                step = np.arange(len(times)) * TIME_EPSILON
                times = np.maximum.accumulate(times - step) + step
                self.report.warn("keys at the same time were moved apart by 0.01 ms")
            times.flags.writeable = False
            self._times[accessor] = times
        return self._times[accessor]

    def _quaternions(self, sampler: Value, keys: _Keys) -> QuaternionTrack:
        length = np.linalg.norm(keys.values, axis=1)
        if not (float(length.min()) > 1e-6 and float(length.max()) < 1e6):
            place = int(np.argmin(length))
            raise sampler.error(f"key {place} is a quaternion of length {length[place]:g}", "output")
        if np.abs(length - 1.0).max() > 1e-3:
            self.report.warn("rotation keys that were not of unit length were normalised")
        values = _settled(keys.values / length[:, None])
        ins = None if keys.ins is None else _settled(keys.ins)
        outs = None if keys.outs is None else _settled(keys.outs)
        return quaternion_track(keys.times, values, ins, outs, KINDS[keys.kind][0])


def _settled(values: FloatArray) -> FloatArray:
    """A contiguous read-only copy that tracks can hold without copying again."""
    array = np.array(values, dtype=np.float64, order="C")
    array.flags.writeable = False
    return array


def _scalars(keys: _Keys) -> list[ScalarTrack]:
    """One track for each column of the values."""
    kind, mode = KINDS[keys.kind]
    columns = _settled(keys.values.T)
    if keys.ins is None or keys.outs is None:
        return [scalar_track(keys.times, row, interpolations=kind, modes=mode) for row in columns]
    ins, outs = np.array(keys.ins.T), np.array(keys.outs.T)
    # Nothing arrives at the first key or leaves the last: many writers have zeros there, which break no tangent.
    ins[:, 0] = np.where(ins[:, 0] == 0.0, outs[:, 0], ins[:, 0])
    outs[:, -1] = np.where(outs[:, -1] == 0.0, ins[:, -1], outs[:, -1])
    modes = np.where(ins == outs, TangentMode.FREE, TangentMode.BROKEN).astype(np.uint8)
    return [
        scalar_track(keys.times, row, left, right, kind, mode)
        for row, left, right, mode in zip(columns, _settled(ins), _settled(outs), modes, strict=True)
    ]
