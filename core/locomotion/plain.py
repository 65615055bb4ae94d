"""A character that is driven with the clips that its rig has: cycles by speed, an idle, a fall.

For rigs without a set-up of their own. Cycles are found by what they measure (or by their names, where they stand in
place), put on one phase by the feet, and played as fast as the ground goes by below.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.arrays import FloatArray
from core.blending.measure import travel
from core.clips import root_motion
from core.clips.clip import Clip
from core.clips.evaluator import ClipEvaluator
from core.ids import AssetId
from core.locomotion import controller
from core.locomotion.dampers import clamp, damp
from core.locomotion.input import Input
from core.locomotion.setup import H, Setup
from core.locomotion.state import State
from core.math.transform import Transform
from core.pose import kinematics
from core.pose.blend import weighted
from core.pose.pose import Pose, rest_pose
from core.project.project import Project
from core.rig.rig import Rig
from core.rig.roles import find_roles
from core.terrain.terrain import Terrain

ROWS = 64
"""Poses kept of a cycle."""
BLEND = 0.06
"""Half-life in seconds of the weights of standing, crouching and falling."""
AHEAD, CREEPS = 0.2, 0.3
"""Share of its speed that a cycle may go sideways; m/s below which a clip stands."""
CONTACTS = ("contact_l", "contact_r")


@dataclass(frozen=True, slots=True, eq=False)
class Cycle:
    """A looping clip as poses over its phase, root motion taken out.

    Parameters
    ----------
    speed : m/s that it is made for
    length : seconds
    local : ``(ROWS, B, k)``
    contacts : ``(ROWS, 2)`` left and right, 0 to 1
    """

    name: str
    speed: float
    length: float
    local: Transform
    contacts: FloatArray

    def at(self, phase: float) -> Transform:
        """The pose ``(B, k)`` at a phase, 1 being a whole cycle."""
        place = (phase - np.floor(phase)) * ROWS
        first = int(place) % ROWS
        share = place - int(place)
        pair = [Transform(*(part[k] for part in self.local)) for k in (first, (first + 1) % ROWS)]
        return weighted(pair, [1.0 - share, share])

    def touching(self, phase: float) -> FloatArray:
        """Contacts ``(2,)`` at a phase."""
        found: FloatArray = self.contacts[int((phase - np.floor(phase)) * ROWS) % ROWS]
        return found


@dataclass(frozen=True, slots=True)
class Plain:
    """A state: the controller's, and the clocks and weights of the clips.

    Parameters
    ----------
    phase : cycles of the feet since the start
    moving, crouching, falling : weights 0 to 1
    """

    control: State
    phase: float = 0.0
    moving: float = 0.0
    crouching: float = 0.0
    falling: float = 0.0


class PlainCharacter:
    """Drives a rig with its own clips.

    Attributes
    ----------
    missing : what it has no clip for, in words of the field
    used : ids of the clips it plays
    """

    def __init__(self, project: Project, rig: Rig, setup: Setup, terrain: Terrain) -> None:
        self._rig, self.setup, self.terrain = rig, setup, terrain
        clips = sorted(project.clips_of(rig.id), key=lambda clip: clip.name)
        upright = [clip for clip in clips if "crouch" not in clip.name.lower()]
        low = [clip for clip in clips if "crouch" in clip.name.lower()]
        self._feet = _feet(rig)
        self._used: set[AssetId] = set()
        self.cycles = self._cycles(upright, setup)
        self.low_cycles = self._cycles(low, setup)
        self.idle = self._still(upright, "idle")
        self.low_idle = self._still(low, "idle")
        self.fall = self._still(upright, "jump loop") or self._still(upright, "fall")
        wanted = {
            "idle": self.idle, "walk": self.cycles, "crouch": self.low_idle or self.low_cycles, "fall": self.fall,
        }  # fmt: skip
        self.missing = tuple(name for name, found in wanted.items() if not found)
        self.used = frozenset(self._used)

    @property
    def rig(self) -> Rig:
        """Whose poses they are."""
        return self._rig

    # ------------------------------------------------------------------ clips
    def _cycles(self, clips: Sequence[Clip], setup: Setup) -> tuple[Cycle, ...]:
        found: dict[float, Cycle] = {}
        for clip in clips:
            speed = _speed(self._rig, clip, setup)
            if speed > 0.0 and round(speed, 2) not in found:
                found[round(speed, 2)] = self._cycle(clip, speed, phased=True)
        return tuple(found[speed] for speed in sorted(found))

    def _still(self, clips: Sequence[Clip], word: str) -> Cycle | None:
        named = [clip for clip in clips if word in clip.name.lower() and clip.length > 0.0]
        return self._cycle(min(named, key=lambda clip: len(clip.name)), 0.0) if named else None

    def _cycle(self, clip: Clip, speed: float, phased: bool = False) -> Cycle:
        evaluator = ClipEvaluator(self._rig, clip)
        self._used.add(clip.id)
        batch = evaluator.sample_many(np.arange(ROWS) * clip.length / ROWS, wrap=False)
        local = root_motion.without_root(evaluator, batch.local)
        contacts = np.stack([batch.curves.get(name, np.ones(ROWS)) for name in CONTACTS], axis=1)
        if phased and self._feet is not None:
            places = kinematics.to_model(self._rig.skeleton, local).translation[:, list(self._feet), 2]
            begin = int(np.argmax(places[:, 0] - places[:, 1]))
            local = Transform(*(np.roll(part, -begin, axis=0) for part in local))
            contacts = np.roll(contacts, -begin, axis=0)
        return Cycle(clip.name, speed, clip.length, local, contacts)

    # ------------------------------------------------------------------ steps
    def start(self, place: tuple[float, float, float] = (0.0, 0.0, 0.0), yaw: float = 0.0) -> Plain:
        """It stands at a place."""
        return Plain(controller.start(self.setup, self.terrain, place, yaw))

    def step(self, state: Plain, given: Input) -> Plain:
        """The state 1/60 s later."""
        control = controller.step(self.setup, self.terrain, state.control, given)
        cycles = self._line(state.crouching)
        slowest = cycles[0].speed if cycles else 1.0
        moving = clamp(control.speed / (0.7 * slowest), 0.0, 1.0)
        rate = 0.0
        if cycles and control.speed > 0.01:
            low, high, share = _between(cycles, control.speed)
            stride = low.speed * low.length * (1.0 - share) + high.speed * high.length * share
            sense = -1.0 if abs(control.direction) > 90.0 else 1.0
            rate = sense * min(control.speed / stride, 4.0)
        return replace(
            state,
            control=control,
            phase=state.phase + rate * H,
            moving=damp(state.moving, moving, H, BLEND),
            crouching=damp(state.crouching, float(control.crouching), H, BLEND),
            falling=damp(state.falling, float(control.in_air), H, BLEND),
        )

    def control(self, state: Plain) -> State:
        """The controller's part."""
        return state.control

    def pose(self, state: Plain) -> Pose:
        """The clips of a state, mixed."""
        parts: list[tuple[Transform, FloatArray, float]] = []
        ground = 1.0 - state.falling if self.fall is not None else 1.0
        low = state.crouching if self.low_idle is not None or self.low_cycles else 0.0
        for share, idle, cycles in (
            (ground * (1.0 - low), self.idle, self.cycles),
            (ground * low, self.low_idle, self.low_cycles),
        ):
            moving = state.moving if cycles and idle is not None else float(bool(cycles))
            if share * moving > 1e-4:
                first, second, mixed = _between(cycles, state.control.speed)
                parts.append(
                    (first.at(state.phase), first.touching(state.phase), share * moving * (1.0 - mixed))
                )
                if mixed > 0.0:
                    parts.append(
                        (second.at(state.phase), second.touching(state.phase), share * moving * mixed)
                    )
            if idle is not None and share * (1.0 - moving) > 1e-4:
                phase = state.control.time / idle.length
                parts.append((idle.at(phase), idle.touching(phase), share * (1.0 - moving)))
        if self.fall is not None and state.falling > 1e-4:
            parts.append((self.fall.at(state.control.time / self.fall.length), np.zeros(2), state.falling))
        if not parts:
            return rest_pose(self._rig)
        weights = np.array([weight for _, _, weight in parts])
        weights /= weights.sum()
        touching = weights @ np.stack([contact for _, contact, _ in parts])
        if state.control.in_air:
            touching = np.zeros(2)
        local = weighted([part for part, _, _ in parts], weights)
        curves = dict(zip(CONTACTS, touching.tolist(), strict=True))
        return Pose(self._rig.id, *local, curves=curves)

    def _line(self, crouching: float) -> tuple[Cycle, ...]:
        return self.low_cycles if crouching > 0.5 and self.low_cycles else self.cycles


