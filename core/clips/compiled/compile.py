"""Compiling: pack a clip's tracks so that no point of the body is further off than allowed.

Bones are fitted from the roots down, each to where it shall be *seen from its packed parent*, so
that a bone takes back what its parents got wrong in turning and errors do not add up along the
chain. Then everything is decompressed and measured in model space; where it is too far off, the
bones above get tighter bounds around that moment, and more bits, and are fitted again.
"""

import time as clock
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.clips.clip import Clip
from core.clips.compiled.check import Check
from core.clips.compiled.clip import COLUMNS, CompiledClip, transform_of
from core.clips.compiled.container import about_clip, stored_size, to_bytes
from core.clips.compiled.fit import Sampling, Wanted, fitted, still
from core.clips.compiled.options import CompileOptions, CompileReport, Saved
from core.clips.compiled.source import Source, sampled_source
from core.clips.compiled.tracks import Kind, Mode, PackedTrack, constant_value, evaluate
from core.errors import AnimError
from core.math import quat
from core.math.transform import Transform
from core.pose import kinematics
from core.progress import Progress, nothing
from core.rig.mesh import Mesh
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton

START = 0.45
"""Share of the allowed error that a bone may use up by itself, at first."""
BENT = 0.5
"""Share of the allowed error by which middles between frames may be off before keys may stand there, too."""
TRIES = 5
ROUNDS = 60
STUBBORN = 12
"""Rounds after which all bones above are tightened, not only the nearest."""
NEAREST = 3
"""How many turning bones above a bone that is off are tightened at first."""
PATIENCE = 3
"""Rounds after which rounding is at fault, too, and numbers get finer."""
STILL_TURN = 2e-7
STILL_MOVE = 2e-7
STILL_SHARE = 0.01
"""What moves no further than this, in quaternion components, metres or factors, or than this share of the
allowed error, never moves."""
EXTRA_SHARE = 1e-4
"""Allowed error of curves and morphs, as a share of their range."""
CHUNK = 512


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
    Cancelled
        From `progress`.
    """
    began = clock.perf_counter()
    chosen, tell = options or CompileOptions(), progress or nothing()
    source, clip = sampled_source(rig, clip, chosen.rate, meshes)
    work = _Work(rig, source, chosen)
    if source.sampling.stride > 1 and work.bent():
        source = replace(source, sampling=Sampling(source.sampling.times, 1), straight=False)
        work = _Work(rig, source, chosen)
    rounds = work.run(tell)
    extras = [_extra(source, number, chosen) for number in range(source.extras.shape[1])]
    tracks = (*work.packed(), *extras)
    compiled = CompiledClip(rig.skeleton, source.sampling.axis, tracks, about_clip(rig, clip))
    data = to_bytes(compiled)
    found = Check(rig, clip, chosen)(compiled, source.sampling.times)
    worst = int(np.argmax(work.errors))
    row, bone = divmod(worst, len(rig.skeleton)) if work.errors.size else (0, 0)
    raw = 40 * len(rig.skeleton) * source.frames
    return compiled, CompileReport(
        raw,
        stored_size(compiled),
        len(data),
        float(work.errors.max(initial=0.0)),
        float(work.errors.mean()) if work.errors.size else 0.0,
        rig.skeleton.names[bone] if len(rig.skeleton) else "",
        float(source.sampling.times[row]),
        clock.perf_counter() - began,
        rounds,
        _steps(tracks, len(source.sampling.axis), source.frames, raw, stored_size(compiled)),
        found.looked,
        found.random,
        found.largest,
    )


def _steps(tracks: Sequence[PackedTrack], ticks: int, frames: int, raw: int, final: int) -> tuple[Saved, ...]:
    """What the motion takes on every frame, as its keys in full floats, and packed.

    Each is a size of its own, not a step on the way to the next: keys stand between frames, too, and
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


def _extra(source: Source, number: int, options: CompileOptions) -> PackedTrack:
    values = source.extras[:, number : number + 1]
    span = float(np.ptp(values))
    if span <= 1e-9 and options.drop_still:
        return still(Kind.EXTRA, number, values[0])
    allowed = max(span, 1e-6) * EXTRA_SHARE
    return fitted(
        Wanted(
            Kind.EXTRA,
            number,
            values,
            np.full(len(values), allowed),
            allowed,
            1.0,
            options.reduce_keys,
            options.cubic and not source.straight,
            options.quantise,
        ),
        source.sampling,
    )


