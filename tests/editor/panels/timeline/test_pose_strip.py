"""The pose strip by mouse and keys: poses clicked, retimed, copied, swapped; Escape, undo and redo are exact."""

from dataclasses import replace
from threading import Event
from types import SimpleNamespace

import numpy as np
import pytest

from core.arrays import FloatArray
from core.clips.clip import Clip
from core.clips.poses import poses_of
from core.errors import AnimError
from core.ids import AssetId
from core.tracks.key_types import KeyType
from core.tracks.keys import Interpolation, scalar_track
from editor.model.blocking import Blocking
from editor.model.jobs import Job
from editor.model.key_filter import KeyFilter
from editor.panels.timeline import pose_pictures
from editor.panels.timeline.pose_pictures import told_apart
from editor.panels.timeline.pose_strip import MOST
from editor.qt.runner import JobRunner
from tests.editor.panels.timeline.test_timeline_by_hand import ROW_X, Scene, X
from tests.editor.user import ALT, CTRL, RIGHT, SHIFT

MIDDLE = 30.0


@pytest.fixture(scope="module")
def scene(qapp):
    made = Scene(qapp)
    made.user.press("Shift+B")
    yield made
    made.session.feature(Blocking).set(False)
    made.session.feature(KeyFilter).show_only(None)
    made.session.switches.set("pose_strip", False)
    made.stage.close(qapp)


@pytest.fixture
def fresh(scene):
    """The clip as it was at first, the strip shown."""
    yield scene
    while scene.session.history.can_undo:
        scene.session.undo()
    scene.session.selection.select_keys({})


@pytest.fixture
def threads(scene):
    """Jobs on threads of their own, as in the window."""
    jobs = scene.session.jobs
    before, runner = jobs.runner, JobRunner()
    jobs.runner = runner
    yield
    jobs.runner = before
    # What is under way ends first: a runner that is closed tells no end, and who waits for it draws no more.
    scene.user.wait_until(lambda: not runner.busy, "what is drawn on a thread does not end")
    runner.close()


def strip(scene):
    return scene.panel.poses


def times(scene) -> list[float]:
    return [round(float(t) * 30.0, 3) for t in poses_of(scene.session.clip).times]


def place(scene, frame: float) -> tuple[float, float]:
    return scene.panel.model.view.view_x(frame / 30.0), MIDDLE


def exact(scene, before) -> None:
    after = scene.session.clip
    assert scene.session.undo() and scene.session.clip is before
    assert scene.session.redo() and scene.session.clip is after


def test_a_click_goes_to_the_pose_and_selects_its_keys_and_arrows_go_on(fresh) -> None:
    scene = fresh
    assert scene.user.visible("poseStrip")
    frames = times(scene)
    scene.user.click(strip(scene), place(scene, frames[1]))
    assert scene.session.playback.time == pytest.approx(frames[1] / 30.0)
    assert X in scene.session.selection.keys and scene.session.selection.keys[X].tolist() == [1]
    scene.user.press("Right")
    assert scene.session.playback.time == pytest.approx(frames[2] / 30.0)
    scene.user.press("Left")
    assert scene.session.playback.time == pytest.approx(frames[1] / 30.0)


def test_without_poses_it_says_what_to_do(fresh, monkeypatch) -> None:
    session, words = fresh.session, strip(fresh)._empty_text
    session.edits.put("no keys", replace(session.clip, tracks={}))
    fresh.user.settle()
    assert words() == "No poses yet: pose the character and press S"
    monkeypatch.setattr(type(session.playback), "below", 0)
    assert words() == "No poses in this layer yet: pose the character and press S"
    monkeypatch.setattr(strip(fresh), "_poses", lambda: SimpleNamespace(times=range(MOST + 1)))
    assert words().startswith("Keys on almost every frame")


def test_a_drag_retimes_the_pose_between_its_neighbours_in_one_step(fresh) -> None:
    scene, before, frames = fresh, fresh.session.clip, times(fresh)
    scene.user.drag(strip(scene), place(scene, frames[1]), place(scene, frames[1] + 3))
    assert times(scene) == [frames[0], frames[1] + 3, *frames[2:]]
    exact(scene, before)
    scene.user.drag(strip(scene), place(scene, frames[1] + 3), place(scene, frames[2] + 5))
    assert times(scene)[1] == frames[2] - 1


