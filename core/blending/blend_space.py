"""Blend spaces: clips placed on one or two axes (spec: blending, Blend spaces). An asset."""

from dataclasses import dataclass, replace
from enum import StrEnum

from core.clips.clip import Clip
from core.errors import ValidationError
from core.ids import AssetId, Reference, Targets, redirected
from core.rig.rig import Animation, Rig

PLACE_TOLERANCE = 1e-6
"""Fraction of an axis's range within which two samples stand at one place."""


class Smoothing(StrEnum):
    """How the input follows what is asked of it."""

    NONE = "none"
    AVERAGE = "average"
    LINEAR = "linear"
    EASE = "ease"
    SPRING = "spring"


class SpaceKind(StrEnum):
    """How weights are found between the samples."""

    LINE = "line"
    GRID = "grid"
    TRIANGLES = "triangles"


class MotionRule(StrEnum):
    """Whose root motion and notifies count."""

    ALL = "all"
    HEAVIEST = "heaviest"


@dataclass(frozen=True, slots=True)
class SpaceAxis:
    """One axis of a blend space.

    Parameters
    ----------
    minimum, maximum : range; points are kept within it, or wrap round where `wrap` is set
    divisions : number of grid cells, ≥ 1
    snap : whether samples stand on grid lines only
    smoothing, smoothing_time : how and over how many seconds the input follows
    """

    name: str
    minimum: float = 0.0
    maximum: float = 1.0
    divisions: int = 4
    snap: bool = False
    wrap: bool = False
    smoothing: Smoothing = Smoothing.NONE
    smoothing_time: float = 0.0
    unit: str = ""

    def __post_init__(self) -> None:
        if not (self.minimum < self.maximum and self.maximum - self.minimum < float("inf")):
            raise ValidationError(
                f"axis {self.name!r}: expected a minimum below its maximum, got {self.minimum} and {self.maximum}"
            )
        if self.divisions < 1 or not self.smoothing_time >= 0.0:
            raise ValidationError(
                f"axis {self.name!r}: expected at least one division and a time of 0 s or more"
            )

    @property
    def extent(self) -> float:
        """Length of the range."""
        return self.maximum - self.minimum

    def kept(self, value: float) -> float:
        """A value brought into the range: wrapped (the maximum is the minimum again) or clamped."""
        if self.wrap:
            return (value - self.minimum) % self.extent + self.minimum
        return min(max(value, self.minimum), self.maximum)

    def snapped(self, value: float) -> float:
        """The nearest grid line's value."""
        cell = self.extent / self.divisions
        return self.minimum + round((value - self.minimum) / cell) * cell


@dataclass(frozen=True, slots=True)
class SpaceSample:
    """A clip on the plane: its place (one number an axis) and how much faster it plays."""

    clip: AssetId
    place: tuple[float, ...]
    rate: float = 1.0

    def __post_init__(self) -> None:
        if not self.rate > 0.0:
            raise ValidationError(f"blend space sample: expected a rate above 0, got {self.rate}")


