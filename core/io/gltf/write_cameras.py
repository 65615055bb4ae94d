"""Cameras of the shot to glTF: a node at the top of the scene each, moved by the same animations as the characters."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

from core.clips.clip import Clip
from core.ids import AssetId
from core.io.gltf.builder import Builder
from core.io.gltf.write_clips import ClipWriter
from core.io.report import ExportReport
from core.rig.rig import Rig
from core.shot.camera import LENS, ShotCamera, fov_of

TITLE = "camera"
"""Of the animation of cameras in a file without clips."""


class Scene(Protocol):
    """The nodes of a file."""

    def look(self, camera: ShotCamera, number: int) -> int:
        """Put a camera on a node at the top; return the node's number."""


class CameraWriter:
    """Writes cameras and adds their motion to the animations of the file."""

    def __init__(self, builder: Builder, scene: Scene, tolerance: float, report: ExportReport) -> None:
        self._builder, self._scene, self._tolerance, self._report = builder, scene, tolerance, report

    def write(
        self, cameras: Sequence[ShotCamera], clips: Sequence[Clip], animations: list[dict[str, Any]]
    ) -> list[dict[str, Any]]:  # fmt: skip
        """The JSON of the cameras; a clip's animation gets their keys within its length.

        Parameters
        ----------
        clips : in the order of `animations`; without any the cameras get an animation of their own
        """
        for number, camera in enumerate(cameras):
            node = self._scene.look(camera, number)
            if LENS in camera.motion.curves:
                self._report.leave_out(f"keys of the lens of camera {camera.name!r}: glTF has none")
            if not camera.motion.tracks:
                continue
            if not clips and not animations:
                animations.append({"name": TITLE, "channels": [], "samplers": []})
            lengths = [clip.length for clip in clips] or [camera.motion.last_key()]
            for animation, length in zip(animations, lengths, strict=False):
                self._join(animation, self._animation(camera, node, length))
        return [_told(camera) for camera in cameras]

    def _animation(self, camera: ShotCamera, node: int, length: float) -> dict[str, Any]:
        rig = Rig(AssetId(TITLE), camera.name, camera.skeleton)
        clip = replace(camera.motion, name=camera.name, length=length, curves={})
        writer = ClipWriter(self._builder, rig, [node], [], self._tolerance, self._report)
        return writer.write(clip, camera.name)

    @staticmethod
    def _join(animation: dict[str, Any], more: dict[str, Any]) -> None:
        """Add channels of one animation to another."""
        before = len(animation["samplers"])
        animation["samplers"] += more["samplers"]
        animation["channels"] += [
            {**channel, "sampler": channel["sampler"] + before} for channel in more["channels"]
        ]


def _told(camera: ShotCamera) -> dict[str, Any]:
    if camera.height is not None:
        high = camera.height / 2.0
        flat = {"xmag": high * camera.aspect, "ymag": high, "znear": camera.near, "zfar": camera.far}
        return {"name": camera.name, "type": "orthographic", "orthographic": flat}
    shown = {
        "yfov": fov_of(camera.lens, camera.sensor[1]), "aspectRatio": camera.aspect, "znear": camera.near,
        "zfar": camera.far,
    }  # fmt: skip
    return {"name": camera.name, "type": "perspective", "perspective": shown}
