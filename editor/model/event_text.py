"""Notifies and segments of montages as text on the system's clipboard, between clips, montages and documents."""

import json
from dataclasses import dataclass
from pathlib import Path

from core.clips.clip import Notify
from core.errors import FormatError, ValidationError
from core.graph.montage import Segment
from core.io.native.clip_schema import notify_from, put_notify
from core.io.native.montage_schema import put_segment, segment_from
from core.json_values import Value
from editor.model.clipboard import MAX_TEXT
from editor.model.i18n import tr

HEAD = "events"


@dataclass(frozen=True, slots=True)
class Copied:
    """Segments with the slots they were in, and notifies, to be pasted."""

    segments: tuple[tuple[str, Segment], ...] = ()
    notifies: tuple[Notify, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.segments or self.notifies)


def written(copied: Copied) -> str:
    """What was copied as text."""
    document = {
        "posewright": HEAD,
        "version": 1,
        "segments": [{"slot": slot, **put_segment(segment)} for slot, segment in copied.segments],
        "notifies": [put_notify(notify) for notify in copied.notifies],
    }
    return json.dumps(document, ensure_ascii=False)


def read(text: str) -> Copied:
    """What a text holds.

    Raises
    ------
    ValidationError
        It holds no notifies and no segments, or is damaged.
    """
    if len(text) > MAX_TEXT:
        raise ValidationError(tr("The clipboard holds too much text for notifies"))
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict) or data.get("posewright") != HEAD:
        raise ValidationError(tr("The clipboard holds no notifies or segments: copy some first"))
    value = Value(data, "", Path(tr("clipboard")))
    try:
        return Copied(
            tuple((s.text("slot"), segment_from(s)) for s in value.objects("segments")),
            tuple(notify_from(n) for n in value.objects("notifies")),
        )
    except (FormatError, ValidationError) as error:
        raise ValidationError(tr("The text on the clipboard is damaged: {error}", error=error)) from error
