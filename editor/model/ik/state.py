"""Inverse kinematics in one session: set-ups, goals, pins, reach of a drag, and the ground."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from core.ik.body import PinKind, Reach, Solved, chain_setup, limb_setup, solved_bones
from core.ik.ground import Ground
from core.pose.pose import Pose
from core.project.project import Project
from core.rig.ik_setup import IkSetup
from core.rig.rig import Rig
from core.rig.roles import Roles, find_roles
from core.rig.skeleton import Skeleton
from editor.model.autokey import Keying
from editor.model.document import Document
from editor.model.edits import Edits
from editor.model.evaluator import Evaluator
from editor.model.events import Event
from editor.model.ik.pins import Pins
from editor.model.pending import PendingPose
from editor.model.playback import Playback
from editor.model.preferences import Preferences
from editor.model.preview import Preview

GROUND = "ground"


class Ending(NamedTuple):
    """How a solve ended: metres left and steps taken."""

    residual: float
    iterations: int


class IkState:
    """What the IK panel, its tools and the viewport share.

    Attributes
    ----------
    pins : bones that hold their places
    active : name of the set-up that the panel shows, or None
    watched : whether the IK panel is in sight
    changed : set-ups, pins, reach, ground or the active set-up may differ
    solved : the live endings differ
    """

    def __init__(
        self,
        document: Document,
        edits: Edits,
        evaluator: Evaluator,
        playback: Playback,
        preview: Preview,
        pending: PendingPose,
        preferences: Preferences,
        keying: Keying,
    ) -> None:
        self._document = document
        self._edits = edits
        self._evaluator = evaluator
        self._playback = playback
        self._pending = pending
        self._preferences = preferences
        self.pins = Pins()
        self.active: str | None = None
        self.watched = False
        self.changed: Event[None] = Event()
        self.solved: Event[None] = Event()
        self._endings: Mapping[str, Ending] = MappingProxyType({})
        self._roles: tuple[Skeleton, Roles] | None = None
        self._known: tuple[object, object] = (None, None)
        self.pins.changed.connect(lambda _: self.changed.emit(None))
        document.changed.connect(lambda _: self._on_document())
        playback.clip_changed.connect(lambda _: self._on_document())
        document.replaced.connect(lambda _: self.pins.clear())
        preview.hold = self.held
        keying.hold = self.held_with_names

    # ------------------------------------------------------------ what there is
    @property
    def rig(self) -> Rig | None:
        """The rig shown."""
        return self._evaluator.rig

    @property
    def setups(self) -> tuple[IkSetup, ...]:
        """The set-ups of the rig shown."""
        return self.rig.ik_setups if self.rig is not None else ()

    @property
    def enabled(self) -> tuple[IkSetup, ...]:
        """Those whose goals are shown."""
        return tuple(setup for setup in self.setups if setup.enabled)

    def find(self, name: str | None) -> IkSetup | None:
        """A set-up by name."""
        return next((setup for setup in self.setups if setup.name == name), None)

    @property
    def current(self) -> IkSetup | None:
        """The set-up that the panel shows."""
        return self.find(self.active)

    def select(self, name: str | None) -> None:
        """Show a set-up in the panel."""
        if name != self.active:
            self.active = name
            self.changed.emit(None)

    def watch(self, on: bool) -> None:
        """Say whether the IK panel is in sight: what it is about is drawn with it."""
        if on != self.watched:
            self.watched = on
            self.changed.emit(None)

    def of_bone(self, bone: str) -> IkSetup | None:
        """The first set-up whose chain ends at a bone, else one that holds it."""
        ends = [s for s in self.setups if s.tip == bone]
        return next(iter(ends), None) or next((s for s in self.setups if bone in self.chain(s)), None)

    def chain(self, setup: IkSetup) -> tuple[str, ...]:
        """Names of a set-up's bones, root first, the tip included."""
        rig = self.rig
        if rig is None:
            return ()
        numbers = rig.skeleton.chain(rig.skeleton.index(setup.tip), rig.skeleton.index(setup.root))
        return tuple(rig.skeleton.names[b] for b in numbers)

    def roles(self) -> Roles:
        """Roles of the rig's bones, found once a skeleton."""
        rig = self.rig
        if rig is None:
            return Roles({})
        if self._roles is None or self._roles[0] is not rig.skeleton:
            self._roles = rig.skeleton, find_roles(rig.skeleton)
        return self._roles[1]

    # ------------------------------------------------------------ reach of a drag
    @property
    def reach(self) -> Reach:
        """How much of the body follows a bone that the move tool drags."""
        value = self._preferences.get("ik_reach", str(Reach.BONE))
        return Reach(value) if value in {str(r) for r in Reach} else Reach.BONE

    @reach.setter
    def reach(self, reach: Reach) -> None:
        if reach is not self.reach:
            self._preferences.set("ik_reach", str(reach))
            self.changed.emit(None)

    @property
    def keeps_hands(self) -> bool:
        """Whether a pulled hand keeps its rotation in the world however far its wrist bends for it."""
        return bool(self._preferences.get("pull_keeps_hands"))

    @keeps_hands.setter
    def keeps_hands(self, on: bool) -> None:
        if on is not self.keeps_hands:
            self._preferences.set("pull_keeps_hands", on)
            self.changed.emit(None)

    def reach_of(self, bone: str) -> Reach:
        """The reach of a drag of this bone: a chain whose IK is on follows its end in every scope."""
        if self.reach is not Reach.BONE:
            movable = self.rig is not None and limb_setup(self.rig, self.roles(), bone) is not None
            return self.reach if movable or self.reach is Reach.BODY else Reach.BONE
        return Reach.LIMB if any(s.tip == bone and s.enabled for s in self.setups) else Reach.BONE

    def reached(self, bone: str, reach: Reach) -> tuple[str, ...]:
        """Bones that a drag of a bone turns for certain: itself, or its chain."""
        rig = self.rig
        setup = None
        if rig is not None and reach in (Reach.LIMB, Reach.BODY):
            setup = limb_setup(rig, self.roles(), bone)
        elif rig is not None and reach is Reach.CHAIN:
            setup = chain_setup(rig, self.roles(), bone)
        return (bone,) if setup is None else self.chain(setup)

    def decided(self, bone: str, reach: Reach) -> Solved:
        """Bones that a drag of a bone decides, pinned ones and their limbs included."""
        rig = self.rig
        if rig is None:
            return Solved((), frozenset())
        return solved_bones(rig, self.roles(), bone, reach, self.pins.kinds(rig))

    def drag_reach(self, wider: bool, chain: bool) -> Reach:
        """The reach of temporary IK: the drag scope (of a bone its limb), the chain or the whole body where asked."""
        if wider:
            return Reach.BODY
        if chain:
            return Reach.CHAIN
        return Reach.LIMB if self.reach is Reach.BONE else self.reach

    # ------------------------------------------------------------ pins
    def held(self, pose: Pose) -> Pose:
        """A pose about to be shown, with pinned bones held."""
        rig = self.rig
        if rig is None or not self.pins.kinds(rig) or pose.rig != rig.id:
            return pose
        return self.pins.hold(rig, self.roles(), self.standing(), pose)

    def held_with_names(self, pose: Pose, bones: Iterable[str]) -> tuple[Pose, tuple[str, ...]]:
        """A pose about to be committed, with pinned bones held, and every bone that now differs."""
        names = tuple(bones)
        rig, after = self.rig, self.held(pose)
        if rig is None or after is pose:
            return pose, names
        return after, tuple(dict.fromkeys((*names, *changed_bones(rig, pose, after))))

    def standing(self) -> Pose:
        """The pose without a drag's preview."""
        rig = self.rig
        assert rig is not None
        return self._pending.over(rig, self._evaluator.sampled_pose())

    def toggle_pin(self, bones: Iterable[str], kind: PinKind = PinKind.BOTH) -> bool:
        """Pin bones; if all of them are pinned that way already, unpin them. Whether they are pinned now."""
        rig, names = self.rig, tuple(bones)
        if rig is None or not names:
            return False
        pinned = self.pins.kinds(rig)
        on = not all(pinned.get(name) is kind for name in names)
        self.pins.put(rig, dict.fromkeys(names, kind if on else None))
        return on

    # ------------------------------------------------------------ the ground
    @property
    def ground(self) -> Ground:
        """The ground that feet are placed on; belongs to the file."""
        stored = self._document.project.settings.get(GROUND)
        if not (isinstance(stored, list | tuple) and len(stored) in (3, 7)):
            return Ground()
        height, tilt_x, tilt_z = (float(v) for v in stored[:3])
        ground = Ground(height, tilt_x, tilt_z)
        if len(stored) == 3:
            return ground
        rise, run, start = (float(v) for v in stored[3:6])
        return replace(ground, rise=rise, run=run, start=start, count=int(stored[6]))

    def set_ground(self, ground: Ground) -> bool:
        """Change the ground, in one step."""
        values = [ground.height, ground.tilt_x, ground.tilt_z]
        stairs = [ground.rise, ground.run, ground.start, ground.count]
        if replace(ground, height=0.0, tilt_x=0.0, tilt_z=0.0) != Ground():
            values += stairs  # files without stairs stay as older versions know them
        return ground != self.ground and self._edits.set_settings("Ground", {GROUND: values})

    # ------------------------------------------------------------ live endings
    def tell(self, name: str, ending: Ending) -> None:
        """A drag solved a set-up."""
        self._endings = MappingProxyType({**self._endings, name: ending})
        self.solved.emit(None)

    def ending(self, name: str) -> Ending | None:
        """How a set-up ended: as the clip drives it now, else in the last drag."""
        pipeline = self._evaluator.pipeline
        if pipeline is not None and any(s.name == name for s in pipeline.setups):
            time = np.array([self._playback.time])
            found = pipeline.solved(time)[name]
            return Ending(float(found.residual[0]), int(found.iterations[0]))
        return self._endings.get(name)

    # ------------------------------------------------------------ upkeep
    def _on_document(self) -> None:
        project: Project = self._document.project
        rig, ground = self.rig, project.settings.get(GROUND)
        known = (rig.ik_setups if rig is not None else None, ground)
        if known[0] is not self._known[0] or known[1] is not self._known[1]:
            self._known = known
            if self.current is None and self.setups:
                self.active = self.setups[0].name
            self.changed.emit(None)


def changed_bones(rig: Rig, before: Pose, after: Pose) -> tuple[str, ...]:
    """Names of the bones whose local transforms differ."""
    rows = np.zeros(len(rig.skeleton), dtype=bool)
    for one, other in zip(before.local, after.local, strict=True):
        if one is not other:
            rows |= (one != other).any(axis=1)
    return tuple(rig.skeleton.names[b] for b in np.flatnonzero(rows))
