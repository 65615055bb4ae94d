"""Compiling: pack a clip's tracks so that no point of the body is ever further off than allowed."""

import time as clock
from collections.abc import Sequence

from core.clips.clip import Clip
from core.clips.compiled.check import Check
from core.clips.compiled.clip import CompiledClip
from core.clips.compiled.container import about_clip, stored_size, to_bytes
from core.clips.compiled.options import CompileOptions, CompileReport, Saved
from core.clips.compiled.search import Search
from core.clips.compiled.source import Sampler
from core.clips.compiled.tracks import Kind, Mode, PackedTrack
from core.progress import Progress, nothing
from core.rig.mesh import Mesh
from core.rig.rig import Rig


def compile_clip(
    rig: Rig,
    clip: Clip,
    options: CompileOptions | None = None,
    meshes: Sequence[Mesh] = (),
    progress: Progress | None = None,
) -> tuple[CompiledClip, CompileReport]:
    """Compile a clip; the same clip and options give the same bytes.

    Parameters
    ----------
    meshes : give morphs without tracks their defaults

    Raises
    ------
    ValidationError
        Far too many frames.
    AnimError
        The bound cannot be held, whatever keys are taken.
    Cancelled
        From `progress`.
    """
    began = clock.perf_counter()
    chosen, tell = options or CompileOptions(), progress or nothing()
    sampler = Sampler(rig, clip, chosen, meshes)
    check = Check(rig, sampler.clip, chosen, sampler.straight)
    search = Search(rig.skeleton, sampler, check, chosen, about_clip(rig, sampler.clip))
    compiled, found, rounds = search.run(tell)
    frames = round(sampler.clip.frames) + 1
    raw, motion = 40 * len(rig.skeleton) * frames, stored_size(compiled)
    return compiled, CompileReport(
        raw,
        motion,
        len(to_bytes(compiled)),
        found.largest,
        found.mean,
        rig.skeleton.names[found.bone] if len(rig.skeleton) else "",
        found.time,
        clock.perf_counter() - began,
        rounds,
        _steps(compiled.tracks, len(compiled.axis), frames, raw, motion),
        found.times,
        found.random,
    )


def _steps(tracks: Sequence[PackedTrack], ticks: int, frames: int, raw: int, final: int) -> tuple[Saved, ...]:
    """What the motion takes on every frame, as its keys in full floats, and packed.

    Each is a size of its own, not a step on the way to the next: keys are between frames, too, and
    cubic ones have slopes, so that in full floats they may take more than a value on each frame.
    """
    width = {Kind.TRANSLATION: 3, Kind.ROTATION: 4, Kind.SCALE: 3, Kind.EXTRA: 1}
    still_bytes = sum(4 * width[t.kind] for t in tracks if t.mode is Mode.CONSTANT)
    moving = [t for t in tracks if t.mode is not Mode.CONSTANT]
    every = still_bytes + sum(4 * width[t.kind] * frames for t in moving)
    keys = still_bytes
    for track in moving:
        slopes = 2 if track.mode is Mode.CUBIC else 1
        keys += len(track.ticks) * (4 * width[track.kind] * slopes + (0 if len(track.ticks) == ticks else 2))
    return (
        Saved("what moves, a value on every frame as full floats", every),
        Saved("the keys kept, between frames and slopes too, as full floats", keys),
        Saved("the same keys in fewer bits", final),
    )
