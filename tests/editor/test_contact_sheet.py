"""Contact sheets: what is in which cell, that the pictures are those of the clip, and what is refused."""

import numpy as np
import pytest
from PIL import Image

import core.io
from core.errors import MissingReferenceError, ValidationError
from core.terrain.pieces import Plane, Stairs
from core.terrain.terrain import Terrain
from editor.app import main
from editor.contact_sheet import SheetStyle, Strip, contact_sheet, section_floor, spread
from editor.gl.capture import NoContextError, OffscreenRenderer
from editor.gl.lettering import line_height, put_text, shortened, text_width
from editor.model.opening import sample_path

CELL = (72, 96)


@pytest.fixture(scope="module")
def sample():
    try:
        OffscreenRenderer().close()
    except NoContextError as error:
        pytest.skip(str(error))
    return core.io.load(sample_path()).project


def style(**changes):
    return SheetStyle(**{"cell": CELL, "labels": False, **changes})


def sheet(project, name, frames, **changes):
    clip = project.clip_named(name)
    return contact_sheet(project, project.rigs[0], [Strip(clip, tuple(frames))], style(**changes))


def cell(image, row, column):
    """One picture of a sheet without labels."""
    top, left = row * (CELL[1] + 1), column * (CELL[0] + 1)
    return image[top : top + CELL[1], left : left + CELL[0], :3].astype(int)


def differ(a, b):
    """How many pixels clearly differ."""
    return int((np.abs(a - b).max(axis=-1) > 24).sum())


def bright_columns(picture):
    """The first and last column in which the light body shows."""
    shown = np.flatnonzero((picture.min(axis=-1) > 120).any(axis=0))
    return int(shown[0]), int(shown[-1])


def test_rows_are_views_and_columns_frames(sample):
    image = sheet(sample, "walk", (0.0, 8.0, 16.0), views=("front", "left"))
    assert image.shape == (2 * 97 - 1, 3 * 73 - 1, 4) and (image[..., 3] == 255).all()
    assert differ(cell(image, 0, 0), cell(image, 1, 0)) > 200
    assert differ(cell(image, 1, 0), cell(image, 1, 1)) > 100


def test_a_looping_clip_shows_the_same_picture_at_both_ends_but_for_the_ground(sample):
    clip = sample.clip_named("walk")
    image = sheet(sample, "walk", (0.0, float(clip.frames)), views=("left",), grid=False)
    assert differ(cell(image, 0, 0), cell(image, 0, 1)) < 12


def test_followed_character_stays_in_the_middle_and_a_still_camera_sees_it_travel(sample):
    frames = (0.0, 32.0)
    followed = sheet(sample, "walk", frames, views=("left",), grid=False)
    still = sheet(sample, "walk", frames, views=("left",), grid=False, follow=False)
    middle = [np.mean(bright_columns(cell(followed, 0, column))) for column in (0, 1)]
    assert abs(middle[0] - middle[1]) < 3
    first, last = (bright_columns(cell(still, 0, column)) for column in (0, 1))
    # Seen from its left a character that walks along +Z goes to the left.
    assert last[0] < first[0] - 10


def test_turning_camera_keeps_seeing_the_front(sample):
    frames = (0.0, float(sample.clip_named("turn left 90").frames))
    turned = sheet(sample, "turn left 90", frames, views=("front",), grid=False, turn=True)
    fixed = sheet(sample, "turn left 90", frames, views=("front",), grid=False)
    assert differ(cell(turned, 0, 0), cell(turned, 0, 1)) < differ(cell(fixed, 0, 0), cell(fixed, 0, 1)) / 2


def test_close_up_shows_the_foot_larger_and_follows_it(sample):
    whole = sheet(sample, "walk", (0.0, 16.0), views=("left",), grid=False)
    near = sheet(sample, "walk", (0.0, 16.0), views=("left",), grid=False, focus=("foot_l",), margin=0.3)
    for column in (0, 1):
        assert differ(cell(whole, 0, column), cell(near, 0, column)) > 300
        left, right = bright_columns(cell(near, 0, column))
        assert left < CELL[0] / 2 < right


def test_more_frames_than_columns_go_on_below(sample):
    image = sheet(sample, "walk", range(5), views=("front",), columns=2)
    assert image.shape[:2] == (3 * 97 - 1, 2 * 73 - 1)
    assert not cell(image, 2, 1).std(axis=(0, 1)).any(), "the sixth cell is empty"


def test_labels_add_a_title_and_numbers(sample):
    strips = [Strip(sample.clip_named("walk"), (0.0, 1.0)), Strip(None, (0.0,))]
    rig = sample.rigs[0]
    plain = contact_sheet(sample, rig, strips, style(views=("front",)))
    image = contact_sheet(sample, rig, strips, style(views=("front",), labels=True))
    title = (image.shape[0] - plain.shape[0]) // 2
    assert title >= line_height() and (image.shape[0] - plain.shape[0]) % 2 == 0
    assert image[:title, :, :3].max() > 180, "the clip's name"
    cells = image[title : title + CELL[1], : CELL[0]].astype(int), cell(plain, 0, 0)
    corner = differ(cells[0][:24, :20, :3], cells[1][:24, :20])
    assert corner > 4 and differ(cells[0][40:, :, :3], cells[1][40:]) == 0


