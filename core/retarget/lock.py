"""Holding feet, and hands where wanted, where the source's stand, by two-bone IK (spec: retargeting, 2)."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from core.arrays import BoolArray, FloatArray
from core.ik import two_bone
from core.math import quat
from core.math.transform import Transform, down_chain
from core.pose import kinematics
from core.retarget.align import body_of
from core.retarget.chain_map import Part
from core.retarget.contacts import ContactLimits, ContactSpan, mask_of, runs, spans_of, standing
from core.retarget.transfer import Binding, leg_sizes

SAME = 1e-6
"""Metres, in leg heights, within which the target already does what the source does, and nothing is held."""

EASE = 0.15
"""Seconds over which a correction comes and goes outside a contact."""

LEAD = 0.1
"""Seconds over which the standing points of a foot are compared for which of them moves less."""

BIAS = 0.02
"""Part of a limb's length by which a nearly straight one is taken to bend the way it does at rest."""

FAR_OFF = 0.1
"""Leg heights that standing feet may be off the floor for the whole figure to be put down on it."""

FULL = 0.9995
"""Part of a limb's length that it is stretched to at most."""


@dataclass(frozen=True, slots=True)
class LockOptions:
    """What is held.

    Parameters
    ----------
    feet, hands : which limbs
    floor : whether standing feet are put on the floor, and none goes below it
    limits : when a point counts as standing
    spans : contacts that a person edited, instead of those found
    """

    feet: bool = True
    hands: bool = False
    floor: bool = True
    limits: ContactLimits = field(default_factory=ContactLimits)
    spans: tuple[ContactSpan, ...] | None = None


@dataclass(frozen=True, slots=True)
class Slip:
    """How far standing points slid, millimetres a contact on average, and how many contacts there were."""

    contacts: int
    before: float
    after: float
    worst_after: float
    reach: float
    """Metres that the worst goal was out of reach."""


@dataclass(frozen=True, slots=True)
class _Limb:
    """A limb in both skeletons: target bones from its root to its end, and the points that stand."""

    name: str
    bones: tuple[int, int, int]
    points: tuple[tuple[int, int], ...]


def limbs_of(binding: Binding, options: LockOptions) -> tuple[_Limb, ...]:
    """The limbs that can be held: those with two bones and an end in both skeletons."""
    found = []
    for upper, end, tip, wanted in (
        (Part.LEG, Part.FOOT, Part.TOE, options.feet),
        (Part.ARM, Part.HAND, None, options.hands),
    ):
        for pair in binding.chains.part(upper) if wanted else ():
            side = pair.name.split()[0]
            foot = next((p for p in binding.chains.part(end) if p.name.startswith(f"{side} ")), None)
            if len(pair.target) != 2 or foot is None:
                continue
            s, t = binding.source.index, binding.target.index
            points = [(s(foot.source[0]), t(foot.target[0]))]
            toes = [
                toe for toe in (binding.chains.part(tip) if tip else ()) if toe.name.startswith(f"{side} ")
            ]
            points += [(s(toe.source[0]), t(toe.target[0])) for toe in toes]
            bones = (t(pair.target[0]), t(pair.target[1]), t(foot.target[0]))
            found.append(_Limb(foot.name, bones, tuple(points)))
    return tuple(found)


def find_contacts(
    binding: Binding, places: FloatArray, fps: float, options: LockOptions | None = None
) -> tuple[ContactSpan, ...]:
    """Spans in which the source's feet (and hands) stand.

    Parameters
    ----------
    places : model places ``(T, Bs, 3)`` of the source
    """
    chosen = options or LockOptions()
    if chosen.spans is not None:
        return chosen.spans
    size = leg_sizes(binding.source, binding.chains, binding.alignment.local, True)[0]
    rest = down_chain(binding.source.parents, binding.alignment.local).translation[:, 1]
    floor = _source_floor(binding, rest, size)
    spans: list[ContactSpan] = []
    for limb in limbs_of(binding, chosen):
        for number, (bone, _) in enumerate(limb.points):
            height = float(rest[bone]) - floor if limb.name.endswith("foot") else 0.1 * size
            down = standing(places[:, bone], size, fps, chosen.limits, height)
            spans += spans_of(limb.name, number, down)
    return tuple(spans)


