"""Blending in the model: journal, what the evaluator shows, the point and its clock, exports."""

from dataclasses import replace

import numpy as np
import pytest

from core.arrays import same_value
from core.blending.blend_space import BlendSpace, Smoothing
from core.blending.layer_stack import LayerMode, LayerStack
from core.clips.clip import Channel, Clip, Property
from core.errors import ValidationError
from core.ids import AssetId
from core.math import quat
from core.project.project import Project
from core.tracks.keys import scalar_track
from editor.model.blending.state import Blending
from editor.model.codec import decode, difference, encode, pack, patched, unpack
from editor.model.session import Session
from tests.editor.rigs import small_rig


def held(name: str, degrees: float, travel: float = 0.0) -> Clip:
    rig = small_rig()
    tracks = {Channel("upper_arm_l", Property.ROTATE, 2): scalar_track([0.0, 1.0], [degrees, degrees])}
    if travel:
        tracks[Channel("pelvis", Property.TRANSLATE, 2)] = scalar_track([0.0, 1.0], [0.0, travel])
    return Clip(AssetId(f"clip-{name}"), name, rig.id, 1.0, looping=True, tracks=tracks)


@pytest.fixture
def session():
    made = Session.create()
    rig = small_rig()
    clips = (held("low", 10.0, 1.0), held("high", 70.0, 3.0))
    made.document.replace(Project({a.id: a for a in (rig, *clips)}), None)
    made.playback.set_clip(clips[0].id)
    yield made
    made.close()


def line(session: Session) -> BlendSpace:
    session.feature(Blending).spaces.new("line")
    session.feature(Blending).spaces.add(AssetId("clip-low"), (1.0,))
    session.feature(Blending).spaces.add(AssetId("clip-high"), (3.0,))
    return session.feature(Blending).spaces.committed


def arm(session: Session) -> float:
    q = session.evaluator.pose().rotations[session.rig.skeleton.index("upper_arm_l")]
    return float(np.degrees(2.0 * np.arctan2(q[2], q[3])))


def test_spaces_and_layers_go_through_the_journal(session):
    before = session.document.project
    line(session)
    session.feature(Blending).layers.add(AssetId("clip-high"), LayerMode.ADDITIVE)
    session.feature(Blending).layers.key_weight(0, 0.5, 0.25)
    session.feature(Blending).layers.new_mask(0, "arm")
    session.feature(Blending).layers.paint("arm", ["hand_l"], 0.5)
    after = session.document.project
    arrays: list = []
    data, kinds = pack(difference(before, after, arrays), arrays)
    blob = b"".join(bytes(k) for k in kinds)
    change, found = unpack(data, blob)
    assert same_value(dict(patched(before, change, found).assets), dict(after.assets))
    arrays = []
    stack = after.all(LayerStack)[0]
    assert same_value(decode(encode(stack, arrays), arrays), stack)


def test_live_blend_takes_the_place_of_the_clip_and_gives_it_back(session):
    line(session)
    live = session.feature(Blending).live
    assert arm(session) == pytest.approx(10.0)
    live.set_point((2.0,))
    assert arm(session) == pytest.approx(10.0)  # not shown yet
    assert live.start()
    assert arm(session) == pytest.approx(40.0, abs=0.5)
    live.set_point((3.0,))
    assert arm(session) == pytest.approx(70.0)
    session.playback.seek(0.2)
    assert not live.on and arm(session) == pytest.approx(10.0)


def test_space_without_samples_cannot_play_and_says_why(session):
    session.feature(Blending).spaces.new("line")
    assert not session.feature(Blending).live.start()
    assert "no sample" in session.messages.latest.text


def test_clock_runs_and_a_smoothed_point_follows_in_time(session):
    space = line(session)
    axis = space.axes[0]
    session.feature(Blending).spaces.set_axis(
        0, replace(axis, smoothing=Smoothing.LINEAR, smoothing_time=1.0)
    )
    live = session.feature(Blending).live
    live.set_point((1.0,))
    live.start()
    live.tick(10.0)
    live.set_point((3.0,))
    assert live.shown_point[0] == pytest.approx(1.0)
    live.tick(10.2)
    assert 1.0 < live.shown_point[0] < 3.0
    for k in range(8):
        live.tick(10.4 + 0.2 * k)
    assert live.shown_point[0] == pytest.approx(3.0)
    assert len(live.clock.trail) > 2


