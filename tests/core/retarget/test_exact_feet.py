"""Standing feet, frame by frame: contacts, what holds feet, rolls them and moves the hips, by many cases."""

from itertools import product

import numpy as np
import pytest

from core.arrays import BoolArray, FloatArray
from core.math import quat
from core.math.transform import down_chain
from core.pose import kinematics
from core.retarget.bend import reached
from core.retarget.contacts import AIRBORNE, ContactLimits, floor_under, mask_of, runs, spans_of, standing
from core.retarget.hips import Asked, asked, eased_distance, risen
from core.retarget.limbs import Limb, limbs_of
from core.retarget.planting import Floor, Planted, drop_for, near_floor, planted, steadied
from core.retarget.roll import rolled, side_axis
from core.retarget.transfer import Binding, transfer
from tests.core.retarget.figures import figure, motion
from tests.core.retarget.test_lock import bound
from tests.core.retarget.test_tips import without_bones
from tests.pins import Pins

PINS = Pins(__file__)
FRAMES = 48


def pair(seed: int) -> Binding:
    """Two figures whose bones are of any lengths and axes."""
    rng = np.random.default_rng(seed)
    return bound(figure(rng=rng), figure(4, 1.2, 40.0, rng=rng))


BINDING = pair(1)
LIMBS = {limb.name: limb for limb in limbs_of(BINDING, hands=True)}


def stands(*spans: tuple[int, int, int], points: int = 2, frames: int = FRAMES) -> BoolArray:
    """When points stand, by point, first and last frame."""
    mask = np.zeros((points, frames), dtype=bool)
    for point, first, last in spans:
        mask[point, first : last + 1] = True
    return mask


STANCES = {
    "nowhere": stands(),
    "all along": stands((0, 0, 47), (1, 0, 47)),
    "heel, both, ball": stands((0, 8, 25), (1, 14, 33)),
    "on the ball alone": stands((1, 12, 30)),
    "on the heel alone, to the end": stands((0, 30, 47)),
    "both, from the start": stands((0, 0, 10), (1, 0, 14)),
    "two close stances": stands((0, 5, 15), (1, 7, 18), (0, 21, 30), (1, 23, 40)),
    "a frame apart": stands((0, 5, 15), (1, 5, 15), (0, 17, 30), (1, 17, 30)),
    "one frame": stands((0, 20, 20), (1, 20, 20)),
    "far apart": stands((0, 2, 6), (1, 2, 6), (1, 40, 45)),
}


def foot_path(limb: Limb, seed: int, tilt: float = 6.0, turn: float = 10.0) -> tuple[FloatArray, FloatArray]:
    """A foot that slides, turns and tilts, about the height at which it stands; degrees."""
    rng = np.random.default_rng(seed)
    place = np.cumsum(rng.normal(scale=0.003, size=(FRAMES, 3)), axis=0) + [0.1, 0.08, 0.3]
    lean = quat.from_rotation_vector(
        np.radians(tilt) * (1.0 + 0.3 * rng.normal(size=(FRAMES, 1))) * [0.8, 0.1, 0.6]
    )
    spin = quat.from_axis_angle([0.0, 1.0, 0.0], np.radians(np.linspace(0.0, turn, FRAMES)))
    flat = quat.shortest_arc(limb.up, np.array([0.0, 1.0, 0.0]))
    return place, quat.multiply(quat.multiply(spin, lean), flat)


def test_limbs_of_figures_with_and_without_toes():
    for seed in (1, 2, 3):
        PINS.hold(f"limbs {seed}", limbs_of(pair(seed), hands=True), limbs_of(pair(seed), feet=False))
    bare = without_bones(figure(rng=np.random.default_rng(4)), "ball_l", "middle_01_r")
    low = figure(size=0.7)
    sunk = np.array(low.rest.translation)
    sunk[0, 1] -= 0.4
    low = type(low)(low.names, low.parents, low.rest._replace(translation=sunk))
    for name, other in (("whole", figure(2)), ("below zero", low)):
        PINS.hold(
            f"limbs, no toe left, {name}",
            limbs_of(bound(bare, other)),
            limbs_of(bound(other, bare), hands=True),
        )
    path = kinematics.to_model(BINDING.source, motion(BINDING.source, np.random.default_rng(3), 4))
    PINS.hold("places of points", [p.source_places(path) for limb in LIMBS.values() for p in limb.points])


