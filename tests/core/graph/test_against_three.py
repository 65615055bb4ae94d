"""Graphs against three.js' AnimationMixer: cross-fade of two states, a 1D blend, an additive clip.

Optional: set POSEWRIGHT_CHECK to a folder that holds ``node_modules/three``, with ``node`` on the path.

three.js blends rotations by slerp, we by the normalised weighted sum: they agree to 1e-4 while two clips differ by a
few degrees. It puts an additive rotation on from the right, we from the left: they agree where a bone turns about one
axis.
"""

import json
import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.arrays import FloatArray
from core.clips.clip import Additive, AdditiveBase, AdditiveSpace, Clip
from core.graph.compile import compile_graph
from core.graph.graph import Variable
from core.graph.instance import Instance, StepResult
from core.math import quat
from core.project.project import Project
from tests.core.blending.clips import NAMES, RIG
from tests.core.blending.test_against_three import moving, written
from tests.core.graph.builders import Drawing

X = Variable("x", maximum=1.0)
STEPS = [0.05, 0.11, 0.07, 0.03, 0.1, 0.09, 0.02, 0.1, 0.1, 0.06]


@pytest.fixture(scope="module")
def three() -> Path:
    folder = os.environ.get("POSEWRIGHT_CHECK", "")
    if not folder or not (Path(folder) / "node_modules" / "three").is_dir() or shutil.which("node") is None:
        pytest.skip("POSEWRIGHT_CHECK names no folder with node_modules/three, or node is not installed")
    return Path(folder)


def mixed(three: Path, clips: list[Clip], **run: Any) -> list[tuple[FloatArray, FloatArray]]:
    """Rotations ``(B, 4)`` and translations ``(B, 3)`` of three.js' mixer after each step."""
    asked = {"bones": NAMES, "clips": [written(clip) for clip in clips], "additive": None, **run}
    script = Path(__file__).with_name("three_graph.mjs")
    done = subprocess.run(
        ["node", str(script), str(three)], input=json.dumps(asked), capture_output=True, text=True, check=True,
        timeout=300,
    )  # fmt: skip
    return [
        (np.array([bone["q"] for bone in step]), np.array([bone["t"] for bone in step]))
        for step in json.loads(done.stdout)
    ]


def require_same(results: list[StepResult], theirs: list[tuple[FloatArray, FloatArray]]) -> None:
    for result, (rotations, translations) in zip(results, theirs, strict=True):
        assert quat.angle_between(result.pose.rotations, rotations).max() < 1e-4
        assert np.abs(result.pose.translations - translations).max() < 1e-6


def running(drawing: Drawing, graph: Any, clips: list[Clip]) -> Instance:
    return Instance(compile_graph(replace(graph, rig=RIG.id), Project().with_assets(RIG, *clips)))


def looping(name: str, seed: int, **more: Any) -> Clip:
    """A loop of 1 s; its keys are of `tests.core.blending`."""
    return replace(moving(name, seed, 4.0, **more), looping=True)


def test_two_state_crossfade_is_that_of_three(three: Path) -> None:
    clips = [looping("a", 1), looping("b", 2)]
    drawing = Drawing(*clips, variables=(X,))
    states = {name: drawing.clip_sheet(name) for name in "ab"}
    graph = drawing.machine_graph(drawing.machine(states, [("a", "b", "x > 0.5", {"seconds": 0.4})]))
    instance = running(drawing, graph, clips)
    results = [instance.step(dt, {"x": float(k >= 3)}) for k, dt in enumerate(STEPS)]
    steps = [
        {"dt": dt, "fade": {"from": "a", "to": "b", "seconds": 0.4} if k == 3 else None}
        for k, dt in enumerate(STEPS)
    ]
    require_same(results, mixed(three, clips, start={"a": 1.0}, steps=steps))


def test_blend_along_one_axis_is_that_of_three(three: Path) -> None:
    """Every side keeps a thousandth: one that does not count stands still here, and plays on in three.js."""
    clips = [looping("a", 1), looping("b", 2), looping("c", 3)]
    places = np.linspace(0.0, 1.0, len(STEPS))
    drawing = Drawing(*clips, variables=(X,))
    a, b, c = (drawing.play(name) for name in "abc")
    low = drawing.node("blend", "low", {"alpha": "clamp(x * 2, 0.001, 0.999)"})
    high = drawing.node("blend", "high", {"alpha": "clamp(x * 2 - 1, 0.001, 0.999)"})
    wires = [(a, low, "a"), (b, low, "b"), (low, high, "a"), (c, high, "b")]
    graph = drawing.graph(drawing.pose_sheet("main", [a, b, c, low, high], wires, high))
    instance = running(drawing, graph, clips)
    results, steps = [], []
    for dt, x in zip(STEPS, places, strict=True):
        results.append(instance.step(dt, {"x": float(x)}))
        low_, high_ = min(max(2 * x, 0.001), 0.999), min(max(2 * x - 1, 0.001), 0.999)
        steps.append(
            {"dt": dt, "weights": {"a": (1 - low_) * (1 - high_), "b": low_ * (1 - high_), "c": high_}}
        )
    require_same(results, mixed(three, clips, start={"a": 1.0, "b": 0.0, "c": 0.0}, steps=steps))


@pytest.mark.parametrize("weight", [0.35, 1.0])
def test_additive_node_is_that_of_three(three: Path, weight: float) -> None:
    axis = np.array([0.3, 0.5, -0.8])
    below, added = looping("below", 5, axis=axis), looping("added", 4, axis=axis)
    declared = replace(added, additive=Additive(AdditiveSpace.LOCAL, AdditiveBase.FIRST_FRAME))
    drawing = Drawing(below, declared, variables=(X,))
    base, player = drawing.play("below"), drawing.play("added")
    node = drawing.node("apply_additive", "add", {"alpha": str(weight)})
    wires = [(base, node, "base"), (player, node, "additive")]
    graph = drawing.graph(drawing.pose_sheet("main", [base, player, node], wires, node))
    instance = running(drawing, graph, [below, declared])
    results = [instance.step(dt) for dt in STEPS]
    start = {"below": 1.0, "added": weight}
    require_same(
        results,
        mixed(three, [below, added], start=start, steps=[{"dt": dt} for dt in STEPS], additive="added"),
    )
