"""What of the session the curve editor follows: handles, lanes and fits as keys, bones, flags and switches change."""

import numpy as np
import pytest

from core.tracks.keys import scalar_track
from editor.panels.curves.space import Layout, ValueAxis
from editor.tools.curves.lanes import Lane
from tests.editor.panels.curves.curve_stage import TURN, X, Y
from tests.editor.panels.curves.test_curves_without_window import Scene


@pytest.fixture
def scene():
    made = Scene()
    made.lanes.set_flag("hidden", ())
    made.told = {"picture": 0, "lanes": 0}
    made.model.changed.connect(lambda _: made.told.update(picture=made.told["picture"] + 1))
    made.model.lanes_changed.connect(lambda _: made.told.update(lanes=made.told["lanes"] + 1))
    yield made
    made.close()


def after(scene: Scene, do) -> tuple[bool, bool]:
    """Whether a deed is told of the picture, and of the lanes."""
    scene.told.update(picture=0, lanes=0)
    do()
    return scene.told["picture"] > 0, scene.told["lanes"] > 0


def places(scene: Scene) -> list[tuple[object, ...]]:
    return [(h.lane, h.key, h.side, h.place) for h in scene.view.handles()]


def test_handles_are_those_of_the_keys_and_curves_as_they_are_now(scene) -> None:
    session, clip = scene.session, scene.session.clip
    session.selection.select_keys({X: np.array([2])})
    first = places(scene)
    assert {row[:2] for row in first} == {(Lane(X), 2)} and scene.view.handles() is scene.view.handles()
    session.selection.select_keys({Y: np.array([1])})
    assert {row[:2] for row in places(scene)} == {(Lane(Y), 1)}
    moved = clip.with_tracks({Y: scalar_track(clip.tracks[Y].times, clip.tracks[Y].values + 5.0)})
    second = places(scene)
    session.preview.set_clip(moved)
    third = places(scene)
    assert third != second
    session.preview.set_clip(None)
    assert places(scene) == second
    scene.lanes.set_flag("locked", [Lane(Y)])
    assert places(scene) == []
    scene.lanes.set_flag("locked", [])
    assert places(scene) == second
    scene.lanes.set_flag("hidden", [Lane(Y)])
    assert places(scene) == []
    scene.lanes.set_flag("hidden", [])
    scene.view.set_axes(scene.view.axis.panned(20.0), scene.view.values)
    panned = places(scene)
    steps = np.array([row[3][0] for row in panned]) - [row[3][0] for row in second]
    assert np.abs(steps) == pytest.approx(np.full(len(second), 20.0))
    scene.view.resize(700.0, 300.0)
    assert places(scene) != panned
    session.edits.put("moved", moved)
    assert places(scene) != second
    scene.view.set_layout(Layout.NORMALISED)
    normalised = places(scene)
    scene.view.set_layout(Layout.STACKED)
    assert places(scene) != normalised
    session.selection.select(["elbow"])
    assert places(scene) == []


def test_what_is_told_of_the_picture_and_of_the_lanes(scene) -> None:
    session = scene.session
    for do, told in (
        (lambda: session.selection.select_keys({X: np.array([1])}), (True, False)),
        (lambda: session.selection.select(["hand"]), (True, True)),
        (lambda: session.selection.select(["arm", "hand"]), (True, True)),
        (lambda: session.selection.set_flag("hidden", ["hand"]), (True, True)),
        (lambda: session.selection.set_flag("hidden", []), (True, True)),
        (lambda: session.playback.set_range(0.2, 1.0), (True, False)),
        (lambda: scene.model.set_search("rot"), (True, True)), (lambda: scene.model.set_search("rot"), (False, False)),
        (lambda: scene.lanes.set_flag("solo", [Lane(X)]), (True, True)),
        (lambda: session.switches.toggle("curves_motion"), (True, False)),
        (lambda: session.switches.toggle("names"), (False, False)),
        (lambda: session.edits.put("keys", session.clip.with_tracks({X: scalar_track([0.0], [1.0])})), (True, False)),
        (lambda: scene.view.set_axes(scene.view.axis.panned(9.0), scene.view.values), (True, False)),
        (lambda: scene.pointer.changed.emit(None), (True, False)),
    ):  # fmt: skip
        assert after(scene, do) == told


def test_values_are_fitted_to_what_is_selected_where_that_is_switched_on(scene) -> None:
    session, view = scene.session, scene.view
    far = ValueAxis(900.0, 3.0, view.values.height)
    axis = view.axis.panned(30.0)
    session.switches.set("fit_curves", False)
    view.set_axes(axis, far)
    session.selection.select(["hand"])
    assert view.values != far  # out of sight it is fitted anyway
    wide = ValueAxis(-400.0, view.values.height / 800.0, view.values.height)
    roomy = view.values.zoomed(0.6, 100.0)
    view.set_axes(axis, roomy)
    session.selection.select(["hand"])
    assert view.values == roomy
    session.switches.set("fit_curves", True)
    fitted = view.values
    assert fitted != roomy and view.axis == axis
    view.set_axes(axis, wide)
    session.selection.select(["arm", "hand"])
    assert view.values not in (wide, roomy) and view.axis == axis
    view.set_axes(axis, wide)
    session.switches.set("fit_curves", False)
    assert view.values == wide
    scene.model.close()
    assert after(scene, lambda: session.selection.select_keys({TURN: np.array([0])})) == (False, False)