def held(
    binding: Binding, source: Transform, local: Transform, fps: float, options: LockOptions | None = None
) -> tuple[Transform, Slip]:
    """The target's poses with standing limbs kept where they stand.

    Parameters
    ----------
    source : local transforms ``(T, Bs, k)`` of the clip that contacts are found in
    local : the target's, from `core.retarget.transfer.transfer`
    fps : frames a second

    Returns
    -------
    poses, slip
        Bone lengths and the model rotation of feet and hands stay. Poses that already do exactly what
        the source does, scaled, are returned as they are.
    """
    chosen = options or LockOptions()
    target = binding.target
    places = kinematics.to_model(binding.source, source).translation
    spans = find_contacts(binding, places, fps, chosen)
    model = kinematics.to_model(target, local)
    limbs = limbs_of(binding, chosen)
    masks = {limb.name: _masks(spans, limb, len(places)) for limb in limbs}
    before = _slips(model.translation, limbs, spans)
    same = _agrees(binding, places, model.translation, limbs)
    result, reach = local, 0.0
    if not same:
        if chosen.floor:
            result = _grounded(binding, result, model, limbs, masks)
            model = kinematics.to_model(target, result)
        for limb in limbs:
            shift = _shift(model.translation, limb, masks[limb.name], fps)
            if chosen.floor and limb.name.endswith("foot"):
                shift[:, 1] = _floor(binding, model.translation, limb, masks[limb.name], fps)
            result, missed = _reached(binding, result, model, limb, shift)
            reach = max(reach, missed)
    after = before if same else _slips(kinematics.to_model(target, result).translation, limbs, spans)
    count = len(before)
    mean = [float(np.mean(s)) * 1e3 if len(s) else 0.0 for s in (before, after)]
    return result, Slip(count, mean[0], mean[1], float(np.max(after, initial=0.0)) * 1e3, reach)


def _source_floor(binding: Binding, rest: FloatArray, size: float) -> float:
    """Height of the floor under the source's aligned rest, as its leg height was measured."""
    roots = [rest[binding.source.index(p.source[0])] for p in binding.chains.part(Part.LEG)]
    return float(np.mean(roots)) - size if roots else 0.0


def _masks(spans: Sequence[ContactSpan], limb: _Limb, frames: int) -> BoolArray:
    return np.array([mask_of(spans, limb.name, p, frames) for p in range(len(limb.points))])


def _agrees(binding: Binding, source: FloatArray, target: FloatArray, limbs: Sequence[_Limb]) -> bool:
    """Whether every point already goes the source's way, scaled, so that its slip is the clip's own."""
    size = leg_sizes(binding.target, binding.chains, binding.target.rest, False)[0] or 1.0
    for limb in limbs:
        for a, b in limb.points:
            wanted = quat.rotate(binding.alignment.heading, source[:, a] * binding.scale)
            if np.abs(wanted - target[:, b]).max(initial=0.0) > SAME * size:
                return False
    return True


def _slips(places: FloatArray, limbs: Sequence[_Limb], spans: Sequence[ContactSpan]) -> FloatArray:
    """Metres over the ground that each contact's point gets away from where it came down."""
    slid = []
    for limb in limbs:
        for span in spans:
            if span.limb == limb.name and span.last > span.first:
                path = places[span.first : span.last + 1, limb.points[span.point][1]][:, [0, 2]]
                slid.append(float(np.linalg.norm(path - path[0], axis=-1).max()))
    return np.array(slid)


# ---------------------------------------------------------------- what to correct


