"""Gestures over time, to the number: what is shown after each move, what is told, what the release makes of it.

Each begins untouched: until it is begun it shows nothing, whatever the pointer does.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import product

import numpy as np
import pytest

from core.arrays import same_value
from core.clips.clip import Channel, Notify, Property
from core.clips.contacts import with_contacts
from editor.model.session import Session
from editor.tools.clip_events import Kind, Lane, on_lane
from editor.tools.curves.gestures import DragCurveKeys, DragHandle
from editor.tools.curves.lanes import Lane as CurveLane
from editor.tools.curves.reader import Reader
from editor.tools.event_drags import DragEvents
from editor.tools.gesture import Gesture
from editor.tools.key_drag import DragKeys, ScaleKeys
from editor.tools.markers import DragMarker
from editor.tools.play_range import DragRange, RangeEdge
from editor.tools.pointer import Button, Modifiers, Pointer
from editor.tools.posing.breakdown import DragBreakdown
from editor.tools.posing.path import DragPath
from editor.tools.posing.trail import DragTrailDot
from editor.tools.scrub import Scrub
from editor.tools.span_part import Part
from tests.editor.actions import rich
from tests.pins import Pins

PINS = Pins(__file__, near=1e-6)
FRAME, PIXELS = 1.0 / 30.0, 300.0
NONE, SHIFT, CTRL, ALT = Modifiers.NONE, Modifiers.SHIFT, Modifiers.CTRL, Modifiers.ALT
SWING = Channel("upper_arm_l", Property.ROTATE, 0)
WAYS: dict[str, tuple[tuple[float, float], ...]] = {
    "a second at once": ((30.0, 0.0),), "a second back": ((-30.0, 0.0),), "between frames": ((3.4, -12.0), (5.6, 18.0)),
    "hardly": ((0.02, 0.0), (0.1, 0.3)), "there and back": ((6.0, 25.0), (0.0, 0.0)),
    "over the edges": ((90.0, 400.0), (-90.0, -400.0)),
}  # fmt: skip
"""Frames to the right and pixels down that the pointer is from where it was pressed."""


def time_at(x: float) -> float:
    return x / PIXELS


def at(frame: float, y: float = 0.0, held: Modifiers = NONE) -> Pointer:
    return Pointer(frame * FRAME * PIXELS, 50.0 + y, Button.LEFT, held)


@dataclass
class Told:
    """What a gesture tells those around it, and the curve editor's view for it: two pixels a degree."""

    session: Session
    words: list[object] = field(default_factory=list)

    def __call__(self, *what: object) -> None:
        self.words.append(what)

    @property
    def reader(self) -> Reader:
        return Reader(self.session.rig.skeleton)

    def editable(self, keys):
        return {c: k for c, k in keys.items() if c.bone not in self.session.selection.locked}

    def keep_buffer(self, clip) -> None:
        self("buffer")

    def time_at(self, x: float) -> float:
        return time_at(x)

    def rise(self, lane, dy: float) -> float:
        return -dy / 2.0

    def unit_of(self, lane) -> float:
        return 1.0

    def snapped(self, time: float, moving) -> float:
        return self.session.clip.rate.snap(time)

    def rest(self, still: bool) -> None:
        self("rest", still)

    def touch(self, reach) -> None:
        self("touch", None if reach is None else str(type(reach).__name__))


def _events(kind: Kind, part: Part, count: int = 1, **lane) -> Callable[[Session, Told], Gesture]:
    def make(session: Session, told: Told) -> Gesture:
        found = on_lane(session.clip, Lane(kind, **lane))[:count]
        snap = session.clip.rate.snap
        other = Lane(Kind.NOTIFY, name="Sounds")
        return DragEvents(
            session, tuple(found), part, time_at, snap, lambda: told("alone"),
            lambda events: told([(e.name, e.lane.name, e.time, e.duration) for e in events]),
            lambda y: other if y > 60.0 else None,
        )  # fmt: skip

    return make


def _moved(pixel) -> np.ndarray:
    return np.array([pixel[0] - 200.0, 50.0 - pixel[1], 0.0]) / 2000.0


MADE: dict[str, Callable[[Session, Told], Gesture]] = {
    "keys": lambda s, t: DragKeys(s, 20.0 * FRAME, time_at, lambda: t("click")),
    "first edge": lambda s, t: ScaleKeys(s, (20.0 * FRAME, 40.0 * FRAME), False, time_at, s.clip.rate.snap),
    "last edge": lambda s, t: ScaleKeys(s, (20.0 * FRAME, 40.0 * FRAME), True, time_at, s.clip.rate.snap),
    "curve keys": lambda s, t: DragCurveKeys(s, t, t, CurveLane(rich.TURN), 20.0 * FRAME, lambda: t("click")),
    "curve keys, other lane": lambda s, t: DragCurveKeys(s, t, t, CurveLane(SWING), 20.0 * FRAME, lambda: t("click")),
    **{
        f"handle {side}{' weighted' if weighted else ''}": lambda s, t, side=side, weighted=weighted: DragHandle(
            s, t, t, CurveLane(rich.TURN), 1, side, (200.0, 50.0), weighted
        )
        for side, weighted in product((-1, 1), (False, True))
    },
    **{f"notify {part.name}": _events(Kind.NOTIFY, part) for part in Part},
    "two notifies": _events(Kind.NOTIFY, Part.WHOLE, 2), "sync": _events(Kind.SYNC, Part.WHOLE),
    **{f"contact {part.name}": _events(Kind.CONTACT, part, curve="contact_left_foot") for part in Part},
    "marker": lambda s, t: DragMarker(
        s, s.clip.markers[0], lambda x, snap: s.clip.rate.snap(x / PIXELS) if snap else x / PIXELS
    ),
    **{f"range {edge.name}": lambda s, t, edge=edge: DragRange(s.playback, edge, time_at) for edge in RangeEdge},
    "scrub": lambda s, t: Scrub(s.playback, time_at, s.playback.rate.snap),
    "path": lambda s, t: DragPath(s, "hand_l", 20.0 * FRAME, _moved, lambda span: t("falloff", span)),
    "trail": lambda s, t: DragTrailDot(s, s.rig, "hand_l", 20.0 * FRAME, np.array([0.74, 1.78, 0.0]), _moved),
    "breakdown": lambda s, t: DragBreakdown(s),
}  # fmt: skip
HELD = {
    **dict.fromkeys(MADE, (NONE, CTRL)),
    **dict.fromkeys(("keys", "first edge", "last edge", "notify WHOLE", "notify FIRST"), (NONE, CTRL, ALT, ALT | CTRL)),
    **dict.fromkeys(("curve keys", "scrub"), (NONE, CTRL, SHIFT, SHIFT | CTRL)),
    **{name: (NONE, ALT, SHIFT, ALT | SHIFT) for name in MADE if name.startswith("handle")},
    "path": (NONE,), "trail": (NONE,), "breakdown": (NONE,),
}  # fmt: skip
RIPPLES = ("keys", "curve keys")