@pytest.mark.parametrize("name", STANCES)
def test_feet_planted(name: str):
    limb, masks = LIMBS["left foot"], STANCES[name]
    heights = 0.12 * (1.0 + np.sin(np.arange(FRAMES) / 5.0))
    floors = (None, Floor(0.01), Floor(-0.02, 0.9, heights), Floor(0.0, 1.4, heights - 0.1))
    roll = 0.1 * np.sin(np.arange(FRAMES) / 6.0)
    for fps in (12.0, 30.0, 100.0):
        with PINS.together(f"planted, {name}, {fps:g}") as note:
            for row, floor in enumerate(floors):
                for tilt, turn in ((6.0, 10.0), (31.0, 10.0), (45.0, 20.0), (6.0, 200.0)):
                    path = foot_path(limb, row, tilt, turn)
                    note(planted(limb, *path, masks, fps, floor))
                    note(planted(limb, *path, masks, fps, floor, False, roll))
        with PINS.together(f"steadied, {name}, {fps:g}") as note:
            for level, tilt in product((False, True), (3.0, 28.0, 40.0)):
                note(steadied(limb, foot_path(limb, 5, tilt)[1], masks, fps, level))
            note(near_floor(heights, masks, 0.9, fps))


def test_hands_planted():
    limb = LIMBS["right hand"]
    for spans in ([], [(0, 0, 47)], [(0, 10, 20)], [(0, 3, 20), (0, 23, 30)]):
        masks = stands(*spans, points=1)
        PINS.hold(f"hand {spans}", planted(limb, *foot_path(limb, 8), masks, 30.0, Floor(0.1)),
                  planted(limb, *foot_path(limb, 8), masks, 30.0, None, False, np.full(FRAMES, 0.0)))  # fmt: skip


@pytest.mark.parametrize("name", STANCES)
def test_feet_rolled(name: str):
    limb, masks = LIMBS["right foot"], STANCES[name]
    with PINS.together(f"rolled, {name}") as note:
        for seed, floor, fps in product((1, 2), (-0.5, -0.005, 0.02), (15.0, 60.0)):
            place, rotation = foot_path(limb, seed, 4.0, 20.0)
            rng = np.random.default_rng(seed)
            root = place + [0.03, 0.7, -0.1] + rng.normal(scale=0.01, size=(FRAMES, 3))
            distance = np.linalg.norm(place - root, axis=-1) + rng.normal(scale=0.01, size=FRAMES)
            note(rolled(limb, root, place, rotation, distance, masks, fps, floor), side_axis(limb, rotation))
            note(rolled(limb, root, place, rotation, distance + 0.2, masks, fps, floor))


# ------------------------------------------------------------ hips
def leg(seed: int, count: int) -> Asked:
    rng = np.random.default_rng(seed)
    weight = np.where(np.sin(np.arange(count) / 4.0 + seed) > 0.2, rng.uniform(1.0, 200.0, count), 0.0)
    return Asked(rng.normal(scale=0.05, size=count), rng.normal(scale=0.05, size=count) + 0.1, weight)


