"""The strip of the whole clip: when it is there, and what its handle does."""

import numpy as np
import pytest

from core.tracks.keys import scalar_track
from editor.panels.timeline.overview import runs
from tests.editor.panels.timeline.test_timeline_by_hand import ROW_X, Scene, X
from tests.editor.user import CTRL


@pytest.fixture
def scene(qapp):
    made = Scene(qapp)
    yield made
    made.stage.close(qapp)


@pytest.fixture
def zoomed(scene):
    """A third of the clip in sight."""
    scene.user.wheel(scene.view, 7, scene.ruler(30))
    scene.user.settle()
    return scene


def at(scene, x: float) -> tuple[float, float]:
    return x, 8.0


def test_strip_is_there_while_a_part_of_the_clip_is_out_of_sight(scene):
    strip, user = scene.panel.overview, scene.user
    assert not strip.isVisible()
    user.wheel(scene.view, 4, scene.ruler(30))
    user.settle()
    assert strip.isVisible() and strip.width() == scene.view.width()
    user.wheel(scene.view, -6, scene.ruler(30))
    user.settle()
    assert strip.isVisible(), "it does not flicker while one zooms"
    user.press("A", scene.view)
    user.settle()
    assert not strip.isVisible()
    user.wheel(scene.view, 4, scene.ruler(30))
    user.settle()
    assert strip.isVisible()
    scene.session.switches.set("overview", False)
    user.settle()
    assert not strip.isVisible()


def test_handle_dragged_moves_in_time_and_stays_on_the_clip(zoomed):
    strip, view = zoomed.panel.overview, zoomed.model.view
    left, right = strip.overview.handle()
    wide, middle = view.axis.end - view.axis.start, (left + right) / 2.0
    step = 0.25 * 2.0 / (strip.overview.x(2.0) - strip.overview.x(0.0)) * 100.0
    before = view.axis.start
    zoomed.user.drag(strip, at(zoomed, middle), at(zoomed, middle + 50.0))
    assert view.axis.start == pytest.approx(before + 2.0 * step, rel=1e-6)
    assert view.axis.end - view.axis.start == pytest.approx(wide)
    left, right = strip.overview.handle()
    zoomed.user.drag(strip, at(zoomed, (left + right) / 2.0), at(zoomed, strip.width() - 2.0))
    assert view.axis.end == pytest.approx(2.0) and view.axis.end - view.axis.start == pytest.approx(wide)
    assert zoomed.session.playback.time == 0.0


@pytest.mark.parametrize("late", [False, True])
def test_end_of_the_handle_dragged_zooms_about_the_other_end(zoomed, late):
    strip, view = zoomed.panel.overview, zoomed.model.view
    start, end = view.axis.start, view.axis.end
    edge = strip.overview.handle()[late]
    zoomed.user.drag(strip, at(zoomed, edge), at(zoomed, edge + (60.0 if late else -60.0)))
    if late:
        assert view.axis.start == pytest.approx(start) and view.axis.end > end + 0.05
    else:
        assert view.axis.end == pytest.approx(end) and view.axis.start < start - 0.05


def test_press_beside_the_handle_brings_it_there_and_escape_takes_it_back(zoomed):
    strip, view = zoomed.panel.overview, zoomed.model.view
    before = view.axis
    place = at(zoomed, strip.overview.x(1.9))
    zoomed.user.drag(strip, place, at(zoomed, place[0] - 30.0), release=False)
    zoomed.user.press("Esc")
    zoomed.user.release_mouse(at(zoomed, place[0] - 30.0))
    assert view.axis == before, "the jump is taken back with the drag"
    zoomed.user.click(strip, place)
    assert view.axis.start > before.start and view.axis.start <= 1.9 <= view.axis.end
    now = view.axis
    left, right = strip.overview.handle()
    middle = (left + right) / 2.0
    zoomed.user.drag(strip, at(zoomed, middle), at(zoomed, middle - 80.0), release=False)
    assert view.axis != now
    zoomed.user.press("Esc")
    zoomed.user.release_mouse(at(zoomed, middle - 80.0))
    assert view.axis == now
    zoomed.user.click(strip, at(zoomed, middle), double=True)
    zoomed.user.settle()
    assert view.axis.start <= 0.0 and view.axis.end >= 2.0 and not strip.isVisible()


def test_keys_and_selected_keys_are_at_their_places_on_the_strip(zoomed):
    overview = zoomed.panel.overview.overview
    zoomed.user.click(zoomed.view, zoomed.at(ROW_X, 20), modifiers=CTRL)
    zoomed.session.selection.select_keys({X: np.array([1])})
    found = overview.density()
    last = len(found.keys) - 1
    frames = sorted({t * 30.0 for t in zoomed.model.rows.key_times()})
    assert np.flatnonzero(found.keys).tolist() == sorted({round(f / 60.0 * last) for f in frames})
    assert np.flatnonzero(found.selected).tolist() == [round(20.0 / 60.0 * last)]
    assert overview.density() is found, "not looked for again"


def test_keys_beyond_the_clip_are_at_its_ends_and_numbers_of_deleted_keys_do_no_harm(zoomed):
    session = zoomed.session
    session.edits.put("odd", session.clip.with_tracks({X: scalar_track([-1.0, 9.0], [0.0, 1.0])}))
    session.selection.select_keys({X: np.array([0, 3])})
    found = zoomed.panel.overview.overview.density()
    assert found.keys[0] and found.keys[-1] and found.selected[0]


@pytest.mark.parametrize(
    ("columns", "expected"), [("", []), ("000", []), ("111", [(0, 3)]), ("0110100", [(1, 3), (4, 5)])]
)
def test_runs_are_first_and_one_past_the_last(columns, expected):
    assert runs(np.array([c == "1" for c in columns], dtype=bool)) == expected


def test_frames_in_sight_are_written_in_the_gutter(zoomed):
    axis = zoomed.model.view.axis
    first, last = round(axis.start * 30), round(axis.end * 30)
    assert zoomed.panel.overview.caption() == f"frames {first} – {last}"
