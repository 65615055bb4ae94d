"""Rows over a course that are judged on poses: feet on the ground, steps from frame to frame, knees, the hips' jerk.

Rows of locomotion count the steps whose pose comes from the graphs or from motion matching, and then from the graph
that places the feet. Where something else makes the pose, rows of their own have the same measures and limits, so that
nothing is hidden: *ragdoll* while physics does (a fall, or a blow that is felt), *get-up* while a get-up clip does and
while the graphs take over from it (`Driver`). No graph places the feet in either. A bone that rides on the ragdoll's
root body is free there and has no limit.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import numpy as np

from core.arrays import BoolArray, FloatArray
from core.ik.ground import find_feet
from core.ik.leg import Leg, find_legs
from core.ik.limits import limited
from core.locomotion.character import CharacterSetup, CharacterState, placement
from core.locomotion.course import Course, SectionRun
from core.locomotion.dampers import wrap
from core.locomotion.fall import Fall, Phase
from core.locomotion.judge.rows import Row, Samples, over, single
from core.locomotion.setup import H
from core.locomotion.state import State
from core.math import quat
from core.math.transform import Transform, down_chain
from core.rig.roles import rig_roles

Run = SectionRun[CharacterState]

TOUCHING, CONTACT = 0.015, 0.5
"""Metres over the ground up to which a sole touches, and the clip's contact from which it is to."""
HELD = 0.5
"""Seconds of the same input after which movement counts as steady."""
OWN_STEP = ((0.0, 1.0, 2.0, 3.0), (0.1, 0.35, 1.0, 1.6))
"""Gait amount, and the clips' own step of velocity in a frame, m/s, p95."""
TURNS = ("turns", "pivots", "aim")
STRAIGHT = 0.995
"""Share of a leg's length beyond which a knee is overstretched."""
SETTLED = 10
"""Steps after a section's start that are not judged: a character begins there from nothing."""


LEGEND = (
    "course, steady, transitions, turns: steps whose pose is made by the graphs or by motion matching",
    "ragdoll: steps in which physics makes the pose, after a fall or a blow",
    "get-up: steps of a get-up clip, and of the change from it to the graphs",
)
"""What the cases of rows on poses are of."""


class Driver(Enum):
    """What makes a pose; the value is the case of the judge's rows."""

    GRAPHS = "course"
    RAGDOLL = "ragdoll"
    GET_UP = "get-up"


NONE: Samples = (np.zeros(0), np.zeros(0), "")
"""What a section says of what it does not have."""


class Points(NamedTuple):
    """A foot over time: heel and ball ``(T, 2, 3)`` in the world, their clearance ``(T, 2)``, the contact ``(T,)``."""

    places: FloatArray
    clearance: FloatArray
    contact: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Watched:
    """A section's poses in the world.

    Parameters
    ----------
    places, turns : ``(T, B, 3)``, ``(T, B, 4)`` of the bones
    feet : in the order of the legs
    steady : ``(T,)`` whether the input has been held for half a second
    drivers : ``(T,)`` what made each pose
    """

    run: Run
    bodies: tuple[State, ...]
    places: FloatArray
    turns: FloatArray
    feet: tuple[Points, ...]
    steady: BoolArray
    drivers: tuple[Driver, ...]

    def by(self, driver: Driver) -> BoolArray:
        """``(T,)`` whether a driver made the pose, but for the first steps, in which a character settles."""
        found = np.array([one is driver for one in self.drivers])
        found[:SETTLED] = False
        return found


def watch(setup: CharacterSetup, course: Course, run: Run) -> Watched:
    """The poses of a section in the world, with its feet."""
    bones = setup.plan.layout.bones
    numbers = np.stack([state.numbers for state in run.states])
    count = len(numbers)
    local = Transform(
        numbers[:, : 3 * bones].reshape(count, bones, 3),
        numbers[:, 3 * bones : 7 * bones].reshape(count, bones, 4),
        numbers[:, 7 * bones : 10 * bones].reshape(count, bones, 3),
    )
    model = down_chain(setup.rig.skeleton.parents, local)
    where = [placement(state) for state in run.states]
    place = np.stack([w.translation for w in where])[:, None]
    turn = np.stack([w.rotation for w in where])[:, None]
    places = place + quat.rotate(turn, model.translation)
    turns = quat.multiply(np.broadcast_to(turn, model.rotation.shape), model.rotation)
    feet = tuple(_points(setup, course, leg, places, turns, numbers) for leg in legs_of(setup))
    drivers = tuple(_driver(state.fall) for state in run.states)
    return Watched(run, tuple(s.body for s in run.states), places, turns, feet, _steady(run), drivers)