def _shift(places: FloatArray, limb: _Limb, masks: BoolArray, fps: float) -> FloatArray:
    """Shift ``(T, 3)`` over the ground that keeps the standing point still, eased in and out.

    While two points stand, the one that moves less leads; over a stance the shifts are balanced
    around zero.
    """
    points = np.stack([places[:, bone] for _, bone in limb.points])
    steps = np.diff(points, axis=1)
    both = masks[:, 1:] & masks[:, :-1]
    width = min(max(round(LEAD * fps), 1), steps.shape[1])
    length = np.linalg.norm(steps[..., [0, 2]], axis=-1)
    # by their speed over a while: noise from frame to frame must not choose
    smooth = np.stack([np.convolve(row, np.ones(width) / width, mode="same") for row in length])
    weight = both / (smooth + 1e-6) ** 4
    total = weight.sum(axis=0)
    share = weight / np.where(total > 0.0, total, 1.0)
    step = -(share[..., None] * steps).sum(axis=0)
    shift = np.zeros((places.shape[0], 3))
    stances = runs(np.asarray(masks.any(axis=0)))
    for first, last in stances:
        way = np.concatenate((np.zeros((1, 3)), np.cumsum(step[first:last], axis=0)))
        shift[first : last + 1] = way - way.mean(axis=0)
    shift[:, 1] = 0.0
    return _eased(shift, stances, fps)


def _eased(shift: FloatArray, stances: Sequence[tuple[int, int]], fps: float) -> FloatArray:
    """Fill the frames between stances: down to nothing and up again, or straight over where time is short."""
    result = shift.copy()
    count, ease = len(shift), max(round(EASE * fps), 1)
    marks = [(-1, -1), *stances, (count, count)]
    for (_, left), (right, _) in itertools.pairwise(marks):
        gap = np.arange(left + 1, right)
        if not len(gap):
            continue
        before = shift[left] if left >= 0 else np.zeros(3)
        after = shift[right] if right < count else np.zeros(3)
        width = min(ease, right - left)
        out = _smooth(1.0 - (gap - left) / width)[:, None]
        back = _smooth(1.0 - (right - gap) / width)[:, None]
        result[gap] = before * out + after * back
    return result


def _smooth(u: FloatArray) -> FloatArray:
    x = np.clip(u, 0.0, 1.0)
    return np.asarray(x * x * (3.0 - 2.0 * x))


def _heights(binding: Binding, places: FloatArray, limb: _Limb) -> FloatArray:
    """How far each point ``(P, T)`` is over where it stands in the target's rest pose."""
    rest = down_chain(binding.target.parents, binding.target.rest).translation
    return np.stack([places[:, bone, 1] - _standing_height(binding, rest, bone) for _, bone in limb.points])


def _standing_height(binding: Binding, rest: FloatArray, bone: int) -> float:
    """A point's height over the floor at rest: over model zero where the rest stands there, else over the feet."""
    feet = [rest[binding.target.index(p.target[0]), 1] for p in binding.chains.part(Part.FOOT)]
    toes = [rest[binding.target.index(p.target[0]), 1] for p in binding.chains.part(Part.TOE)]
    low = min([*feet, *toes], default=0.0)
    size = leg_sizes(binding.target, binding.chains, binding.target.rest, False)[0]
    floor = 0.0 if abs(low) < 0.2 * size else low
    return float(rest[bone, 1] - floor)


def _grounded(
    binding: Binding, local: Transform, model: Transform, limbs: Sequence[_Limb], masks: dict[str, BoolArray]
) -> Transform:
    """The whole figure put on the floor by what its standing feet are off by, one height a clip."""
    off = [
        _heights(binding, model.translation, limb)[masks[limb.name]]
        for limb in limbs
        if limb.name.endswith("foot")
    ]
    known = np.concatenate(off) if off else np.zeros(0)
    hips = binding.chains.part(Part.HIPS)
    size = leg_sizes(binding.target, binding.chains, binding.target.rest, False)[0]
    # a few frames by chance, or feet far off, do not say where the floor is
    if len(known) < 4 or not hips or abs(float(np.median(known))) > FAR_OFF * size:
        return local
    bone = binding.target.index(hips[0].target[0])
    parent = binding.target.parent(bone)
    drop = np.array([0.0, -float(np.median(known)), 0.0])
    if parent >= 0:
        drop = quat.rotate(quat.conjugate(model.rotation[:, parent]), drop)
    translation = np.array(local.translation)
    translation[:, bone] += drop
    return local._replace(translation=translation)


