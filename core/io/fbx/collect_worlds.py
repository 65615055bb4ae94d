"""In the helper: nodes that do not inherit their parent's scale the plain way, from their world matrices."""

from typing import Any

import numpy as np
import ufbx

from core.arrays import FloatArray
from core.io.fbx.ufbx_lifetime import all_of, keep, matrix_of
from core.math.transform import Transform, from_matrix, to_matrix

SAME = 1e-6


class WorldSampler:
    """Finds those nodes (`bent`) and samples their transforms relative to their parents.

    Maya's segment scale compensation lets a child ignore its parent's scale. Where that scale is 1 at all
    times, nothing is bent, and the node's own curves are what counts.
    """

    def __init__(self, scene: Any, anim: Any) -> None:
        self.scene, self.anim = scene, anim
        nodes = all_of(scene.nodes)
        scaling = _scaled_nodes(nodes, anim)
        self.bent: list[Any] = []
        for node in nodes:
            parent = None if node.is_root else keep(node.parent)
            if parent is None or parent.is_root or node.inherit_mode == ufbx.InheritMode.NORMAL:
                continue
            if parent.typed_id in scaling or _is_bent(node, parent):
                self.bent.append(node)

    def sampled(self, times: FloatArray) -> FloatArray:
        """Translation, rotation, scale of each bent node below its parent ``(N, T, 10)``."""
        pairs = [(node.typed_id, keep(node.parent).typed_id) for node in self.bent]
        found = np.empty((len(pairs), len(times), 4, 4))
        for row, time in enumerate(times.tolist()):
            moment = keep(ufbx.evaluate_scene(self.scene, self.anim, time))
            nodes = keep(moment.nodes)
            for place, (node, parent) in enumerate(pairs):
                below = matrix_of(keep(keep(nodes[node]).node_to_world))
                above = matrix_of(keep(keep(nodes[parent]).node_to_world))
                found[place, row] = relative(above, below)
        split = from_matrix(found)
        return np.concatenate((split.translation, split.rotation, split.scale), axis=-1)

    @property
    def sizes(self) -> FloatArray:
        """How far each bent node is from its parent in rest; what is close to it counts as 1."""
        lengths = [np.abs(tuple(keep(node.local_transform).translation)).max() for node in self.bent]
        return np.maximum(1e-3, np.array(lengths, dtype=np.float64))


def relative(above: FloatArray, below: FloatArray) -> FloatArray:
    """``above⁻¹ · below``; a parent scaled to nothing counts as unscaled."""
    try:
        found = np.asarray(np.linalg.solve(above, below), dtype=np.float64)
    except np.linalg.LinAlgError:
        found = np.array(below)
    return found


def _is_bent(node: Any, parent: Any) -> bool:
    local = keep(node.local_transform)
    own = Transform(*(np.array(tuple(part)) for part in (local.translation, local.rotation, local.scale)))
    plain = matrix_of(keep(parent.node_to_world)) @ to_matrix(own)
    world = matrix_of(keep(node.node_to_world))
    return bool(np.abs(plain - world).max() > SAME * max(1.0, float(np.abs(world[:3, :3]).max())))


def _scaled_nodes(nodes: list[Any], anim: Any) -> set[int]:
    """Nodes whose scale is animated away from 1."""
    ids = {node.element_id: node.typed_id for node in nodes}
    found: set[int] = set()
    for layer in all_of(anim.layers):
        for prop in all_of(layer.anim_props):
            element = keep(prop.element)
            if prop.prop_name != "Lcl Scaling" or element.element_id not in ids:
                continue
            for curve in keep(prop.anim_value).curves:
                if keep(curve) is None:
                    continue
                if abs(curve.min_value - 1.0) > 1e-5 or abs(curve.max_value - 1.0) > 1e-5:
                    found.add(ids[element.element_id])
    return found
