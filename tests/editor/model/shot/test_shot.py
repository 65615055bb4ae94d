"""The shot without a window: what is chosen and looked through, steps of cameras and props, what is refused."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from core.errors import ValidationError
from core.ids import AssetId
from core.math import quat
from core.math.transform import IDENTITY, Transform, to_matrix
from core.project.project import Project
from core.shot import camera as cameras
from core.shot.camera import ShotCamera
from core.shot.character import ShotCharacter
from core.shot.prop import Hold
from editor.model.session import Session
from editor.model.shot.state import Shot
from tests.editor.panel_stage import small_session
from tests.editor.verb_stages import _prop, replace_place

A, B, BOX, GUEST = AssetId("camera-a"), AssetId("camera-b"), AssetId("prop-a"), AssetId("guest")


@pytest.fixture
def session() -> Iterator[Session]:
    """A character and its clip of two seconds; nothing is in the shot."""
    made = small_session(mesh=False)
    yield made
    made.close()


@pytest.fixture
def shot(session) -> Shot:
    """Two cameras, a prop in the world and a second character; nothing is selected, and all that is told counted."""
    made = session.feature(Shot)
    _prop(session, None)
    made.add(
        ShotCamera(A, "first", replace_place(0.0, 1.0, 4.0)),
        ShotCamera(B, "second", replace_place(1.0, 1.0, 4.0)),
        ShotCharacter(GUEST, "guest", rig=session.rig.id),
    )
    made.select(None)
    session.selection.select(())
    made.told = []
    made.changed.connect(lambda _: made.told.append(1))
    return made


def last(session: Session) -> str:
    return session.history.labels[-1]


def told(shot: Shot) -> int:
    """How often it was told since the last look."""
    count = len(shot.told)
    shot.told.clear()
    return count


# ---------------------------------------------------------------- choosing
def test_all_are_cameras_then_props_then_characters(shot):
    assert [item.id for item in shot.all()] == [A, B, BOX, GUEST]
    assert [c.id for c in shot.cameras] == [A, B] and [p.id for p in shot.props] == [BOX]
    assert [c.id for c in shot.characters] == [GUEST]
    assert shot.selected is None and shot.camera.id == A


def test_a_new_session_has_nothing_chosen():
    made = Session.create()
    found = made.feature(Shot)
    assert not found.through and not found.locked and found.selected is None and found.bone is None
    made.edits.put("camera", ShotCamera(A, "first"))
    assert found.camera.id == A and found.selected is None
    made.close()


def test_a_selected_camera_becomes_the_active_one_and_other_things_leave_it(shot):
    shot.select(B)
    assert shot.selected.id == shot.camera.id == B and told(shot) == 1
    shot.select(BOX)
    assert shot.selected.id == BOX and shot.camera.id == B
    shot.select(None)
    assert shot.selected is None and shot.camera.id == B


def test_bones_and_things_of_the_shot_are_not_selected_at_once(session, shot):
    session.selection.select(["head"])
    shot.select(None)
    assert session.selection.bones == ("head",)
    shot.select(BOX)
    assert session.selection.bones == () and shot.selected.id == BOX
    told(shot)
    session.selection.select(["head"])
    assert shot.selected is None and told(shot) == 1
    session.selection.select(["hand_l"])
    assert told(shot) == 0


def test_nothing_is_looked_through_or_next_without_a_camera(session):
    shot = session.feature(Shot)
    shot.look_through(True)
    shot.next_camera()
    assert not shot.through and shot.camera is None and shot.view() is None and shot.in_timeline is None
    shot.place_camera(np.zeros(3), quat.IDENTITY, True)
    for work in (shot.key_camera, shot.unkey_camera):
        with pytest.raises(ValidationError, match="There is no camera in this document"):
            work()


def test_looking_through_and_locking_are_told_once(shot):
    for do, state in ((shot.look_through, "through"), (shot.lock, "locked")):
        for on in (True, True, False, False):
            do(on)
            assert getattr(shot, state) is on
        assert told(shot) == 2


def test_the_next_camera_is_the_active_one_first_and_goes_round(shot):
    seen = []
    for _ in range(4):
        shot.next_camera()
        assert shot.through and shot.selected is shot.camera
        seen.append(shot.camera.id)
    assert seen == [A, B, A, B] and told(shot) == 4
    shot.look_through(False)
    shot.next_camera()
    assert shot.camera.id == A


def test_keys_on_the_time_line_are_those_of_the_camera_selected_else_looked_through(shot):
    assert shot.in_timeline is None
    shot.look_through(True)
    assert shot.in_timeline.id == A
    shot.select(B)
    assert shot.in_timeline.id == B
    shot.select(BOX)
    assert shot.in_timeline.id == B
    shot.look_through(False)
    assert shot.in_timeline is None


def test_another_document_is_begun_with_nothing_chosen(session, shot):
    shot.select(B)
    shot.look_through(True)
    shot.lock(True)
    shot.set_preview(shot.cameras[0])
    told(shot)
    session.document.replace(Project({A: ShotCamera(A, "first"), B: ShotCamera(B, "second")}), None)
    assert not shot.through and not shot.locked and shot.selected is None and told(shot) >= 1
    assert shot.camera is session.document.project.assets[A]


def test_a_change_of_other_assets_is_not_told_and_one_of_the_shot_is(session, shot):
    told(shot)
    session.edits.put("Name", replace(session.clip, name="other"))
    assert told(shot) == 0
    session.edits.put("Name", replace(shot.props[0], name="other"))
    assert told(shot) == 1
    session.edits.remove("Delete", BOX)
    assert told(shot) == 1
    session.undo()
    assert told(shot) == 1


# ---------------------------------------------------------------- names and drags
def test_things_are_added_under_free_names_in_one_step_and_the_first_is_selected(session, shot):
    steps = session.history.position
    shot.add(ShotCamera(AssetId("c"), "first"), ShotCamera(AssetId("d"), "first"))
    assert session.history.position == steps + 1 and last(session) == "Add first 2 to the shot"
    assert [c.name for c in shot.cameras] == ["first", "second", "first 2", "first 3"]
    assert shot.selected.name == "first 2"
    shot.add()
    assert session.history.position == steps + 1
    assert (
        shot.free_name("first") == "first 4" and shot.free_name("box") != "box" and shot.free_name("x") == "x"
    )


def test_a_drag_is_shown_told_and_made_one_step(session, shot):
    camera = shot.cameras[1]
    dragged = replace(camera, place=replace_place(9.0, 1.0, 1.0))
    shot.set_preview(dragged)
    shot.set_preview(dragged)
    assert told(shot) == 1 and shot.cameras[1] is dragged and shot.cameras[0].id == A
    assert session.document.project.assets[B] is camera
    steps = session.history.position
    shot.commit_preview()
    assert session.history.position == steps + 1 and last(session) == "Move second"
    assert session.document.project.assets[B] is dragged
    shot.commit_preview()
    assert session.history.position == steps + 1
    shot.set_preview(camera)
    told(shot)
    shot.set_preview(None)
    assert shot.cameras[1] is dragged and told(shot) == 1


def test_a_step_ends_a_drag_and_says_whether_anything_changed(session, shot):
    camera = shot.cameras[0]
    shot.set_preview(replace(camera, name="dragged"))
    told(shot)
    assert not shot.put("Same", camera)
    assert shot.cameras[0] is camera and told(shot) == 1
    assert shot.put("Other", replace(camera, name="other")) and last(session) == "Other"


@pytest.mark.parametrize(
    "name, wanted", [(" Close up ", "Close up"), ("first", None), (" first ", None), ("  ", None)]
)
def test_a_thing_is_renamed_where_the_name_is_another(session, shot, name, wanted):
    shot.select(A)
    steps = session.history.position
    shot.rename(name)
    assert session.history.position == steps + (wanted is not None)
    assert shot.selected.name == (wanted or "first")
    if wanted:
        assert last(session) == "Rename first to Close up"


def test_the_selected_thing_is_changed_in_a_step_named_after_what_of_it(session, shot):
    shot.select(A)
    steps = session.history.position
    shot.change("Sensor", lambda camera: camera)
    assert session.history.position == steps
    shot.change("Sensor", lambda camera: replace(camera, sensor=(24.0, 18.0)))
    assert last(session) == "Sensor of first" and shot.camera.sensor == (24.0, 18.0)
    shot.remove()
    assert last(session) == "Remove first from the shot" and shot.selected is None
    assert [c.id for c in shot.cameras] == [B]


def test_without_a_selected_thing_it_is_said_what_to_select(shot):
    for work in (
        shot.remove, lambda: shot.rename("x"), lambda: shot.change("x", lambda item: item), lambda: shot.set_lens(35.0),
    ):  # fmt: skip
        with pytest.raises(ValidationError, match="Select a camera, prop or character of the shot first"):
            work()
    shot.select(A)
    for work in (
        shot.attach,
        shot.attach_always,
        shot.attach_range,
        shot.release,
        lambda: shot.remove_hold(0),
    ):
        with pytest.raises(ValidationError, match="Select a prop in the Shot panel first"):
            work()


# ---------------------------------------------------------------- cameras
@pytest.mark.parametrize("lens, held", [
    (35.0, 35.0), (0.5, cameras.LEAST_LENS), (9000.0, cameras.MOST_LENS), (1.0, 1.0), (5000.0, 5000.0),
])  # fmt: skip
def test_a_camera_of_the_view_stands_where_the_view_does_and_is_looked_through(session, lens, held):
    shot, turn = session.feature(Shot), np.array([0.0, 0.6, 0.0, 0.8])
    shot.add_camera(np.array([1.0, 2.0, 3.0]), turn, lens)
    (camera,) = shot.cameras
    assert camera.name == "Camera" and camera.lens == held and shot.through and shot.selected is camera
    np.testing.assert_allclose(shot.view().position, [1.0, 2.0, 3.0])
    np.testing.assert_allclose(shot.view().rotation, turn)
    np.testing.assert_allclose(
        shot.matrix(camera), to_matrix(Transform(np.array([1.0, 2.0, 3.0]), turn, np.ones(3)))
    )


def test_a_locked_camera_is_dragged_and_then_put_where_the_view_is(session, shot):
    place, turn = np.array([3.0, 2.0, 1.0]), np.array([0.6, 0.0, 0.0, 0.8])
    steps = session.history.position
    shot.place_camera(place, turn, False)
    assert session.history.position == steps and told(shot) == 1
    np.testing.assert_allclose(shot.view().position, place)
    shot.place_camera(place, turn, True)
    assert session.history.position == steps + 1 and last(session) == "Move first"
    np.testing.assert_allclose(session.document.project.assets[A].place.translation, place)
    np.testing.assert_allclose(session.document.project.assets[A].place.rotation, turn)


def test_keys_of_the_active_camera_come_and_go_at_the_time_shown(session, shot):
    session.playback.seek(0.5)
    shot.key_camera()
    assert last(session) == "Key first" and cameras.key_times(shot.camera).tolist() == [0.5]
    session.playback.seek(1.0)
    shot.place_camera(np.array([5.0, 1.0, 4.0]), quat.IDENTITY, True)
    assert cameras.key_times(shot.camera).tolist() == [0.5, 1.0]
    session.playback.seek(0.5)
    shot.unkey_camera()
    assert last(session) == "Delete keys of first" and cameras.key_times(shot.camera).tolist() == [1.0]
    assert not shot.cameras[1].keyed


def test_a_lens_is_the_cameras_own_or_a_key_where_it_is_keyed(session, shot):
    shot.select(A)
    shot.set_lens(85.0)
    assert last(session) == "Lens of first" and shot.camera.lens == 85.0 and not shot.camera.keyed
    session.playback.seek(0.5)
    shot.key_camera()
    session.playback.seek(1.0)
    shot.set_lens(50.0)
    assert [cameras.lens_at(shot.camera, time) for time in (0.5, 1.0)] == pytest.approx([85.0, 50.0])


# ---------------------------------------------------------------- things moved
def test_things_are_moved_each_in_its_own_way(shot):
    goal = to_matrix(Transform(np.array([1.0, 2.0, 3.0]), np.array([0.0, 0.6, 0.0, 0.8]), np.ones(3)))
    for item in shot.all():
        moved = shot.moved(item, goal)
        assert moved.id == item.id and moved is not item
        np.testing.assert_allclose(shot.matrix(moved), goal, atol=1e-12)


def test_a_prop_whose_holder_is_not_shown_is_nowhere_and_stays(session, shot):
    other = replace(session.rig, id=AssetId("rig-other"), name="other")
    held = replace(shot.props[0], holds=(Hold(0.0, IDENTITY, "hand_l", other.id),))
    session.edits.put("Held", other, held)
    assert shot.matrix(held) is None and shot.moved(held, np.eye(4)) is held
    shot.select(BOX)
    with pytest.raises(ValidationError, match="box is held by a character that is not shown"):
        shot.release()


def test_bones_of_another_rig_or_another_name_are_nowhere(session, shot):
    rig = session.rig
    assert shot.bone_matrix(AssetId("rig-other"), "head") is None and shot.bone_matrix(rig.id, "tail") is None
    number = rig.skeleton.index("head")
    np.testing.assert_allclose(
        shot.bone_matrix(rig.id, "head"), session.evaluator.world() @ session.evaluator.matrices()[number]
    )
    session.document.replace(Project({}), None)
    assert shot.bone_matrix(rig.id, "head") is None and shot.bone is None and shot.holder_matrix() is None