def _floor(binding: Binding, places: FloatArray, limb: _Limb, masks: BoolArray, fps: float) -> FloatArray:
    """Lift ``(T,)`` that puts the lowest standing point on the floor, and no point below it."""
    heights = _heights(binding, places, limb)
    stances = runs(np.asarray(masks.any(axis=0)))
    lowest = np.where(masks, heights, np.inf).min(axis=0)
    lift = np.zeros((len(lowest), 3))
    lift[:, 1] = np.where(np.isfinite(lowest), -lowest, 0.0)
    eased = _eased(lift, stances, fps)[:, 1]
    return np.asarray(np.maximum(eased, -heights.min(axis=0)))


# ---------------------------------------------------------------- IK


def _reached(
    binding: Binding, local: Transform, model: Transform, limb: _Limb, shift: FloatArray
) -> tuple[Transform, float]:
    """The limb bent so that its end goes where it is shifted to; metres that the worst goal is missed by."""
    target = binding.target
    moved = np.linalg.norm(shift, axis=-1) > 1e-9
    if not moved.any():
        return local, 0.0
    upper, lower, end = limb.bones
    here = Transform(*(part[moved] for part in model))
    places = [np.ascontiguousarray(here.translation[:, bone]) for bone in limb.bones]
    goal = places[2] + shift[moved]
    wanted = goal - places[0]
    size = np.linalg.norm(places[1] - places[0], axis=-1) + np.linalg.norm(places[2] - places[1], axis=-1)
    far = np.linalg.norm(wanted, axis=-1)
    # a limb that the clip has stretched straight may stay so
    most = np.maximum(FULL * size, np.linalg.norm(places[2] - places[0], axis=-1))
    near = np.minimum(1.0, most / np.maximum(far, 1e-9))
    reached = places[0] + wanted * near[:, None]
    pole = places[1] + BIAS * size[:, None] * quat.rotate(here.rotation[:, upper], _bend(binding, limb))
    placed, first, second = two_bone.solved(places[0], places[1], places[2], reached, pole)
    rotation = np.array(local.rotation)
    turned = quat.multiply(second, first)
    new = {
        upper: quat.multiply(first, here.rotation[:, upper]),
        lower: quat.multiply(turned, here.rotation[:, lower]),
        end: here.rotation[:, end],
    }
    for bone, turn in ((upper, quat.IDENTITY), (lower, first), (end, turned)):
        parent = target.parent(bone)
        above = here.rotation[:, parent] if parent >= 0 else np.broadcast_to(quat.IDENTITY, new[bone].shape)
        above = quat.multiply(turn, above)
        rotation[moved, bone] = quat.normalise(quat.multiply(quat.conjugate(above), new[bone]))
    missed = float(np.max(np.linalg.norm(placed.end - goal, axis=-1), initial=0.0))
    return local._replace(rotation=rotation), missed


def _bend(binding: Binding, limb: _Limb) -> FloatArray:
    """Direction in the upper bone's frame in which the limb bends: legs to the front, arms to the back."""
    target = binding.target
    rest = down_chain(target.parents, target.rest)
    body = body_of(target, binding.chains, rest.translation, False)
    front = np.cross(body.left, body.up) * (1.0 if limb.name.endswith("foot") else -1.0)
    return quat.rotate(quat.conjugate(rest.rotation[limb.bones[0]]), front)
