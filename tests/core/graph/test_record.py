"""Recorded runs: going back, running again, baking."""

import numpy as np
import pytest

from core.arrays import same_value
from core.clips.evaluator import ClipEvaluator
from core.errors import ValidationError
from core.graph.compile import compile_graph
from core.graph.graph import Variable
from core.graph.record import SNAPSHOT_STEPS, Recording, baked_run, even_steps, run
from core.ids import AssetId
from core.timing import FrameRate
from tests.core.graph.builders import Drawing, walking


def plan():
    drawing = Drawing(
        walking("walk", 1.0, 1.5),
        walking("run", 0.5, 4.0, x=1.0),
        variables=(Variable("speed", maximum=9.0),),
    )
    states = {name: drawing.clip_sheet(name) for name in ("walk", "run")}
    graph = drawing.machine_graph(
        drawing.machine(states, [("walk", "run", "speed > 2"), ("run", "walk", "speed < 2")])
    )
    return compile_graph(graph, drawing.project(graph))


def test_goto_gives_the_bits_of_the_first_run():
    recording = Recording.of(plan())
    count = 2 * SNAPSHOT_STEPS + 20
    results = [recording.step(1 / 60, {"speed": 3.0 * (k // 30 % 2)}) for k in range(count)]
    last = recording.instance.snapshot()
    for number in (1, SNAPSHOT_STEPS, SNAPSHOT_STEPS + 1, count):
        assert same_value(recording.goto(number).pose, results[number - 1].pose)
    assert recording.instance.snapshot().same_bits(last)
    assert recording.goto(0) is None
    with pytest.raises(ValidationError, match="expected a step of 0"):
        recording.goto(count + 1)


def test_step_after_going_back_drops_what_lay_ahead():
    recording = Recording.of(plan())
    for _ in range(SNAPSHOT_STEPS + 5):
        recording.step(1 / 60)
    recording.goto(10)
    recording.step(1 / 60, {"speed": 5.0})
    assert len(recording.steps) == 11
    assert max(recording.snapshots) == 0


def test_refused_step_changes_nothing():
    recording = Recording.of(plan())
    recording.step(1 / 60)
    before = recording.instance.snapshot()
    with pytest.raises(ValidationError):
        recording.step(1 / 60, {"speed": float("nan")})
    assert recording.instance.snapshot().same_bits(before)
    assert len(recording.steps) == 1


def test_baked_run_plays_what_was_shown():
    made, rate = plan(), FrameRate.of(30)
    steps = even_steps(2.0, rate, [(0.0, {"speed": 0.0}), (1.0, {"speed": 5.0})])
    results = run(made, steps)
    clip = baked_run(made, results, steps, rate, AssetId("clip-run"), "run")
    assert clip.length == pytest.approx(2.0)
    evaluator = ClipEvaluator(made.rig, clip)
    poses = evaluator.sample_many([0.0, 0.5, 1.5, 2.0])
    for row, frame in enumerate((0, 15, 45, 60)):
        assert poses.rotations[row] == pytest.approx(results[frame].pose.rotations, abs=1e-9)
        assert poses.translations[row, 1:] == pytest.approx(results[frame].pose.translations[1:], abs=1e-9)
    travelled = sum(float(r.root_motion.translation[2]) for r in results)
    assert poses.translations[3, 0, 2] - poses.translations[0, 0, 2] == pytest.approx(travelled)
    assert 1.5 * 1.0 + 4.0 * 0.7 < travelled < 1.5 + 4.0
    assert [n.name for n in clip.notifies].count("step") == 1 + sum(
        e.name == "step" for r in results[31:] for e in r.events
    )


def test_even_steps_write_inputs_at_their_frame():
    steps = even_steps(0.1, FrameRate.of(30), [(0.05, {"speed": 1.0}), (0.0, {"speed": 2.0})])
    assert [step.dt for step in steps] == pytest.approx([0.0, *[1 / 30] * 3])
    assert [dict(step.inputs) for step in steps] == [{"speed": 2.0}, {}, {"speed": 1.0}, {}]
    with pytest.raises(ValidationError, match="expected a length"):
        even_steps(float("nan"), FrameRate.of(30), [])
    assert np.isclose(sum(step.dt for step in steps), 0.1)
