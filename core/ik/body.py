"""Pulling one bone of a whole body about, with others pinned where they are."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from core.arrays import FloatArray
from core.ik.chain import model_of
from core.ik.hands import eased_wrist
from core.ik.solve import IkGoal, present_goal, solve
from core.math import quat
from core.math.transform import Transform
from core.rig.ik_setup import EndRotation, IkSetup, IkSolver, IkTarget
from core.rig.rig import Rig
from core.rig.roles import FINGERS, Role, Roles
from core.rig.spaces import is_space

HOLD_TOLERANCE = 1e-6
ROUNDS = 24
SPINE_STIFFNESS = 0.85
"""How little of a pull the spine takes in full-body scope; the limb takes the rest."""
NEARLY = 1e-4
CHAIN_STIFFNESS = 0.5
"""How little of a pull along the whole chain the spine takes."""


class PinKind(StrEnum):
    """What of a bone is held."""

    POSITION = "position"
    ROTATION = "rotation"
    BOTH = "both"


class Reach(StrEnum):
    """How much of the body follows a bone that is dragged: CHAIN is all above it up to the hips, which stay."""

    BONE = "bone"
    LIMB = "limb"
    CHAIN = "chain"
    BODY = "body"


class Pulled(NamedTuple):
    """A pose ``(B, k)`` after a pull.

    Parameters
    ----------
    residual : metres between the pulled bone and its goal
    iterations : steps of the solver, over all rounds
    held : pinned bone → metres it was torn from its place
    """

    local: Transform
    residual: float
    iterations: int
    held: Mapping[str, float]


def limb_setup(rig: Rig, roles: Roles, bone: str) -> IkSetup | None:
    """The chain that carries a bone: the rig's own set-up where one ends there, else its limb.

    None for bones without a limb above (a root, the hips).
    """
    own = [s for s in rig.ik_setups if s.tip == bone and not s.solver.single and not is_space(s)]
    own.sort(key=lambda s: not s.enabled)
    if own:
        return replace(own[0], weight=1.0, goal=IkTarget())
    part = roles.of(bone)
    root = _limb_root(rig, roles, bone)
    if root is None or root == bone:
        return None
    count = len(rig.skeleton.chain(rig.skeleton.index(bone), rig.skeleton.index(root))) - 1
    limb = part is not None and part[0] in (Role.HAND, Role.FOOT)
    solver = IkSolver.TWO_BONE if limb and count == 2 else IkSolver.CCD
    end = EndRotation.MODEL if limb else EndRotation.LOCAL
    return IkSetup(
        bone, root, bone, solver, pole=IkTarget() if limb else None, end_rotation=end, tolerance=1e-4
    )


def chain_setup(rig: Rig, roles: Roles, bone: str) -> IkSetup | None:
    """The chain of all bones above one, up to the child of the hips (or of a root); None where there are none."""
    skeleton, hips = rig.skeleton, roles.one(Role.HIPS)
    line = [skeleton.index(bone)]
    while skeleton.parent(line[-1]) >= 0 and skeleton.names[skeleton.parent(line[-1])] != hips:
        line.append(skeleton.parent(line[-1]))
    if skeleton.parent(line[-1]) < 0:  # not below the hips: the root itself stays
        line = line[:-1]
    if len(line) < 2:
        return None
    part = roles.of(bone)
    limb = part is not None and part[0] in (Role.HAND, Role.FOOT)
    end = EndRotation.MODEL if limb else EndRotation.LOCAL
    spine = dict.fromkeys((b for b in roles.bones(Role.SPINE) if b != bone), CHAIN_STIFFNESS)
    return IkSetup(
        bone, skeleton.names[line[-1]], bone, IkSolver.CCD, end_rotation=end, stiffness=spine, tolerance=1e-4,
        iterations=200, step=10.0,
    )  # fmt: skip


def _limb_root(rig: Rig, roles: Roles, bone: str) -> str | None:
    part = roles.of(bone)
    first: str | None = None
    if part is not None:
        role, side = part
        if role in (Role.LOWER_ARM, Role.HAND):
            first = roles.one(Role.UPPER_ARM, side)
        elif role in (Role.CALF, Role.FOOT):
            first = roles.one(Role.THIGH, side)
        elif role is Role.TOE:
            first = roles.one(Role.FOOT, side)
        elif role in FINGERS:
            first = roles.one(role, side)
        elif role is Role.HEAD:
            first = roles.one(Role.NECK) or next(iter(roles.bones(Role.SPINE)[-1:]), None)
        elif role in (Role.SPINE, Role.NECK):
            first = roles.one(role)
        elif role is Role.HIPS:
            return None
    number = rig.skeleton.index(bone)
    # roles may be chosen by hand: a first bone that is not above this one carries it nowhere
    if first is not None and rig.skeleton.index(first) in rig.skeleton.above(number):
        return first
    parent = rig.skeleton.parent(number)
    if parent < 0:
        return None
    above = roles.of(rig.skeleton.names[parent])
    if part is not None and above is not None and above[0] is Role.HIPS:
        return None
    if part is None and above is None:  # props and tails: two bones up, as far as these fork nowhere
        up = rig.skeleton.parent(parent)
        if up >= 0 and len(rig.skeleton.children(parent)) == 1:
            parent = up
    return rig.skeleton.names[parent]


def held(
    rig: Rig,
    roles: Roles,
    before: Transform,
    after: Transform,
    pins: Mapping[str, PinKind],
    leave: str | None = None,
) -> tuple[Transform, dict[str, float]]:
    """Bring pinned bones of `after` back to where they are in `before` (local transforms ``(B, k)``).

    Poles follow what was done in `after`, so that a knee may still be swung about a pinned foot.
    `leave` is a bone that is being moved on purpose. Returns the pose and the metres each pinned
    bone is off.
    """
    depths = rig.skeleton.depths()
    order = sorted(
        (b for b in pins if b != leave and rig.skeleton.find(b) is not None), key=rig.skeleton.index
    )
    order.sort(key=lambda b: int(depths[rig.skeleton.index(b)]))
    gaps: dict[str, float] = {}
    for bone in order:
        place, turn, _ = model_of(rig.skeleton, before, rig.skeleton.index(bone))
        after, gaps[bone] = _brought(rig, roles, after, bone, place, turn, pins[bone])
    return after, gaps


def _brought(
    rig: Rig, roles: Roles, local: Transform, bone: str, place: FloatArray, turn: FloatArray, kind: PinKind
) -> tuple[Transform, float]:
    number = rig.skeleton.index(bone)
    gap = float(np.linalg.norm(_place(rig, local, bone) - place))
    setup = limb_setup(rig, roles, bone)
    if kind is not PinKind.ROTATION and gap > HOLD_TOLERANCE and setup is not None:
        end = EndRotation.LOCAL if kind is PinKind.POSITION else EndRotation.GOAL
        setup = replace(setup, end_rotation=end, tolerance=HOLD_TOLERANCE, iterations=60, soft=0.0)
        goal = replace(present_goal(rig, local, setup), position=place, rotation=turn)
        result = solve(rig, local, setup, goal)
        local, gap = result.local, float(result.residual)
    elif kind is not PinKind.ROTATION and gap > HOLD_TOLERANCE and setup is None:
        translation = np.array(local.translation)
        translation[number] = _into_parent(rig, local, number, place)
        local, gap = local._replace(translation=translation), 0.0
    if kind is not PinKind.POSITION:
        local = _turned(rig, local, number, turn)
    return local, (0.0 if kind is PinKind.ROTATION else gap)


def _turned(rig: Rig, local: Transform, bone: int, turn: FloatArray) -> Transform:
    """A bone given a model rotation; unchanged bits where it has it already."""
    if quat.angle_between(model_of(rig.skeleton, local, bone).rotation, turn) < 1e-9:
        return local
    parent = rig.skeleton.parent(bone)
    above = model_of(rig.skeleton, local, parent).rotation if parent >= 0 else quat.IDENTITY
    rotation = np.array(local.rotation)
    rotation[bone] = quat.normalise(quat.multiply(quat.conjugate(above), turn))
    return local._replace(rotation=rotation)


def _place(rig: Rig, local: Transform, bone: str) -> FloatArray:
    return model_of(rig.skeleton, local, rig.skeleton.index(bone)).translation


def _into_parent(rig: Rig, local: Transform, bone: int, place: FloatArray) -> FloatArray:
    parent = rig.skeleton.parent(bone)
    if parent < 0:
        return np.asarray(place)
    above = model_of(rig.skeleton, local, parent)
    turned = quat.rotate(quat.conjugate(above.rotation), place - above.translation)
    into: FloatArray = turned / np.where(above.scale == 0.0, 1.0, above.scale)
    return into


def pulled(
    rig: Rig,
    roles: Roles,
    local: Transform,
    bone: str,
    goal: FloatArray,
    reach: Reach,
    pins: Mapping[str, PinKind] | None = None,
    keep_hand: bool = False,
) -> Pulled:
    """Move a bone of a pose ``(B, k)`` to a model position, as much of the body following as asked.

    Parameters
    ----------
    reach : BONE moves the bone alone; LIMB its chain; CHAIN all up to the hips; BODY the hips, too, with the
        feet left standing where no other pin says otherwise
    pins : bones that keep their places in the pose given
    keep_hand : whether a hand keeps its model rotation however far its wrist bends for it; else it does as far as
        `eased_wrist` finds that comfortable, and follows the lower arm beyond
    """
    fixed = dict(pins or {})
    chain = limb_setup(rig, roles, bone)
    own = any(s.enabled and s.tip == bone and not s.solver.single and not is_space(s) for s in rig.ik_setups)
    eases = reach is not Reach.BONE and not (keep_hand or own or bone in fixed)
    if reach is Reach.BONE or (reach is Reach.LIMB and chain is None):
        after, steps = _shifted(rig, local, bone, goal), 0
    elif reach is Reach.LIMB:
        assert chain is not None
        after, steps = _limb(rig, local, chain, goal)
    elif reach is Reach.CHAIN:
        whole = chain_setup(rig, roles, bone)
        after, steps = _shifted(rig, local, bone, goal), 0
        if whole is not None:
            after, steps = _limb(rig, local, whole, goal)
    else:
        for leg in roles.legs():
            if leg.end is not None and leg.end != bone:
                fixed.setdefault(leg.end, PinKind.BOTH)
        after, steps = _body(rig, roles, local, bone, goal, chain, fixed)
    if eases:
        after = eased_wrist(rig, roles, local, after, bone)
    after, gaps = held(rig, roles, local, after, fixed, bone)
    return Pulled(after, float(np.linalg.norm(_place(rig, after, bone) - goal)), steps, gaps)


class Solved(NamedTuple):
    """Names of the bones that a pull decides, parents before children, whether or not it moves them.

    Parameters
    ----------
    bones : all of them
    placed : those that it moves, not only turns
    """

    bones: tuple[str, ...]
    placed: frozenset[str]


def solved_bones(rig: Rig, roles: Roles, bone: str, reach: Reach, pins: Iterable[str] = ()) -> Solved:
    """The bones that `pulled` decides with a reach: the limb, the chain, or what of the body may follow.

    Parameters
    ----------
    pins : bones that keep their places, each with its limb
    """
    skeleton, hips = rig.skeleton, roles.one(Role.HIPS)
    limb, whole = limb_setup(rig, roles, bone), chain_setup(rig, roles, bone)
    fixed = [pin for pin in pins if pin != bone and skeleton.find(pin) is not None]
    chains = [limb_setup(rig, roles, pin) for pin in fixed]
    names, placed = {bone, *fixed}, set[str]()
    placed.update(pin for pin, chain in zip(fixed, chains, strict=True) if chain is None)
    if reach is Reach.BODY:
        feet = [leg.end for leg in roles.legs() if leg.end is not None and leg.end != bone]
        chains += [limb_setup(rig, roles, foot) for foot in feet]
    if reach is Reach.BODY and hips is not None and limb is not None:
        chains += [limb, _trunk(rig, roles, bone)]
        placed.add(hips)
    elif (reach is Reach.LIMB and limb is not None) or (reach is Reach.CHAIN and whole is not None):
        chains.append(limb if reach is Reach.LIMB else whole)
    else:
        placed.add(bone)
    for chain in chains:
        if chain is not None:
            line = skeleton.chain(skeleton.index(chain.tip), skeleton.index(chain.root))
            names.update(skeleton.names[b] for b in line)
    return Solved(tuple(sorted(names | placed, key=skeleton.index)), frozenset(placed))


def _shifted(rig: Rig, local: Transform, bone: str, goal: FloatArray) -> Transform:
    number = rig.skeleton.index(bone)
    translation = np.array(local.translation)
    translation[number] = _into_parent(rig, local, number, goal)
    return local._replace(translation=translation)


def _limb(rig: Rig, local: Transform, setup: IkSetup, goal: FloatArray) -> tuple[Transform, int]:
    present = present_goal(rig, local, setup)
    result = solve(rig, local, setup, IkGoal(goal, present.rotation, present.pole), setup.weight)
    return result.local, int(result.iterations)


def _body(
    rig: Rig,
    roles: Roles,
    local: Transform,
    bone: str,
    goal: FloatArray,
    chain: IkSetup | None,
    pins: Mapping[str, PinKind],
) -> tuple[Transform, int]:
    """The limb reaches; what it lacks, spine and hips give, as far as pinned feet let them."""
    hips = roles.one(Role.HIPS)
    if hips is None or chain is None:
        return _shifted(rig, local, bone, goal), 0
    trunk = _trunk(rig, roles, bone)
    after, steps = local, 0
    for _ in range(ROUNDS):
        after, taken = _limb(rig, after, chain, goal)
        steps += taken
        lacking = goal - _place(rig, after, bone)
        if np.linalg.norm(lacking) < NEARLY:
            break
        if trunk is not None:
            after, taken = _limb(rig, after, trunk, goal)
            steps += taken
        lacking = goal - _place(rig, after, bone)
        at = _place(rig, after, hips) + 0.5 * lacking
        after = _shifted(rig, after, hips, _within_reach(rig, roles, local, after, hips, at, pins))
        after, _ = held(rig, roles, local, after, pins, bone)
    return after, steps


def _trunk(rig: Rig, roles: Roles, bone: str) -> IkSetup | None:
    """The spine down to a bone as one stiff chain; None where it hangs elsewhere."""
    spine = roles.bones(Role.SPINE)
    if not spine or not rig.skeleton.descendants([rig.skeleton.index(spine[0])])[rig.skeleton.index(bone)]:
        return None
    if spine[0] == bone:
        return None
    stiff = dict.fromkeys(spine, SPINE_STIFFNESS)
    clavicles = {b: 0.7 for side in (1, -1) for b in roles.bones(Role.CLAVICLE, side)}
    return IkSetup(
        "trunk", spine[0], bone, IkSolver.CCD, end_rotation=EndRotation.MODEL, stiffness={**stiff, **clavicles},
        iterations=1, step=6.0,
    )  # fmt: skip


def _within_reach(
    rig: Rig,
    roles: Roles,
    stood: Transform,
    now: Transform,
    hips: str,
    place: FloatArray,
    pins: Mapping[str, PinKind],
) -> FloatArray:
    """A place for the hips from which every pinned foot can still be reached."""
    hip = _place(rig, now, hips)
    legs = []
    for leg in roles.legs():
        if leg.end is None or pins.get(leg.end, PinKind.ROTATION) is PinKind.ROTATION:
            continue
        upper, lower, end = (_place(rig, now, b) for b in (leg.upper, leg.lower, leg.end))
        length = float(np.linalg.norm(lower - upper) + np.linalg.norm(end - lower))
        legs.append((upper - hip, length, _place(rig, stood, leg.end)))
    for _ in range(4):
        for socket, length, foot in legs:
            line = place + socket - foot
            distance = float(np.linalg.norm(line))
            if distance > 0.998 * length:
                place = place - line * (1.0 - 0.998 * length / distance)
    return place
