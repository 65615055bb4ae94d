"""The seam's reading, of clips with many channels."""

from dataclasses import replace

import numpy as np

from core.clips.clip import Channel, Property
from core.tracks import edits
from editor.panels.timeline import seam_meter
from editor.panels.timeline.seam_meter import SeamMeter
from tests.big_documents import big_clip, big_rig


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
