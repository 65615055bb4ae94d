"""Pulling a bone with its limb or the whole body, and dragging goals and poles: live, typed, one undo step."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from core.arrays import FloatArray
from core.ik import keyed
from core.ik.body import Reach
from core.ik.solve import IkGoal
from core.math import transform as transforms
from core.pose.pose import Pose
from core.rig.ik_setup import IkSetup
from editor.model.i18n import tr, trn
from editor.model.ik import edits, goals
from editor.model.ik.state import IkState, changed_bones
from editor.model.posing.verbs import live_mirrored, with_live_twins
from editor.model.session import Session
from editor.tools.pointer import Pointer
from editor.tools.scene import HandleDrag
from editor.tools.state import Setup, Tool
from editor.tools.transform import TransformBones, plain
from editor.tools.world_pose import Frame, WorldPose

LABELS = {
    Reach.LIMB: tr("IK"),
    Reach.CHAIN: tr("Chain IK"),
    Reach.BODY: tr("Full body"),
    Reach.BONE: tr("Move"),
}


class PullBone(TransformBones):
    """The move tool on a bone that its limb, or the whole body, follows.

    Parameters
    ----------
    bone : number of the bone that is pulled
    reach : how much of the body follows
    """

    def __init__(
        self,
        session: Session,
        setup: Setup,
        begun: WorldPose,
        bone: int,
        frame: Frame,
        grip: HandleDrag,
        view: FloatArray,
        reach: Reach,
    ) -> None:
        super().__init__(session, replace(setup, tool=Tool.MOVE), begun, (bone,), frame, grip, view)
        self._bone, self._reach = bone, reach
        self._name = begun.skeleton.names[bone]
        self._from = np.array(begun.matrices[bone, :3, 3])

    def finish(self, pointer: Pointer) -> None:
        if np.array_equal(self._amount, self._none):
            self.cancel()
            return
        pose, session = self._posed(), self._session
        solved = session.feature(IkState).decided(self._name, self._reach)
        edits.commit_pose(
            session, self.label, self._begun.pose, pose,
            with_live_twins(session, solved.bones), with_live_twins(session, solved.placed),
        )  # fmt: skip
        session.preview.clear()

    def _posed(self) -> Pose:
        goal = into_model(self._begun, self._from + self._amount @ self._frame.axes)
        pose = edits.pull(self._session, self._begun.pose, self._name, goal, self._reach)
        changed = tuple(changed_bones(edits.rig_of(self._session), self._begun.pose, pose))
        return live_mirrored(self._session, pose, changed)[0]

    def _names(self) -> tuple[str, ...]:
        return ()  # the other side is done with the whole limb, above

    @property
    def label(self) -> str:
        what = LABELS[self._reach]
        return f"{what} {self._name} {self._short()} @ f{self._frame_text()}"

    @property
    def status(self) -> str:
        return f"{super().status}  {tell_ending(self._session, self._name)}"


class PullAnywhere(PullBone):
    """Temporary IK: a bone taken where it is seen and dragged in the view; a click alone selects it."""

    def begin(self, pointer: Pointer) -> None:
        super().begin(pointer)
        self._session.selection.select((self._name,))

    def _snapping(self) -> bool:
        return False  # Ctrl asks for the whole body

    @property
    def hint(self) -> str:
        return tr("Keys are set on the bones, no goal stays · Type metres · Esc or right button cancels")


class Pulled(NamedTuple):
    """What of a chain is dragged: "goal" or "pole", and where both were at the press, model space."""

    chain: IkSetup
    what: str
    places: IkGoal


class PullGoal(TransformBones):
    """A goal or pole dragged: it keys the chain's bones, or the goal itself where the clip keys that.

    Parameters
    ----------
    pulled : what is dragged
    """

    def __init__(
        self,
        session: Session,
        setup: Setup,
        begun: WorldPose,
        pulled: Pulled,
        frame: Frame,
        grip: HandleDrag,
        view: FloatArray,
    ) -> None:
        tip = begun.skeleton.index(pulled.chain.tip)
        super().__init__(session, replace(setup, tool=Tool.MOVE), begun, (tip,), frame, grip, view)
        self._chain, self._what, self._places = pulled
        clip = session.clip
        self._keyed = clip is not None and keyed.drives(clip, pulled.chain.name)

    def finish(self, pointer: Pointer) -> None:
        session = self._session
        if np.array_equal(self._amount, self._none):
            self.cancel()
            session.selection.select((self._chain.tip,))
            session.feature(IkState).select(self._chain.name)
            return
        if self._keyed and session.clip is not None:
            clip = goals.with_goal_keys(session, session.clip, self._chain, self._goal(), self._what)
            session.preview.clear()
            session.edits.put(self.label, clip)
        else:
            pose, chain = self._posed(), session.feature(IkState).chain(self._chain)
            edits.commit_pose(session, self.label, self._begun.pose, pose, with_live_twins(session, chain))
            session.preview.clear()

    def _update(self) -> None:
        if not self._keyed:
            super()._update()
            return
        self._amount = self._wanted()
        self._grip.show(self._amount)
        session = self._session
        if np.array_equal(self._amount, self._none) or session.clip is None:
            session.preview.clear()
        else:
            clip = goals.with_goal_keys(session, session.clip, self._chain, self._goal(), self._what)
            session.preview.set_clip(clip)
        session.feature(IkState).solved.emit(None)

    def _goal(self) -> IkGoal:
        """Goal and pole as the drag has them now, model space."""
        start = self._places.pole if self._what == "pole" else self._places.position
        assert start is not None
        world = transforms.apply(transforms.from_matrix(self._begun.root), start)
        place = into_model(self._begun, world + self._amount @ self._frame.axes)
        if self._what == "pole":
            return replace(self._places, pole=place)
        return replace(self._places, position=place)

    def _posed(self) -> Pose:
        pose = edits.posed(self._session, self._chain, self._begun.pose, self._goal())
        changed = tuple(changed_bones(edits.rig_of(self._session), self._begun.pose, pose))
        return live_mirrored(self._session, pose, changed)[0]

    def _names(self) -> tuple[str, ...]:
        return ()  # the other side is done with the whole chain, above

    @property
    def label(self) -> str:
        what = tr("pole of {name}") if self._what == "pole" else tr("goal of {name}")
        return f"{tr('Move')} {what.format(name=self._chain.name)} @ f{self._frame_text()}"

    @property
    def status(self) -> str:
        metres = plain(float(np.linalg.norm(self._amount)), 3)
        return f"{self._chain.name} {self._what}  {metres} m  {tell_ending(self._session, self._chain.name)}"


def into_model(s: WorldPose, world: FloatArray) -> FloatArray:
    """A world place in the character's model space."""
    return np.asarray(np.linalg.solve(s.root[:3, :3], world - s.root[:3, 3]), dtype=np.float64)


def tell_ending(session: Session, name: str) -> str:
    """How far from the goal, and after how many steps, in words."""
    ending = session.feature(IkState).ending(name)
    if ending is None:
        setup = next((s for s in session.feature(IkState).setups if s.tip == name), None)
        ending = session.feature(IkState).ending(setup.name) if setup is not None else None
    if ending is None:
        return ""
    steps = trn("{count} iteration", "{count} iterations", ending.iterations)
    return tr("{mm} mm off · {steps}", mm=f"{ending.residual * 1000.0:.2f}", steps=steps)
