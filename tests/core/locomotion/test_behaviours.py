"""What a character does beyond walking: stops, pivots, turns, jumps, landings; each is off without its clips."""

from dataclasses import replace
from itertools import groupby, pairwise

import numpy as np
import pytest

from core.clips.clip import Clip
from core.graph.graph import Graph
from core.graph.montage import Montage
from core.locomotion import controller
from core.locomotion.animation.graphs import drawn
from core.locomotion.animation.landing import NEAR, curve, land_alpha
from core.locomotion.animation.propose import propose
from core.locomotion.animation.stops import ways_left
from core.locomotion.animation.told import stop_way
from core.locomotion.animation.values import SHORTER
from core.locomotion.character import CharacterState, begin, character_setup, pose, step
from core.locomotion.controller import start
from core.locomotion.input import Gait, Input, RotationMode
from core.locomotion.predict import stopping
from core.locomotion.setup import PRESETS, Setup
from core.project.project import Project
from core.terrain.pieces import Box, Plane, Slope
from core.terrain.terrain import Terrain, flat_terrain
from core.tracks.evaluate import evaluate_scalar
from tests.core.locomotion.sample import project, sample

FLAT = flat_terrain()
AHEAD, BACK = Input.of((0.0, 1.0)), Input.of((0.0, -1.0))
STILL = Input()


def run(
    inputs: list[Input], state: CharacterState | None = None, terrain: Terrain = FLAT
) -> list[CharacterState]:
    states = [state or begin(sample(), terrain)]
    for given in inputs:
        states.append(step(sample(), terrain, states[-1], given))
    return states


def active(state: CharacterState) -> str:
    return state.result.states["moves"]


def seen(states: list[CharacterState]) -> list[str]:
    return [name for name, _ in groupby(active(state) for state in states)]


def own(state: CharacterState, name: str) -> float:
    places = {variable.name: value.register for variable, value in sample().plan.variables}
    return float(state.graph.registers[places[name]])


def looking(degrees: float, mode: RotationMode = RotationMode.LOOKING) -> Input:
    return Input.of((0.0, 0.0), view_yaw=degrees, mode=mode)


def without(*words: str) -> Project:
    """The sample without the clips, graphs and montages of some words."""
    clips = [clip for clip in project().clips if any(word in clip.name for word in words)]
    gone = {asset.id for clip in clips for asset in (clip, *project().references(clip))}
    gone |= {graph.id for graph in project().all(Graph) if graph.name == "Locomotion"}
    gone |= {montage.id for montage in project().all(Montage)}
    return project().without(*gone)


# ------------------------------------------------------------------------- stops
@pytest.mark.parametrize("gait", [Gait.WALK, Gait.RUN])
def test_a_stop_is_of_the_foot_that_is_ahead(gait):
    found, walked = set(), run([Input.of((0.0, 1.0), gait=gait)] * 90)
    for steps in range(60, 90, 2):
        states = walked[:steps] + run([STILL] * 2, walked[steps])
        ahead = pose(sample(), states[-3]).curves["FootPosition"]
        stops = [name for name in seen(states) if name.startswith("stop")]
        assert stops == [f"stop {'RF' if ahead > 0.0 else 'LF'}"]
        assert own(states[-1], "foot_y") == pytest.approx(ahead, abs=1e-9)
        found.add(stops[0])
    assert found == {"stop LF", "stop RF"}


def test_a_stops_clip_has_as_far_to_go_as_the_character_and_plays_on_where_it_stands():
    states = run([AHEAD] * 70 + [STILL] * 50)
    name = f"run {next(active(s) for s in states if 'stop' in active(s)).replace('stop', 'stop forward')}"
    player = next(op for op in sample().plan.ops if op.name == name)
    times, left = ways_left(project().rigs[0], project().clip_named(name))
    stops = [state for state in states if "stop" in active(state)]
    assert len(stops) > 10
    for state in stops:
        time = float(state.graph.floats[player.place.floats])
        assert np.interp(time, times, left) == pytest.approx(stop_way(Setup(), state.body.speed), abs=0.005)
    assert active(states[-1]) == "stand"


