"""Edits of montages: segments on slot tracks, sections with what follows them; each gives a new montage."""

from collections.abc import Iterable
from dataclasses import replace

from core.clips.clip import Clip
from core.clips.edits import checked_name
from core.errors import ValidationError
from core.graph.montage import LONGEST, Montage, MontageBlend, Section, Segment, SlotTrack
from core.ids import AssetId
from core.timing import TIME_EPSILON

SHORTEST = 1e-3
"""Seconds of the shortest segment that trimming leaves."""
FIRST_SLOT = "UpperBody"
FIRST_SECTION = "start"


def new_montage(
    asset: AssetId, name: str, rig: AssetId, clips: Iterable[Clip] = (), slot: str = "DefaultGroup.UpperBody"
) -> Montage:
    """A montage that plays clips one after the other in one slot, each in a section of its own where there are several.

    Parameters
    ----------
    slot : ``group.slot``

    Raises
    ------
    ValidationError
        A clip of another rig or without length, or a slot without a group.
    """
    group, track = split_slot(slot)
    found: list[Segment] = []
    sections: list[Section] = []
    place = 0.0
    for clip in clips:
        if clip.rig != rig:
            raise ValidationError(
                f"montage {name!r}: clip {clip.name!r} is for another rig; retarget it first"
            )
        found.append(whole(clip, place))
        sections.append(Section(free_name(clip.name, [s.name for s in sections]), place))
        place = found[-1].last
    linked = tuple(
        replace(section, next=sections[k + 1].name if k + 1 < len(sections) else "")
        for k, section in enumerate(sections)
    )
    made = Montage(asset, checked_name(name), rig, group, (SlotTrack(track, tuple(found)),))
    return replace(made, sections=linked) if len(linked) > 1 else made


def split_slot(slot: str) -> tuple[str, str]:
    """Group and slot of a full name; raises `ValidationError` where one is missing."""
    group, dot, name = slot.partition(".")
    if not (group.strip() and dot and name.strip()):
        raise ValidationError(f"slot: expected a name such as DefaultGroup.UpperBody, got {slot!r}")
    return group.strip(), name.strip()


def whole(clip: Clip, place: float) -> Segment:
    """A segment that plays all of a clip; raises `ValidationError` for one without length."""
    if clip.length <= 0.0:
        raise ValidationError(
            f"clip {clip.name!r} has no length: give it a length before it can be a segment"
        )
    return Segment(clip.id, place, 0.0, clip.length)


def free_name(wanted: str, taken: Iterable[str]) -> str:
    """The name wanted, or the first with a number after it that is free."""
    names = set(taken)
    number, name = 2, wanted
    while name in names:
        name, number = f"{wanted} {number}", number + 1
    return name


# -------------------------------------------------------------------- tracks
def with_track(montage: Montage, slot: str) -> Montage:
    """With an empty track for another slot of its group; raises `ValidationError` where it has one."""
    return replace(montage, tracks=(*montage.tracks, SlotTrack(checked_name(slot))))


def without_track(montage: Montage, track: int) -> Montage:
    """Without a track and its segments."""
    return replace(montage, tracks=montage.tracks[:track] + montage.tracks[track + 1 :])


def with_slot(montage: Montage, track: int, slot: str) -> Montage:
    """With a track for another slot; raises `ValidationError` where another track has that."""
    return _put_track(montage, track, replace(montage.tracks[track], slot=checked_name(slot)))


def _put_track(montage: Montage, number: int, track: SlotTrack) -> Montage:
    return replace(
        montage, tracks=tuple(track if k == number else old for k, old in enumerate(montage.tracks))
    )


# -------------------------------------------------------------------- segments
def with_segment(montage: Montage, track: int, segment: Segment) -> tuple[Montage, int]:
    """With one more segment, in the order of middles; each is pushed later only as far as the one before it asks.

    Returns
    -------
    montage, number : number of the new segment in its track
    """
    old = montage.tracks[track].segments
    order = sorted(
        [*((s, False) for s in old), (segment, True)], key=lambda pair: pair[0].place + pair[0].last
    )
    found = _pushed([s for s, _ in order])
    return _put_segments(montage, track, found), next(k for k, (_, new) in enumerate(order) if new)


def _pushed(segments: Iterable[Segment]) -> tuple[Segment, ...]:
    found: list[Segment] = []
    for segment in segments:
        end = found[-1].last if found else 0.0
        found.append(replace(segment, place=end) if segment.place < end else segment)
    return tuple(found)


