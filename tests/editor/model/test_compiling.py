"""Compiled clips of a session, without a window."""

from dataclasses import replace

import numpy as np
import pytest

from core.blending.layer_stack import ClipLayer, LayerStack
from core.clips.clip import Channel, Property
from core.clips.compiled.options import CompileOptions
from core.clips.compiled.player import CompiledPlayer
from core.clips.sample import ClipEvaluator
from core.errors import AnimError
from core.ids import AssetId
from core.io.compiled.read import read_compiled
from core.math import quat
from core.math.transform import Transform
from core.progress import Progress
from core.tracks.keys import Interpolation, scalar_track
from editor.model import compile_state
from editor.model.compile_compare import magnified
from editor.model.compile_state import Compiling, Which, file_name
from editor.model.compile_work import compiled, order_for
from editor.model.messages import Level
from editor.model.session import Session
from tests.editor.stage import TURN, WALK, small_project


@pytest.fixture
def session():
    made = Session.create()
    made.document.replace(small_project(), None)
    made.playback.set_clip(WALK)
    yield made
    made.close()


def by_hand(skeleton, local) -> np.ndarray:
    """Model matrices, multiplied bone by bone."""
    made = np.zeros((len(skeleton), 4, 4))
    for bone, parent in enumerate(skeleton.parents):
        matrix = np.eye(4)
        matrix[:3, :3] = quat.to_matrix(local.rotation[bone]) * local.scale[bone]
        matrix[:3, 3] = local.translation[bone]
        made[bone] = matrix if parent < 0 else made[parent] @ matrix
    return made


def test_errors_are_distances_of_bones_and_shell_points():
    project, shell = small_project(), 0.05
    made = compiled(order_for(project, WALK), CompileOptions(metres=1e-3, shell=shell), Progress())
    rig, errors = project.rigs[0], made.errors
    original, player = ClipEvaluator(rig, project.clip_named("walk")), CompiledPlayer(made.clip)
    points = np.concatenate((np.zeros((1, 3)), shell * np.eye(3)))
    points = np.concatenate((points, np.ones((4, 1))), axis=1)
    for row in range(0, len(errors.times), 9):
        time = float(errors.times[row])
        wanted = by_hand(rig.skeleton, original.sample_many([time], wrap=False).pose(0).local)
        off = (by_hand(rig.skeleton, player.pose(time)) - wanted) @ points.T
        assert np.allclose(np.linalg.norm(off[:, :3], axis=1).max(axis=1), errors.metres[row], atol=1e-9)
    assert errors.largest.max() == pytest.approx(made.report.largest, abs=1e-8) and made.holds
    bone = int(np.argmax(errors.largest))
    assert errors.metres[np.searchsorted(errors.times, errors.moments[bone]), bone] == errors.largest[bone]


def test_motion_hidden_between_half_frames_is_held():
    """A bump of a cubic between two neighbouring half-frames, zero at both: `t (h - t)` times its slope."""
    channel, h, slope = Channel("arm_l", Property.ROTATE, 2), 1 / 60, 1200.0
    times = np.array([0.0, 0.2, 0.2 + h, 1.0])
    bump = scalar_track(times, np.zeros(4), [0, 0, -slope, 0], [0, slope, 0, 0])
    project = small_project()
    walk = project.clip_named("walk").with_tracks({channel: bump})
    made = compiled(order_for(project.with_assets(walk), WALK), CompileOptions(), Progress())
    assert made.holds
    bone, reach = made.clip.skeleton.index("arm_l"), CompileOptions().shell
    top, top_of_bump = 0.2 + h / 2, np.radians(slope * h / 4)
    played = CompiledPlayer(made.clip).pose(top).rotation[bone]
    original = ClipEvaluator(project.rigs[0], walk).sample_many([0.2, top], wrap=False).rotations[:, bone]
    assert quat.angle_between(original[0], original[1]) == pytest.approx(top_of_bump, rel=0.05)
    assert quat.angle_between(played, original[1]) < 2.0 * 1e-4 / reach < top_of_bump / 10.0


def test_a_jump_is_no_motion_between_half_frames():
    channel = Channel("pelvis", Property.TRANSLATE, 0)
    late = float(np.float32(11 / 30)) + 2e-8  # as files have it: a hair after the half-frame
    step = scalar_track([0.0, late, 0.61, 1.0], [0.0, 1.0, 2.0, 2.0], interpolations=Interpolation.CONSTANT)
    project = small_project()
    walk = project.clip_named("walk").with_tracks({channel: step})
    made = compiled(order_for(project.with_assets(walk), WALK), CompileOptions(), Progress())
    assert made.holds and made.report.largest <= 1e-4


