"""Root motion of inertial blends: the source's speed goes over to the target's by the weight (spec: graph, §7)."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from core.blending.easing import EaseShape, Easing, ease
from core.clips.clip import Channel, Clip, Property
from core.graph.compile import compile_graph
from core.graph.graph import BlendKind, Variable
from core.graph.inertial import mean_share
from core.graph.instance import Instance
from core.graph.montage import MontageBlend
from core.math import kernels, quat
from core.tracks.keys import Interpolation, scalar_track
from tests.core.graph.builders import Drawing, walking
from tests.core.graph.test_montages import montage, play

DT, SECONDS = 0.02, 0.2
SLOW, FAST = 1.0, 3.0
GO = Variable("go", maximum=1.0)
SMOOTH = Easing(EaseShape.SMOOTH)
OVER = [BlendKind.INERTIALISE, BlendKind.DEAD_BLEND]


def without_kernel(made: Instance, compiled: bool) -> Instance:
    """The same instance, run by the twin where it is not to be compiled."""
    if compiled and kernels.load() is None:
        pytest.skip("the compiled kernels cannot be used here")
    if not compiled:
        made.runner = None
    return made


def machine(kind: BlendKind, clips, easing: Easing = SMOOTH) -> Instance:
    """A machine that goes over between two travelling clips."""
    drawing = Drawing(*clips, variables=(GO,))
    states = {name: drawing.clip_sheet(name) for name in "ab"}
    options = {"seconds": str(SECONDS), "easing": easing, "blend": {"kind": kind}}
    arrows = [("a", "b", "go > 0.5", options), ("b", "a", "go < 0.5", options)]
    graph = drawing.machine_graph(drawing.machine(states, arrows))
    return Instance(compile_graph(graph, drawing.project(graph)))


def speed(instance: Instance, dt: float = DT, **more) -> float:
    """Metres a second that a step goes forwards."""
    return float(instance.step(dt, **more).root_motion.translation[2]) / dt


def wanted(number: int, source: float, target: float, easing: Easing = SMOOTH) -> float:
    """The speed in step `number` after a switch, counted from 1: by the mean of the weights at its ends."""
    ends = ease(easing, np.array([number - 1, number]) * DT / SECONDS)
    share = float(ends.mean())
    return source * (1.0 - share) + target * share


@pytest.mark.parametrize("kind", OVER)
@pytest.mark.parametrize("compiled", [True, False])
def test_speed_goes_over_from_the_source_to_the_target_by_the_easing(kind, compiled):
    clips = [walking("a", 4.0, SLOW), walking("b", 4.0, FAST)]
    made = without_kernel(machine(kind, clips), compiled)
    assert [speed(made) for _ in range(5)] == pytest.approx([SLOW] * 5)
    for number in range(1, 16):
        assert speed(made, inputs={"go": 1.0}) == pytest.approx(wanted(number, SLOW, FAST), abs=1e-9)
    assert speed(made) == pytest.approx(FAST, abs=1e-12)


@pytest.mark.parametrize("compiled", [True, False])
def test_blend_that_is_interrupted_goes_on_from_the_speed_it_had(compiled):
    made = without_kernel(
        machine(BlendKind.INERTIALISE, [walking("a", 4.0, SLOW), walking("b", 4.0, FAST)]), compiled
    )
    for _ in range(5):
        made.step(DT)
    there = [speed(made, inputs={"go": 1.0}) for _ in range(5)][-1]
    assert SLOW < there < FAST
    for number in range(1, 16):
        assert speed(made, inputs={"go": 0.0}) == pytest.approx(wanted(number, there, SLOW), abs=1e-9)


def turning(name: str, travel: float, degrees: float) -> Clip:
    """A clip that travels, and turns by so many degrees a second."""
    made = walking(name, 4.0, travel)
    turn = scalar_track([0.0, 4.0], [0.0, 4.0 * degrees], interpolations=Interpolation.LINEAR)
    return replace(made, tracks={**made.tracks, Channel("root", Property.ROTATE, 1): turn})


@pytest.mark.parametrize("compiled", [True, False])
def test_turn_goes_over_as_the_way_does(compiled):
    clips = [turning("a", SLOW, 0.0), turning("b", FAST, 60.0)]
    made = without_kernel(machine(BlendKind.DEAD_BLEND, clips), compiled)
    for _ in range(5):
        made.step(DT)
    turns = []
    for _ in range(15):
        moved = made.step(DT, {"go": 1.0}).root_motion
        turns.append(float(np.degrees(quat.to_rotation_vector(moved.rotation))[1]) / DT)
    assert turns == pytest.approx([wanted(k, 0.0, 60.0) for k in range(1, 16)], abs=1e-3)


@pytest.mark.parametrize("kind", OVER)
def test_switch_and_end_inside_a_step_move_as_far_as_short_steps_do(kind):
    clips = [walking("a", 4.0, SLOW), walking("b", 4.0, FAST)]
    ways = []
    for steps in ([0.1] * 2 + [0.07] * 5, [0.1] * 2 + [0.005] * 70):
        made = machine(kind, clips, Easing())
        ways.append(
            sum(
                float(made.step(dt, {"go": float(k >= 2)}).root_motion.translation[2])
                for k, dt in enumerate(steps)
            )
        )
    # A straight easing: the mean of the weights at both ends is exact, the end inside a step too.
    assert ways[0] == pytest.approx(ways[1], abs=1e-9)
    assert ways[0] == pytest.approx(0.2 * SLOW + SECONDS * (SLOW + FAST) / 2.0 + 0.15 * FAST, abs=1e-9)


@pytest.mark.parametrize("easing", [Easing(), SMOOTH])
def test_montage_that_inertialises_takes_its_speed_on_by_its_easing(easing):
    over = MontageBlend(SECONDS, easing, BlendKind.INERTIALISE)
    drawing = Drawing(walking("idle", 4.0, SLOW), walking("m", 4.0, FAST), slots=("Group.Upper",))
    source, slot = drawing.play("idle"), drawing.node("slot", "slot", slot="Group.Upper")
    graph = drawing.graph(drawing.pose_sheet("main", [source, slot], [(source, slot, "source")], slot))
    made = montage(seconds=4.0, blend_in=over, blend_out=over, auto_blend_out=False)
    instance = Instance(compile_graph(graph, drawing.project(graph).with_assets(made)))
    for _ in range(5):
        assert speed(instance) == pytest.approx(SLOW)
    for number in range(1, 15):
        commands = [play()] if number == 1 else []
        assert speed(instance, commands=commands) == pytest.approx(
            wanted(number, SLOW, FAST, easing), abs=1e-9
        )


def test_blend_by_a_value_that_inertialises_takes_its_speed_on():
    drawing = Drawing(walking("a", 4.0, SLOW), walking("b", 4.0, FAST), variables=(GO,))
    a, b = drawing.play("a"), drawing.play("b")
    node = drawing.node(
        "blend_by_bool", "which", {"value": "go > 0.5", "time": str(SECONDS)}, inertialise=True, ease="smooth"
    )
    graph = drawing.one(a, b, node, wires=[(b, node, "true"), (a, node, "false")])
    instance = drawing.run(graph)
    for _ in range(5):
        assert speed(instance) == pytest.approx(SLOW)
    for number in range(1, 15):
        assert speed(instance, inputs={"go": 1.0}) == pytest.approx(wanted(number, SLOW, FAST), abs=1e-9)


def test_mean_share_of_parts_sums_to_that_of_the_whole():
    cuts = [0.0, 0.03, 0.1, 0.17, 0.2, 0.26, 0.4]
    parts = [mean_share(lambda u: u, 0.2, b, b - a) * (b - a) for a, b in pairwise(cuts)]
    assert sum(parts) == pytest.approx(0.2 * 0.5 + 0.2)
    assert mean_share(lambda u: u, 0.2, 0.4, 0.4) * 0.4 == pytest.approx(0.3)
    assert mean_share(lambda u: u, 0.0, 0.0, 0.1) == 1.0
