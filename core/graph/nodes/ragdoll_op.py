"""Bodies that fall from what a graph shows, or are pulled towards the pose that comes in (spec: ragdoll)."""

import logging
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from core.arrays import FloatArray
from core.errors import UnsupportedError, ValidationError
from core.graph import kept
from core.graph.grounds import whole_ground
from core.graph.nodes.bodies import Bodies, stands_below, warn_once
from core.graph.nodes.get_up import GetUpOp
from core.graph.op import OpPlace, PoseOp, Run
from core.graph.output import Output
from core.math import quat, transform
from core.math.transform import Transform
from core.physics.drive import Drive
from core.physics.get_up import GetUp
from core.physics.packing import Packing
from core.physics.placing import between, told_from
from core.physics.powered import Aim, towards
from core.physics.ragdoll import PICTURE, Ragdoll, RagdollState
from core.physics.start import Posture
from core.terrain.terrain import Terrain, flat_terrain

log = logging.getLogger(__name__)

FLAT = flat_terrain()
"""What a body falls on where only points of the ground are known: a level plane, put where the ground is below it."""
KEPT_DOLLS, KEPT_STATES = 4, 64
STRONGEST = 60.0
"""Hz of a spring at most: a quarter of the steps of the engine."""

SECONDS, AT_REST, SPEED, FACING, BASE, AHEAD, LAST_STEP = range(7)
PLACE, PLACE_BEFORE, BODY = 7, 14, 21
"""Places of its floats: seconds since the start; what expressions read; height of the level ground; seconds that the
bodies are ahead of the graph; seconds of the last step; where the incoming poses stood; the bodies' own."""
RUNNING, LEVEL, COUNT, OWN = range(4)
"""Places of its ints: whether it falls; whether on level ground; how many incoming poses are known; the bodies' own."""
INCOMING, INCOMING_BEFORE, START = range(3)
"""Places of its poses: the incoming ones of the last two steps; the local transforms of the start."""


@dataclass(frozen=True, slots=True)
class Pull:
    """How some bones are pulled and mixed in.

    Parameters
    ----------
    strength, blend : registers
    bones : ``(B,)`` shares of the bones that it is about
    """

    strength: int
    blend: int
    bones: FloatArray


@dataclass(frozen=True, slots=True)
class RagdollPins:
    """Registers of the pins, all bones' pull first; whether anything may pull; and how the character moves."""

    active: int
    frequency: int
    root_strength: int
    gravity: int
    pulls: tuple[Pull, ...]
    powered: bool
    moves: str


