"""Fewer keys for a whole clip within a distance in model space, measured at bones and at the body's shell."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, cast

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray, row_lengths
from core.clips.clip import Channel, Clip, Property
from core.clips.sample import ClipEvaluator
from core.errors import ValidationError
from core.math.threads import spread
from core.math.transform import Transform
from core.pose import kinematics
from core.progress import Progress, nothing
from core.rig.mesh import Mesh
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from core.tracks.keys import ScalarTrack, Track
from core.tracks.places import KeyPlaces, Places
from core.tracks.reduce import Share, is_sampled, reduced, reduced_rotation

TRIES = 4
"""How often everything is fitted again to find how much each bone may use up by itself."""
USUAL = 98.0
"""Per cent of all frames that must hold by that alone; the others are corrected."""
ROUNDS = 24
NEAREST, STUBBORN = 3, 8
"""Bones above one that is off that are mended first; rounds after which it is all above."""
FIRMER = 0.65
SPREAD = 4
"""Measured times on either side of one that is off which are held tighter, too."""
BONES_ASIDE = 4
"""Fewest bones that are worth a thread."""
CHUNK = 512
KEPT_PLACES = 3_000_000
"""Bones times measured times up to which the places before are kept (400 MB); beyond, they are found each time."""
BARE_SHELL = 0.05
"""Metres from a bone at which its turning is measured where neither mesh nor child tells more."""


class Reduction(NamedTuple):
    """A reduced clip and what it cost.

    Parameters
    ----------
    before, after : keys of all tracks
    metres : largest distance of any measured point from where it was
    bone, time : where and when
    """

    clip: Clip
    before: int
    after: int
    metres: float
    bone: str
    time: float


def reduce_clip(
    rig: Rig,
    clip: Clip,
    metres: float,
    meshes: Sequence[Mesh] = (),
    channels: Collection[Channel] | None = None,
    progress: Progress | None = None,
    places: KeyPlaces = KeyPlaces.OWN,
) -> Reduction:
    """Take keys away as long as every bone and shell point stays within a distance of where it was.

    Each track gets a tolerance from the reach of its descendants, scaled alike for all until most frames
    hold; then the tracks above each point that is too far off are held tighter around the moment when it
    is, until none is. That is measured in model space at every frame and between frames (sampled motion:
    at its samples; nobody knows what was between them). Curves and morphs stay as they are.

    Parameters
    ----------
    metres : allowed distance, above 0
    meshes : their vertices give the shell; without them three points beside each bone
    channels : only these are reduced; None is all
    places : where keys may stand; without more they stay on the times where each track has some

    Raises
    ------
    ValidationError
        The distance is not above 0.
    Cancelled
        From `progress`.
    """
    if not metres > 0.0:
        raise ValidationError(f"key reduction: expected a distance above 0 m, got {metres}")
    tell = progress or nothing()
    chosen = [
        c
        for c in clip.tracks
        if (channels is None or c in channels) and rig.skeleton.find(c.bone) is not None
    ]
    work = _Work(rig, clip, metres, chosen, shell_points(rig.skeleton, meshes), tell, places)
    best, errors = work.run()
    row, column = divmod(int(np.argmax(errors)), errors.shape[1]) if errors.size else (0, 0)
    before = sum(len(t) for t in clip.tracks.values())
    after = sum(len(t) for t in best.tracks.values())
    tell.report(1.0, "reducing keys")
    worst = float(errors.max(initial=0.0))
    return Reduction(best, before, after, worst, rig.skeleton.names[column], float(work.times[row]))


class _Work:
    """Fits, measures, and fits again what is too far off."""

    def __init__(
        self,
        rig: Rig,
        clip: Clip,
        metres: float,
        chosen: list[Channel],
        shell: FloatArray,
        tell: Progress,
        places: KeyPlaces,
    ) -> None:
        self.places = Places(places, clip.rate)
        self.skeleton, self.clip, self.metres, self.tell = rig.skeleton, clip, metres, tell
        self.times = _times(clip, chosen)
        self.reach = reaches(self.skeleton, shell)
        self.measure = _Measure(rig, clip, self.times, shell, tell)
        self.share = 1.0
        self.tight = np.ones((len(self.times), len(self.skeleton)))
        self.mended = np.zeros(len(self.skeleton), bool)
        self.channels: dict[int, list[Channel]] = {}
        for channel in chosen:
            self.channels.setdefault(self.skeleton.index(channel.bone), []).append(channel)
        self.made: dict[Channel, Track] = {}

    def run(self) -> tuple[Clip, FloatArray]:
        """The reduced clip and its errors ``(T, B)`` in metres."""
        every = set(self.channels)
        for number in range(TRIES):
            self._fit(every, number / TRIES * 0.6, 0.6 / TRIES)
            errors = self.measure.errors(self._made_clip(), self.tell)
            usual = float(np.percentile(errors.max(axis=1, initial=0.0), USUAL)) if errors.size else 0.0
            factor = min(max(self.metres / max(usual, 1e-12), 0.25), 3.0)
            if abs(factor - 1.0) < 0.08 or number == TRIES - 1:
                break
            self.share *= factor
        for number in range(ROUNDS):
            bad = errors > self.metres
            if not bad.any():
                return self._made_clip(), errors
            stale = self._tighten(bad, number)
            self._fit(stale, 1.0 - 0.4 / (1.0 + 0.3 * number), 0.02)
            errors = self.measure.errors(self._made_clip(), self.tell, stale)
        return self._kept(errors)

    def _made_clip(self) -> Clip:
        return self.clip.with_tracks(cast(Mapping[Channel, Track | None], self.made))

    def _fit(self, bones: Collection[int], done: float, part: float) -> None:
        """Reduce the tracks of some bones within their share of the distance."""
        order = sorted(bones)

        def some(side: int, part_of: slice) -> None:
            for place in range(part_of.start, part_of.stop):
                if side == 0:
                    self.tell.report(done + part * place / part_of.stop, "reducing keys")
                elif self.tell.cancelled:
                    return
                self._fit_bone(order[place])

        spread(some, slice(0, len(order)), BONES_ASIDE)
        self.tell.report(done + part, "reducing keys")

    def _fit_bone(self, bone: int) -> None:
        share = self._share_of(bone) if self.mended[bone] else None
        for channel in self.channels[bone]:
            tolerance = self._tolerance(channel, bone)
            track = self.clip.tracks[channel]
            seeds = self.made[channel].times if share is not None else None
            if isinstance(track, ScalarTrack):
                self.made[channel] = reduced(track, tolerance, share=share, seeds=seeds, places=self.places)
            else:
                self.made[channel] = reduced_rotation(track, tolerance, share, seeds, self.places)

    def _share_of(self, bone: int) -> Share:
        """What a bone is allowed at any times: as at the tighter of the two measured times beside each."""
        tight, stops = self.tight[:, bone], self.times
        beside = np.minimum(tight, np.concatenate((tight[:1], tight[:-1])))

        def share(times: FloatArray) -> FloatArray:
            if len(times) == len(stops) and np.array_equal(times, stops):
                return beside
            tighter: FloatArray = beside[np.clip(np.searchsorted(stops, times), 0, len(stops) - 1)]
            return tighter

        return share

    def _tolerance(self, channel: Channel, bone: int) -> float:
        """In the track's units: half the distance at `share` 1, for what is above and below errs, too."""
        metres = self.metres * self.share * 0.5
        if channel.property is Property.TRANSLATE:
            return metres
        tolerance = metres / max(float(self.reach[bone]), 1e-3)
        return float(np.degrees(tolerance)) if channel.property is Property.ROTATE else tolerance

    def _tighten(self, bad: npt.NDArray[np.bool_], number: int) -> set[int]:
        """Hold what is above a bone that is off tighter around that moment; the bones to fit again."""
        stale: set[int] = set()
        spread = np.zeros_like(bad)
        parents = self.skeleton.parents
        first = np.array(bad)  # what is off by itself: not only because its parent is
        for bone in np.flatnonzero(parents >= 0):
            first[:, bone] &= ~bad[:, parents[bone]]
        for bone in np.flatnonzero(first.any(axis=0)):
            chain = [a for a in kinematics.ancestors(self.skeleton, int(bone)) if a in self.channels]
            for above in chain if number >= STUBBORN else chain[-NEAREST:]:
                spread[:, above] |= first[:, bone]
                stale.add(above)
        for _ in range(SPREAD):
            spread[1:] |= spread[:-1]
            spread[:-1] |= spread[1:]
        self.tight[spread] *= FIRMER
        self.mended[list(stale)] = True
        return stale

    def _kept(self, errors: FloatArray) -> tuple[Clip, FloatArray]:
        """What cannot be held keeps its own keys, from the roots to whatever is off."""
        while (off := np.flatnonzero(errors.max(axis=0) > self.metres)).size:
            kept = {a for bone in off for a in kinematics.ancestors(self.skeleton, int(bone))}
            changed = False
            for bone in kept & set(self.channels):
                for channel in self.channels[bone]:
                    changed |= self.made[channel] is not self.clip.tracks[channel]
                    self.made[channel] = self.clip.tracks[channel]
            errors = self.measure.errors(self._made_clip(), self.tell)
            if not changed:
                break
        return self._made_clip(), errors


