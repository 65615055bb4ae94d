"""Where a retarget's alignment and the virtual bones stand in the world: what the viewport draws of them."""

from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray
from core.math import quat
from core.math import transform as transforms
from core.math.transform import down_chain
from core.retarget.align import tip_of
from core.retarget.chain_map import Part
from core.retarget.transfer import Binding
from core.rig.rig import Rig
from core.rig.virtual_bones import frame_of
from editor.model.retarget.state import Retargeting
from editor.model.session import Session

SEEN = 1.0
"""Degrees from which on a chain's turn is drawn without being chosen."""
ARC = 0.6
"""Where on the bone the arc is drawn, as a share of its length."""


@dataclass(frozen=True, slots=True, eq=False)
class ChainTurn:
    """How a chain's first bone was turned to agree with the target's, in the target's rest.

    Parameters
    ----------
    bone : the target's bone
    own, aligned : ``(3,)`` where the source's bone points by its own rest and after the turn, as long as
        the target's bone
    degrees : of the turn
    """

    chain: str
    part: Part
    bone: int
    own: FloatArray
    aligned: FloatArray
    degrees: float


@dataclass(frozen=True, slots=True, eq=False)
class AlignMark:
    """A chain's turn as drawn, world space.

    Parameters
    ----------
    centre, own, aligned : ``(3,)`` the bone's head, and where it would and does point
    arc : ``(N, 3)`` from the one to the other
    """

    chain: str
    degrees: float
    centre: FloatArray
    own: FloatArray
    aligned: FloatArray
    arc: FloatArray
    chosen: bool


@dataclass(frozen=True, slots=True, eq=False)
class VirtualMark:
    """A virtual bone as drawn: its place and that of its parent ``(3,)``, world space."""

    name: str
    place: FloatArray
    source: FloatArray
    chosen: bool


def chain_turns(binding: Binding) -> tuple[ChainTurn, ...]:
    """The turns of a map's chains; those whose bones point nowhere are left out."""
    source, target, alignment = binding.source, binding.target, binding.alignment
    posed = down_chain(source.parents, alignment.local).translation
    rest = down_chain(target.parents, target.rest).translation
    found = []
    for pair in binding.chains.chains:
        bones = source.index(pair.source[0]), target.index(pair.target[0])
        spans = [
            None
            if (tip := tip_of(skeleton, binding.chains, bone, side, places)) is None
            else tip - places[bone]
            for skeleton, bone, side, places in (
                (source, bones[0], True, posed),
                (target, bones[1], False, rest),
            )
        ]
        lengths = [0.0 if span is None else float(np.linalg.norm(span)) for span in spans]
        parent = source.parent(bones[0])
        if min(lengths) < 1e-6 or spans[0] is None or parent < 0:
            continue
        aligned = quat.rotate(alignment.heading, spans[0] * (lengths[1] / lengths[0]))
        turn = quat.multiply(alignment.turn[parent], quat.conjugate(alignment.turn[bones[0]]))
        own = quat.rotate(alignment.heading, quat.rotate(turn, spans[0] * (lengths[1] / lengths[0])))
        degrees = alignment.deviation.get(pair.name, 0.0)
        found.append(ChainTurn(pair.name, pair.part, bones[1], own, aligned, degrees))
    return tuple(found)


def align_marks(session: Session, turns: tuple[ChainTurn, ...]) -> tuple[AlignMark, ...]:
    """The turns on the character as it stands now: the chosen chain's, and those of more than a little."""
    rig, chosen = session.rig, session.feature(Retargeting).pick.chain
    if rig is None:
        return ()
    rest = down_chain(rig.skeleton.parents, rig.skeleton.rest).rotation
    model, world = session.evaluator.model(), transforms.from_matrix(session.evaluator.world())
    marks = []
    for turn in turns:
        if turn.chain != chosen and (turn.degrees < SEEN or turn.part is Part.FINGER):
            continue
        centre = np.asarray(model.translation[turn.bone])
        posed = quat.multiply(model.rotation[turn.bone], quat.conjugate(rest[turn.bone]))
        way = quat.to_rotation_vector(quat.shortest_arc(turn.own, turn.aligned))
        steps = np.linspace(0.0, 1.0, max(2, int(np.degrees(np.linalg.norm(way)) / 4.0) + 2))
        arc = quat.rotate(quat.from_rotation_vector(steps[:, None] * way), ARC * turn.own)
        own, aligned, rim = (
            transforms.apply(world, centre + quat.rotate(posed, v)) for v in (turn.own, turn.aligned, arc)
        )
        marks.append(
            AlignMark(
                turn.chain,
                turn.degrees,
                transforms.apply(world, centre),
                own,
                aligned,
                rim,
                turn.chain == chosen,
            )
        )
    return tuple(marks)


def virtual_marks(session: Session, rig: Rig) -> tuple[VirtualMark, ...]:
    """The virtual bones of the character as it stands now."""
    if not rig.virtual_bones:
        return ()
    model, world = session.evaluator.model(), transforms.from_matrix(session.evaluator.world())
    chosen = session.feature(Retargeting).virtual.chosen
    return tuple(
        VirtualMark(
            bone.name,
            transforms.apply(world, frame_of(rig, bone.name, model).translation),
            transforms.apply(world, frame_of(rig, bone.source, model).translation),
            chosen is not None and bone.name == chosen.name,
        )
        for bone in rig.virtual_bones
    )
