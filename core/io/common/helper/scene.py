"""The bones made of an FBX file's nodes, as readers of meshes and clips need them."""

from dataclasses import dataclass
from typing import Any

from core.rig.rig import SourceFrame
from core.rig.skeleton import Skeleton


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """What became of the nodes.

    Parameters
    ----------
    skeleton : the bones, in metres and +Y up
    source : the file's unit and axes
    bones : node's id → bone's name, for nodes that are bones
    nodes : node's id → what the helper returned for it
    """

    skeleton: Skeleton
    source: SourceFrame
    bones: dict[int, str]
    nodes: dict[int, dict[str, Any]]
