"""A small character to retarget onto, a taller one with two clips to take them from, and counts of what is told."""

from core.ids import AssetId
from editor.model.events import Event
from editor.model.session import Session
from tests.editor.model.retarget.test_retargeting import tall_clips, tall_rig
from tests.editor.rigs import small_project

SMALL, SWING = AssetId("rig-small"), AssetId("clip-small")


def two_characters() -> Session:
    """A session that shows the small character; the taller one is in the document, too."""
    made = Session.create()
    tall = tall_rig()
    made.document.replace(small_project(mesh=False).with_assets(tall, *tall_clips(tall)), None)
    made.playback.set_clip(SWING, SMALL)
    return made


def counted(*events: Event[None]) -> list[int]:
    """A number for each event, which grows when it is told."""
    found = [0] * len(events)

    def count(number: int) -> None:
        found[number] += 1

    for number, event in enumerate(events):
        event.connect(lambda _, number=number: count(number))
    return found
