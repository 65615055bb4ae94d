"""Which nodes become bones, and the skeleton they make."""

from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray
from core.errors import ValidationError
from core.io.common.naming import unique_names
from core.io.report import ImportReport
from core.json_values import Value
from core.math import quat
from core.math.transform import Transform, from_matrix, to_matrix
from core.rig.skeleton import Skeleton, skeleton_from_unordered


@dataclass(frozen=True, slots=True)
class Nodes:
    """The nodes of a file and the bones made of them.

    Parameters
    ----------
    values : the JSON nodes
    parents : parent node of each, −1 for a root
    bones : node → name of its bone
    hung : node that only carries a rigid mesh, as our writer makes it → node of its bone
    skeleton : the bones
    """

    values: list[Value]
    parents: list[int]
    bones: dict[int, str]
    hung: dict[int, int]
    skeleton: Skeleton


def read_nodes(root: Value, report: ImportReport) -> Nodes:
    """Build the skeleton: every node that is animated, a joint, carries a rigid mesh, or is an ancestor of one.

    A node that carries nothing but a camera is none, however it moves: see `core.io.gltf.cameras`.
    """
    values = root.objects("nodes")
    parents = _parents(values)
    joints = _joints(root, len(values))
    animated = _animated(root, values)
    rigid = {number for number, value in enumerate(values) if _is_rigid(value)}
    hung = {
        node: parents[node]
        for node in sorted(rigid - joints - animated)
        if parents[node] >= 0
        and _is_marked(values[node], "mesh_of_bone")
        and not values[node].has("children")
    }
    cameras = {node for node, value in enumerate(values) if camera_number(value) is not None} - joints - rigid
    wanted = joints | (animated - cameras) | {hung.get(node, node) for node in rigid}
    if not wanted:
        wanted = set(range(len(values))) - cameras or cameras
    for node, value in enumerate(values):
        if _is_marked(value, "common_root") and node not in joints | animated:
            parents = [-1 if parent == node else parent for parent in parents]
            wanted.discard(node)
    chosen = _with_ancestors(wanted, parents, values)
    if not chosen:
        raise root.error("the file holds no nodes, so there is nothing to pose", "nodes")
    place = {node: index for index, node in enumerate(chosen)}
    names = _names(values, chosen, joints, report)
    locals_ = [local_of(values[node], report) for node in chosen]
    rest = Transform(*(np.array([getattr(t, part) for t in locals_]) for part in Transform._fields))
    above = [place.get(parents[node], -1) for node in chosen]
    try:
        if all(parent < bone for bone, parent in enumerate(above)):  # keep the file's order
            sources = np.array(chosen, dtype=np.int32)
            skeleton = Skeleton(tuple(names), np.array(above, dtype=np.int32), rest, sources=sources)
        else:
            skeleton, _ = skeleton_from_unordered(names, above, rest, sources=chosen)
    except ValidationError as error:
        raise root.error(str(error), "nodes") from error
    return Nodes(values, parents, {node: names[index] for node, index in place.items()}, hung, skeleton)


def _parents(values: list[Value]) -> list[int]:
    parents = [-1] * len(values)
    for number, value in enumerate(values):
        for child in value.indices("children", len(values)):
            if child == number:
                raise value.error("the node is its own child", "children")
            if parents[child] >= 0 and parents[child] != number:
                raise value.error(f"node {child} is already a child of node {parents[child]}", "children")
            parents[child] = number
    return parents


def _joints(root: Value, count: int) -> set[int]:
    found: set[int] = set()
    for skin in root.objects("skins"):
        joints = skin.indices("joints", count)
        if not joints:
            raise skin.error("expected one joint or more", "joints")
        if len(set(joints)) != len(joints):
            raise skin.error("a joint stands in the list twice", "joints")
        found.update(joints)
    return found


def _animated(root: Value, values: list[Value]) -> set[int]:
    found: set[int] = set()
    for animation in root.objects("animations"):
        for channel in animation.objects("channels"):
            target = channel.object("target")
            node = target.reference("node", len(values))
            if node is None:
                continue
            # Weights of a skinned mesh move no node; a rigid mesh's node is a bone anyway.
            if target.text("path", "") != "weights":
                found.add(node)
    return found


def _is_rigid(value: Value) -> bool:
    return value.has("mesh") and not value.has("skin")


def camera_number(value: Value) -> int | None:
    """The number of the camera that a node carries, or None."""
    number = value.data.get("camera")
    return number if isinstance(number, int) and not isinstance(number, bool) else None


def _is_marked(value: Value, word: str) -> bool:
    """Whether our own writer added this node for the format: it is not animated and is not a bone."""
    extras = value.data.get("extras")
    mark = extras.get("posewright") if isinstance(extras, dict) else None
    moved = {"matrix", "translation", "rotation", "scale"} & value.data.keys()
    return isinstance(mark, dict) and mark.get(word) is True and not moved


def _with_ancestors(wanted: set[int], parents: list[int], values: list[Value]) -> list[int]:
    chosen: set[int] = set()
    for node in wanted:
        path: set[int] = set()
        while node >= 0 and node not in chosen:
            if node in path:
                raise values[node].error("the node stands in a cycle of children", "children")
            path.add(node)
            node = parents[node]
        chosen |= path
    return sorted(chosen)


def _names(values: list[Value], chosen: list[int], joints: set[int], report: ImportReport) -> list[str]:
    given = [values[node].text("name", "").strip() for node in chosen]
    wanted = [name or f"node_{node}" for name, node in zip(given, chosen, strict=True)]
    names = unique_names(wanted, [index for index, node in enumerate(chosen) if node in joints])
    unnamed = sum(1 for name in given if not name)
    if unnamed:
        report.warn(f"{unnamed} bones have no name in the file and are called after their node's number")
    report.renamed += [(old, new) for old, new in zip(given, names, strict=True) if old and old != new]
    return names


def local_of(value: Value, report: ImportReport) -> Transform:
    """The node's own transform; a matrix is decomposed, and reported where it shears."""
    if value.has("matrix"):
        matrix = value.floats("matrix", 16).reshape(4, 4).T
        split = from_matrix(matrix)
        size = max(1.0, float(np.abs(matrix[:3, :3]).max()))
        if np.abs(to_matrix(split)[:3, :3] - matrix[:3, :3]).max() > 1e-4 * size:
            report.warn(f"{value.place} has a matrix with shear, which was dropped")
        return split
    rotation: FloatArray = value.floats("rotation", 4, [0.0, 0.0, 0.0, 1.0])
    length = float(np.linalg.norm(rotation))
    if not 1e-6 < length < 1e6:
        raise value.error(f"expected a unit quaternion, got one of length {length:g}", "rotation")
    if abs(length - 1.0) > 1e-3:
        report.warn(f"{value.place} has a rotation of length {length:.4g}, which was normalised")
    translation = value.floats("translation", 3, [0.0, 0.0, 0.0])
    return Transform(translation, quat.normalise(rotation), value.floats("scale", 3, [1.0, 1.0, 1.0]))
