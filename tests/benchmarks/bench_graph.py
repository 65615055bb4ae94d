"""A step of the animation graph: by the compiled kernel, by its twin, by calling functions one by one, and by three.js.

    python -m tests.benchmarks.bench_graph [--clients FOLDER]

The graph has 30 nodes, about 40 value ops and 6 clips that count in every step, on 65 bones with nine curves each.
Figures are medians of the processor's time that was spent; of two threads the least time on the clock. three.js plays
the same number of clips as six actions of one mixer, three linear tracks a bone.
"""

import argparse
import json
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np

import core.io
from core.blending.layers import over
from core.clips.clip import Clip
from core.clips.evaluator import ClipEvaluator
from core.graph import crowd as crowds
from core.graph.compile import compile_graph
from core.graph.crowd import step_many
from core.graph.graph import Graph, Node, Variable
from core.graph.instance import Instance
from core.graph.packing import pack
from core.graph.plan import Plan
from core.graph.post import Character, compile_post
from core.graph.record import Recording
from core.graph.runner import not_compiled
from core.math import kernels
from core.math.transform import Transform
from core.pose.blend import weighted
from core.project.project import Project
from core.rig.rig import Rig
from tests.benchmarks.bench_core import character
from tests.benchmarks.bench_peers import median, number, told
from tests.core.graph.builders import RIG, Drawing

DT = 1.0 / 60.0
CLIPS = 6
CROWDS = (1, 10, 50, 200, 500)
SAMPLE = Path(__file__).resolve().parents[2] / "resources" / "sample" / "mannequin.posewright"
SAMPLE_RUNS: dict[str, dict[str, float]] = {
    "standing": {}, "walking": {"speed": 1.4}, "running": {"speed": 3.3}, "crouched": {"crouch": 1.0, "speed": 0.5},
    "waving": {"wave": 1.0},
}  # fmt: skip
THREE = """
import * as THREE from 'three';
const median = (call, repeats = 7, inner = 1) => { for (let n = 0; n < inner; n++) call(); const spent = [];
  for (let r = 0; r < repeats; r++) { const began = process.cpuUsage(); for (let n = 0; n < inner; n++) call();
    const more = process.cpuUsage(began); spent.push((more.user + more.system) / inner); }
  return spent.sort((a, b) => a - b)[repeats >> 1]; };
const parents = JSON.parse(process.argv[1]), bones = parents.map((p, n) => { const bone = new THREE.Bone();
  bone.name = 'b' + n; return bone; });
const root = new THREE.Group(); root.add(bones[0]);
parents.forEach((p, n) => { if (n) bones[p].add(bones[n]); });
const times = Float32Array.from({ length: 41 }, (_, k) => k / 10);
const mixer = new THREE.AnimationMixer(root);
for (let c = 0; c < 6; c++) { const tracks = [];
  for (const bone of bones) for (const [name, width, kind] of [['position', 3, THREE.VectorKeyframeTrack],
    ['quaternion', 4, THREE.QuaternionKeyframeTrack], ['scale', 3, THREE.VectorKeyframeTrack]])
    tracks.push(new kind(`${bone.name}.${name}`, times, Float32Array.from({ length: 41 * width }, Math.random)));
  mixer.clipAction(new THREE.AnimationClip('c' + c, 4, tracks)).setEffectiveWeight(1 / 6).play(); }
console.log('TIMES ' + JSON.stringify({ step: median(() => mixer.update(1 / 60), 7, 1000) })); process.exit(0);
"""


def figure(clips: int = CLIPS) -> tuple[Rig, list[Clip]]:
    """A rig of 65 bones and some looping clips of four seconds, 41 keys a channel."""
    rig, first = character(41, 4.0)
    rig = replace(rig, id=RIG)
    made = [
        replace(character(41, 4.0, seed)[1], id=f"clip-c{seed}", name=f"c{seed}", rig=RIG, looping=True)  # type: ignore[arg-type]
        for seed in range(clips)
    ]
    return rig, made


class Bench(Drawing):
    """A drawing on the rig of 65 bones."""

    def __init__(self) -> None:
        bones, clips = figure()
        variables = (Variable("speed", default=(1.0,)), Variable("lean", default=(0.4,)))
        super().__init__(*clips, variables=variables, rig_=bones)

    def drawn(
        self, last: Node, nodes: list[Node], wires: list[tuple[Node, Node, str]]
    ) -> tuple[Graph, Project]:
        """The graph, in its project."""
        graph = self.graph(self.pose_sheet("main", nodes, wires, last))
        return graph, self.project(graph)


