"""Falling as a ragdoll and getting up again, as modes of a character's state (spec: ragdoll, locomotion).

The ragdoll key, or a landing at `CRASH` m/s and more, lets the character fall from the pose it shows; the key, or
lying still for a while, lets it get up. While it is down the controller and its graphs are off: the character
stands below the pelvis. All of it is frozen values, so that rewinding works through a fall.
"""

import logging
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

import numpy as np

from core.arrays import FloatArray
from core.blending.inertia import Inertia, inertialise
from core.clips.clip import Clip
from core.errors import UnsupportedError
from core.graph.compiler import Assets
from core.locomotion import controller
from core.locomotion.animation.propose import Moves
from core.locomotion.dampers import wrap
from core.locomotion.hit import Hit, Hits
from core.locomotion.input import Input
from core.locomotion.limbs import Limbs
from core.locomotion.setup import H, Setup
from core.locomotion.state import LONG, State
from core.math.transform import Transform
from core.physics import engine
from core.physics.bearing import Bearing
from core.physics.get_up import COMMITTED, GetUp, Rise
from core.physics.placing import told_from
from core.physics.ragdoll import Ragdoll, RagdollState
from core.physics.start import Posture
from core.rig.body_plan import BodyPlan
from core.rig.mesh import Mesh
from core.rig.propose_bodies import propose_bodies
from core.rig.rig import Rig
from core.terrain.terrain import Terrain
from core.tracks.evaluate import evaluate_scalar

log = logging.getLogger(__name__)

CRASH = 10.0
"""m/s downward from which a landing is a fall."""
GET_UPS = ("get up back", "get up front", "get up side")
PLANTED = ("contact_l", "contact_r", "ik_l", "ik_r")
"""Curves by which feet are held on the ground."""
FADE, BARE_FADE = 0.3, 0.8
"""Seconds over which the graphs take over from a get-up clip; from the ragdoll itself, where there is no clip."""
LOST = 50.0
"""Metres below everything at which a fall ends where the character last stood."""
KEPT_TERRAINS = 4


class Phase(IntEnum):
    """What a character does: it stands (or walks, or jumps), lies or falls as a ragdoll, gets up."""

    STANDING = 0
    FALLING = 1
    RISING = 2


@dataclass(frozen=True, slots=True, eq=False)
class Fall:
    """A character's fall between two steps.

    Parameters
    ----------
    held : whether the ragdoll key was held in the last step
    ragdoll : while it falls
    rise : while it gets up
    fade : what of the pose before is left over the graphs' since it stands again, `faded` seconds ago
    flail : seconds of the flailing clip
    curled : whether the body curls up in the fall instead of flailing
    hit : a blow that is felt while it stands
    """

    phase: Phase = Phase.STANDING
    held: bool = False
    ragdoll: RagdollState | None = None
    rise: Rise | None = None
    fade: Inertia | None = None
    faded: float = 0.0
    flail: float = 0.0
    curled: bool = False
    hit: Hit | None = None

    def to_bytes(self) -> bytes:
        """Every number in order."""
        parts = [
            np.array([self.phase, self.held, self.faded, self.flail, self.curled], dtype=np.float64).tobytes()
        ]
        parts += [part.to_bytes() for part in (self.ragdoll, self.rise, self.hit) if part is not None]
        if self.fade is not None:
            parts.append(self.fade.to_bytes())
        return b"".join(parts)


STANDS = Fall()


