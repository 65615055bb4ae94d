"""Pictures of clips in their list: what they show, when they are made, and those of recent files."""

import threading

import numpy as np
import pytest

import core.io
from core.blending.layer_stack import LayerMode
from editor.gl.clip_sketch import ClipSketcher, telling
from editor.gl.sketch import Sheet, sketch
from editor.model.blending.state import Blending
from editor.model.recent_pictures import keep_picture, picture_path
from editor.panels.clips.thumbnails import ClipThumbnails
from editor.shell.documents import sample_path
from tests.editor.stage import TURN, WALK, small_project, stage


@pytest.fixture
def here(qapp):
    with stage(qapp, "clips") as made:
        yield made


def thumbnails(here) -> ClipThumbnails:
    return here.window.docks["clips"].body.panel.thumbnails


def shown(here, *clips) -> None:
    """Wait for the pictures of clips as they are now, and of all others that were asked for."""
    pictures = thumbnails(here)

    def there() -> bool:
        every = [pictures.picture(clip) for clip in clips]
        return None not in every and not pictures.waiting

    here.user.wait_until(there, "no pictures came")


# ------------------------------------------------------------ the picture
def square(edge: float, depth: float, color) -> Sheet:
    """A square that faces +Z, as two triangles."""
    low, high = -edge / 2, edge / 2
    a, b, c, d = ((low, low), (high, low), (high, high), (low, high))
    corners = [[(*p, depth) for p in row] for row in ((a, b, c), (a, c, d))]
    return Sheet(np.array(corners), np.tile(color, (2, 1)))


def test_nearer_things_cover_farther_ones_and_the_rest_is_clear():
    image = sketch([square(2.0, 0.0, (1.0, 0.0, 0.0)), square(0.8, 1.0, (0.0, 0.0, 1.0))], 0.0, 0.0, 64)
    assert image.shape == (64, 64, 4)
    middle, edge = image[24:40, 24:40].astype(float).mean(axis=(0, 1)), image[8:14, 8:56]
    assert middle[2] > 30 * middle[0]  # red shows between hardly any points
    assert (edge[..., 0] > 60).all() and (edge[..., 2] == 0).all()
    assert (image[:2, :, 3] == 0).all()
    assert 0.7 < (image[..., 3] > 128).mean() < 0.85  # a margin on every side


def test_picture_of_nothing_or_of_broken_numbers_is_clear():
    assert not sketch([], 0.3, 0.1, 32).any()
    broken = square(1.0, 0.0, (1.0, 1.0, 1.0))
    assert not sketch([Sheet(broken.corners * np.nan, broken.colors)], 0.3, 0.1, 32).any()


def test_moment_is_the_pose_farthest_from_the_first_wherever_the_character_is():
    places = np.zeros((4, 3, 3))
    places[:, 1, 1] = (0.0, 0.2, 0.9, 0.3)
    assert telling(places) == 2
    assert telling(places + 10.0 * np.arange(4)[:, None, None]) == 2
    assert telling(np.zeros((3, 2, 3))) == 0


def test_sample_clips_differ_and_a_rig_without_meshes_shows_its_bones():
    project = core.io.load(sample_path()).project
    sketcher, rig = ClipSketcher(), project.rigs[0]
    idle, wave = (sketcher.draw(project, rig, project.clip_named(name)) for name in ("idle", "wave"))
    assert 0.05 < (idle[..., 3] > 0).mean() < 0.6
    assert np.abs(idle.astype(int) - wave).mean() > 1.0
    bare = small_project()
    bones = sketcher.draw(bare, bare.rigs[0], bare.clips[0])
    assert (bones[..., 3] > 0).mean() > 0.01


# ------------------------------------------------------------ in the list
def test_pictures_come_by_themselves_and_only_what_changed_is_made_again(here):
    shown(here, WALK, TURN)
    before = {clip: thumbnails(here).picture(clip).cacheKey() for clip in (WALK, TURN)}
    here.user.click_row("clips", "walk")
    here.user.click("duplicateClip")
    here.session.clips.set_length(WALK, 0.5)
    here.user.settle()
    here.user.wait_until(
        lambda: thumbnails(here).picture(WALK).cacheKey() != before[WALK], "it was not made again"
    )
    assert thumbnails(here).picture(TURN).cacheKey() == before[TURN]


