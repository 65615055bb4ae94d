"""IK set-ups that a rig of this shape is likely to want: arms, legs, fingers, spine, head."""

from dataclasses import replace

import numpy as np

from core.math import quat
from core.math.transform import down_chain
from core.rig.ik_setup import EndRotation, IkSetup, IkSolver, IkTarget
from core.rig.rig import Rig
from core.rig.roles import FINGERS, LEFT, MIDDLE, RIGHT, Limb, Role, Roles, rig_roles
from core.rig.spaces import is_space

SIDES = {LEFT: "Left", MIDDLE: "Middle", RIGHT: "Right"}
HEAD_LIMIT = 80.0
SPINE_STEP = 20.0


def propose_setups(rig: Rig, roles: Roles | None = None) -> tuple[IkSetup, ...]:
    """Set-ups for what the rig has; all off. A part without the bones it needs is left out.

    Arms and legs of just two bones are two-bone chains with a pole, others CCD; fingers and the
    spine are CCD, the head aims.
    """
    found = roles if roles is not None else rig_roles(rig)
    setups = [_limb(rig, limb, f"{SIDES[limb.side]} arm") for limb in found.arms()]
    setups += [_limb(rig, limb, f"{SIDES[limb.side]} leg") for limb in found.legs()]
    setups += [_spine(found), _head(rig, found)]
    for side in (LEFT, RIGHT):
        setups += [_finger(rig, found, role, side) for role in FINGERS]
    return _distinct([setup for setup in setups if setup is not None])


def missing_setups(rig: Rig) -> tuple[IkSetup, ...]:
    """Proposals for chains that no set-up of the rig has yet, under names that are free."""
    have = {(setup.root, setup.tip) for setup in rig.ik_setups if not is_space(setup)}
    taken = {setup.name for setup in rig.ik_setups}
    fresh = []
    for setup in propose_setups(rig):
        if (setup.root, setup.tip) not in have:
            name, number = setup.name, 2
            while name in taken:
                name, number = f"{setup.name} {number}", number + 1
            taken.add(name)
            fresh.append(replace(setup, name=name))
    return tuple(fresh)


def _limb(rig: Rig, limb: Limb, name: str) -> IkSetup | None:
    tip = limb.end
    if tip is None:  # no hand or foot: the end of the lower bone will do
        children = rig.skeleton.children(rig.skeleton.index(limb.lower))
        tip = rig.skeleton.names[children[0]] if children else None
    if tip is None:
        return None
    between = rig.skeleton.chain(rig.skeleton.index(tip), rig.skeleton.index(limb.upper))
    solver = IkSolver.TWO_BONE if len(between) == 3 else IkSolver.CCD
    pole = IkTarget() if solver is IkSolver.TWO_BONE else None
    return IkSetup(name, limb.upper, tip, solver, pole=pole, end_rotation=EndRotation.MODEL)


def _finger(rig: Rig, roles: Roles, role: Role, side: int) -> IkSetup | None:
    bones = roles.bones(role, side)
    if len(bones) < 3:
        return None
    tip = bones[-1]
    under = rig.skeleton.children(rig.skeleton.index(tip))
    if len(under) == 1:  # the fingertip itself, where the rig has it
        tip = rig.skeleton.names[under[0]]
    name = f"{SIDES[side]} {role.value}"
    return IkSetup(name, bones[0], tip, IkSolver.CCD, end_rotation=EndRotation.LOCAL)


def _spine(roles: Roles) -> IkSetup | None:
    bones = roles.bones(Role.SPINE)
    end = roles.one(Role.NECK) or roles.one(Role.HEAD)
    if len(bones) < 2 or end is None:
        return None
    return IkSetup("Spine", bones[0], end, IkSolver.CCD, end_rotation=EndRotation.LOCAL, step=SPINE_STEP)


def _head(rig: Rig, roles: Roles) -> IkSetup | None:
    """The head looks along what faces +Z at rest, with what points up at rest kept up."""
    head = roles.one(Role.HEAD)
    if head is None:
        return None
    rest = down_chain(rig.skeleton.parents, rig.skeleton.rest).rotation[rig.skeleton.index(head)]
    back = quat.conjugate(rest)
    forward, up = quat.rotate(back, np.array([0.0, 0.0, 1.0])), quat.rotate(back, np.array([0.0, 1.0, 0.0]))
    axes = [(float(v[0]), float(v[1]), float(v[2])) for v in (forward, up)]
    return IkSetup("Head", head, head, IkSolver.AIM, aim_axis=axes[0], up_axis=axes[1], aim_limit=HEAD_LIMIT)


def _distinct(setups: list[IkSetup]) -> tuple[IkSetup, ...]:
    """Names made unique, should a rig have two of a kind."""
    taken: set[str] = set()
    result = []
    for setup in setups:
        name, number = setup.name, 2
        while name in taken:
            name, number = f"{setup.name} {number}", number + 1
        taken.add(name)
        result.append(setup if name == setup.name else replace(setup, name=name))
    return tuple(result)
