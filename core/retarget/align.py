"""Bringing the source's rest pose to agree with the target's, chain by chain (spec: retargeting, 2).

The aligned pose is only a reference for `core.retarget.transfer`; neither character is changed.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from core.arrays import FloatArray, IntArray
from core.math import quat
from core.math.transform import Transform, down_chain
from core.math.vectors import unit
from core.pose import kinematics
from core.retarget.chain_map import ChainMap, ChainPair, Part
from core.rig.skeleton import Skeleton

UPRIGHT = 0.7
"""Least share of the trunk's and the legs' length along the vertical in a rest pose that stands."""

KEPT = np.radians(70.0)
"""Trunk, neck and clavicles keep their own rest (so that straight answers to straight) up to this angle."""

FLAT = np.radians(40.0)
"""Feet whose pitch differs by less are taken to stand flat in both rest poses."""

ASTRAY = np.radians(60.0)
"""Feet that head elsewhere by more do not stand in the rest pose (a stride, say)."""

SHORT = 1e-9
"""Vectors up to this length have no direction."""

STILL = 5.0
"""Metres of height that a foot's way of a metre from frame to frame weighs as, where it is sought standing."""

_ASIDE = re.compile(r"thumb|twist|roll|slot|socket|prop|weapon|nub")

BY_REST = (Part.SPINE, Part.NECK, Part.CLAVICLE)
BY_DIRECTION = (Part.ARM, Part.HAND, Part.FINGER, Part.LEG)


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """How the two rest poses were made to agree.

    Parameters
    ----------
    heading : rotation ``(4,)`` from the source's model space to the target's, about the vertical
    local : the aligned pose of the source: local transforms ``(B, k)``, the rest's but for rotation
    rotation : its model rotations ``(B, 4)``, in the source's model space
    turn : what they were turned by ``(B, 4)``: each bone's model rotation away from the pose begun with
    deviation : chain → degrees its first bone turned against its parent chain
    standing : whether the source's rest stood upright by itself
    """

    heading: FloatArray
    local: Transform
    rotation: FloatArray
    turn: FloatArray
    deviation: dict[str, float] = field(default_factory=dict)
    standing: bool = True


Degrees = tuple[float, float, float]
"""A rotation vector in degrees."""


class Body(NamedTuple):
    """A pose's frame: unit vectors to the body's left and up, and whether it stands."""

    left: FloatArray
    up: FloatArray
    stands: bool

    def yaw(self) -> float:
        """Radians about +Y from a body that faces +Z."""
        return float(np.arctan2(-self.left[2], self.left[0]))


def body_of(skeleton: Skeleton, chains: ChainMap, places: FloatArray, source: bool) -> Body:
    """Where a pose's left and up are, from the chains of a map (model places ``(B, 3)``)."""

    def heads(part: Part, word: str = "") -> list[FloatArray]:
        pairs = [p for p in chains.part(part) if p.name.startswith(word)]
        return [places[skeleton.index((p.source if source else p.target)[0])] for p in pairs]

    def ends(part: Part) -> list[FloatArray]:
        return [places[skeleton.index((p.source if source else p.target)[-1])] for p in chains.part(part)]

    left = np.zeros(3)
    for part in (Part.LEG, Part.ARM, Part.CLAVICLE):
        sides = heads(part, "left "), heads(part, "right ")
        if sides[0] and sides[1] and not left.any():
            left = sides[0][0] - sides[1][0]
    top = heads(Part.HEAD) or heads(Part.NECK) or ends(Part.SPINE)
    hips = heads(Part.HIPS) or heads(Part.LEG)
    up = top[0] - hips[0] if top and hips else np.array([0.0, 1.0, 0.0])
    legs = [e - h for e, h in zip(ends(Part.LEG), heads(Part.LEG), strict=True)]
    stands = _share(up) >= UPRIGHT and all(_share(-leg) >= UPRIGHT for leg in legs)
    if np.linalg.norm(left) < 1e-9:
        left = np.array([1.0, 0.0, 0.0])
    return Body(unit(left, (1.0, 0.0, 0.0), SHORT), unit(up, (0.0, 1.0, 0.0), SHORT), stands)


