"""Retargeting whole clips: map, alignment, transfer and locking in one go."""

import time
from dataclasses import dataclass, field, replace

import numpy as np

from core.arrays import FloatArray
from core.clips.bake import bake
from core.clips.clip import AdditiveBase, Channel, Clip, Property, RootMotion
from core.errors import UnsupportedError, ValidationError
from core.ids import AssetId
from core.ik.bake import frame_times
from core.ik.keyed import setup_of
from core.ik.rigged import RiggedEvaluator
from core.math.transform import Transform
from core.progress import Progress, nothing
from core.retarget.align import Alignment, align, standing_frame, with_flat_feet
from core.retarget.chain_map import ChainMap, check_map, propose_map
from core.retarget.lock import LockOptions, held
from core.retarget.report import ClipReport, worst_deviation
from core.retarget.transfer import Binding, TransferOptions, bind, transfer
from core.rig.rig import Rig
from core.tracks.keys import Track


@dataclass(frozen=True, slots=True)
class Options:
    """What a person may choose.

    Parameters
    ----------
    lock : None leaves feet as the transfer puts them
    reference : local transforms of the source to align from, instead of its rest or a frame found
    """

    transfer: TransferOptions = field(default_factory=TransferOptions)
    lock: LockOptions | None = field(default_factory=LockOptions)
    reference: Transform | None = None


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
        return align(first, second, chains, options.reference, turned=False)
    found = align(first, second, chains)
    if found.standing or first.names == second.names or not len(local.translation):
        return found
    frame = standing_frame(first, second, chains, local)
    pose = with_flat_feet(first, chains, local, frame)
    return replace(align(first, second, chains, pose, turned=False), standing=False)


def retarget_clip(
    source: Rig,
    clip: Clip,
    target: Rig,
    chains: ChainMap | None = None,
    options: Options | None = None,
    *,
    id: AssetId,
    progress: Progress | None = None,
) -> Retargeted:
    """A clip made for one rig, made for another.

    Keys stand on the frames of the clip's rate, rotations on mapped bones, translations on root and
    hips only. Named curves, notifies and markers go along; morphs and keyed IK goals do not.

    Raises
    ------
    ValidationError
        The map is refused, empty or mirrored.
    UnsupportedError
        The clip is additive to another clip.
    """
    told, chosen, began = progress or nothing(), options or Options(), time.perf_counter()
    used = usable_map(source, target, chains)
    if clip.additive is not None and clip.additive.base is AdditiveBase.CLIP:
        raise UnsupportedError(
            f"clip {clip.name!r} is additive to another clip: retarget both as they are, then declare it anew"
        )
    told.report(0.0, f"sampling {clip.name}")
    times = frame_times(clip)
    batch = RiggedEvaluator(source, clip).sample_many(times, wrap=False)
    told.report(0.3, f"retargeting {clip.name}")
    alignment = aligned(source, target, used, batch.local, chosen)
    binding = bind(source.skeleton, target.skeleton, used, alignment, chosen.transfer)
    local, slip = transfer(binding, batch.local, chosen.transfer), None
    if chosen.lock is not None and len(times) > 1:
        told.report(0.6, f"holding feet of {clip.name}")
        local, slip = held(binding, batch.local, local, clip.rate.fps, chosen.lock)
    told.report(0.8, f"keying {clip.name}")
    tracks = _tracks(target, binding, times, local)
    result = replace(
        clip,
        id=id,
        rig=target.id,
        tracks=tracks,
        curves={name: track for name, track in clip.curves.items() if setup_of(name) is None},
        morphs={},
        retarget_source=None,
        root_motion=_root_motion(clip, binding),
    )
    report = ClipReport(
        source.name,
        clip.name,
        len(times),
        len(used.chains),
        binding.scale,
        slip,
        worst_deviation(binding, batch.local, local),
        time.perf_counter() - began,
        notes=tuple(_notes(clip, used, alignment, chosen)),
    )
    told.report(1.0, clip.name)
    return Retargeted(result, report, binding)


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


def _notes(clip: Clip, chains: ChainMap, alignment: Alignment, options: Options) -> list[str]:
    notes = list(chains.notes)
    if not alignment.standing and options.reference is None:
        notes.append("the source's rest is no standing pose: a frame of the clip was taken instead")
    if clip.morphs:
        notes.append(f"{len(clip.morphs)} morph curves were left out")
    goals = sum(setup_of(name) is not None for name in clip.curves)
    if goals:
        notes.append(f"{goals} keys of IK goals are in the rotations now")
    return notes
