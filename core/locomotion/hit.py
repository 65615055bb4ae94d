"""A blow on a character that stands, walks or runs: its upper body gives way and comes back to what it does.

The bodies above the legs are a powered ragdoll that follows the graphs' pose by springs; root and legs keep to the
pose exactly, so that feet stay where they are (spec: ragdoll, *Powered*). A blow of `KNOCKS` and more fells it.
"""

from dataclasses import dataclass, replace

import numpy as np

from core.locomotion.input import Blow
from core.locomotion.setup import H
from core.math import quat
from core.math.transform import Transform
from core.physics.powered import Aim, towards
from core.physics.ragdoll import Push, Ragdoll, RagdollState
from core.physics.start import Posture
from core.rig.body_plan import BodyPlan, parents_of, riders
from core.rig.rig import Rig
from core.rig.roles import Role, rig_roles

KNOCKS = 200.0
"""N·s, of a person, from which a blow fells."""
SECONDS, FADE = 1.8, 0.6
"""How long a blow is felt, and over which part of that the pose leads back to the graphs'."""
STRUCK, FASTEST = 0.3, 4.0
"""Part of a blow that fells which the body that is hit takes, and the m/s that it may get by that."""
FREQUENCY = 1.5
"""Hz of the springs."""
LEGS = (Role.THIGH, Role.CALF, Role.FOOT, Role.TOE)


@dataclass(frozen=True, slots=True, eq=False)
class Hit:
    """What a blow does, between two steps.

    Parameters
    ----------
    ragdoll : the powered one
    before, now : the graphs' postures a step ago and in this one
    seconds : since the blow
    blow : one that acts with the next step
    """

    ragdoll: RagdollState
    before: Posture
    now: Posture
    seconds: float = 0.0
    blow: Blow | None = None

    def to_bytes(self) -> bytes:
        """Every number in order."""
        parts = [self.ragdoll.to_bytes(), np.array([self.seconds]).tobytes(), repr(self.blow).encode()]
        for posture in (self.before, self.now):
            parts += [np.ascontiguousarray(part).tobytes() for part in (*posture.local, *posture.placement)]
        return b"".join(parts)


class Hits:
    """How the bodies of a rig take blows.

    Parameters
    ----------
    plan : its bodies; nothing is felt where there is none but the root and the legs
    """

    def __init__(self, rig: Rig, plan: BodyPlan) -> None:
        self._skeleton, self._plan = rig.skeleton, plan
        self._riders = riders(plan, rig.skeleton)
        roles = rig_roles(rig)
        legs = {bone for role in LEGS for side in (-1, 0, 1) for bone in roles.bones(role, side)}
        parents = parents_of(plan, rig.skeleton)
        held = [number == 0 or body.bone in legs for number, body in enumerate(plan.bodies)]
        for number, above in enumerate(parents):
            held[number] = held[number] or (above > 0 and held[above])
        self._held = tuple(body.bone for number, body in enumerate(plan.bodies) if held[number])
        free = [number for number in range(len(plan)) if not held[number]]
        self._trunk = next((number for number in free if parents[number] == 0), None)

    @property
    def felt(self) -> bool:
        """Whether anything of the rig gives way."""
        return self._trunk is not None

    def knocks(self, blow: Blow) -> bool:
        """Whether a blow fells the character."""
        return blow.size >= KNOCKS * self._plan.mass / 75.0

    def push(self, blow: Blow) -> Push | None:
        """The blow as the ragdoll takes it; None on a bone that rides on no body."""
        number = self._skeleton.find(blow.bone)
        if number is None or self._riders[number] < 0:
            return None
        return Push(blow.bone, blow.impulse)

    def knock(self, blow: Blow) -> tuple[Push, ...]:
        """A blow that fells: a part on the body that is hit, as much as it can take, the rest on all by their mass."""
        push = self.push(blow)
        if push is None:
            return ()
        hit = self._plan.bodies[self._riders[self._skeleton.index(blow.bone)]]
        share = min(STRUCK, FASTEST * hit.mass / max(blow.size, 1e-9))
        rest = [(body.bone, (1.0 - share) * body.mass / self._plan.mass) for body in self._plan.bodies]
        parts = [replace(push, impulse=_scaled(push.impulse, share))]
        return (*parts, *(Push(bone, _scaled(push.impulse, part)) for bone, part in rest))

    def begin(self, doll: Ragdoll, before: Posture, now: Posture, blow: Blow) -> Hit:
        """Feel a blow from the posture shown on."""
        return Hit(doll.start(before, now, H), before, now, 0.0, blow)

    def step(
        self, doll: Ragdoll, hit: Hit, after: Posture, blow: Blow | None
    ) -> tuple[Hit | None, Transform]:
        """The hit a step later, None where it is over, and the local transforms shown.

        Parameters
        ----------
        after : the graphs' posture after the step
        blow : another one
        """
        pushes = [push for each in (hit.blow, blow) if each is not None and (push := self._on_trunk(each))]
        aim = Aim(1.0, FREQUENCY, 0.0, self._held)
        drive = towards(doll, hit.ragdoll, (hit.before, hit.now, after), aim, H)
        state = doll.step(hit.ragdoll, drive, pushes)
        seconds = H if blow is not None else hit.seconds + H
        if seconds >= SECONDS or state.ended:
            return None, after.local
        late = min(max((seconds - (SECONDS - FADE)) / FADE, 0.0), 1.0)
        share = 1.0 - late * late * (3.0 - 2.0 * late)
        local = doll.local(state, after.placement, after.local)
        rotation = quat.slerp(after.local.rotation, local.rotation, np.full(len(local.rotation), share))
        translation = after.local.translation + share * (local.translation - after.local.translation)
        shown = Transform(translation, rotation, after.local.scale)
        return replace(hit, ragdoll=state, before=hit.now, now=after, seconds=seconds, blow=None), shown

    def _on_trunk(self, blow: Blow) -> Push | None:
        """A blow on root or legs, which keep to their pose, is felt by the trunk."""
        push = self.push(blow)
        if push is None or self._trunk is None:
            return None
        owner = self._plan.bodies[self._riders[self._skeleton.index(blow.bone)]].bone
        return replace(push, bone=self._plan.bodies[self._trunk].bone) if owner in self._held else push


def _scaled(impulse: tuple[float, float, float], share: float) -> tuple[float, float, float]:
    x, y, z = (share * part for part in impulse)
    return (x, y, z)