def test_layers_are_baked_before_compiling():
    project = small_project()
    channel = Channel("arm_r", Property.ROTATE, 2)
    wave = replace(project.clip_named("walk"), id=AssetId("wave"), name="wave", tracks={})
    wave = wave.with_tracks({channel: scalar_track([0.0, 1.0], [30.0, 30.0])})
    stack = LayerStack(AssetId("stack"), "layers", wave.rig, WALK, (ClipLayer("wave", wave.id),))
    project = project.with_assets(wave, stack)
    order = order_for(project, WALK)
    assert {part.id for part in order.parts} >= {WALK, wave.id, stack.id}
    made = compiled(order, CompileOptions(), Progress())
    bone = made.clip.skeleton.index("arm_r")
    turn = CompiledPlayer(made.clip).pose(0.5).rotation[bone]
    assert np.degrees(quat.angle_between(turn, quat.IDENTITY)) == pytest.approx(30.0, abs=0.05)


def test_result_is_stale_after_an_edit_and_fresh_again_after_undo(session):
    session.feature(Compiling).compile()
    assert session.feature(Compiling).fresh is not None
    session.clips.rename(WALK, "stroll")
    assert session.feature(Compiling).fresh is None and session.feature(Compiling).result is not None
    assert [line.fresh for line in session.feature(Compiling).lines()] == [False]
    session.undo()
    assert session.feature(Compiling).fresh is not None
    session.feature(Compiling).set(metres=1e-3)
    assert session.feature(Compiling).fresh.options.metres == 1e-4  # what was made keeps how it was made


def test_a_clip_that_cannot_be_compiled_keeps_those_before_it(session, monkeypatch):
    real = compile_state.compiled

    def failing(order, options, progress):
        if order.clip.id == TURN:
            raise AnimError("compile: 0.1 mm cannot be held on this clip")
        return real(order, options, progress)

    monkeypatch.setattr(compile_state, "compiled", failing)
    session.feature(Compiling).set_which(Which.ALL)
    session.feature(Compiling).compile()
    assert [line.id for line in session.feature(Compiling).lines()] == [WALK]
    message = session.messages.latest
    assert message.level is Level.ERROR and message.text.startswith("turn was not compiled")
    assert not session.feature(Compiling).busy


def test_several_clips_are_saved_into_a_folder(session, tmp_path):
    session.feature(Compiling).set_which(Which.ALL)
    session.feature(Compiling).compile()
    session.feature(Compiling).save(session.feature(Compiling).saveable, tmp_path)
    assert {p.name for p in tmp_path.iterdir()} == {"walk.pwclip", "turn.pwclip"}
    assert read_compiled(tmp_path / "turn.pwclip").name == "turn"


def test_saving_where_nothing_can_be_written_says_so(session, tmp_path):
    session.feature(Compiling).compile()
    session.feature(Compiling).save(
        session.feature(Compiling).saveable, tmp_path / "not there" / "walk.pwclip"
    )
    assert session.messages.latest.level is Level.ERROR
    assert "cannot be written" in session.messages.latest.text and not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "wanted"),
    [("Rig|Jump/1", "Rig_Jump_1.pwclip"), ("  ", "clip.pwclip"), ("Gehen ü", "Gehen ü.pwclip")],
)
def test_file_names_are_made_of_any_clip_name(name, wanted):
    assert file_name(name) == wanted


def test_refused_values_leave_the_options_as_they_were(session):
    session.feature(Compiling).set(metres=0.0)
    assert session.feature(Compiling).options == CompileOptions()
    assert session.messages.latest.level is Level.WARNING


def test_b_needs_a_compiled_clip_and_ends_with_another(session):
    compare = session.feature(Compiling).compare
    assert not compare.show(True) and "compile the clip first" in session.messages.latest.text
    session.feature(Compiling).compile()
    assert compare.show(True) and compare.pose() is not None
    session.playback.set_clip(TURN)
    assert not compare.on and compare.pose() is None


def test_pose_held_for_trying_out_ends_b(session):
    session.feature(Compiling).compile()
    session.feature(Compiling).compare.show(True)
    session.preview.set_pose(session.evaluator.pose())
    assert not session.feature(Compiling).compare.on


def test_magnified_difference_grows_in_proportion_along_one_axis():
    def turned(degrees: float, x: float) -> Transform:
        q = quat.from_axis_angle([0.0, 0.0, 1.0], np.radians(degrees))
        return Transform(np.array([[x, 0.0, 0.0]]), q[None], np.array([[1.0, 1.0, 1.0 + x]]))

    grown = magnified(turned(10.0, 1.0), turned(10.5, 1.01), 10.0)
    wanted = turned(15.0, 1.1)
    for part, other in zip(grown, wanted, strict=True):
        assert np.allclose(part, other, atol=1e-9)