VALUES = (
    "ease_to(clamp(lean, 0, 1), 0.2) * 0.5 + 0.25",
    "smoothstep(0, 4, spring(speed, 0.3)) * 0.8 + 0.1",
    "if(speed > 2, 0.7, 0.3) * 0.5 + follow(lean, 2) * 0.2 + 0.1",
    "clamp(0.2 + abs(sin(timer(false) * 30)) * 0.3, 0, 1)",
    "lerp(0.3, 0.6, frac(speed * 0.25))",
)


def walker() -> tuple[Graph, Project]:
    """The graph of the figures: 30 nodes, 6 clips that count."""
    d = Bench()
    players = [d.play(f"c{k}", rate=f"1 + {k} * 0.01 * speed") for k in range(2, 6)]
    sheets = {f"s{k}": d.clip_sheet(f"c{k % CLIPS}") for k in range(3)}
    arrows = [
        ("s0", "s1", "speed > 0 and time_in_state > 0.02", {"seconds": "1000"}),
        ("s1", "s2", "speed > 5 and held(lean > 0.9) > 0.2"),
        ("s2", "s0", None, {"automatic": 0.2}),
    ]
    machine = d.node("machine", "moves", sheet=d.machine(sheets, arrows).id)
    blends = [d.node("blend", f"mix{k}", {"alpha": VALUES[k]}) for k in range(3)]
    layers = [
        d.node("layered", f"layer{k}", {"weight": VALUES[3 + k]}, branches=(f"bone_{10 + 20 * k}:3",))
        for k in range(2)
    ]
    curves = [d.node("modify_curve", "", {"value": "speed"}, curve=f"curve{k}", way="set") for k in range(9)]
    mirror = d.node("mirror", "", {"on": "false"})
    wires = [
        (machine, blends[0], "a"), (players[0], blends[0], "b"),
        (players[1], blends[1], "a"), (players[2], blends[1], "b"),
        (blends[0], curves[0], "pose"), (curves[0], layers[0], "base"), (blends[1], curves[1], "pose"),
        (curves[1], layers[0], "layer"), (layers[0], curves[2], "pose"), (curves[2], blends[2], "a"),
        (players[3], blends[2], "b"), (blends[2], layers[1], "base"), (players[3], layers[1], "layer"),
        (layers[1], mirror, "pose"), (mirror, curves[3], "pose"),
        *((before, after, "pose") for before, after in pairwise(curves[3:])),
    ]  # fmt: skip
    return d.drawn(curves[8], [machine, *players, *blends, *layers, *curves, mirror], wires)


