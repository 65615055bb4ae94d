"""Small figures to retarget between: a standing body with bones of any lengths, in T or A pose."""

from functools import cache
from pathlib import Path

import numpy as np

from core.arrays import FloatArray
from core.io import load
from core.math import quat
from core.math.transform import Transform
from core.project.project import Project
from core.rig.skeleton import Skeleton


def figure(
    spine: int = 3,
    size: float = 1.0,
    arms_down: float = 0.0,
    turned: float = 0.0,
    rng: np.random.Generator | None = None,
) -> Skeleton:
    """A body that faces +Z turned by `turned` degrees; arms lowered by `arms_down` degrees.

    With `rng`, lengths vary and every bone's own axes are turned at random (its place stays).
    """
    names, parents, places = ["root", "hips"], [-1, 0], [np.zeros(3), np.array([0.0, 0.95, 0.0])]
    stretch = (lambda: 1.0) if rng is None else (lambda: float(rng.uniform(0.85, 1.15)))

    def add(name: str, parent: str, offset: FloatArray) -> None:
        above = names.index(parent)
        names.append(name)
        parents.append(above)
        places.append(places[above] + offset * stretch())

    last = "hips"
    for row in range(spine):
        add(f"spine_{row + 1}", last, np.array([0.0, 0.45 / spine, 0.0]))
        last = f"spine_{row + 1}"
    add("neck", last, np.array([0.0, 0.12, 0.0]))
    add("head", "neck", np.array([0.0, 0.1, 0.01]))
    drop = np.radians(arms_down)
    for side, sign in (("l", 1.0), ("r", -1.0)):
        along = np.array([sign * np.cos(drop), -np.sin(drop), 0.0])
        add(f"clavicle_{side}", last, np.array([sign * 0.04, 0.08, 0.0]))
        add(f"upper_arm_{side}", f"clavicle_{side}", np.array([sign * 0.14, 0.0, 0.0]))
        add(f"lower_arm_{side}", f"upper_arm_{side}", along * 0.28)
        add(f"hand_{side}", f"lower_arm_{side}", along * 0.25)
        add(f"middle_01_{side}", f"hand_{side}", along * 0.09)
        add(f"thigh_{side}", "hips", np.array([sign * 0.1, -0.03, 0.0]))
        add(f"calf_{side}", f"thigh_{side}", np.array([0.0, -0.42, 0.01]))
        add(f"foot_{side}", f"calf_{side}", np.array([0.0, -0.42, -0.01]))
        add(f"ball_{side}", f"foot_{side}", np.array([0.0, -0.06, 0.13]))
    order = np.argsort([_depth(parents, b) for b in range(len(names))], kind="stable")
    place = {int(old): new for new, old in enumerate(order)}
    above = np.array([place[parents[b]] if parents[b] >= 0 else -1 for b in order])
    spin = quat.from_axis_angle([0.0, 1.0, 0.0], np.radians(turned))
    model = quat.rotate(spin, size * np.array(places)[order])
    frames = np.tile(quat.IDENTITY, (len(names), 1))
    if rng is not None:
        frames[1:] = quat.normalise(rng.normal(size=(len(names) - 1, 4)))
    up = np.maximum(above, 0)
    back = quat.conjugate(frames[up])
    local = quat.rotate(back, model - model[up])
    local[above < 0] = model[above < 0]
    rotation = np.where((above < 0)[:, None], frames, quat.multiply(back, frames))
    return Skeleton(tuple(names[b] for b in order), above, Transform(local, rotation, np.ones_like(local)))


def _depth(parents: list[int], bone: int) -> int:
    return 0 if parents[bone] < 0 else 1 + _depth(parents, parents[bone])


def motion(skeleton: Skeleton, rng: np.random.Generator, frames: int = 6, strength: float = 0.5) -> Transform:
    """Random rotations about the rest, and root and hips on the move."""
    count = len(skeleton)
    turns = quat.from_rotation_vector(rng.normal(scale=strength, size=(frames, count, 3)))
    translation = np.tile(skeleton.rest.translation, (frames, 1, 1))
    translation[:, 0] += rng.normal(size=(frames, 3)) * [1.0, 0.0, 1.0]
    translation[:, 1] += 0.1 * rng.normal(size=(frames, 3))
    return Transform(
        translation,
        quat.multiply(skeleton.rest.rotation, turns),
        np.tile(skeleton.rest.scale, (frames, 1, 1)),
    )


@cache
def sample() -> Project:
    """The project of the sample character."""
    return load(Path(__file__).parents[3] / "resources" / "sample" / "mannequin.posewright").project


# bone: parent, offset in centimetres of the T pose; proportions of the usual automatic rigs
_MIXAMO: dict[str, tuple[str, tuple[float, float, float]]] = {
    "Hips": ("", (0.0, 99.8, 0.0)),
    "Spine": ("Hips", (0.0, 9.9, -1.2)), "Spine1": ("Spine", (0.0, 11.7, 0.0)),
    "Spine2": ("Spine1", (0.0, 13.4, 0.0)), "Neck": ("Spine2", (0.0, 15.0, 0.9)),
    "Head": ("Neck", (0.0, 10.3, 3.1)), "HeadTop_End": ("Head", (0.0, 18.5, 6.6)),
    "LeftShoulder": ("Spine2", (6.1, 9.1, 0.8)), "LeftArm": ("LeftShoulder", (12.9, 0.0, -0.4)),
    "LeftForeArm": ("LeftArm", (27.4, 0.0, 0.0)), "LeftHand": ("LeftForeArm", (27.6, 0.0, 0.0)),
    "LeftHandMiddle1": ("LeftHand", (12.8, 0.0, 0.0)),
    "LeftUpLeg": ("Hips", (9.1, -6.7, -0.1)), "LeftLeg": ("LeftUpLeg", (0.0, -40.6, 0.3)),
    "LeftFoot": ("LeftLeg", (0.0, -42.1, -1.4)), "LeftToeBase": ("LeftFoot", (0.0, -8.0, 13.5)),
    "LeftToe_End": ("LeftToeBase", (0.0, -0.7, 9.5)),
}  # fmt: skip


def mixamo(in_centimetres: bool = False) -> Skeleton:
    """A T pose with the names and lengths of Mixamo's rigs: no root, bones along their own +Y."""
    bones = dict(_MIXAMO)
    for name, (parent, (x, y, z)) in _MIXAMO.items():
        if name.startswith("Left"):
            bones[name.replace("Left", "Right")] = (parent.replace("Left", "Right"), (-x, y, z))
    names = list(bones)
    parents = np.array([names.index(parent) if parent else -1 for parent, _ in bones.values()])
    model = np.zeros((len(names), 3))
    for bone, (_, offset) in enumerate(bones.values()):
        model[bone] = np.array(offset) * (1.0 if in_centimetres else 0.01)
        if parents[bone] >= 0:
            model[bone] += model[parents[bone]]
    frames = np.tile(quat.IDENTITY, (len(names), 1))
    for bone in range(1, len(names)):
        below = np.flatnonzero(parents == bone)
        if len(below):
            frames[bone] = quat.shortest_arc([0.0, 1.0, 0.0], model[below[0]] - model[bone])
    up = np.maximum(parents, 0)
    back = quat.conjugate(frames[up])
    translation = np.where((parents < 0)[:, None], model, quat.rotate(back, model - model[up]))
    rotation = np.where((parents < 0)[:, None], frames, quat.multiply(back, frames))
    prefixed = tuple(f"mixamorig:{name}" for name in names)
    return Skeleton(prefixed, parents, Transform(translation, rotation, np.ones_like(translation)))
