"""The IK panel without Qt: rows, the active set-up, its joints' limits, and what editing them does."""

from dataclasses import dataclass, replace

import numpy as np

from core.errors import AnimError
from core.ik import keyed
from core.ik.ground import Ground
from core.ik.keyed import WEIGHT, curve_name
from core.ik.limits import allows, twist_angle
from core.math import quat
from core.rig.ik_setup import IkSetup, IkSolver, IkSpace, IkTarget
from core.rig.rig import JointLimit, LimitKind, Rig
from core.tracks.edits import key_at
from editor.model.i18n import tr, trn
from editor.model.ik import edits, goals
from editor.model.ik.state import IkState
from editor.model.session import Session
from editor.tools.ik.marks import SLACK, along, shown_turn

PARALLEL = 0.999
"""Cosine from which on two axes of a bone are one."""

SOLVER_NAMES = {
    IkSolver.TWO_BONE: "Two-bone",
    IkSolver.CCD: "CCD",
    IkSolver.FABRIK: "FABRIK",
    IkSolver.AIM: "Look at",
    IkSolver.FOLLOW: "Follow",
    IkSolver.TURN: "Follow rotation",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One set-up in the list."""

    name: str
    solver: str
    enabled: bool
    keyed: bool
    active: bool


@dataclass(frozen=True, slots=True)
class LimitRow:
    """A joint of the chain: its limit (or None), where it stands (degrees), whether that is allowed.

    Parameters
    ----------
    within : whether its turn alone is: what the dial shows
    """

    bone: str
    limit: JointLimit | None
    turn: float
    lean: float
    allowed: bool
    within: bool = True


class IkModel:
    """Reads and edits the set-ups of a session."""

    def __init__(self, session: Session) -> None:
        self._session = session

    # ------------------------------------------------------------ reading
    @property
    def rig(self) -> Rig | None:
        """The rig shown."""
        return self._session.rig

    @property
    def setup(self) -> IkSetup | None:
        """The active set-up."""
        return self._session.feature(IkState).current

    def rows(self) -> tuple[Row, ...]:
        """The list."""
        clip, state = self._session.evaluator.clip, self._session.feature(IkState)
        return tuple(
            Row(
                setup.name,
                tr(SOLVER_NAMES[setup.solver]),
                setup.enabled,
                clip is not None and keyed.drives(clip, setup.name),
                setup.name == state.active,
            )
            for setup in state.setups
        )

    @property
    def driven(self) -> bool:
        """Whether the clip keys the goal of the active set-up."""
        clip, setup = self._session.evaluator.clip, self.setup
        return clip is not None and setup is not None and keyed.drives(clip, setup.name)

    def ending(self) -> str:
        """Residual and steps, live."""
        setup = self.setup
        ending = None if setup is None else self._session.feature(IkState).ending(setup.name)
        if ending is None:
            return tr("drag the goal in the viewport")
        steps = trn("{count} iteration", "{count} iterations", ending.iterations)
        return f"{ending.residual * 1000.0:.2f} mm · {steps}"

    def reached(self) -> bool:
        """Whether the last solve came within the tolerance."""
        setup = self.setup
        ending = None if setup is None else self._session.feature(IkState).ending(setup.name)
        return ending is None or setup is None or ending.residual <= max(setup.tolerance, 1e-4)

    def weight(self) -> tuple[float, str]:
        """Weight 0..1 now, and how it is keyed ("none", "animated", "key")."""
        setup, clip = self.setup, self._session.evaluator.clip
        if setup is None:
            return 1.0, "none"
        track = None if clip is None else clip.curves.get(curve_name(setup.name, WEIGHT))
        if track is None or not self.driven:
            return setup.weight, "none"
        value = self._session.evaluator.pose().curves.get(curve_name(setup.name, WEIGHT), setup.weight)
        return float(np.clip(value, 0.0, 1.0)), (
            "key" if key_at(track, self._session.playback.time) is not None else "animated"
        )

    def goal(self, what: str = "goal") -> tuple[float, float, float] | None:
        """Where the goal is now ("goal", metres), or how it is turned ("turn", XYZ degrees), in its own space."""
        setup = self.setup
        values = None if setup is None or self.rig is None else goals.goal_values(self._session, setup, what)
        if values is None:
            return None
        x, y, z = (float(v) for v in values)
        return x, y, z

    def bones(self) -> tuple[str, ...]:
        """Names to choose a chain's ends from."""
        return () if self.rig is None else self.rig.skeleton.names

    def carriers(self) -> tuple[str, ...]:
        """Names of what a goal can use as its space: bones, and virtual ones."""
        rig = self.rig
        return () if rig is None else (*rig.skeleton.names, *(bone.name for bone in rig.virtual_bones))

    def space(self) -> str:
        """The goal's space, as the box shows it."""
        setup = self.setup
        if setup is None or setup.goal.space is IkSpace.MODEL:
            return "model"
        return "world" if setup.goal.space is IkSpace.WORLD else f"bone {setup.goal.bone}"

    def limits(self) -> tuple[LimitRow, ...]:
        """The chain's joints with their limits."""
        setup, rig = self.setup, self.rig
        if setup is None or rig is None:
            return ()
        local = self._session.evaluator.pose().local
        rows = []
        chain = self._session.feature(IkState).chain(setup)
        for bone in chain if setup.solver.single else chain[:-1]:
            number = rig.skeleton.index(bone)
            limit, rest = rig.limits.get(bone), rig.skeleton.rest.rotation[number]
            axis = np.asarray(limit.axis if limit is not None else (0.0, 1.0, 0.0))
            swing, twist = quat.swing_twist(quat.multiply(quat.conjugate(rest), local.rotation[number]), axis)
            turn = float(np.degrees(twist_angle(twist, axis)))
            lean = float(np.degrees(np.linalg.norm(quat.to_rotation_vector(swing))))
            fits = limit is None or bool(allows(local.rotation[number], rest, limit, SLACK))
            if limit is not None:
                turn = shown_turn(turn, limit.minimum, limit.maximum)
            slack = float(np.degrees(SLACK))
            within = limit is None or limit.minimum - slack <= turn <= limit.maximum + slack
            rows.append(LimitRow(bone, limit, turn, lean, fits, within))
        return tuple(rows)

    # ------------------------------------------------------------ editing
    def change(self, **values: object) -> bool:
        """Change fields of the active set-up, in one step; what does not fit is said and left."""
        setup = self.setup
        if setup is None:
            return False
        try:
            return edits.change(self._session, setup.name, values)
        except AnimError as error:
            self._session.messages.warn(str(error))
            return False

    def rename(self, name: str) -> bool:
        """Another name; its curves follow."""
        return bool(name.strip()) and self.change(name=name.strip())

    def set_space(self, word: str) -> bool:
        """Another space for goal and pole; a keyed goal is matched again, so nothing moves."""
        setup, session = self.setup, self._session
        if setup is None or word == self.space():
            return False
        bone = word.removeprefix("bone ") if word.startswith("bone ") else None
        space = IkSpace.BONE if bone is not None else IkSpace(word)
        if bone is not None and bone in session.feature(IkState).chain(setup):
            session.messages.warn(tr("{bone} is moved by the chain itself: choose another bone", bone=bone))
            return False
        target = IkTarget(space, bone)
        pole = None if setup.pole is None else IkTarget(space, bone)
        return goals.change_space(session, setup.name, target, pole)

    def set_weight(self, weight: float) -> bool:
        """Key the weight where the clip keys the goal, else change the set-up's."""
        setup = self.setup
        return setup is not None and goals.key_weight(self._session, setup, float(np.clip(weight, 0.0, 1.0)))

    def set_goal(self, axis: int, value: float, what: str = "goal") -> bool:
        """Move ("goal") or turn ("turn") the goal along one axis of its space to a number."""
        setup = self.setup
        return setup is not None and goals.set_goal(self._session, setup, axis, value, what)

    def stiffness(self, bone: str) -> float | None:
        """How little a joint of the chain turns, 0..1; None where the solver does not ask."""
        setup = self.setup
        if setup is None or setup.solver not in (IkSolver.CCD, IkSolver.FABRIK):
            return None
        return setup.stiffness.get(bone, 0.0)

    def set_stiffness(self, bone: str, value: float) -> bool:
        """Let a joint turn less (1: not at all)."""
        setup = self.setup
        if setup is None:
            return False
        kept = {name: share for name, share in setup.stiffness.items() if name != bone}
        return self.change(stiffness={**kept, bone: value} if value > 0.0 else kept)

    def toggle(self, name: str) -> bool:
        """Turn a set-up on or off."""
        return edits.toggle(self._session, (name,))

    def remove(self) -> bool:
        """Remove the active set-up."""
        return self.setup is not None and edits.remove(self._session, self.setup.name)

    def set_limit(self, bone: str, limit: JointLimit | None) -> bool:
        """Change, add or remove a joint limit of the rig."""
        rig = self.rig
        if rig is None:
            return False
        limits = {name: value for name, value in rig.limits.items() if name != bone}
        if limit is not None:
            limits[bone] = limit
        return self._session.edits.put(tr("Limit of {bone}", bone=bone), replace(rig, limits=limits))

    def change_limit(self, bone: str, field: str, value: float) -> bool:
        """One number of a limit; what does not fit is said and left."""
        limit = None if self.rig is None else self.rig.limits.get(bone)
        if limit is None:
            return False
        try:
            return self.set_limit(bone, replace(limit, **{field: value}))  # type: ignore[arg-type]
        except AnimError as error:
            self._session.messages.warn(str(error))
            return False

    def add_limit(self, bone: str) -> bool:
        """A wide cone about the bone's own direction, to begin with."""
        rig = self.rig
        if rig is None:
            return False
        x, y, z = (float(v) for v in along(rig, rig.skeleton.index(bone)))
        return self.set_limit(bone, JointLimit(LimitKind.CONE_TWIST, (x, y, z), -60.0, 60.0, 60.0))

    # ------------------------------------------------------------ ground
    @property
    def ground(self) -> Ground:
        """The ground that feet are placed on."""
        return self._session.feature(IkState).ground

    def aim_along(self, axis: tuple[float, float, float]) -> None:
        """Which own axis of the bone points at the goal; the axis that keeps its side gives way."""
        setup = self.setup
        if setup is None:
            return
        up = setup.up_axis
        if abs(sum(a * b for a, b in zip(axis, up, strict=True))) > PARALLEL:
            up = tuple(abs(value) for value in (axis[2], axis[0], axis[1]))  # type: ignore[assignment]
        self.change(aim_axis=axis, up_axis=up)

    def keep_up(self, axis: tuple[float, float, float]) -> None:
        """Which own axis keeps its side while the bone aims; refused along the aim axis."""
        setup = self.setup
        if setup is None:
            return
        if abs(sum(a * b for a, b in zip(axis, setup.aim_axis, strict=True))) > PARALLEL:
            self._session.messages.warn(tr("Aim axis and up axis must differ: choose another"))
            self._session.feature(IkState).changed.emit(None)  # the list shows what stays
            return
        self.change(up_axis=axis)

    def set_ground(self, field: str, value: float) -> bool:
        """One number of the ground."""
        try:
            number = round(value) if field == "count" else value
            return self._session.feature(IkState).set_ground(replace(self.ground, **{field: number}))  # type: ignore[arg-type]
        except AnimError as error:
            self._session.messages.warn(str(error))
            return False
