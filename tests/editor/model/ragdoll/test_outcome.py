"""A simulation shown over the clip: its own poses at its times, between them on the way, the clip's outside."""

import numpy as np
import pytest

from core.evaluation.simulated_layer import LayerSetup
from core.math import quat
from core.math.transform import Transform
from core.physics.simulated import Simulated
from editor.model.ragdoll.outcome import Outcome
from tests.editor.panel_stage import small_session

RATE = 30.0
FIRST, LAST = 12, 24
HEAD, HAND = 3, 6


@pytest.fixture
def session():
    made = small_session(mesh=False)
    yield made
    made.close()


def outcome_of(session) -> Outcome:
    """Head and hand turn a degree a frame about y from frame 12 to 24, and move a centimetre a frame."""
    rig, clip = session.rig, session.clip
    frames = np.arange(FIRST, LAST + 1)
    rest = rig.skeleton.rest
    below = Transform(*(np.tile(part, (len(frames), 1, 1)) for part in rest))
    translation, rotation = np.array(below.translation), np.array(below.rotation)
    for k, frame in enumerate(frames):
        for bone in (HEAD, HAND):
            rotation[k, bone] = quat.from_axis_angle([0.0, 1.0, 0.0], np.radians(frame))
            translation[k, bone, 0] = 0.01 * frame
    local = Transform(translation, rotation, below.scale)
    simulated = Simulated(frames / RATE, local, (HEAD, HAND), (HEAD,))
    return Outcome(rig, clip, None, None, simulated, below)  # type: ignore[arg-type]


def shown(made: Outcome, session, frame: float, blend_in: float = 0.0, blend_out: float = 0.0):
    session.playback.seek(frame / RATE)
    below = session.evaluator.pose()
    return made.pose_at(
        below, frame / RATE, LayerSetup("layer", blend_in=blend_in, blend_out=blend_out)
    ), below


@pytest.mark.parametrize("frame", [12.0, 12.25, 12.5, 17.0, 20.75, 23.5, 24.0])
def test_inside_its_range_the_simulated_bones_are_shown_on_their_way(session, frame):
    made = outcome_of(session)
    pose, below = shown(made, session, frame)
    for bone in (HEAD, HAND):
        angle = float(np.degrees(quat.angle_between(pose.rotations[bone], quat.IDENTITY)))
        assert angle == pytest.approx(frame, abs=1e-6)
    assert pose.translations[HEAD, 0] == pytest.approx(0.01 * frame)
    assert (pose.translations[HAND] == below.translations[HAND]).all()  # it only turns
    others = [b for b in range(len(pose.rotations)) if b not in (HEAD, HAND)]
    assert (pose.rotations[others] == below.rotations[others]).all()
    assert (pose.scales == below.scales).all()


@pytest.mark.parametrize("frame", [0.0, 10.0, 11.9, 24.1, 26.0, 60.0])
def test_outside_its_range_the_clip_is_shown(session, frame):
    pose, below = shown(outcome_of(session), session, frame)
    assert pose is below


@pytest.mark.parametrize(
    "frame, weight", [(12.0, 0.0), (13.5, 0.5), (15.0, 1.0), (18.0, 1.0), (22.5, 0.25), (24.0, 0.0)]
)
def test_it_comes_and_goes_by_its_weight(session, frame, weight):
    pose, below = shown(outcome_of(session), session, frame, 3.0 / RATE, 6.0 / RATE)
    angle = float(np.degrees(quat.angle_between(pose.rotations[HEAD], quat.IDENTITY)))
    assert angle == pytest.approx(weight * frame, abs=1e-6)
    assert (pose is below) is (weight == 0.0)
    there = below.translations[HEAD, 0]
    assert pose.translations[HEAD, 0] == pytest.approx(there + weight * (0.01 * frame - there))


def test_the_bone_turned_farthest_is_told(session):
    made = outcome_of(session)
    made.simulated.local.rotation[5, HAND] = quat.from_axis_angle([0.0, 0.0, 1.0], np.radians(70.0))
    degrees, bone = made.largest()
    assert (round(degrees, 6), bone) == (70.0, "hand_l") and made.bones == 2