def _times(clip: Clip, channels: Collection[Channel]) -> FloatArray:
    """Key times where all is sampled motion (what was between the samples, nobody knows), else frames and halves."""
    tracks = [clip.tracks[channel] for channel in channels]
    if tracks and all(is_sampled(track) for track in tracks):
        shared = {id(track.times): track.times for track in tracks}
        return np.unique(np.concatenate(list(shared.values())))
    end = max(clip.length, clip.last_key())
    count = max(1, round(clip.rate.to_frame(end) * 2.0))
    return np.linspace(0.0, end, count + 1)


def shell_points(skeleton: Skeleton, meshes: Sequence[Mesh] = ()) -> FloatArray:
    """Points ``(B, 7, 3)`` in each bone's own space: the bone, and the ends of what it carries on six sides."""
    points = np.zeros((len(skeleton), 7, 3))
    spread = np.full(len(skeleton), BARE_SHELL)
    for bone, parent in enumerate(skeleton.parents):
        if parent >= 0:
            length = float(np.linalg.norm(skeleton.rest.translation[bone]))
            spread[parent] = max(spread[parent], min(length, 0.5) * 0.5)
    for axis in range(3):
        points[:, 1 + 2 * axis, axis] = spread
        points[:, 2 + 2 * axis, axis] = -spread
    for mesh in meshes:
        bones = kinematics.joint_bones(mesh, skeleton)
        for joint, bone in enumerate(bones):
            mine = ((mesh.influences == joint) & (mesh.weights > 0.25)).any(axis=1)
            if not mine.any():
                continue
            matrix = mesh.inverse_bind[joint]
            local = mesh.positions[mine].astype(np.float64) @ matrix[:3, :3].T + matrix[:3, 3]
            ends = np.stack((local.argmax(axis=0), local.argmin(axis=0)), axis=1).ravel()
            candidates, held = local[ends], points[bone, 1:7]
            farther = np.linalg.norm(candidates, axis=1) > np.linalg.norm(held, axis=1)
            held[farther] = candidates[farther]
    return points


