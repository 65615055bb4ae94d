"""Spans of a run as clips, and recordings as tests of the command line: which steps, poses, states and counts."""

import json
from dataclasses import replace
from types import SimpleNamespace

import pytest

from core.clips.sample import sample
from core.errors import AnimError, ValidationError
from core.graph.events import Event, EventKind
from core.progress import Progress
from editor.model.graph_run import export
from editor.model.graph_run.clock import STEP
from editor.model.graph_run.export import as_test, save_clip, save_test, span_clip, steps_between
from editor.model.graph_run.inputs import InputPath, Inputs
from editor.model.graph_run.live_steps import LiveSteps
from editor.model.graph_run.state import GraphRun
from tests.editor.model.graph_run.machine_run import machine_session
from tests.editor.stage import RIG, WALK


@pytest.fixture
def session(tmp_path):
    made = machine_session(tmp_path)
    yield made
    made.close()


@pytest.fixture
def run(session) -> GraphRun:
    return session.feature(GraphRun)


def steps(run: GraphRun, count: int):
    """The take with so many steps more."""
    for _ in range(count):
        run.take.step(STEP)
    return run.take


# ---------------------------------------------------------------- clips
@pytest.mark.parametrize(
    ("span", "numbers"),
    [(None, (1, 11)), ((0.0, 3 * STEP), (1, 4)), ((2 * STEP, 5.5 * STEP), (3, 6)), ((-1.0, 99.0), (1, 11))],
)
def test_which_steps_a_span_holds(run, span, numbers) -> None:
    assert steps_between(steps(run, 10), span) == numbers


@pytest.mark.parametrize("span", [(3 * STEP, 3 * STEP), (5 * STEP, 3 * STEP)])
def test_a_span_without_length_is_refused(run, span) -> None:
    take = steps(run, 10)
    with pytest.raises(ValidationError, match="The run has no length yet: play it first"):
        span_clip(take, span, "part", Progress())
    with pytest.raises(ValidationError):
        span_clip(take, (0.0, 0.0), "part", Progress())


def test_progress_is_told_twice_a_second_as_a_share_of_the_steps(run) -> None:
    told = []
    take = steps(run, 99)
    span_clip(take, (20 * STEP, 79 * STEP), "part", Progress(lambda share, _: told.append(share)))
    assert told == [30 / 80, 60 / 80]


def test_a_clip_shows_the_poses_of_its_steps(session, run) -> None:
    take, skeleton = steps(run, 10), session.rig.skeleton
    clip = span_clip(take, (2 * STEP, 6 * STEP), "part", Progress())
    assert (clip.name, clip.rig, clip.rate.fps) == ("part", RIG, 60.0)
    assert clip.length == pytest.approx(4 * STEP)
    head = skeleton.index("head")
    for frame in range(5):
        take.goto(3 + frame)
        found = sample(session.rig, clip, frame * STEP).pose.rotations[head]
        assert abs(float(found @ take.result.pose.rotations[head])) == pytest.approx(1.0, abs=1e-6)


def test_a_step_of_no_time_shows_in_place_of_the_one_before_it(run, monkeypatch) -> None:
    take = steps(run, 4)
    take.step(0.0, {"speed": 3.0})
    take.step(0.0, commands=())
    steps(run, 3)
    before, poses, baked = len(take.steps), [], export.baked_run

    def seen(plan, results, kept, *words):
        poses.extend((result.pose, step.dt) for result, step in zip(results, kept, strict=True))
        return baked(plan, results, kept, *words)

    results, taken = [], export.taken

    def noted(character, step):
        results.append(taken(character, step))
        return results[-1]

    monkeypatch.setattr(export, "baked_run", seen)
    monkeypatch.setattr(export, "taken", noted)
    found = span_clip(take, None, "all", Progress())
    assert found.length == pytest.approx(7 * STEP) and len(take.steps) == before == 10
    assert [dt for _, dt in poses] == [0.0, *[pytest.approx(STEP)] * 7]
    shown = [1, 2, 3, 4, 6, 8, 9, 10]  # the fifth step is shown as the sixth, the first one of no time
    assert [pose for pose, _ in poses[1:]] == [results[number - 1].pose for number in shown[1:]]


def test_a_file_of_a_clip_has_its_character_alone(session, tmp_path, monkeypatch) -> None:
    written = []
    monkeypatch.setattr(export, "save", lambda project, path: written.append((project, path)))
    project = session.document.project
    session.edits.put("mode", replace(project.assets[RIG], animation=WALK))
    save_clip(session.document.project, project.assets[WALK], tmp_path / "a.glb")
    ((saved, path),) = written
    assert path == tmp_path / "a.glb" and {RIG, WALK} <= set(saved.assets)
    assert [clip.id for clip in saved.clips] == [WALK]
    assert saved.assets[RIG].animation is None and saved.assets[RIG].post_graph is None


# ---------------------------------------------------------------- tests
class Take:
    """Steps of a quarter of a second with given states and events."""

    def __init__(self, *active, events=()) -> None:
        ops = (
            SimpleNamespace(name="moves", states=[SimpleNamespace(name=n) for n in ("idle", "walk")]),
            SimpleNamespace(name="looks", states=[SimpleNamespace(name=n) for n in ("ahead", "aside")]),
        )
        self.plan, self.steps = SimpleNamespace(ops=ops), ()
        self.samples = [
            SimpleNamespace(active=pair, end=0.25 * k, events=events[k] if k < len(events) else ())
            for k, pair in enumerate(active)
        ]

    @property
    def length(self) -> float:
        return self.samples[-1].end

    def number_at(self, time: float) -> int:
        return min(int(time / 0.25) + 1, len(self.samples))


