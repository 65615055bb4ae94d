"""A ragdoll: bodies of a plan that fall from a shown pose, as pure steps over frozen states (spec: ragdoll).

::

    ragdoll = Ragdoll(rig, plan, terrain)
    state = ragdoll.start(before, now, 1 / 60)        # two postures, the seconds between them
    state = ragdoll.step(state)                       # 1/60 s later
    local = ragdoll.local(state, placement)           # local transforms of all bones

States are frozen: keep any, step on from it again, in this or another process, and get the same bytes. A
ragdoll is used by one thread at a time; `fork` makes another for a thread of its own.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from core.arrays import FloatArray, IntArray
from core.errors import ValidationError
from core.math import quat
from core.math.transform import Transform, compose, down_chain, inverse
from core.physics import start as starting
from core.physics.drive import Drive
from core.physics.engine import World
from core.physics.ground import ground_of
from core.physics.model import STEP, model_text, order_of
from core.physics.mounts import COASTING, Mounts
from core.physics.start import Frames, Posture, Start
from core.rig.body_plan import BodyPlan, parents_of
from core.rig.rig import Rig
from core.terrain.terrain import Terrain

log = logging.getLogger(__name__)

PICTURE = 1.0 / 60.0
"""Seconds of a step of a state."""
INNER = 4
"""Steps of the engine in one."""
CLOSING = 0.5
"""Seconds over which widened ranges, and what lay in the ground, come back to what is allowed."""
STILL = 0.5
"""Joules of motion, of a person, below which a ragdoll counts as still."""
REST = 0.25
"""Seconds of stillness after which it is at rest."""
SETTLING, DAMPED, HELD = 0.5, 20.0, 40.0
"""Seconds over which a body at rest stiffens, to how many times the damping and to which friction (N·m, of a person):
limbs would creep for long."""
ASLEEP, FAINT = 1.5, 0.1
"""Seconds of stillness, and joules of a person, from and below which nothing moves until it is pushed."""
TERMINAL = 40.0
"""m/s of falling beyond which gravity is off."""
FASTEST = 100.0
"""Radians a second that an axis turns at most: beyond, steps are too long for what it carries."""
GENTLE_STEPS, GENTLE = 8, 2.0
"""First steps in which the root's speed stays below that before, or below this (m/s)."""


@dataclass(frozen=True, slots=True)
class Push:
    """A blow in one step.

    Parameters
    ----------
    bone : name of the bone that is hit; the body it rides on is pushed
    impulse : N·s in the world
    point : metres in the world; None is the middle of the body's capsule
    """

    bone: str
    impulse: tuple[float, float, float]
    point: tuple[float, float, float] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Slack:
    """Radians ``(axes,)``, 0 or more, by which ranges are wider below and above, and since which step.

    They close over half a second, so that an angle that a clip brought beyond its range comes back gently.
    """

    low: FloatArray
    high: FloatArray
    since: int

    def left(self, steps: float) -> tuple[FloatArray, FloatArray]:
        """What of it is left at a number of steps."""
        share = min(max(0.0, 1.0 - (steps - self.since) * PICTURE / CLOSING), 1.0)
        return share * self.low, share * self.high

    def holding(self, low: FloatArray, high: FloatArray, steps: int) -> "Slack":
        """What is left by now, and no less than given."""
        old_low, old_high = self.left(steps)
        return Slack(np.maximum(old_low, low), np.maximum(old_high, high), steps)


