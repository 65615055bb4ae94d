"""Some bones of a clip simulated while all others move as the clip has them.

The bodies of the chosen bones are rigid bodies with joints; what carries them follows the clip exactly. A carrier
is a body with a free joint whose inertia (MuJoCo's armature) is so large that nothing moves it but the force that
gives it the clip's acceleration; the chain therefore feels how it is moved, which a body that is merely put
somewhere else at every step would not tell it. The other bodies of the plan stand in the way as moved obstacles.

Each simulated joint is driven by ``τ = M·(f·a + ω²(q_clip − q) + 2ζω(v_clip − v)) + f·bias``: `follow` is the share f
of the forces that make the clip's own motion (with all of them it comes out as it is), `stiffness` and `damping` the
spring towards it. With ``M`` the mass matrix the spring has one frequency, whatever hangs on the joint.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.arrays import FloatArray
from core.errors import AnimError, ValidationError
from core.math import quat
from core.math.transform import Transform
from core.physics.clip_motion import ClipMotion, Sampler, with_parts
from core.physics.parts import Scene
from core.physics.stepper import Moment, Stepper
from core.progress import Progress, nothing
from core.rig.body_angles import angles_of, turn_of
from core.rig.rig import Rig
from core.timing import FrameRate

STEPS_PER_SECOND = 480.0
BLOCK = 256
"""Steps whose poses are sampled together."""
STIFFEST = 20.0
"""Hz: beyond, a step is too long for the spring."""


@dataclass(frozen=True, slots=True)
class SimulationSetup:
    """What is simulated, and how.

    Parameters
    ----------
    start, end : seconds of the clip
    follow : 0..1, share of the forces that make the clip's own motion; at 1 it comes out as it is unless something
        is in the way
    stiffness : Hz of the spring towards the clip's pose, 0 to 20; 0 is none
    damping : of that spring, 1 returns without swinging
    gravity : times 9.81 m/s²
    ground : height of a level ground in metres, or None for none
    collide : whether simulated bodies collide with the others of the plan
    settle : seconds that are simulated before the range begins: of the clip's end where it loops, else of what
        comes before, and of its first pose standing still
    """

    start: float
    end: float
    follow: float = 0.0
    stiffness: float = 2.0
    damping: float = 0.3
    gravity: float = 1.0
    ground: float | None = None
    collide: bool = True
    settle: float = 0.0

    def __post_init__(self) -> None:
        values = (self.start, self.end, self.follow, self.stiffness, self.damping, self.gravity, self.settle)
        if not np.isfinite(values).all():
            raise ValidationError("simulation: expected finite numbers")
        if not self.end > self.start:
            raise ValidationError(f"simulation: expected an end after {self.start:g} s, got {self.end:g} s")
        if not 0.0 <= self.follow <= 1.0:
            raise ValidationError(f"simulation: expected a share of 0 to 1 to follow, got {self.follow:g}")
        if not 0.0 <= self.stiffness <= STIFFEST:
            raise ValidationError(
                f"simulation: expected a stiffness of 0 to {STIFFEST:g} Hz, got {self.stiffness:g}"
            )
        if self.damping < 0.0 or self.settle < 0.0:
            raise ValidationError("simulation: damping and settling time are 0 or more")


class Simulated(NamedTuple):
    """What came of it.

    Parameters
    ----------
    times : ``(F,)`` seconds of the clip, one a frame, both ends included
    local : local transforms ``(F, B, k)``; only simulated bones differ from the clip
    bones : numbers of the simulated bones, parents first
    free : those among them that also moved through space
    """

    times: FloatArray
    local: Transform
    bones: tuple[int, ...]
    free: tuple[int, ...]


def simulate(
    rig: Rig,
    scene: Scene,
    setup: SimulationSetup,
    sample: Sampler,
    rate: FrameRate,
    loop: float | None = None,
    progress: Progress | None = None,
) -> Simulated:
    """Simulate a range of a clip.

    Parameters
    ----------
    scene : which bodies are simulated and which stand in the way
    rate : of the frames that come out
    loop : length of the clip where it loops, None where it does not

    Raises
    ------
    UnsupportedError
        The physics library is not there.
    ValidationError
        Nothing to simulate.
    AnimError
        The simulation became unstable.
    Cancelled
        From `progress`.
    """
    if not scene.parts:
        raise ValidationError("simulation: expected one body at least; choose bones")
    run = _Run(rig, scene, setup, sample, rate, loop)
    return run.run(progress or nothing())


class _Block(NamedTuple):
    """The clip at some steps, one row each.

    Parameters
    ----------
    model : model transforms ``(K, B, k)``
    angles : ``(K, A)`` radians of all joints, without jumps
    place, turn : ``(K, P, 3)`` and ``(K, P, 4)``, where each part is in the frame of what carries it, its joints at 0
    """

    model: Transform
    angles: FloatArray
    place: FloatArray
    turn: FloatArray


class _Run:
    """One simulation: the clip's motion, the model, and the loop."""

    def __init__(
        self,
        rig: Rig,
        scene: Scene,
        setup: SimulationSetup,
        sample: Sampler,
        rate: FrameRate,
        loop: float | None,
    ) -> None:
        self._scene, self._setup, self._rate = scene, setup, rate
        self._skeleton, self._loop = rig.skeleton, loop
        self._motion = ClipMotion(rig.skeleton, sample, loop)
        first = round(rate.to_frame(setup.start))
        last = max(round(rate.to_frame(setup.end)), first + 1)
        self._frames = np.arange(first, last + 1)
        self._substeps = max(1, round(STEPS_PER_SECOND * rate.to_seconds(1)))
        self._h = rate.to_seconds(1) / self._substeps
        self._settle = round(setup.settle / rate.to_seconds(1)) * self._substeps
        self._bones = np.array([part.bone for part in scene.parts])
        self._above = np.array([part.above for part in scene.parts])
        self._previous: FloatArray | None = None
        self._closes = (
            loop is not None
            and first == 0
            and abs(self._times(np.array([(last - first) * self._substeps]))[0] - loop) < 1e-6
            and self._settle > 0
        )

    # ------------------------------------------------------------ the clip
    def _times(self, steps: FloatArray) -> FloatArray:
        """Seconds of the clip at numbers of steps, 0 being the start of the range."""
        times: FloatArray = self._rate.to_seconds(int(self._frames[0])) + np.asarray(steps) * self._h
        return times

    def _block(self, first: int, last: int) -> _Block:
        """The clip from one step to another, both included."""
        model = self._motion.model(self._times(np.arange(first, last + 1, dtype=np.float64)))
        rotation, place = model.rotation, model.translation
        held = np.where(self._above >= 0, self._above, 0)
        onto = quat.conjugate(rotation[:, held])
        where = quat.rotate(onto, place[:, self._bones] - place[:, held])
        turns = quat.multiply(onto, rotation[:, self._bones])
        angles = [np.zeros((len(place), 0))]
        for number, part in enumerate(self._scene.parts):
            if part.above < 0 or not part.body.axes:
                continue
            parent = self._skeleton.parent(part.bone)
            local = quat.multiply(quat.conjugate(rotation[:, parent]), rotation[:, part.bone])
            rest = self._skeleton.rest.rotation[part.bone]
            found = angles_of(part.body, quat.multiply(quat.conjugate(rest), local))
            turns[:, number] = quat.multiply(turns[:, number], quat.conjugate(turn_of(part.body, found)))
            angles.append(np.radians(found))
        return _Block(model, self._continued(np.concatenate(angles, axis=1)), where, quat.normalise(turns))

    def _continued(self, angles: FloatArray) -> FloatArray:
        """Angles without jumps of whole turns, going on from the block before, which overlaps by two steps."""
        before = angles[:1] if self._previous is None else self._previous[None]
        smooth: FloatArray = np.unwrap(np.concatenate([before, angles]), axis=0)[1:]
        self._previous = smooth[-2]
        return smooth

    # ------------------------------------------------------------ running
    def run(self, progress: Progress) -> Simulated:
        """Simulate, and give the poses at the frames."""
        end = (len(self._frames) - 1) * self._substeps
        total, at = end + self._settle, -self._settle
        block = self._block(at - 1, at + 1)
        self._previous = block.angles[0]
        first = self._place(block, 0)
        if self._loop is None and self._times(np.array([at - 1.0]))[0] < 0.0 and not self._settle:
            # nothing comes before: it begins with the speeds that it goes on with
            first = self._place(block, 1).before(self._place(block, 2))
        stepper = Stepper(self._scene, self._setup, self._h, self._place(block, 1), first)
        kept = {at: stepper.placed()}
        while at < end:
            count = min(BLOCK, end - at)
            block = self._block(at - 1, at + count)
            for k in range(count):
                stepper.step(first, self._place(block, k + 1), self._place(block, k + 2))
                first = self._place(block, k + 1)
                at += 1
                if at % self._substeps == 0:
                    kept[at] = stepper.placed()
            if not stepper.sound:
                frame = self._rate.to_frame(float(self._times(np.array([at]))[0]))
                raise AnimError(
                    f"the simulation became unstable near frame {frame:.0f}: use less stiffness, heavier or "
                    "thicker bodies, or switch collisions off"
                )
            progress.report((at + self._settle) / total, "simulating")
        return self._result(kept)

    def _place(self, block: _Block, row: int) -> Moment:
        return Moment(
            block.model.translation[row], block.model.rotation[row], block.angles[row], block.place[row],
            block.turn[row],
        )  # fmt: skip

    def _result(self, kept: dict[int, tuple[FloatArray, FloatArray]]) -> Simulated:
        steps = np.arange(len(self._frames), dtype=np.float64) * self._substeps
        times = self._times(steps)
        local = self._posed(times, [kept[int(step)] for step in steps.tolist()])
        if self._closes:
            local = self._closed(local, times, kept, int(steps[-1]))
        free = tuple(part.bone for part in self._scene.parts if part.above < 0)
        return Simulated(times, local, tuple(int(bone) for bone in self._bones), free)

    def _posed(self, times: FloatArray, placed: list[tuple[FloatArray, FloatArray]]) -> Transform:
        """Local transforms ``(F, B, k)`` with the parts where the simulation has them."""
        local = self._motion.local(times)
        return with_parts(
            self._skeleton, self._motion.model(times), local, self._scene.parts,
            np.stack([place for place, _ in placed]), np.stack([turn for _, turn in placed]),
        )  # fmt: skip

    def _closed(
        self, local: Transform, times: FloatArray, kept: dict[int, tuple[FloatArray, FloatArray]], end: int
    ) -> Transform:
        """The end of a loop led over into what came before its beginning, so that it goes on without a jump."""
        span = min(self._settle, end // 4 // self._substeps * self._substeps)
        rows = np.flatnonzero(np.arange(len(times)) * self._substeps >= end - span)
        if span <= 0 or len(rows) < 2:
            return local
        before = self._posed(times[rows], [kept[int(row) * self._substeps - end] for row in rows])
        share = np.linspace(0.0, 1.0, len(rows))
        share = (share * share * (3.0 - 2.0 * share))[:, None]
        rotation = np.array(local.rotation)
        rotation[rows] = quat.slerp(
            local.rotation[rows], before.rotation, np.broadcast_to(share, rotation[rows].shape[:-1])
        )
        return Transform(local.translation, rotation, local.scale)
