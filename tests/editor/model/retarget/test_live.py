"""A retarget shown before it is kept: what runs on the time line, where source and target stand, who is told."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Additive, AdditiveBase, AdditiveSpace, Channel, Notify, Property
from core.clips.evaluator import ClipEvaluator
from core.math.transform import Transform
from core.pose.pose import rest_pose
from core.project.project import Project
from core.retarget.chain_map import ChainMap, ChainPair, Part
from core.tracks.keys import scalar_track
from editor.model.display.override import DisplayLevel
from editor.model.retarget import live as module
from editor.model.retarget.live import RetargetLive
from editor.model.retarget.run import PREVIEW
from editor.model.retarget.source import Source, source_of
from editor.model.retarget.state import Retargeting
from editor.model.session import Session
from tests.editor.model.retarget.test_retargeting import JUMP, TALL, WALK, tall_clips, tall_rig
from tests.editor.rigs import small_project

PELVIS = Channel("Tall_pelvis", Property.TRANSLATE, 0)


@pytest.fixture
def session() -> Iterator[Session]:
    """The small character is shown; a taller one that walks sideways is in the document."""
    made = Session.create()
    tall = tall_rig()
    walk, jump = tall_clips(tall)
    sideways = walk.with_tracks({PELVIS: scalar_track([0.0, 1.0], [0.0, 3.0])})
    project = small_project(mesh=False).with_assets(tall, sideways, replace(jump, length=0.5))
    made.document.replace(project, None)
    made.playback.set_clip(project.clips[0].id, project.rigs[0].id)
    yield made
    made.close()


@pytest.fixture
def source(session) -> Source:
    project = session.document.project
    return source_of(project, next(rig for rig in project.rigs if rig.id == TALL))


@pytest.fixture
def live(session) -> RetargetLive:
    """One of its own, without a retarget behind it."""
    made = RetargetLive(session.evaluator, session.playback, session.display)
    made.told = []
    for name in ("changed", "moved", "state_changed"):
        getattr(made, name).connect(lambda _, name=name: made.told.append(name))
    return made


def clip_of(source: Source, id):
    found = source.clip(id)
    assert found is not None
    return found


# ---------------------------------------------------------------- on and off
def test_without_a_source_nothing_is_shown(live, session):
    assert not live.start() and not live.on and live.told == []
    assert live.source is None and live.source_pose() is None and live.title == "retarget of "
    assert np.array_equal(live.source_world(), np.eye(4)) and np.array_equal(live.world(), np.eye(4))
    live.stop()
    assert live.told == [] and session.display.source is None


def test_it_is_shown_once_and_put_away_once(live, session, source):
    live.set_source(source, clip_of(source, WALK))
    live.told.clear()
    assert live.start() and live.on and session.display.source is live
    assert live.told.count("state_changed") == 1
    live.told.clear()
    assert live.start() and live.told == []
    live.stop()
    assert not live.on and session.display.source is None and session.playback.transient_clip is None
    assert live.told.count("state_changed") == 1
    live.told.clear()
    live.stop()
    assert live.told == []


def test_the_time_line_runs_over_the_source_clip_without_its_content(live, session, source):
    rig = replace(source.rig, retarget_sources={"pose": source.rig.skeleton.rest})
    plain = clip_of(source, WALK)
    clip = replace(
        plain, notifies=(Notify("step", 0.5),), curves={"speed": scalar_track([0.0], [1.0])}, retarget_source="pose",
        root_motion=replace(plain.root_motion, enabled=True),
        additive=Additive(AdditiveSpace.LOCAL, AdditiveBase.REST),
    )  # fmt: skip
    own = session.rig.id
    live.set_source(replace(source, rig=rig), clip)
    assert session.playback.transient_clip is None
    live.start()
    shown = session.playback.transient_clip
    assert shown.id == f"{PREVIEW}{clip.id}" and shown.name == "walk (preview)"
    assert shown.rig == session.rig.id == own and shown.length == clip.length and shown.rate == clip.rate
    assert not shown.tracks and not shown.curves and not shown.morphs and shown.notifies == ()
    assert shown.additive is None and shown.retarget_source is None and not shown.root_motion.enabled
    assert live.title == "retarget of walk"
    session.playback.seek(0.5)
    assert live.detail == "frame 15"


def test_another_clip_of_the_source_takes_over_the_time_line_while_it_is_shown(live, session, source):
    live.set_source(source, clip_of(source, WALK))
    live.set_source(source, clip_of(source, JUMP))
    assert session.playback.transient_clip is None
    live.start()
    live.set_source(source, clip_of(source, WALK))
    assert session.playback.transient_clip.id == f"{PREVIEW}{WALK}" and live.on
    live.set_source(None, None)
    assert not live.on and session.playback.transient_clip is None


def test_the_same_source_again_is_not_told(live, source):
    clip = clip_of(source, WALK)
    live.set_source(source, clip)
    assert live.told == ["moved"] and live.source is source
    live.set_source(source, clip)
    assert live.told == ["moved"]
    live.set_source(replace(source), clip)
    assert live.told == ["moved", "moved"]
    live.set_source(source, None)
    assert live.source is None and live.told == ["moved"] * 3
    live.set_source(None, clip)
    assert live.source is None


def test_a_picked_clip_ends_it_and_its_own_does_not(live, session, source):
    live.set_source(source, clip_of(source, WALK))
    live.start()
    session.playback.set_transient_clip(replace(session.playback.transient_clip, name="again"))
    assert live.on
    session.playback.set_transient_clip(replace(session.playback.transient_clip, id=WALK))
    assert not live.on
    live.start()
    session.playback.set_clip(session.playback.clip)
    assert not live.on


def test_time_moves_the_source_always_and_the_target_while_it_is_shown(live, session, source):
    live.set_source(source, clip_of(source, WALK))
    live.told.clear()
    session.playback.seek(0.2)
    assert live.told == ["moved"]
    live.start()
    live.told.clear()
    session.playback.seek(0.4)
    assert live.told == ["changed", "moved"]
    live.told.clear()
    live.keep_place = True
    assert live.told == []
    live.keep_place = False
    assert live.told == ["changed", "moved"] and not live.keep_place


# ---------------------------------------------------------------- the source beside
def test_the_source_stands_at_the_time_shown_and_at_its_end_after_that(live, session, source):
    clip = clip_of(source, JUMP)
    live.set_source(source, clip)
    evaluator = ClipEvaluator(source.rig, clip)
    for time, at in ((0.0, 0.0), (0.3, 0.3), (0.5, 0.5), (1.2, 0.5)):
        session.playback.seek(time)
        wanted = evaluator.sample_many(np.array([at])).pose(0)
        found = live.source_pose()
        assert found.rig == TALL
        np.testing.assert_allclose(found.rotations, wanted.rotations, atol=1e-12)
    assert live.source_pose() is found


def test_before_a_result_the_source_is_scaled_by_the_longest_sides_of_the_rest_poses(live, session, source):
    live.keep_place = False
    live.set_source(source, clip_of(source, WALK))
    sizes = []
    for rig in (session.rig, source.rig):
        places = np.zeros((len(rig.skeleton), 3))
        for bone, parent in enumerate(rig.skeleton.parents):
            places[bone] = rig.skeleton.rest.translation[bone] + (places[parent] if parent >= 0 else 0.0)
        sizes.append(max(np.ptp(places[:, axis]) for axis in range(3)))
    np.testing.assert_allclose(live.source_world(), np.diag([*[sizes[0] / sizes[1]] * 3, 1.0]), atol=1e-12)


def test_in_place_the_first_bones_way_over_the_ground_is_taken_back_and_its_height_kept(
    live, session, source
):
    live.set_source(source, clip_of(source, WALK))
    scale = live.source_world()[0, 0]
    for time in (0.0, 0.5, 1.0):
        session.playback.seek(time)
        place = np.append(live.source_pose().translations[0], 1.0)
        drawn = live.source_world() @ place
        np.testing.assert_allclose(drawn[:3], [0.0, scale * place[1], 0.0], atol=1e-9)
    live.keep_place = False
    assert (live.source_world() @ place)[0] == pytest.approx(3.0 * scale)


# ---------------------------------------------------------------- the target
@pytest.fixture
def retarget(session) -> Retargeting:
    """The walk on the small character, worked out and shown."""
    made = session.feature(Retargeting)
    made.use_rig(TALL)
    return made


def test_the_target_shows_the_result_and_its_rest_while_there_is_none(session, retarget):
    session.playback.seek(0.5)
    live, result = retarget.live, retarget.computation.result
    wanted = ClipEvaluator(session.rig, result.clip).sample_many(np.array([0.5])).pose(0)
    np.testing.assert_allclose(live.pose().rotations, wanted.rotations, atol=1e-9)
    assert live.pose() is live.pose() and session.evaluator.pose() is live.pose()
    live.set_result(session.rig, None)
    rest = rest_pose(session.rig)
    assert np.array_equal(live.pose().rotations, rest.rotations)
    assert np.array_equal(live.pose().translations, rest.translations)
    live.set_result(None, result)
    assert np.array_equal(live.pose().rotations, rest.rotations)
    assert np.array_equal(live.world(), np.eye(4))


def test_the_result_of_another_character_is_not_shown(session, retarget):
    live, result = retarget.live, retarget.computation.result
    live.set_result(replace(session.rig, id="rig-else"), result)
    assert np.array_equal(live.pose().rotations, rest_pose(session.rig).rotations)
    assert np.array_equal(live.world(), np.eye(4))


def test_the_target_stays_in_place_or_walks(session, retarget):
    live = retarget.live
    for time in (0.0, 0.5, 1.0):
        session.playback.seek(time)
        place = np.append(live.pose().translations[0], 1.0)
        np.testing.assert_allclose((live.world() @ place)[:3], [0.0, place[1], 0.0], atol=1e-9)
    assert place[0] > 0.5
    live.keep_place = False
    assert np.array_equal(live.world(), np.eye(4))


def test_with_a_result_the_source_has_the_targets_height_over_the_mapped_bones(session, retarget):
    live, binding = retarget.live, retarget.computation.result.binding
    live.keep_place = False
    height = []
    for skeleton, local, side in (
        (binding.target, binding.target.rest, "target"),
        (binding.source, binding.alignment.local, "source"),
    ):
        bones = {bone for pair in binding.chains.chains for bone in getattr(pair, side)}
        places = module.kinematics.to_model(skeleton, local).translation
        rows = [skeleton.index(bone) for bone in bones]
        height.append(np.ptp(places[rows, 1]))
    world = live.source_world()
    assert np.linalg.norm(world[:3, 0]) == pytest.approx(height[0] / height[1])
    turned = world[:3, :3] / np.linalg.norm(world[:3, 0])
    heading = Transform(np.zeros(3), np.asarray(binding.alignment.heading), np.ones(3))
    np.testing.assert_allclose(turned, module.transform.to_matrix(heading)[:3, :3], atol=1e-12)


def test_with_a_result_the_hips_of_the_map_are_kept_in_place(session, retarget):
    live = retarget.live
    for time in (0.0, 0.5, 1.0):
        session.playback.seek(time)
        pose, world = live.source_pose(), live.source_world()
        place = np.append(pose.translations[0], 1.0)
        np.testing.assert_allclose((world @ place)[[0, 2]], 0.0, atol=1e-9)
    assert place[0] > 2.0


def test_a_source_of_other_bones_drops_the_result_and_another_clip_of_it_keeps_it(session, retarget):
    live, source = retarget.live, retarget.subject.source
    session.playback.seek(0.5)
    before = live.pose()
    live.set_source(source, clip_of(source, JUMP))
    session.playback.seek(0.5)
    np.testing.assert_allclose(live.pose().rotations, before.rotations, atol=1e-12)
    rig = replace(source.rig, name="other")
    live.set_source(replace(source, rig=rig), clip_of(source, JUMP))
    assert np.array_equal(live.pose().rotations, rest_pose(session.rig).rotations)


def test_without_a_character_nothing_is_fitted(session, live, source):
    session.document.replace(Project({}), None)
    live.keep_place = False
    live.set_source(source, clip_of(source, WALK))
    assert np.array_equal(live.source_world(), np.eye(4))


def test_while_shown_it_is_a_source_of_poses(session, retarget):
    assert retarget.live.on and session.display.has(DisplayLevel.SOURCE)
    retarget.clear()
    assert not retarget.live.on and session.display.source is None


# ---------------------------------------------------------------- parts
def test_hips_are_the_maps_else_the_first_bone(session):
    rig = session.rig
    pair = ChainPair("hips", Part.HIPS, ("chest", "spine"), ("spine", "pelvis"))
    chains = ChainMap((pair,))
    assert module._hips(rig, chains, True) == rig.skeleton.index("chest")
    assert module._hips(rig, chains, False) == rig.skeleton.index("spine")
    assert module._hips(rig, None, True) == 0
    assert module._hips(rig, ChainMap((replace(pair, part=Part.OTHER),)), True) == 0


def test_a_size_is_a_height_over_bones_and_never_nothing(session):
    skeleton = session.rig.skeleton
    rest = skeleton.rest
    assert module._size(skeleton, rest, ["chest", "head"]) == pytest.approx(0.25)
    assert module._size(skeleton, rest, ["hand_l", "hand_r"]) == 1e-3
    assert module._size(skeleton, rest) == pytest.approx(1.0 + 0.15 + 0.2 + 0.25 - (1.0 - 0.05 - 0.9))
