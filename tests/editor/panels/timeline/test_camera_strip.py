"""Keys of the camera that is selected or looked through, in the timeline: by mouse and keys, undone exactly."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.arrays import same_value
from core.ids import AssetId
from core.math import quat
from core.math.transform import IDENTITY
from core.shot.camera import ShotCamera, key_times, keyed_at, placed, retimed, view_at
from editor.model.shot.state import Shot
from editor.tools.camera_keys import retime
from tests.editor.stage import stage
from tests.editor.user import SHIFT


def moving() -> ShotCamera:
    """A camera that goes up, with keys at frames 0, 10 and 20; the lens is keyed too."""
    camera = ShotCamera(
        AssetId("camera-a"), "Crane", IDENTITY._replace(translation=np.array([0.0, 1.0, 4.0]))
    )
    for frame, height in ((0, 1.0), (10, 2.0), (20, 1.5)):
        camera = placed(camera, np.array([0.0, height, 4.0]), quat.IDENTITY, frame / 30.0, key=True)
        camera = keyed_at(camera, frame / 30.0)
    return camera


class Scene:
    def __init__(self, made) -> None:
        self.made, self.user, self.session = made, made.user, made.session
        self.shot = made.session.feature(Shot)
        self.strip = made.window.findChild(type(made.user.find("cameraStrip")), "cameraStrip")

    def frames(self) -> list[float]:
        return np.round(key_times(self.shot.cameras[0]) * 30.0, 3).tolist()

    def at(self, frame: float) -> tuple[float, float]:
        place = self.strip.place_of(frame / 30.0)
        return place.x(), place.y()

    def exact(self, before) -> None:
        """One step, undone and done again by keys: the very assets."""
        after = self.session.document.project
        assert after is not before
        for keys, wanted in (("Ctrl+Z", before), ("Ctrl+Shift+Z", after)):
            self.user.press(keys)
            assert self.session.document.project.assets == wanted.assets


@pytest.fixture
def scene(qapp):
    with stage(qapp, "timeline", "shot") as made:
        made.session.feature(Shot).add(moving())
        made.user.settle()
        yield Scene(made)


def test_keys_are_dragged_together_with_shift_and_taken_back_by_escape(scene) -> None:
    user, before, steps = scene.user, scene.session.document.project, scene.session.history.position
    user.drag(scene.strip, scene.at(10), scene.at(13))
    assert scene.frames() == [0.0, 13.0, 20.0] and scene.session.history.position == steps + 1
    assert view_at(scene.shot.cameras[0], 13 / 30).position[1] == pytest.approx(2.0)
    scene.exact(before)
    user.click(scene.strip, scene.at(13))
    user.click(scene.strip, scene.at(20), modifiers=SHIFT)
    before = scene.session.document.project
    user.drag(scene.strip, scene.at(20), scene.at(25))
    assert scene.frames() == [0.0, 18.0, 25.0]
    scene.exact(before)
    before = scene.session.document.project
    user.drag(scene.strip, scene.at(18), scene.at(9), release=False)
    assert scene.frames() != [0.0, 18.0, 25.0], "shown while it is dragged"
    user.press("Esc")
    user.release_mouse(scene.at(9))
    assert scene.frames() == [0.0, 18.0, 25.0] and scene.session.document.project is before


def test_keys_are_chosen_nudged_and_deleted_by_keys(scene) -> None:
    user = scene.user
    user.click(scene.strip, scene.at(10))
    user.press("Right")
    assert scene.session.playback.frame == pytest.approx(20.0)
    user.press("Left")
    before = scene.session.document.project
    user.press("Alt+Right")
    assert scene.frames() == [0.0, 11.0, 20.0]
    scene.exact(before)
    user.click(scene.strip, scene.at(11))
    clip, before = scene.session.clip, scene.session.document.project
    user.press("Delete")
    assert scene.frames() == [0.0, 20.0] and scene.session.clip is clip
    scene.exact(before)


@pytest.mark.parametrize("frames", [(0,), (0, 10)])
def test_keys_are_not_nudged_before_the_first_frame(scene, frames) -> None:
    for frame in frames:
        scene.user.click(scene.strip, scene.at(frame), modifiers=SHIFT)
    before = scene.session.document.project
    scene.user.press("Alt+Left")
    assert scene.frames() == [0.0, 10.0, 20.0] and scene.session.document.project is before
    scene.user.press("Alt+Right")
    scene.user.press("Alt+Left")
    assert scene.frames() == [0.0, 10.0, 20.0]


def test_a_key_nudged_to_the_first_frame_stays_the_chosen_one(scene) -> None:
    half = 0.5 / 30.0
    retime(scene.shot, scene.shot.cameras[0], (0.0,), half)
    scene.user.settle()
    scene.user.click(scene.strip, scene.at(0.5))
    scene.user.press("Alt+Left")
    assert scene.frames() == [0.0, 10.0, 20.0]
    scene.user.press("Alt+Right")
    assert scene.frames() == [1.0, 10.0, 20.0]


def test_a_dragged_key_stays_the_chosen_one(scene) -> None:
    scene.user.drag(scene.strip, scene.at(10), scene.at(13))
    scene.user.press("Alt+Right")
    assert scene.frames() == [0.0, 14.0, 20.0]
    scene.user.press("Delete")
    assert scene.frames() == [0.0, 20.0]


@pytest.mark.parametrize("frame", [0, 10, 20])
def test_a_key_says_its_frame(scene, frame) -> None:
    scene.user.move(scene.strip, scene.at(frame))
    assert scene.strip.toolTip().splitlines()[0] == f"Camera key at frame {frame}"
    scene.user.move(scene.strip, scene.at(frame + 4))
    assert scene.strip.toolTip() == ""


def test_numbers_of_a_keyed_camera_follow_the_playhead(scene) -> None:
    scene.made.window.show_panel("shot")
    height = scene.user.find("shot_position_y")
    for frame, metres in ((10, 2.0), (20, 1.5), (0, 1.0)):
        scene.made.frame(frame)
        assert height.value == pytest.approx(metres, abs=1e-6)


def test_the_strip_is_there_for_a_camera_that_is_selected_or_looked_through_and_keyed(scene) -> None:
    assert scene.strip.isVisible()
    scene.shot.select(None)
    scene.user.settle()
    assert not scene.strip.isVisible()
    scene.shot.look_through(True)
    scene.user.settle()
    assert scene.strip.isVisible()
    scene.user.click(scene.strip, scene.at(20), double=True)
    assert scene.session.playback.frame == pytest.approx(20.0)


@given(st.integers(0, 60), st.integers(0, 60), st.integers(-80, 80), st.booleans())
def test_moved_keys_keep_their_values_and_the_others_theirs(first, second, frames, both) -> None:
    camera = moving()
    for frame in {first, second}:
        camera = keyed_at(camera, frame / 30.0)
    chosen = sorted({first, second} if both else {first})
    made = retimed(camera, [frame / 30.0 for frame in chosen], frames / 30.0)
    shift = max(frames, -chosen[0])
    goals = {frame + shift for frame in chosen}
    for frame in chosen:
        one, other = view_at(camera, frame / 30.0), view_at(made, (frame + shift) / 30.0)
        assert np.abs(one.position - other.position).max() < 1e-9 and one.fov == pytest.approx(other.fov)
    left = {round(t * 30) for t in key_times(camera)} - set(chosen)
    assert {round(t * 30) for t in key_times(made)} == left | goals
    assert retimed(camera, [frame / 30.0 for frame in chosen], 0.0) is camera
    assert not same_value(made, camera) or not shift


def colors_of_keys(scene) -> list[str]:
    """Which token the middle of each key has, in the order of time."""
    tokens = scene.made.theme.tokens
    picture = scene.user.picture(scene.strip)
    names = []
    for frame in scene.frames():
        x, y = scene.at(frame)
        color = "#{:02x}{:02x}{:02x}".format(*picture[round(y), round(x), :3])
        names.append({tokens.selection.lower(): "selection", tokens.text.lower(): "text"}.get(color, color))
    return names


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_chosen_keys_have_the_colour_of_what_is_selected_also_while_they_are_dragged(scene, theme) -> None:
    scene.made.theme.use(theme)
    scene.made.session.playback.seek(2.0)
    scene.user.settle()
    assert colors_of_keys(scene) == ["text", "text", "text"]
    scene.user.click(scene.strip, scene.at(10))
    scene.made.session.playback.seek(2.0)
    assert colors_of_keys(scene) == ["text", "selection", "text"]
    scene.user.click(scene.strip, scene.at(20), modifiers=SHIFT)
    seen = []
    scene.user.drag(
        scene.strip, scene.at(20), scene.at(26), during=lambda: seen.append((scene.frames(), colors_of_keys(scene)))
    )  # fmt: skip
    assert seen == [([0.0, 16.0, 26.0], ["text", "selection", "selection"])]
    scene.made.theme.use("dark")
