"""Actions of the ragdoll: bodies, their ranges against the clips, and simulating to keys."""

from editor.actions.action import Action
from editor.actions.reasons import needs_bones, needs_rig
from editor.model.i18n import tr
from editor.model.ragdoll.bodies import Bodies
from editor.model.ragdoll.check import RangeCheck
from editor.model.ragdoll.simulating import Simulating
from editor.model.session import Session


def _needs_plan(session: Session) -> str:
    return needs_rig(session) or (
        "" if session.feature(Bodies).plan is not None else tr("propose bodies first")
    )


def _needs_active(session: Session) -> str:
    return _needs_plan(session) or (
        "" if session.feature(Bodies).active is not None else tr("select a bone with a body first")
    )


def _needs_bodies(session: Session) -> str:
    plan = session.feature(Bodies).plan
    has = plan is not None and any(plan.find(bone) is not None for bone in session.selection.bones)
    return _needs_plan(session) or ("" if has else tr("select bones with bodies first"))


def _needs_rows(session: Session) -> str:
    return "" if session.feature(RangeCheck).rows else tr("check the clips first")


def _needs_outcome(session: Session) -> str:
    return "" if session.feature(Simulating).outcome is not None else tr("simulate first")


def _symmetric(session: Session) -> None:
    bodies = session.feature(Bodies)
    bodies.symmetric = not bodies.symmetric


def _in_view(session: Session) -> None:
    bodies = session.feature(Bodies)
    bodies.in_view = not bodies.in_view


def actions() -> list[Action]:
    """Declared once, for menu and palette."""
    menu = f"{tr('IK')}/{tr('Ragdoll')}"
    return [
        Action(
            "bodies.propose", tr("Propose ragdoll bodies"), lambda s: s.feature(Bodies).propose(), menu=menu,
            section="bodies", enabled=needs_rig,
            tip=tr("Create a capsule for each part of the body, with mass and joint ranges, from bones and skin"),
        ),
        Action(
            "bodies.add", tr("Add bodies for the selection"), lambda s: s.feature(Bodies).add(s.selection.bones),
            menu=menu, section="bodies", enabled=needs_bones,
            tip=tr("A capsule with a joint for each selected bone without one: hair, tails, props"),
        ),
        Action(
            "bodies.remove", tr("Remove bodies of the selection"),
            lambda s: s.feature(Bodies).remove(s.selection.bones), menu=menu, section="bodies",
            enabled=_needs_bodies, tip=tr("Their bones ride on the body above"),
        ),
        Action(
            "bodies.mirror", tr("Mirror bodies to the other side"),
            lambda s: s.feature(Bodies).mirror(s.selection.bones), menu=menu, section="bodies",
            enabled=_needs_bodies,
        ),
        Action(
            "bodies.clear", tr("Remove all bodies"), lambda s: s.feature(Bodies).clear(), menu=menu,
            section="bodies", enabled=_needs_plan,
        ),
        Action(
            "bodies.symmetric", tr("Edit bodies on both sides"), _symmetric, menu=menu, section="how",
            checked=lambda s: s.feature(Bodies).symmetric,
            tip=tr("A change of a body is made on the mirrored body as well"),
        ),
        Action(
            "bodies.in_view", tr("Edit bodies in the view"), _in_view, menu=menu, section="how",
            checked=lambda s: s.feature(Bodies).in_view,
            tip=tr("Drag ends, middle and thickness of the active body while the Bodies panel is in front"),
        ),
        Action(
            "bodies.check", tr("Check clips against joint ranges"), lambda s: s.feature(RangeCheck).run(),
            menu=menu, section="ranges", enabled=_needs_plan,
            tip=tr("List which clip leaves the range of which joint, by how much and when"),
        ),
        Action(
            "bodies.widen", tr("Widen joint ranges to fit the clips"), lambda s: s.feature(RangeCheck).widen(),
            menu=menu, section="ranges", enabled=_needs_rows,
        ),
        Action(
            "simulate.run", tr("Simulate to keys: preview"), lambda s: s.feature(Simulating).run(), menu=menu,
            section="simulate", enabled=lambda s: s.feature(Simulating).why_not,
            tip=tr("Simulate the chosen bones over the range while the other bones move as the clip has them"),
        ),
        Action(
            "simulate.bake", tr("Simulate to keys: bake as layer"), lambda s: s.feature(Simulating).bake(),
            menu=menu, section="simulate", enabled=_needs_outcome,
        ),
        Action(
            "simulate.discard", tr("Simulate to keys: discard preview"),
            lambda s: s.feature(Simulating).discard(), menu=menu, section="simulate", enabled=_needs_outcome,
        ),
    ]  # fmt: skip
