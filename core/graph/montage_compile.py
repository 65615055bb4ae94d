"""Compiling the montages that a graph can play: those of its rig with a track for one of its slots."""

from collections.abc import Sequence
from dataclasses import replace

from core.arrays import FloatArray
from core.blending.easing import Easing
from core.blending.layers import mask_weights
from core.clips.additive import AdditiveSampler
from core.clips.clip import Clip, Notify
from core.errors import AnimError, ValidationError
from core.graph.clip_montages import ClipMontages, Make
from core.graph.compiler import Compiler
from core.graph.language.compiler import compile_expression
from core.graph.language.syntax import ExpressionError
from core.graph.language.values import BOOL
from core.graph.montage import Montage, MontageBlend, Section, Segment, SlotTrack
from core.graph.montage_plan import MontagePlan, SegmentPlan, Source, TrackPlan
from core.graph.montages import MontagesOp
from core.graph.notifying import NO_CONDITION, Notifier
from core.timing import TIME_EPSILON
from core.tracks.keys import ScalarTrack


def compile_montages(c: Compiler) -> MontagesOp | None:
    """The op that runs them, or None where there are none."""
    slots = set(c.graph.slots)
    found = [
        montage
        for montage in c.project.all(Montage)
        if montage.rig == c.rig.id and any(montage.slot_name(track) in slots for track in montage.tracks)
    ]
    clips = [clip for clip in c.project.clips if clip.rig == c.rig.id] if slots else []
    if not found and not clips:
        return None
    c.used.update((asset.id, asset) for asset in (*found, *clips))
    names = [montage.name for montage in found]
    for name in dict.fromkeys(name for name in names if names.count(name) > 1):
        c.warn(f"several montages are named {name!r}: the last one plays", "", "")
    number = len(c.ops)
    plans = [_plan(c, montage, number) for montage in found]
    on_the_fly = ClipMontages(clips, c.graph.slots, _clip_maker(c, clips, number))
    c.add(lambda at: MontagesOp(at, [plan for plan in plans if plan is not None], on_the_fly), "")
    op = c.ops[number]
    assert isinstance(op, MontagesOp)
    return op


def conditions(c: Compiler, notifies: Sequence[Notify], sheet: str, node: str) -> list[int]:
    """The register of the condition of each notify."""
    return [
        c.expression(notify.rule.condition, BOOL, sheet, node, f"while of {notify.name}").register
        if notify.rule.condition.strip()
        else NO_CONDITION
        for notify in notifies
    ]


def _clip_maker(c: Compiler, clips: Sequence[Clip], number: int) -> Make:
    """What makes the montage of a clip in a slot; the conditions of their notifies are compiled now."""
    registers: dict[str, list[int]] = {}
    wrong: dict[str, str] = {}
    for found in clips:
        try:
            registers[found.id] = [_condition(c, notify) for notify in found.notifies]
        except ExpressionError as error:  # a graph that never plays it must not be refused for it
            wrong[found.id] = error.reason

    def make(clip: Clip, slot: str) -> MontagePlan:
        if clip.id in wrong:
            raise ValidationError(
                f"clip {clip.name!r}: a condition of its notifies is wrong: {wrong[clip.id]}"
            )
        group, _, name = slot.partition(".")
        track = SlotTrack(name, (Segment(clip.id, 0.0, 0.0, clip.length),))
        montage = Montage(clip.id, clip.name, c.rig.id, group, (track,))
        evaluator = c.evaluator(clip)
        deltas = AdditiveSampler(c.rig, clip, c.clips, evaluator) if clip.additive is not None else None
        notifier = Notifier(clip.name, clip.notifies, clip.length, False, registers[clip.id])
        segment = SegmentPlan(track.segments[0], evaluator, deltas, notifier, 0)
        space = clip.additive.space if clip.additive is not None else None
        plan = TrackPlan(name, (segment,), space)
        own = Notifier(clip.name, (), clip.length, False)
        source = Source(number, clip.id)
        return MontagePlan(montage, source, (Section("all", 0.0),), (plan,), own, (None, None))

    return make


def _condition(c: Compiler, notify: Notify) -> int:
    text = notify.rule.condition.strip()
    return compile_expression(text, c.scope, c.builder, BOOL, len(c.ops)).register if text else NO_CONDITION


