"""What is shown at its edges: other times, holds, what makes another pose, and whom it is told."""

from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Channel, Clip, Property, RootMotion
from core.ids import AssetId
from core.math import transform
from core.pose.library import apply_asset
from core.pose.pose import Pose, rest_pose
from core.tracks.keys import Interpolation, scalar_track
from editor.model.display.override import DisplayLevel
from editor.model.evaluator import _power
from editor.model.events import Event
from editor.model.playback import LoopMode
from editor.model.session import Session
from tests.editor.rigs import small_clip, small_project, small_rig, tube_mesh
from tests.editor.shown_projects import faces

TIMES = np.array([0.0, 0.4, 1.1, 2.0])
CLIP, OTHER = AssetId("clip-small"), AssetId("clip-other")


@pytest.fixture
def session() -> Session:
    made = Session.create()
    project = small_project(mesh=False)
    made.document.replace(project.with_assets(replace(project.clips[0], id=OTHER, name="other")), None)
    made.playback.set_clip(CLIP)
    yield made
    made.close()


def walking(session: Session, looping: bool = True) -> Clip:
    """A clip that goes 1 m forward and turns by 30° in 2 s."""
    tracks = {
        Channel("pelvis", part, axis): scalar_track([0.0, 2.0], values, interpolations=Interpolation.LINEAR)
        for part, axis, values in (
            (Property.TRANSLATE, 2, [0.0, 1.0]),
            (Property.ROTATE, 1, [10.0, 40.0]),
        )
    }
    clip = replace(session.clip, tracks=tracks, looping=looping, root_motion=RootMotion(True))
    session.edits.put("walk", clip)
    return clip


def heard(session: Session) -> list[None]:
    found: list[None] = []
    session.evaluator.changed.connect(found.append)
    return found


class Still:
    """Another source than the clip: the rest pose, with a value of a curve, two metres aside."""

    title, detail = "standing", ""

    def __init__(self, session: Session, **curves: float) -> None:
        self._session, self._curves = session, curves
        self.changed: Event[None] = Event()

    def pose(self) -> Pose:
        return replace(rest_pose(self._session.rig), curves=self._curves)

    def world(self) -> np.ndarray:
        matrix = np.eye(4)
        matrix[0, 3] = 2.0
        return matrix

    def stop(self) -> None:
        self._session.display.hide(self)


# ---------------------------------------------------------------- other times
def test_other_times_in_place_stand_where_they_would_be_drawn_themselves(session: Session) -> None:
    walking(session)
    session.playback.in_place = True
    found = session.evaluator.worlds(TIMES)
    assert found.shape == (4, 4, 4)
    for time, world in zip(TIMES, found, strict=True):
        session.playback.seek(float(time))
        np.testing.assert_allclose(world, session.evaluator.world(), atol=1e-12)
    assert np.abs(found[0] - found[-1]).max() > 0.5


def test_other_times_on_the_way_stand_beside_the_pose_shown(session: Session) -> None:
    walking(session)
    session.playback.in_place = False
    session.playback.play()
    session.playback.tick(0.0)
    session.playback.tick(2.5)
    found = session.evaluator.worlds(TIMES)
    world = session.evaluator.world()
    assert found.shape == (4, 4, 4) and session.playback.turns == 1 and not np.allclose(world, np.eye(4))
    for other in found:
        np.testing.assert_array_equal(other, world)


def test_other_times_without_root_motion_stay(session: Session) -> None:
    np.testing.assert_array_equal(session.evaluator.worlds(TIMES), np.tile(np.eye(4), (4, 1, 1)))
    session.playback.set_clip(None)
    np.testing.assert_array_equal(session.evaluator.worlds(TIMES), np.tile(np.eye(4), (4, 1, 1)))


def test_other_times_of_an_edit_go_by_the_edit(session: Session) -> None:
    walking(session)
    moving = session.evaluator.pipeline
    session.undo()
    assert session.evaluator.pipeline is not moving
    session.playback.in_place = True
    assert np.abs(session.evaluator.worlds(TIMES, moving)[-1] - np.eye(4)).max() > 0.5