@dataclass(frozen=True, slots=True, eq=False)
class RagdollState:
    """A ragdoll between two steps.

    Parameters
    ----------
    start : what stays as it was at the beginning
    numbers : all numbers that the engine's next step depends on
    ignored : pairs ``(k, 2)`` of bodies that have overlapped since the start
    steps : steps of 1/60 s since then
    still : seconds it has been still
    kinetic : joules of motion
    ended : the engine could not go on; the last good pose is kept
    mounts : each body on the one above it at angles of 0
    slack : how much wider the ranges are
    coasts : whether what no axis can do still goes on as it moved
    position, velocity : of the engine: root (7, w first) and radians; root (6) and radians a second
    """

    start: Start
    numbers: FloatArray
    ignored: IntArray
    steps: int
    still: float
    kinetic: float
    ended: bool
    mounts: Mounts
    slack: Slack
    coasts: bool
    position: FloatArray = field(repr=False)
    velocity: FloatArray = field(repr=False)

    @property
    def at_rest(self) -> bool:
        """Whether it has been still for a while, or has ended."""
        return self.ended or self.still >= REST

    @property
    def seconds(self) -> float:
        """Since the start."""
        return self.steps * PICTURE

    def to_bytes(self) -> bytes:
        """Every number in order, to compare two runs by."""
        told = [self.steps, self.still, self.kinetic, self.ended, self.slack.since, self.coasts]
        parts = (
            self.numbers,
            self.ignored,
            np.array(told, dtype=np.float64),
            self.slack.low,
            self.slack.high,
        )
        numbers = b"".join(part.tobytes() for part in parts)
        return self.start.to_bytes() + self.mounts.to_bytes() + numbers


