"""The middle button takes the curves along, in time and in value; no other button does."""

import pytest

from tests.editor.panels.curves.curve_stage import curve_stage
from tests.editor.user import LEFT, MIDDLE, RIGHT


@pytest.mark.parametrize(("button", "pans"), [(MIDDLE, True), (LEFT, False), (RIGHT, False)])
def test_a_drag_with_the_middle_button_pans(qapp, button, pans: bool) -> None:
    with curve_stage(qapp) as stage:
        view = stage.model.view
        start = stage.at(300, 20)
        time, value = view.axis.time(300), view.values.value(20)
        stage.user.drag(stage.canvas, start, stage.at(340, 50), button=button)
        panned = abs(view.axis.time(340) - time) < 1e-9 and abs(view.values.value(50) - value) < 1e-9
        assert panned is pans


def test_escape_takes_a_pan_back(qapp) -> None:
    with curve_stage(qapp) as stage:
        view = stage.model.view
        before = view.axis, view.values
        stage.user.drag(stage.canvas, stage.at(300, 20), stage.at(340, 50), button=MIDDLE, release=False)
        assert (view.axis, view.values) != before
        stage.user.press("Esc", stage.canvas)
        assert (view.axis, view.values) == before
        stage.user.release_mouse(stage.at(340, 50), button=MIDDLE)
        assert (view.axis, view.values) == before
