"""Clips to glTF animations."""

from typing import Any

import numpy as np

from core.clips.clip import Channel, Clip, Property
from core.clips.evaluator import rest_degrees
from core.io.common.clip_extras import to_extras
from core.io.common.rotations import euler_keys, quaternion_keys
from core.io.common.spans import Keys, scalar_keys
from core.io.gltf.builder import Builder
from core.io.report import ExportReport
from core.rig.mesh import Mesh
from core.rig.rig import Rig
from core.tracks.keys import ScalarTrack

PATHS = {Property.TRANSLATE: "translation", Property.ROTATE: "rotation", Property.SCALE: "scale"}


class ClipWriter:
    """Writes the clips of one rig.

    Parameters
    ----------
    nodes : bone number → node number
    carriers : meshes with morph targets, each with the node that carries it
    """

    def __init__(
        self,
        builder: Builder,
        rig: Rig,
        nodes: list[int],
        carriers: list[tuple[Mesh, int]],
        tolerance: float,
        report: ExportReport,
    ) -> None:
        self.builder = builder
        self.rig = rig
        self.nodes = nodes
        self.carriers = carriers
        self.tolerance = tolerance
        self.report = report

    def write(self, clip: Clip, title: str) -> dict[str, Any]:
        """The JSON of one animation, called `title` in the file."""
        loop = clip.length if clip.looping and clip.length > 0.0 else None
        samplers: list[dict[str, Any]] = []
        channels: list[dict[str, Any]] = []

        def add(node: int, path: str, keys: Keys) -> None:
            channels.append({"sampler": len(samplers), "target": {"node": node, "path": path}})
            samplers.append(self._sampler(keys, path))

        fitted = 0
        for bone, properties in self._driven(clip).items():
            for prop in sorted(properties):
                keys, exact = self._bone(clip, bone, prop, loop)
                fitted += not exact
                add(self.nodes[bone], PATHS[prop], keys)
        for mesh, node in self.carriers:
            tracks = [clip.morphs.get(f"{mesh.name}/{morph.name}") for morph in mesh.morphs]
            if any(track is not None for track in tracks):
                rest = [morph.default_weight for morph in mesh.morphs]
                keys, exact = scalar_keys(tracks, rest, clip.length, loop, self.tolerance)
                fitted += not exact
                add(node, "weights", keys)
        if not channels:  # an animation without channels is not allowed
            still = self.rig.skeleton.rest.translation[:1]
            ends = np.unique([0.0, clip.length])
            add(self.nodes[0], "translation", Keys(ends, np.repeat(still, len(ends), axis=0), "LINEAR"))
        if fitted:
            self.report.sampled.append(
                f"clip {clip.name!r}: {fitted} channels with curves glTF does not have"
            )
        self._left_out(clip)
        extras = {"posewright": to_extras(clip, title)}
        return {"name": title, "channels": channels, "samplers": samplers, "extras": extras}

    def _driven(self, clip: Clip) -> dict[int, set[Property]]:
        driven: dict[int, set[Property]] = {}
        for channel in clip.tracks:
            bone = self.rig.skeleton.find(channel.bone)
            if bone is None:
                self.report.leave_out(f"clip {clip.name!r}: tracks of {channel.bone!r}, which is no bone")
            else:
                driven.setdefault(bone, set()).add(channel.property)
        return dict(sorted(driven.items()))

    def _bone(self, clip: Clip, bone: int, prop: Property, loop: float | None) -> tuple[Keys, bool]:
        skeleton = self.rig.skeleton
        name, length = skeleton.names[bone], clip.length
        tracks: list[ScalarTrack | None] = [clip.scalar(Channel(name, prop, axis)) for axis in range(3)]
        if prop is not Property.ROTATE:
            rest = skeleton.rest[prop][bone].tolist()
            return scalar_keys(tracks, rest, length, loop, self.tolerance)
        whole = clip.rotation(name)
        if whole is not None:
            return quaternion_keys(whole, length, loop, self.tolerance)
        order = int(skeleton.euler_orders[bone])
        angles = rest_degrees(skeleton, bone)
        return euler_keys(tracks, angles, order, length, loop, self.tolerance), False

    def _sampler(self, keys: Keys, path: str) -> dict[str, Any]:
        values = keys.values
        if keys.ins is not None and keys.outs is not None:
            values = np.stack((keys.ins, keys.values, keys.outs), axis=1)
        width = 1 if path == "weights" else keys.values.shape[1]
        rows = values.reshape(-1, width).astype(np.float32)
        return {
            "input": self.builder.accessor(keys.times.astype(np.float32), bounds=True),
            "interpolation": keys.kind,
            "output": self.builder.accessor(rows[:, 0] if width == 1 else rows),
        }

    def _left_out(self, clip: Clip) -> None:
        if clip.additive:
            self.report.leave_out("additive settings of clips")
