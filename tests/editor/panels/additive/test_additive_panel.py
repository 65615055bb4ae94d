"""A person at the additive panel: declare, choose the base, see base, difference and result."""

import numpy as np
import pytest

from core.clips.clip import AdditiveBase, AdditiveSpace
from tests.editor.panels.layers.test_layers_panel import project
from tests.editor.stage import stage, with_view


@pytest.fixture
def here(qapp, request):
    with stage(qapp, *with_view(request, "clips", "additive"), project=project) as made:
        made.window.layouts.use("blend")
        made.window.show_panel("additive")
        made.user.settle()
        yield made


def choose(here, box: str, entry: str) -> None:
    combo = here.user.find(box)
    combo.setFocus()
    number = combo.findText(entry)
    assert number >= 0
    while combo.currentIndex() != number:
        here.user.press("Down" if combo.currentIndex() < number else "Up")


def model(here):
    return here.window.docks["additive"].body.panel.model


@pytest.mark.view
def test_clip_is_declared_additive_and_shown_in_three_pictures(here):
    assert model(here).figures() is None
    choose(here, "additiveSpace", "Model space")
    assert here.session.clip.additive.space is AdditiveSpace.MODEL
    base, difference, result = model(here).figures()
    assert (base.title, difference.title, result.title) == ("Base", "Difference", "Result")
    assert not base.marked.any() and result.marked.any()
    assert np.abs(result.tails - difference.tails).max() < 1e-9  # the base is the rest pose
    picture = here.user.picture("additiveFigures")
    assert len(np.unique(picture.reshape(-1, 4), axis=0)) > 8
    for _ in range(len(here.session.history.labels)):
        here.user.press("Ctrl+Z")
    assert here.session.clip.additive is None


def test_base_is_chosen_among_rest_first_frame_and_clips(here):
    choose(here, "additiveSpace", "Local space")
    choose(here, "additiveBase", "Clip, frame by frame")
    additive = here.session.clip.additive
    assert additive.base is AdditiveBase.CLIP and additive.base_clip == "clip-wave"
    choose(here, "additiveBase", "Frame of a clip")
    here.user.type_into("additiveFrame", "15")
    assert here.session.clip.additive.base_time == pytest.approx(0.5)
    choose(here, "additiveBase", "Rest pose")
    assert here.session.clip.additive.base_clip is None
