"""Retiming by keys, in the window."""

import pytest

from tests.editor.panels.timeline.test_timeline_by_hand import ROW_X, Scene, X, Y


@pytest.fixture
def scene(qapp):
    made = Scene(qapp)
    yield made
    made.stage.close(qapp)


def test_a_clicked_key_is_nudged_by_alt_and_arrows_and_undone_exactly(scene) -> None:
    user, session = scene.user, scene.session
    before, was = session.clip, scene.frames(X)
    user.click(scene.view, scene.at(ROW_X, was[1]))
    user.press("Alt+Right")
    assert scene.frames(X) == [was[0], was[1] + 1, *was[2:]]
    user.press("Alt+Shift+Left")
    assert scene.frames(X)[1] == pytest.approx(was[1] + 0.9)
    user.press("Alt+Left")
    assert scene.frames(X)[1] == pytest.approx(was[1] - 0.1)
    for _ in range(3):
        user.press("Ctrl+Z")
    assert session.clip is before
    user.press("Ctrl+Shift+Z")
    assert scene.frames(X)[1] == was[1] + 1


def test_keys_of_the_selected_bone_at_the_playhead_are_nudged_and_the_playhead_goes_along(scene) -> None:
    was = scene.frames(X)
    scene.user.click(scene.view, scene.ruler(was[1]))
    scene.user.press("Alt+Right")
    scene.user.press("Alt+Right")
    assert scene.frames(X)[1] == scene.frames(Y)[1] == was[1] + 2
    assert scene.session.playback.frame == pytest.approx(was[1] + 2)


def test_ctrl_and_arrows_insert_and_remove_frames_everywhere_or_for_the_bone(scene) -> None:
    user, session = scene.user, scene.session
    before, was = session.clip, scene.frames(X)
    user.click(scene.view, scene.ruler(was[0] + 2))
    user.press("Ctrl+Right")
    assert scene.frames(X) == [was[0], *(f + 1 for f in was[1:])]
    assert session.clip.length == pytest.approx(before.length + 1 / 30)
    user.press("Ctrl+Left")
    assert scene.frames(X) == was
    assert session.clip.length == pytest.approx(before.length)
    middle = session.clip
    user.press("Ctrl+Shift+Right")
    assert scene.frames(X) == [was[0], *(f + 1 for f in was[1:])]
    assert {c.bone for c, t in session.clip.tracks.items() if t is not middle.tracks[c]} == {"upper_arm_l"}
    for _ in range(3):
        user.press("Ctrl+Z")
    assert session.clip is before
