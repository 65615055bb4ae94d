"""Types of notifies of the document: made from a notify, changed, deleted; each is one step. Free of Qt."""

from dataclasses import replace

from core.clips.clip import Notify
from core.clips.notify_types import NotifyField, NotifyType, type_of
from core.ids import new_id
from editor.model.i18n import tr
from editor.model.session import Session

OWN = ("color",)
"""Data that is no field."""


def type_for(session: Session, notify: Notify) -> NotifyType:
    """The type of a notify's name; one of its data where it has none yet."""
    known = type_of(notify.name, session.document.project.all(NotifyType))
    if known is not None:
        return known
    fields = tuple(NotifyField(key) for key in notify.data if key.strip() and key not in OWN)
    return NotifyType(
        new_id("notify_type"), notify.name, fields, notify.duration, notify.data.get("color", ""), notify.rule
    )


def put_type(session: Session, changed: NotifyType) -> bool:
    """Add or replace a type, and give the notifies of its name in all clips the fields they lack; one step."""
    project = session.document.project
    made = changed.made(0.0).data
    clips = []
    for clip in project.clips:
        notifies = tuple(
            replace(n, data={**{k: v for k, v in made.items() if k not in OWN}, **n.data})
            if n.name == changed.name
            else n
            for n in clip.notifies
        )
        if notifies != clip.notifies:
            clips.append(replace(clip, notifies=notifies))
    return session.edits.put(tr("Fields of {name}", name=changed.name), changed, *clips)


def delete_type(session: Session, name: str) -> bool:
    """Delete the type of a name; its notifies keep their data."""
    known = type_of(name, session.document.project.all(NotifyType))
    if known is None:
        return False
    return session.edits.remove(tr("Delete notify type {name}", name=name), known.id)