def tree(count: int) -> tuple[Graph, Project]:
    """A graph of so many nodes: players that share six clips, and the blends that bring them together."""
    d = Bench()
    open_ = [d.play(f"c{k % CLIPS}", rate="speed") for k in range(count // 2)]
    nodes, wires = list(open_), []
    while len(open_) > 1:
        a, b = open_.pop(0), open_.pop(0)
        blend = d.node("blend", "", {"alpha": f"0.3 + 0.001 * {len(open_)} * lean"})
        wires += [(a, blend, "a"), (b, blend, "b")]
        nodes.append(blend)
        open_.append(blend)
    return d.drawn(open_[0], nodes, wires)


def running(plan: Plan, twin: bool = False) -> Instance:
    """An instance under way."""
    instance = Instance(plan)
    if twin:
        instance.runner = None
    for _ in range(5):
        instance.step(DT)
    return instance


def one_by_one(rig: Rig, clips: list[Clip]) -> Callable[[], object]:
    """The same clips and blends by calling what the library has, a function after the other."""
    evaluators = [ClipEvaluator(rig, clip) for clip in clips]
    bones = np.zeros(len(rig.skeleton))
    bones[10:] = 0.3
    now = [0.0]

    def step() -> object:
        now[0] = (now[0] + DT) % 4.0
        poses = []
        for evaluator in evaluators:
            batch = evaluator.sample_many(np.array([now[0]]))
            poses.append(Transform(*(part[0] for part in batch.local)))
        pose = poses[0]
        for k in range(1, 5):
            pose = weighted([pose, poses[k]], [0.6, 0.4])
        return over(rig.skeleton, pose, poses[5], bones)

    return step


def crowd(plan: Plan, count: int, threads: bool = True) -> Callable[[], object]:
    """Many instances, spread over the whole of their clips."""
    instances = [Instance(plan) for _ in range(count)]
    for k, instance in enumerate(instances):
        instance.step(4.0 * (k * 0.6180339887 % 1.0))
        for _ in range(3):
            instance.step(DT)

    def step() -> object:
        many, crowds.MANY = crowds.MANY, crowds.MANY if threads else count + 1
        try:
            return step_many(instances, DT)
        finally:
            crowds.MANY = many

    return step


def singles(plan: Plan, count: int) -> Callable[[], object]:
    """The same instances, each stepped by itself."""
    instances = [Instance(plan) for _ in range(count)]
    for k, instance in enumerate(instances):
        instance.step(4.0 * (k * 0.6180339887 % 1.0))
    return lambda: [instance.step(DT) for instance in instances]


def sample_rows() -> list[tuple[str, float]]:
    """The sample's own graph, with the rig's post-process graph after it, in what it mostly does."""
    project = core.io.load(SAMPLE).project
    graph = next(graph for graph in project.all(Graph) if graph.name == "moves")
    plan = compile_graph(graph, project)
    post = compile_post(plan.rig, project)
    found = []
    for name, inputs in SAMPLE_RUNS.items():
        character = Character(plan, post)
        character.step(DT)
        for _ in range(40):
            character.step(DT, inputs)
        found.append((f"the sample's graph, {name}", median(lambda c=character: c.instance.step(DT), 9, 60)))
        found.append(
            (f"  with the feet's graph after it, {name}", median(lambda c=character: c.step(DT), 9, 60))
        )
    return found


def recording(plan: Plan) -> tuple[Recording, Callable[[], object]]:
    """A recording under way, and a step of it."""
    made = Recording.of(plan)
    return made, lambda: made.step(DT)


def wall(call: Callable[[], object], repeats: int, inner: int) -> float:
    """Least microseconds on the clock of a call: what two threads share is no processor's time of one."""
    call()
    spent = []
    for _ in range(repeats):
        began = time.perf_counter()
        for _ in range(inner):
            call()
        spent.append((time.perf_counter() - began) / inner)
    return min(spent) * 1e6


def rows(clients: Path | None) -> list[tuple[str, float]]:
    """What is measured, in microseconds."""
    plan = compile_graph(*walker())
    assert not not_compiled(plan), not_compiled(plan)
    nodes, ops = sum(len(s.nodes) for s in plan.graph.sheets), len(plan.program.rows)
    active = int(np.count_nonzero([w > 0 and not o.inputs for w, o in zip(
        running(plan).step(DT).weights, plan.ops, strict=True)]))  # fmt: skip
    print(f"{nodes} nodes, {ops} value ops, {active} clips that count, {len(plan.rig.skeleton)} bones\n")
    instance, plain = running(plan), running(plan, twin=True)
    found = [("a step by the kernel", median(lambda: instance.step(DT), 9, 400))]

    def looked_at() -> object:
        result = instance.step(DT)
        return result.pose, result.root_motion, result.events, result.states

    found.append(("a step by the kernel, its result read", median(looked_at, 9, 400)))
    found.append(("a step by the plain twin", median(lambda: plain.step(DT), 5, 5)))
    rig, clips = figure()
    found.append(("functions one by one (6 clips, 4 blends, 1 layer)", median(one_by_one(rig, clips), 7, 20)))
    parents = json.dumps(np.maximum(rig.skeleton.parents, 0).tolist())
    three = {} if clients is None else told(
        ["node", "--input-type=module", "-e", THREE, "--", parents], clients
    )  # fmt: skip
    if "step" in three:
        found.append(("three.js, AnimationMixer with 6 actions", three["step"]))
    for count in CROWDS:
        inner = max(1, 200 // count)
        found.append((f"{count} instances in one call", median(crowd(plan, count, threads=False), 7, inner)))
        found.append((f"{count} instances one by one", median(singles(plan, count), 5, inner)))
        if count >= crowds.MANY:
            spent = wall(crowd(plan, count), 9, inner)
            found.append((f"{count} instances in one call, two threads, on the clock", spent))
    found += sample_rows()
    made, record = recording(plan)
    bare = median(lambda: instance.step(DT), 9, 200)
    found.append(("a recorded step", median(record, 9, 200)))
    found.append(("  more than a bare one", found[-1][1] - bare))
    found.append(("goto half a second back", median(lambda: made.goto(len(made.steps) - 30), 7)))
    for count in (10, 30, 100, 300):
        grown = running(compile_graph(*tree(count)))
        found.append(
            (f"a step of {count} nodes, all of which count", median(lambda i=grown: i.step(DT), 7, 40))
        )
    large = tree(300)
    found.append(("compile a graph of 300 nodes", median(lambda: compile_graph(*large), 3)))
    made_ready = median(lambda: pack(compile_graph(*large)), 3) - found[-1][1]
    found.append(("lay it out for the kernel, at the first instance", made_ready))
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    named = os.environ.get("POSEWRIGHT_CHECK")
    parser.add_argument("--clients", type=Path, default=Path(named).resolve() if named else None)
    clients: Path | None = parser.parse_args().clients
    kernels.load()
    table: Mapping[str, float] = dict(rows(clients))
    for name, spent in table.items():
        print(f"{name:<58}{number(spent):>12}")


if __name__ == "__main__":
    main()
