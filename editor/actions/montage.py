"""Montages and what is in them; the montage panel binds what needs its selection."""

from editor.actions.action import Action, Scope
from editor.actions.reasons import needs_clip
from editor.model.i18n import tr
from editor.model.montage.montages import Montages
from editor.model.montage.preview import MontagePreview
from editor.model.session import Session
from editor.tools.montage.verbs import new_from_clips


def _has_rig(session: Session) -> str:
    return "" if session.rig is not None else tr("there is no character")


def _has_montage(session: Session) -> str:
    return "" if session.feature(Montages).committed is not None else tr("this character has no montage")


def _is_on(session: Session) -> str:
    return "" if session.feature(MontagePreview).on else tr("no montage is shown")


def _new_from_clip(session: Session) -> None:
    clip = session.clip
    if clip is not None:
        new_from_clips(session, [clip.id])


def _new_from_all(session: Session) -> None:
    new_from_clips(session, [clip.id for clip in session.feature(Montages).clips() if clip.additive is None])


def actions() -> list[Action]:
    """The actions of the menu Clip, Montage."""
    menu = tr("Clip") + "/" + tr("Montage")
    own = [
        ("rename", tr("Rename montage…"), ""),
        (
            "add_section",
            tr("Add montage section"),
            tr("A section that begins at the playhead of the montage"),
        ),
        ("add_notify", tr("Add montage notify"), ""),
        ("add_state", tr("Add montage notify state"), tr("A notify with a duration: begin, ticks, end")),
        (
            "add_branching",
            tr("Add branching notify"),
            tr("It acts at its exact moment, between two frames too"),
        ),
        ("split", tr("Split montage segment"), ""),
        ("close_gaps", tr("Close gaps of the montage"), ""),
        ("loop_section", tr("Loop montage section"), tr("Let the section follow itself, or no longer")),
        ("play_section", tr("Play from montage section"), ""),
        ("delete", tr("Delete what is selected in the montage"), ""),
        ("copy", tr("Copy what is selected in the montage"), ""),
        ("paste", tr("Paste into the montage"), ""),
        ("duplicate_items", tr("Duplicate what is selected in the montage"), ""),
        ("fit", tr("Show the whole montage"), ""),
        ("go_to_slot", tr("Show the montage's slot in the graph"), ""),
    ]
    return [
        Action(
            "montage.new", tr("New montage"), lambda s: new_from_clips(s, ()), menu=menu, section="new",
            enabled=_has_rig, tip=tr("Clips in sections that a graph plays on demand, such as an attack or a wave"),
        ),
        Action(
            "montage.new_from_clip", tr("New montage from this clip"), _new_from_clip, menu=menu, section="new",
            enabled=needs_clip,
        ),
        Action(
            "montage.new_from_all", tr("New montage from all clips"), _new_from_all, menu=menu, section="new",
            enabled=needs_clip, tip=tr("Every clip of the character, one after the other, each in a section"),
        ),
        Action(
            "montage.duplicate", tr("Duplicate montage"), lambda s: s.feature(Montages).duplicate(), menu=menu,
            section="new", enabled=_has_montage,
        ),
        Action(
            "montage.delete_montage", tr("Delete montage"), lambda s: s.feature(Montages).delete(), menu=menu,
            section="new", enabled=_has_montage,
        ),
        Action(
            "montage.play", tr("Play or pause the montage"), lambda s: s.feature(MontagePreview).toggle(), menu=menu,
            section="play", enabled=_has_montage, checked=lambda s: s.feature(MontagePreview).running,
        ),
        Action(
            "montage.stop", tr("Stop the montage"), lambda s: s.feature(MontagePreview).stop(), menu=menu,
            section="play", enabled=_is_on,
        ),
        *(
            Action(
                f"montage.{id}", title, None, (), Scope.WINDOW, menu, "edit", enabled=_has_montage, tip=tip
            )
            for id, title, tip in own
        ),
    ]  # fmt: skip
