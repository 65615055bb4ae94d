"""The seam's reading, of clips with many channels."""

from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Channel, Property
from core.tracks import edits
from core.tracks.keys import Interpolation, scalar_track
from editor.panels.timeline import seam_meter
from editor.panels.timeline.seam_meter import SeamMeter
from tests.big_documents import big_clip, big_rig
from tests.editor.rigs import small_project


def test_edit_of_one_track_reads_the_ends_of_that_track_alone(monkeypatch):
    rig, read, is_linked = big_rig(40), [], seam_meter.is_linked
    clip = replace(big_clip(rig, 30), looping=True)
    meter = SeamMeter()
    first = meter.read(clip, rig.skeleton)
    monkeypatch.setattr(seam_meter, "is_linked", lambda *given: read.append(given) or is_linked(*given))
    assert meter.read(clip, rig.skeleton) == first and not read
    channel = Channel("pelvis", Property.TRANSLATE, 0)
    moved = edits.set_value(clip.tracks[channel], clip.length, 5.0, None)
    changed = clip.with_tracks({channel: moved})
    second = meter.read(changed, rig.skeleton)
    assert len(read) == 1 and second != first
    assert second == SeamMeter().read(changed, rig.skeleton)
    assert np.isclose(moved.values[-1], 5.0)


def straight(channel: Channel, first: float, last: float) -> dict:
    """A straight line over two seconds: it ends where it does not begin, as quickly as it began."""
    track = scalar_track([0.0, 2.0], [first, last], interpolations=Interpolation.LINEAR)
    return {channel: track}


HAND, TURN = Channel("hand_l", Property.TRANSLATE, 0), Channel("hand_l", Property.ROTATE, 2)


@pytest.mark.parametrize(
    ("tracks", "words", "closed"),
    [
        ({}, "loop seam 0.00 mm 0.00° · 0.00 mm/s 0.00°/s", True),
        (straight(HAND, 0.0, 0.02), "loop seam 20.0 mm 0.00° · 0.00 mm/s 0.00°/s", False),
        (straight(TURN, 0.0, 12.5), "loop seam 0.00 mm 12.5° · 0.00 mm/s 0.00°/s", False),
        (
            straight(HAND, 0.0, 0.02) | straight(TURN, 3.0, 0.0),
            "loop seam 20.0 mm 3.00° · 0.00 mm/s 0.00°/s",
            False,
        ),
    ],
)
def test_differences_are_told_in_millimetres_and_degrees(tracks: dict, words: str, closed: bool) -> None:
    clip = replace(small_project().clips[0], tracks=tracks, length=2.0, looping=True)
    reading = SeamMeter().read(clip)
    assert (reading.text, reading.closed) == (words, closed)
    assert reading.tip.startswith(
        "Difference of position and speed between the end and the start of the clip"
    )


def test_speeds_are_told_in_millimetres_and_degrees_a_second() -> None:
    """There and back: where it ends it began, but it comes as quickly as it left."""
    tracks = {
        HAND: scalar_track([0.0, 1.0, 2.0], [0.0, 0.02, 0.0], interpolations=Interpolation.LINEAR),
        TURN: scalar_track([0.0, 1.0, 2.0], [0.0, 4.0, 0.0], interpolations=Interpolation.LINEAR),
    }
    clip = replace(small_project().clips[0], tracks=tracks, length=2.0, looping=True)
    assert SeamMeter().read(clip).text == "loop seam 0.00 mm 0.00° · 40.0 mm/s 8.00°/s"


@pytest.mark.parametrize("changes", [{"looping": False}, {"length": 0.0}])
def test_without_a_loop_there_is_no_seam(changes: dict) -> None:
    reading = SeamMeter().read(replace(small_project().clips[0], **{"looping": True, **changes}))
    assert (reading.text, reading.tip, reading.closed) == ("", "", True)
    assert SeamMeter().read(None) == reading