@pytest.mark.parametrize("way", ["Esc", "right button"])
def test_a_drag_is_taken_back(fresh, way: str) -> None:
    scene, before, frames, end = fresh, fresh.session.clip, times(fresh), place(fresh, times(fresh)[1] + 4)
    scene.user.drag(strip(scene), place(scene, frames[1]), end, release=False)
    assert scene.session.evaluator.clip is not before
    if way == "Esc":
        scene.user.press("Esc")
    else:
        scene.user.press_mouse(strip(scene), end, RIGHT)
        scene.user.release_mouse(end, RIGHT)
    assert scene.session.evaluator.clip is before, "not only when the button comes up"
    scene.user.release_mouse(end)
    assert scene.session.clip is before and times(scene) == frames


def test_shift_ctrl_and_alt_ripple_copy_and_swap(fresh) -> None:
    scene, before, frames = fresh, fresh.session.clip, times(fresh)
    values = before.tracks[X].values.tolist()
    scene.user.drag(strip(scene), place(scene, frames[1]), place(scene, frames[1] + 4), modifiers=SHIFT)
    assert times(scene) == [frames[0], *(frame + 4 for frame in frames[1:])]
    exact(scene, before)
    scene.session.undo()
    scene.user.drag(strip(scene), place(scene, frames[0]), place(scene, frames[1] - 3), modifiers=CTRL)
    assert times(scene) == [frames[0], frames[1] - 3, *frames[1:]]
    assert scene.session.clip.tracks[X].values[1] == values[0]
    exact(scene, before)
    scene.session.undo()
    scene.user.drag(strip(scene), place(scene, frames[0]), place(scene, frames[1]), modifiers=ALT)
    assert scene.session.clip.tracks[X].values[:2].tolist() == values[1::-1]
    exact(scene, before)


def test_keys_set_types_swap_hold_and_turn_the_view_stepped(fresh) -> None:
    scene, before, frames = fresh, fresh.session.clip, times(fresh)
    scene.user.click(strip(scene), place(scene, frames[1]))
    scene.user.press("Alt+4")
    assert scene.session.clip.tracks[X].types[1] == KeyType.EXTREME
    exact(scene, before)
    scene.session.undo()
    scene.user.press("Alt+X")
    assert scene.session.history.labels[-1].startswith("Swap poses")
    scene.session.undo()
    scene.session.playback.seek((frames[1] + 2) / 30.0)
    scene.user.press("Alt+D")
    assert times(scene)[2] == frames[1] + 2
    scene.session.undo()
    view = scene.session.feature(Blocking)
    scene.user.press("Ctrl+Shift+B")
    assert view.on and scene.session.evaluator.shown_time == pytest.approx(frames[1] / 30.0)
    scene.user.press("Ctrl+Shift+B")
    assert not view.on


def test_keys_of_one_type_alone_are_shown_and_picked(fresh) -> None:
    scene = fresh
    scene.user.click(scene.view, scene.at(ROW_X, scene.frames(X)[1]))
    scene.user.press("Alt+2")
    scene.session.feature(KeyFilter).show_only(KeyType.BREAKDOWN)
    row = next(r for r in scene.panel.model.rows.all() if r.key == ROW_X or r.channels == (X,))
    assert scene.panel.model.rows.keys_in(row, -1.0, 100.0).types.tolist() == [KeyType.BREAKDOWN]
    found = scene.panel.model.rows.channels_keys([X], -1.0, 100.0)
    assert found[X].tolist() == [1]
    scene.session.feature(KeyFilter).show_only(None)
    assert len(scene.panel.model.rows.keys_in(row, -1.0, 100.0).types) == len(scene.session.clip.tracks[X])


def test_a_card_shows_no_picture_of_a_pose_that_was_there_before_even_while_a_job_runs(
    fresh, threads
) -> None:
    scene, frames = fresh, times(fresh)
    pictures, waiting = strip(scene).pictures, Event()

    def shown(frame: float):
        return pictures.picture(frame / 30.0)

    scene.user.wait_until(lambda: all(shown(f) is not None for f in frames), "no pictures")
    first, second = shown(frames[0]), shown(frames[1])
    assert first is not second
    job = scene.session.jobs.start(Job("a long one", lambda progress: waiting.wait(400.0)))
    assert not job.finished
    try:
        scene.user.drag(strip(scene), place(scene, frames[0]), place(scene, frames[1]), modifiers=CTRL)
        scene.user.wait_until(
            lambda: shown(frames[1]) is not second, "the picture from before the copy stays"
        )
        scene.session.undo()
        scene.user.wait_until(lambda: shown(frames[1]) is second, "the picture from before the undo stays")
        assert not job.finished
    finally:
        waiting.set()
    scene.user.wait_until(lambda: not scene.session.jobs.running, "the job does not end")
    scene.session.redo()
    scene.user.wait_until(lambda: shown(frames[1]) not in (None, second), "the copy is not drawn")


