"""Notifies, sync markers and contacts of a clip; the timeline binds what needs its selection."""

from collections.abc import Callable

from editor.actions.action import Action, Scope
from editor.actions.reasons import needs_clip
from editor.model.i18n import tr
from editor.model.session import Session
from editor.tools import clip_events
from editor.tools.clip_events import Kind, Lane

HANDS = ("contact_left_hand", "contact_right_hand")


def _add(lane: Lane) -> Callable[[Session], None]:
    def run(session: Session) -> None:
        clip_events.add(session, lane)

    return run


def actions() -> list[Action]:
    """The actions of the menu Clip, Events."""
    menu = tr("Clip") + "/" + tr("Events")
    lanes = [
        ("notify", tr("Add notify"), Lane(Kind.NOTIFY), "mdi6.bell-plus-outline",
         tr("An animation event at the playhead, such as a footstep sound, sent to the game when it plays")),
        ("sync_marker", tr("Add sync marker"), Lane(Kind.SYNC), "mdi6.sync",
         tr("A phase at the playhead, such as left_down. Clips align by these markers when they blend")),
        *(
            (name, tr("Add contact: {limb}", limb=name.removeprefix("contact_").replace("_", " ")),
             Lane(Kind.CONTACT, name), "", tr("A span from the playhead on during which the limb is planted"))
            for name in (*clip_events.FEET, *HANDS)
        ),
    ]  # fmt: skip
    panel = [
        ("rename", tr("Rename notify or sync marker…")),
        ("add_state", tr("Add notify state")),
        ("add_branching", tr("Add branching notify to the clip")),
        ("span", tr("Make notify a span or a moment")),
        ("branching", tr("Make notify branching or not")),
        ("new_lane", tr("Move notifies to a new lane")),
        ("duplicate", tr("Duplicate notifies, sync markers and contacts")),
        ("select_all", tr("Select all notifies, sync markers and contacts")),
        ("copy", tr("Copy notifies, sync markers and contacts")),
        ("paste", tr("Paste notifies, sync markers and contacts")),
        ("delete", tr("Delete notifies, sync markers and contacts")),
    ]
    return [
        *(
            Action(
                f"events.add_{id}", title, _add(lane), (), Scope.TIME, menu, "add", icon=icon,
                enabled=needs_clip, tip=tip,
            )
            for id, title, lane, icon, tip in lanes
        ),
        *(
            Action(f"events.{id}", title, None, (), Scope.TIME, menu, "edit", enabled=needs_clip)
            for id, title in panel
        ),
    ]  # fmt: skip
