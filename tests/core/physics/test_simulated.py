"""Simulating some bones of a clip: the clip itself at full follow, pendulums and springs by their equations."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from core.errors import Cancelled, MissingReferenceError, UnsupportedError, ValidationError
from core.math import quat
from core.physics import engine
from core.physics.parts import Part, Scene, plan_of, scene_of
from core.physics.simulated import SimulationSetup, simulate
from core.progress import Progress
from core.rig.body_plan import Body, BodyPlan, Capsule
from tests.core.physics import chains, falls

FREE = {"stiffness": 0.0, "follow": 0.0, "damping": 0.0, "ground": None, "collide": False}


def run(made, bodies, clip, setup, **more):
    return simulate(made, chains.scene(made, bodies), setup, chains.sampler(made, clip), chains.RATE, **more)


def sway(t):
    return 0.3 * np.sin(4.0 * t)


@pytest.mark.parametrize("unit", [1.0, 0.01])
def test_pendulum_on_a_moved_pivot_swings_as_its_equation_says(unit):
    made = chains.rig(unit=unit)
    clip = chains.clip(1.5, lambda t: sway(t) / unit)
    body = chains.link("link0", axis=(0.0, 0.0, 1.0), ranges=((-175.0, 175.0),))
    found = run(made, [body], clip, SimulationSetup(0.0, 1.5, **FREE))
    # a rod's weight 0.5 m below; its capsule's own inertia hardly counts
    capsule = body.capsule
    own = (3.0 * capsule.radius**2 + (capsule.length + 1.3 * capsule.radius) ** 2) / 12.0
    reach = chains.LINK + own / chains.LINK

    def swings(t, y):
        pushed = -4.8 * np.sin(4.0 * t)
        return y[1], -(9.81 * np.sin(y[0]) + pushed * np.cos(y[0])) / reach

    exact = solve_ivp(swings, (0.0, 1.5), (0.0, 0.0), t_eval=found.times, rtol=1e-9, atol=1e-9).y[0]
    got = chains.swing_of(found, "link0", made)
    assert np.abs(exact).max() > 0.5
    assert np.abs(got - exact).max() < 0.03


def test_spring_swings_at_its_frequency_whatever_hangs_on_the_joint():
    made = chains.rig(2)
    clip = chains.clip(1.0, swings={"link0": lambda t: 0.0 if t < 0.2 else 0.5})
    bodies = [chains.link("link0"), chains.link("link1")]
    setup = SimulationSetup(0.0, 1.0, **{**FREE, "stiffness": 1.5}, gravity=0.0)
    got = chains.swing_of(run(made, bodies, clip, setup), "link0", made)
    late = np.arange(31) / 30.0 - 0.2
    exact = np.where(late < 0.0, 0.0, 0.5 * (1.0 - np.cos(2.0 * np.pi * 1.5 * late)))
    assert np.abs(got - exact).max() < 0.02


@pytest.mark.parametrize("turn", [(0.0, 0.0, 0.0, 1.0), (0.5, 0.5, 0.5, 0.5), (0.1, -0.7, 0.1, 0.7)])
def test_full_follow_gives_the_clip(turn):
    made = chains.rig(3, turn=tuple(quat.normalise(np.array(turn))))
    clip = chains.clip(1.0, sway, {f"link{n}": lambda t, n=n: 0.4 * np.sin(5.0 * t + n) for n in range(3)})
    setup = SimulationSetup(0.0, 1.0, follow=1.0, stiffness=2.0, damping=0.5)
    found = run(made, [chains.link(f"link{n}") for n in range(3)], clip, setup)
    wanted = chains.sampler(made, clip)(found.times)
    assert np.degrees(quat.angle_between(found.local.rotation, wanted.rotation)).max() < 0.05


def test_only_simulated_bones_differ_and_no_bone_gets_longer():
    made = chains.rig(3)
    clip = chains.clip(1.0, sway)
    bodies = [chains.link("link0"), chains.link("link1")]
    found = run(made, bodies, clip, SimulationSetup(0.0, 1.0, **FREE))
    wanted = chains.sampler(made, clip)(found.times)
    assert np.array_equal(found.local.translation, wanted.translation)
    assert np.array_equal(found.local.scale, wanted.scale)
    same = [made.skeleton.index(name) for name in ("world", "carrier", "link2")]
    assert np.array_equal(found.local.rotation[:, same], wanted.rotation[:, same])
    assert found.bones == (2, 3) and found.free == ()
    assert np.abs(chains.swing_of(found, "link0", made)).max() > 0.2


def test_range_holds_a_limp_joint():
    made = chains.rig()
    body = chains.link("link0", axis=(0.0, 0.0, 1.0), ranges=((-10.0, 10.0),))
    clip = chains.clip(1.0, lambda t: 2.0 * np.sin(5.0 * t))
    free = chains.link("link0", axis=(0.0, 0.0, 1.0), ranges=((-170.0, 170.0),))
    setup = SimulationSetup(0.0, 1.0, **FREE)
    assert np.degrees(np.abs(chains.swing_of(run(made, [free], clip, setup), "link0", made)).max()) > 40.0
    assert np.degrees(np.abs(chains.swing_of(run(made, [body], clip, setup), "link0", made)).max()) < 16.0


def free_ball():
    made = chains.rig()
    ball = Body("carrier", Capsule((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.1), 2.0)
    return made, Scene((Part(ball, 1, -1, -1),))


def test_free_body_falls_as_bodies_do_and_rests_on_the_ground():
    made, scene = free_ball()
    clip = chains.clip(2.0)
    ask = chains.sampler(made, clip)
    found = simulate(made, scene, SimulationSetup(0.0, 0.5, **FREE), ask, chains.RATE)
    heights = found.local.translation[:, 1, 1]
    assert np.allclose(heights, 2.0 - 0.5 * 9.81 * found.times**2, atol=0.02)
    assert found.free == (1,)
    on_ground = SimulationSetup(0.0, 2.0, **{**FREE, "ground": 0.7})
    heights = simulate(made, scene, on_ground, ask, chains.RATE).local.translation[:, 1, 1]
    assert abs(heights[-1] - 0.8) < 0.005 and heights.min() > 0.77


def test_free_body_keeps_the_speed_that_the_clip_gave_it():
    made, scene = free_ball()
    clip = chains.clip(1.0, lambda t: 3.0 * t)
    setup = SimulationSetup(0.2, 0.6, **FREE, gravity=0.0)
    found = simulate(made, scene, setup, chains.sampler(made, clip), chains.RATE)
    assert np.allclose(found.local.translation[:, 1, 0], 3.0 * found.times, atol=1e-3)


def test_loop_that_settled_comes_back_to_where_it_began():
    made = chains.rig(2)
    clip = chains.clip(1.0, lambda t: 0.2 * np.sin(2.0 * np.pi * t), looping=True)
    bodies = [chains.link("link0"), chains.link("link1")]
    setup = SimulationSetup(0.0, 1.0, stiffness=2.0, damping=0.4, settle=1.0)
    found = run(made, bodies, clip, setup, loop=1.0)
    apart = quat.angle_between(found.local.rotation[0], found.local.rotation[-1])
    assert np.degrees(apart).max() < 0.01
    steps = quat.angle_between(found.local.rotation[1:, 2:], found.local.rotation[:-1, 2:])
    seam = quat.angle_between(found.local.rotation[1, 2:], found.local.rotation[-1, 2:])
    assert (seam < 2.0 * steps.max()).all()


def test_walking_loop_is_entered_as_it_walked_before():
    made = chains.rig()
    clip = chains.clip(1.0, lambda t: 2.0 * t, looping=True)
    setup = SimulationSetup(0.0, 1.0, **FREE, settle=1.0)
    found = run(
        made, [chains.link("link0", axis=(0.0, 0.0, 1.0), ranges=((-170.0, 170.0),))], clip, setup, loop=1.0
    )
    assert (
        np.abs(chains.swing_of(found, "link0", made)).max() < 1e-3
    )  # steady: nothing swings, not at the seam


def test_obstacle_keeps_a_link_out():
    made = chains.rig()
    body = chains.link("link0", axis=(0.0, 0.0, 1.0), ranges=((-170.0, 170.0),))
    clip = chains.clip(1.0, lambda t: -4.0 * t * t)  # the pivot is pulled to −X: the link lags to +X
    wall = Body("world", Capsule((0.0, 1.5, -1.0), (0.0, 1.5, 1.0), 0.05), 1.0)
    free = run(made, [body], clip, SimulationSetup(0.0, 0.4, **FREE))
    scene = Scene(chains.scene(made, [body]).parts, (wall,), (0,))
    clip_to_wall = chains.clip(1.0, lambda t: 0.3 - 2.0 * t)
    ask = chains.sampler(made, clip_to_wall)
    setup = SimulationSetup(0.0, 0.3, **{**FREE, "collide": True})
    held = simulate(made, scene, setup, ask, chains.RATE)
    swung = chains.swing_of(held, "link0", made)
    assert np.abs(chains.swing_of(free, "link0", made)).max() > 0.1
    assert swung.max() > 0.3  # held back by the wall while the pivot goes on


def test_same_inputs_give_the_same_bytes():
    made = chains.rig(3)
    clip = chains.clip(1.0, sway)
    bodies = [chains.link(f"link{n}") for n in range(3)]
    first, second = (run(made, bodies, clip, SimulationSetup(0.0, 1.0)) for _ in range(2))
    assert first.local.rotation.tobytes() == second.local.rotation.tobytes()


def test_cancel_ends_it():
    made = chains.rig()
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        run(made, [chains.link("link0")], chains.clip(2.0), SimulationSetup(0.0, 2.0), progress=progress)


def test_without_the_library_the_reason_is_told(monkeypatch):
    engine.unavailable.cache_clear()
    monkeypatch.setitem(__import__("sys").modules, "mujoco", None)
    try:
        with pytest.raises(UnsupportedError, match="pip install"):
            run(chains.rig(), [chains.link("link0")], chains.clip(), SimulationSetup(0.0, 1.0))
    finally:
        monkeypatch.undo()
        engine.unavailable.cache_clear()


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"end": 0.0}, "an end after"),
        ({"follow": 1.5}, "share of 0 to 1"),
        ({"stiffness": 50.0}, "stiffness of 0 to 20"),
        ({"damping": -1.0}, "0 or more"),
        ({"gravity": float("nan")}, "finite"),
    ],
)
def test_setup_tells_what_is_wrong(values, reason):
    with pytest.raises(ValidationError, match=reason):
        SimulationSetup(**{"start": 0.0, "end": 1.0, **values})


# ---------------------------------------------------------------- which bodies
def test_scene_takes_bodies_of_the_plan_and_proposes_chains_for_the_rest():
    made = chains.rig(3)
    plan = BodyPlan((Body("carrier", Capsule((0, 0, 0), (0, 1, 0), 0.1), 5.0), chains.link("link0")))
    scene = scene_of(made, plan, ["link0"])
    assert [part.body.bone for part in scene.parts] == ["link0"]  # what has no body rides along
    assert scene.proposed == () and [body.bone for body in scene.obstacles] == ["carrier"]
    assert scene.neighbours == (("carrier", "link0"),)
    scene = scene_of(made, plan, ["link1"])
    assert [part.body.bone for part in scene.parts] == ["link1", "link2"] == list(scene.proposed)
    assert [(part.above, part.carrier) for part in scene.parts] == [(2, -1), (3, 0)]
    scene = scene_of(made, None, ["link1"], below=False)
    assert [part.body.bone for part in scene.parts] == ["link1"]


def test_scene_of_the_root_body_moves_freely():
    made = chains.rig(2)
    plan = BodyPlan((Body("carrier", Capsule((0, 0, 0), (0, 1, 0), 0.1), 5.0), chains.link("link0")))
    scene = scene_of(made, plan, ["carrier"])
    assert [(part.above, part.carrier) for part in scene.parts] == [(-1, -1), (1, 0)]
    with pytest.raises(ValidationError, match="choose the bones"):
        scene_of(made, plan, [])
    with pytest.raises(MissingReferenceError, match="no bone is named 'gone'"):
        scene_of(made, plan, ["gone"])


def test_clip_that_jumps_from_its_first_frame_does_not_fling_the_limb():
    made = chains.rig(3)
    jump = {f"link{n}": lambda t: 0.0 if t < 0.004 else 2.2 for n in range(3)}
    clip = chains.clip(0.5, swings=jump)
    bodies = [chains.link(f"link{n}") for n in range(3)]
    found = run(made, bodies, clip, SimulationSetup(0.0, 0.5, stiffness=3.0, ground=None))
    assert np.isfinite(found.local.rotation).all()
    steps = quat.angle_between(found.local.rotation[1:], found.local.rotation[:-1])
    assert steps.max() < 60.0 / 30.0 + 0.2  # radians a frame: no faster than a joint may turn


def test_an_arm_of_a_person_without_a_plan_is_three_bodies():
    person = falls.project().rigs[0]
    assert person.body_plan is None
    scene = scene_of(person, plan_of(person, falls.project().meshes_of(person.id)), ["upper_arm_l"])
    names = [person.skeleton.names[part.bone] for part in scene.parts]
    assert names == ["upper_arm_l", "lower_arm_l", "hand_l"]  # fingers and twist bones ride
    assert not scene.proposed and "pelvis" in [body.bone for body in scene.obstacles]
    assert plan_of(chains.rig(3)) is None