def test_another_clip_with_poses_at_the_same_times_has_its_own_pictures(fresh) -> None:
    scene, frames = fresh, times(fresh)
    pictures = strip(scene).pictures
    scene.user.wait_until(lambda: pictures.picture(frames[1] / 30.0) is not None, "no pictures")
    clip, before = scene.session.clip, pictures.picture(frames[1] / 30.0)
    track = clip.tracks[X]
    other = replace(
        changed(clip, np.array(track.values) * 0.3 + 40.0), id=AssetId("clip-other"), name="other"
    )
    scene.session.edits.put("another clip", other)
    scene.session.playback.set_clip(other.id)
    scene.user.wait_until(
        lambda: pictures.picture(frames[1] / 30.0) not in (None, before), "the other clip's picture stays"
    )


def test_poses_that_cannot_be_drawn_do_not_keep_the_next_ones_from_it(fresh, threads, monkeypatch) -> None:
    """A clip fails while its pictures are drawn on a thread, and what is shown changes meanwhile."""
    scene, frames = fresh, times(fresh)
    pictures, begun, waiting = strip(scene).pictures, Event(), Event()

    def fails(*_arguments) -> None:
        begun.set()
        waiting.wait(400.0)
        raise AnimError("the clip cannot be drawn")

    scene.user.wait_until(lambda: pictures.picture(frames[1] / 30.0) is not None, "no pictures")
    clip, before = scene.session.clip, pictures.picture(frames[1] / 30.0)
    track = clip.tracks[X]
    with monkeypatch.context() as patched:
        patched.setattr(pose_pictures, "drawn", fails)
        scene.session.edits.put("a bad pose", changed(clip, np.array(track.values) * 0.5 + 20.0))
        scene.user.wait_until(begun.is_set, "nothing is drawn")
    scene.session.edits.put("another pose", changed(clip, np.array(track.values) * 0.4 + 30.0))
    scene.user.settle()
    waiting.set()
    scene.user.wait_until(
        lambda: pictures.picture(frames[1] / 30.0) not in (None, before), "the other pose is not drawn"
    )


def changed(clip: Clip, values: FloatArray) -> Clip:
    """The clip with other values on the keys of the track."""
    return clip.with_tracks({X: replace(clip.tracks[X], values=values)})


def test_a_card_shows_the_stepped_key_at_its_frame_and_not_the_one_before(scene) -> None:
    """28 / 30 s is a little more than its six digits say."""
    session, at = scene.session, np.array([0.0, 28.0, 31.0]) / 30.0
    stepped = scalar_track(at, [0.0, 60.0, 120.0], interpolations=int(Interpolation.CONSTANT))
    clip = replace(session.clip, tracks={X: stepped})
    names = told_apart(session.document.project.with_assets(clip), session.rig, clip, tuple(at.tolist()))[0]
    assert len(set(names.values())) == 3


def framed(scene) -> list[float]:
    """Frames of the cards whose frame on the screen has the accent's colour."""
    color = scene.stage.theme.color("accent")
    wanted = np.array([color.red(), color.green(), color.blue()])
    rows = scene.user.picture(strip(scene))[..., :3].astype(int)
    found = []
    for card in strip(scene).cards():
        rect = card.rect
        top = rows[
            round(rect.top()) : round(rect.top()) + 2, round(rect.left()) + 5 : round(rect.right()) - 5
        ]
        if (np.abs(top - wanted).sum(-1) < 60).any(0).mean() > 0.8:
            found.append(round(card.time * 30.0, 3))
    return found


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_the_pose_that_is_held_is_framed_from_its_time_on_until_the_next(fresh, theme) -> None:
    scene, frames = fresh, times(fresh)
    assert len(frames) > 2
    scene.stage.theme.use(theme)
    try:
        for number, frame in enumerate(frames[:-1]):
            for time in (frame, (frame + frames[number + 1]) / 2.0):
                scene.session.playback.seek(time / 30.0)
                scene.user.settle()
                assert framed(scene) == [frame]
    finally:
        scene.stage.theme.use("dark")


def test_the_strip_is_painted_anew_when_another_pose_is_held(fresh) -> None:
    scene, frames, painted = fresh, times(fresh), []
    scene.session.playback.seek(frames[0] / 30.0)
    scene.user.settle()
    paint = strip(scene).paintEvent
    strip(scene).paintEvent = lambda event: (painted.append(event.region()), paint(event))
    try:
        scene.session.playback.seek(frames[1] / 30.0)
        scene.user.settle()
    finally:
        del strip(scene).paintEvent
    for card in strip(scene).cards()[:2]:
        corner = card.rect.topLeft().toPoint()
        assert any(region.contains(corner) for region in painted), f"the frame at {card.time} s"
