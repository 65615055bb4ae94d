"""What is made of a run: clips, files, tests of the command line, recorded inputs."""

import json

import numpy as np
import pytest

from core.cli.main import main
from core.clips.sample import sample as sample_clip
from core.io import load, save
from core.progress import Progress
from core.terrain.ground import Ground
from editor.model.graph_run.export import as_test, save_clip, save_test, span_clip
from editor.model.graph_run.inputs import InputPath, path_of, read_path, write_path
from tests.editor.model.graph_run.run_helpers import graph_named, with_rule
from tests.editor.model.graph_run.runs import go, running


@pytest.fixture
def here(tmp_path):
    session, run = running(tmp_path)
    yield session, run
    session.close()


# ------------------------------------------------------------------ export
def test_span_as_a_clip_shows_what_the_run_showed(here):
    session, run = here
    run.set("speed", 2.0)
    go(run, 1.0)
    clip = span_clip(run.take, (0.25, 0.75), "part", Progress())
    assert clip.length == pytest.approx(0.5, abs=1e-6)
    run.goto(run.take.number_at(0.5))
    rig = session.rig
    posed = sample_clip(rig, clip, 0.25).pose
    hand = rig.skeleton.index("hand_l")
    assert np.abs(posed.local.rotation[hand] - run.pose().local.rotation[hand]).max() < 1e-5


def test_span_is_exported_to_a_file(here, tmp_path):
    session, run = here
    go(run, 0.5)
    clip = span_clip(run.take, None, "all", Progress())
    save_clip(session.document.project, clip, tmp_path / "all.glb")
    assert [clip.name for clip in load(tmp_path / "all.glb").project.clips] == ["all"]


def test_recording_saved_as_a_test_holds_on_the_command_line_until_the_graph_changes(here, tmp_path, capsys):
    session, run = here
    go(run, 0.3)
    run.set("speed", 2.5)
    go(run, 0.6)
    run.fire("jump")
    go(run, 1.0)
    run.set_ground(Ground(tilt_z=5.0))
    run.replay.mark(1.0)
    file, script = tmp_path / "a.posewright", tmp_path / "test.json"
    save(session.document.project, file)
    save_test(run.take, run.replay.marks, script)
    words = ["graph", "run", str(file), "--graph", "moves", "--inputs", str(script)]
    assert main(words) == 0
    told = json.loads(script.read_text())
    assert any(step.get("ground") for step in told["steps"])
    assert {"time": pytest.approx(1.0, abs=0.02), "state": {"moves": "leap"}} in told["expect"]
    changed = with_rule(graph_named(session, "moves"), "take('jump')", "take('jump') and speed > 3")
    save(session.document.project.with_assets(changed), tmp_path / "b.posewright")
    assert main(["graph", "run", str(tmp_path / "b.posewright"), *words[3:]]) == 1
    assert "expected 'leap'" in capsys.readouterr().out


def test_test_of_a_slow_run_has_its_own_steps(here):
    _, run = here
    run.clock.speed = 0.5
    run.start()
    run.advance(0.1)
    assert as_test(run.take)["steps"] == [{"dt": 0.0}, {"dt": pytest.approx(1 / 120), "count": 12}]


# ------------------------------------------------------------------ inputs
@pytest.mark.parametrize("ending", ["csv", "json"])
def test_recorded_inputs_written_and_read_give_the_same_run(here, tmp_path, ending):
    _, run = here
    run.set("speed", 2.0)
    go(run, 0.4)
    run.set("look_place", [1.0, 2.0, 3.0])
    run.set("crouch", True)
    go(run, 0.4)
    path = path_of(run.take.steps, 0, len(run.take.steps))
    write_path(path, tmp_path / f"in.{ending}")
    again = read_path(tmp_path / f"in.{ending}")
    first = run.take
    for variable in run.graph.variables:
        run.inputs.set(run.graph, variable.name, variable.default if len(variable.default) > 1 else 0.0)
    run.play_inputs(again)
    run.restart()
    go(run, 0.75)
    for time in np.arange(0.05, 0.7, 0.05) + 0.008:  # by time: the first has two steps of no time
        a, b = (take.samples[take.number_at(time) - 1] for take in (first, run.take))
        assert a.active == b.active
        assert np.allclose(a.stands.translation, b.stands.translation, atol=1e-6)
        assert a.pose == b.pose


def test_input_path_gives_each_entry_once_in_every_turn():
    path = InputPath(((0.0, {"a": 1}), (0.5, {"a": 2})), 1.0)
    assert path.due(-1.0, 0.0) == {"a": 1}
    assert path.due(0.0, 0.4) == {}
    assert path.due(0.4, 0.5) == {"a": 2}
    assert path.due(0.9, 1.0) == {"a": 1}
    assert path.due(1.0, 1.4) == {}
    assert path.due(0.45, 1.2) == {"a": 1}
