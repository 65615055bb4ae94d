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