def align(
    source: Skeleton,
    target: Skeleton,
    chains: ChainMap,
    source_pose: Transform | None = None,
    turned: bool = True,
    adjust: Mapping[str, Degrees] | None = None,
    turns: Mapping[str, float] | None = None,
) -> Alignment:
    """Pose the source like the target's rest.

    Trunk, neck, clavicles and head keep their own rest where it is near; limbs and fingers point
    where the target's point; feet that stand flat stay flat and take the target's heading.

    Parameters
    ----------
    source_pose : local transforms ``(B, k)`` to start from instead of the source's rest, for rigs whose
        rest is no standing pose
    turned : take the difference of heading, to the nearest quarter turn, as one of the two model
        spaces; else the pose is turned
    adjust : chain → degrees about the target's model axes (a rotation vector) that its aligned rest is
        turned by on top, as a person set them; chains above take those below along where these keep
        their rest
    turns : chain → share of its own turn against its parent chain that is taken: 1 as found, 0 keeps
        the source's rest
    """
    start = source.rest if source_pose is None else source_pose
    model = down_chain(source.parents, start)
    wanted = down_chain(target.parents, target.rest)
    bodies = (
        body_of(source, chains, model.translation, True),
        body_of(target, chains, wanted.translation, False),
    )
    yaw = bodies[1].yaw() - bodies[0].yaw()
    quarter = np.round(yaw / (np.pi / 2)) * (np.pi / 2) if turned else 0.0
    heading = _about_y(quarter)
    back = quat.conjugate(heading)
    work = _Aligner(source, target, chains, model, wanted, back, adjust or {}, turns or {})
    work.body(_body_turn(bodies, yaw - quarter, back))
    work.run()
    rotation = quat.normalise(quat.multiply(work.turn, model.rotation))
    local = _local_rotations(source.parents, rotation)
    posed = start._replace(rotation=local)
    return Alignment(heading, posed, rotation, work.turn, work.deviation, bodies[0].stands)


def _body_turn(bodies: tuple[Body, Body], yaw: float, back: FloatArray) -> FloatArray:
    """How the source's hips turn: about the vertical where both stand, else wholly."""
    if bodies[0].stands == bodies[1].stands:
        return _about_y(yaw)
    frames = [quat.from_matrix(_frame(body)) for body in bodies]
    return quat.multiply(quat.multiply(back, frames[1]), quat.conjugate(frames[0]))


def _frame(body: Body) -> FloatArray:
    forward = unit(np.cross(body.left, body.up), (0.0, 0.0, 1.0), SHORT)
    left = unit(np.cross(body.up, forward), (1.0, 0.0, 0.0), SHORT)
    return np.stack((left, np.cross(forward, left), forward), axis=-1)


