"""Montages as documents: clips on slot tracks with sections, played on demand (spec: graph, §9)."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise

from core.arrays import frozen_mapping
from core.blending.easing import EaseShape, Easing
from core.clips.clip import Clip, Notify
from core.errors import ValidationError
from core.graph.graph import BlendKind
from core.ids import AssetId, Reference, Targets, redirected
from core.rig.rig import Animation, Rig
from core.timing import TIME_EPSILON
from core.tracks.keys import ScalarTrack

LONGEST = 1e7


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a clip on a slot track.

    Parameters
    ----------
    place : seconds in the montage at which it begins
    begin, end : seconds of the clip from which to which it plays
    rate : seconds of the clip a second, more than 0

    Raises
    ------
    ValidationError
        A piece without length, a time below 0 or not finite, a rate that is not above 0.
    """

    clip: AssetId
    place: float
    begin: float
    end: float
    rate: float = 1.0

    def __post_init__(self) -> None:
        if not (0.0 <= self.place < LONGEST and 0.0 <= self.begin < self.end < LONGEST):
            raise ValidationError(
                f"segment at {self.place:g} s: expected a piece of its clip from 0 s or more to later, "
                f"got {self.begin:g} to {self.end:g} s"
            )
        if not 0.0 < self.rate < LONGEST:
            raise ValidationError(f"segment at {self.place:g} s: expected a rate above 0, got {self.rate:g}")

    @property
    def last(self) -> float:
        """Seconds in the montage at which it ends."""
        return self.place + (self.end - self.begin) / self.rate


@dataclass(frozen=True, slots=True)
class SlotTrack:
    """What plays in one slot of the montage's group: segments in order of time; between them the last pose holds."""

    slot: str
    segments: tuple[Segment, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a montage with a name, up to the next one's start.

    Parameters
    ----------
    next : name of the section that follows at its end; its own name loops it, "" ends the montage
    """

    name: str
    start: float
    next: str = ""


@dataclass(frozen=True, slots=True)
class MontageBlend:
    """How a montage's weight goes from 0 to 1, or back.

    Parameters
    ----------
    kind : *crossfade*; *inertialise* goes over at once, and its slots let the jump die out
    profile : mask of the rig whose weights are factors of `seconds` by bone; "" is 1 everywhere
    """

    seconds: float = 0.25
    easing: Easing = field(default_factory=lambda: Easing(EaseShape.SMOOTH))
    kind: BlendKind = BlendKind.CROSSFADE
    profile: str = ""

    def __post_init__(self) -> None:
        if self.kind not in (BlendKind.CROSSFADE, BlendKind.INERTIALISE):
            raise ValidationError(
                f"montage: expected a blend that crossfades or inertialises, got {self.kind}"
            )
        if not 0.0 <= self.seconds < LONGEST:
            raise ValidationError(f"montage: expected a blend of 0 s or more, got {self.seconds:g}")


@dataclass(frozen=True, slots=True, eq=False)
class Montage(Animation):
    """Clips that are played over a graph's pose on demand. An asset of the project.

    Parameters
    ----------
    group : the group of all its slots; a montage that starts fades out the others of its group
    tracks : one a slot
    sections : in order of time, the first at 0 s; none is one section of the whole. One that begins where the montage
        is over is kept (its segments may come back) and never plays
    blend_out_trigger : seconds before the end at which it begins to fade out; −1 so that it ends with the montage
    auto_blend_out : off, it holds its last pose until it is stopped
    rate : seconds of the montage a second; negative plays backwards to the section's start
    curves : name → scalar track over the montage, beside those of its clips
    notifies : over the montage, beside those of its clips
    root_motion : whether its clips' root motion moves the character
    sync_group : while it plays it leads that group by the clips of its first track, whatever the others' roles

    Raises
    ------
    ValidationError
        Naming the track, segment or section that is wrong.
    """

    id: AssetId
    name: str
    rig: AssetId
    group: str = "DefaultGroup"
    tracks: tuple[SlotTrack, ...] = ()
    sections: tuple[Section, ...] = ()
    blend_in: MontageBlend = field(default_factory=MontageBlend)
    blend_out: MontageBlend = field(default_factory=MontageBlend)
    blend_out_trigger: float = -1.0
    auto_blend_out: bool = True
    rate: float = 1.0
    curves: Mapping[str, ScalarTrack] = field(default_factory=dict)
    notifies: tuple[Notify, ...] = ()
    root_motion: bool = True
    sync_group: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "curves", frozen_mapping(self.curves))
        for track in self.tracks:
            self._check_track(track)
        slots = [track.slot for track in self.tracks]
        if len(set(slots)) < len(slots):
            raise self._error("two tracks are for one slot")
        if not -LONGEST < self.rate < LONGEST:
            raise self._error(f"expected a finite rate, got {self.rate}")
        if self.blend_out_trigger != -1.0 and not 0.0 <= self.blend_out_trigger < LONGEST:
            raise self._error(
                f"expected a blend-out trigger of 0 s or more, or -1, got {self.blend_out_trigger:g}"
            )
        self._check_sections()

    def _error(self, reason: str) -> ValidationError:
        return ValidationError(f"montage {self.name!r}: {reason}")

    def _check_track(self, track: SlotTrack) -> None:
        end = 0.0
        for number, segment in enumerate(track.segments):
            if segment.place < end - TIME_EPSILON:
                raise self._error(
                    f"slot {track.slot!r}: segment {number} begins at {segment.place:g} s, before the one in front of "
                    f"it ends at {end:g} s"
                )
            end = segment.last

    def _check_sections(self) -> None:
        names = [section.name for section in self.sections]
        starts = [section.start for section in self.sections]
        if len(set(names)) < len(names) or "" in names:
            raise self._error("every section needs a name of its own")
        if starts and (starts[0] != 0.0 or any(b - a < TIME_EPSILON for a, b in pairwise(starts))):
            raise self._error(f"expected sections in order of time from 0 s on, got starts {starts}")
        for section in self.sections:
            if section.next and section.next not in names:
                raise self._error(
                    f"section {section.name!r} goes on to {section.next!r}, which is not there; "
                    f"there are: {', '.join(names)}"
                )

    @property
    def length(self) -> float:
        """Seconds until its last segment ends."""
        return max((segment.last for track in self.tracks for segment in track.segments), default=0.0)

    def slot_name(self, track: SlotTrack) -> str:
        """The full name of a track's slot, ``group.slot``."""
        return f"{self.group}.{track.slot}"

    def references(self) -> tuple[Reference, ...]:
        """The assets it names: its rig and its clips."""
        clips = dict.fromkeys(segment.clip for track in self.tracks for segment in track.segments)
        return (Reference(self.rig, Rig, "rig"), *(Reference(clip, Clip, "segment") for clip in clips))

    def with_targets(self, targets: Targets) -> "Montage | None":
        """The same with references redirected (see `Asset.with_targets`).

        None where its rig is gone; segments whose clip is gone are left out, with sections that began after the end.
        """
        rig = redirected(self.rig, targets)
        if rig is None:
            return None
        tracks = tuple(
            replace(
                track,
                segments=tuple(
                    replace(segment, clip=clip)
                    for segment in track.segments
                    if (clip := redirected(segment.clip, targets)) is not None
                ),
            )
            for track in self.tracks
        )
        length = max((segment.last for track in tracks for segment in track.segments), default=0.0)
        kept = [section for section in self.sections if section.start < length]
        names = {section.name for section in kept}
        sections = tuple(replace(s, next=s.next if s.next in names else "") for s in kept)
        return replace(self, rig=rig, tracks=tracks, sections=sections)