def _driver(fall: Fall) -> Driver:
    """What makes the pose of a state."""
    if fall.phase is Phase.FALLING or (fall.phase is Phase.STANDING and fall.hit is not None):
        return Driver.RAGDOLL
    if fall.phase is Phase.RISING or fall.fade is not None:
        return Driver.GET_UP
    return Driver.GRAPHS


def legs_of(setup: CharacterSetup) -> tuple[Leg, ...]:
    """The legs of the rig."""
    return find_legs(setup.rig, find_feet(setup.rig, rig_roles(setup.rig)))


def _points(
    setup: CharacterSetup,
    course: Course,
    leg: Leg,
    places: FloatArray,
    turns: FloatArray,
    numbers: FloatArray,
) -> Points:
    ankle, turn = places[:, leg.foot], turns[:, leg.foot]
    found = np.stack([ankle + quat.rotate(turn, np.array(p)) for p in (leg.heel, leg.toe)], axis=1)
    clearance = found[..., 1] - course.terrain.under(found)
    name = f"contact_{'l' if leg.side > 0 else 'r'}"
    index = setup.plan.table.index.get(name)
    first = 10 * setup.plan.layout.bones
    contact = numbers[:, first + index] if index is not None else np.zeros(len(numbers))
    return Points(found, clearance, contact)


def _steady(run: Run) -> BoolArray:
    """Steps in which the input has been the same for a while, on the ground: a landing is a transition."""
    steady, since = [False], 0
    for number, given in enumerate(run.inputs):
        same = bool(number) and given == run.inputs[number - 1]
        since = since + 1 if same and not run.states[number + 1].body.in_air else 0
        steady.append(since * H >= HELD)
    return np.array(steady)


# ------------------------------------------------------------------------- rows
def pose_rows(setup: CharacterSetup, course: Course, runs: Sequence[Run]) -> list[Row]:
    """All rows."""
    seen = [watch(setup, course, run) for run in runs]
    slip = "foot slip in contact"
    kinds = {
        "steady": (("mean", 1.0), ("p95", 5.0)),
        "transitions": (("mean", 3.0), ("p95", 5.0)),
        "turns": (("mean", 2.0), ("p95", 5.0)),
    }
    rows = [
        over(slip, kind, "cm/s", limits, [_slip(w, kind) for w in seen]) for kind, limits in kinds.items()
    ]
    rows += [
        over(slip, Driver.GET_UP.value, "cm/s", (("mean", 3.0), ("p95", 5.0)), [_slip(w, Driver.GET_UP) for w in seen]),
        over("facing error at rest", "end of turns", "°", (("worst", 2.0),), [_rest(w) for w in seen]),
        over("played speed", "steady", "%", (("p95", 2.0),), [_played(w, 0) for w in seen]),
        over("played direction", "steady", "°", (("p95", 5.0),), [_played(w, 1) for w in seen]),
    ]  # fmt: skip
    for driver in Driver:
        case = driver.value
        below = (("p95", 5.0), ("worst", 20.0))
        # A body that hits the ground is stopped by it.
        step = () if driver is Driver.RAGDOLL else (("p95", 0.3),)
        rows += [
            over("sole below ground", case, "mm", below, [_below(w, driver) for w in seen]),
            over("step of velocity beyond the clips' own", case, "m/s", step, [_steps(w, driver) for w in seen]),
            over("leg stretched", case, "share", (("worst", STRAIGHT),), [_stretch(setup, w, driver) for w in seen]),
            over("limits broken", case, "°", (("worst", 1.0),), [_broken(setup, w, driver) for w in seen]),
        ]  # fmt: skip
        if driver is not Driver.RAGDOLL:  # which is not to stand
            floats = [_floating(w, driver) for w in seen]
            rows.append(over("sole floating in contact", case, "mm", (("p95", 10.0),), floats))
    flat = _jerk(setup, [w for w in seen if w.run.section.group in ("steady", "flat")], steady=True)
    for group in ("stairs", "bumps"):
        uneven = _jerk(setup, [w for w in seen if w.run.section.group == group], steady=False)
        if flat > 0.0 and uneven > 0.0:
            rows.append(single("hips' jerk p95 against flat ground", group, "×", uneven / flat, 1.5))
    return [row for row in rows if row is not None]


