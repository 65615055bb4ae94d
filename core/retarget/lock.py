"""Holding feet, and hands where wanted, where the source's stand, by two-bone IK (spec: retargeting, 2)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from core.arrays import BoolArray, FloatArray
from core.errors import ValidationError
from core.math import quat
from core.math.transform import Transform
from core.pose import kinematics
from core.retarget.align import Alignment
from core.retarget.bend import FULL, reached
from core.retarget.chain_map import Part
from core.retarget.contacts import ContactLimits, ContactSpan, floor_under, mask_of, spans_of, standing
from core.retarget.hips import asked, eased_distance, risen
from core.retarget.limbs import Limb, limbs_of
from core.retarget.planting import Floor, Planted, drop_for, near_floor, planted, steadied
from core.retarget.roll import rolled
from core.retarget.transfer import Binding, leg_sizes

SAME = 1e-6
"""Metres, in leg heights, within which the target already does what the source does, and nothing is held."""

FAR_OFF = 0.1
"""Leg heights that standing feet may be off the floor for the whole figure to be put down on it."""

EASY = 0.9985
"""Part of a leg's length up to which hips come down for a foot to reach where it stands."""

ON_FLOOR = 0.9
"""How close to the floor a foot that slides must be for the hips to come down for it."""

DEEPEST = 0.2
"""Leg heights that hips come down at most."""

ROLLING = 0.1
"""How far the hips listen to a leg that stands on heel or ball alone: its foot may roll instead."""

GRAZING = 0.05
"""How far they listen to one whose foot would go through the floor."""

JUMP = 20.0
"""Leg heights a second, of an ankle about its hip, that no leg swings with."""


@dataclass(frozen=True, slots=True)
class LockOptions:
    """What is held.

    Parameters
    ----------
    feet, hands : which limbs
    floor : whether standing feet are put on the floor, and none goes below it
    limits : when a point counts as standing
    spans : contacts that a person edited, instead of those found
    flat : whether feet that stand on heel and ball are laid flat
    hip_drop : 0..1, how far the hips go down or up, as little as possible, for legs to reach where their feet
        stand with the knees that the motion gives them; 0 leaves the hips alone
    drop_seconds : over which they come down and up again where a leg cannot reach
    knee_limit : degrees that a knee bends more than in the motion at most; from half of it on the foot gives
        way softly, and slides or sinks instead

    Raises
    ------
    ValidationError
        A hip drop beyond 0..1, or a knee limit that is not above 0.
    """

    feet: bool = True
    hands: bool = False
    floor: bool = True
    limits: ContactLimits = field(default_factory=ContactLimits)
    spans: tuple[ContactSpan, ...] | None = None
    flat: bool = True
    hip_drop: float = 1.0
    drop_seconds: float = 0.4
    knee_limit: float = 45.0

    def __post_init__(self) -> None:
        if not 0.0 <= self.hip_drop <= 1.0:
            raise ValidationError(f"retarget: expected a hip drop of 0 to 1, got {self.hip_drop}")
        if not 0.0 < self.knee_limit <= 180.0:
            raise ValidationError(f"retarget: expected a knee limit of up to 180°, got {self.knee_limit}")


@dataclass(frozen=True, slots=True)
class LimbSlip:
    """`Slip` of one limb: how many contacts, millimetres a contact before and after."""

    limb: str
    contacts: int
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Slip:
    """How far standing points slid, millimetres a contact on average, and how many contacts there were."""

    contacts: int
    before: float
    after: float
    worst_after: float
    reach: float
    """Metres that the worst goal was out of reach."""
    source: float = 0.0
    """What the source itself slid, scaled."""
    drop: float = 0.0
    """Metres that the hips came down at most."""
    limbs: tuple[LimbSlip, ...] = ()


def find_contacts(
    binding: Binding, model: Transform, fps: float, options: LockOptions | None = None
) -> tuple[ContactSpan, ...]:
    """Spans in which the source's feet (and hands) stand.

    Parameters
    ----------
    model : model transforms ``(T, Bs, k)`` of the source
    """
    chosen = options or LockOptions()
    if chosen.spans is not None:
        return chosen.spans
    limbs = limbs_of(binding, chosen.feet, chosen.hands)
    return _found(binding, limbs, model, fps, chosen, _floor_of(limbs, model))


def _floor_of(limbs: Sequence[Limb], model: Transform) -> float:
    """Height of the floor that a source's feet stand on."""
    feet = [limb for limb in limbs if limb.is_foot]
    return floor_under([(p.source_places(model), p.source_height) for limb in feet for p in limb.points])


