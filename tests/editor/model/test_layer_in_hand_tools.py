"""What spaces and motion paths do while a layer is in hand: what is shown obeys, and the right clip gets the keys."""

from dataclasses import replace

import numpy as np
import pytest

from core.blending.layer_stack import LayerStack
from core.clips.clip import WHOLE, Clip
from core.evaluation.path import path_through, pulled_path
from core.math import quat
from core.math.transform import down_chain
from core.tracks.edits import set_mode
from core.tracks.keys import TangentMode
from editor.actions.every import registry
from editor.model.session import Session
from editor.model.spaces import Spaces
from tests.editor.actions import rich

ARM = ("upper_arm_l", "lower_arm_l")
FRAMES = np.arange(61)


class Layered:
    """A clip with a layer in hand that swings an arm."""

    def __init__(self, mode: str, looping: bool = True) -> None:
        self.session = session = Session.create()
        rich.fill(session)
        session.edits.put("looping", replace(session.clip, looping=looping))
        self.actions = registry(session)
        session.playback.set_range(None)
        session.selection.select_keys({})
        self.run(f"layer.new_{mode}")
        for frame, degrees in ((0, 0.0), (10, 40.0), (20, -20.0), (40, 10.0)):
            session.playback.seek(frame / 30.0)
            pose = session.evaluator.pose()
            for bone in ARM:
                number = session.rig.skeleton.index(bone)
                turn = quat.from_axis_angle([0.0, 0.0, 1.0], np.radians(degrees))
                pose = pose.with_bone(number, rotation=quat.multiply(turn, pose.rotations[number]))
            session.keying.commit_pose("Rotate", pose, ARM)
        session.selection.select(["hand_l"])
        session.playback.seek(10.0 / 30.0)

    def run(self, id: str) -> None:
        assert self.actions.run(id), self.session.messages.latest

    @property
    def base(self) -> Clip:
        return self.session.document.project.get(Clip, self.session.playback.below)

    def hand(self) -> np.ndarray:
        """Where the hand is at every frame, as it is shown."""
        local = self.session.evaluator.sample_many(FRAMES / 30.0).local
        skeleton = self.session.rig.skeleton
        return down_chain(skeleton.parents, local).translation[:, skeleton.index("hand_l")]


@pytest.fixture(params=["additive", "override"])
def made(request):
    found = Layered(request.param)
    yield found
    found.session.close()


def test_a_switch_belongs_to_the_clip_below_and_moves_nothing_up_to_it(made) -> None:
    session, before, layer, first = (
        made.session,
        made.hand(),
        made.session.clip,
        made.session.document.project,
    )
    made.run("space.world")
    after = made.hand()
    assert session.clip is layer and session.playback.below is not None
    assert [(span.bone, span.space) for span in session.feature(Spaces).spans()] == [("hand_l", "world")]
    assert np.abs(after[:11] - before[:11]).max() < 1e-5
    assert np.abs(after[10:] - after[10]).max() < 1e-5 < np.abs(before[10:] - before[10]).max()
    session.undo()
    assert session.document.project.assets == first.assets
    session.redo()
    assert np.array_equal(made.hand(), after)


def test_a_layer_is_not_keyed_where_a_bone_follows_a_space_and_that_is_said(made) -> None:
    session = made.session
    made.run("space.world")
    session.playback.seek(20.0 / 30.0)
    layer, number = session.clip, session.rig.skeleton.index("upper_arm_l")
    pose = session.evaluator.pose().with_bone(number, rotation=np.array([0.0, 0.0, 0.6, 0.8]))
    assert not session.keying.commit_pose("Rotate", pose, ["upper_arm_l"])
    assert session.clip is layer and "follows a space" in session.messages.latest.text


def test_release_and_bake_move_nothing_or_say_which_layer_is_in_the_way() -> None:
    made = Layered("additive")
    made.run("space.world")
    held = made.hand()
    made.session.playback.seek(40.0 / 30.0)
    made.run("space.release")
    released = made.hand()
    assert np.abs(released[:41] - held[:41]).max() < 1e-5
    made.run("space.bake")
    assert np.abs(made.hand() - released).max() < 1e-5
    made.session.close()
    covered = Layered("override")
    covered.run("space.world")
    before = covered.session.document.project
    covered.session.playback.seek(40.0 / 30.0)
    covered.actions.run("space.release")
    assert covered.session.document.project is before
    assert "a layer covers the keys" in covered.session.messages.latest.text
    covered.session.close()


