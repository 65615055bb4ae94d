"""Changing set-ups, posing by goals, keying, baking and matching them: each one undo step."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Clip
from core.clips.keying import KeyWhich
from core.errors import AnimError, ValidationError
from core.ik import bake, keyed
from core.ik.bake import Change
from core.ik.body import Reach, pulled
from core.ik.solve import IkGoal, solve, unsolvable
from core.math.transform import Transform
from core.pose.pose import Pose
from core.progress import Progress
from core.rig.ik_proposals import missing_setups
from core.rig.ik_setup import IkSetup
from core.rig.rig import Rig
from core.rig.roles import Role
from core.timing import frame_text
from editor.model.edit_jobs import Made, Work
from editor.model.i18n import tr, trn
from editor.model.ik.state import Ending, IkState, changed_bones
from editor.model.session import Session

# ---------------------------------------------------------------- set-ups


def propose(session: Session) -> int:
    """Add the set-ups that the rig lacks; how many."""
    rig = rig_of(session)
    fresh = missing_setups(rig)
    if not fresh:
        session.messages.info(tr("Every recognised chain already has a set-up"))
        return 0
    session.edits.put(tr("Propose IK set-ups"), replace(rig, ik_setups=(*rig.ik_setups, *fresh)))
    session.feature(IkState).select(session.feature(IkState).active or fresh[0].name)
    return len(fresh)


def add(session: Session) -> str | None:
    """A set-up for the selection: from the upper of two selected bones to the lower, else the bone's limb."""
    from core.ik.body import limb_setup

    rig, bones = rig_of(session), session.selection.bones
    if not bones:
        session.messages.info(tr("Select the end effector (and, if you like, the first bone of the chain)"))
        return None
    tip = max(bones, key=rig.skeleton.index)
    if len(bones) > 1:
        root = min(bones, key=rig.skeleton.index)
        setup: IkSetup | None = IkSetup(tip, root, tip)
    else:
        setup = limb_setup(rig, session.feature(IkState).roles(), tip)
    if setup is None:
        session.messages.warn(tr("{bone} has no parent chain for IK", bone=tip))
        return None
    name = _free(rig, tip)
    setup = replace(setup, name=name, enabled=True)
    try:
        session.edits.put(tr("Add IK {name}", name=name), replace(rig, ik_setups=(*rig.ik_setups, setup)))
    except ValidationError as error:
        session.messages.warn(str(error))
        return None
    session.feature(IkState).select(name)
    return name


def change(session: Session, name: str, values: Mapping[str, object], label: str = "") -> bool:
    """Change fields of a set-up, in one step; a new name is given to its curves too.

    Raises
    ------
    ValidationError, MissingReferenceError
        The values do not fit.
    """
    rig = rig_of(session)
    before = rig.ik_setup(name)
    after = replace(before, **dict(values))  # type: ignore[arg-type]
    if after == before:
        return False
    if before.solver.single and not after.solver.single and after.root == after.tip:
        after = replace(after, root=_first_bone(session, rig, after.tip))
    _require_solvable(rig, after)
    project = session.document.project
    if after.name != name:
        clips = [bake.renamed_goal(clip, name, after.name) for clip in project.clips_of(rig.id)]
        project = project.with_assets(*clips)
    rigs = replace(rig, ik_setups=tuple(after if s.name == name else s for s in rig.ik_setups))
    what = label or ", ".join(str(key).replace("_", " ") for key in values)
    if session.feature(IkState).active == name:
        session.feature(IkState).active = after.name
    return session.edits.commit(
        tr("IK {name}: {what}", name=after.name, what=what), project.with_assets(rigs)
    )


def _first_bone(session: Session, rig: Rig, tip: str) -> str:
    """Where the chain of a bone begins that so far turned alone: its limb's root, else its parent."""
    from core.ik.body import limb_setup

    limb = limb_setup(rig, session.feature(IkState).roles(), tip)
    if limb is not None and limb.root != tip:
        return limb.root
    parent = rig.skeleton.parent(rig.skeleton.index(tip))
    return tip if parent < 0 else rig.skeleton.names[parent]


def _require_solvable(rig: Rig, setup: IkSetup) -> None:
    problem = unsolvable(rig, setup)
    if problem:
        raise ValidationError(problem)


