"""Space switching: a bone follows the world, the root, another bone or a virtual bone over a span of a clip.

A span is live: it is an IK set-up of the rig (`core.rig.spaces`) whose goal the clip keys in that space, and whose
weight the clip steps to 1 where it begins and to 0 where it ends. Nothing moves where it begins, for the goal is
keyed where the bone is shown; nothing moves where it ends, for the bone's own keys take over from what is shown.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Clip
from core.clips.proportions import to_hold
from core.errors import ValidationError
from core.evaluation.clip_pipeline import ClipPipeline
from core.evaluation.own_keys import led_back, own_local, with_own_keys
from core.evaluation.space_curves import weight_over, with_goal, without_goal_between
from core.ik import keyed
from core.ik.bake import frame_times, without_goal
from core.ik.body import limb_setup
from core.ik.keyed import WEIGHT, curve_name
from core.math import quat
from core.math.transform import Transform, down_chain
from core.rig.ik_setup import EndRotation, IkSetup, IkSolver, IkTarget
from core.rig.rig import Rig
from core.rig.roles import FINGERS, Role, Roles, rig_roles
from core.rig.spaces import Follow, is_space, label, require_apart, space_name, with_space
from core.rig.virtual_bones import Derived, derived_from
from core.timing import TIME_EPSILON
from core.tracks.keys import Interpolation

NOTHING = 1e-5
"""Metres that a switch may move a bone: more is refused."""
SOLVERS = {Follow.BONE: IkSolver.FOLLOW, Follow.ROTATION: IkSolver.TURN}


class Span(NamedTuple):
    """A stretch of a clip in which a bone follows a space.

    Parameters
    ----------
    setup : name of the set-up
    start, end : seconds; the end itself is no longer in it, but for the end of the clip
    """

    setup: str
    bone: str
    target: IkTarget
    start: float
    end: float

    @property
    def space(self) -> str:
        """The space in a word."""
        return label(self.target)

    def holds(self, time: float) -> bool:
        """Whether the bone follows the space at a time."""
        return self.start - TIME_EPSILON <= time < self.end - TIME_EPSILON


class Switched(NamedTuple):
    """What a switch or a bake makes.

    Parameters
    ----------
    metres : the largest distance of any bone from where it was at the frames that must not move
    gap : metres between what a span ends with and a later span of the bone begins with, 0 without one
    """

    rig: Rig
    clip: Clip
    metres: float
    gap: float = 0.0


def spans(rig: Rig, clip: Clip, bone: str | None = None) -> tuple[Span, ...]:
    """The spans of a clip in which bones (or one of them) follow spaces, by time."""
    found: list[Span] = []
    for setup in keyed.driving(rig, clip.curves):
        if not is_space(setup) or (bone is not None and setup.tip != bone):
            continue
        for start, end in _stretches(clip, setup):
            found.append(Span(setup.name, setup.tip, setup.goal, start, end))
    return tuple(sorted(found, key=lambda span: (span.start, rig.skeleton.index(span.bone))))


def _stretches(clip: Clip, setup: IkSetup) -> list[tuple[float, float]]:
    track = clip.curves.get(curve_name(setup.name, WEIGHT))
    if track is None:
        return [(0.0, clip.length)] if setup.weight > 0.0 else []
    times = [float(t) for t in track.times]
    on = []
    for key, time in enumerate(times):
        eased = key + 1 < len(times) and track.interpolations[key] != Interpolation.CONSTANT
        active = track.values[key] > 0.0 or (eased and track.values[key + 1] > 0.0)
        on.append((time, times[key + 1] if key + 1 < len(times) else clip.length, active))
    if track.values[0] > 0.0 and times[0] > TIME_EPSILON:
        on.insert(0, (0.0, times[0], True))
    merged: list[tuple[float, float]] = []
    for start, end, active in on:
        if not active or end <= start + TIME_EPSILON:
            continue
        if merged and start <= merged[-1][1] + TIME_EPSILON:
            merged[-1] = merged[-1][0], end
        else:
            merged.append((start, end))
    return merged


def usual_follow(rig: Rig, bone: str, roles: Roles | None = None) -> Follow:
    """How a bone follows a space unless it is said: hands and feet by their limbs, heads and fingers by turning."""
    found = roles if roles is not None else rig_roles(rig)
    part = found.of(bone)
    if part is None or part[0] is Role.HIPS:
        return Follow.BONE
    if part[0] in (Role.HAND, Role.FOOT) and limb_setup(rig, found, bone) is not None:
        return Follow.LIMB
    turning = (*FINGERS, Role.HEAD, Role.NECK, Role.SPINE, Role.CLAVICLE, Role.UPPER_ARM, Role.LOWER_ARM,
               Role.THIGH, Role.CALF, Role.TOE)  # fmt: skip
    return Follow.ROTATION if part[0] in turning else Follow.BONE


def setup_for(
    rig: Rig, bone: str, target: IkTarget, follow: Follow | None = None, roles: Roles | None = None
) -> IkSetup:
    """The set-up by which a bone follows a space: the rig's own where it has one, else a new one.

    Raises
    ------
    ValidationError
        The space moves with the bone, or the bone has no limb that could bend.
    """
    found = roles if roles is not None else rig_roles(rig)
    rig.skeleton.index(bone)
    name, how = space_name(bone, target), follow or usual_follow(rig, bone, found)
    if how is Follow.LIMB:
        limb = limb_setup(rig, found, bone)
        if limb is None:
            raise ValidationError(f"{bone!r} has no limb above it that could bend: let the bone alone follow")
        two = limb.solver is IkSolver.TWO_BONE
        setup = replace(
            limb, name=name, goal=target, pole=target if two else None, end_rotation=EndRotation.GOAL,
            enabled=False, weight=1.0, soft=0.0, stretch_limit=1.0, use_limits=False, tolerance=1e-7,
            iterations=max(limb.iterations, 100),
        )  # fmt: skip
    else:
        setup = IkSetup(name, bone, bone, SOLVERS[how], target, end_rotation=EndRotation.GOAL)
    require_apart(rig, rig.skeleton.index(setup.root), bone, target)
    known = [s for s in rig.ik_setups if s.tip == bone and is_space(s) and s.goal == target]
    same = [s for s in known if (s.solver, s.root) == (setup.solver, setup.root)]
    if same:
        return same[0]
    taken, number = {s.name for s in rig.ik_setups}, 2
    while setup.name in taken:
        setup, number = replace(setup, name=f"{name} {number}"), number + 1
    return setup


def switched(
    pipeline: ClipPipeline,
    bone: str,
    target: IkTarget,
    start: float,
    end: float | None = None,
    follow: Follow | None = None,
    keep: bool = False,
) -> Switched:
    """Let a bone follow a space from a time on: nothing moves up to there, nor where it ends.

    A span of another space in which the time lies ends there; a later one of the bone ends this one.

    Parameters
    ----------
    start, end : seconds; None is the end of the clip
    keep : key the motion that there is, frame by frame, in the space, so that nothing moves in the span either;
        else the bone stays where it is in the space at the start

    Raises
    ------
    ValidationError
        The space moves with the bone; nothing lies between start and end; or set-ups depend on each other, so
        that the bone would jump.
    """
    clip, before = pipeline.clip, _bare(pipeline)
    setup = setup_for(pipeline.rig, bone, target, follow)
    known = any(s.name == setup.name for s in pipeline.rig.ik_setups)
    chain = keyed.chain_bones(pipeline.rig, setup)
    rig = pipeline.rig if known else with_space(pipeline.rig, setup, chain)
    start = min(max(start, 0.0), clip.length)
    last = clip.length if end is None else min(end, clip.length)
    later = [s.start for s in spans(rig, clip, bone) if s.start > start + TIME_EPSILON]
    meets = bool(later) and min(later) <= last + TIME_EPSILON
    last = min([last, *later])
    if last < start + TIME_EPSILON and clip.length > TIME_EPSILON:
        raise ValidationError(
            f"{bone!r}: the span from {start:.4g} to {last:.4g} s is empty: give a later end"
        )
    times = frame_times(clip, start, last) if keep else np.array([start])
    local = before.sample_many(times).local
    cut = _cut(rig, clip, bone, start)
    values = keyed.present_values(rig, local, setup, _derived(before, times))
    open_end = last >= clip.length - TIME_EPSILON
    placed = with_goal(cut, setup, times, values, last, clip.rate)
    ended, gap = weight_over(placed, setup, 1.0, start, last), 0.0
    if not open_end:
        live = weight_over(placed, setup, 1.0, start, clip.length)
        if meets:  # the later span goes on from there, as it was
            gap = _apart(before, _over(pipeline, rig, live), np.array([last]))
        else:
            ended = _taken_over(pipeline, rig, live, ended, (start, last), setup)
    still = np.unique(np.concatenate((frame_times(clip, 0.0, start), times)))
    metres = _apart(before, _over(pipeline, rig, ended), still)
    if metres > NOTHING:
        raise ValidationError(
            f"{bone!r} would jump by {metres * 1000.0:.2f} mm: what it is to follow follows it, or its chain, too. "
            "Bake one of the two first"
        )
    return Switched(rig, ended, metres, gap)


def released(pipeline: ClipPipeline, bone: str, time: float) -> Switched:
    """Let a bone's own keys play again from a time on; nothing moves there.

    Raises
    ------
    ValidationError
        The bone follows no space at that time.
    """
    clip, rig = pipeline.clip, pipeline.rig
    now = [span for span in spans(rig, clip, bone) if span.holds(time) or (time >= clip.length == span.end)]
    if not now:
        raise ValidationError(f"{bone!r} follows no space at {time:.4g} s")
    ended = _cut(rig, clip, bone, time)
    for span in now:
        ended = _taken_over(pipeline, rig, clip, ended, (span.start, time), rig.ik_setup(span.setup))
    rig, ended = _tidied(rig, ended, clip, {span.setup for span in now})
    still = frame_times(clip, 0.0, time)
    return Switched(rig, ended, _apart(_bare(pipeline), _over(pipeline, rig, ended), still))


def baked(
    pipeline: ClipPipeline, bone: str | None = None, within: tuple[float, float] | None = None
) -> Switched:
    """Keys on the bones, one a frame, in place of the spans of a clip; what is shown stays.

    Parameters
    ----------
    bone : whose spans; None is every bone's
    within : seconds; spans that begin before the end and end after the start. None is all

    Raises
    ------
    ValidationError
        There is no such span.
    """
    clip, rig = pipeline.clip, pipeline.rig
    low, high = within or (0.0, clip.length)
    chosen = [s for s in spans(rig, clip, bone) if s.start <= high and s.end >= low]
    if not chosen:
        raise ValidationError(f"clip {clip.name!r}: no bone follows a space here; switch one first")
    before, result = _bare(pipeline), clip
    for span in chosen:
        setup = rig.ik_setup(span.setup)
        times = frame_times(clip, span.start, span.end)
        own = own_local(pipeline, times, before.sample_many(times).local)
        if span.end < clip.length - TIME_EPSILON:  # there the own keys, or another span, play already
            there = to_hold(rig, clip, times[-1:], pipeline.tracks.sample_many(times[-1:]).local)
            own = Transform(*(np.concatenate((o[:-1], t)) for o, t in zip(own, there, strict=True)))
        moved = setup.solver is IkSolver.FOLLOW
        meets = any(abs(s.end - span.start) < TIME_EPSILON for s in spans(rig, clip, span.bone))
        since = max(span.start - 1.0 / float(clip.rate.fps), 0.0) if meets else None
        result = with_own_keys(rig, result, times, own, keyed.chain_bones(rig, setup), moved, since)
    for span in chosen:
        setup = rig.ik_setup(span.setup)
        result = weight_over(result, setup, 0.0, span.start, span.end)
    rig, result = _tidied(rig, result, clip, {span.setup for span in chosen})
    frames = np.unique(np.concatenate([frame_times(clip, s.start, s.end) for s in chosen]))
    return Switched(rig, result, _apart(before, _over(pipeline, rig, result), frames))


def with_pose(
    pipeline: ClipPipeline, time: float, wanted: Transform, bones: Iterable[str] | None = None
) -> tuple[Clip, frozenset[str]]:
    """The clip with the goals of the spans at a time keyed for a wanted pose ``(B, k)``.

    Parameters
    ----------
    bones : only the goals of chains that hold one of these; None is all

    Returns
    -------
    clip, bones
        The clip, the same where no goal differs, and the bones that follow a space at that time: own keys on
        these would not be seen.
    """
    rig, clip, held = pipeline.rig, pipeline.clip, set[str]()
    result, derived = clip, _derived(pipeline, np.array([time]))
    asked = None if bones is None else set(bones)
    row = Transform(*(part[None] for part in wanted))
    for span in spans(rig, clip):
        if not (span.holds(time) or (time >= clip.length - TIME_EPSILON and span.end >= clip.length)):
            continue
        setup = rig.ik_setup(span.setup)
        chain = {rig.skeleton.names[bone] for bone in keyed.chain_bones(rig, setup)}
        if asked is not None and not chain & asked:
            continue
        values = keyed.present_values(rig, row, setup, derived)
        result = with_goal(result, setup, np.array([time]), values, None, clip.rate)
        held |= chain
    return result, frozenset(held)


# ---------------------------------------------------------------- helpers


def _bare(pipeline: ClipPipeline) -> ClipPipeline:
    """The pipeline up to the goals: pose assets go on afterwards."""
    return _over(pipeline, pipeline.rig, pipeline.clip)


def _over(pipeline: ClipPipeline, rig: Rig, clip: Clip) -> ClipPipeline:
    return ClipPipeline(rig, clip, (), pipeline.layers)


def _derived(pipeline: ClipPipeline, times: FloatArray) -> Derived | None:
    """Where virtual bones are before any set-up is solved."""
    if not pipeline.rig.virtual_bones:
        return None
    local = pipeline.below_goals(times)
    return derived_from(pipeline.rig, down_chain(pipeline.rig.skeleton.parents, local))


def _cut(rig: Rig, clip: Clip, bone: str, time: float) -> Clip:
    """The clip with every span of a bone that holds at a time ended there."""
    for span in spans(rig, clip, bone):
        if span.holds(time) or (time >= clip.length == span.end):
            setup = rig.ik_setup(span.setup)
            clip = without_goal_between(clip, setup, time, span.end)
            clip = weight_over(clip, setup, 0.0, time, span.end)
    return clip


def _taken_over(
    pipeline: ClipPipeline, rig: Rig, live: Clip, ended: Clip, span: tuple[float, float], setup: IkSetup
) -> Clip:
    """The ended clip with own keys where the span ends, so that the bones go on from what the live one shows."""
    at = np.array([span[1]])
    shown = _over(pipeline, rig, live).sample_many(at).local
    after = _over(pipeline, rig, ended)
    if _apart(_over(pipeline, rig, live), after, at, turns=True) < 1e-9:
        return ended
    own = own_local(after, at, shown)
    chain, moved = keyed.chain_bones(rig, setup), setup.solver is IkSolver.FOLLOW
    # the twist of a limb comes from its own keys, in the span too: only in the last frame do these turn to the new ones
    since = max(span[0], span[1] - 1.0 / float(live.rate.fps))
    made = with_own_keys(rig, ended, at, own, chain, moved, since)
    return led_back(ended, made, [rig.skeleton.names[bone] for bone in chain], span[1])


def _tidied(rig: Rig, clip: Clip, before: Clip, setups: set[str]) -> tuple[Rig, Clip]:
    """Without the curves of set-ups that no span of the clip uses any longer."""
    used = {span.setup for span in spans(rig, clip)}
    for name in setups - used:
        clip = without_goal(clip, name)
    return rig, clip


def without_unused(rig: Rig, clips: tuple[Clip, ...]) -> Rig:
    """The rig without set-ups for spaces whose goals none of its clips keys."""
    kept = tuple(s for s in rig.ik_setups if not is_space(s) or any(keyed.drives(c, s.name) for c in clips))
    return rig if len(kept) == len(rig.ik_setups) else replace(rig, ik_setups=kept)


def _apart(a: ClipPipeline, b: ClipPipeline, times: FloatArray, turns: bool = False) -> float:
    """The largest distance of any bone, and of a point a metre out where `turns`, at times."""
    places = []
    for pipeline in (a, b):
        model = down_chain(pipeline.rig.skeleton.parents, pipeline.sample_many(times).local)
        points = [model.translation]
        if turns:
            points += [quat.rotate(model.rotation, axis) for axis in np.eye(3)]
        places.append(np.stack(points))
    return float(np.linalg.norm(places[0] - places[1], axis=-1).max(initial=0.0))
