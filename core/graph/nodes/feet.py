"""Foot placement: feet and pelvis on the ground that the host tells of, smoothed in time."""

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.graph.compiler import Compiler, Kind
from core.graph.graph import Node, Sheet
from core.graph.language.interpreter import Ground
from core.graph.nodes import reading
from core.graph.nodes.modifier import Alpha, ModifierOp, alpha_of
from core.graph.op import OpPlace, Run
from core.graph.output import Output
from core.graph.packer import Packed, Packer
from core.ik.feet_smoothing import FOOT_DOWN, FOOT_UP, PELVIS_DOWN, PELVIS_UP, TURN_HALF, Offsets, Paces, step
from core.ik.ground import Foot, find_feet, wanted_offsets, with_offsets
from core.math.transform import Transform, down_chain
from core.rig.roles import Role, rig_roles

NOTHING = 1e-9
"""Metres and radians of offsets under which a pose stays as it is."""
UP = np.array([0.0, 1.0, 0.0])


class AskedGround:
    """A ground asked point by point; what is no number, or no direction that points up, counts as level."""

    def __init__(self, ask: Ground) -> None:
        self._ask = ask

    def under(self, points: npt.ArrayLike) -> FloatArray:
        """Heights ``(...)``."""
        at = np.asarray(points, dtype=np.float64)
        found = [float(self._ask(point)[0]) for point in at.reshape(-1, 3)]
        kept = [h if abs(h) <= reading.FARTHEST else 0.0 for h in found]  # NaN compares false
        return np.array(kept).reshape(at.shape[:-1])

    def normals(self, points: npt.ArrayLike) -> FloatArray:
        """Unit normals ``(..., 3)``."""
        at = np.asarray(points, dtype=np.float64)
        found = [self._normal(point) for point in at.reshape(-1, 3)]
        return np.array(found).reshape(at.shape)

    def _normal(self, point: FloatArray) -> FloatArray:
        normal = np.asarray(self._ask(point)[1], dtype=np.float64)
        if normal.shape != (3,) or not np.isfinite(normal).all() or normal[1] <= 0.0:
            return UP
        return normal / float(np.linalg.norm(normal))


class FeetOp(ModifierOp):
    """Places feet and pelvis.

    Its int says whether offsets are remembered; its floats are the pelvis' offset, then the feet's, then their
    tilts: as `core.ik.feet_smoothing` moves them.
    """

    INTS = 1
    POSE = "feet"

    def __init__(
        self,
        where: OpPlace,
        inputs: tuple[int],
        alpha: Alpha,
        hips: str,
        feet: tuple[Foot, ...],
        paces: Paces,
        ankle: float,
    ) -> None:
        super().__init__(where, inputs, alpha)
        self.hips, self.feet, self.paces, self.ankle = hips, feet, paces, ankle
        self.FLOATS = 1 + 4 * len(feet)

    def packed(self, packer: Packer) -> Packed:
        """Alpha, and how many floats it keeps."""
        own = super().packed(packer)
        return Packed((*own.whole, self.FLOATS), own.numbers)

    def restart(self, run: Run) -> None:
        """Begin with the offsets that are wanted then."""
        run.ints[self.place.ints] = 0
        run.floats[self.place.floats : self.place.floats + self.FLOATS] = 0.0

    def _offsets(self, run: Run) -> Offsets:
        count, at = len(self.feet), self.place.floats
        kept = run.floats[at : at + self.FLOATS]
        return Offsets(
            kept[:1].copy(), kept[None, 1 : 1 + count].copy(), kept[1 + count :].reshape(1, count, 3).copy()
        )

    def changed(self, run: Run, base: Output) -> Output:
        """The pose with its feet on the ground."""
        if run.ground is None and not run.floats[self.place.floats : self.place.floats + self.FLOATS].any():
            run.ints[self.place.ints] = 1  # level ground so far: what comes later comes in time
            return base
        local = Transform(*(part[None] for part in base.local))
        model = down_chain(run.rig.skeleton.parents, local)
        ground = AskedGround(run.ground or (lambda point: (0.0, UP)))
        offsets = wanted_offsets(run.rig, model, self.feet, ground, self.ankle)
        if run.ints[self.place.ints] != 0:
            offsets = step(self._offsets(run), offsets, self.span(run), self.paces)
        run.ints[self.place.ints] = 1
        flat = np.concatenate([part.reshape(-1) for part in offsets])
        run.floats[self.place.floats : self.place.floats + self.FLOATS] = flat
        if np.abs(flat).max() < NOTHING:
            return base
        moved, _ = with_offsets(run.rig, self.hips, local, model, self.feet, offsets)
        return Output(Transform(*(part[0] for part in moved)), base.curves, base.present, base.motion)


def _feet(c: Compiler, sheet: Sheet, node: Node) -> int:
    base, alpha = c.pose(sheet, node, "pose"), alpha_of(c, sheet, node)
    roles = rig_roles(c.rig)
    hips, feet = roles.one(Role.HIPS), find_feet(c.rig, roles)
    most = 1e3
    paces = Paces(
        reading.number(c, sheet, node, "pelvis_down", PELVIS_DOWN, 0.0, most),
        reading.number(c, sheet, node, "pelvis_up", PELVIS_UP, 0.0, most),
        reading.number(c, sheet, node, "foot_down", FOOT_DOWN, 0.0, most),
        reading.number(c, sheet, node, "foot_up", FOOT_UP, 0.0, most),
        reading.number(c, sheet, node, "turn_half", TURN_HALF, 1e-3, most),
    )
    ankle = float(np.radians(reading.number(c, sheet, node, "ankle", 40.0, 0.0, 89.0)))
    if hips is None or not feet:
        c.fault(
            "the rig's hips and feet could not be told from its bones; name them like hips, thigh, calf, foot",
            sheet.id, node.id,
        )  # fmt: skip
        return base
    return c.add(lambda at: FeetOp(at, (base,), alpha, hips, feet, paces, ankle), node.id, node.name)


KINDS: dict[str, Kind] = {"foot_placement": _feet}