def without_segments(montage: Montage, gone: Iterable[tuple[int, int]]) -> Montage:
    """Without some segments, given as pairs of track and number; the others stay where they are."""
    out = set(gone)
    for number, track in enumerate(montage.tracks):
        kept = tuple(s for k, s in enumerate(track.segments) if (number, k) not in out)
        montage = _put_segments(montage, number, kept)
    return montage


def moved(
    montage: Montage, track: int, number: int, place: float, onto: int | None = None
) -> tuple[Montage, int]:
    """With a segment elsewhere, on another track with `onto`; also its number there."""
    segment = montage.tracks[track].segments[number]
    left = without_segments(montage, [(track, number)])
    return with_segment(left, track if onto is None else onto, replace(segment, place=max(place, 0.0)))


def trimmed_start(montage: Montage, track: int, number: int, time: float) -> Montage:
    """With a segment that begins at another time of the montage, what it plays at a time staying where it is."""
    segments = montage.tracks[track].segments
    segment = segments[number]
    least = max(segments[number - 1].last if number else 0.0, segment.place - segment.begin / segment.rate)
    at = min(max(time, least), segment.last - SHORTEST)
    begin = max(segment.begin + (at - segment.place) * segment.rate, 0.0)
    return _put_segment(montage, track, number, replace(segment, place=at, begin=begin))


def trimmed_end(montage: Montage, track: int, number: int, time: float, clip_length: float) -> Montage:
    """With a segment that ends at another time of the montage, at most at its clip's end or the next segment."""
    segments = montage.tracks[track].segments
    segment = segments[number]
    most = segment.place + (max(clip_length, segment.end) - segment.begin) / segment.rate
    if number + 1 < len(segments):
        most = min(most, max(segments[number + 1].place, segment.place + SHORTEST))
    at = min(max(time, segment.place + SHORTEST), most)
    return _put_segment(
        montage, track, number, replace(segment, end=segment.begin + (at - segment.place) * segment.rate)
    )


def with_piece(montage: Montage, track: int, number: int, begin: float, end: float, rate: float) -> Montage:
    """With another piece of the clip or rate, segments behind pushed later as far as needed."""
    changed = replace(montage.tracks[track].segments[number], begin=begin, end=end, rate=rate)
    old = montage.tracks[track].segments
    return _put_segments(montage, track, _pushed(changed if k == number else s for k, s in enumerate(old)))


def with_clip(montage: Montage, track: int, number: int, clip: Clip) -> Montage:
    """With another clip in a segment, as much of it as there is."""
    segment = montage.tracks[track].segments[number]
    begin = segment.begin if segment.begin < clip.length - SHORTEST else 0.0
    end = min(segment.end, clip.length)
    if end - begin < SHORTEST:
        end = clip.length
    return with_piece(replace_clip(montage, track, number, clip.id), track, number, begin, end, segment.rate)


def replace_clip(montage: Montage, track: int, number: int, clip: AssetId) -> Montage:
    """With a segment that names another clip."""
    return _put_segment(montage, track, number, replace(montage.tracks[track].segments[number], clip=clip))


def split(montage: Montage, track: int, time: float) -> Montage:
    """With the segment of a track that plays at a time cut in two there; the same where none does."""
    found: list[Segment] = []
    for segment in montage.tracks[track].segments:
        if segment.place + SHORTEST <= time <= segment.last - SHORTEST:
            middle = segment.begin + (time - segment.place) * segment.rate
            found += [replace(segment, end=middle), replace(segment, place=time, begin=middle)]
        else:
            found.append(segment)
    return _put_segments(montage, track, tuple(found))


def closed_up(montage: Montage, track: int) -> Montage:
    """With the gaps between a track's segments gone."""
    found: list[Segment] = []
    for segment in montage.tracks[track].segments:
        found.append(replace(segment, place=found[-1].last if found else 0.0))
    return _put_segments(montage, track, tuple(found))


def _put_segments(montage: Montage, track: int, segments: tuple[Segment, ...]) -> Montage:
    if segments == montage.tracks[track].segments:
        return montage
    return _put_track(montage, track, replace(montage.tracks[track], segments=segments))


def _put_segment(montage: Montage, track: int, number: int, segment: Segment) -> Montage:
    old = montage.tracks[track].segments
    return _put_segments(montage, track, tuple(segment if k == number else s for k, s in enumerate(old)))


