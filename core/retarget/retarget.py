"""Retargeting whole clips: map, alignment, transfer and locking in one go."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from core.arrays import FloatArray
from core.clips.additive import AdditiveSampler, put_on
from core.clips.bake import bake
from core.clips.clip import Additive, AdditiveBase, AdditiveSpace, Channel, Clip, Property, RootMotion
from core.errors import ValidationError
from core.ids import AssetId
from core.ik.bake import frame_times
from core.ik.keyed import setup_of
from core.ik.rigged import sample_many
from core.math.transform import Transform
from core.pose import additive, kinematics
from core.progress import Progress, nothing
from core.retarget.align import Alignment, Degrees, align, standing_frame, with_flat_feet
from core.retarget.chain_map import ChainMap, check_map, propose_map
from core.retarget.contacts import ContactSpan
from core.retarget.drift import levelled
from core.retarget.lock import LockOptions, Slip, find_contacts, held
from core.retarget.reach import with_reach
from core.retarget.report import ClipReport, worst_deviation
from core.retarget.transfer import Binding, TransferOptions, bind, transfer
from core.rig.rig import Rig
from core.tracks.keys import Track

LEAST_TOLD = 0.005
"""Metres of a floor's rise and fall that are worth a note: less is 0 cm."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a person may choose.

    Parameters
    ----------
    lock : None leaves feet as the transfer puts them
    reference : local transforms of the source to align from, instead of its rest or a frame found
    adjust : chain → degrees that its aligned rest is turned by on top; see `core.retarget.align.align`
    turns : chain → share of the alignment's own turn that is taken; see there
    level_floor : whether the slow rise and fall of a capture is taken out (`core.retarget.drift`)
    """

    transfer: TransferOptions = field(default_factory=TransferOptions)
    lock: LockOptions | None = field(default_factory=LockOptions)
    reference: Transform | None = None
    adjust: Mapping[str, Degrees] = field(default_factory=dict)
    turns: Mapping[str, float] = field(default_factory=dict)
    level_floor: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Carried:
    """A clip's poses on both figures, before they are keyed: all that a preview needs.

    Parameters
    ----------
    times : ``(T,)`` seconds, one a frame of the clip's rate
    source, local : local transforms of the source ``(T, Bs, k)`` and of the target ``(T, Bt, k)``
    contacts : spans that were held (or found and not held), in frames
    slip : None where nothing was held
    levelled : metres of drift taken out at most
    """

    times: FloatArray
    source: Transform
    local: Transform
    binding: Binding
    contacts: tuple[ContactSpan, ...]
    slip: Slip | None
    levelled: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Retargeted:
    """A clip for the target, and how it came out."""

    clip: Clip
    report: ClipReport
    binding: Binding


def usable_map(source: Rig, target: Rig, chains: ChainMap | None = None) -> ChainMap:
    """The map given, checked, or the proposal.

    Raises
    ------
    ValidationError
        The proposal is refused (quadruped to biped, no body), or the map cannot be used.
    """
    if chains is None:
        chains = propose_map(source.skeleton, target.skeleton)
        if chains.refused:
            raise ValidationError(f"{source.name!r} onto {target.name!r}: {chains.refused}")
    check_map(chains, source.skeleton, target.skeleton)
    return chains


def aligned(source: Rig, target: Rig, chains: ChainMap, local: Transform, options: Options) -> Alignment:
    """The alignment from the reference given, from the source's rest, or where that does not stand from a
    frame of the clip that looks most like the target's rest.
    """
    first, second = source.skeleton, target.skeleton
    if options.reference is not None:
        return align(first, second, chains, options.reference, False, options.adjust, options.turns)
    found = align(first, second, chains, adjust=options.adjust, turns=options.turns)
    if found.standing or first.names == second.names or not len(local.translation):
        return found
    frame = standing_frame(first, second, chains, local)
    pose = with_flat_feet(first, chains, local, frame)
    found = align(first, second, chains, pose, False, options.adjust, options.turns)
    return replace(found, standing=False)


def carry(
    source: Rig,
    clip: Clip,
    target: Rig,
    chains: ChainMap,
    options: Options | None = None,
    progress: Progress | None = None,
) -> Carried:
    """A clip's poses on the target; see `retarget_clip`, which keys them.

    Parameters
    ----------
    chains : a map that was checked, from `usable_map`
    """
    told, chosen = progress or nothing(), options or Options()
    told.report(0.0, f"sampling {clip.name}")
    times = frame_times(clip)
    own = sample_many(source, clip, times, wrap=False).local
    told.report(0.4, f"retargeting {clip.name}")
    fps = float(clip.rate.fps)
    alignment = aligned(source, target, chains, own, chosen)
    binding = bind(source.skeleton, target.skeleton, chains, alignment, chosen.transfer)
    drift = 0.0
    if chosen.level_floor:
        own, drift = levelled(binding, own, fps)
    local, slip = transfer(binding, own, chosen.transfer), None
    if chosen.transfer.arm_reach > 0.0:
        local = with_reach(binding, own, local, chosen.transfer.arm_reach)
    told.report(0.7, f"holding feet of {clip.name}")
    options_of = chosen.lock or LockOptions()
    contacts = find_contacts(binding, kinematics.to_model(source.skeleton, own), fps, options_of)
    if chosen.lock is not None and len(times) > 1:
        offset = chosen.transfer.floor_offset
        spans = replace(chosen.lock, spans=contacts)
        local, slip = held(binding, own, local, fps, spans, floor_offset=offset, looping=clip.looping)
    return Carried(times, own, local, binding, contacts, slip, drift)


def retarget_clip(
    source: Rig,
    clip: Clip,
    target: Rig,
    chains: ChainMap | None = None,
    options: Options | None = None,
    *,
    id: AssetId,
    progress: Progress | None = None,
    bases: Sequence[Clip] = (),
) -> Retargeted:
    """A clip made for one rig, made for another.

    Keys stand on the frames of the clip's rate, rotations on mapped bones, translations on root and
    hips only. Named curves, notifies and markers go along; morphs and keyed IK goals do not. Of an
    additive clip no feet are held, which are its base's; one that is additive to another clip
    becomes the same difference from the rest pose.

    Parameters
    ----------
    bases : clips among which the base of an additive clip is looked up

    Raises
    ------
    ValidationError
        The map is refused, empty or mirrored.
    MissingReferenceError
        The base clip of an additive clip is not among `bases`.
    """
    told, chosen, began = progress or nothing(), options or Options(), time.perf_counter()
    if clip.additive is not None:
        chosen = replace(chosen, lock=None, transfer=replace(chosen.transfer, arm_reach=0.0))
    used = usable_map(source, target, chains)
    done = carry(source, clip, target, used, chosen, told.part(0.0, 0.8))
    told.report(0.8, f"keying {clip.name}")
    binding = done.binding
    local, declared = _as_difference(source, clip, target, done, bases, chosen)
    tracks = _tracks(target, binding, done.times, local)
    result = replace(
        clip,
        id=id,
        rig=target.id,
        tracks=tracks,
        curves={name: track for name, track in clip.curves.items() if setup_of(name) is None},
        morphs={},
        additive=declared,
        retarget_source=None,
        root_motion=_root_motion(clip, binding),
    )
    report = ClipReport(
        source.name,
        clip.name,
        len(done.times),
        len(used.chains),
        binding.scale,
        done.slip,
        worst_deviation(binding, done.source, done.local),
        time.perf_counter() - began,
        notes=tuple(_notes(clip, used, done, chosen)),
        contacts=done.contacts,
    )
    told.report(1.0, clip.name)
    return Retargeted(result, report, binding)


def _as_difference(
    source: Rig, clip: Clip, target: Rig, done: Carried, bases: Sequence[Clip], options: Options
) -> tuple[Transform, Additive | None]:
    """Poses and declaration of the target's clip: a base that is another clip's is brought to the rest pose."""
    declared = clip.additive
    if declared is None or declared.base_clip in (None, clip.id):
        return done.local, declared
    if declared.base not in (AdditiveBase.CLIP, AdditiveBase.FRAME):
        return done.local, replace(declared, base_clip=None)
    sampler = AdditiveSampler(source, clip, {base.id: base for base in bases})
    base = transfer(done.binding, sampler.base(done.times).local, options.transfer)
    rest = Transform(
        *(np.broadcast_to(part, np.shape(b)) for part, b in zip(target.skeleton.rest, base, strict=True))
    )
    if declared.space is AdditiveSpace.MODEL:
        delta = additive.difference_model(target.skeleton, done.local, base)
    else:
        delta = additive.difference(done.local, base)
    return put_on(target.skeleton, rest, delta, declared.space), Additive(declared.space, AdditiveBase.REST)


def _tracks(target: Rig, binding: Binding, times: FloatArray, local: Transform) -> dict[Channel, Track]:
    skeleton = target.skeleton
    turned = bake(skeleton, times, local, bones=binding.mapped(), properties=(Property.ROTATE,))
    moved = bake(skeleton, times, local, bones=binding.moved(), properties=(Property.TRANSLATE,))
    return {**turned, **moved}


def _root_motion(clip: Clip, binding: Binding) -> RootMotion:
    """The clip's settings with the root's name in the target; off where the target has no such bone."""
    settings = clip.root_motion
    if settings.bone is None:
        return settings
    for pair in binding.chains.chains:
        if settings.bone in pair.source:
            return replace(settings, bone=pair.target[0])
    return replace(settings, bone=None, enabled=False)


def _notes(clip: Clip, chains: ChainMap, done: Carried, options: Options) -> list[str]:
    notes = list(chains.notes)
    if not done.binding.alignment.standing and options.reference is None:
        notes.append("the source's rest is no standing pose: a frame of the clip was taken instead")
    if done.levelled >= LEAST_TOLD:
        notes.append(f"the floor rose and fell by up to {done.levelled * 100.0:.0f} cm and was levelled")
    if clip.morphs:
        notes.append(f"{len(clip.morphs)} morph curves were left out")
    goals = sum(setup_of(name) is not None for name in clip.curves)
    if goals:
        notes.append(f"{goals} keys of IK goals are in the rotations now")
    return notes