Mask = npt.NDArray[np.bool_]


class _Found(NamedTuple):
    """Tracks that hold the bound."""

    size: int
    tracks: list[dict[Kind, PackedTrack]]
    errors: FloatArray


class _Work:
    """Fits, measures, and fits again."""

    def __init__(self, rig: Rig, source: Source, options: CompileOptions) -> None:
        self.skeleton: Skeleton = rig.skeleton
        self.source, self.options = source, options
        count, bones = len(source.sampling.times), len(self.skeleton)
        self._chains = [np.array(kinematics.ancestors(self.skeleton, bone)) for bone in range(bones)]
        self._model = [
            kinematics.model_matrices(self.skeleton, Transform(*(part[rows] for part in source.local)))
            for rows in self._chunks()
        ]
        inner = np.unique(
            self.skeleton.parents[self.skeleton.parents >= 0]
        )  # only these scale what hangs on them
        uneven = np.abs(source.local.scale[:, inner] - 1.0).max(initial=0.0)
        self._carry = bool(uneven < 0.1 * options.metres)
        turned = kinematics.model_rotations(self.skeleton, source.local.rotation) if self._carry else None
        self._turned = turned
        self._placed = np.concatenate([part[:, :, :3, 3] for part in self._model])
        self.tight = np.ones((count, bones), np.float32)
        self.finer = np.ones(bones)
        self.share = START
        self.errors: FloatArray = np.zeros((count, bones))
        self._tracks: list[dict[Kind, PackedTrack]] = [{} for _ in range(bones)]
        self._still = self._find_still()
        self._far = self._carried()
        self._usual = self._first_bounds()
        self._main = self._main_children()
        still = np.concatenate((self.skeleton.rest.translation, self.skeleton.rest.rotation), axis=1)
        still = np.concatenate((still, self.skeleton.rest.scale), axis=1)
        self._pose = np.repeat(still[None], count, axis=0)

    def _chunks(self) -> list[slice]:
        return [slice(n, n + CHUNK) for n in range(0, len(self.source.sampling.times), CHUNK)]

    def _first_bounds(self) -> FloatArray:
        """Half angles ``(B,)`` that move what hangs on a bone by a share of what is allowed."""
        reach = np.full(len(self.skeleton), self.options.shell)
        for bone, parent in enumerate(self.skeleton.parents):
            above = self._carrier[bone]
            if parent >= 0 and self._carry:
                reach[above] = max(reach[above], self._far[bone].max())
            elif not self._carry:
                at = self._placed[:, bone]
                for above in self._chains[bone][:-1]:
                    far = np.linalg.norm(at - self._placed[:, above], axis=1).max()
                    reach[above] = max(reach[above], float(far))
        bounds: FloatArray = 0.5 * self.options.metres / reach
        return bounds

    def bent(self) -> bool:
        """Whether poses half way between keys leave the chord too far: angles that run straight do when fast."""
        kept = self._pose
        self._pose = np.concatenate(self.source.local, axis=2)
        turn = self._pose[:, :, 3:7]
        turn[1::2] = quat.normalise(turn[:-1:2] + turn[2::2])
        self._measure()
        self._pose = kept
        return bool(self.errors.max(initial=0.0) > BENT * self.options.metres)

    def _find_still(self) -> list[dict[Kind, FloatArray | None]]:
        """For each bone what never moves: its value, or None where that is the rest pose's."""
        found: list[dict[Kind, FloatArray | None]] = [{} for _ in range(len(self.skeleton))]
        if not self.options.drop_still:
            return found
        local, rest = self.source.local, self.skeleton.rest
        moves = max(STILL_MOVE, STILL_SHARE * self.options.metres)
        limits = ((Kind.TRANSLATION, moves), (Kind.ROTATION, STILL_TURN), (Kind.SCALE, moves))
        for bone in range(len(self.skeleton)):
            for kind, limit in limits:
                values = local[kind][:, bone]
                if float(np.ptp(values, axis=0).max()) > limit:
                    continue
                middle = values[0]
                resting = rest[kind][bone]
                if kind is Kind.ROTATION:
                    resting = quat.aligned(resting, middle)
                found[bone][kind] = None if np.abs(resting - middle).max() <= limit else middle
        return found

    # ------------------------------------------------------------------ rounds

    def run(self, tell: Progress) -> int:
        """Fit until the bound holds; gives the number of rounds.

        What is off grows about in line with the share of the bound that each bone may use up by
        itself: a few tries find the largest share that holds. Where none does, places are mended.
        """
        everything = np.ones(len(self.skeleton), bool)
        best: _Found | None = None
        for number in range(1, TRIES + 1):
            tell.report(0.1 * number, "compiling")
            self._fit(everything)
            self._measure()
            top = float(self.errors.max(initial=0.0))
            size = sum(track.cost(len(self.source.sampling.axis)) for track in self.packed())
            if top <= self.options.metres and (best is None or size < best.size):
                best = _Found(size, [dict(bone) for bone in self._tracks], np.array(self.errors))
            factor = min(max(0.97 * self.options.metres / max(top, 1e-12), 0.4), 1.7)
            if abs(factor - 1.0) < 0.04 or not size:
                break
            self.share *= factor
        if best is not None:
            self._tracks, self.errors = best.tracks, best.errors
            tell.report(1.0, "compiling")
            return number
        return number + self._mend(tell)

    def _mend(self, tell: Progress) -> int:
        """Tighten bounds where and when the clip is off, until it is not; gives the number of rounds."""
        self.share = min(self.share, START)
        stale = np.ones(len(self.skeleton), bool)
        for number in range(1, ROUNDS + 1):
            tell.report(1.0 - 1.0 / (1.0 + 0.3 * number), "compiling")
            self._fit(stale)
            self._measure()
            bad = self.errors > self.options.metres
            if not bad.any():
                tell.report(1.0, "compiling")
                return number
            stale = self._tighten(bad, number)
        raise AnimError(
            f"compile: {self.options.metres * 1e3:g} mm cannot be held on this clip "
            f"({self.errors.max() * 1e3:g} mm reached); allow more"
        )

    def _tighten(self, bad: Mask, number: int) -> Mask:
        """Tighter bounds above what is too far off, around the moments when it is; bones to fit again."""
        stale = np.zeros(len(self.skeleton), bool)
        spread = np.zeros_like(bad)
        near = 2 * self.source.sampling.stride
        parents = self.skeleton.parents
        first = np.array(bad)  # what is off by itself: not only because its parent is
        for bone in np.flatnonzero(parents >= 0):
            first[:, bone] &= ~bad[:, parents[bone]]
        for bone in np.flatnonzero(first.any(axis=0)):
            chain = self._chains[bone]
            moving = [
                above for above in chain if Kind.ROTATION not in self._still[above] or above == chain[0]
            ]
            for above in moving if number > STUBBORN else [*moving[-NEAREST:], bone]:
                spread[:, above] |= first[:, bone]
                stale[above] = True
        if number >= PATIENCE:
            self.finer[stale] *= 0.8
        for _ in range(near):
            spread[1:] |= spread[:-1]
            spread[:-1] |= spread[1:]
        self.tight[spread] *= 0.8
        return self.skeleton.descendants(np.flatnonzero(stale).tolist())

    def _measure(self) -> None:
        """Metres ``(S, B)``: the worst of each bone's four points at each sample."""
        shell = self.options.shell
        for rows, model in zip(self._chunks(), self._model, strict=True):
            made = kinematics.model_matrices(self.skeleton, transform_of(self._pose[rows]))
            moved = made - model
            place = moved[..., :3, 3]
            off = np.sqrt(np.square(place).sum(axis=-1))
            for axis in range(3):
                point = place + shell * moved[..., :3, axis]
                off = np.maximum(off, np.sqrt(np.square(point).sum(axis=-1)))
            self.errors[rows] = off

    # ------------------------------------------------------------------ fitting

    def _fit(self, stale: Mask) -> None:
        count = len(self.source.sampling.times)
        parents = self.skeleton.parents
        turned = np.empty((len(self.skeleton), count, 4))
        placed = np.empty((len(self.skeleton), count, 3))
        for bone in range(len(self.skeleton)):
            if stale[bone]:
                above = int(parents[bone])
                seen = None
                if self._carry and above >= 0:
                    seen = (turned[above], placed[above])
                self._fit_bone(bone, seen)
            if self._carry:
                mine = self._pose[:, bone]
                if parents[bone] < 0:
                    turned[bone], placed[bone] = mine[:, 3:7], mine[:, :3]
                else:
                    up, at = turned[parents[bone]], placed[parents[bone]]
                    turned[bone] = quat.multiply(up, mine[:, 3:7])
                    placed[bone] = at + quat.rotate(up, mine[:, :3])

    def _fit_bone(self, bone: int, seen: tuple[FloatArray, FloatArray] | None) -> None:
        translation, rotation, scale = (part[:, bone] for part in self.source.local)
        if seen is not None and self._turned is not None:
            back = quat.conjugate(seen[0])
            rotation = quat.aligned(quat.multiply(back, self._turned[:, bone]), rotation)
            translation = quat.rotate(back, self._placed[:, bone] - seen[1])
        self._fit_part(Kind.TRANSLATION, bone, translation)
        if seen is not None:
            rotation = self._aimed(bone, seen, rotation)
        self._fit_part(Kind.ROTATION, bone, rotation)
        self._fit_part(Kind.SCALE, bone, scale)

    def _aimed(self, bone: int, seen: tuple[FloatArray, FloatArray], rotation: FloatArray) -> FloatArray:
        """Local rotations that point at where the main child shall be, from where the bone has come to be."""
        child = int(self._main[bone])
        if child < 0 or self._turned is None or Kind.ROTATION in self._still[bone]:
            return rotation
        here = seen[1] + quat.rotate(seen[0], self._pose[:, bone, :3])
        there = self._placed[:, child]
        turn = quat.shortest_arc(there - self._placed[:, bone], there - here)
        model = quat.multiply(turn, self._turned[:, bone])
        return quat.aligned(quat.multiply(quat.conjugate(seen[0]), model), rotation)

    def _main_children(self) -> FloatArray:
        """The child ``(B,)`` furthest from each bone; −1 where none is far enough to aim at."""
        main = np.full(len(self.skeleton), -1)
        far = np.full(len(self.skeleton), self.options.shell)
        for bone, above in enumerate(self._carrier):
            if above >= 0 and self._far[bone].min() > far[above]:
                main[above], far[above] = bone, self._far[bone].min()
        return main

    def _carried(self) -> list[FloatArray]:
        """Metres ``(S,)`` from each bone to the nearest bone above it that turns, its `_carrier`."""
        self._carrier = np.full(len(self.skeleton), -1)
        far: list[FloatArray] = []
        for bone, chain in enumerate(self._chains):
            turning = [a for a in chain[:-1] if Kind.ROTATION not in self._still[a]]
            self._carrier[bone] = above = turning[-1] if turning else (chain[-2] if len(chain) > 1 else -1)
            off = self._placed[:, bone] - self._placed[:, above]
            far.append(np.sqrt(np.square(off).sum(axis=1)) if above >= 0 else np.zeros(len(off)))
        return far

    def _fit_part(self, kind: Kind, bone: int, values: FloatArray) -> None:
        tight = self.tight[:, bone].astype(np.float64)
        metres = self.options.metres * self.share
        if kind in self._still[bone]:
            value = self._still[bone][kind]
            if value is not None:
                self._put(still(kind, bone, value))
            return
        usual = metres * 0.5
        if kind is Kind.ROTATION:
            usual = float(self._usual[bone]) * self.share
        elif kind is Kind.SCALE:
            usual = metres / max(self._reach_of_scale(), self.options.shell)
        wanted = Wanted(
            kind,
            bone,
            values,
            usual * tight,
            usual,
            float(self.finer[bone]),
            self.options.reduce_keys,
            self.options.cubic and not self.source.straight,
            self.options.quantise,
        )
        self._put(fitted(wanted, self.source.sampling))

    def _reach_of_scale(self) -> float:
        return float(np.ptp(self._placed, axis=1).max())

    def _put(self, track: PackedTrack) -> None:
        self._tracks[track.index][track.kind] = track
        column = self._pose[:, track.index, COLUMNS[track.kind]]
        if track.mode is Mode.CONSTANT:
            column[:] = constant_value(track)
        else:
            column[:] = evaluate(track, self.source.sampling.axis, self.source.sampling.times)

    def packed(self) -> list[PackedTrack]:
        """All tracks, bone after bone."""
        return [bone[kind] for bone in self._tracks for kind in Kind if kind in bone]