def reaches(skeleton: Skeleton, shell: FloatArray) -> FloatArray:
    """Metres from each bone to the furthest point of the shell that it moves, in the rest pose ``(B,)``."""
    model = kinematics.model_matrices(skeleton, skeleton.rest)
    world = np.einsum("bij,bpj->bpi", model[:, :3, :3], shell) + model[:, None, :3, 3]
    reach = np.zeros(len(skeleton))
    for bone in range(len(skeleton)):
        chain = list(kinematics.ancestors(skeleton, bone))  # at once: a chain of 300 bones has 45,000 pairs
        far = row_lengths(world[bone] - model[chain, None, :3, 3]).max(axis=1)
        reach[chain] = np.maximum(reach[chain], far)
    return reach


class _Measure:
    """Distances of a clip's points from where the first clip has them."""

    def __init__(self, rig: Rig, clip: Clip, times: FloatArray, shell: FloatArray, tell: Progress) -> None:
        self._evaluator = ClipEvaluator(rig, clip)
        self._skeleton, self._own_rest = rig.skeleton, clip.retarget_source is None
        self._times, self._shell = times, shell
        kept = len(times) * len(shell) <= KEPT_PLACES
        self._before = [self._models(self._evaluator, part, tell) for part in self._parts()] if kept else None
        self._local: Transform | None = None

    def _parts(self) -> list[FloatArray]:
        return [self._times[n : n + CHUNK] for n in range(0, len(self._times), CHUNK)]

    def errors(self, clip: Clip, tell: Progress, bones: Collection[int] | None = None) -> FloatArray:
        """Metres ``(T, B)``: the worst point of each bone at each time.

        Parameters
        ----------
        bones : those whose tracks differ from the clip measured before; None is any
        """
        if bones is not None and self._before is not None and self._own_rest:
            return self._errors_of(clip, tell, bones, self._before)
        self._local = None
        evaluator = self._evaluator.updated(clip)
        rows: list[FloatArray] = []
        for number, part in enumerate(self._parts()):
            before = self._before[number] if self._before else self._models(self._evaluator, part, tell)
            rows.append(kinematics.furthest(before, self._models(evaluator, part, tell), self._shell))
        return np.concatenate(rows) if rows else np.zeros((0, len(self._shell)))

    def _errors_of(
        self, clip: Clip, tell: Progress, bones: Collection[int], before: list[FloatArray]
    ) -> FloatArray:
        """As `errors`: only the tracks that differ are evaluated, which is nearly all that measuring costs.

        Tracks that were fitted each have key times of their own, so nothing about them is found together.
        """
        self._sample(clip, bones if self._local is not None else range(len(self._skeleton)), tell)
        assert self._local is not None
        rows: list[FloatArray] = []
        for number, models in enumerate(before):
            own = Transform(*(part[number * CHUNK : (number + 1) * CHUNK] for part in self._local))
            rows.append(
                kinematics.furthest(models, kinematics.model_matrices(self._skeleton, own), self._shell)
            )
        return np.concatenate(rows) if rows else np.zeros((0, len(self._shell)))

    def _sample(self, clip: Clip, bones: Collection[int], tell: Progress) -> None:
        """Local transforms of some bones, as a skeleton of these alone has them, into `_local`."""
        chosen = sorted(bones)
        whole = self._skeleton
        if self._local is None:
            shape = len(self._times), len(whole)
            self._local = Transform(np.empty((*shape, 3)), np.empty((*shape, 4)), np.empty((*shape, 3)))
        names = tuple(whole.names[bone] for bone in chosen)
        rest = Transform(*(part[chosen] for part in whole.rest))
        alone = Skeleton(names, np.full(len(chosen), -1), rest, whole.euler_orders[chosen])
        wanted = set(names)
        tracks = {channel: track for channel, track in clip.tracks.items() if channel.bone in wanted}
        evaluator = ClipEvaluator(alone, replace(clip, tracks=tracks, curves={}, morphs={}))
        for number, part in enumerate(self._parts()):
            if tell.cancelled:
                tell.report(0.0, "measuring")
            found = evaluator.sample_many(part, wrap=False).local
            for column, values in zip(self._local, found, strict=True):
                column[number * CHUNK : (number + 1) * CHUNK, chosen] = values

    @staticmethod
    def _models(evaluator: ClipEvaluator, times: FloatArray, tell: Progress) -> FloatArray:
        """Model matrices ``(T, B, 4, 4)``; asks first whether the work was cancelled."""
        if tell.cancelled:
            tell.report(0.0, "measuring")
        return evaluator.models_many(times, wrap=False)
