"""Setting up the mirror without Qt: lists being edited, the proposal, confidence and conflicts."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from core.errors import ValidationError
from core.math.transform import down_chain
from core.pose.mirror import reflected_vector
from core.rig.mirror import Evidence, MirrorProposal, propose, side_of
from core.rig.rig import MirrorSetup, Rig
from editor.model.i18n import tr
from editor.model.session import Session
from editor.model.tried import tried

WRONG_SIDE = 0.5
"""Confidence below which a pair wants looking at."""


class Role(StrEnum):
    """What a bone is to the mirror."""

    PAIR = "pair"
    AXIS = "axis"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class PairRow:
    """A pair: how sure (0..1), and why; `apart` is how far the rest positions are from being reflections, metres."""

    left: str
    right: str
    confidence: float
    why: str
    apart: float


@dataclass(frozen=True, slots=True)
class Lists:
    """What the panel shows."""

    axis: int
    pairs: tuple[PairRow, ...]
    axis_bones: tuple[str, ...]
    leftovers: tuple[str, ...]
    conflicts: tuple[str, ...]
    proposal_differs: bool


WHY = {
    Evidence.NAMES_AND_PLACES: "Names and rest positions agree",
    Evidence.NAMES: "Names only: rest positions differ",
    Evidence.PLACES: "Rest positions",
    Evidence.HIERARCHY: "The only bones left below a pair",
}


class MirrorLists:
    """Edits the rig's mirror lists; every edit is one undo step."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._proposal: tuple[Rig, int | None, MirrorProposal] | None = None

    def proposal(self, rig: Rig, axis: int | None = None) -> MirrorProposal:
        """What the tool would propose; worked out once for a skeleton."""
        known = self._proposal
        if known is None or known[0].skeleton is not rig.skeleton or known[1] != axis:
            known = rig, axis, propose(rig.skeleton, axis)
            self._proposal = known
        return known[2]

    def lists(self) -> Lists | None:
        """What to show; None without a character."""
        rig = self.session.rig
        if rig is None:
            return None
        mirror, skeleton = rig.mirror, rig.skeleton
        found = self.proposal(rig, mirror.axis if mirror.pairs or mirror.axis_bones else None)
        reasons = {(p.left, p.right): p for p in found.pairs}
        places = down_chain(skeleton.parents, skeleton.rest).translation
        reflected = reflected_vector(places, mirror.axis)
        rows = []
        for left, right in mirror.pairs:
            apart = float(np.linalg.norm(reflected[skeleton.index(left)] - places[skeleton.index(right)]))
            known = reasons.get((left, right))
            if known is not None:
                rows.append(PairRow(left, right, known.confidence, tr(WHY[known.evidence]), apart))
            else:
                rows.append(PairRow(left, right, 1.0, tr("Set by hand"), apart))
        listed = {bone for pair in mirror.pairs for bone in pair} | set(mirror.axis_bones)
        return Lists(
            mirror.axis, tuple(rows), mirror.axis_bones, tuple(n for n in skeleton.names if n not in listed),
            found.conflicts, _differs(found.setup(), mirror),
        )  # fmt: skip

    # ------------------------------------------------------------ edits
    def take_proposal(self) -> bool:
        """Take over what the tool proposes, for the axis that it finds best."""
        rig = self._rig()
        found = propose(rig.skeleton)
        self._proposal = None
        return self._put(tr("Mirror lists as proposed"), rig, found.setup())

    def set_axis(self, axis: int) -> bool:
        """Mirror across the plane perpendicular to another model axis."""
        rig = self._rig()
        return self._put(tr("Mirror axis {letter}", letter="XYZ"[axis]), rig, replace(rig.mirror, axis=axis))

    def pair(self, first: str, second: str) -> bool:
        """Make two bones a pair, taking them from where they were; the left one is told by name or place."""
        rig = self._rig()
        if first == second:
            raise ValidationError(tr("a pair needs two different bones"))
        left, right = self._sided(rig, first, second)
        cleared = _without(rig.mirror, {left, right})
        pairs = (*cleared.pairs, (left, right))
        return self._put(
            tr("Pair {left} and {right}", left=left, right=right), rig, replace(cleared, pairs=pairs)
        )

    def pair_selected(self) -> bool:
        """Make the two selected bones a pair."""
        bones = self.session.selection.bones
        if len(bones) != 2:
            raise ValidationError(tr("select exactly two bones, a left and a right one"))
        return self.pair(*bones)

    def to_axis(self, bones: tuple[str, ...]) -> bool:
        """Put bones on the mirror plane."""
        rig = self._rig()
        cleared = _without(rig.mirror, set(bones))
        order = rig.skeleton.index
        axis_bones = tuple(sorted({*cleared.axis_bones, *bones}, key=order))
        return self._put(tr("Put bones on the mirror plane"), rig, replace(cleared, axis_bones=axis_bones))

    def leave_out(self, bones: tuple[str, ...]) -> bool:
        """Take bones, and what they pair with, off both lists."""
        rig = self._rig()
        return self._put(tr("Exclude bones from mirroring"), rig, _without(rig.mirror, set(bones)))

    def swap_sides(self, left: str, right: str) -> bool:
        """Turn a pair round: what was left is right."""
        rig = self._rig()
        pairs = tuple((b, a) if (a, b) == (left, right) else (a, b) for a, b in rig.mirror.pairs)
        return self._put(
            tr("Swap {left} and {right}", left=left, right=right), rig, replace(rig.mirror, pairs=pairs)
        )

    def show(self, *bones: str) -> None:
        """Select bones, so that the viewport shows which they are."""
        self.session.selection.select(bones)

    def tried(self, work: Callable[[], object]) -> None:
        """Do an edit; what hinders it is said in the message bar."""
        tried(self.session.messages, work)

    def _sided(self, rig: Rig, first: str, second: str) -> tuple[str, str]:
        a = side_of(first)
        if a is not None:
            return (first, second) if a[0] > 0 else (second, first)
        places = down_chain(rig.skeleton.parents, rig.skeleton.rest).translation[:, rig.mirror.axis]
        ahead = places[rig.skeleton.index(first)] >= places[rig.skeleton.index(second)]
        return (first, second) if ahead else (second, first)

    def _put(self, label: str, rig: Rig, mirror: MirrorSetup) -> bool:
        return mirror != rig.mirror and self.session.edits.put(label, replace(rig, mirror=mirror))

    def _rig(self) -> Rig:
        if self.session.rig is None:
            raise ValidationError(tr("there is no character: open or import one first"))
        return self.session.rig


def _without(mirror: MirrorSetup, bones: set[str]) -> MirrorSetup:
    return replace(
        mirror,
        axis_bones=tuple(b for b in mirror.axis_bones if b not in bones),
        pairs=tuple(p for p in mirror.pairs if not bones & set(p)),
    )


def _differs(a: MirrorSetup, b: MirrorSetup) -> bool:
    return (a.axis, set(a.pairs), set(a.axis_bones)) != (b.axis, set(b.pairs), set(b.axis_bones))
