"""What is wrong with a montage, each with its place, so that it can be shown there."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from core.clips.clip import Clip
from core.graph.compiler import Assets
from core.graph.graph import Graph
from core.graph.montage import Montage, Segment
from core.graph.montage_edits import trigger_time
from core.graph.names import near
from core.graph.notify_conditions import condition_error
from core.ids import AssetId
from core.rig.rig import Rig
from core.timing import TIME_EPSILON


class Part(StrEnum):
    """What of a montage is meant."""

    MONTAGE = "montage"
    TRACK = "track"
    SEGMENT = "segment"
    SECTION = "section"
    NOTIFY = "notify"
    BLEND = "blend"


@dataclass(frozen=True, slots=True)
class MontageProblem:
    """One thing that is wrong.

    Parameters
    ----------
    message : what is wrong and what to do
    part, track, number : where: the number of the segment in its track, of the section, or of the notify
    warning : whether the montage plays all the same
    """

    message: str
    part: Part = Part.MONTAGE
    track: int = -1
    number: int = -1
    warning: bool = False

    def __str__(self) -> str:
        return self.message


def problems_of(montage: Montage, project: Assets) -> tuple[MontageProblem, ...]:
    """Everything that is wrong with a montage of a project, errors first."""
    clips = {clip.id: clip for clip in project.all(Clip)}
    found = [
        *_montage(montage, project),
        *_tracks(montage, clips),
        *_slots(montage, project),
        *_sections(montage),
        *_blends(montage),
        *_notifies(montage, project),
    ]
    return tuple(sorted(found, key=lambda problem: problem.warning))


def _montage(montage: Montage, project: Assets) -> list[MontageProblem]:
    found = []
    if montage.length <= 0.0:
        found.append(MontageProblem("It has no segment: drag a clip onto a track"))
    twins = [m for m in project.all(Montage) if m.name == montage.name and m.rig == montage.rig]
    if any(other.id != montage.id for other in twins):
        found.append(
            MontageProblem(
                f"Another montage of this rig is named {montage.name!r}: graphs play the last one",
                warning=True,
            )
        )
    return found


def _tracks(montage: Montage, clips: Mapping[AssetId, Clip]) -> list[MontageProblem]:
    found = []
    for number, track in enumerate(montage.tracks):
        if not track.segments and montage.length > 0.0:
            found.append(
                MontageProblem(
                    f"Slot {track.slot} has no segment: drag a clip onto it, or delete the track",
                    Part.TRACK,
                    number,
                )
            )
        for k, segment in enumerate(track.segments):
            message, warning = _segment(montage, segment, clips.get(segment.clip))
            if message:
                found.append(MontageProblem(message, Part.SEGMENT, number, k, warning))
        spaces = {
            c.additive.space if c.additive else None for s in track.segments if (c := clips.get(s.clip))
        }
        if len(spaces) > 1:
            found.append(
                MontageProblem(
                    f"Slot {track.slot} mixes additive clips with others: give them a track of their own",
                    Part.TRACK, number,
                )
            )  # fmt: skip
    return found


def _segment(montage: Montage, segment: Segment, clip: Clip | None) -> tuple[str, bool]:
    if clip is None:
        return "Its clip is missing: choose another, or delete the segment", False
    if clip.rig != montage.rig:
        return f"Clip {clip.name!r} is for another rig: retarget it, or choose another", False
    if segment.end > clip.length + TIME_EPSILON:
        return f"Clip {clip.name!r} ends at {clip.length:.3g} s: its last pose holds from there", True
    return "", True


def _slots(montage: Montage, project: Assets) -> list[MontageProblem]:
    graphs = [graph for graph in project.all(Graph) if graph.rig == montage.rig]
    slots = [slot for graph in graphs for slot in graph.slots]
    if not graphs:
        return []
    return [
        MontageProblem(
            f"No graph of this rig has the slot {montage.slot_name(track)!r}{near(montage.slot_name(track), slots)}",
            Part.TRACK, number, warning=True,
        )
        for number, track in enumerate(montage.tracks)
        if montage.slot_name(track) not in slots
    ]  # fmt: skip


def _sections(montage: Montage) -> list[MontageProblem]:
    length = montage.length
    return [
        MontageProblem(
            f"Section {section.name!r} begins where the montage is over: move it, or add a segment",
            Part.SECTION, number=number, warning=True,
        )
        for number, section in enumerate(montage.sections)
        if section.start >= length > 0.0
    ]  # fmt: skip


def _blends(montage: Montage) -> list[MontageProblem]:
    length = montage.length
    if length <= 0.0 or len(montage.sections) > 1:
        return []  # what a chain of sections takes is not known
    if montage.blend_in.seconds > trigger_time(montage) + TIME_EPSILON:
        return [
            MontageProblem(
                "It begins to blend out before it has blended in", Part.BLEND, number=0, warning=True
            )
        ]
    return []


def _notifies(montage: Montage, project: Assets) -> list[MontageProblem]:
    graphs = [graph for graph in project.all(Graph) if graph.rig == montage.rig]
    rig = next((rig for rig in project.all(Rig) if rig.id == montage.rig), None)
    bones = rig.skeleton.names if rig is not None else ()
    found = []
    for number, notify in enumerate(montage.notifies):
        error = condition_error(notify.rule.condition, graphs, bones)
        if error is not None:
            found.append(
                MontageProblem(f"Condition of {notify.name!r}: {error.message}", Part.NOTIFY, number=number)
            )
        if notify.time > montage.length > 0.0:
            found.append(
                MontageProblem(
                    f"Notify {notify.name!r} lies behind the end: it never fires", Part.NOTIFY, number=number,
                    warning=True,
                )
            )  # fmt: skip
    return found
