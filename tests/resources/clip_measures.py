"""What a clip of the mannequin does to feet, knees and joints, measured from its samples alone."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.arrays import BoolArray, FloatArray
from core.blending.foot_slip import Foot, sole_points
from core.clips.clip import Clip
from core.clips.sample import sample_many
from core.math import quat, transform
from core.math.transform import Transform
from core.pose import kinematics
from core.rig.mesh import Mesh
from core.rig.rig import JointLimit, LimitKind, Rig
from core.tracks.evaluate import evaluate_scalar

RATE = 120
SOLE = 0.012
"""Height at rest below which a vertex of a foot belongs to its sole."""


def beyond(limit: JointLimit, turn: FloatArray) -> float:
    """How many degrees turns from rest ``(T, 4)`` go beyond a limit, at worst."""
    axis = np.array(limit.axis)
    along = turn[:, :3] @ axis
    twist = np.degrees(2.0 * np.arctan2(along, turn[:, 3]))
    twist = (twist + 180.0) % 360.0 - 180.0
    lean = np.degrees(2.0 * np.arccos(np.clip(np.hypot(along, turn[:, 3]), 0.0, 1.0)))
    slack = 3.0 if limit.kind is LimitKind.HINGE else limit.cone  # a knee turns a little with the hip
    return float(max((twist - limit.maximum).max(), (limit.minimum - twist).max(), (lean - slack).max()))


@dataclass(frozen=True)
class Measured:
    """A clip sampled at `RATE`, both ends included."""

    rig: Rig
    mesh: Mesh
    clip: Clip

    @cached_property
    def times(self) -> FloatArray:
        return np.linspace(0.0, self.clip.length, max(round(self.clip.length * RATE), 1) + 1)

    @cached_property
    def local(self) -> Transform:
        return sample_many(self.rig, self.clip, self.times, wrap=False).local

    @cached_property
    def model(self) -> Transform:
        return kinematics.to_model(self.rig.skeleton, self.local)

    def curve(self, name: str) -> FloatArray:
        return np.asarray(evaluate_scalar(self.clip.curves[name], self.times))

    def place(self, bone: str) -> FloatArray:
        """World places ``(T, 3)`` of a bone's head."""
        return np.asarray(self.model.translation[:, self.rig.skeleton.index(bone)])

    def in_contact(self, side: str) -> BoolArray:
        return self.curve(f"contact_{side}") > 0.999

    def _sole(self, side: str) -> FloatArray:
        """Places ``(T, 4, 3)`` of heel, ankle, ball and toes on the sole."""
        foot = Foot(f"foot_{side}", f"ball_{side}", "")
        places = []
        for bone, points in sole_points(self.rig.skeleton, foot):
            at = Transform(*(part[:, None, bone] for part in self.model))
            places.append(transform.apply(at, points))
        return np.concatenate(places, axis=1)

    def slip(self) -> float:
        """Mean speed (m/s) over the ground of the sole's lowest point while a foot is in contact."""
        ways, steps = 0.0, 0
        for side in "lr":
            sole = self._sole(side)
            down = self.in_contact(side)
            both = down[1:] & down[:-1]
            lowest = np.argmin(sole[1:, :, 1] + sole[:-1, :, 1], axis=1)
            moved = np.linalg.norm((sole[1:] - sole[:-1])[..., [0, 2]], axis=-1)[
                np.arange(len(lowest)), lowest
            ]
            ways, steps = ways + float(moved[both].sum()), steps + int(both.sum())
        return ways / steps * RATE if steps else 0.0

    def floating(self) -> float:
        """How high (m) the lowest point of a sole in contact is, at worst."""
        worst = 0.0
        for side in "lr":
            down = self.in_contact(side)
            if down.any():
                worst = max(worst, float(self._sole(side)[down][..., 1].min(axis=1).max()))
        return worst

    def lowest(self, vertices: np.ndarray, step: int = 1) -> float:
        """Lowest height (m) of some vertices."""
        return float(self.skinned(vertices, step)[..., 1].min())

    def skinned(self, vertices: np.ndarray, step: int = 1) -> FloatArray:
        """Places ``(T, V, 3)`` of vertices, at every `step`-th sample."""
        mesh, index = self.mesh, self.rig.skeleton.index
        bones = np.array([index(b) for b in mesh.bones])
        turned = np.asarray(quat.to_matrix(self.model.rotation[::step]))
        moved = np.asarray(self.model.translation[::step])
        out = np.zeros((len(moved), len(vertices), 3))
        for k in range(mesh.influences.shape[1]):
            joint = mesh.influences[vertices, k]
            inverse = mesh.inverse_bind[joint]
            own = np.einsum("vij,vj->vi", inverse[:, :3, :3], mesh.positions[vertices]) + inverse[:, :3, 3]
            b = bones[joint]
            out += mesh.weights[vertices, k, None] * (
                np.einsum("tvij,vj->tvi", turned[:, b], own) + moved[:, b]
            )
        return out

    def reach(self) -> float:
        """Greatest part of its length that a leg is stretched to, hip to ankle."""
        worst = 0.0
        heads = kinematics.to_model(self.rig.skeleton, self.rig.skeleton.rest).translation
        for side in "lr":
            hip, knee, ankle = (self.rig.skeleton.index(f"{b}_{side}") for b in ("thigh", "calf", "foot"))
            whole = np.linalg.norm(heads[knee] - heads[hip]) + np.linalg.norm(heads[ankle] - heads[knee])
            apart = np.linalg.norm(self.place(f"foot_{side}") - self.place(f"thigh_{side}"), axis=1)
            worst = max(worst, float(apart.max() / whole))
        return worst

    def fastest_turn(self) -> tuple[float, str]:
        """Greatest speed of a bone's local rotation, degrees a second, and which bone's; root and toes left out."""
        names = self.rig.skeleton.names
        kept = [i for i, n in enumerate(names) if i > 0 and not n.startswith("ball")]
        turned = np.asarray(self.local.rotation)[:, kept]
        speed = np.degrees(quat.angle_between(turned[1:], turned[:-1])).max(axis=0) * RATE
        return float(speed.max()), names[kept[int(np.argmax(speed))]]

    def beyond_limits(self, without: tuple[str, ...] = ()) -> tuple[float, str]:
        """Degrees beyond the joint limits at worst (negative: within), and the bone."""
        rest = self.rig.skeleton.rest.rotation
        found = []
        for bone, limit in self.rig.limits.items():
            if bone in without:
                continue
            i = self.rig.skeleton.index(bone)
            turn = quat.multiply(quat.conjugate(rest[i]), np.asarray(self.local.rotation)[:, i])
            found.append((beyond(limit, turn), bone))
        return max(found)

    def seam(self) -> float:
        """Degrees by which the last pose differs from the first one, the root left out."""
        return float(
            np.degrees(quat.angle_between(self.local.rotation[0, 1:], self.local.rotation[-1, 1:])).max()
        )


def sole_vertices(mesh: Mesh) -> np.ndarray:
    """Vertices under both feet."""
    return np.flatnonzero(mesh.positions[:, 1] < SOLE)