@pytest.mark.parametrize("name", list(PRESETS))
def test_the_way_to_a_stop_is_what_the_controller_makes_of_it(name):
    setup, state = PRESETS[name], start(PRESETS[name], FLAT)
    for _ in range(200):
        state = controller.step(setup, FLAT, state, Input.of((0.0, 1.0), gait=Gait.SPRINT))
    for _ in range(20):
        state = controller.step(setup, FLAT, state, STILL)
        assert stop_way(setup, state.speed) == pytest.approx(stopping(setup, state)[0], abs=0.004)


def test_a_stop_gives_way_to_an_input_at_once():
    states = run([AHEAD] * 70 + [STILL] * 8 + [AHEAD] * 20)
    assert seen(states)[-2:][0].startswith("stop") and active(states[79]) == "ahead"


# ------------------------------------------------------------------------- turning
@pytest.mark.parametrize("angle", [60.0, -90.0, 117.0, -135.0, 170.0, 180.0])
@pytest.mark.parametrize("crouch", [False, True])
def test_a_turn_in_place_turns_by_exactly_what_was_asked(angle, crouch):
    look = Input.of((0.0, 0.0), view_yaw=angle, mode=RotationMode.LOOKING, crouch=crouch)
    before = run([Input.of((0.0, 0.0), crouch=crouch)] * 20)[-1]
    states = run([look] * 200, before)
    assert states[-1].body.aim_yaw == pytest.approx(0.0, abs=1e-6)
    played = {m.section for state in states for m in state.result.montages if m.name == "turn in place"}
    side = "left" if angle > 0.0 else "right"
    stance = "crouch " if crouch else ""
    assert played == {f"{stance}turn {side} {180 if abs(angle) > 130.0 else 90}"}


def test_raw_curve_reads_the_clip_that_a_montage_plays():
    states = run([looking(90.0)] * 70)
    clip = project().clip_named("turn left 90")
    track = clip.curves["TurnYaw"]
    montage = next(m for m in project().all(Montage) if m.name == "turn in place")
    begins = next(section.start for section in montage.sections if section.name == clip.name)
    read = 0
    for before, after in pairwise(states):
        if before.result.montages and after.result.montages:
            at = (
                before.result.montages[-1].position - begins
            )  # expressions read what stood at the step's beginning
            assert own(after, "turn_now") == pytest.approx(
                evaluate_scalar(track, np.array([at]))[0], abs=1e-9
            )
            read += 1
    assert read > 40


def test_the_farther_the_view_is_the_longer_a_turn_waits_and_a_quick_view_waits_on():
    def begins(angle: float) -> int:
        states = run([looking(angle)] * 60)
        return next(k for k, state in enumerate(states) if state.result.montages)

    assert begins(50.0) < begins(100.0) < begins(160.0) <= 48
    assert not any(state.result.montages for state in run([looking(44.0)] * 90))
    spinning = [looking(-150.0 + 2.0 * k) for k in range(45)]  # 120 degrees a second
    assert not any(state.result.montages for state in run(spinning))


def test_the_opposite_way_interrupts_a_turn_and_movement_ends_it():
    half = run([looking(90.0)] * 40)
    assert half[-1].result.montages[-1].section == "turn left 90"
    yaw = half[-1].body.yaw
    states = run([looking(yaw - 90.0)] * 3, half[-1])
    assert states[-1].result.montages[-1].section == "turn right 90"
    left = run([Input.of((0.0, 1.0), view_yaw=90.0, mode=RotationMode.LOOKING)] * 20, half[-1])
    assert not left[-1].result.montages and active(left[-1]) == "ahead"
    after = run([looking(left[-1].body.yaw)] * 60, left[-1])
    assert all(own(state, "turned") == 0.0 for state in after[10:])


def test_who_aims_rotates_in_place_until_the_view_is_near():
    states = run([looking(69.0, RotationMode.AIMING)] * 60)
    assert "rotate left" in seen(states)
    assert abs(states[-1].body.aim_yaw) < 36.0
    assert active(states[-1]) == "stand"
    slow = [
        looking(1.0 + 1.5 * k, RotationMode.AIMING) for k in range(240)
    ]  # 90 degrees a second, round and round
    assert max(abs(state.body.aim_yaw) for state in run(slow)) <= 70.0 + 1e-6