class RagdollOp(PoseOp):
    """Lets the bodies of a rig fall while its pin ``active`` is true; else its pose passes through.

    It begins from the last two results of the graph, so that nothing jumps wherever the node is. All that lasts is in
    the state; dolls and unpacked states are kept beside it to save time only.
    """

    POSES = 3
    POSE = None
    simulates = True
    VALUES = {"ragdoll_at_rest": AT_REST, "ragdoll_speed": SPEED, "ragdoll_facing": FACING}

    def __init__(self, where: OpPlace, inputs: Sequence[int], bodies: Bodies, pins: RagdollPins) -> None:
        super().__init__(where, inputs)
        self.bodies, self.pins = bodies, pins
        self.packing = Packing.of(bodies.rig, bodies.plan)
        axes = self.packing.axes
        self._position = BODY + self.packing.floats
        """Place of the position a step of the bodies ago, which lies between two steps of the graph."""
        self.FLOATS = self._position + 7 + axes
        self.INTS = OWN + self.packing.ints
        self._dolls: list[Ragdoll] = []
        self._states: dict[bytes, RagdollState] = {}
        self._rising: list[GetUp] | None = None

    # ---------------------------------------------------------------- the step
    def restart(self, run: Run) -> None:
        """Forget everything."""
        run.ints[self.place.ints : self.place.ints + self.INTS] = 0
        run.floats[self.place.floats : self.place.floats + self.FLOATS] = 0.0

    def pose(self, run: Run) -> Output:
        """The bodies' pose, mixed with the incoming one; what does not simulate passes the incoming one on."""
        base = run.output(self.inputs[0])
        if not run.was_relevant[self.number]:
            self.restart(run)
        made = base
        if run.value(self.pins.active) != 0.0:
            try:
                made = self._simulated(run, base)
                self._prepare(run)
            except (UnsupportedError, ValidationError) as error:
                warn_once(log, str(error))
                run.flagged.add(self.node)
                run.ints[self.place.ints] = 0
        else:
            at = self.place.floats
            run.ints[self.place.ints] = 0
            run.floats[at : at + BASE] = 0.0
        self._note(run, base)
        return made

    def _prepare(self, run: Run) -> None:
        """Let what gets up get ready, a little a step, so that getting up does not take long when it begins."""
        if self._rising is None:
            self._rising = [op.rising for op in run.ops if isinstance(op, GetUpOp)]
        self._rising = [rising for rising in self._rising if not rising.prepare()]

    def _note(self, run: Run, base: Output) -> None:
        """Keep the incoming pose and where it stands, for the speeds of a drive."""
        if run.dt <= 0.0 or not self.pins.powered:
            return
        at, poses, count = self.place.floats, self.place.poses, self.place.ints + COUNT
        kept.copy(run, poses + INCOMING, poses + INCOMING_BEFORE)
        run.floats[at + PLACE_BEFORE : at + BODY] = run.floats[at + PLACE : at + PLACE_BEFORE]
        kept.store(run, poses + INCOMING, base)
        stands = _stands(run, base)
        run.floats[at + PLACE : at + PLACE_BEFORE] = (*stands.translation, *stands.rotation)
        run.floats[at + LAST_STEP] = run.dt
        run.ints[count] = min(int(run.ints[count]) + 1, 2)

    def _simulated(self, run: Run, base: Output) -> Output:
        f, i = self.place.floats, self.place.ints
        if run.ints[i + RUNNING] == 0:
            doll, state = self._begun(run, base)
            earlier = state.position
        else:
            doll = self._doll(FLAT if run.ints[i + LEVEL] else whole_ground(run.ground) or FLAT)
            state = self._state(run)
            earlier = run.floats[f + self._position : f + self.FLOATS].copy()
        lift = float(run.floats[f + BASE])
        left = self.span(run) - float(run.floats[f + AHEAD])
        count = max(math.ceil(left / PICTURE - 1e-6), 0)
        for number in range(count):
            earlier = state.position
            # of the beginning of this step of the bodies, seconds before the end of the graph's
            moment = -left + number * PICTURE
            drive = self._drive(run, doll, state, base, moment, lift)
            state = doll.step(state, drive, gravity=min(max(run.value(self.pins.gravity), 0.0), 10.0))
        ahead = max(count * PICTURE - left, 0.0)
        run.floats[f + AHEAD] = ahead if ahead > 1e-9 else 0.0
        self._keep(run, state, earlier)
        return self._shown(run, base, doll, state, earlier)

    def _begun(self, run: Run, base: Output) -> tuple[Ragdoll, RagdollState]:
        """The start, from what the graph showed last; from the incoming pose where it has shown nothing."""
        f, i = self.place.floats, self.place.ints
        history = run.ops[-1].history(run)
        if history is None:
            stands = _stands(run, base)
            postures, seconds = (Posture(base.local, stands), Posture(base.local, stands)), PICTURE
        else:
            before = Posture(history.local_before, history.place_before)
            postures = (before, Posture(history.local, history.place))
            seconds = history.seconds if history.seconds > 0.0 else PICTURE
        terrain = whole_ground(run.ground)
        lift = 0.0
        if terrain is None:
            lift = _level(run, self.bodies.pelvis(postures[1]))
        run.ints[i + RUNNING], run.ints[i + LEVEL] = 1, int(terrain is None)
        run.floats[f : f + PLACE - 1] = 0.0
        run.floats[f + BASE] = lift
        doll = self._doll(terrain or FLAT)
        first, second = (replace_height(posture, -lift) for posture in postures)
        state = doll.start(first, second, seconds)
        local = Output(state.start.local, base.curves, base.present)
        kept.store(run, self.place.poses + START, local)
        return doll, state

    # ---------------------------------------------------------------- what pulls the bodies
    def _drive(
        self, run: Run, doll: Ragdoll, state: RagdollState, base: Output, moment: float, lift: float
    ) -> Drive | None:
        """What pulls towards the incoming pose at the beginning of a step of the bodies; None lets them fall.

        Parameters
        ----------
        moment : seconds before the end of the graph's step, below 0
        """
        if not self.pins.powered:
            return None
        strengths = self._shares(run, "strength")
        root = min(max(run.value(self.pins.root_strength), 0.0), 1.0)
        bones = [run.rig.skeleton.index(bone) for bone in doll.plan.bones]
        if root <= 0.0 and not (strengths[bones] > 0.0).any():
            return None
        samples = self._samples(run, base)
        postures = [
            replace_height(_at(samples, moment + k * PICTURE), -lift) for k in (-1, 0, 1)
        ]  # before, at, after
        named = {bone: float(strengths[number]) for bone, number in zip(doll.plan.bones, bones, strict=True)}
        frequency = min(max(run.value(self.pins.frequency), 0.0), STRONGEST)
        aim = Aim(named, frequency, root)
        return towards(doll, state, (postures[0], postures[1], postures[2]), aim, PICTURE)

    def _samples(self, run: Run, base: Output) -> list[tuple[float, Posture]]:
        """The incoming poses of this step and the last two, with seconds before the end of this one, oldest first."""
        f, poses = self.place.floats, self.place.poses
        found = [(0.0, Posture(base.local, _stands(run, base)))]
        places = (
            (INCOMING, PLACE, run.dt),
            (INCOMING_BEFORE, PLACE_BEFORE, float(run.floats[f + LAST_STEP])),
        )
        time = 0.0
        for pose, place, seconds in places[: int(run.ints[self.place.ints + COUNT])]:
            time -= seconds
            numbers = run.floats[f + place : f + place + 7].copy()
            stands = Transform(numbers[:3], numbers[3:], np.ones(3))
            found.insert(0, (time, Posture(kept.stored(run, poses + pose).local, stands)))
        return found

    def _shares(self, run: Run, what: str) -> FloatArray:
        """Strength or blend ``(B,)`` of every bone: that of all, with the groups' over it in their order."""
        first, *groups = self.pins.pulls
        values = np.full(len(run.rig.skeleton), _share(run.value(getattr(first, what))))
        for pull in groups:
            values = values + pull.bones * (_share(run.value(getattr(pull, what))) - values)
        return values

    # ---------------------------------------------------------------- what is shown
    def _shown(
        self, run: Run, base: Output, doll: Ragdoll, state: RagdollState, earlier: FloatArray
    ) -> Output:
        f = self.place.floats
        lift, moves = float(run.floats[f + BASE]), self.pins.moves
        share = 1.0 - float(run.floats[f + AHEAD]) / PICTURE
        if moves == "body":
            stands = self._below(run, state, lift)
            motion = transform.compose(transform.inverse(run.character), stands)
            motion = Transform(motion.translation, quat.normalise(motion.rotation), np.ones(3))
        else:
            motion = base.motion if moves == "incoming" else transform.IDENTITY
            stands = transform.compose(run.character, motion)
        place = _lifted(stands, -lift)
        local = doll.local(state, place)
        if share < 1.0:
            local = between(doll.local(replace(state, position=earlier), place), local, share)
        run.floats[f + SECONDS] += self.span(run)
        run.floats[f + AT_REST] = float(state.at_rest)
        run.floats[f + SPEED] = float(np.linalg.norm(state.velocity[:3]))
        run.floats[f + FACING] = self.bodies.bearing.lies_in(run.rig.skeleton, local)
        blend = self._shares(run, "blend")
        if (blend < 1.0).any():
            incoming = told_from(run.rig.skeleton, base.local, _stands(run, base), stands)
            local = between(incoming, local, blend[:, None])
        return Output(local, base.curves, base.present, motion)

    def _below(self, run: Run, state: RagdollState, lift: float) -> Transform:
        """Where the character stands that follows its body: on the ground below the pelvis, facing as that does."""
        place, turn = state.position[:3], state.position[[4, 5, 6, 3]]
        terrain = None if run.ints[self.place.ints + LEVEL] else whole_ground(run.ground)
        return stands_below(run, self.bodies.bearing, (place + [0.0, lift, 0.0], turn), terrain, lift)

    # ---------------------------------------------------------------- what lasts
    def _doll(self, terrain: Terrain) -> Ragdoll:
        for doll in self._dolls:
            if doll.terrain is terrain:
                return doll
        doll = Ragdoll(self.bodies.rig, self.bodies.plan, terrain)
        self._dolls = [*self._dolls[1 - KEPT_DOLLS :], doll]
        return doll

    def _keep(self, run: Run, state: RagdollState, earlier: FloatArray) -> None:
        f, i = self.place.floats, self.place.ints
        floats, whole = self.packing.pack(state)
        run.floats[f + BODY : f + self._position] = floats
        run.floats[f + self._position : f + self.FLOATS] = earlier
        run.ints[i + OWN : i + self.INTS] = whole
        if len(self._states) >= KEPT_STATES:
            self._states.pop(next(iter(self._states)))
        self._states[self._key(run)] = state

    def _key(self, run: Run) -> bytes:
        f, i = self.place.floats, self.place.ints
        start = run.poses[self.place.poses + START, : 10 * len(run.rig.skeleton)]
        numbers = run.floats[f + BODY : f + self._position]
        return numbers.tobytes() + run.ints[i + OWN : i + self.INTS].tobytes() + start.tobytes()

    def _state(self, run: Run) -> RagdollState:
        """The bodies' state as it is kept; unpacked where it is not the one of a step just taken."""
        found = self._states.pop(self._key(run), None)
        if found is not None:
            return found
        f, i = self.place.floats, self.place.ints
        local = kept.stored(run, self.place.poses + START).local
        return self.packing.unpack(
            run.floats[f + BODY : f + self._position], run.ints[i + OWN : i + self.INTS], local
        )