class _Aligner:
    """Walks the source's bones parents first; `turn` is each bone's model rotation away from its pose."""

    def __init__(
        self,
        source: Skeleton,
        target: Skeleton,
        chains: ChainMap,
        model: Transform,
        wanted: Transform,
        back: FloatArray,
        adjust: Mapping[str, Degrees],
        turns: Mapping[str, float],
    ) -> None:
        self.turns = turns
        self.adjust = {
            name: quat.multiply(
                quat.multiply(back, quat.from_rotation_vector(np.radians(degrees))), quat.conjugate(back)
            )
            for name, degrees in adjust.items()
        }
        self.source, self.target, self.chains, self.back = source, target, chains, back
        self.model, self.wanted = model, wanted
        self.turn = np.tile(quat.IDENTITY, (len(source), 1))
        self.deviation: dict[str, float] = {}
        self.hips_turn: FloatArray = quat.IDENTITY
        self.place = {bone: (p, i) for p in chains.chains for i, bone in enumerate(p.source)}

    def body(self, turn: FloatArray) -> None:
        self.hips_turn = turn

    def run(self) -> None:
        for bone, name in enumerate(self.source.names):
            parent = self.source.parent(bone)
            # the whole figure turns at its roots, so that whatever stands above the hips goes along
            above = self.turn[parent] if parent >= 0 else self.hips_turn
            found = self.place.get(name)
            self.turn[bone] = above if found is None else self._turned(bone, above, *found)

    def _turned(self, bone: int, above: FloatArray, pair: ChainPair, row: int) -> FloatArray:
        result, fresh = above, row == 0
        if pair.part in BY_REST and row == 0:
            result = self._toward(pair, slice(None), above, KEPT)
        elif pair.part in BY_DIRECTION:
            same = len(pair.source) == len(pair.target)
            if same or row == 0:
                rows = slice(row, row + 1) if same else slice(None)
                result, fresh = self._toward(pair, rows, above, 0.0), True
        elif pair.part in (Part.FOOT, Part.TOE) and row == 0:
            result = self._foot(pair, above)
        if fresh and pair.name in self.turns:
            result = quat.slerp(above, quat.aligned(result, above), np.float64(self.turns[pair.name]))
        if fresh and pair.name in self.adjust:
            result = quat.multiply(self.adjust[pair.name], result)
        if row == 0:
            self.deviation[pair.name] = float(np.degrees(quat.angle_between(above, result)))
        return result

    def _direction(self, pair: ChainPair, rows: slice, source: bool) -> FloatArray | None:
        skeleton, model = (self.source, self.model) if source else (self.target, self.wanted)
        bones = (pair.source if source else pair.target)[rows]
        tip = tip_of(skeleton, self.chains, skeleton.index(bones[-1]), source, model.translation)
        if tip is None:
            return None
        span = tip - model.translation[skeleton.index(bones[0])]
        return span if np.linalg.norm(span) > 1e-9 else None

    def _toward(self, pair: ChainPair, rows: slice, above: FloatArray, keep: float) -> FloatArray:
        spans = self._direction(pair, rows, True), self._direction(pair, rows, False)
        if spans[0] is None or spans[1] is None:
            return above
        arc = quat.shortest_arc(quat.rotate(above, spans[0]), quat.rotate(self.back, spans[1]))
        if float(quat.angle_between(quat.IDENTITY, arc)) <= keep:
            return above
        return quat.multiply(arc, above)

    def _foot(self, pair: ChainPair, above: FloatArray) -> FloatArray:
        """Flat feet take the target's heading only; others its direction."""
        spans = self._direction(pair, slice(None), True), self._direction(pair, slice(None), False)
        if pair.part is Part.TOE or spans[0] is None or spans[1] is None:
            return above
        own, goal = quat.rotate(self.hips_turn, spans[0]), quat.rotate(self.back, spans[1])
        pitch = [float(np.arctan2(v[1], np.hypot(v[0], v[2]))) for v in (own, goal)]
        level = [float(np.hypot(v[0], v[2])) / max(float(np.linalg.norm(v)), 1e-9) for v in (own, goal)]
        yaw = float(np.arctan2(goal[0], goal[2]) - np.arctan2(own[0], own[2]))
        yaw -= 2.0 * np.pi * round(yaw / (2.0 * np.pi))
        if abs(pitch[0] - pitch[1]) > FLAT or min(level) < 0.3 or abs(yaw) > ASTRAY:
            return quat.multiply(quat.shortest_arc(quat.rotate(above, spans[0]), goal), above)
        return quat.multiply(_about_y(yaw), self.hips_turn)


def tip_of(
    skeleton: Skeleton, chains: ChainMap, bone: int, source: bool, places: FloatArray
) -> FloatArray | None:
    """Where a mapped bone ends: at the next bone of the map below it, the middle of several, else its child.

    Parameters
    ----------
    places : model places ``(..., B, 3)``
    """
    rows = tip_bones(skeleton, chains, bone, source)
    return None if not len(rows) else np.asarray(places[..., rows, :].mean(axis=-2))


def tip_bones(skeleton: Skeleton, chains: ChainMap, bone: int, source: bool) -> IntArray:
    """Bones whose middle is the end of a mapped bone; empty where it has no children."""
    found: list[int] = []
    part = next(
        (p.part for p in chains.chains if skeleton.names[bone] in (p.source if source else p.target)), None
    )
    for pair in chains.chains:
        if pair.part is Part.OTHER:
            continue
        names = pair.source if source else pair.target
        numbers = [skeleton.index(name) for name in names]
        if pair.part is Part.FINGER and part is Part.HAND:
            if not pair.name.endswith("thumb") and _is_below(skeleton, numbers[0], bone):
                found.append(numbers[0])
            continue
        below = [b for b in numbers if _is_below(skeleton, b, bone)]
        if below and not any(_is_below(skeleton, below[0], other) for other in found):
            found = [b for b in found if not _is_below(skeleton, b, below[0])] + [below[0]]
    if not found:
        found = _ends_below(skeleton, bone)
    if part in (Part.SPINE, Part.HIPS, Part.NECK):
        middle = [b for b in found if not _sided(skeleton, chains, b, source)]
        found = middle or found
    return np.array(found, dtype=np.int32)


