"""The fields of a segment say frames of the clip that it plays, and change the segment by frames."""

from dataclasses import replace

import pytest

from editor.model.montage.montages import Item, Montages, Part
from editor.panels.montage.widget import MontagePanel
from editor.qt.number_field import NumberField
from tests.editor.panel_stage import Stage
from tests.editor.panels.montage.test_montage_by_hand import combo
from tests.editor.stage import WALK, small_project


@pytest.fixture
def page(qapp):
    stage = Stage(qapp)
    made = combo()
    track = made.tracks[0]
    second = replace(track.segments[1], begin=0.1, end=0.4, rate=0.5)
    made = replace(made, tracks=(replace(track, segments=(track.segments[0], second)), *made.tracks[1:]))
    stage.session.document.replace(small_project().with_assets(made), None)
    stage.session.playback.set_clip(WALK)
    montages = stage.session.feature(Montages)
    montages.open(made.id)
    panel = stage.add(MontagePanel(stage.context))
    stage.show(900, 420)
    for _ in range(3):
        qapp.processEvents()
    montages.pick(Item(Part.SEGMENT, 1, 0))
    for _ in range(3):
        qapp.processEvents()
    yield stage.session, panel
    stage.close(qapp)


def test_a_segment_is_told_in_frames_of_its_clip(page) -> None:
    session, panel = page
    montage = session.feature(Montages).require()
    names = ("segmentPlace", "segmentBegin", "segmentEnd", "segmentRate")
    fields = [next(f for f in panel.findChildren(NumberField) if f.objectName() == name) for name in names]
    segment = montage.tracks[0].segments[1]
    assert [f.value for f in fields] == pytest.approx([segment.place * 30.0, 3.0, 12.0, 0.5])