# -------------------------------------------------------------------- helpers
def _share(value: float) -> float:
    return min(max(value, 0.0), 1.0)


def _stands(run: Run, base: Output) -> Transform:
    """Where the character stands with the incoming pose of this step."""
    stands = transform.compose(run.character, base.motion)
    return Transform(stands.translation, quat.normalise(stands.rotation), np.ones(3))


def _lifted(place: Transform, height: float) -> Transform:
    return Transform(place.translation + [0.0, height, 0.0], place.rotation, place.scale)


def replace_height(posture: Posture, height: float) -> Posture:
    """A posture raised by some metres."""
    return Posture(posture.local, _lifted(posture.placement, height)) if height else posture


def _level(run: Run, pelvis: FloatArray) -> float:
    """Height in the world of the ground below a pelvis ``(3,)``, where only points of it can be asked."""
    height = float(run.character.translation[1])
    if run.ground is None:
        return height
    own = transform.apply(transform.inverse(run.character), pelvis)
    asked = float(run.ground(own)[0])
    return height + asked if math.isfinite(asked) else height


def _at(samples: list[tuple[float, Posture]], time: float) -> Posture:
    """The posture at a time; held before the first and after the last."""
    for (first, one), (second, other) in pairwise(samples):
        if time <= second + 1e-9 and second > first:
            share = min(max((time - first) / (second - first), 0.0), 1.0)
            if share < 1e-6:
                return one
            if share > 1.0 - 1e-6:
                return other
            return Posture(
                between(one.local, other.local, share), between(one.placement, other.placement, share)
            )
    return samples[-1][1]
