"""Space switching: what the selected bones follow from the playhead on."""

from core.rig.ik_setup import IkSpace, IkTarget
from core.rig.spaces import root_bone
from editor.actions.action import Action, Scope
from editor.actions.reasons import needs_bones, needs_clip
from editor.model.i18n import tr
from editor.model.session import Session
from editor.model.spaces import Spaces


def _needs_bones(session: Session) -> str:
    return needs_clip(session) or needs_bones(session)


def _needs_two(session: Session) -> str:
    few = len(session.selection.bones) < 2
    return needs_clip(session) or (tr("select the bone to move, then the bone to follow") if few else "")


def _needs_following(session: Session) -> str:
    found = _needs_bones(session)
    state = session.feature(Spaces)
    if found or any(state.now(bone) is not None for bone in session.selection.bones):
        return found
    return tr("the selected bones follow no space at the playhead")


def _needs_spans(session: Session) -> str:
    return needs_clip(session) or ("" if session.feature(Spaces).spans() else tr("no bone follows a space"))


def _follow_active(session: Session) -> None:
    *moved, space = session.selection.bones
    session.feature(Spaces).switch(tuple(moved), IkTarget(IkSpace.BONE, space))


def _follow_world(session: Session) -> None:
    session.feature(Spaces).switch(session.selection.bones, IkTarget(IkSpace.WORLD))


def _follow_root(session: Session) -> None:
    assert session.rig is not None
    root = IkTarget(IkSpace.BONE, root_bone(session.rig))
    session.feature(Spaces).switch(session.selection.bones, root)


def _bake(session: Session) -> None:
    state, bones = session.feature(Spaces), session.selection.bones
    own = tuple(bone for bone in bones if state.spans(bone))
    state.bake(own or None, session.playback.range)


def actions() -> list[Action]:
    """The actions of Pose › Space."""
    menu = tr("Pose") + "/" + tr("Space")
    return [
        Action(
            "space.follow", tr("Follow the active bone"), _follow_active, ("J",), Scope.VIEW, menu, "follow",
            enabled=_needs_two,
            tip=tr("From the playhead on the other selected bones follow the bone selected last: a hand on the hips, "
                   "a prop in a hand. Nothing moves at the switch"),
        ),
        Action(
            "space.world", tr("Follow the world"), _follow_world, ("Shift+J",), Scope.VIEW, menu, "follow",
            enabled=_needs_bones,
            tip=tr("From the playhead on the selected bones keep their place in the world"),
        ),
        Action(
            "space.root", tr("Follow the root"), _follow_root, menu=menu, section="follow", enabled=_needs_bones,
            tip=tr("From the playhead on the selected bones keep their place relative to the root bone"),
        ),
        Action(
            "space.release", tr("Release to the parent"), lambda s: s.feature(Spaces).release(s.selection.bones),
            ("Alt+J",), Scope.VIEW, menu, "end", enabled=_needs_following,
            tip=tr("From the playhead on the bones' own keys play again, starting where the bones are"),
        ),
        Action(
            "space.bake", tr("Bake spaces to keys"), _bake, ("Ctrl+J",), Scope.VIEW, menu, "end",
            enabled=_needs_spans,
            tip=tr("Keys on every frame in place of the spans of the selected bones, or of all, in the play range"),
        ),
    ]  # fmt: skip