def _samples(w: Watched, values: FloatArray, keep: BoolArray, first: int = 0) -> Samples:
    """Values of the steps from `first` on that are kept, with their seconds of the course."""
    times = np.asarray(w.run.begins + H * (np.arange(len(values)) + first), dtype=np.float64)
    return values[keep], times[keep], w.run.section.name


def _joined(parts: Sequence[Samples], w: Watched) -> Samples:
    """The samples of several feet as one."""
    values, times = (np.concatenate([np.asarray(p[k], dtype=np.float64) for p in parts]) for k in (0, 1))
    return values, times, w.run.section.name


def _judged(w: Watched, driver: Driver = Driver.GRAPHS) -> BoolArray:
    """Steps on the ground whose pose a driver made."""
    return np.array([not b.in_air for b in w.bodies]) & w.by(driver)


def _slip(w: Watched, kind: str | Driver) -> Samples:
    """cm/s over the ground of the lowest point of each sole that touches: of a kind of movement, or of a driver."""
    found, kept = [], []
    judged = _judged(w, kind if isinstance(kind, Driver) else Driver.GRAPHS)[1:]
    turns = w.run.section.group in TURNS
    if isinstance(kind, Driver):
        wanted = np.ones(len(judged), dtype=bool)
    elif kind == "turns":
        wanted = np.full(len(judged), turns)
    else:
        wanted = (w.steady[1:] == (kind == "steady")) & (not turns)
    for foot in w.feet:
        low = np.argmin(foot.clearance[1:], axis=1)
        rows = np.arange(len(low))
        moved = foot.places[1:][rows, low] - foot.places[:-1][rows, low]
        near = (foot.clearance[1:][rows, low] <= TOUCHING) & (foot.clearance[:-1][rows, low] <= TOUCHING)
        down = (foot.contact[1:] > CONTACT) & (foot.contact[:-1] > CONTACT)
        found.append(np.hypot(moved[:, 0], moved[:, 2]) / H * 100.0)
        kept.append(judged & near & down & wanted)
    if not found:
        return NONE
    parts = [_samples(w, v, k, 1) for v, k in zip(found, kept, strict=True)]
    return _joined(parts, w)


def _below(w: Watched, driver: Driver) -> Samples:
    if not w.feet:
        return NONE
    lowest = np.min([foot.clearance.min(axis=1) for foot in w.feet], axis=0)
    values = np.maximum(-lowest, 0.0) * 1000.0
    return _samples(w, values, np.isfinite(values) & w.by(driver))


def _floating(w: Watched, driver: Driver) -> Samples:
    values, kept = [], []
    for foot in w.feet:
        values.append(np.maximum(foot.clearance.min(axis=1), 0.0) * 1000.0)
        kept.append(_judged(w, driver) & (foot.contact > CONTACT) & np.isfinite(values[-1]))
    parts = [_samples(w, v, k) for v, k in zip(values, kept, strict=True)]
    if not parts:
        return NONE
    return _joined(parts, w)


def _steps(w: Watched, driver: Driver) -> Samples:
    """m/s by which each bone's velocity changes in a frame, beyond what clips do: their p95 is over every bone, too."""
    away = w.places - np.array([b.root for b in w.bodies])[:, None]
    change = np.linalg.norm(np.diff(away, n=2, axis=0), axis=2) / H
    own = np.interp([b.gait_amount for b in w.bodies[2:]], *OWN_STEP)
    keep = w.by(driver)[2:]
    times = w.run.begins + H * (np.arange(len(change)) + 2)
    beyond = np.maximum(change - own[:, None], 0.0)[keep]
    return beyond.ravel(), np.repeat(times[keep], change.shape[1]), w.run.section.name


def _rest(w: Watched) -> Samples:
    """Degrees between view and yaw at the end of a turn."""
    if w.run.section.group != "turns" or "45" in w.run.section.name:
        return NONE
    last = w.bodies[-1]
    error = np.array([abs(wrap(last.view_yaw - last.yaw))])
    return error, np.array([w.run.begins + w.run.section.steps * H]), w.run.section.name


