"""A stroke over the rows of the bone tree that paints a blend mask: one step on release."""

from collections.abc import Mapping

import numpy as np

from core.rig.rig import Rig
from editor.model.blending.state import Blending
from editor.model.session import Session


class MaskStroke:
    """Collects bones while the button is down.

    Parameters
    ----------
    weight : what is painted; 0 takes bones out of the mask
    below : whether every bone below comes along
    """

    def __init__(self, session: Session, mask: str, weight: float, below: bool) -> None:
        self._session, self._mask, self._weight, self._below = session, mask, weight, below
        self._bones: dict[str, None] = {}

    def over(self, bone: str) -> bool:
        """The pointer is over a bone's row; whether that is news."""
        rig = self._session.rig
        if rig is None or bone in self._bones:
            return False
        number = rig.skeleton.find(bone)
        if number is None:
            return False
        found = [number]
        if self._below:
            found = np.flatnonzero(rig.skeleton.descendants([number])).tolist()
        self._bones |= dict.fromkeys(rig.skeleton.names[b] for b in found)
        return True

    def finish(self) -> bool:
        """Commit the stroke."""
        return self._session.feature(Blending).layers.paint(self._mask, self._bones, self._weight)

    def weights(self, rig: Rig) -> dict[str, float]:
        """The mask as the stroke leaves it."""
        return {**rig.masks.get(self._mask, {}), **dict.fromkeys(self._bones, self._weight)}


def painted_weights(session: Session, stroke: MaskStroke | None) -> Mapping[str, float] | None:
    """Weights of the mask that is being painted, by bone; None where none is."""
    rig, mask = session.rig, session.feature(Blending).painted
    if rig is None or mask is None:
        return None
    return stroke.weights(rig) if stroke is not None else rig.masks.get(mask, {})