@pytest.mark.parametrize(
    ("looping", "loop", "walks_on"),
    [
        (True, LoopMode.LOOP, True),
        (True, LoopMode.PING_PONG, False),
        (True, LoopMode.ONCE, False),
        (False, LoopMode.LOOP, False),
    ],
)
def test_turns_carry_on_only_where_clip_and_transport_loop(
    session: Session, looping: bool, loop: LoopMode, walks_on: bool
) -> None:
    walking(session, looping)
    session.playback.in_place = False
    session.playback.seek(0.5)
    first = session.evaluator.world()
    session.playback.play()
    session.playback.tick(0.0)
    session.playback.tick(2.0)
    assert session.playback.turns == 1 and session.playback.time == pytest.approx(0.5)
    session.playback.loop = loop
    session.evaluator._drop()
    assert np.allclose(session.evaluator.world(), first) is not walks_on


@pytest.mark.parametrize("count", [-3, -1, 0, 1, 2, 5])
def test_turns_put_together_are_the_motion_over_and_over(count: int) -> None:
    matrix = np.eye(4)
    matrix[:3, :3] = [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]]
    matrix[:3, 3] = [1.0, 0.5, 0.0]
    found = transform.to_matrix(_power(transform.from_matrix(matrix), count))
    np.testing.assert_allclose(found, np.linalg.matrix_power(matrix, count), atol=1e-12)


# ---------------------------------------------------------------- holds
def test_a_hold_shows_the_pose_of_another_time_until_it_goes(session: Session) -> None:
    session.playback.seek(0.9)
    own = session.evaluator.pose().rotations
    told = heard(session)
    session.evaluator.set_hold(lambda time: np.floor(time / 0.5) * 0.5)
    assert len(told) == 1 and session.evaluator.shown_time == 0.5 and session.evaluator.time == 0.9
    assert session.evaluator.shown_times(TIMES).tolist() == [0.0, 0.0, 1.0, 2.0]
    expected = session.evaluator.sampled_pose(0.5).rotations
    np.testing.assert_array_equal(session.evaluator.pose().rotations, expected)
    assert not np.array_equal(own, expected)
    session.evaluator.set_hold(None)
    assert len(told) == 2 and session.evaluator.shown_time == 0.9
    assert session.evaluator.shown_times(TIMES) is TIMES


# ---------------------------------------------------------------- what makes a pose
def test_without_a_clip_edits_of_poses_are_the_poses_themselves(session: Session) -> None:
    session.playback.set_clip(None)
    pose = rest_pose(session.rig)
    assert session.evaluator.pipeline is None and session.evaluator.to_clip_pose(pose) is pose
    assert session.evaluator.sample_many(TIMES) is None and session.evaluator.in_hand is None
    assert session.evaluator.to_clip_weights({"speed": 2.0}, False) == {"speed": 2.0}


def test_without_a_character_nothing_is_shown(session: Session) -> None:
    session.files.new()
    evaluator = session.evaluator
    assert (evaluator.rig, evaluator.clip, evaluator.meshes, evaluator.pipeline) == (None, None, (), None)
    assert evaluator.document_clip is None and evaluator.layered_clip is None


def test_sampled_pose_of_now_is_kept_and_that_of_another_time_is_not(session: Session) -> None:
    evaluator = session.evaluator
    now = evaluator.sampled_pose()
    assert evaluator.sampled_pose() is now and evaluator.sampled_pose(0.0) is now
    other = evaluator.sampled_pose(1.0)
    assert evaluator.sampled_pose(1.0) is not other and evaluator.sampled_pose() is now
    session.playback.seek(1.0)
    assert evaluator.sampled_pose() is not now
    np.testing.assert_array_equal(evaluator.sampled_pose().rotations, other.rotations)


