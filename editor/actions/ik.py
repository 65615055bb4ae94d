"""Inverse kinematics: set-ups on and off, pins, how far a drag reaches, bake and match, feet on the ground."""

from collections.abc import Callable

from core.ik import keyed
from core.ik.body import PinKind, Reach
from editor.actions.action import Action, Scope
from editor.actions.reasons import needs_bones, needs_clip_itself, needs_rig
from editor.model.i18n import tr, trn
from editor.model.ik import edits
from editor.model.ik.state import IkState
from editor.model.session import Session


def _needs_setup(session: Session) -> str:
    return (
        ""
        if session.feature(IkState).current is not None
        else tr("the rig has no IK set-up: choose Propose IK set-ups first")
    )


def _needs_clip_and_setup(session: Session) -> str:
    return needs_clip_itself(session) or _needs_setup(session)


def _needs_goal(session: Session) -> str:
    clip, setup = session.clip, session.feature(IkState).current
    if clip is None or setup is None or not keyed.drives(clip, setup.name):
        return tr("the clip has no goal keys for this set-up")
    return ""


def _needs_any_goal(session: Session) -> str:
    clip, rig = session.clip, session.rig
    if clip is None or rig is None or not keyed.driving(rig, clip.curves):
        return tr("the clip has no IK goal keys")
    return ""


def _with_name(work: Callable[[Session, str], object]) -> Callable[[Session], None]:
    def run(session: Session) -> None:
        name = session.feature(IkState).active
        if name is not None:
            work(session, name)

    return run


def _pin(kind: PinKind) -> Callable[[Session], None]:
    return lambda session: _toggle_pin(session, kind)


def _toggle_pin(session: Session, kind: PinKind) -> None:
    bones = session.selection.bones
    on = session.feature(IkState).toggle_pin(bones, kind)
    what = bones[0] if len(bones) == 1 else trn("{count} bone", "{count} bones", len(bones))
    session.messages.info(tr("{what} pinned", what=what) if on else tr("{what} unpinned", what=what))


def _pinned(kind: PinKind) -> Callable[[Session], bool]:
    def checked(session: Session) -> bool:
        kinds = session.feature(IkState).pins.kinds(session.rig)
        bones = session.selection.bones
        return bool(bones) and all(kinds.get(bone) is kind for bone in bones)

    return checked


def _needs_pins(session: Session) -> str:
    return "" if session.feature(IkState).pins.kinds(session.rig) else tr("nothing is pinned")


def _reach(reach: Reach) -> Callable[[Session], None]:
    def run(session: Session) -> None:
        session.feature(IkState).reach = reach

    return run


def _reaches(reach: Reach) -> Callable[[Session], bool]:
    return lambda session: session.feature(IkState).reach is reach


def _toggle_keep_hands(session: Session) -> None:
    state = session.feature(IkState)
    state.keeps_hands = not state.keeps_hands


def actions() -> list[Action]:
    """The actions of the IK menu."""
    menu, pins, reach = tr("IK"), tr("IK") + "/" + tr("Pin"), tr("IK") + "/" + tr("Drag scope")
    reaches = [
        (Reach.BONE, tr("Bone only")), (Reach.LIMB, tr("Limb")), (Reach.CHAIN, tr("Chain up to the hips")),
        (Reach.BODY, tr("Full body")),
    ]  # fmt: skip
    kinds = [
        (PinKind.BOTH, tr("Pin position and rotation"), ("P",)),
        (PinKind.POSITION, tr("Pin position"), ()),
        (PinKind.ROTATION, tr("Pin rotation"), ()),
    ]
    return [
        Action(
            "ik.toggle", tr("IK on or off"), lambda s: edits.toggle(s), ("Shift+I",), menu=menu, section="setup",
            icon="mdi6.vector-polyline", enabled=needs_rig, checked=edits.is_on,
            tip=tr("Show goal and pole of the selected bones' chains. This does not change the pose"),
        ),
        Action(
            "ik.drag", tr("Temporary IK"), lambda s: s.switches.toggle("temporary_ik"), ("Shift+V",), Scope.VIEW, menu,
            "drag", checked=lambda s: s.switches["temporary_ik"],
            tip=tr("Drag any bone in the viewport: its limb follows, with Shift the chain up to the hips, with Ctrl "
                   "the whole body. Keys are set on the bones. Hold V for the same"),
        ),
        Action(
            "ik.keep_hands", tr("Pulled hands keep their rotation"), _toggle_keep_hands, menu=menu, section="drag",
            checked=lambda s: s.feature(IkState).keeps_hands,
            tip=tr("A hand that is pulled stays turned as it is, however far its wrist bends. Off: beyond a "
                   "comfortable bend the hand follows the lower arm"),
        ),
        Action(
            "ik.propose", tr("Propose IK set-ups"), lambda s: edits.propose(s), menu=menu, section="setup",
            enabled=needs_rig, tip=tr("Create set-ups for arms, legs, fingers, spine and head where the "
                                      "bones are recognised"),
        ),
        Action(
            "ik.add", tr("Add IK set-up for the selection"), lambda s: edits.add(s), menu=menu, section="setup",
            enabled=needs_bones,
        ),
        Action(
            "ik.match", tr("Match goal to the clip (FK→IK)"), _with_name(edits.match), menu=menu, section="keys",
            enabled=_needs_clip_and_setup, tip=tr("Key the goal over the range to match the present motion"),
        ),
        Action(
            "ik.bake", tr("Bake goal to bones (IK→FK)"), _with_name(edits.bake_to_keys), menu=menu, section="keys",
            enabled=_needs_goal, tip=tr("Replace the goal by keys on the bones over the range"),
        ),
        Action(
            "ik.bake_all", tr("Bake all goals"), lambda s: edits.bake_to_keys(s), menu=menu, section="keys",
            enabled=_needs_any_goal,
        ),
        Action(
            "ik.drop_goal", tr("Remove the goal's keys"), _with_name(edits.drop_goal), menu=menu, section="keys",
            enabled=_needs_goal,
        ),
        *(
            Action(
                f"ik.pin_{kind.value}", title, _pin(kind), key, Scope.VIEW if key else Scope.WINDOW, pins, "pin",
                icon="mdi6.pin-outline", enabled=needs_bones, checked=_pinned(kind),
            )
            for kind, title, key in kinds
        ),
        Action(
            "ik.unpin_all", tr("Unpin all"), lambda s: s.feature(IkState).pins.clear(), menu=pins, section="clear",
            enabled=_needs_pins,
        ),
        *(
            Action(f"ik.reach_{r.value}", title, _reach(r), menu=reach, section="reach", checked=_reaches(r))
            for r, title in reaches
        ),
        Action(
            "ik.feet_pose", tr("Place feet in this pose"), lambda s: edits.place_feet_here(s), menu=menu,
            section="feet", enabled=needs_rig, tip=tr("Put heels and toes on the ground, lowering the hips "
                                                      "so that both feet reach"),
        ),
        Action(
            "ik.feet_clip", tr("Place feet in the clip"), lambda s: edits.place_feet_in_clip(s), menu=menu,
            section="feet", enabled=needs_clip_itself,
        ),
    ]  # fmt: skip
