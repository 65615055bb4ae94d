"""Panels that work things out or edit lists, without widgets: reducing, operations on curves, layers, IK, the run."""

import itertools
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from core.blending.layer_stack import LayerMode
from core.blending.layers import CurveRule
from core.clips.clip import Channel, Property
from core.errors import ValidationError
from core.ids import AssetId
from core.rig.ik_setup import IkSolver
from core.rig.rig import JointLimit, LimitKind
from core.tracks.keys import scalar_track
from core.tracks.places import KeyPlaces
from editor.model.ik import edits as ik_edits
from editor.model.ik.state import IkState
from editor.panels.curves import operation_run
from editor.panels.curves.operation_run import OperationRun
from editor.panels.ik.view_model import IkModel
from editor.panels.layers.view_model import LayersModel
from editor.panels.reduce import view_model as reducing
from editor.panels.reduce.view_model import ReduceModel, Scope
from editor.tools.curves.operations import Operation, Outcome, operations
from tests.editor.actions import rich
from tests.editor.panel_stage import small_session
from tests.editor.panels.curves.curve_stage import X, Y
from tests.editor.panels.curves.test_curves_without_window import Scene
from tests.pins import Pins

PINS = Pins(__file__)


class Later:
    """A runner that does its work when it is told to."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Callable[[], object], Callable[[], object]]] = []

    def __call__(self, work, then) -> None:
        self.waiting.append((work, then))

    def deliver(self) -> None:
        waiting, self.waiting = self.waiting, []
        for work, then in waiting:
            work()
            then()


# ------------------------------------------------------------ reducing
@pytest.fixture
def dense():
    """A clip with a key on every frame; work is done when it is told to."""
    made = small_session(mesh=False)
    times = np.arange(61) / 30.0
    tracks = {
        Channel("upper_arm_l", Property.ROTATE, axis): scalar_track(
            times, 30.0 * np.sin(times * (axis + 1.0))
        )
        for axis in range(3)
    }
    tracks[Channel("head", Property.ROTATE, 1)] = scalar_track(times, 10.0 * times)
    made.edits.put("dense", made.clip.with_tracks(tracks))
    made.said = []
    made.messages.posted.connect(lambda message: made.said.append((message.text, message.level)))
    made.jobs.runner = Later()
    yield made
    made.jobs.runner.deliver()
    made.close()


def reduced(model: ReduceModel) -> tuple[object, ...]:
    session = model.session
    return (
        model.active, model.busy, model.why_not, model.shows_original, model.can_apply, model.outcome, model.problem,
        None if model.outcome is None else model.outcome.share, session.preview.clip is None, model.places,
        session.history.undo_label, [text for text, _ in session.said],
        sum(len(track) for track in session.clip.tracks.values()) if session.clip is not None else 0,
    )  # fmt: skip


def test_a_reduction_is_tried_out_shown_and_kept(dense) -> None:
    model, run = ReduceModel(dense), dense.jobs.runner
    changed: list[None] = []
    model.changed.connect(changed.append)
    with PINS.together("reducing") as note:
        for act in (
            model.begin, run.deliver, lambda: model.show_original(True), lambda: model.show_original(False),
            lambda: model.set_millimetres(2.0), run.deliver, lambda: model.set_millimetres(2.0),
            lambda: model.set_scope(Scope.SELECTED), run.deliver, lambda: dense.selection.select(["head"]), run.deliver,
            lambda: dense.selection.set_flag("locked", ["head"]), lambda: model.set_scope(Scope.ALL), run.deliver,
            lambda: model.set_places(KeyPlaces.ANYWHERE), run.deliver, model.go_to_worst, model.apply,
            model.begin, model.apply, run.deliver, model.begin, run.deliver, model.cancel, model.cancel,
        ):  # fmt: skip
            changed.clear()
            act()
            note(*reduced(model), bool(changed), dense.playback.time, list(dense.selection.bones))
    model.close()


def test_a_reduction_ends_where_something_else_changes(dense, monkeypatch) -> None:
    model, run = ReduceModel(dense), dense.jobs.runner
    with PINS.together("reducing ended") as note:
        model.begin()
        dense.jobs.cancel(model.job)
        run.deliver()
        note(*reduced(model))
        model.begin()
        run.deliver()
        dense.edits.put("other", replace(dense.rig, name="other"))
        note(*reduced(model))
        dense.edits.put("shorter", replace(dense.clip, length=1.5))
        note(*reduced(model))
        model.begin()
        model.set_millimetres(3.0)
        run.deliver()
        note(*reduced(model))
        dense.playback.set_clip(None, dense.rig.id)
        note(*reduced(model))
        assert not model.begin() and not model.can_apply

    def fails(*_: object) -> None:
        raise ValidationError("no such thing")

    dense.playback.set_clip(dense.document.project.clips[0].id)
    monkeypatch.setattr(reducing, "reduce_clip", fails)
    model.begin()
    run.deliver()
    assert model.problem == "no such thing" and model.outcome is None and not model.busy and model.active
    monkeypatch.undo()
    model.set_millimetres(0.00001)
    run.deliver()
    dense.said.clear()
    if model.outcome.after == model.outcome.before:
        model.apply()
        assert [text for text, _ in dense.said] == ["No removable keys at this tolerance"]
    assert model.problem == ""
    model.close()


# ------------------------------------------------------------ operations on curves
@pytest.fixture
def curves():
    made = Scene()
    yield made
    made.close()


def told(run: OperationRun, scene: Scene) -> tuple[object, ...]:
    clip = scene.session.evaluator.clip
    return (run.busy, run.count, run.note, dict(run.values), scene.session.preview.clip is None, scene.view.still,
            scene.session.history.undo_label, list(scene.said), [track.values for track in clip.tracks.values()],
            )  # fmt: skip


@pytest.mark.parametrize("operation", operations(), ids=lambda one: one.id)
def test_each_operation_is_shown_changed_and_kept_or_given_up(curves, operation) -> None:
    with PINS.together(f"operation: {operation.id}") as note:
        for keys, kept in itertools.product(({}, {X: np.array([2, 3]), Y: np.array([1])}), (True, False)):
            curves.again(keys)
            ended: list[None] = []
            run = OperationRun(curves.commands, operation)
            run.ended.connect(ended.append)
            note(*told(run, curves))
            for parameter in operation.parameters:
                run.set(parameter.id, parameter.value)
                far = min(parameter.value + 20.0 * parameter.step, parameter.maximum)
                run.set(parameter.id, 0.0 if parameter.choices else far)
                note(*told(run, curves))
            run.apply() if kept else run.cancel()
            note(*told(run, curves), len(ended), curves.lanes.buffer is None)
            run.cancel()
            assert len(ended) == 1


def _slow(work: Callable[[], Outcome]) -> Operation:
    return replace(operations()[0], apply=lambda *_: work(), slow=True)


def test_slow_operations_are_waited_for_and_can_fail_or_be_cancelled(curves) -> None:
    session, runner = curves.session, Later()
    session.jobs.runner = runner
    curves.again({X: np.array([2])})
    clip = session.clip
    other = clip.with_tracks({X: scalar_track([0.0, 1.0], [3.0, 4.0])})

    def fails() -> Outcome:
        raise ValidationError("no way")

    run = OperationRun(curves.commands, _slow(lambda: Outcome(other, "two keys")))
    assert run.busy and run.note == "computing…" and session.preview.clip is None
    run.apply()
    assert run.busy and session.clip is clip
    runner.deliver()
    assert not run.busy and session.clip.tracks[X] is other.tracks[X] and curves.lanes.buffer is clip
    assert curves.said == [f"{run.operation.title}: two keys"] and not curves.view.still
    curves.again({X: np.array([2])})
    failed = OperationRun(curves.commands, _slow(fails))
    failed.apply()
    runner.deliver()
    assert failed.note == "no way" and not failed.busy and session.clip.tracks[X] is not other.tracks[X]
    first = operations()[0].parameters[0]
    failed.set(first.id, first.value + 1.0)
    assert failed.busy
    session.jobs.cancel(next(job for job in session.jobs.running))
    runner.deliver()
    assert failed.note == "cancelled: nothing has changed" and not failed.busy
    failed.set(first.id, first.value)
    failed.cancel()
    runner.deliver()
    assert not failed.busy and session.preview.clip is None
    failed.set(first.id, first.value + 2.0)
    assert not failed.busy and failed.values[first.id] == first.value
    again = OperationRun(curves.commands, _slow(lambda: Outcome(session.clip, "nothing")))
    again.set(first.id, first.value + 1.0)
    runner.deliver()
    steps = session.history.position
    again.apply()
    assert session.history.position == steps and operation_run.PLACES


# ------------------------------------------------------------ layers
def test_layers_as_rows_and_every_change_of_them() -> None:
    session, _ = rich.at_stage("plain")
    said: list[str] = []
    session.messages.posted.connect(lambda message: said.append(message.text))
    model = LayersModel(session)
    rig = session.rig
    session.edits.put("masks", replace(rig, masks={"arms": dict.fromkeys(rig.skeleton.names[:4], 1.0)}))
    with PINS.together("layers") as note:

        def told() -> None:
            note(model.rows(), model.structure(), model.shown, model.rule, model.model_rotations, list(said),
                 session.history.undo_label, model.clip is None)  # fmt: skip
            said.clear()

        told()
        note(model.drop("clip-2"), model.drop("gone"))
        told()
        note(model.drop("clip-2"))
        session.selection.select(["spine", "upper_arm_l"])
        for act in (
            lambda: model.take(0), lambda: model.take(1), lambda: model.take(1), model.leave,
            lambda: model.key_weight(1), lambda: model.key_weight(1, 0.25), lambda: model.set_weight(1, 0.5),
            lambda: session.playback.seek(1.0), lambda: model.set_weight(1, 0.75), lambda: model.set_weight(0, 0.4),
            lambda: model.preview_weight(0, 0.1), lambda: model.key_weight(0), lambda: model.change(0, muted=True),
            lambda: model.change(1, solo=True), lambda: model.change(0, mode=LayerMode.OVERRIDE),
            lambda: model.set_mask(0, "arms"), lambda: model.set_mask(0, "gone"), lambda: model.set_mask(0, None),
            lambda: model.add_branches(0), lambda: model.add_branches(0, 3), lambda: model.change_branch(0, 0, depth=2),
            lambda: model.change_branch(0, 1, bone="head"), lambda: model.preview_depth(0, 0, 4),
            lambda: model.move_branch(0, 0, 1), lambda: model.remove_branch(0, 0),
            *(lambda rule=rule: model.set_rule(rule) for rule in CurveRule),
            lambda: model.set_model_rotations(True), lambda: model.set_model_rotations(False),
            lambda: model.paint("arms"), lambda: model.paint("arms"), lambda: model.paint(None),
        ):  # fmt: skip
            note(act())
            told()
        note(model.bones())
    session.close()


# ------------------------------------------------------------ inverse kinematics
def test_the_ik_panel_shows_and_changes_each_solver() -> None:
    session = small_session(mesh=False)
    said: list[str] = []
    session.messages.posted.connect(lambda message: said.append(message.text))
    ik_edits.propose(session)
    state, model = session.feature(IkState), IkModel(session)
    limit = JointLimit(LimitKind.HINGE, (0.0, 1.0, 0.0), -20.0, 60.0, 25.0)
    session.edits.put("limit", replace(session.rig, limits={"lower_arm_l": limit}))
    begun = session.history.position
    with PINS.together("ik") as note:

        def told() -> None:
            note(model.rows(), model.driven, model.ending().split(" · ")[0], model.reached(), model.weight(),
                 model.goal(), model.goal("turn"), model.space(), model.limits(), session.history.undo_label,
                 list(said), [model.stiffness(bone) for bone in ("upper_arm_l", "lower_arm_l")])  # fmt: skip
            said.clear()

        for solver, frame in zip((None, *IkSolver), itertools.cycle((10, 20)), strict=False):
            while session.history.position > begun:
                session.undo()
            state.select("Left arm")
            session.playback.seek(frame / 30.0)
            if solver is not None:
                note(model.change(solver=solver))
            told()
            for act in (
                lambda: model.toggle("Left arm"), lambda: model.set_goal(0, 0.4),
                lambda: model.set_goal(1, 20.0, "turn"),
                lambda: model.set_weight(0.5), lambda: model.set_weight(1.7), lambda: model.set_space("world"),
                lambda: model.set_space("bone head"), lambda: model.set_space("bone lower_arm_l"),
                lambda: model.set_space("model"), lambda: model.set_stiffness("upper_arm_l", 0.3),
                lambda: model.set_stiffness("upper_arm_l", 0.0),
                lambda: model.change_limit("lower_arm_l", "maximum", 10.0),
                lambda: model.change_limit("lower_arm_l", "maximum", -30.0),
                lambda: model.change_limit("head", "maximum", 1.0),
                lambda: model.add_limit("upper_arm_l"), lambda: model.set_limit("lower_arm_l", None),
                lambda: model.aim_along((0.0, 1.0, 0.0)), lambda: model.keep_up((0.0, 1.0, 0.0)),
                lambda: model.keep_up((0.0, 0.0, 1.0)), lambda: model.rename(" other "), lambda: model.rename("  "),
                lambda: model.set_ground("count", 2.6), lambda: model.set_ground("tilt_x", 5.0),
                lambda: model.set_ground("tilt_x", 85.0), lambda: model.change(tolerance=-1.0), model.remove,
            ):  # fmt: skip
                note(act())
                told()
        note(model.ground, model.carriers())
    assert AssetId("clip-small") in session.document.project.assets
    session.close()