@pytest.mark.parametrize("fps", [3.0, 24.0, 60.0])
def test_hips_risen(fps: float):
    for count in (1, 2, 3, 4, 40, 150):
        one, two = leg(1, count), leg(2, count)
        none = one._replace(weight=np.zeros(count))
        brief = one._replace(weight=np.where(np.arange(count) == count // 2, 5.0, 0.0))
        with PINS.together(f"risen, {count} frames, {fps:g}") as note:
            for legs in ([one], [one, two], [none, two], [none], [brief]):
                note(risen(legs, fps), risen(legs, fps, looping=True))
                if count > 3:
                    note(
                        risen(legs, fps, [2]),
                        risen(legs, fps, (1, count - 1)),
                        risen(legs, fps, [count // 2]),
                    )


def test_hips_asked_and_knees_eased():
    rng = np.random.default_rng(5)
    root = rng.normal(scale=0.1, size=(60, 3)) + [0.0, 0.9, 0.0]
    ankle = rng.normal(scale=0.12, size=(60, 3)) + [0.0, 0.1, 0.0]
    goal = ankle + rng.normal(scale=0.1, size=(60, 3))
    goal[50:] += [1.0, 0.0, 0.3]
    for lengths, full in product(((0.42, 0.4), (0.5, 0.3), (0.3, 0.5)), (0.9, 0.9995)):
        PINS.hold(f"asked {lengths} {full}", asked(root, ankle, goal, lengths, full, rng.uniform(size=60)))
        wanted, present = (np.linalg.norm(place - root, axis=-1) for place in (goal, ankle))
        with PINS.together(f"knees eased {lengths} {full}") as note:
            for limit in (0.05, 0.4, 1.5, 3.0):
                note(eased_distance(wanted, present, lengths, limit))


@pytest.mark.parametrize("looping", [False, True])
def test_hips_dropped(looping: bool):
    rng = np.random.default_rng(6)
    for count in (1, 2, 3, 30, 90):
        with PINS.together(f"drop, {count} frames, looping {looping}") as note:
            for fps, seconds in product((4.0, 30.0), (0.1, 0.4, 1.3)):
                need = np.abs(rng.normal(scale=0.1, size=count)) * (rng.uniform(size=count) > 0.6)
                need[0] = 0.04
                note(
                    drop_for(need, fps, seconds, 0.2, looping),
                    drop_for(0.0 * need, fps, seconds, 0.2, looping),
                )


# ------------------------------------------------------------ contacts
def steps(seed: int, frames: int = 150) -> FloatArray:
    """A point that comes down, settles, creeps, leaves and swings; noisy."""
    rng = np.random.default_rng(seed)
    at = np.arange(frames) + 7.0 * seed
    swing = np.clip(np.sin(at / 9.0) * 1.4 - 0.2, 0.0, 1.0) ** 2
    ahead = np.cumsum(0.002 + 0.09 * swing)
    return np.stack((0.02 * np.cos(at / 6.0), 0.05 + 0.3 * swing, ahead), axis=-1) + rng.normal(
        scale=0.0006 * (1 + seed), size=(frames, 3)
    )


CHOSEN = {
    "usual": None,
    "loose": ContactLimits(0.05, 0.1, 0.4, 0.8),
    "strict": ContactLimits(0.02, 0.03, 0.15, 0.2),
    "brief": ContactLimits(shortest=0.02, settled=0.02, landing=0.05),
    "lasting": ContactLimits(shortest=0.3, settled=0.002, landing=0.4),
}


@pytest.mark.parametrize("limits", CHOSEN)
def test_when_points_stand(limits: str):
    for seed, fps, size in product(range(4), (20.0, 30.0, 90.0), (0.5, 1.0, 1.7)):
        path = steps(seed)
        path[20 * seed] += [0.0, 0.4, 0.0]  # a jump
        low = float(np.percentile(path[:, 1], 5.0))
        with PINS.together(f"stands, {limits}, {seed}, {fps:g}, {size}") as note:
            for rest in (None, low, low - 0.99 * AIRBORNE * size, low - 1.01 * AIRBORNE * size):
                for part in (slice(None), slice(31, None), slice(0, 83), slice(5, 12), slice(3, 5)):
                    note(runs(standing(path[part], size, fps, CHOSEN[limits], rest)))


def test_runs_and_floors():
    for flags in ("", "0", "1", "0110", "1011", "111", "1100011"):
        mask = np.array([flag == "1" for flag in flags], dtype=bool)
        PINS.hold(f"runs of “{flags}”", runs(mask), spans_of("left foot", 1, mask))
    spans = spans_of("left foot", 1, np.array([True, False, True, True]))
    PINS.hold("a span beyond the clip", [mask_of(spans, "left foot", 1, n) for n in (0, 2, 3, 9)])
    PINS.hold("floors", floor_under([(steps(1), 0.02), (steps(2) + 0.1, 0.1), (steps(3)[:0], 0.0)]),
              floor_under([(steps(1)[:0], 1.0)]))  # fmt: skip


# ------------------------------------------------------------ bends
@pytest.mark.parametrize("name", LIMBS)
def test_limbs_bent(name: str):
    limb = LIMBS[name]
    local = transfer(BINDING, motion(BINDING.source, np.random.default_rng(9), 8, 0.3))
    local.rotation[3:, limb.bones[1]] = BINDING.target.rest.rotation[limb.bones[1]]  # straight
    model = kinematics.to_model(BINDING.target, local)
    end = limb.bones[2]
    place, turn = np.array(model.translation[:, end]), np.array(model.rotation[:, end])
    rng = np.random.default_rng(10)
    for far in (0.0, 0.02, 0.4, 3.0):
        shift = far * rng.normal(size=place.shape)
        shift[[0, 5]] = 0.0
        for spin in (0.0, 0.3):
            wanted = quat.multiply(quat.from_rotation_vector(spin * rng.normal(size=(8, 3))), turn)
            wanted[4] = turn[4]
            done, after, missed = reached(BINDING, local, model, limb, Planted(place + shift, wanted))
            PINS.hold(f"{name} bent, {far} m, {spin}", done.rotation, after, missed)
            assert np.array_equal(done.translation, local.translation)
            whole = kinematics.to_model(BINDING.target, done)
            for bone in limb.bones:  # what it tells of its own bones is where they are
                np.testing.assert_allclose(whole.translation[:, bone], after.translation[:, bone], atol=1e-9)
                assert quat.angle_between(whole.rotation[:, bone], after.rotation[:, bone]).max() < 1e-6
    still = reached(BINDING, local, model, limb, Planted(place, turn))
    assert still == (local, model, 0.0) and still[0] is local and still[1] is model


def test_points_of_feet_stand_on_the_floor_at_rest():
    rest = down_chain(BINDING.target.parents, BINDING.target.rest)
    for side in ("left", "right"):
        limb = LIMBS[f"{side} foot"]
        foot = limb.bones[2]
        places = limb.places(rest.translation[foot][None], rest.rotation[foot][None])
        assert [float(p[0, 1]) for p in places] == pytest.approx([p.height for p in limb.points], abs=1e-9)
