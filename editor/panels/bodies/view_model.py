"""The Bodies panel without Qt: rows, the active body with its ranges and angles, and the clips that leave ranges."""

from dataclasses import dataclass

from core.evaluation.range_check import RangeExcess
from core.rig.body_angles import angles_of, turns_from_rest
from core.rig.body_plan import Body
from core.timing import frame_text
from editor.model.i18n import tr, trn
from editor.model.ragdoll.bodies import Bodies
from editor.model.ragdoll.check import RangeCheck
from editor.model.session import Session

AXES = (tr("Bend"), tr("Sideways"), tr("Twist"))
"""What the axes of a body are called, in their order."""


@dataclass(frozen=True, slots=True)
class BodyRow:
    """One body in the list: kilograms, millimetres."""

    bone: str
    label: str
    mass: float
    radius: float
    active: bool


@dataclass(frozen=True, slots=True)
class AxisRow:
    """One axis of the active body: its range and where the pose shown is, degrees."""

    axis: int
    title: str
    minimum: float
    maximum: float
    angle: float
    inside: bool


@dataclass(frozen=True, slots=True)
class CheckRow:
    """One clip that leaves one range."""

    row: RangeExcess
    clip: str
    joint: str
    beyond: float
    frame: str


def short(value: float) -> str:
    """A number for a narrow column: three digits, and no exponent for what is large."""
    return f"{value:,.0f}" if abs(value) >= 100.0 else f"{value:.3g}"


class BodiesModel:
    """Reads what the panel shows; edits go through `Bodies` and `RangeCheck`."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.bodies, self.check = session.feature(Bodies), session.feature(RangeCheck)

    def rows(self) -> tuple[BodyRow, ...]:
        """The list, in the plan's order."""
        plan, active = self.bodies.plan, self.bodies.active
        if plan is None:
            return ()
        return tuple(
            BodyRow(
                body.bone, self.session.bone_label(body.bone), body.mass, 1000.0 * body.capsule.radius,
                active is not None and body.bone == active.bone,
            )
            for body in plan.bodies
        )  # fmt: skip

    def total(self) -> str:
        """How many bodies there are and what they weigh."""
        plan = self.bodies.plan
        if plan is None:
            return ""
        count = trn("{count} body", "{count} bodies", len(plan))
        return tr("{count}, {mass} kg", count=count, mass=short(plan.mass))

    @property
    def active(self) -> Body | None:
        """The body whose numbers are shown."""
        return self.bodies.active

    def is_root(self, body: Body) -> bool:
        """Whether it moves freely, so that it has no ranges."""
        plan = self.bodies.plan
        return plan is not None and body.bone == plan.bodies[0].bone

    def axes(self) -> tuple[AxisRow, ...]:
        """The active body's axes; none of the root body."""
        plan, body, rig = self.bodies.plan, self.active, self.session.rig
        if plan is None or body is None or rig is None or self.is_root(body):
            return ()
        rotations = self.session.evaluator.pose().rotations
        turn = turns_from_rest(plan, rig.skeleton, rotations)[plan.bones.index(body.bone)]
        angles = angles_of(body, turn)
        return tuple(
            AxisRow(
                number, AXES[number], limits.minimum, limits.maximum, float(angles[number]),
                limits.minimum - 0.05 <= float(angles[number]) <= limits.maximum + 0.05,
            )
            for number, limits in enumerate(body.axes)
        )  # fmt: skip

    def passes_through(self) -> tuple[str, ...]:
        """Bones whose bodies do not collide with the active one."""
        plan, body = self.bodies.plan, self.active
        if plan is None or body is None:
            return ()
        return tuple(b if a == body.bone else a for a, b in plan.ignored if body.bone in (a, b))

    def may_collide(self) -> tuple[str, ...]:
        """Bones of all other bodies."""
        plan, body = self.bodies.plan, self.active
        return () if plan is None or body is None else tuple(b for b in plan.bones if b != body.bone)

    # ------------------------------------------------------------ clips
    def check_rows(self) -> tuple[CheckRow, ...]:
        """What the last check found."""
        project, found = self.session.document.project, []
        for row in self.check.rows or ():
            clip = next((clip for clip in project.clips if clip.id == row.clip), None)
            frame = frame_text(clip.rate.to_frame(row.time)) if clip is not None else ""
            joint = f"{self.session.bone_label(row.excess.bone)} {AXES[row.excess.axis].lower()}"
            found.append(CheckRow(row, row.name, joint, row.excess.beyond, frame))
        return tuple(found)

    def verdict(self) -> tuple[str, str]:
        """What the check says in a line, and its role: caption, ok or warning."""
        check = self.check
        if check.rows is None:
            return tr("Not checked yet"), "caption"
        if check.stale:
            return tr("Bodies or clips have changed since: check again"), "caption"
        checked = trn("{count} clip", "{count} clips", check.checked)
        if not check.rows:
            return tr("All ranges hold ({clips})", clips=checked), "caption"
        outside = len({row.clip for row in check.rows})
        joints = len({(row.excess.bone, row.excess.axis) for row in check.rows})
        ranges = trn("{count} range", "{count} ranges", joints)
        return tr(
            "{outside} of {clips} leave {ranges}", outside=outside, clips=checked, ranges=ranges
        ), "warning"
