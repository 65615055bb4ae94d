"""Goals and poles of IK set-ups: where they are, and keys that move them."""

from dataclasses import replace

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Clip
from core.clips.keying import loop_length
from core.ik import bake, keyed
from core.ik.keyed import GOAL, POLE, TURN, WEIGHT, curve_name
from core.ik.solve import IkGoal, present_goal
from core.math import euler
from core.math.transform import Transform
from core.progress import Progress, counted
from core.rig.ik_setup import IkSetup, IkTarget
from core.rig.rig import Rig
from core.timing import frame_text
from core.tracks import edits as track_edits
from editor.model.edit_jobs import Made
from editor.model.i18n import tr
from editor.model.ik.edits import change, commit_pose, posed, rig_of
from editor.model.ik.state import IkState
from editor.model.session import Session

FIELDS = {"goal": GOAL, "turn": TURN, "pole": POLE}
UNTURNED = np.array([0.0, 0.0, 0.0, 1.0])


def goal_places(session: Session, setup: IkSetup) -> IkGoal:
    """Where goal and pole of a set-up are now, model space: as keyed, else where the pose has them."""
    rig, pose = rig_of(session), session.evaluator.pose()
    clip = session.evaluator.clip
    if clip is not None and keyed.drives(clip, setup.name):
        local = Transform(*(p[None] for p in pose.local))
        curves = {name: np.array([value]) for name, value in pose.curves.items()}
        goal = keyed.keyed_goal(rig, local, setup, curves)
        pole = None if goal.pole is None else goal.pole[0]
        return IkGoal(goal.position[0], None if goal.rotation is None else goal.rotation[0], pole)
    found = present_goal(rig, pose.local, setup)
    return found if setup.pole is not None else replace(found, pole=None)


def with_goal_keys(session: Session, clip: Clip, setup: IkSetup, goal: IkGoal, what: str) -> Clip:
    """The clip with the place ("goal") or turn ("turn") of its goal, or its pole ("pole"), keyed at the time shown."""
    rig, time = rig_of(session), session.playback.time
    values = _seen(session, rig, setup, goal, what)
    if values is None:
        return clip
    curves = dict(clip.curves)
    for value, field in zip(values, FIELDS[what], strict=True):
        name = curve_name(setup.name, field)
        curves[name] = track_edits.set_value(curves.get(name), time, float(value), loop_length(clip))
    return replace(clip, curves=curves)


def _seen(session: Session, rig: Rig, setup: IkSetup, goal: IkGoal, what: str) -> FloatArray | None:
    """What the curves of a goal have to be ``(3,)``, in its own space: metres or degrees."""
    target = setup.pole if what == "pole" else setup.goal
    place = goal.pole if what == "pole" else goal.position
    if target is None or place is None:
        return None
    turn = UNTURNED if what == "pole" or goal.rotation is None else np.asarray(goal.rotation)
    here = Transform(np.asarray(place), turn, np.ones(3))
    seen = keyed.into_space(target, rig, session.evaluator.model(), here)
    return euler.from_quaternion(seen.rotation, 0) if what == "turn" else seen.translation


def goal_values(session: Session, setup: IkSetup, what: str) -> FloatArray | None:
    """Where a goal ("goal", metres) or pole ("pole") is, or how it is turned ("turn", XYZ degrees), in its space."""
    return _seen(session, rig_of(session), setup, goal_places(session, setup), what)


def set_goal(session: Session, setup: IkSetup, axis: int, value: float, what: str = "goal") -> bool:
    """Move ("goal") or turn ("turn") a goal to a number on one axis of its space.

    The keys come on the bones, or on the goal where the clip keys that. Metres, or degrees (XYZ).
    """
    rig, base, clip = rig_of(session), session.evaluator.pose(), session.clip
    goal, values = goal_places(session, setup), goal_values(session, setup, what)
    if values is None:
        return False
    wanted = np.array(values)
    wanted[axis] = value
    model, name, letter = session.evaluator.model(), setup.name, "XYZ"[axis]
    if what == "turn":
        moved = replace(goal, rotation=keyed.turned_out_of_space(setup.goal, rig, model, wanted))
        label = tr("Rotate goal of {name} {axis} {value}°", name=name, axis=letter, value=f"{value:.4g}")
    else:
        moved = replace(goal, position=keyed.out_of_space(setup.goal, rig, model, wanted))
        label = tr("Move goal of {name} {axis} {value} m", name=name, axis=letter, value=f"{value:.4g}")
    if clip is not None and keyed.drives(clip, name):
        return session.edits.put(label, with_goal_keys(session, clip, setup, moved, what))
    chain = session.feature(IkState).chain(setup)
    return commit_pose(session, label, base, posed(session, setup, base, moved), chain)


def change_space(session: Session, name: str, goal: IkTarget, pole: IkTarget | None) -> bool:
    """Another space for goal and pole; clips that key the goal are matched again, so that nothing moves.

    Whether it is done already: with long clips it is a job.
    """
    rig = rig_of(session)
    after = replace(rig.ik_setup(name), goal=goal, pole=pole)
    changed = replace(rig, ik_setups=tuple(after if s.name == name else s for s in rig.ik_setups))
    clips = [clip for clip in session.document.project.clips_of(rig.id) if keyed.drives(clip, name)]
    label = tr("IK {name}: goal in {space}", name=name, space=goal.bone or str(goal.space))

    def work(progress: Progress) -> Made:
        return Made(label, (changed, *(_in_space(clip, rig, changed, after) for clip in counted(clips))))

    return session.edit_jobs.run(label, work)


def _in_space(clip: Clip, before: Rig, after: Rig, setup: IkSetup) -> Clip:
    """A clip whose goal of a set-up is keyed for the rig before, keyed for the rig after."""
    plain = bake.baked(before, clip, [setup.name], metres=None).clip
    goals = bake.matched(after, plain, setup).clip.curves
    own = {n: t for n, t in goals.items() if (keyed.setup_of(n) or ("",))[0] == setup.name}
    return replace(clip, curves={**bake.without_goal(clip, setup.name).curves, **own})


def key_weight(session: Session, setup: IkSetup, weight: float) -> bool:
    """Key the weight of a driving set-up at the time shown; else it becomes the set-up's own."""
    clip = session.clip
    if clip is None or not keyed.drives(clip, setup.name):
        return change(session, setup.name, {"weight": weight})
    name = curve_name(setup.name, WEIGHT)
    old = clip.curves.get(name)
    track = track_edits.set_value(old, session.playback.time, weight, loop_length(clip))
    return session.edits.put(
        tr("Key IK weight {name} @ f{frame}", name=setup.name, frame=frame_text(session.playback.frame)),
        replace(clip, curves={**clip.curves, name: track}),
    )