def remove(session: Session, name: str) -> bool:
    """Remove a set-up and its curves from every clip."""
    rig = rig_of(session)
    project = session.document.project
    clips = [bake.without_goal(clip, name) for clip in project.clips_of(rig.id)]
    kept = replace(rig, ik_setups=tuple(s for s in rig.ik_setups if s.name != name))
    session.feature(IkState).active = next((s.name for s in kept.ik_setups), None)
    return session.edits.commit(tr("Remove IK {name}", name=name), project.with_assets(*clips, kept))


def toggle(session: Session, names: tuple[str, ...] | None = None) -> bool:
    """Turn set-ups on or off; no pose changes by it. None are those of the selection, else the active one."""
    rig, state = rig_of(session), session.feature(IkState)
    if names is None:
        names = _meant(session)
    if not names and session.selection.bones:
        return add(session) is not None
    if not names:
        session.messages.info(tr("No IK set-up: propose some in the IK panel, or select a hand or foot"))
        return False
    on = not all(rig.ik_setup(name).enabled for name in names)
    setups = tuple(replace(s, enabled=on) if s.name in names else s for s in rig.ik_setups)
    label = tr("IK on: {what}") if on else tr("IK off: {what}")
    done = session.edits.put(label.format(what=", ".join(names)), replace(rig, ik_setups=setups))
    state.select(names[0])
    return done


def is_on(session: Session) -> bool:
    """Whether all set-ups that `toggle` is about are on; not where there are none."""
    rig = session.rig
    names = _meant(session) if rig is not None else ()
    return rig is not None and bool(names) and all(rig.ik_setup(name).enabled for name in names)


def _meant(session: Session) -> tuple[str, ...]:
    """Set-ups of the selection, else the active one."""
    state = session.feature(IkState)
    found = [state.of_bone(bone) for bone in session.selection.bones]
    names = tuple(dict.fromkeys(s.name for s in found if s is not None))
    if not names and not session.selection.bones and state.current is not None:
        names = (state.current.name,)
    return names


# ---------------------------------------------------------------- poses


def posed(session: Session, setup: IkSetup, base: Pose, goal: IkGoal) -> Pose:
    """A pose with one set-up solved for a goal; how it ended is told to the panel."""
    rig = rig_of(session)
    result = solve(rig, base.local, setup, goal)
    session.feature(IkState).tell(setup.name, Ending(float(result.residual), int(result.iterations)))
    return base.with_local(result.local)


def pull(session: Session, base: Pose, bone: str, goal: FloatArray, reach: Reach) -> Pose:
    """A pose with a bone pulled to a model place, with limb or body following and pins held."""
    rig, state = rig_of(session), session.feature(IkState)
    pins = state.pins.kinds(rig)
    result = pulled(rig, state.roles(), base.local, bone, goal, reach, pins, state.keeps_hands)
    setup = next((s for s in state.setups if s.tip == bone and not s.solver.single), None)
    state.tell(setup.name if setup is not None else bone, Ending(result.residual, result.iterations))
    return base.with_local(result.local)


def commit_pose(
    session: Session,
    label: str,
    base: Pose,
    pose: Pose,
    solved: Iterable[str] = (),
    placed: Collection[str] = (),
) -> bool:
    """Keep a posed result: whole FK keys on every bone that changed or was solved, so that the pose holds here.

    Parameters
    ----------
    solved : bones that are keyed even where they stayed as they were; locked ones are left out
    placed : those of them whose translation is keyed, too
    """
    changed = changed_bones(rig_of(session), base, pose)
    still = [b for b in solved if b not in changed and b not in session.selection.locked]
    return session.keying.commit_pose(label, pose, (*changed, *still), KeyWhich.POSED, placed)


# ---------------------------------------------------------------- whole ranges


def match(session: Session, name: str) -> bool:
    """FK→IK: key the goal so that the range looks as it does; says the largest error. Whether it is done already."""
    setup = rig_of(session).ik_setup(name)
    label = tr("Match IK {name}", name=name)
    return _over_range(session, label, lambda rig, clip, a, b: bake.matched(rig, clip, setup, a, b))


def bake_to_keys(session: Session, name: str | None = None) -> bool:
    """IK→FK: keys on the bones in place of the goal over the range; says the largest error.

    Whether it is done already: of a long clip it is a job.
    """
    names = None if name is None else [name]
    label = tr("Bake IK {name}", name=name or tr("goals"))
    rig, clip = rig_of(session), session.clip
    driven = keyed.driving(rig, clip.curves) if clip is not None else ()
    chains = [keyed.chain_bones(rig, s) for s in driven if name is None or s.name == name]
    if _refused(session, [rig.skeleton.names[bone] for chain in chains for bone in chain]):
        return False
    return _over_range(session, label, lambda rig, clip, a, b: bake.baked(rig, clip, names, a, b))