@pytest.fixture
def session() -> Iterator[Session]:
    made = rich.session()
    clip = made.clip
    assert clip is not None
    more = replace(clip, notifies=(*clip.notifies, Notify("late", 1.25, 0.4)))
    made.edits.put("more", with_contacts(more, "contact_left_foot", [(0.2, 0.8), (1.1, 1.5)]))
    made.selection.select(["upper_arm_l"])
    made.selection.select_keys({rich.TURN: np.array([1, 2]), SWING: np.array([1])})
    made.playback.seek(25.0 * FRAME)
    yield made
    made.close()


def shown(session: Session) -> Iterator[object]:
    """The clip and pose that are seen, in what is other than the document's clip."""
    clip, kept = session.evaluator.clip, session.clip
    yield session.preview.clip is not None, session.preview.pose is not None
    yield {c: t for c, t in clip.tracks.items() if t is not kept.tracks.get(c)}
    yield [c for c in kept.tracks if c not in clip.tracks]
    yield clip.notifies, clip.sync_markers, clip.markers, dict(clip.curves) if clip is not kept else {}
    yield session.evaluator.pose().rotations
    yield {c: np.asarray(k) for c, k in session.selection.keys.items()}
    yield session.playback.time, session.playback.range


@pytest.mark.parametrize("name", list(MADE))
def test_what_a_gesture_shows_tells_and_makes(session: Session, name: str) -> None:
    clip, position = session.clip, session.history.position
    for held, way, ripple in product(HELD[name], WAYS, (False, True) if name in RIPPLES else (False,)):
        session.switches.set("snap", way != "over the edges")
        session.switches.set("ripple", ripple)
        told = Told(session)
        gesture = MADE[name](session, told)
        with PINS.together(f"{name}, {way}, {held.name}{', ripple' if ripple else ''}") as note:
            note(gesture.hint)
            gesture.begin(at(20.0, held=held))
            for right, down in WAYS[way]:
                gesture.move(at(20.0 + right, down, held))
                note(gesture.status, gesture.hint, *shown(session))
            gesture.finish(at(20.0 + right, down, held))
            note(
                session.history.labels[position : session.history.position],
                told.words,
                session.messages.latest.text,
                *shown(session),
            )
            changed = session.clip is not clip
            note(
                {c: t for c, t in session.clip.tracks.items() if t is not clip.tracks.get(c)}
                if changed
                else "none"
            )
            note(
                session.clip.notifies,
                session.clip.markers,
                session.clip.sync_markers,
                dict(session.clip.curves),
            )
        if changed:
            session.undo()
        session.playback.set_range(0.2, 1.5)
        session.playback.seek(25.0 * FRAME)
        session.selection.select_keys({rich.TURN: np.array([1, 2]), SWING: np.array([1])})


@pytest.mark.parametrize(
    "name", [n for n in MADE if n not in ("trail", "scrub") and not n.startswith("range")]
)
def test_until_it_is_begun_a_gesture_shows_nothing(session: Session, name: str) -> None:
    told = Told(session)
    before, position = list(map(str, shown(session))), session.history.position
    gesture = MADE[name](session, told)
    if name != "breakdown":
        assert gesture.status == ""
    gesture.move(at(50.0, 100.0))
    assert list(map(str, shown(session))) == before and session.history.position == position
    assert gesture.status == ("Breakdown  25 %" if name == "breakdown" else "")
    gesture.cancel()
    assert list(map(str, shown(session))) == before and session.history.position == position


@pytest.mark.parametrize("name", ["keys", "first edge", "curve keys", "handle 1"])
@pytest.mark.parametrize("ends", ["flat", "one_sided"])
def test_what_is_shown_meanwhile_is_what_the_release_makes(session: Session, name: str, ends: str) -> None:
    session.preferences.set("auto_ends", ends)
    session.selection.select_keys({rich.TURN: np.array([0, 1, 2, 3]), SWING: np.array([3])})
    session.playback.seek(0.0)
    gesture = MADE[name](session, Told(session))
    gesture.begin(at(20.0))
    gesture.move(at(23.0, 40.0))
    shown = session.preview.clip
    gesture.finish(at(23.0, 40.0))
    assert shown is not None and same_value(dict(shown.tracks), dict(session.clip.tracks))
    PINS.hold(f"{name} with ends {ends}", dict(shown.tracks))