def test_a_pivot_is_of_the_foot_ahead_and_only_at_speed():
    found, walked = set(), run([AHEAD] * 70)
    for steps in range(40, 70, 3):
        states = walked[:steps] + run([BACK] * 40, walked[steps])
        pivots = [name for name in seen(states) if name.startswith("pivot")]
        ahead = pose(sample(), states[steps]).curves["FootPosition"]
        assert pivots == [f"pivot {'RF' if ahead > 0.0 else 'LF'}"]
        found.add(pivots[0])
    assert found == {"pivot LF", "pivot RF"}
    slow = [Input.of((0.0, z), gait=Gait.WALK) for z in (1.0, -1.0) for _ in range(40)]
    assert not any(name.startswith("pivot") for name in seen(run(slow)))
    aside = run([AHEAD] * 50 + [Input.of((1.0, 0.0))] * 30)  # 90 degrees
    assert not any(name.startswith("pivot") for name in seen(aside))


# ------------------------------------------------------------------------- the air
def test_a_jump_on_the_move_is_of_the_foot_ahead():
    found, walked = set(), run([AHEAD] * 70)
    for steps in range(40, 70, 3):
        states = walked[:steps] + run([Input.of((0.0, 1.0), jump=True)] * 12, walked[steps])
        ahead = pose(sample(), states[steps]).curves["FootPosition"]
        jumps = [name for name in seen(states) if name.startswith("jump") or name == "leap"]
        assert jumps == [f"jump {'RF' if ahead > 0.0 else 'LF'}"]
        found.add(jumps[0])
    assert found == {"jump LF", "jump RF"}


def test_the_landing_that_is_ahead_is_told_before_the_touch():
    high = Terrain((Plane(), Box(size=(4.0, 3.0, 4.0))))
    states = run([AHEAD] * 90, begin(sample(), high, (0.0, 3.0, 0.0)), high)
    air = [state.played.land_alpha for state in states if state.body.in_air]
    assert air[0] == 0.0 and max(air) > 0.8
    assert air == sorted(air)
    assert all(state.played.land_alpha == 0.0 for state in states if not state.body.in_air)


def test_alpha_of_a_landing_begins_steep_and_ends_level():
    assert curve(0.0) == 1.0 and curve(1.0) == 0.0
    assert (curve(1e-6) - 1.0) / 1e-6 == pytest.approx(-2.07, abs=1e-3)
    assert (curve(1.0) - curve(1.0 - 1e-6)) / 1e-6 == pytest.approx(0.0, abs=1e-3)
    falls = begin(sample(), FLAT).body
    far = replace(falls, in_air=True, position=(0.0, NEAR + 0.4, 0.0), velocity=(0.0, -2.5, 0.0))
    near = replace(far, position=(0.0, 0.3, 0.0))
    slow = replace(near, velocity=(0.0, -1.9, 0.0))
    assert (
        land_alpha(FLAT, Setup(), far)
        == land_alpha(FLAT, Setup(), slow)
        == 0.0
        < land_alpha(FLAT, Setup(), near)
    )


def weight(state: CharacterState, name: str) -> float:
    op = next(op for op in sample().plan.ops if op.name == name)
    return float(state.graph.weights[op.number])


def test_a_landing_on_the_move_is_put_on_top_and_a_high_one_is_a_roll():
    jump = run([AHEAD] * 40 + [Input.of((0.0, 1.0), jump=True)] * 3 + [AHEAD] * 120)
    landed = next(k for k, s in enumerate(jump) if k > 50 and not s.body.in_air)
    assert active(jump[landed + 5]) == "ahead"
    assert max(weight(s, "land light") for s in jump[landed : landed + 20]) > 0.2
    assert max(weight(s, "land heavy") for s in jump[landed : landed + 20]) > 0.1
    assert weight(jump[-1], "land light") == 0.0
    high = Terrain((Plane(), Box(size=(4.0, 4.0, 4.0))))
    assert "roll" in seen(run([AHEAD] * 110, begin(sample(), high, (0.0, 4.0, 0.0)), high))