@pytest.mark.parametrize("leave", [False, True], ids=["layer in hand", "clip in hand"])
@pytest.mark.parametrize("mode", ["additive", "override"])
def test_frames_are_put_into_the_clip_its_layers_and_their_weights_alike(mode, leave) -> None:
    made = Layered(mode, looping=False)
    session, layer = made.session, made.session.clip.id
    session.edits.put("linear", *(with_mode(clip, TangentMode.LINEAR) for clip in (session.clip, made.base)))
    for frame in (20, 40):
        session.playback.seek(frame / 30.0)
        made.run("layer.key_weight")
    base = made.base.id
    if leave:
        made.run("layer.leave")
    session.playback.seek(20.0 / 30.0)
    before, first, length = made.hand(), session.document.project, session.clip.length

    def frames() -> list[list[float]]:
        project = session.document.project
        tracks = [t for id in (base, layer) for t in project.get(Clip, id).every_track()]
        tracks.append(project.all(LayerStack)[0].layers[0].curve)
        return [np.round(t.times * 30.0, 6).tolist() for t in tracks]

    keys = frames()
    made.run("timing.insert_frames")
    assert frames() == [[f + (f > 20.0) for f in track] for track in keys]
    assert session.clip.length == pytest.approx(length + 1 / 30)
    assert np.abs(made.hand()[:21] - before[:21]).max() < 1e-9
    made.run("timing.remove_frames")
    assert frames() == keys and np.abs(made.hand() - before).max() < 1e-6
    session.undo()
    session.undo()
    assert all(first.assets[id] is asset for id, asset in session.document.project.assets.items())
    session.close()


def with_mode(clip: Clip, mode: TangentMode) -> Clip:
    """A clip whose keys all have a tangent mode."""
    changes = {c: set_mode(t, np.arange(len(t)), mode) for c, t in clip.tracks.items() if c.axis != WHOLE}
    return clip.with_tracks(changes)


def test_a_layer_in_hand_is_neither_trimmed_nor_looped_alone(made) -> None:
    made.session.playback.set_range(0.2, 1.0)
    for id in ("clip.trim", "clip.loop"):
        assert "a layer is in hand" in made.actions.why_disabled(id)


def test_a_path_is_pulled_and_drawn_on_the_layer_and_meets_its_goals(made) -> None:
    session, before, base = made.session, made.hand(), made.base
    step = np.array([-0.05, 0.05, 0.02])
    clip = pulled_path(session.evaluator.pipeline, "hand_l", 20.0 / 30.0, step, 15.0 / 30.0)
    assert clip.id == session.clip.id
    session.edits.put("pull", clip)
    assert np.abs(made.hand()[20] - before[20] - step).max() < 1e-6 and made.base is base
    session.undo()
    goals = before[15:26] + (-0.02, 0.03, 0.0)
    clip = path_through(session.evaluator.pipeline, "hand_l", FRAMES[15:26] / 30.0, goals)
    session.edits.put("draw", clip)
    assert np.abs(made.hand()[15:26] - goals).max() < 1e-6 and made.base is base


def test_a_path_of_a_bone_without_keys_in_the_layer_changes_nothing_beyond_the_arc() -> None:
    session = Session.create()
    rich.fill(session)
    session.playback.set_range(None)
    assert registry(session).run("layer.new_additive")
    made = Layered.__new__(Layered)
    made.session = session
    before = made.hand()
    goals = before[15:26] + (-0.02, 0.03, 0.0)
    clip = path_through(session.evaluator.pipeline, "hand_l", FRAMES[15:26] / 30.0, goals)
    session.edits.put("draw", clip)
    assert np.abs(made.hand()[15:26] - goals).max() < 1e-6
    assert np.abs(made.hand()[[0, 60]] - before[[0, 60]]).max() < 1e-6
    session.close()
