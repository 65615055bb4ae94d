"""Montages and their preview in a session in which nothing was opened yet."""

import numpy as np
import pytest

from core.graph.montage_problems import Part
from editor.model.montage.montages import Item, Montages
from editor.model.montage.preview import MontagePreview
from editor.model.montage.shown import MontageShown
from editor.model.session import Session


@pytest.fixture
def session():
    made = Session.create()
    yield made
    made.close()


def test_there_is_no_montage(session) -> None:
    montages = session.feature(Montages)
    assert montages.picked == () and montages.current is None and montages.committed is None
    assert montages.problems == () and not montages.there(Item(Part.SECTION, 0)) and montages.slots() == ()


def test_the_preview_shows_nothing(session) -> None:
    preview = session.feature(MontagePreview)
    assert (preview.position, preview.weight, preview.looped, preview.title, preview.detail) == (
        0.0,
        0.0,
        "",
        "",
        "",
    )
    assert preview.problem == "" and not preview.over_rest and preview.base is None and preview.pose() is None
    assert np.array_equal(preview.world(), np.eye(4)) and preview.flash("x") == 0.0
    assert not preview.on and not preview.running and not preview.tick(1.0)
    preview.advance(1.0)
    preview.seek(1.0)
    preview.pause()
    preview.stop()
    assert not preview.play() and not preview.on


def test_the_panel_is_empty(session) -> None:
    shown = MontageShown(session.feature(Montages), session.feature(MontagePreview), session.playback)
    shown.fit_all()
    shown.fit_picked()
    assert shown.height == 200.0 and shown.rows() == () and shown.rate == session.playback.rate
    assert shown.clip_notify_boxes() == () and shown.in_clips() == ()
