"""Undo and redo of edits made from the menus by mouse: what was there comes back bit for bit, also in long clips."""

from dataclasses import replace

import numpy as np
import pytest

from core.arrays import same_value
from core.clips.clip import Channel, Marker, Notify, Property
from core.project.project import Project
from core.tracks.keys import scalar_track
from editor.actions.every import registry
from editor.model.posing import library
from editor.panels.timeline.event_strip import LANE
from editor.panels.timeline.layout import ROW, RULER
from editor.tools.clip_events import Kind, Lane
from tests.big_documents import RATE
from tests.editor.stage import WALK, small_project, stage

FRAMES = 4000


def long_project() -> Project:
    """The small character with a clip of 4,000 frames, a key on each."""
    project = small_project()
    times = np.arange(FRAMES + 1) / 30.0
    tracks = {
        Channel(bone, Property.ROTATE, axis): scalar_track(times, 20.0 * np.sin(times * (1 + axis)))
        for bone in ("arm_l", "arm_r", "spine")
        for axis in range(3)
    }
    clip = replace(project.clips[0], length=FRAMES / 30.0, rate=RATE, tracks=tracks)
    return project.with_assets(clip)


@pytest.fixture(params=[small_project, long_project], ids=["small", "4000 frames"])
def here(qapp, request):
    with stage(qapp, "timeline", project=request.param) as found:
        found.session.playback.set_clip(WALK)
        clip = found.clip()
        curve = scalar_track([0.0, clip.length], [0.0, 1.0])
        found.session.edits.put(
            "start", replace(clip, notifies=(Notify("step", 0.2),), curves={"lean": curve}, looping=True)
        )
        yield found


def by_menu(here, id: str) -> None:
    """Do an action by its entry in the menus."""
    action = registry(here.session)[id]
    here.user.choose(*action.menu.split("/"), action.title)
    here.user.settle()


def goes_and_comes(here, work) -> None:
    """Do something, undo it and do it again by keys, comparing bit for bit."""
    document, history = here.session.document, here.session.history
    before, steps = document.project, history.position
    work()
    here.user.wait_until(lambda: not here.session.jobs.running, "the work did not end")
    after = document.project
    assert history.position == steps + 1, "one gesture is one step"
    assert not same_value(before, after)
    here.user.press("Ctrl+Z")
    assert same_value(document.project, before)
    here.user.press("Ctrl+Shift+Z")
    assert same_value(document.project, after)
    here.user.press("Ctrl+Z")
    assert same_value(document.project, before)


def test_mirrored_range_is_undone(here) -> None:
    here.session.playback.set_range(0.1, 0.7)
    goes_and_comes(here, lambda: by_menu(here, "mirror.range"))


def test_marker_is_undone(here) -> None:
    here.frame(7)

    def add() -> None:
        by_menu(here, "time.add_marker")
        here.user.press("Escape")  # its name could be typed now

    goes_and_comes(here, add)


@pytest.mark.parametrize("id", ["clip.reverse", "mirror.clip", "key.set_all", "clip.loop"])
def test_edits_of_a_clip_with_notifies_and_curves_are_undone(here, id: str) -> None:
    here.frame(5)
    goes_and_comes(here, lambda: by_menu(here, id))
    assert here.clip().notifies and here.clip().curves


def test_bake_of_a_pose_asset_is_undone(here) -> None:
    session = here.session
    made = library.save_pose(session, "fist")
    here.frame(15)
    pose = library.make_asset(session, [made])
    clip = here.clip()
    curve = scalar_track([0.0, min(clip.length, 2.0)], [0.0, 1.0])
    if clip.length > 5.0:  # a key a frame: the bake of a long clip has tests of its own
        session.clips.trim(WALK, 0.0, 2.0)
        clip = here.clip()
    session.edits.put("drive", replace(clip, curves={**clip.curves, "fist": curve}))
    goes_and_comes(here, lambda: library.bake_asset(session, pose))


# ---------------------------------------------------------------- gestures
def timeline(here):
    """The timeline's panel, all of the clip in it."""
    panel = here.window.docks["timeline"].body.panel
    here.session.playback.set_range(None)
    here.window.actions_registry.run("time.fit_all")
    here.user.settle()
    return panel


def prepared(here, **changes) -> float:
    """Change the clip shown before a gesture; its length."""
    here.session.edits.put("prepare", replace(here.clip(), **changes))
    here.user.settle()
    return here.clip().length


def test_notify_dragged_by_mouse_is_undone(here) -> None:
    length = here.clip().length
    prepared(here, notifies=(Notify("step", 0.3 * length), Notify("slide", 0.7 * length, 0.1 * length)))
    panel = timeline(here)
    middle = panel.events._lanes.index(Lane(Kind.NOTIFY)) * LANE + LANE / 2 + 1
    start, end = (panel.model.view.view_x(share * length) for share in (0.3, 0.5))
    goes_and_comes(here, lambda: here.user.drag(panel.events, (start, middle), (end, middle)))
    goes_and_comes(here, lambda: here.user.drag(panel.events, (start, middle), (end + 20, middle)))


def test_marker_dragged_by_mouse_is_undone(here) -> None:
    length = here.clip().length
    prepared(here, markers=(Marker("beat", 0.3 * length),))
    panel = timeline(here)
    start, end = (panel.model.view.view_x(share * length) + 3 for share in (0.3, 0.5))
    goes_and_comes(here, lambda: here.user.drag(panel.tracks, (start, RULER + 7), (end, RULER + 7)))


def test_key_of_a_curve_dragged_by_mouse_is_undone(here) -> None:
    length = here.clip().length
    prepared(here, curves={"lean": scalar_track([0.0, 0.3 * length, length], [0.0, 1.0, 0.5])})
    here.session.selection.select([])
    panel = timeline(here)

    def height_of(key: str) -> float:
        row = next(n for n, r in enumerate(panel.model.rows.all()) if r.key[-1:] == (key,))
        return panel.model.view.layout().top(row) + ROW / 2

    here.user.click(panel.tracks, (4 + 14 + 6, height_of("curves")))  # opens the group
    height = height_of("lean")
    start, end = (panel.model.view.view_x(share * length) for share in (0.3, 0.6))
    goes_and_comes(here, lambda: here.user.drag(panel.tracks, (start, height), (end, height)))


def test_keys_of_a_bone_dragged_by_mouse_are_undone(here) -> None:
    here.session.selection.select(["arm_l"])
    length = prepared(here)
    panel = timeline(here)
    channels = [c for c in here.clip().tracks if c.bone == "arm_l"]
    here.session.selection.select_keys({c: np.array([len(here.clip().tracks[c]) - 1]) for c in channels})
    here.user.settle()
    height = panel.model.view.layout().top(0) + ROW / 2
    start, end = panel.model.view.view_x(length), panel.model.view.view_x(0.8 * length)
    goes_and_comes(here, lambda: here.user.drag(panel.tracks, (start, height), (end, height)))