class Ragdoll:
    """A rig's bodies on a terrain.

    Parameters
    ----------
    plan : its bodies, such as `core.rig.propose_bodies.propose_bodies` gives

    Raises
    ------
    UnsupportedError
        The engine is not there; the message says what to install.
    ValidationError, MissingReferenceError
        The plan does not fit the rig.
    """

    def __init__(self, rig: Rig, plan: BodyPlan, terrain: Terrain) -> None:
        order = order_of(parents_of(plan, rig.skeleton))
        self.rig, self.terrain = rig, terrain
        self.plan = BodyPlan(tuple(plan.bodies[k] for k in order), plan.ignored)
        self.frames = Frames.of(self.plan, rig.skeleton)
        ground = ground_of(terrain)
        self._text, self._heights = model_text(self.plan, self.frames.parents, ground), ground.heights
        self.world = World(self._text, self._heights)
        self._low, self._high = starting.ranges_of(self.frames)
        numbers = {bone: number for number, bone in enumerate(self.plan.bones)}
        self._never = np.array([[numbers[a], numbers[b]] for a, b in self.plan.ignored], dtype=np.int32)
        self._never = self._never.reshape(-1, 2)
        self.size = self.frames.size
        # energies of characters of one shape go with mass × height
        self._energy = self.size**4
        self._still = STILL * self._energy
        self._friction = HELD * self._energy
        self._loaded: tuple[Start, IntArray] | None = None
        self._mounted: Mounts | None = None

    def fork(self) -> "Ragdoll":
        """The same with memory of its own: states of one step on in the other to the same bytes."""
        other = object.__new__(Ragdoll)
        other.__dict__.update(self.__dict__)
        other.world, other._loaded, other._mounted = World(self._text, self._heights), None, None
        return other

    # ------------------------------------------------------------ the start
    def start(self, before: Posture, now: Posture, seconds: float = PICTURE) -> RagdollState:
        """Begin from a shown posture with the speeds that led to it.

        Parameters
        ----------
        before, now : two postures, `seconds` apart

        Raises
        ------
        ValidationError
            A posture is not finite, or the time between them is not above 0.
        """
        if not seconds > 0.0 or not all(
            np.isfinite(p).all() for posture in (before, now) for p in posture.local
        ):
            raise ValidationError("ragdoll: expected two finite postures and a time above 0 s between them")
        frames, skeleton = self.frames, self.rig.skeleton
        first, second = starting.world_of(skeleton, before), starting.world_of(skeleton, now)
        root = int(frames.bones[0])
        mounts, angles = starting.frames_on(frames, second, now.local)
        position = np.concatenate((starting.root_position(second, root), angles))
        earlier = np.concatenate((starting.root_position(first, root), angles))
        rates, left = starting.speeds_of(frames, mounts, angles, (first, second), seconds)
        velocity = self.world.between(earlier, position, seconds)
        velocity[6:] = np.clip(rates, -FASTEST, FASTEST)
        if float(np.linalg.norm(velocity[:3])) > TERMINAL * np.sqrt(self.size):
            # it was put elsewhere, or its clip began again
            velocity[:], left = 0.0, np.zeros_like(left)
            before = now
        above = np.array([skeleton.parent(int(bone)) for bone in frames.links.carried], dtype=np.intp)
        scales = second.scale[above]
        coast = starting.coast_of(frames, before.local, now.local, seconds, left, scales)
        low, high = starting.widening(frames, angles)
        none = np.zeros((0, 2), dtype=np.int32)
        begun = Start(
            mounts, scales, coast, low, high, now.local, starting.loose_on(frames, second),
            none, np.zeros(len(frames.bones)), float(np.linalg.norm(velocity[:3])),
        )  # fmt: skip
        self._load(begun, none)
        self._mount(begun.mounts)
        self._close(Slack(low, high, 0), begun.margins, 0)
        self.world.place(position, velocity)
        self.world.forward()
        begun = replace(begun, ignored=self._overlapping(), margins=self._sunken())
        kinetic = self.world.energy()[1]
        self.world.place(position, velocity)
        numbers, position, velocity = self._numbers()
        return RagdollState(
            begun, numbers, begun.ignored, 0, 0.0, kinetic, False, mounts, Slack(low, high, 0), True, position,
            velocity,
        )  # fmt: skip

    def _overlapping(self) -> IntArray:
        """Pairs of bodies that collide and overlap now."""
        pairs = {
            (min(c.first, c.second), max(c.first, c.second))
            for c in self.world.contacts()
            if c.distance < 0.0
        }
        found = sorted(pair for pair in pairs if pair[0] >= 0)
        return np.array(found, dtype=np.int32).reshape(-1, 2)

    def _sunken(self) -> FloatArray:
        """Metres (0 or less) by which each body is in the ground now."""
        depth = np.zeros(len(self.plan))
        for contact in self.world.contacts():
            if min(contact.first, contact.second) < 0:
                body = max(contact.first, contact.second)
                depth[body] = min(depth[body], contact.distance)
        return depth

    # ------------------------------------------------------------ stepping
    def step(
        self,
        state: RagdollState,
        drive: Drive | None = None,
        pushes: Sequence[Push] = (),
        gravity: float = 1.0,
    ) -> RagdollState:
        """The state 1/60 s later.

        A state that is not finite any more ends the ragdoll: the last good pose stays.

        Parameters
        ----------
        drive : what pulls it towards a clip's pose; None lets it fall
        pushes : blows in this step
        gravity : as a multiple of the earth's
        """
        if state.ended:
            return state
        if drive is None and not pushes and self.asleep(state):
            return replace(state, steps=state.steps + 1, still=state.still + PICTURE)
        world, ignored, slack = self.world, state.ignored, state.slack
        mounts = self._next_mounts(state, drive)
        course = None if drive is None else drive.course
        if course is not None:
            slack = slack.holding(course.low, course.high, state.steps)
            ignored = _united(ignored, course.ignored)
        self._load(state.start, ignored)
        self._mount(state.mounts)
        world.restore(state.numbers)
        self._close(slack, state.start.margins, state.steps)
        settled = min(max((state.still - REST) / SETTLING, 0.0), 1.0)
        world.set_stiffness(1.0 + settled * (DAMPED - 1.0), settled * self._friction)
        world.set_gravity(gravity if float(state.velocity[1]) > -TERMINAL else 0.0)
        if pushes:
            world.kinematics()
            for push in pushes:
                self._push(push)
        good = self._inner(state, drive, mounts)
        if pushes:
            world.clear_pushes()
        world.set_forces()
        if not good:
            log.warning("ragdoll of %r: the simulation was no longer finite and ended", self.rig.name)
            return replace(state, ended=True)
        world.limit_turning(FASTEST)
        kinetic = world.kinetic()
        still = state.still + PICTURE if kinetic < self._still and drive is None else 0.0
        if len(ignored):
            world.kinematics()
            kept = [k for k, (a, b) in enumerate(ignored.tolist()) if world.apart(a, b) < 0.0]
            ignored = ignored if len(kept) == len(ignored) else ignored[kept]
        numbers, position, velocity = self._numbers()
        steps = state.steps + 1
        coasts = state.coasts and course is None and steps * PICTURE < COASTING
        return RagdollState(
            state.start,
            numbers,
            ignored,
            steps,
            still,
            kinetic,
            False,
            mounts,
            slack,
            coasts,
            position,
            velocity,
        )

    def _next_mounts(self, state: RagdollState, drive: Drive | None) -> Mounts:
        """The mounts at the end of a step; the state's own where nothing moves them."""
        if drive is not None:
            return state.mounts if drive.course is None else drive.course.mounts
        if state.coasts:
            return state.start.mounts_at(self.frames, (state.steps + 1) * PICTURE)
        return state.mounts

    def asleep(self, state: RagdollState) -> bool:
        """Whether it lies so still that it stays as it is until it is pushed or driven."""
        return state.still >= ASLEEP and state.kinetic < FAINT * self._energy

    def _inner(self, state: RagdollState, drive: Drive | None, mounts: Mounts) -> bool:
        """The engine's steps of one of ours; False where the state is not finite."""
        world, first = self.world, state.steps < GENTLE_STEPS
        moving = mounts is not state.mounts
        if drive is None and not first and not moving:
            return world.step(INNER)
        limit = max(GENTLE, state.start.speed)
        for inner in range(INNER):
            if moving:
                last = inner == INNER - 1
                self._mount(mounts if last else state.mounts.towards(mounts, (inner + 1) / INNER))
            if drive is not None:
                drive.apply(world, inner * STEP)
            if not world.step():
                return False
            if drive is not None:
                drive.hold(world, (inner + 1) * STEP)
            elif first:
                self._slowed(limit)
        return True

    def _slowed(self, limit: float) -> None:
        """Hold the root's speed below a limit: what the start pushed apart must not throw the body."""
        position, velocity = self.world.position, self.world.velocity
        speed = float(np.linalg.norm(velocity[:3]))
        falling = max(limit, -float(velocity[1]))
        if speed > falling:
            velocity[:3] *= falling / speed
            self.world.set_root_motion(position[:7], velocity[:6])

    def _push(self, push: Push) -> None:
        body = int(self.frames.riding[self.rig.skeleton.index(push.bone)])
        if body < 0:
            raise ValidationError(f"push: bone {push.bone!r} rides on no body of the ragdoll")
        if push.point is None:
            places, turns = self.world.frames()
            capsule = self.plan.bodies[body].capsule
            middle = 0.5 * (np.array(capsule.start) + np.array(capsule.end))
            point = places[body] + quat.rotate(turns[body], middle)
        else:
            point = np.array(push.point)
        self.world.set_pushes(body, np.array(push.impulse) / PICTURE, point)

    def _load(self, start: Start, ignored: IntArray) -> None:
        """Set the world to a fall."""
        loaded = self._loaded
        if loaded is None or loaded[0] is not start:
            self.world.set_frames(start.mounts.places, start.mounts.turns)
            self._mounted = start.mounts
        if loaded is None or loaded[1] is not ignored:
            self.world.set_ignored(np.concatenate((self._never, ignored)))
        self._loaded = (start, ignored)

    def _mount(self, mounts: Mounts) -> None:
        """Put each body on the one above it."""
        if self._mounted is not mounts:
            self.world.move_frames(mounts.places, mounts.turns)
            self._mounted = mounts

    def _close(self, slack: Slack, margins: FloatArray, steps: int) -> None:
        """Ranges and margins at a step."""
        low, high = slack.left(steps)
        self.world.set_ranges(self._low - low, self._high + high)
        self.world.set_margins(max(0.0, 1.0 - steps * PICTURE / CLOSING) * margins)

    def _numbers(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """All numbers of the engine's state, position and velocity; read-only."""
        numbers, position, velocity = self.world.state(), self.world.position, self.world.velocity
        for array in (numbers, position, velocity):
            array.setflags(write=False)
        return numbers, position, velocity

    def within(self, angles: FloatArray) -> FloatArray:
        """Angles ``(axes,)`` in radians brought into their ranges."""
        return np.clip(angles, self._low, self._high)

    def beyond(self, state: RagdollState) -> FloatArray:
        """Radians ``(axes,)`` by which angles are outside their ranges, as wide as those are then; 0 or more."""
        wider = state.slack.left(state.steps)
        low, high = self._low - wider[0], self._high + wider[1]
        angles = state.position[7:]
        return np.maximum(np.maximum(low - angles, angles - high), 0.0)

    # ------------------------------------------------------------ the pose
    def bodies(self, state: RagdollState) -> Transform:
        """World transforms ``(n, k)`` of the bodies: their bones' places and turns; scale is 1."""
        mounts, frames = state.mounts, self.frames
        turned = quat.multiply(mounts.turns, self._turns(state))
        count = len(frames.bones)
        places, turns = np.zeros((count, 3)), np.zeros((count, 4))
        places[0], turns[0] = state.position[:3], state.position[[4, 5, 6, 3]]
        for number, above in enumerate(frames.parents):
            if above >= 0:
                places[number] = places[above] + quat.rotate(turns[above], mounts.places[number])
                turns[number] = quat.multiply(turns[above], turned[number])
        return Transform(places, turns, np.ones((count, 3)))

    def local(self, state: RagdollState, placement: Transform, between: Transform | None = None) -> Transform:
        """Local transforms ``(B, k)`` of all bones for a character that stands at `placement`.

        Parameters
        ----------
        between : local transforms of the bones that have no body, such as those of a clip that plays on; None
            keeps them as they were at the start
        """
        frames, start = self.frames, state.start
        base = start.local if between is None else between
        translation, rotation, scale = (np.array(part) for part in base)
        if between is None:
            for part, kept in zip((translation, rotation, scale), state.mounts.between, strict=True):
                part[frames.links.between] = kept
        base = Transform(translation, rotation, scale)
        turned = quat.multiply(state.mounts.turns, self._turns(state))
        places, rides = frames.links.rides(frames.links.rows(base), start.scales)
        bones, back = frames.bones[1:], quat.conjugate(rides[1:])
        scales = start.scales[len(frames.links.between) :]
        translation[bones] = quat.rotate(back, state.mounts.places[1:] - places[1:]) / scales
        rotation[bones] = quat.normalise(quat.multiply(back, turned[1:]))
        root = int(frames.bones[0])
        world = Transform(state.position[:3], state.position[[4, 5, 6, 3]], np.ones(3))
        own = compose(inverse(self._above(base, placement, root)), world)
        translation[root], rotation[root] = own.translation, quat.normalise(own.rotation)
        result = Transform(translation, rotation, base.scale)
        if len(frames.loose):
            bodies = self.bodies(state)
            owners = frames.riding[frames.loose]
            worlds = compose(Transform(*(part[owners] for part in bodies)), state.start.loose)
            for k, bone in enumerate(frames.loose.tolist()):
                loose = Transform(*(np.asarray(part)[k] for part in worlds))
                own = compose(inverse(self._above(result, placement, bone)), loose)
                translation[bone], rotation[bone] = own.translation, quat.normalise(own.rotation)
        return result

    def _turns(self, state: RagdollState) -> FloatArray:
        """What the angles turn each body by, ``(n, 4)``."""
        frames = self.frames
        table = np.zeros((len(frames.bones), 3))
        table[1:][frames.used] = state.position[7:]
        return starting.turned_by(frames.axes, table)

    def _above(self, base: Transform, placement: Transform, bone: int) -> Transform:
        """World transform of what is above a bone, by local transforms."""
        chain = list(self.rig.skeleton.above(bone))
        result = placement
        for parent in reversed(chain):
            result = compose(result, Transform(*(np.asarray(part)[parent] for part in base)))
        return result

    def world_pose(self, state: RagdollState) -> Transform:
        """World transforms ``(B, k)`` of all bones; those above the root body as they were at the start."""
        still = Transform(np.zeros(3), quat.IDENTITY, np.ones(3))
        return down_chain(self.rig.skeleton.parents, self.local(state, still))


def _united(pairs: IntArray, others: IntArray) -> IntArray:
    """Pairs ``(k, 2)`` and others that are not among them."""
    if not len(others):
        return pairs
    found: IntArray = np.unique(np.concatenate((pairs, others)), axis=0).astype(np.int32)
    return pairs if len(found) == len(pairs) else found