def test_picture_follows_a_layer_over_the_clip(here):
    shown(here, WALK, TURN)
    before = {clip: thumbnails(here).picture(clip).cacheKey() for clip in (WALK, TURN)}
    ready: list[int] = []
    thumbnails(here).ready.connect(lambda: ready.append(1))
    here.user.click_row("clips", "walk")
    assert here.session.feature(Blending).layers.add(TURN, LayerMode.OVERRIDE)
    here.user.wait_until(lambda: bool(ready), "the list did not ask for another picture")
    assert thumbnails(here).picture(WALK).cacheKey() != before[WALK]
    assert thumbnails(here).picture(TURN).cacheKey() == before[TURN]


def test_picture_that_is_being_made_is_not_asked_for_again(here, monkeypatch):
    shown(here, WALK, TURN)
    made, go_on = [], threading.Event()

    def slow(project, rig, clip):
        made.append(clip.id)
        assert go_on.wait(400.0)
        return np.zeros((8, 8, 4), np.uint8)

    monkeypatch.setattr(thumbnails(here)._sketcher, "draw", slow)
    here.session.clips.set_length(TURN, 0.25)
    here.user.settle()
    here.user.wait_until(lambda: bool(made), "it was never made")
    thumbnails(here).picture(TURN)  # as every painting of the list does
    go_on.set()
    here.user.wait_until(lambda: not thumbnails(here).waiting, "it did not end")
    assert made == [TURN]


def test_nothing_is_made_while_a_clip_plays(here, monkeypatch):
    shown(here, WALK, TURN)
    made = []
    monkeypatch.setattr(
        thumbnails(here)._sketcher, "draw", lambda *a: made.append(a) or np.zeros((8, 8, 4), np.uint8)
    )
    here.session.playback.play()
    here.session.clips.set_length(TURN, 0.25)
    thumbnails(here).picture(TURN)
    thumbnails(here)._make_one()
    assert not made and thumbnails(here)._timer.isActive()
    here.session.playback.pause()
    here.user.wait_until(lambda: bool(made), "it was never made")


def test_rows_are_tall_where_there_is_room_for_large_pictures(here):
    view = here.window.docks["clips"].body.panel.view
    for height, row in ((120, 24), (300, 44)):
        view.setFixedHeight(height)
        here.user.settle()
        assert view.visualRect(view.model().index(0)).height() == row


def test_clip_that_cannot_be_drawn_has_no_picture_and_is_not_tried_for_ever(here, monkeypatch):
    made = []

    def fails(*_):
        made.append(1)
        raise ValueError("no")

    monkeypatch.setattr(thumbnails(here)._sketcher, "draw", fails)
    here.session.clips.new()
    here.user.settle()
    clip = here.session.clip.id
    here.user.wait_until(lambda: clip in thumbnails(here)._failed, "it was not tried")
    count = len(made)
    assert thumbnails(here).picture(clip) is None
    thumbnails(here)._make_one()
    assert len(made) <= count + 2  # the other two clips, at most


# ------------------------------------------------------------ recent files
def test_file_opened_gets_a_picture_in_the_list_of_recent_files(here, tmp_path):
    path = tmp_path / "one.posewright"
    core.io.save(here.session.document.project, path)
    here.session.files.open(path)
    here.user.wait_until(lambda: here.session.document.path == path, "it was not opened")
    here.user.wait_until(picture_path(path).is_file, "no picture was kept")
    here.window.recent._fill()
    entry = next(a for a in here.window.recent.menu.actions() if a.text() == path.name)
    assert not entry.icon().isNull()


def test_pictures_of_files_no_longer_listed_are_swept(tmp_path):
    one, two = tmp_path / "one.glb", tmp_path / "two.glb"
    keep_picture(one, b"1", (one,))
    keep_picture(two, b"2", (two, one))
    assert picture_path(one).is_file() and picture_path(two).is_file()
    keep_picture(two, b"2", (two,))
    assert not picture_path(one).exists() and picture_path(two).read_bytes() == b"2"
    picture_path(two).unlink()
    picture_path(two).mkdir()
    keep_picture(two, b"3", (two,))  # it cannot be written: no error
