"""Where the parts of a montage are in its panel: head, slot tracks, blend, notify lanes, curves."""

from dataclasses import dataclass
from enum import Enum

from core.clips.clip import Clip, Notify
from core.graph.montage import Montage
from core.ids import AssetId
from editor.model.i18n import tr

RULER = 22.0
SECTIONS = 20.0
LINKS = 20.0
HEAD = RULER + SECTIONS + LINKS
LABELS = 148.0
TRACK = 36.0
BLEND = 34.0
LANE = 17.0
CURVE = 18.0


class RowKind(Enum):
    """What lies in a row."""

    TRACK = "track"
    BLEND = "blend"
    NOTIFIES = "notifies"
    CLIP_NOTIFIES = "clip notifies"
    CURVE = "curve"


@dataclass(frozen=True, slots=True)
class Row:
    """One row below the head.

    Parameters
    ----------
    top, height : pixels, counted from the first row's top
    track : number of the track
    name : of the lane or curve
    """

    kind: RowKind
    top: float
    height: float
    title: str
    track: int = -1
    name: str = ""

    @property
    def bottom(self) -> float:
        """Lower edge."""
        return self.top + self.height


@dataclass(frozen=True, slots=True)
class ClipNotify:
    """A notify of a segment's clip, at its time in the montage."""

    notify: Notify
    time: float
    duration: float


def lanes_of(montage: Montage) -> tuple[str, ...]:
    """Names of the lanes of its notifies, the unnamed first."""
    return ("", *sorted({notify.lane for notify in montage.notifies} - {""}))


def clip_notifies(montage: Montage, clips: dict[AssetId, Clip]) -> tuple[ClipNotify, ...]:
    """Notifies of the clips, as far as their segments play them."""
    found = []
    for track in montage.tracks:
        for segment in track.segments:
            clip = clips.get(segment.clip)
            for notify in clip.notifies if clip is not None else ():
                if segment.begin <= notify.time <= segment.end:
                    time = segment.place + (notify.time - segment.begin) / segment.rate
                    duration = min(notify.duration / segment.rate, segment.last - time)
                    found.append(ClipNotify(notify, time, duration))
    return tuple(sorted(found, key=lambda n: n.time))


def curve_names(montage: Montage, clips: dict[AssetId, Clip]) -> tuple[str, ...]:
    """Curves of the montage, then of its clips."""
    used = (clips.get(s.clip) for track in montage.tracks for s in track.segments)
    return tuple(
        dict.fromkeys([*montage.curves, *(n for clip in used if clip is not None for n in clip.curves)])
    )


def rows_of(montage: Montage, clips: dict[AssetId, Clip], depths: dict[str, int]) -> tuple[Row, ...]:
    """All rows below the head.

    Parameters
    ----------
    depths : how many bars lie above each other, by lane; ``clips`` for those of the clips
    """
    rows: list[Row] = []

    def add(kind: RowKind, height: float, title: str, track: int = -1, name: str = "") -> None:
        rows.append(Row(kind, rows[-1].bottom if rows else 0.0, height, title, track, name))

    for number, track in enumerate(montage.tracks):
        add(RowKind.TRACK, TRACK, track.slot, number)
    add(RowKind.BLEND, BLEND, tr("Weight"))
    for lane in lanes_of(montage):
        add(RowKind.NOTIFIES, LANE * max(depths.get(lane, 1), 1), lane or tr("Notifies"), name=lane)
    if clip_notifies(montage, clips):
        add(RowKind.CLIP_NOTIFIES, LANE * max(depths.get("clips", 1), 1), tr("Notifies of clips"))
    for name in curve_names(montage, clips):
        add(RowKind.CURVE, CURVE, name, name=name)
    return tuple(rows)
