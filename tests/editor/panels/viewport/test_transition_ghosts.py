"""The three poses of a transition stand in a row: the source first, then the middle, then the target."""

from types import SimpleNamespace

import numpy as np
import pytest

from core.pose import kinematics
from editor.gl.character_drawables import CharacterDrawables
from editor.model.graph.ghost_strip import GhostStrip
from editor.panels.viewport.transition_ghosts import ASIDE, BACK, BEGINS, TransitionGhosts
from editor.panels.viewport.view_model import ViewportModel
from editor.tools.state import ToolState
from tests.editor.panel_stage import small_session


@pytest.fixture
def session(qapp):
    made = small_session()
    yield made
    made.close()


def test_source_middle_and_target_from_the_left_to_the_right(session) -> None:
    poses = [session.evaluator.sampled_pose(frame / 30.0) for frame in (0, 12, 20)]
    strip = SimpleNamespace(poses=SimpleNamespace(source=poses[0], middle=poses[1], target=poses[2]))
    feature = session.feature
    stand_in = SimpleNamespace(
        feature=lambda kind: strip if kind is GhostStrip else feature(kind), evaluator=session.evaluator
    )
    found = TransitionGhosts(stand_in)  # type: ignore[arg-type]
    rig = session.rig
    height = float(np.ptp(kinematics.model_matrices(rig.skeleton, rig.skeleton.rest)[:, 1, 3]))
    placed = found._matrices(rig)
    assert len(placed) == 3
    for number, (matrices, pose) in enumerate(zip(placed, poses, strict=True)):
        own = np.array(kinematics.model_matrices(rig.skeleton, pose.local))
        own[:, :3, 3] += np.array([BEGINS + number * ASIDE, 0.0, -BACK]) * height
        assert np.allclose(matrices, own, atol=1e-9)
    assert not np.allclose(placed[0][:, :3, :3], placed[2][:, :3, :3])
    model = ViewportModel(session, ToolState())
    figure: CharacterDrawables = model.character
    sticks = found.sticks(figure, (), rig)
    model.close()
    assert [tuple(np.asarray(s.colors)) for s in sticks] == [pytest.approx(tint) for tint in found.tints]
    xs = [float(np.asarray(s.points)[..., 0].mean()) for s in sticks]
    assert xs == sorted(xs)