def _between(cycles: Sequence[Cycle], speed: float) -> tuple[Cycle, Cycle, float]:
    """The two cycles about a speed and the share of the second."""
    for low, high in itertools.pairwise(cycles):
        if speed < high.speed:
            return low, high, clamp((speed - low.speed) / (high.speed - low.speed), 0.0, 1.0)
    return cycles[-1], cycles[-1], 0.0


def _speed(rig: Rig, clip: Clip, setup: Setup) -> float:
    """m/s of a cycle that goes straight ahead; 0 where it is none."""
    if not clip.looping or clip.length <= 0.0:
        return 0.0
    found = travel(rig, clip)
    if found.ahead > CREEPS and abs(found.right) < AHEAD * found.ahead and abs(found.turn) < 10.0:
        return found.ahead
    if found.speed > CREEPS or abs(found.turn) >= 10.0:
        return 0.0
    word = clip.name.lower().strip()
    named = {
        "walk": setup.walk, "walking": setup.walk, "run": setup.run, "running": setup.run, "sprint": setup.sprint
    }  # fmt: skip
    return named.get(word, 0.0)


def _feet(rig: Rig) -> tuple[int, int] | None:
    """The bones at the ends of the left and the right leg."""
    legs = [leg for leg in find_roles(rig.skeleton).legs() if leg.end is not None]
    if len(legs) != 2:
        return None
    return rig.skeleton.index(str(legs[0].end)), rig.skeleton.index(str(legs[1].end))