@dataclass(frozen=True, slots=True)
class BlendSpace(Animation):
    """Samples on axes, and how they blend and advance. An asset of the project.

    Parameters
    ----------
    rig : id of the rig whose clips it blends
    axes : one or two
    samples : clips at places; two at one place are refused
    aim_offset : whether it holds model-space additive poses put on a base clip
    base_clip : clip that an aim offset is previewed on
    sync : whether sync markers align the samples
    weight_speed : largest change of a weight per second; 0 is at once
    root_motion, notifies : whose count

    Raises
    ------
    ValidationError
        Axes or places that don't fit, or two samples at one place (naming both).
    """

    id: AssetId
    name: str
    rig: AssetId
    axes: tuple[SpaceAxis, ...]
    samples: tuple[SpaceSample, ...] = ()
    kind: SpaceKind = SpaceKind.GRID
    aim_offset: bool = False
    base_clip: AssetId | None = None
    sync: bool = True
    weight_speed: float = 0.0
    root_motion: MotionRule = MotionRule.ALL
    notifies: MotionRule = MotionRule.HEAVIEST

    def __post_init__(self) -> None:
        if len(self.axes) not in (1, 2):
            raise ValidationError(
                f"blend space {self.name!r}: expected one or two axes, got {len(self.axes)}"
            )
        if (len(self.axes) == 1) != (self.kind is SpaceKind.LINE):
            raise ValidationError(f"blend space {self.name!r}: {len(self.axes)} axes cannot be a {self.kind}")
        for number, sample in enumerate(self.samples):
            if len(sample.place) != len(self.axes):
                raise ValidationError(
                    f"blend space {self.name!r}: sample {number} has {len(sample.place)} coordinates for "
                    f"{len(self.axes)} axes"
                )
            for value, axis in zip(sample.place, self.axes, strict=True):
                if not axis.minimum - 1e-9 <= value <= axis.maximum + 1e-9:
                    raise ValidationError(
                        f"blend space {self.name!r}: sample {number} stands at {axis.name} {value}, "
                        f"outside {axis.minimum} to {axis.maximum}"
                    )
            for earlier in range(number):
                if self._same_place(self.samples[earlier].place, sample.place):
                    raise ValidationError(
                        f"blend space {self.name!r}: samples {earlier} and {number} stand at one place "
                        f"{sample.place}; move one"
                    )

    def references(self) -> tuple[Reference, ...]:
        """The assets it names: its rig, the samples' clips, and the base clip."""
        found = [Reference(self.rig, Rig, "rig")]
        found += [Reference(sample.clip, Clip, "sample") for sample in self.samples]
        if self.base_clip is not None:
            found.append(Reference(self.base_clip, Clip, "base clip"))
        return tuple(found)

    def with_targets(self, targets: Targets) -> "BlendSpace | None":
        """The same with references redirected (see `Asset.with_targets`).

        None where its rig is gone; samples whose clip is gone are left out.
        """
        rig = redirected(self.rig, targets)
        if rig is None:
            return None
        led = [(sample, redirected(sample.clip, targets)) for sample in self.samples]
        samples = tuple(replace(sample, clip=clip) for sample, clip in led if clip is not None)
        base = None if self.base_clip is None else redirected(self.base_clip, targets)
        return replace(self, rig=rig, samples=samples, base_clip=base)

    def _same_place(self, a: tuple[float, ...], b: tuple[float, ...]) -> bool:
        for x, y, axis in zip(a, b, self.axes, strict=True):
            apart = abs(x - y) / axis.extent
            if axis.wrap:
                apart = min(apart, abs(1.0 - apart))
            if apart > PLACE_TOLERANCE:
                return False
        return True

    def kept(self, point: tuple[float, ...]) -> tuple[float, ...]:
        """A point brought into the axes."""
        return tuple(axis.kept(value) for axis, value in zip(self.axes, point, strict=True))

    def with_sample(self, sample: SpaceSample) -> "BlendSpace":
        """The space with one sample more, on the grid where an axis snaps."""
        return replace(self, samples=(*self.samples, self._settled(sample)))

    def with_moved(self, number: int, place: tuple[float, ...]) -> "BlendSpace":
        """The space with a sample moved, kept within the axes and on the grid where an axis snaps."""
        samples = list(self.samples)
        samples[number] = self._settled(replace(samples[number], place=place))
        return replace(self, samples=tuple(samples))

    def without_sample(self, number: int) -> "BlendSpace":
        """The space without a sample."""
        return replace(self, samples=self.samples[:number] + self.samples[number + 1 :])

    def _settled(self, sample: SpaceSample) -> SpaceSample:
        place = tuple(
            axis.snapped(min(max(value, axis.minimum), axis.maximum))
            if axis.snap
            else min(max(value, axis.minimum), axis.maximum)
            for axis, value in zip(self.axes, sample.place, strict=True)
        )
        return replace(sample, place=place)
