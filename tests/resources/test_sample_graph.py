"""The sample's graph: its wave is a montage that starts and ends with the variable; both runs of a script agree."""

import json
from pathlib import Path

import numpy as np

from core.cli.main import main
from core.graph.compile import compile_graph
from core.graph.events import EventKind
from core.graph.graph import Graph
from core.graph.instance import Instance
from resources.sample.build import FILE
from tests.resources.conftest import Character

WAVING = {
    "seconds": 4,
    "inputs": [{"time": 0, "speed": 1.2}, {"time": 0.5, "wave": True}, {"time": 2.4, "wave": False}],
    "expect": [
        {"time": 1.0, "montage": {"wave": "raise"}},
        {"time": 2.0, "montage": {"wave": "swing"}},
        {"time": 3.0, "montage": {"wave": "lower"}},
        {"time": 3.95, "montage": {"wave": None}},
    ],
}


def test_variable_starts_the_wave_and_lets_it_end(tmp_path: Path) -> None:
    inputs = tmp_path / "in.json"
    inputs.write_text(json.dumps(WAVING))
    outs = [tmp_path / f"{k}.glb" for k in range(2)]
    for out in outs:
        assert main(["graph", "run", str(FILE), "--inputs", str(inputs), "--out", str(out)]) == 0
    assert outs[0].read_bytes() == outs[1].read_bytes()


def test_wave_moves_the_arm_and_leaves_the_legs(character: Character) -> None:
    project = character.project
    graph = project.all(Graph)[0]
    plan = compile_graph(graph, project)
    assert plan.warnings == ()
    names = list(plan.rig.skeleton.names)
    runs = [Instance(plan), Instance(plan)]
    for k in range(60):
        poses = [
            run.step(1 / 60, {"speed": 1.2, "wave": wave and k > 5}).pose
            for run, wave in zip(runs, (False, True), strict=True)
        ]
    turned = np.abs(poses[0].rotations - poses[1].rotations).max(axis=1)
    assert turned[names.index("upper_arm_r")] > 0.1
    assert turned[names.index("thigh_l")] < 1e-9
    assert poses[0].curves["contact_l"] == poses[1].curves["contact_l"]


def test_jump_goes_in_parts(character: Character) -> None:
    project = character.project
    instance = Instance(compile_graph(project.all(Graph)[0], project))
    entered = []
    for k in range(150):
        inputs = {"speed": 2.0, "jump": k == 30, "in_air": 30 <= k < 80}
        events = instance.step(1 / 60, inputs).events
        entered += [event.name for event in events if event.kind is EventKind.ENTER]
    assert entered == ["on foot", "leap", "in the air", "land", "on foot"]