def test_theme_background_and_clay_change_the_picture(sample):
    shown = {
        name: cell(sheet(sample, "walk", (0.0,), views=("front",), **changes), 0, 0)
        for name, changes in {
            "plain": {},
            "light": {"light": True},
            "red": {"background": (1.0, 0.0, 0.0, 1.0), "grid": False},
            "bones": {"bones": True},
        }.items()
    }
    assert shown["light"][0, 0].min() > 200 > shown["plain"][0, 0].max()
    assert shown["red"][0, 0].tolist() == [255, 0, 0]
    assert differ(shown["plain"], shown["bones"]) > 20


def test_terrain_of_a_section_begins_at_the_origin_facing_ahead():
    stairs = Stairs((4.0, 0.0, 3.0), 90.0, rise=0.2, run=0.3, count=2)
    terrain = Terrain((Plane(), stairs))
    floor = section_floor(terrain, (2.0, 0.0, 3.0), 90.0)
    top = floor.surface.corners[floor.surface.corners[..., 1] > 0.1].reshape(-1, 3)
    # Facing +X from x = 2, stairs that begin at x = 4 are 2 m ahead, which is +Z here, and centred.
    assert abs(top[:, 2].min() - 2.0) < 1e-5 and abs(top[:, 0].min() + top[:, 0].max()) < 1e-5
    assert np.allclose(np.linalg.norm(floor.surface.normals, axis=1), 1.0, atol=1e-6)


def test_frames_are_spread_from_the_first_to_the_last(sample):
    clip = sample.clip_named("walk")
    frames = spread(clip, 5)
    assert frames[0] == 0.0 and frames[-1] == clip.frames and len(frames) == 5
    assert spread(clip, 1) == (0.0,) and spread(None, 7) == (0.0,)
    assert spread(clip, 1000) == tuple(float(frame) for frame in range(int(clip.frames) + 1))


def test_what_makes_no_sense_is_refused_with_what_there_is(sample):
    with pytest.raises(ValidationError, match="at least 1 frame"):
        spread(None, 0)
    with pytest.raises(ValidationError, match="three-quarter"):
        SheetStyle(views=("behind",))
    with pytest.raises(ValidationError, match="at least one frame"):
        contact_sheet(sample, sample.rigs[0], [], style())
    with pytest.raises(MissingReferenceError, match="foot_l"):
        sheet(sample, "walk", (0.0,), focus=("foot",))
    with pytest.raises(ValidationError, match="16384"):
        sheet(sample, "walk", range(33), cell=(2000, 2000), columns=33)


# ------------------------------------------------------------ letters
def test_text_has_tabular_figures_and_is_cut_at_the_edge():
    assert len({text_width(digit) for digit in "0123456789"}) == 1
    assert text_width("10") == 2 * text_width("1")
    picture = np.zeros((20, 30, 4), np.uint8)
    put_text(picture, "Walk 12", (20, 10), (1.0, 1.0, 1.0, 1.0))
    assert picture[10:, 20:].max() > 150 and not picture[:, :18].any()
    assert text_width(shortened("a long name of a clip", 60)) <= 60
    assert shortened("a long name", 60).endswith("…") and shortened("walk", 100) == "walk"
    assert text_width("☃") == text_width("?")


# ------------------------------------------------------------ the command
def run(capsys, *words):
    status = main(["sheet", *map(str, words)])
    return status, capsys.readouterr()


def test_command_writes_one_picture_and_says_which(sample, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, told = run(
        capsys, sample_path(), "--clip", "walk", "--frames", 3, "--views", "front,side", "--size", "72x96"
    )
    assert status == 0 and told.out == "mannequin-walk.png: 3 frames, 218x220 pixels\n"
    with Image.open(tmp_path / "mannequin-walk.png") as image:
        assert image.size == (218, 220)
    status, told = run(capsys, sample_path(), "--clip", "walk")
    assert status == 2 and "exists already" in told.err
    status, _ = run(
        capsys, sample_path(), "--clip", "walk", "--frames", "2", "--size", "32x32", "--overwrite"
    )
    assert status == 0


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--views", "behind"), "three-quarter"),
        (("--frames", "0"), "1 to 1000"),
        (("--frames", "30:90:10"), "frames 0 to"),
        (("--out", "a.jpg"), ".png"),
        (("--out", "nowhere/a.png"), "folder"),
        (("--background", "red"), "#rrggbb"),
        (("--clip", "nothing"), "there are"),
        (("--columns", "0"), "1 to 100"),
    ],
)
def test_command_tells_in_a_line_what_is_wrong(sample, words, why, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, told = run(capsys, sample_path(), "--clip", "walk", *words)
    assert status != 0 and told.err.count("\n") == 1 and why in told.err
    assert not list(tmp_path.iterdir())