def test_breathing_goes_over_a_still_idle():
    states = run([STILL] * 90)
    first, later = (pose(sample(), states[k]).local for k in (30, 90))
    names = project().rigs[0].skeleton.names
    moved = [
        names[k] for k in range(len(names)) if np.abs(first.rotation[k] - later.rotation[k]).max() > 1e-3
    ]
    assert any("spine" in name for name in moved)
    assert not any(name.startswith(("thigh", "calf", "foot")) for name in moved)


def test_a_foot_that_was_left_behind_steps_home():
    low = Input.of((0.0, 1.0), crouch=True)
    states = run([low] * 32 + [STILL] * 150)
    steps = [int(own(state, "step_kind")) for state in states if own(state, "step_kind")]
    number = next(k for k, state in enumerate(states) if own(state, "step_kind"))
    before, after = states[number].played.feet_off, states[number + 40].played.feet_off
    foot = steps[0] - 1
    assert before[foot] == max(before) > 0.08 > 0.05 > after[foot]
    lifted = min(pose(sample(), s).curves[f"contact_{'lr'[foot]}"] for s in states[number : number + 20])
    assert lifted < 0.1  # its hold ended because the clip lifts it, not because it was torn off
    assert len(steps) <= 2 and max(states[-1].played.feet_off) < 0.08


def test_steps_are_shorter_and_quicker_on_steep_ground():
    ramp = Terrain((Plane(), Slope(at=(0.0, 0.0, 2.0), angle=30.0, length=12.0)))
    states = run([AHEAD] * 120, terrain=ramp)
    up = [state.played for state in states if state.body.position[1] > 1.0]
    flat = run([AHEAD] * 120)[-1].played
    assert up[5].rise == pytest.approx(np.tan(np.radians(30.0)), abs=0.03)
    assert up[5].stride == pytest.approx(flat.stride * np.cos(np.radians(30.0)) ** SHORTER, rel=0.03)
    for now in up[:30]:
        assert now.rate * now.stride * now.clip_speed == pytest.approx(3.75, rel=1e-3)


# ------------------------------------------------------------------------- without clips
BEHAVIOURS = {  # by a word of its clips' names
    " stop ": ("stop by the foot ahead", ("stop LF", "stop RF")),
    "pivot": ("pivot", ("pivot LF", "pivot RF")),
    "rotate": ("rotate in place", ("rotate left",)),
    "roll": ("roll", ("roll",)),
    " jump ": ("jump by the foot ahead", ("jump LF",)),
    "crouch turn": ("turn in place, crouched", ()),
    "turn ": ("turn in place", ()),
    "land light": ("landing on the move", ()),
    "breathing": ("breathing", ()),
    "step ": ("step in place", ()),
}


@pytest.mark.parametrize(
    "words",  # two that have nothing to do with each other, as making a set-up is what takes time
    [
        (" stop ", "roll"), ("pivot", "land light"), ("rotate", "breathing"), (" jump ", "crouch turn"),
        ("turn ", "step "),
    ],
)  # fmt: skip
def test_without_its_clips_a_behaviour_is_off_and_listed(words):
    fewer = without(*words)
    rig = fewer.rigs[0]
    setup = character_setup(fewer, rig)
    graph, _ = drawn(fewer, rig, propose(rig, fewer))
    nodes = {node.name for sheet in graph.sheets for node in sheet.of_kind("state")}
    for word, (behaviour, states) in BEHAVIOURS.items():
        assert f"behaviour {behaviour}" not in sample().missing
        if word in words:
            assert f"behaviour {behaviour}" in setup.missing
            assert not nodes & set(states)
        elif word != "crouch turn" or "turn " not in words:  # whose clips are among those of all turns
            assert f"behaviour {behaviour}" not in setup.missing
            assert nodes >= set(states)
    state = begin(setup, FLAT)
    inputs = (
        [AHEAD] * 30
        + [Input.of((0.0, 1.0), jump=True)] * 2
        + [AHEAD] * 60
        + [BACK] * 20
        + [looking(90.0)] * 60
    )
    for given in inputs:
        state = step(setup, FLAT, state, given)
    assert np.isfinite(state.numbers).all()


def test_the_clips_of_a_behaviour_are_of_the_project():
    assert not [name for name in sample().missing if name.startswith("behaviour")]
    assert {clip.name for clip in project().all(Clip)} >= {"walk stop left RF", "crouch turn right 180"}