@pytest.fixture
def expected(monkeypatch):
    """What a test of given steps expects."""
    monkeypatch.setattr(export, "machines", lambda plan: plan.ops)
    monkeypatch.setattr(export, "run_to", lambda plan, steps: {"steps": "all"})

    def found(take: Take, marks=()):
        made = as_test(take, marks)
        assert list(made) == ["steps", "expect"] and made["steps"] == "all"
        return made["expect"]

    return found


def state(time: float, **states: str) -> dict:
    return {"time": time, "state": states}


def test_states_are_expected_where_one_changes_at_marks_and_at_the_end(expected) -> None:
    take = Take((0, -1), (0, -1), (1, 0), (1, 0), (1, 1), (1, 1), (1, 1))
    assert expected(take) == [
        state(0.0, moves="idle"), state(0.5, moves="walk", looks="ahead"), state(1.0, moves="walk", looks="aside"),
        state(1.5, moves="walk", looks="aside"),
    ]  # fmt: skip
    assert expected(take, (0.3, 0.8)) == [
        state(0.0, moves="idle"), state(0.25, moves="idle"), state(0.5, moves="walk", looks="ahead"),
        state(0.75, moves="walk", looks="ahead"), state(1.0, moves="walk", looks="aside"),
        state(1.5, moves="walk", looks="aside"),
    ]  # fmt: skip


def test_machines_that_have_not_begun_are_not_expected(expected) -> None:
    assert expected(Take((-1, -1), (-1, -1))) == []


def event(name: str, kind: EventKind) -> Event:
    return Event(name, kind, 0.0, 1.0, "n")


def test_events_are_counted_by_name_but_not_those_that_states_tell(expected) -> None:
    events = [
        (event("step", EventKind.NOTIFY), event("b", EventKind.CUSTOM)), (event("step", EventKind.NOTIFY),),
        (event("a -> b", EventKind.TRANSITION_START), event("a -> b", EventKind.TRANSITION_INTERRUPTED)),
    ]  # fmt: skip
    assert expected(Take((-1, -1), (-1, -1), (-1, -1), events=events)) == [
        {"event": "b", "count": 1}, {"event": "step", "count": 2},
    ]  # fmt: skip


def test_a_test_is_written_as_json(run, tmp_path) -> None:
    take, file = steps(run, 4), tmp_path / "test.json"
    save_test(take, (STEP,), file)
    assert json.loads(file.read_text()) == json.loads(json.dumps(as_test(take, (STEP,))))
    assert file.read_text().startswith('{\n "steps"')


# ---------------------------------------------------------------- new steps
class Noting:
    """A take that notes its steps; it is full when told so."""

    def __init__(self) -> None:
        self.time, self.full, self.told = 0.0, False, []

    def step(self, dt, inputs, commands=()) -> None:
        self.told.append((dt, dict(inputs), list(commands)))
        self.time += dt


@pytest.fixture
def live():
    inputs = Inputs()
    made = LiveSteps(SimpleNamespace(), inputs, SimpleNamespace(hit=lambda take: "hit"), SimpleNamespace())
    made.inputs, made.noting = inputs, Noting()
    return made


GRAPH = SimpleNamespace(id="graph-1", variables=(SimpleNamespace(name="speed", default=(0.0,)),))


def test_a_recording_begins_with_the_path_and_over_it_what_was_set(live) -> None:
    live.inputs.path = InputPath(((0.0, {"speed": 1.0, "look": 2.0}), (0.5, {"look": 3.0})), 1.0)
    live.inputs.set(GRAPH, "speed", 4.0)
    assert live.begin((GRAPH,)) == {"speed": 4.0, "look": 2.0}
    assert live.one(live.noting, 0.5) == "hit" and live.noting.told == [
        (0.5, {"speed": 1.0, "look": 3.0}, [])
    ]
    live.inputs.path = None
    assert live.begin(()) == {}


def test_what_was_asked_is_asked_of_the_next_step_alone(live) -> None:
    live.begin(())
    live.ask("go")
    live.ask("jump")
    live.one(live.noting, 0.25)
    live.one(live.noting, 0.25)
    assert [commands for _, _, commands in live.noting.told] == [["go", "jump"], []]
    live.ask("go")
    live.begin(())
    live.one(live.noting, 0.25)
    assert live.noting.told[-1][2] == []


def test_a_path_plays_from_the_moment_it_was_given(live) -> None:
    live.begin(())
    live.noting.time = 2.0
    live.play(InputPath(((0.0, {"a": 1.0}), (0.25, {"a": 2.0}), (0.5, {"a": 3.0})), 4.0), 2.0)
    for _ in range(3):
        live.one(live.noting, 0.25)
    assert [inputs for _, inputs, _ in live.noting.told] == [{"a": 2.0}, {"a": 3.0}, {}]
    live.begin(())
    live.noting = Noting()
    live.noting.time = 4.0
    live.one(live.noting, 0.5)
    assert live.noting.told[0][1] == {"a": 3.0}, "a new recording plays it from its own start"


def test_a_full_recording_refuses_steps(live) -> None:
    live.begin(())
    live.ask("go")
    live.noting.full = True
    with pytest.raises(AnimError, match=r"The recording is full \(10 minutes\): restart it to go on"):
        live.one(live.noting, 0.25)
    assert live.noting.told == []