class Falls:
    """What a rig falls and gets up by. One thread at a time; `fork` makes another for a thread of its own.

    Parameters
    ----------
    plan : its bodies
    get_ups : clips to get up by
    flailing : clip for limbs in a fast fall
    """

    def __init__(
        self, rig: Rig, plan: BodyPlan, get_ups: Sequence[Clip], flailing: Clip | None = None
    ) -> None:
        self.rig, self.plan = rig, plan
        self._clips, self._limbs = tuple(get_ups), Limbs(rig, flailing)
        self._dolls: list[Ragdoll] = []
        self._rising: GetUp | None = None
        self._faces: Bearing | None = None
        self.hits = Hits(rig, plan)

    @classmethod
    def of(cls, project: Assets, rig: Rig, moves: Moves) -> "Falls | None":
        """For a rig of a project; None where there is no engine or the rig has no bodies."""
        if not engine.installed():
            return None
        meshes = [mesh for mesh in project.all(Mesh) if mesh.rig == rig.id]
        plan = rig.body_plan if rig.body_plan is not None else propose_bodies(rig, meshes)
        clips = [moves.clips[name] for name in GET_UPS if name in moves]
        return cls(rig, plan, clips, moves.clips.get("flail"))

    def fork(self) -> "Falls":
        """The same with memory of its own."""
        other = Falls(self.rig, self.plan, self._clips)
        other._limbs, other._faces = self._limbs, self._faces
        if self._rising is not None and self._rising.prepared:
            other._rising = self._rising
        return other

    # ------------------------------------------------------------ parts, made at the first fall
    def ragdoll(self, terrain: Terrain) -> Ragdoll:
        """The ragdoll on a terrain."""
        for doll in self._dolls:
            if doll.terrain is terrain:
                return doll
        doll = Ragdoll(self.rig, self.plan, terrain)
        self._dolls = [*self._dolls[-KEPT_TERRAINS + 1 :], doll]
        return doll

    def _get_up(self) -> GetUp | None:
        if self._rising is None and self._clips:
            self._rising = GetUp(self.rig, self.plan, self._clips)
        return self._rising

    def _bearing(self) -> Bearing:
        """Which way the body faces."""
        if self._faces is None:
            self._faces = Bearing(self.rig, self.plan)
        return self._faces

    # ------------------------------------------------------------ standing
    def wanted(self, before: State, after: State, fall: Fall, given: Input) -> bool:
        """Whether a character that stands, walks or flies begins to fall with this step."""
        pressed = given.ragdoll and not fall.held
        crashed = before.in_air and not after.in_air and after.impact >= CRASH
        knocked = given.blow is not None and self.hits.knocks(given.blow)
        return pressed or crashed or knocked

    def begin(self, terrain: Terrain, before: Posture, now: Posture, given: Input) -> Fall:
        """Fall from the pose shown, with the speeds that led to it, and with the blow that felled it."""
        held = given.ragdoll
        try:
            doll = self.ragdoll(terrain)
            state = doll.start(before, now, H)
            if given.blow is not None and (pushes := self.hits.knock(given.blow)):
                state = doll.step(state, None, pushes)
        except UnsupportedError as error:  # installed, but it does not load
            log.warning("%s", error)
            return Fall(held=held)
        return Fall(Phase.FALLING, held, state, curled=self._limbs.curls(state.velocity))

    def felt(
        self, terrain: Terrain, before: Posture, now: Posture, fall: Fall, given: Input
    ) -> tuple[Fall, Transform]:
        """A blow on a character that stands, or what is left of one: the fall, and the local transforms shown.

        Parameters
        ----------
        before, now : what was shown a step ago, and the graphs' posture
        """
        if not self.hits.felt or (fall.hit is None and given.blow is None):
            return fall, now.local
        doll = self.ragdoll(terrain)
        if fall.hit is None:
            assert given.blow is not None
            return replace(fall, hit=self.hits.begin(doll, before, now, given.blow)), now.local
        hit, local = self.hits.step(doll, fall.hit, now, given.blow)
        return replace(fall, hit=hit), local

    # ------------------------------------------------------------ down
    def step(
        self, setup: Setup, terrain: Terrain, body: State, fall: Fall, given: Input
    ) -> tuple[State, Fall, Transform]:
        """One step of a character that is down: the controller's state, the fall, local transforms.

        The fall's phase is *standing* in the step that hands back to the controller; the pose is the last one then.
        """
        if fall.phase is Phase.RISING and fall.rise is not None:
            return self._rise(setup, terrain, body, fall, given)
        return self._drop(setup, terrain, body, fall, given)

    def _drop(
        self, setup: Setup, terrain: Terrain, body: State, fall: Fall, given: Input
    ) -> tuple[State, Fall, Transform]:
        doll = self.ragdoll(terrain)
        assert fall.ragdoll is not None
        drive, flail = self._limbs.drive(doll, fall.ragdoll, fall.flail, curled=fall.curled)
        state = doll.step(fall.ragdoll, drive, () if given.blow is None else self.hits.knock(given.blow))
        pelvis, velocity = state.position[:3], state.velocity[:3]
        body = _told(
            body,
            given,
            self._place(setup, terrain, pelvis),
            self._bearing().yaw(state.position[[4, 5, 6, 3]], body.yaw),
            velocity,
        )
        local = doll.local(state, _placed(body.position, body.yaw))
        pressed = given.ragdoll and not fall.held
        fall = replace(fall, ragdoll=state, flail=flail, held=given.ragdoll)
        rising = self._get_up()
        if rising is not None:
            rising.prepare()  # a clip a step, so that getting up takes no longer than other steps
        if float(pelvis[1]) < min(terrain.low, 0.0) - LOST:
            return replace(body, position=body.safe, velocity=(0.0, 0.0, 0.0)), Fall(held=fall.held), local
        if not (pressed or state.at_rest):
            return body, fall, local
        ground = self._ground(setup, terrain, pelvis)
        if ground is None and not state.at_rest:  # in the air: it falls on as it falls
            return replace(body, in_air=True, air_for=LONG), Fall(held=fall.held), local
        if rising is None:
            return body, Fall(held=fall.held), local
        standing = _standing_height(setup, terrain, _placed(body.position, body.yaw))
        level = standing if standing is not None else float(pelvis[1]) if ground is None else ground
        rise = rising.begin(Posture(local, _placed(body.position, body.yaw)), level)
        body = _stood(body, rise.placement)
        return body, Fall(Phase.RISING, fall.held, rise=rise), rising.posture(rise).local

    def _rise(
        self, setup: Setup, terrain: Terrain, body: State, fall: Fall, given: Input
    ) -> tuple[State, Fall, Transform]:
        rising = self._get_up()
        assert rising is not None and fall.rise is not None
        ground = _standing_height(setup, terrain, fall.rise.placement)
        rise = rising.step(fall.rise, ground, heights=terrain.under)
        told = _told(
            body, given, tuple(rise.placement.translation.tolist()), _yaw_of(rise.placement), np.zeros(3)
        )
        local = rising.posture(rise).local
        interrupted = (
            rising.progress(rise) >= COMMITTED and given.move != (0.0, 0.0) and rise.elapsed >= rise.fading
        )
        if rising.over(rise) or interrupted:
            return told, Fall(held=given.ragdoll), local
        return told, replace(fall, held=given.ragdoll, rise=rise), local

    def curves(self, fall: Fall) -> Mapping[str, float]:
        """Curves of a character that is down: of the get-up clip; nothing touches the ground by plan in a fall."""
        rising = self._get_up()
        if fall.phase is not Phase.RISING or fall.rise is None or rising is None:
            return dict.fromkeys(PLANTED, 0.0)
        clip = rising.clips[fall.rise.clip]
        told = {name: float(evaluate_scalar(track, fall.rise.time)) for name, track in clip.curves.items()}
        return dict.fromkeys(PLANTED, 0.0) | told

    # ------------------------------------------------------------ standing again
    def fades(self, shown: Posture, target: Posture, fall: Fall) -> tuple[Fall, Transform]:
        """The fall of a character that stands again, what of the posture shown is left over its graphs'; and that.

        The controller may put the character elsewhere, off a stair it would stand in: its bones stay.
        """
        seconds = FADE if self._clips else BARE_FADE
        local = told_from(self.rig.skeleton, shown.local, shown.placement, target.placement)
        return replace(fall, fade=inertialise(target.local, local, None, 0.0, seconds), faded=0.0), local

    def faded(self, target: Transform, fall: Fall) -> tuple[Fall, Transform]:
        """A step later: the fall, and the graphs' pose with what is left of the one before."""
        if fall.fade is None:
            return fall, target
        seconds = fall.faded + H
        if seconds >= (FADE if self._clips else BARE_FADE):
            return replace(fall, fade=None, faded=0.0), target
        return replace(fall, faded=seconds), fall.fade.put_on(target, seconds)

    # ------------------------------------------------------------ helpers
    def _place(self, setup: Setup, terrain: Terrain, pelvis: FloatArray) -> tuple[float, float, float]:
        """Where the character stands below the pelvis: on the ground within half its height, else that far down."""
        ground = self._ground(setup, terrain, pelvis)
        height = float(pelvis[1]) - 0.5 * setup.height if ground is None else ground
        return float(pelvis[0]), height, float(pelvis[2])

    def _ground(self, setup: Setup, terrain: Terrain, point: FloatArray) -> float | None:
        hits = terrain.ray([point], (0.0, -1.0, 0.0), 0.5 * setup.height)
        return float(hits.point[0, 1]) if int(hits.piece[0]) >= 0 else None