# -------------------------------------------------------------------- sections
def with_section(montage: Montage, time: float, name: str = "section") -> tuple[Montage, str]:
    """With a section that begins at a time, put into the chain of the one it cuts; also its name.

    Raises
    ------
    ValidationError
        Another section begins there.
    """
    sections = list(montage.sections) or [Section(FIRST_SECTION, 0.0)]
    made = free_name(checked_name(name), [section.name for section in sections])
    if not montage.sections and abs(time) < TIME_EPSILON:
        return replace(montage, sections=(Section(made, 0.0),)), made
    if any(abs(section.start - time) < TIME_EPSILON for section in sections):
        raise ValidationError(f"montage {montage.name!r}: a section begins at {time:g} s already")
    before = max(k for k, section in enumerate(sections) if k == 0 or section.start < time)
    old = sections[before]
    loops = old.next == old.name
    sections[before] = replace(old, next=old.name if loops else made)
    sections.insert(before + 1, Section(made, max(time, 0.0), "" if loops else old.next))
    return replace(montage, sections=tuple(sections)), made


def moved_section(montage: Montage, name: str, time: float) -> Montage:
    """With a section that begins at another time, between its neighbours; the first stays at 0 s."""
    number = section_number(montage, name)
    if number == 0:
        return montage
    least = montage.sections[number - 1].start + SHORTEST
    most = (
        montage.sections[number + 1].start - SHORTEST if number + 1 < len(montage.sections) else LONGEST / 2
    )
    at = min(max(time, least), most)
    return _put_section(montage, number, replace(montage.sections[number], start=at))


def renamed_section(montage: Montage, name: str, new: str) -> Montage:
    """With another name for a section, the links to it following; raises `ValidationError` for a name taken."""
    new = checked_name(new)
    section_number(montage, name)
    sections = tuple(
        replace(s, name=new if s.name == name else s.name, next=new if s.next == name else s.next)
        for s in montage.sections
    )
    return replace(montage, sections=sections)


def without_section(montage: Montage, name: str) -> Montage:
    """Without a section: the one before it reaches over it, and what led to it leads to what followed it."""
    number = section_number(montage, name)
    gone = montage.sections[number]
    follows = "" if gone.next == name else gone.next
    kept = [
        replace(s, next=follows if s.next == name else s.next) for s in montage.sections if s.name != name
    ]
    if kept and number == 0:
        kept[0] = replace(kept[0], start=0.0)
    return replace(montage, sections=tuple(kept))


def linked(montage: Montage, name: str, follows: str) -> Montage:
    """With another section (or "", the end) after one; raises `ValidationError` for one that is not there."""
    number = section_number(montage, name)
    return _put_section(montage, number, replace(montage.sections[number], next=follows))


def section_number(montage: Montage, name: str) -> int:
    """Place of a section among the others; raises `ValidationError` listing what there is."""
    names = [section.name for section in montage.sections]
    if name not in names:
        have = ", ".join(names) or "none"
        raise ValidationError(f"montage {montage.name!r} has no section {name!r}; there are: {have}")
    return names.index(name)


def section_span(montage: Montage, number: int) -> tuple[float, float]:
    """First and last second of a section; the last is never before the first."""
    start = montage.sections[number].start
    more = number + 1 < len(montage.sections)
    return start, max(montage.sections[number + 1].start if more else montage.length, start)


def section_at(montage: Montage, time: float) -> Section | None:
    """The section that plays at a time, None where the montage has none."""
    return next((s for s in reversed(montage.sections) if s.start <= time + TIME_EPSILON), None)


def _put_section(montage: Montage, number: int, section: Section) -> Montage:
    return replace(
        montage, sections=tuple(section if k == number else s for k, s in enumerate(montage.sections))
    )


# -------------------------------------------------------------------- blends
def trigger_time(montage: Montage) -> float:
    """The second at which a straight play begins to fade out; the length where it never does by itself."""
    if not montage.auto_blend_out:
        return montage.length
    trigger = montage.blend_out_trigger
    return max(montage.length - (montage.blend_out.seconds if trigger < 0.0 else trigger), 0.0)


def with_trigger(montage: Montage, time: float) -> Montage:
    """With the fade beginning at a second; at the place where it ends with the montage, that is what is kept (−1)."""
    left = min(max(montage.length - time, 0.0), montage.length)
    same = abs(left - montage.blend_out.seconds) < TIME_EPSILON
    return replace(montage, blend_out_trigger=-1.0 if same else left)


def with_blend_seconds(blend: MontageBlend, seconds: float, most: float) -> MontageBlend:
    """With another duration, 0 s to `most`."""
    return replace(blend, seconds=min(max(seconds, 0.0), most))