def test_the_pipeline_is_one_object_until_a_part_of_it_changes(session: Session) -> None:
    rig, evaluator = session.rig, session.evaluator
    first = evaluator.pipeline
    session.playback.seek(1.0)
    session.edits.put("another clip", replace(small_clip(rig), id=AssetId("clip-third"), name="third"))
    assert evaluator.pipeline is first
    seen = [first]
    for asset in (
        tube_mesh(rig),
        faces(rig),
        replace(session.clip, name="walk"),
        replace(rig, name="person"),
    ):
        session.edits.put("part", asset)
        assert all(evaluator.pipeline is not known for known in seen)
        assert evaluator.pipeline is evaluator.pipeline
        seen.append(evaluator.pipeline)
    session.playback.set_clip(OTHER)
    assert evaluator.pipeline.clip.id == OTHER


def test_a_clip_below_that_has_no_such_layer_leaves_the_clip_as_it_is(session: Session) -> None:
    session.playback.set_clip(OTHER, below=CLIP)
    assert session.evaluator.in_hand is None and session.evaluator.pipeline.clip.id == OTHER
    assert session.evaluator.layered_clip.id == CLIP


def test_edits_name_the_documents_clip_under_one_from_outside(session: Session) -> None:
    outside = small_clip(small_rig(), 1.0)
    session.playback.set_transient_clip(outside)
    assert session.evaluator.clip is outside and session.evaluator.document_clip is session.clip
    session.playback.set_transient_clip(None)
    dragged = replace(session.clip, name="dragged")
    session.preview.set_clip(dragged)
    assert session.evaluator.document_clip is dragged and session.evaluator.layered_clip is dragged


def test_another_source_is_shown_with_its_world_and_driven_poses(session: Session) -> None:
    asset = faces(session.rig)
    session.edits.put("faces", asset)
    source = Still(session, look=0.5)
    session.display.show(source)
    expected = apply_asset(session.rig.skeleton, source.pose(), asset, {"look": 0.5})
    np.testing.assert_array_equal(session.evaluator.sampled_pose().rotations, expected.rotations)
    assert not np.array_equal(expected.rotations, source.pose().rotations)
    assert session.evaluator.world()[0, 3] == 2.0 and session.evaluator.sample_many(TIMES) is None
    session.playback.seek(1.0)
    assert not np.array_equal(session.evaluator.sampled_pose(1.0).rotations, expected.rotations)
    session.display.hide(source)
    np.testing.assert_array_equal(session.evaluator.world(), np.eye(4))
    assert session.evaluator.sample_many(TIMES) is not None


# ---------------------------------------------------------------- what is told
@pytest.mark.parametrize(
    ("what", "times"), [("clip", 1), ("rig", 1), ("mesh", 1), ("faces", 1), ("other", 0)]
)
def test_edits_of_what_is_shown_are_told_and_those_of_others_are_not(
    session: Session, what: str, times: int
) -> None:
    assets = {
        "clip": replace(session.clip, name="walk"),
        "rig": replace(session.rig, name="person"),
        "mesh": tube_mesh(session.rig),
        "faces": faces(session.rig),
        "other": replace(session.document.project.get(Clip, OTHER), name="walk"),
    }
    told = heard(session)
    session.edits.put("edit", assets[what])
    assert len(told) == times


def test_what_goes_and_what_belongs_to_another_character(session: Session) -> None:
    other = replace(small_rig(), id=AssetId("rig-other"), name="another")
    session.edits.put("another", other)
    told = heard(session)
    session.edits.put("mesh", replace(tube_mesh(session.rig), id=AssetId("mesh-other"), rig=other.id))
    assert told == []
    session.edits.remove("mesh", AssetId("mesh-other"))
    assert len(told) == 1  # whose it was cannot be told any more


def test_settings_of_the_transport_are_told_only_where_they_move_the_character(session: Session) -> None:
    told = heard(session)
    session.playback.speed = 2.0
    session.playback.play()
    assert told == []
    session.playback.in_place = not session.playback.in_place
    assert len(told) == 1


@pytest.mark.parametrize("level", list(DisplayLevel))
def test_overrides_that_change_no_pose_are_not_told(session: Session, level: DisplayLevel) -> None:
    told = heard(session)
    session.display.changed.emit(level)
    assert len(told) == (level not in (DisplayLevel.TRANSIENT_CLIP, DisplayLevel.DRAWN))