def _ends_below(skeleton: Skeleton, bone: int) -> list[int]:
    """The first bones below one that stand elsewhere, one a branch; thumbs and helpers do not count."""
    found = []
    for child in skeleton.children(bone):
        if _ASIDE.search(skeleton.names[child].lower()):
            continue
        if float(np.linalg.norm(skeleton.rest.translation[child])) > 1e-6:
            found.append(child)
        else:
            found += _ends_below(skeleton, child)
    return found


def _sided(skeleton: Skeleton, chains: ChainMap, bone: int, source: bool) -> bool:
    name = skeleton.names[bone]
    return any(
        name in (p.source if source else p.target) and p.name.startswith(("left ", "right "))
        for p in chains.chains
    )


def _is_below(skeleton: Skeleton, bone: int, above: int) -> bool:
    while (bone := skeleton.parent(bone)) >= 0:
        if bone == above:
            return True
    return False


def standing_frame(
    source: Skeleton, target: Skeleton, chains: ChainMap, local: Transform, most: int = 240
) -> int:
    """Frame of a clip that looks most like the target's rest pose, for sources whose own rest is none.

    Compared are the directions of arms, legs and trunk, each figure seen from its own front.
    """
    frames = np.unique(np.linspace(0, len(local.translation) - 1, most).astype(int))
    model = kinematics.to_model(source, Transform(*(part[frames] for part in local))).translation
    rest = down_chain(target.parents, target.rest).translation
    goal = body_of(target, chains, rest, False)
    cost = np.zeros(len(frames))
    for row, places in enumerate(model):
        body = body_of(source, chains, places, True)
        turn = _about_y(goal.yaw() - body.yaw())
        cost[row] = 0.0 if body.stands else 10.0
        for pair in chains.chains:
            if pair.part not in (Part.SPINE, Part.ARM, Part.LEG):
                continue
            spans = []
            for skeleton, bones, at, is_source in (
                (source, pair.source, places, True),
                (target, pair.target, rest, False),
            ):
                for bone in (bones[0], bones[-1]):
                    number = skeleton.index(bone)
                    tip = tip_of(skeleton, chains, number, is_source, at)
                    spans.append(np.zeros(3) if tip is None else tip - at[number])
            arcs = quat.shortest_arc(quat.rotate(turn, np.array(spans[:2])), np.array(spans[2:]))
            cost[row] += float(quat.angle_between(quat.IDENTITY, arcs).sum())
    return int(frames[int(np.argmin(cost))])


def with_flat_feet(source: Skeleton, chains: ChainMap, local: Transform, frame: int) -> Transform:
    """One frame's pose ``(B, k)`` whose feet are tilted as where they stand best in a clip ``(T, B, k)``.

    A frame in which arms and legs stand like a rest pose may have a foot in the air; how a foot is
    tilted there says nothing of how it stands. Its heading stays.
    """
    model = kinematics.to_model(source, local)
    rotation = np.array(model.rotation[frame])
    for pair in (*chains.part(Part.FOOT), *chains.part(Part.TOE)):
        bone = source.index(pair.source[0])
        end = tip_bones(source, chains, bone, True)
        if not len(end):
            continue
        tips = model.translation[:, end].mean(axis=1)
        heights = model.translation[:, bone, 1] + tips[:, 1]
        still = np.linalg.norm(np.gradient(tips, axis=0), axis=-1) if len(tips) > 1 else np.zeros(1)
        best = int(np.argmin(heights + STILL * still))
        spans = [tips[k] - model.translation[k, bone] for k in (best, frame)]
        yaw = float(np.arctan2(spans[1][0], spans[1][2]) - np.arctan2(spans[0][0], spans[0][2]))
        turn = quat.multiply(_about_y(yaw), model.rotation[best, bone])
        change = quat.multiply(turn, quat.conjugate(rotation[bone]))
        below = source.descendants([bone])
        rotation[below] = quat.multiply(change, rotation[below])
    here = Transform(*(np.asarray(part)[frame] for part in local))
    return here._replace(rotation=quat.normalise(_local_rotations(source.parents, rotation)))


def _local_rotations(parents: IntArray, model: FloatArray) -> FloatArray:
    above = np.where((parents < 0)[:, None], quat.IDENTITY, model[np.maximum(parents, 0)])
    return quat.multiply(quat.conjugate(above), model)


def _about_y(radians: float) -> FloatArray:
    return np.array([0.0, np.sin(radians / 2), 0.0, np.cos(radians / 2)])


def _share(v: FloatArray) -> float:
    return float(v[1]) / max(float(np.linalg.norm(v)), 1e-9)
