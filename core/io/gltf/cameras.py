"""Cameras of a glTF file: the nodes that carry them, with the animation that moves them."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.clips.clip import Channel, Clip, Property
from core.clips.evaluator import ClipEvaluator
from core.errors import ValidationError
from core.ids import AssetId, new_id
from core.io.common.cameras import camera_times, chain_camera
from core.io.common.naming import unique_names
from core.io.gltf.accessors import Accessors
from core.io.gltf.clips import ClipReader
from core.io.gltf.nodes import Nodes, camera_number, local_of
from core.io.report import ImportReport
from core.json_values import Value
from core.math.transform import Transform, down_chain
from core.progress import Progress
from core.rig.skeleton import Skeleton
from core.shot.camera import BONE, ShotCamera, lens_of, placed_as

SENSOR_HEIGHT = 24.0
"""Millimetres that a focal length is told for: glTF knows angles alone."""
ASPECT = 16.0 / 9.0


def read_cameras(root: Value, nodes: Nodes, accessors: Accessors, report: ImportReport) -> list[ShotCamera]:
    """Every node with a camera; its place and keys as the file has them.

    The keys of a node at the top of the file stay keys; below other nodes the motion is sampled.
    """
    kinds = root.objects("cameras")
    found = [(n, camera_number(v)) for n, v in enumerate(nodes.values) if camera_number(v) is not None]
    names = unique_names([_name(nodes.values[n], kinds, number) for n, number in found])
    if kinds and not found:
        report.leave_out("cameras that no node carries")
    made = []
    for (node, number), name in zip(found, names, strict=True):
        if number is None or not 0 <= number < len(kinds):
            raise nodes.values[node].error(f"there is no camera {number}", "camera")
        made.append(_camera(root, kinds[number], _Chain(root, nodes, node, accessors), name, report))
    return made


def _name(node: Value, kinds: Sequence[Value], number: int | None) -> str:
    own = node.text("name", "").strip()
    if own or number is None or not 0 <= number < len(kinds):
        return own or "camera"
    return kinds[number].text("name", "").strip() or "camera"


def _camera(root: Value, kind: Value, chain: "_Chain", name: str, report: ImportReport) -> ShotCamera:
    lens = _lens(kind, name)
    if not chain.clips:
        stand = down_chain(chain.skeleton.parents, chain.skeleton.rest)
        return placed_as(lens, stand.translation[-1], stand.rotation[-1])
    clip = chain.clips[0]
    if len(chain.clips) > 1:
        others = ", ".join(repr(other.name) for other in chain.clips[1:])
        report.leave_out(f"motion of camera {name!r} in {others}; that in {clip.name!r} was imported")
    if len(chain.skeleton) == 1:
        rest = chain.skeleton.rest
        still = placed_as(lens, rest.translation[0], rest.rotation[0])
        tracks = {
            Channel(BONE, channel.property, channel.axis): track
            for channel, track in clip.tracks.items()
            if channel.property is not Property.SCALE
        }
        motion = replace(still.motion, tracks=tracks, length=max(0.0, clip.last_key()), rate=clip.rate)
        return replace(still, motion=motion)
    times = camera_times([track.times for track in clip.every_track()], clip.rate)
    batch = ClipEvaluator(chain.skeleton, clip).sample_many(times)
    return chain_camera(lens, chain.skeleton.parents, batch.local, times, clip.rate)


def _lens(kind: Value, name: str) -> ShotCamera:
    """A camera that sees as the file says, at the origin."""
    if kind.text("type", "") == "orthographic":
        shown = kind.object("orthographic")
        across, down = shown.number("xmag", 1.0), shown.number("ymag", 1.0)
        aspect = abs(across / down) if across and down else 1.0
        try:
            return ShotCamera(
                new_id("camera"), name, sensor=(SENSOR_HEIGHT * aspect, SENSOR_HEIGHT), height=2.0 * abs(down)
            )
        except ValidationError as error:
            raise kind.error(str(error)) from None
    shown = kind.object("perspective")
    fov, aspect = shown.number("yfov", 0.0), shown.number("aspectRatio", ASPECT)
    if not 0.0 < fov < np.pi:
        raise shown.error(f"expected an angle between 0 and π, got {fov:g}", "yfov")
    near, far = shown.number("znear", 0.05), shown.number("zfar", 1000.0)
    if not 0.0 < near < far:
        near, far = 0.05, 1000.0
    try:
        return ShotCamera(
            new_id("camera"), name, lens=lens_of(fov, SENSOR_HEIGHT), sensor=(SENSOR_HEIGHT * aspect, SENSOR_HEIGHT),
            near=near, far=far,
        )  # fmt: skip
    except ValidationError as error:
        raise kind.error(str(error)) from None


class _Chain:
    """A camera's node and all nodes above it, as a skeleton of their own with the clips that move them."""

    def __init__(self, root: Value, nodes: Nodes, node: int, accessors: Accessors) -> None:
        path, seen = [node], {node}
        while nodes.parents[path[-1]] >= 0 and nodes.parents[path[-1]] not in seen:
            path.append(nodes.parents[path[-1]])
            seen.add(path[-1])
        path.reverse()
        quiet = ImportReport("")
        locals_ = [local_of(nodes.values[one], quiet) for one in path]
        rest = Transform(*(np.array([getattr(t, part) for t in locals_]) for part in Transform._fields))
        names = {one: f"node_{one}" for one in path}
        self.skeleton = Skeleton(tuple(names.values()), np.arange(-1, len(path) - 1, dtype=np.int32), rest)
        own = Nodes(nodes.values, nodes.parents, names, {}, self.skeleton)
        reader = ClipReader(accessors, own, AssetId("camera"), {}, quiet)
        self.clips: list[Clip] = reader.read(root, Progress())