def test_character_walks_by_the_blended_root_motion_unless_in_place(session):
    line(session)
    for name in ("low", "high"):
        clip = session.document.project.get(Clip, AssetId(f"clip-{name}"))
        session.edits.put("root", replace(clip, root_motion=replace(clip.root_motion, enabled=True)))
    live = session.feature(Blending).live
    session.playback.in_place = False
    live.set_point((2.0,))
    live.start()
    for k in range(6):
        live.tick(5.0 + 0.2 * k)
    assert session.evaluator.world()[2, 3] == pytest.approx(
        2.0, rel=0.01
    )  # half of 1 and of 3 m/s for a second
    session.playback.in_place = True
    assert np.allclose(session.evaluator.world(), np.eye(4))


def test_grid_of_points_becomes_clips_in_one_step(session):
    from editor.model.blending.export import export_grid

    line(session)
    before = len(session.document.project.clips)
    steps = len(session.history.labels)
    assert export_grid(session)
    assert "5 clips" in session.messages.log[-1].text
    assert len(session.document.project.clips) == before + 5
    assert len(session.history.labels) == steps + 1


def test_grid_of_thousands_of_points_is_refused_with_what_to_do(session):
    from editor.model.blending.export import export_grid

    space = line(session)
    axis = replace(space.axes[0], divisions=5000)
    session.edits.put("finer", replace(space, axes=(axis,)))
    with pytest.raises(ValidationError, match=r"has 5001 points, and 500 clips .* fewer divisions"):
        export_grid(session)


def waiting(session) -> list:
    """From now on jobs wait in the list that is returned until their work and their end are called."""
    jobs: list = []
    session.jobs.runner = lambda work, then: jobs.append((work, then))
    session.edit_jobs.grace = 0.0
    return jobs


def test_merging_a_layer_down_is_a_job_that_removes_its_stack_in_the_same_step(session):
    layers = session.feature(Blending).layers
    layers.add(AssetId("clip-high"), LayerMode.OVERRIDE)
    before, stack = session.document.project, layers.stack
    jobs = waiting(session)
    verbs = session.feature(Blending).layer_verbs
    assert not verbs.merge_down(0)
    assert session.edit_jobs.busy and session.document.project is before, "the window goes on meanwhile"
    session.edit_jobs.cancel()
    assert session.document.project is before and "cancelled" in session.messages.latest.text
    verbs.merge_down(0)
    for call in jobs[-1]:
        call()
    assert stack.id not in session.document.project.assets and len(session.history.labels) == 2
    assert arm(session) == pytest.approx(70.0)
    session.undo()
    assert same_value(dict(session.document.project.assets), dict(before.assets))


def test_baking_the_grid_and_the_point_are_jobs(session):
    from editor.model.blending.export import export_grid, export_path

    line(session)
    for export in (export_grid, export_path):
        before, jobs = session.document.project, waiting(session)
        assert not export(session)
        assert session.edit_jobs.busy and session.document.project is before
        for call in jobs[-1]:
            call()
        assert len(session.document.project.clips) > len(before.clips)


def test_clip_in_a_space_cannot_be_deleted_and_says_why(session):
    line(session)
    assert "Blend 1D" in session.clips.why_not_delete(AssetId("clip-low"))


def test_exported_clip_holds_its_layers(session):
    session.feature(Blending).layers.add(AssetId("clip-high"), LayerMode.OVERRIDE)
    whole = session.files.exportable(session.rig.id, [AssetId("clip-low")], meshes=False)
    from core.clips.sample import sample_many

    clip = whole.get(Clip, AssetId("clip-low"))
    pose = sample_many(session.rig, clip, [0.5]).pose(0)
    assert quat.angle_between(pose.rotations, session.evaluator.sampled_pose(0.5).rotations).max() < 1e-6
    assert not whole.all(LayerStack)