def drop_goal(session: Session, name: str) -> bool:
    """Take a set-up's curves off the clip; the tracks alone play again."""
    clip = session.clip
    return clip is not None and session.edits.put(
        tr("Remove goal keys {name}", name=name), bake.without_goal(clip, name)
    )


def _over_range(
    session: Session, label: str, change: Callable[[Rig, Clip, float | None, float | None], Change]
) -> bool:
    rig, clip, span = rig_of(session), session.clip, session.playback.range
    if clip is None:
        session.messages.info(tr("Select a clip first"))
        return False
    start, end = span if span is not None else (None, None)

    def work(progress: Progress) -> Made:
        done = change(rig, clip, start, end)
        note = tr(
            "{label}: {keys}, largest error {error} mm ({bone} @ f{frame})",
            label=label, keys=trn("{count} key", "{count} keys", done.keys),
            error=f"{done.metres * 1000.0:.3f}", bone=done.bone, frame=frame_text(clip.rate.to_frame(done.time)),
        )  # fmt: skip
        return Made(label, (done.clip,), None, note)

    return _tried(session, label, work)


def _tried(session: Session, label: str, work: Work) -> bool:
    """Run an edit; what does not go is a warning. Whether it is done already."""
    try:
        return session.edit_jobs.run(label, work)
    except AnimError as error:
        session.messages.warn(str(error))
        return False


def _refused(session: Session, bones: Iterable[str]) -> bool:
    """Whether keys on some bones cannot be set because one of them is locked, which is said."""
    held = [bone for bone in dict.fromkeys(bones) if bone in session.selection.locked]
    if held:
        some = ", ".join(held[:3]) + (" …" if len(held) > 3 else "")
        session.messages.warn(tr("Locked: {bones}", bones=some), tr("Unlock them in the bone tree"))
    return bool(held)


# ---------------------------------------------------------------- feet


def place_feet_here(session: Session) -> bool:
    """Stand the pose shown on the ground."""
    from core.ik.feet import placed_pose

    rig, span, time = rig_of(session), session.playback.range, session.playback.time
    base, ground = session.evaluator.pose(), session.feature(IkState).ground
    if ground.flat:
        session.messages.info(tr("The ground is level: feet are unchanged"))
        return False
    start = span[0] if span is not None and span[0] <= time else 0.0
    try:
        done = placed_pose(
            rig, session.feature(IkState).roles(), session.clip, ground, base.local, time, start
        )
    except AnimError as error:
        session.messages.warn(str(error))
        return False
    pose = base.with_local(Transform(*(np.array(p) for p in done)))
    label = tr("Place feet @ f{frame}", frame=frame_text(session.playback.frame))
    return commit_pose(session, label, base, pose)


def place_feet_in_clip(session: Session) -> bool:
    """Stand every frame of the clip (or range) on the ground; keys on hips and legs. Whether it is done already."""
    from core.ik.feet import placed_clip

    rig, clip, span = rig_of(session), session.clip, session.playback.range
    if clip is None:
        return False
    state = session.feature(IkState)
    if state.ground.flat:
        session.messages.info(tr("The ground is level: feet are unchanged"))
        return False
    start, end = span if span is not None else (None, None)
    roles, ground, label = state.roles(), state.ground, tr("Place feet in {clip}", clip=clip.name)
    legs = [bone for leg in roles.legs() for bone in (leg.upper, leg.lower, leg.end) if bone is not None]
    hips = roles.one(Role.HIPS)
    if _refused(session, legs if hips is None else [hips, *legs]):
        return False

    def work(progress: Progress) -> Made:
        done, residual = placed_clip(rig, roles, clip, ground, start, end)
        note = tr("Feet placed: worst foot {error} mm off", error=f"{residual * 1000.0:.2f}")
        return Made(label, (done,), None, note)

    return _tried(session, label, work)


def rig_of(session: Session) -> Rig:
    """The session's rig.

    Raises
    ------
    AnimError
        There is none.
    """
    rig = session.rig
    if rig is None:
        raise AnimError(tr("There is no character: open or import one first"))
    return rig


def _free(rig: Rig, name: str) -> str:
    taken, wanted, number = {s.name for s in rig.ik_setups}, name.replace("/", " "), 2
    free = wanted
    while free in taken:
        free, number = f"{wanted} {number}", number + 1
    return free
