"""The montage panel shows all of a montage that is opened, and no rows that are not there."""

from dataclasses import replace

import pytest

from core.ids import AssetId
from editor.panels.montage.view_model import MontageModel
from tests.editor.tools.montage.test_montage_verbs import Scene


@pytest.fixture
def scene():
    made = Scene()
    made.model = MontageModel(made.session)
    made.model.shown.set_size(900.0, 120.0)
    made.model.shown.fit_all()
    yield made
    made.model.close()
    made.preview.stop()
    made.session.close()


def test_another_montage_is_shown_as_a_whole_and_the_same_one_as_it_was(scene) -> None:
    shown = scene.model.shown
    whole = shown.axis
    other = replace(scene.now, id=AssetId("montage-other"), name="other")
    part = whole.zoomed(3.0, 100.0)
    shown.set_axis(part)
    scene.montages.put("rate", replace(scene.now, rate=0.5))
    assert shown.axis == part
    scene.session.edits.put("another", other)
    scene.montages.open(other.id)
    assert scene.now.id == other.id and shown.axis != part
    assert (shown.axis.start, shown.axis.scale) == pytest.approx((whole.start, whole.scale))


def test_rows_that_went_away_are_not_scrolled_to(scene) -> None:
    shown = scene.model.shown
    begun = len(scene.session.history.labels)
    for number in range(9):
        scene.verbs.add_track(f"Track {number}")
    shown.set_scroll(9e9)
    most = shown.scroll
    assert most > 0.0
    for _ in range(len(scene.session.history.labels) - begun):
        scene.session.undo()
    before = shown.scroll
    shown.set_scroll(9e9)
    assert before == shown.scroll < most
