"""Whole clips."""

from collections.abc import Callable
from dataclasses import replace

from core.clips.clip import Clip
from editor.actions.action import Action
from editor.actions.reasons import needs_clip, needs_clip_itself, needs_range, needs_rig
from editor.model.i18n import tr
from editor.model.session import Session


def _clip(session: Session) -> Clip:
    clip = session.clip
    assert clip is not None  # the action is disabled without one
    return clip


def _can_delete(session: Session) -> str:
    return needs_clip(session) or session.clips.why_not_delete(_clip(session).id)


def _has_length(session: Session) -> str:
    return needs_clip(session) or ("" if _clip(session).length > 0.0 else tr("the clip has no length"))


def _others(session: Session) -> str:
    rig = session.rig
    return needs_rig(session) or (
        ""
        if rig is not None and len(session.document.project.clips_of(rig.id)) > 1
        else tr("there is no other clip")
    )


def _go(step: int) -> Callable[[Session], None]:
    def run(session: Session) -> None:
        rig = session.rig
        ids = [clip.id for clip in session.document.project.clips_of(rig.id)] if rig else []
        if ids:
            place = ids.index(session.playback.clip) if session.playback.clip in ids else -step
            session.playback.set_clip(ids[(place + step) % len(ids)])

    return run


def _toggle_root_motion(session: Session) -> None:
    clip = _clip(session)
    session.clips.set_root_motion(clip.id, replace(clip.root_motion, enabled=not clip.root_motion.enabled))


def _trim(session: Session) -> None:
    start, end = session.playback.span
    session.clips.trim(_clip(session).id, start, min(end, _clip(session).length))


def _range_of_clip(session: Session) -> str:
    return needs_range(session) or needs_clip_itself(session)


def _looping(session: Session) -> bool:
    return session.clip is not None and session.clip.looping


def _root_motion(session: Session) -> bool:
    return session.clip is not None and session.clip.root_motion.enabled


def actions() -> list[Action]:
    """The actions of the Clip menu."""
    menu = tr("Clip")
    return [
        Action(
            "clip.new", tr("New clip"), lambda s: s.clips.new(), menu=menu, section="list", toolbar="clips",
            icon="mdi6.plus", enabled=needs_rig,
        ),
        Action(
            "clip.duplicate", tr("Duplicate clip"), lambda s: s.clips.duplicate(_clip(s).id), menu=menu,
            section="list", toolbar="clips", icon="mdi6.content-duplicate", enabled=needs_clip,
        ),
        Action(
            "clip.rename", tr("Rename clip"), None, ("F2",), menu=menu, section="list",
            icon="mdi6.rename-outline", enabled=needs_clip,
        ),
        Action(
            "clip.delete", tr("Delete clip"), lambda s: s.clips.delete(_clip(s).id), menu=menu, section="list",
            toolbar="clips", icon="mdi6.delete-outline", enabled=_can_delete,
        ),
        Action(
            "clip.previous", tr("Previous clip"), _go(-1), ("PgUp",), menu=menu, section="go", enabled=_others,
        ),
        Action("clip.next", tr("Next clip"), _go(1), ("PgDown",), menu=menu, section="go", enabled=_others),
        Action(
            "clip.loop", tr("Looping"), lambda s: s.clips.set_looping(_clip(s).id, not _clip(s).looping),
            menu=menu, section="how", enabled=needs_clip_itself, checked=_looping,
        ),
        Action(
            "clip.root_motion", tr("Root motion"), _toggle_root_motion, menu=menu, section="how",
            enabled=needs_clip, checked=_root_motion,
        ),
        Action("clip.trim", tr("Trim to range"), _trim, menu=menu, section="change", enabled=_range_of_clip),
        Action(
            "clip.reverse", tr("Reverse"), lambda s: s.clips.reverse(_clip(s).id), menu=menu, section="change",
            enabled=_has_length,
        ),
    ]  # fmt: skip