def _played(w: Watched, what: int) -> Samples:
    """Of the feet in contact: per cent of speed, or degrees of direction, off the capsule's, over each steady span."""
    v = np.diff(np.array([b.position for b in w.bodies]), axis=0)[:, [0, 2]] / H
    keep = w.steady[1:] & _judged(w)[1:] & (np.linalg.norm(v, axis=1) > 0.1)
    span = np.cumsum(np.diff(w.steady.astype(np.int64), prepend=0) != 0)[1:]
    found = [_span(w, v, keep & (span == k)) for k in np.unique(span[keep])]
    values = np.array([pair[what] for pair in found if pair is not None])
    return values, np.full(len(values), w.run.begins), w.run.section.name


def _span(w: Watched, v: FloatArray, keep: BoolArray) -> tuple[float, float] | None:
    """Per cent and degrees over some steps; None where they are few, or no foot stands in them."""
    slid, count = np.zeros(2), 0
    for foot in w.feet:
        low = np.argmin(foot.clearance[1:], axis=1)
        rows = np.arange(len(low))
        down = keep & (foot.contact[1:] > CONTACT) & (foot.contact[:-1] > CONTACT)
        moved = (foot.places[1:][rows, low] - foot.places[:-1][rows, low])[:, [0, 2]] / H
        slid += moved[down].sum(axis=0)
        count += int(down.sum())
    if keep.sum() < 10 or not count:
        return None
    speed = v[keep].mean(axis=0)
    feet = speed - slid / count
    part = 100.0 * abs(float(np.linalg.norm(feet)) / float(np.linalg.norm(speed)) - 1.0)
    turn = math.degrees(math.atan2(feet[0], feet[1]) - math.atan2(speed[0], speed[1]))
    return part, abs(wrap(turn))


def _stretch(setup: CharacterSetup, w: Watched, driver: Driver) -> Samples:
    """The longer leg's distance from hip to ankle against its length."""
    if not w.feet:
        return NONE
    values = np.zeros(len(w.bodies))
    for leg in legs_of(setup):
        a, b, c = (w.places[:, bone] for bone in (leg.chain[leg.upper], leg.chain[leg.lower], leg.foot))
        whole = np.linalg.norm(b - a, axis=1) + np.linalg.norm(c - b, axis=1)
        values = np.maximum(values, np.linalg.norm(c - a, axis=1) / whole)
    return _samples(w, values, w.by(driver))


def _broken(setup: CharacterSetup, w: Watched, driver: Driver) -> Samples:
    """Degrees that the worst bone is beyond its joint limit; nothing where the rig has no limits."""
    rest, worst = setup.rig.skeleton.rest.rotation, np.zeros(len(w.bodies))
    free = None if driver is Driver.GRAPHS or setup.falls is None else setup.falls.plan.bodies[0].bone
    for name, limit in setup.rig.limits.items():
        if name == free:  # how a character lies, no joint
            continue
        bone = setup.rig.skeleton.index(name)
        first = 3 * len(rest) + 4 * bone
        local = np.stack([state.numbers[first : first + 4] for state in w.run.states])
        kept = limited(local, rest[bone], limit)
        apart = quat.to_rotation_vector(quat.multiply(quat.conjugate(kept), local))
        worst = np.maximum(worst, np.degrees(np.linalg.norm(apart, axis=-1)))
    return _samples(w, worst, w.by(driver) & bool(setup.rig.limits))


def _jerk(setup: CharacterSetup, seen: Sequence[Watched], *, steady: bool) -> float:
    """p95 of the hips' vertical jerk in a run, m/s³."""
    found = []
    legs = legs_of(setup)
    hips = legs[0].chain[legs[0].upper - 1] if legs else 0
    for w in seen:
        jerk = np.abs(np.diff(w.places[:, hips, 1], n=3)) / H**3
        keep = _judged(w)[3:] & np.array([abs(b.gait_amount - 2.0) < 0.2 for b in w.bodies[3:]])
        if steady:
            keep &= w.steady[3:]
        found.append(jerk[keep])
    every = np.concatenate(found) if found else np.zeros(0)
    return float(np.percentile(every, 95.0)) if len(every) else 0.0