def _standing_height(setup: Setup, terrain: Terrain, placement: Transform) -> float | None:
    """Height at which the controller would stand there, clear of stairs ahead; None over nothing."""
    x, y, z = placement.translation.tolist()
    stood = controller.start(setup, terrain, (x, y, z), _yaw_of(placement))
    return None if stood.in_air or abs(stood.position[1] - y) > 2.0 * setup.step else stood.position[1]


def _placed(place: tuple[float, float, float], yaw: float) -> Transform:
    half = math.radians(yaw) / 2.0
    return Transform(np.array(place), np.array([0.0, math.sin(half), 0.0, math.cos(half)]), np.ones(3))


def _yaw_of(placement: Transform) -> float:
    return wrap(math.degrees(2.0 * math.atan2(float(placement.rotation[1]), float(placement.rotation[3]))))


def _stood(body: State, placement: Transform) -> State:
    """A state put to a placement."""
    x, y, z = placement.translation.tolist()
    yaw = _yaw_of(placement)
    return replace(
        body, position=(x, y, z), yaw=yaw, smooth_yaw=yaw, target_yaw=yaw, way_yaw=yaw, root_height=y,
        velocity=(0.0, 0.0, 0.0),
    )  # fmt: skip


def _told(body: State, given: Input, place: tuple[float, ...], yaw: float, velocity: FloatArray) -> State:
    """The controller's state a step later, where something else moves the character."""
    x, y, z = (value + 0.0 for value in place)
    vx, vy, vz = (float(v) + 0.0 for v in velocity)
    return replace(
        body, step=body.step + 1, position=(x, y, z), velocity=(vx, vy, vz), acceleration=(0.0, 0.0),
        wish=(0.0, 0.0), yaw=yaw, smooth_yaw=yaw, target_yaw=yaw, way_yaw=yaw, yaw_speed=wrap(yaw - body.yaw) / H,
        view_speed=abs(wrap(given.yaw - body.view_yaw)) / H, view_yaw=given.yaw, view_pitch=given.pitch,
        gait_amount=0.0, mode=given.mode, crouching=False, in_air=False, moving=False, jumped=False,
        ground_normal=(0.0, 1.0, 0.0), impact=0.0, moving_for=min(body.moving_for + 1, LONG), air_for=0,
        ground_for=min(body.ground_for + 1, LONG), jump_left=0, jump_held=given.jump,
        root_height=y, root_offset=0.0, root_drift=0.0,
    )  # fmt: skip