def _found(
    binding: Binding, limbs: Sequence[Limb], model: Transform, fps: float, options: LockOptions, floor: float
) -> tuple[ContactSpan, ...]:
    size = leg_sizes(binding.source, binding.chains, binding.alignment.local, True)[0]
    spans: list[ContactSpan] = []
    for limb in limbs:
        for number, point in enumerate(limb.points):
            path = point.source_places(model)
            down = standing(path, size, fps, options.limits, point.source_height + floor)
            spans += spans_of(limb.name, number, down)
    return tuple(spans)


def held(
    binding: Binding,
    source: Transform,
    local: Transform,
    fps: float,
    options: LockOptions | None = None,
    *,
    floor_offset: float = 0.0,
    looping: bool = False,
) -> tuple[Transform, Slip]:
    """The target's poses with standing limbs kept where they stand.

    Parameters
    ----------
    source : local transforms ``(T, Bs, k)`` of the clip that contacts are found in
    local : the target's, from `core.retarget.transfer.transfer`
    fps : frames a second
    floor_offset : metres that the figure was lifted by, and the floor with it
    looping : whether the last frame is the first again

    Returns
    -------
    poses, slip
        Bone lengths stay. Poses that already do exactly what the source does, scaled, are returned as
        they are.
    """
    work = _Holding(
        binding, kinematics.to_model(binding.source, source), local, fps, options, floor_offset, looping
    )
    return work.run()


