"""Which prop is meant where none is selected: the only one, else the one that a bone holds, or is nearest to."""

import numpy as np

from core.arrays import FloatArray
from core.shot.prop import Prop, hold_at
from editor.model.shot.state import Shot


def prop_meant(shot: Shot) -> Prop | None:
    """The selected prop, else the only one, else the one whose surface is nearest to the bone that would hold it.

    Props that are hidden do not count. None where there is none, something else is selected, or no bone is.
    """
    if shot.selected is not None:
        return shot.selected if isinstance(shot.selected, Prop) else None
    found = [prop for prop in shot.props if prop.visible]
    if len(found) < 2:
        return found[0] if len(found) == 1 else None
    bone = shot.holder_matrix()
    if bone is None:
        return None
    return min(found, key=lambda prop: _away(shot, prop, bone[:3, 3]))


def held_meant(shot: Shot) -> Prop | None:
    """The selected prop, else the one that a bone holds now: that of `Shot.bone` where there are several."""
    if shot.selected is not None:
        return prop_meant(shot)
    held = [prop for prop in shot.props if prop.visible and hold_at(prop, shot.time).bone is not None]
    own = [prop for prop in held if hold_at(prop, shot.time).bone == shot.bone]
    return held[0] if len(held) == 1 else own[0] if len(own) == 1 else None


def _away(shot: Shot, prop: Prop, place: FloatArray) -> float:
    """Metres from a place in the world to the nearest vertex of a prop as it stands now."""
    matrix = shot.matrix(prop)
    if matrix is None:
        return float("inf")
    near = [
        float(np.linalg.norm(mesh.positions @ matrix[:3, :3].T + (matrix[:3, 3] - place), axis=1).min())
        for mesh in prop.meshes
        if len(mesh.positions)
    ]
    return min(near, default=float("inf"))