def _plan(c: Compiler, montage: Montage, number: int) -> MontagePlan | None:
    source = Source(number, montage.id)
    if montage.length <= 0.0:
        c.fault(f"montage {montage.name!r} has no segment", "", montage.id)
        return None
    own = Notifier(
        montage.name, montage.notifies, montage.length, False, conditions(c, montage.notifies, "", montage.id)
    )
    ints, tracks = own.size, []
    for track in montage.tracks:
        made = _track(c, montage, track, ints)
        if made is None:
            return None
        ints += sum(segment.notifier.size for segment in made.segments)
        tracks.append(made)
    sections = playable_sections(montage)
    for section in montage.sections:
        if section.start >= montage.length:
            c.warn(
                f"montage {montage.name!r}: section {section.name!r} begins at {section.start:g} s, where the montage "
                "is over: it never plays", "", montage.id,
            )  # fmt: skip
    blends = (_map(c, montage, montage.blend_in.easing), _map(c, montage, montage.blend_out.easing))
    profiles = (_profile(c, montage, montage.blend_in), _profile(c, montage, montage.blend_out))
    return MontagePlan(montage, source, sections, tuple(tracks), own, blends, profiles)


def _profile(c: Compiler, montage: Montage, blend: MontageBlend) -> FloatArray | None:
    """The factors of a blend by bone; None where they are 1."""
    if not blend.profile:
        return None
    try:
        factors = mask_weights(c.rig, blend.profile)
    except AnimError as error:
        c.fault(f"montage {montage.name!r}: profile: {error}", "", montage.id)
        return None
    return None if (factors == 1.0).all() else factors


def playable_sections(montage: Montage) -> tuple[Section, ...]:
    """The sections that begin before the montage is over; one of the whole where it has none."""
    kept = [section for section in montage.sections if section.start < montage.length]
    names = {section.name for section in kept}
    found = tuple(replace(section, next=section.next if section.next in names else "") for section in kept)
    return found or (Section("all", 0.0),)


def _map(c: Compiler, montage: Montage, easing: Easing) -> ScalarTrack | None:
    track = c.graph.maps.get(easing.curve) if easing.curve else None
    if easing.curve and track is None:
        c.fault(f"the graph has no map {easing.curve!r} for the easing of {montage.name!r}", "", montage.id)
    return track


def _track(c: Compiler, montage: Montage, track: SlotTrack, ints: int) -> TrackPlan | None:
    segments = []
    for segment in track.segments:
        made = _segment(c, montage, segment, ints)
        if made is None:
            return None
        ints += made.notifier.size
        segments.append(made)
    kinds = {s.evaluator.clip.additive.space if s.evaluator.clip.additive else None for s in segments}
    if len(kinds) != 1:
        what = "has no segment" if not kinds else "mixes additive and other clips, or spaces of additive ones"
        c.fault(f"montage {montage.name!r}: slot {track.slot!r} {what}", "", montage.id)
        return None
    return TrackPlan(track.slot, tuple(segments), kinds.pop())


def _segment(c: Compiler, montage: Montage, segment: Segment, ints: int) -> SegmentPlan | None:
    clip: Clip | None = c.clips.get(segment.clip)
    if clip is None or clip.rig != c.rig.id:
        what = "is not in the project" if clip is None else f"({clip.name!r}) is for another rig"
        c.fault(f"montage {montage.name!r}: the clip at {segment.place:g} s {what}", "", montage.id)
        return None
    if segment.end > clip.length + TIME_EPSILON:
        c.warn(
            f"montage {montage.name!r} plays {clip.name!r} up to {segment.end:g} s, which has only {clip.length:g} s",
            "", montage.id,
        )  # fmt: skip
    evaluator = c.evaluator(clip)
    deltas = None
    if clip.additive is not None:
        try:
            deltas = AdditiveSampler(c.rig, clip, c.clips, evaluator)
        except AnimError as error:
            c.fault(str(error), "", montage.id)
    inside = [n for n in clip.notifies if segment.begin <= n.time <= segment.end]
    notifier = Notifier(clip.name, inside, clip.length, False, conditions(c, inside, "", montage.id))
    return SegmentPlan(segment, evaluator, deltas, notifier, ints)