class _Holding:
    """The steps, one after the other; `model` follows `local` as far as the limbs are concerned."""

    def __init__(
        self,
        binding: Binding,
        source: Transform,
        local: Transform,
        fps: float,
        options: LockOptions | None,
        floor: float,
        looping: bool,
    ) -> None:
        self.binding, self.source, self.local = binding, source, local
        self.fps, self.floor, self.looping = fps, floor, looping
        self.options = options or LockOptions()
        self.limbs = limbs_of(binding, self.options.feet, self.options.hands)
        given = self.options.spans
        if given is None:
            given = _found(binding, self.limbs, source, fps, self.options, _floor_of(self.limbs, source))
        frames = len(source.translation)
        # spans that a person edited may reach beyond a clip that was cut since
        self.spans = [
            replace(span, first=max(span.first, 0), last=min(span.last, frames - 1))
            for span in given
            if span.first < frames and span.last >= 0
        ]
        self.source_floor = self._floor_along(frames)
        self.masks: Mapping[str, BoolArray] = {
            limb.name: np.array([mask_of(self.spans, limb.name, p, frames) for p in range(len(limb.points))])
            for limb in self.limbs
        }
        self.model = kinematics.to_model(binding.target, local)
        self.steady: dict[str, FloatArray] = {}
        self.lowered = np.zeros(frames)
        self.size = leg_sizes(binding.target, binding.chains, binding.target.rest, False)[0] or 1.0

    def run(self) -> tuple[Transform, Slip]:
        before = self._slips()
        own = self._source_slips()
        reach = 0.0
        if not self._agrees():
            if self.options.floor:
                self._ground()
            feet = [limb for limb in self.limbs if limb.is_foot]
            if self.options.hip_drop:
                self._settle(feet)
            rolls = {limb.name: self._roll(limb) for limb in feet}
            if self.options.hip_drop:
                self._drop(feet, rolls)
            goals = {limb.name: self._planted(limb, rolls[limb.name]) for limb in feet}
            for limb in feet:
                goal = goals[limb.name]
                reach = max(reach, self._reach(limb, goal._replace(place=self._given_way(limb, goal.place))))
            for limb in self.limbs:
                if not limb.is_foot:
                    reach = max(reach, self._reach(limb, self._planted(limb)))
        after = self._slips()
        mean = [_mean(s) for s in (before, after, own)]
        worst = float(np.max(after, initial=0.0)) * 1e3
        limbs, drop = tuple(self._by_limb(before, after)), float(self.lowered.max(initial=0.0))
        return self.local, Slip(len(before), mean[0], mean[1], worst, reach, mean[2], drop, limbs)

    def _by_limb(self, before: FloatArray, after: FloatArray) -> Iterator[LimbSlip]:
        done = 0
        for limb in self.limbs:
            rows = slice(done, done + len(self._spans(limb)))
            done = rows.stop
            yield LimbSlip(limb.name, rows.stop - rows.start, _mean(before[rows]), _mean(after[rows]))

    # ------------------------------------------------------------ measuring

    def _agrees(self) -> bool:
        """Whether every limb's end already goes the source's way, scaled, so that its slip is the clip's own."""
        alignment: Alignment = self.binding.alignment
        for limb in self.limbs:
            place = self.source.translation[:, limb.source_end] * self.binding.scale
            wanted = quat.rotate(alignment.heading, place)
            gap = np.abs(wanted - self.model.translation[:, limb.bones[2]]).max(initial=0.0)
            if gap > SAME * self.size:
                return False
        return True

    def _slips(self) -> FloatArray:
        """Metres over the ground that each contact's point gets away from where it came down."""
        slid = []
        for limb in self.limbs:
            end = limb.bones[2]
            paths = limb.places(self.model.translation[:, end], self.model.rotation[:, end])
            slid += [_slid(paths[s.point], s) for s in self._spans(limb)]
        return np.array(slid)

    def _source_slips(self) -> FloatArray:
        slid = []
        for limb in self.limbs:
            for span in self._spans(limb):
                path = limb.points[span.point].source_places(self.source) * self.binding.scale
                slid.append(_slid(path, span))
        return np.array(slid)

    def _spans(self, limb: Limb) -> list[ContactSpan]:
        return [
            s
            for s in self.spans
            if s.limb == limb.name and s.last > s.first and 0 <= s.point < len(limb.points)
        ]

    # ------------------------------------------------------------ steps

    def _roll(self, limb: Limb) -> FloatArray | None:
        """Radians ``(T,)`` that a foot on heel or ball alone rolls by, for its leg to keep its length."""
        if len(limb.points) < 2 or not (self.options.floor and self.options.flat):
            return None
        goal = self._planted(limb)
        root, ankle = (self.model.translation[:, limb.bones[n]] for n in (0, 2))
        present = np.linalg.norm(ankle - root, axis=-1)
        masks = self.masks[limb.name]
        return rolled(limb, root, goal.place, goal.rotation, present, masks, self.fps, self.floor)

    def _planted(self, limb: Limb, roll: FloatArray | None = None) -> Planted:
        end, masks = limb.bones[2], self.masks[limb.name]
        place, rotation = self.model.translation[:, end], self.model.rotation[:, end]
        heights = self._source_heights(limb) if limb.is_foot else None
        floor = Floor(self.floor, self.size, heights) if self.options.floor else None
        if self.options.flat:  # hips go up and down under it, it does not turn
            if limb.name not in self.steady:
                self.steady[limb.name] = steadied(limb, rotation, masks, self.fps, self.options.floor)
            rotation = self.steady[limb.name]
        return planted(limb, place, rotation, masks, self.fps, floor, False, roll)

    def _source_heights(self, limb: Limb) -> FloatArray:
        """How high ``(T,)`` the source's foot is over its floor, scaled."""
        lows = [p.source_places(self.source)[:, 1] - p.source_height for p in limb.points]
        return np.asarray((np.min(lows, axis=0) - self.source_floor) * self.binding.scale)

    def _floor_along(self, frames: int) -> FloatArray:
        """Height ``(T,)`` of the source's floor, from stance to stance: captured floors drift and tilt."""
        knots: list[tuple[float, float]] = []
        for limb in self.limbs:
            for span in self._spans(limb) if limb.is_foot else ():
                point = limb.points[span.point]
                path = point.source_places(self.source)[span.first : span.last + 1, 1] - point.source_height
                knots.append(((span.first + span.last) / 2.0, float(np.percentile(path, 25.0))))
        if not knots:
            return np.full(frames, _floor_of(self.limbs, self.source))
        times, heights = np.array(sorted(knots)).T
        return np.asarray(np.interp(np.arange(frames), times, heights))

    def _near_floor(self, limb: Limb) -> FloatArray:
        return near_floor(self._source_heights(limb), self.masks[limb.name], self.size, self.fps)

    def _ground(self) -> None:
        """Put the whole figure on the floor by what its standing feet are off by, one height a clip."""
        off = [self._heights(limb)[self.masks[limb.name]] for limb in self.limbs if limb.is_foot]
        known = np.concatenate(off) if off else np.zeros(0)
        # a few frames by chance, or feet far off, do not say where the floor is
        if len(known) >= 4 and abs(float(np.median(known))) <= FAR_OFF * self.size:
            self._lower(np.full(len(self.model.translation), float(np.median(known))))

    def _settle(self, feet: Sequence[Limb]) -> None:
        """Move the hips to where standing legs keep the bend that the rotations gave them."""
        cuts = self._cuts(feet)
        # once by the stances; then feet are at their goals, and it shows which others go through the floor
        for listened in (0.0, GRAZING):
            legs = []
            for limb in feet:
                root, ankle = (self.model.translation[:, limb.bones[n]] for n in (0, 2))
                stands = np.where(self.masks[limb.name].any(axis=0), ROLLING, 0.0)
                stands[self.masks[limb.name].all(axis=0)] = 1.0
                if self.options.floor:
                    stands = np.maximum(stands, self._near_floor(limb) ** 8)
                    stands = np.maximum(
                        stands, np.where(self._heights(limb).min(axis=0) < 0.0, listened, 0.0)
                    )
                goal = self._planted(limb).place
                legs.append(asked(root, ankle, goal, self._lengths(limb), FULL, stands))
            rise = self.options.hip_drop * risen(legs, self.fps, cuts, self.looping)
            if rise.any():
                self._lower(-rise)
                self.lowered = self.lowered - rise

    def _cuts(self, feet: Sequence[Limb]) -> list[int]:
        """Frames at which the motion jumps into another pose, as from a T pose that captures begin with."""
        found: set[int] = set()
        for limb in feet:
            leg = self.model.translation[:, limb.bones[2]] - self.model.translation[:, limb.bones[0]]
            speed = np.linalg.norm(np.diff(leg, axis=0), axis=-1) * self.fps / self.size
            found |= set((np.flatnonzero(speed > JUMP) + 1).tolist())
        return sorted(found)

    def _heights(self, limb: Limb) -> FloatArray:
        """Metres ``(P, T)`` of a limb's points over the floor."""
        end = limb.bones[2]
        paths = limb.places(self.model.translation[:, end], self.model.rotation[:, end])
        return np.asarray(paths[..., 1] - np.array([[p.height + self.floor] for p in limb.points]))

    def _drop(self, feet: Sequence[Limb], rolls: Mapping[str, FloatArray | None]) -> None:
        """Lower the hips so far that legs reach where their feet stand."""
        need = np.zeros(len(self.model.translation))
        for limb in feet:
            root = self.model.translation[:, limb.bones[0]]
            goal, length = self._planted(limb, rolls[limb.name]).place, sum(self._lengths(limb))
            away = np.linalg.norm((goal - root)[:, [0, 2]], axis=-1)
            present = np.linalg.norm(self.model.translation[:, limb.bones[2]] - root, axis=-1)
            longest = np.maximum(EASY * length, np.minimum(present, FULL * length))
            high = np.sqrt(np.maximum(longest**2 - away**2, 0.0))
            stands = self.masks[limb.name].any(axis=0)
            if self.options.floor:
                stands = stands | (self._near_floor(limb) > ON_FLOOR)
            need = np.maximum(need, np.where(stands, root[:, 1] - goal[:, 1] - high, 0.0))
        seconds, most = self.options.drop_seconds, DEEPEST * self.size
        drop = self.options.hip_drop * drop_for(need, self.fps, seconds, most, self.looping)
        if drop.any():
            self._lower(drop)
            self.lowered = self.lowered + drop

    def _lengths(self, limb: Limb) -> tuple[float, float]:
        """Of a limb's two bones: they do not change from frame to frame."""
        places = [self.model.translation[0, bone] for bone in limb.bones]
        return float(np.linalg.norm(places[1] - places[0])), float(np.linalg.norm(places[2] - places[1]))

    def _lower(self, by: FloatArray) -> None:
        """Let the hips, and what is below them, down by metres ``(T,)``."""
        hips = next(iter(self.binding.chains.part(Part.HIPS)), None)
        if hips is None:
            return
        target = self.binding.target
        bone = target.index(hips.target[0])
        step = by[:, None] * np.array([0.0, -1.0, 0.0])
        below = target.descendants([bone])
        places = np.array(self.model.translation)
        places[:, below] += step[:, None]
        self.model = self.model._replace(translation=places)
        parent = target.parent(bone)
        if parent >= 0:
            step = quat.rotate(quat.conjugate(self.model.rotation[:, parent]), step)
            step = step / self.model.scale[:, parent]
        translation = np.array(self.local.translation)
        translation[:, bone] += step
        self.local = self.local._replace(translation=translation)

    def _given_way(self, limb: Limb, goal: FloatArray) -> FloatArray:
        """Goals ``(T, 3)`` farther along the leg where its knee would bend beyond the limit."""
        root, ankle = (self.model.translation[:, limb.bones[n]] for n in (0, 2))
        present, wanted = (np.linalg.norm(place - root, axis=-1) for place in (ankle, goal))
        limit = np.radians(self.options.knee_limit)
        kept = eased_distance(wanted, present, self._lengths(limb), limit)
        along = (kept / np.maximum(wanted, 1e-9))[:, None]
        return np.asarray(root + (goal - root) * along)

    def _reach(self, limb: Limb, goal: Planted) -> float:
        """Bend a limb so that its end reaches its goal; metres that the worst goal is missed by."""
        self.local, self.model, missed = reached(self.binding, self.local, self.model, limb, goal)
        return missed


def _mean(slips: FloatArray) -> float:
    """Millimetres on average, 0 of none."""
    return float(np.mean(slips)) * 1e3 if len(slips) else 0.0


def _slid(path: FloatArray, span: ContactSpan) -> float:
    over = path[span.first : span.last + 1][:, [0, 2]]
    return float(np.linalg.norm(over - over[0], axis=-1).max()) if len(over) else 0.0
