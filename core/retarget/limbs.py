"""The limbs of both figures that can be held, and the points at which they meet the ground or a prop."""

from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray
from core.math import quat
from core.math.transform import Transform, down_chain
from core.retarget.align import body_of
from core.retarget.chain_map import ChainPair, Part
from core.retarget.transfer import Binding, leg_sizes

HEEL = 0.3
"""How far the heel is behind the ankle, as a share of the way from ankle to ball over the ground."""


@dataclass(frozen=True, slots=True, eq=False)
class ContactPoint:
    """A point of a limb's end in both figures.

    Parameters
    ----------
    source : bone of the source that it is fixed to
    source_offset, offset : ``(3,)`` in the frame of that bone, and of the target's foot or hand; metres
    source_height, height : metres over the floor in the rest poses
    """

    source: int
    source_offset: FloatArray
    source_height: float
    offset: FloatArray
    height: float

    def source_places(self, model: Transform) -> FloatArray:
        """Model places ``(T, 3)`` in the source's model transforms."""
        place, turn = model.translation[:, self.source], model.rotation[:, self.source]
        if not self.source_offset.any():
            return np.asarray(place)
        return place + quat.rotate(turn, self.source_offset)


@dataclass(frozen=True, slots=True, eq=False)
class Limb:
    """An arm or a leg.

    Parameters
    ----------
    name : of the chain at its end, such as ``left foot``
    bones : numbers in the target: upper, lower, end
    source_end : number of the end in the source
    points : where it may stand: heel and ball, or the wrist
    up : unit vector in the frame of the target's end that points up in the rest pose
    bend : unit vector in the frame of the upper bone toward which the limb bends
    """

    name: str
    bones: tuple[int, int, int]
    source_end: int
    points: tuple[ContactPoint, ...]
    up: FloatArray
    bend: FloatArray

    @property
    def is_foot(self) -> bool:
        """Whether it is a leg, which stands on the floor."""
        return self.name.endswith("foot")

    def places(self, ankle: FloatArray, rotation: FloatArray) -> FloatArray:
        """Places ``(P, T, 3)`` of the points for places and model rotations of the end ``(T, k)``."""
        return np.stack([ankle + quat.rotate(rotation, point.offset) for point in self.points])


class _Figure:
    """One skeleton in its (aligned) rest pose: model transforms and the height of its floor."""

    def __init__(self, binding: Binding, source: bool) -> None:
        self.skeleton = binding.source if source else binding.target
        pose = binding.alignment.local if source else binding.target.rest
        self.rest = down_chain(self.skeleton.parents, pose)
        self.size = leg_sizes(self.skeleton, binding.chains, pose, source)[0]
        self.floor = self._source_floor(binding) if source else self._floor(binding)

    def _source_floor(self, binding: Binding) -> float:
        roots = [self.place(p.source[0])[1] for p in binding.chains.part(Part.LEG)]
        return float(np.mean(roots)) - self.size if roots else 0.0

    def _floor(self, binding: Binding) -> float:
        """Model zero where the rest pose stands there, else the lowest of the feet."""
        low = [
            self.place(p.target[0])[1] for part in (Part.FOOT, Part.TOE) for p in binding.chains.part(part)
        ]
        lowest = float(min(low, default=0.0))
        return 0.0 if abs(lowest) < 0.2 * self.size else lowest

    def place(self, bone: str) -> FloatArray:
        return np.asarray(self.rest.translation[self.skeleton.index(bone)])

    def within(self, bone: str, place: FloatArray) -> FloatArray:
        """A model place in the frame of a bone."""
        turn = self.rest.rotation[self.skeleton.index(bone)]
        return quat.rotate(quat.conjugate(turn), place - self.place(bone))

    def heel(self, foot: str, toe: str | None) -> FloatArray:
        """On the floor, below the ankle and a little behind it."""
        ankle = self.place(foot).copy()
        if toe is not None:
            ahead = self.place(toe) - ankle
            ankle -= HEEL * ahead * [1.0, 0.0, 1.0]
        ankle[1] = self.floor
        return ankle


def limbs_of(binding: Binding, feet: bool = True, hands: bool = False) -> tuple[Limb, ...]:
    """The limbs that can be held: those with two bones and an end in both skeletons."""
    found = []
    figures = _Figure(binding, True), _Figure(binding, False)
    for upper, end, wanted in ((Part.LEG, Part.FOOT, feet), (Part.ARM, Part.HAND, hands)):
        for pair in binding.chains.part(upper) if wanted else ():
            last = _beside(binding, end, pair)
            if len(pair.target) == 2 and last is not None:
                found.append(_limb(binding, pair, last, figures))
    return tuple(found)


def _beside(binding: Binding, part: Part, pair: ChainPair) -> ChainPair | None:
    """The chain of a part on the side of another."""
    side = pair.name.split()[0]
    return next((p for p in binding.chains.part(part) if p.name.startswith(f"{side} ")), None)


def _limb(binding: Binding, pair: ChainPair, last: ChainPair, figures: tuple[_Figure, _Figure]) -> Limb:
    source, target = figures
    foot, ankle = last.source[0], last.target[0]
    s, t = source.skeleton.index, target.skeleton.index
    points = []
    if last.part is Part.FOOT:
        toe = _beside(binding, Part.TOE, pair)
        toes = (toe.source[0], toe.target[0]) if toe is not None else (None, None)
        heels = source.heel(foot, toes[0]), target.heel(ankle, toes[1])
        points.append(
            ContactPoint(s(foot), source.within(foot, heels[0]), 0.0, target.within(ankle, heels[1]), 0.0)
        )
        if toe is not None:
            places = source.place(toe.source[0]), target.place(toe.target[0])
            heights = [float(p[1] - f.floor) for p, f in zip(places, figures, strict=True)]
            ball = target.within(ankle, places[1])
            points.append(ContactPoint(s(toe.source[0]), np.zeros(3), heights[0], ball, heights[1]))
    else:
        points.append(ContactPoint(s(foot), np.zeros(3), 0.1 * source.size, np.zeros(3), 0.0))
    turns = target.rest.rotation
    body = body_of(binding.target, binding.chains, target.rest.translation, False)
    front = np.cross(body.left, body.up) * (1.0 if last.part is Part.FOOT else -1.0)
    return Limb(
        last.name,
        (t(pair.target[0]), t(pair.target[1]), t(ankle)),
        s(foot),
        tuple(points),
        quat.rotate(quat.conjugate(turns[t(ankle)]), np.array([0.0, 1.0, 0.0])),
        quat.rotate(quat.conjugate(turns[t(pair.target[0])]), front),
    )
