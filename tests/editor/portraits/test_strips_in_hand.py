"""The strips over the rows of the timeline by mouse and keys: what each gesture shows and does, as approved."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QApplication, QWidget

from core.ids import AssetId
from core.media.sound import PEAK, RATE
from core.media.tracks import AudioTrack, ReferenceTrack
from core.tracks.key_types import KeyType
from editor.model.media.state import Media
from editor.model.session import Session
from editor.model.shot.state import Shot
from editor.panels.timeline import media_strip
from editor.tools import blocking
from tests.editor.actions import rich
from tests.editor.panels.timeline.test_camera_strip import moving
from tests.editor.portraits import approved, deeds
from tests.editor.portraits.pointer import ALT, CTRL, MIDDLE, NONE, RIGHT, SHIFT
from tests.editor.portraits.strip_hands import StripHands, panel, point, stretch

DELETE, BACKSPACE, ESCAPE, AWAY_LEFT, AWAY_RIGHT = (
    Qt.Key.Key_Delete,
    Qt.Key.Key_Backspace,
    Qt.Key.Key_Escape,
    Qt.Key.Key_Left,
    Qt.Key.Key_Right,
)


def beside(at: QPoint, x: int, y: int = 0) -> QPoint:
    return at + QPoint(x, y)


# ------------------------------------------------------------ keys of a camera
def camera(qapp: QApplication) -> list[str]:
    def prepare(session: Session, widget: QWidget) -> None:
        session.feature(Shot).add(replace(moving(), name="The crane over the yard"))

    with panel(qapp, "plain", prepare) as (stage, widget, log):
        strip = widget.findChild(QWidget, "cameraStrip")
        view, axis = widget.model.view, widget.model.view.axis

        def own() -> dict[str, str]:
            times = " ".join(f"{t * 30.0:.4g}" for t in strip.chosen)
            return {"chosen frames": times or "none", "in sight": stretch(widget)}

        def again(*times: float) -> None:
            strip._choose(times)
            view.set_axis(axis)

        hands = StripHands(qapp, stage, strip, log, ("camera_strip", "strip_parts"), own, again)
        first, second, third = (point(strip.place_of(f / 30.0)) for f in (0, 10, 20))
        between = beside(second, -40)
        hands.over("a key", second)
        hands.over("a key at the edge of its reach", beside(second, 6))
        hands.over("no key", beside(second, 7))
        hands.over("its name", QPoint(20, 9))
        hands.click("a key", second, back=False)
        hands.click("another", third, back=False)
        hands.click("another", second, SHIFT, back=False)
        hands.click("another", first, CTRL, back=False)
        hands.click("one of two", second, SHIFT)
        again()
        hands.click("no key", between)
        hands.click("a key", second, button=MIDDLE)
        for held in (NONE, SHIFT):
            hands.drag("a key", second, (2, 0), (51, 0), held=held)
        hands.drag("a key before the start", second, (-400, 0))
        hands.drag("a key", second, (50, 0), end="Escape")
        hands.drag("a key", second, (50, 0), end="right button")
        hands.drag("a key without moving", second)
        hands.drag("nothing", between, (30, 0))
        hands.wheel_in_drag("a key", second)
        hands.do("to play", lambda: stage.actions.run("playback.toggle"), back=False)
        hands.click("a key while it plays", second)
        hands.twice("a key", third)
        hands.twice("no key", between)
        hands.again = lambda: again(10 / 30.0, 20 / 30.0)
        again(10 / 30.0, 20 / 30.0)
        hands.lines.append("=== two keys chosen")
        hands.drag("one of them", third, (-30, 0))
        hands.twice("no key", between)
        for code in (DELETE, BACKSPACE, ESCAPE, AWAY_LEFT, AWAY_RIGHT, Qt.Key.Key_X):
            hands.key(code)
        for code in (AWAY_LEFT, AWAY_RIGHT):
            hands.key(code, ALT)
        hands.again = lambda: again(0.0, 20 / 30.0)
        hands.again()
        hands.key(AWAY_LEFT, ALT)
        hands.key(AWAY_RIGHT)
        hands.again = again
        again()
        hands.lines.append("=== no key chosen")
        for code in (DELETE, ESCAPE, AWAY_RIGHT):
            hands.key(code)
        hands.wheel("it", second, 1)
        hands.wheel("it", second, -1, ALT)
        deeds.use_menu(hands, "a key", lambda: strip, second)
        stage.session.selection.select([])
        stage.session.feature(Shot).select(None)
        stage.session.playback.seek(0.4)
        hands.settle()
        hands.lines.append(f"no camera selected: shown {strip.isVisible()}")
        return hands.lines


# ------------------------------------------------------------ sound and footage
class _Files:
    """Files of tracks that are there without any being read."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, media: Media) -> None:
        columns = 40
        peaks = np.stack([-np.arange(columns), np.arange(columns)], axis=1).astype(np.int8)
        count = columns * PEAK
        self.sounds = {"audio-1": SimpleNamespace(peaks=peaks, count=count, seconds=count / RATE)}
        self.problems = {"audio-2": "the file is not there"}
        ends = {"reference-1": 0.9, "reference-2": float("inf")}
        files = media.files
        monkeypatch.setattr(files, "sound", lambda track: self.sounds.get(track.id))
        monkeypatch.setattr(files, "problem", lambda track, rate: self.problems.get(track.id, ""))
        monkeypatch.setattr(files, "opening", lambda track, rate: track.id == "audio-3")
        monkeypatch.setattr(
            media, "seconds",
            lambda track: ends.get(track.id) if track.id in ends
            else s.seconds if (s := self.sounds.get(track.id)) is not None else None,
        )  # fmt: skip


def media_lanes(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    def prepare(session: Session, widget: QWidget) -> None:
        media = session.feature(Media)
        media.player.open_device = None
        _Files(monkeypatch, media)
        clip = session.clip.id
        session.edits.put(
            "media",
            AudioTrack(AssetId("audio-1"), "steps.wav", "/nowhere/steps.wav", clip, 0.2, 0.5),
            AudioTrack(AssetId("audio-2"), "a name that is much too long for it.wav", "/nowhere/b.wav", clip, 0.5),
            AudioTrack(AssetId("audio-3"), "c.wav", "/nowhere/c.wav", clip, 0.4, muted=True),
            ReferenceTrack(AssetId("reference-1"), "walk.mp4", "/nowhere/walk.mp4", clip, 0.1),
            ReferenceTrack(AssetId("reference-2"), "still.png", "/nowhere/still.png", clip, 0.1),
        )  # fmt: skip

    with panel(qapp, "plain", prepare) as (stage, widget, log):
        strip = widget.findChild(QWidget, "mediaStrip")
        media, view, axis = strip.media, widget.model.view, widget.model.view.axis

        def own() -> dict[str, str]:
            return {"chosen": str(media.chosen), "in sight": stretch(widget)}

        def again() -> None:
            media.choose(None)
            view.set_axis(axis)

        made = media_strip.waveform

        def wave(sound, seconds, rows, volume, word):
            words = f"{seconds[0]:.3f} to {seconds[-1]:.3f} s, {len(seconds)} edges, {rows} rows, {volume:g} {word:08x}"
            log.note("waveform", words)
            return made(sound, seconds, rows, volume, word)

        monkeypatch.setattr(media_strip, "waveform", wave)
        strip._waves.clear()
        files = ("media_strip", "strip_parts", "waveform", "icon", "QIcon")
        hands = StripHands(qapp, stage, strip, log, files, own, again)
        hands.lines += ["at rest", *(f"    {line}" for line in hands.rest)]
        again()
        hands.lay_down()
        for track in media.tracks:
            rect, switch = strip.rect_of(track), point(strip.switch_of(track).center())
            middle = QPoint(round(min(rect.center().x(), 700.0)), switch.y())
            hands.lines.append(f"=== {track.name}")
            hands.over("its bar", middle)
            hands.over("its switch", switch)
            hands.over("its name", QPoint(20, middle.y()))
            hands.click("its bar", middle)
            hands.click("its switch", switch)
            hands.click("its name", QPoint(20, middle.y()))
            for at in (middle, switch):
                hands.click("it", at, button=MIDDLE)
            hands.click("its switch", switch, button=RIGHT)
            hands.drag("its bar", middle, (1, 0), (35, 4))
            hands.drag("its bar", middle, (33, 4), held=SHIFT)
            hands.drag("its bar", middle, (33, 4), end="Escape")
            hands.drag("its bar", middle, (33, 4), end="right button")
            hands.twice("its bar", middle)
            hands.twice("its name", QPoint(20, middle.y()))
            media.choose(track.id)
            hands.again = lambda: (again(), media.choose(track.id))  # noqa: B023
            for code in (DELETE, BACKSPACE, ESCAPE, AWAY_LEFT):
                hands.key(code)
            hands.again = again
            again()
        hands.lines.append("=== no track")
        hands.over("below all", QPoint(500, strip.height() - 1))
        hands.click("below all", QPoint(500, strip.height() - 1))
        for code in (DELETE, ESCAPE):
            hands.key(code)
        hands.wheel("it", middle, 1)
        hands.wheel("it", middle, 1, ALT)
        stage.session.feature(Media).player.problem = "no device"
        strip.update()
        hands.do("no device", lambda: strip.update())
        deeds.use_menu(hands, "a bar", lambda: strip, point(strip.rect_of(media.tracks[0]).center()))
        return hands.lines


# ------------------------------------------------------------ contacts of a source
def contact_lanes(qapp: QApplication) -> list[str]:
    with panel(qapp, "after", lambda session, widget: None) as (stage, widget, log):
        strip = widget.findChild(QWidget, "contactStrip")
        view, axis = widget.model.view, widget.model.view.axis

        def own() -> dict[str, str]:
            spans = " ".join(f"{s.limb}.{s.point}:{s.first}-{s.last}" for s in strip.spans())
            return {"chosen": str(strip.chosen), "spans": spans, "in sight": stretch(widget)}

        def again() -> None:
            strip.chosen = None
            view.set_axis(axis)
            strip.update()

        hands = StripHands(qapp, stage, strip, log, ("contact_strip", "strip_parts"), own, again)
        hands.lines += ["at rest", *(f"    {line}" for line in hands.rest)]
        span = max(strip.spans(), key=lambda s: s.last - s.first)
        rect = strip.rect_of(span)
        middle = point(rect.center())
        first, last = QPoint(round(rect.left()) + 1, middle.y()), QPoint(round(rect.right()) - 1, middle.y())
        empty = next(
            QPoint(x, y)
            for y in range(8, strip.height(), 13)
            for x in range(round(view.view_x(0.3)), 1090, 9)
            if all(strip._at(x + dx, y) is None for dx in (-60, -30, 0, 30, 60)) and strip._lane_at(x, y)
        )
        for name, at in (("its start", first), ("its end", last), ("its middle", middle), ("nothing", empty)):
            hands.over(name, at)
            hands.click(name, at)
            hands.click(name, at, button=MIDDLE)
            hands.drag(name, at, (1, 0), (22, 6))
            hands.drag(name, at, (-22, 6), end="Escape")
            hands.drag(name, at, (-22, 6), end="right button")
            hands.twice(name, at)
        hands.drag("its start beyond its end", first, (900, 0))
        hands.wheel_in_drag("its end", last)
        hands.over("a name", QPoint(20, middle.y()))
        hands.twice("a name", QPoint(20, middle.y()))
        strip.chosen = span
        hands.again = lambda: (again(), setattr(strip, "chosen", span))
        for code in (DELETE, BACKSPACE, ESCAPE, AWAY_LEFT):
            hands.key(code)
        hands.again = again
        again()
        for code in (DELETE, ESCAPE):
            hands.key(code)
        hands.wheel("it", middle, 1)
        hands.wheel("it", middle, 1, ALT)
        deeds.use_menu(hands, "a span", lambda: strip, middle)
        deeds.use_menu(hands, "an empty place", lambda: strip, empty)
        hands.lines.append("=== edited")
        hands.drag("its end", last, (22, 0), back=False)
        hands.lay_down()
        hands.lines += [f"    {line}" for line in hands.rest if "span" in line]
        hands.menus.clear()
        deeds.use_menu(hands, "a name", lambda: strip, QPoint(20, middle.y()))
        return hands.lines


# ------------------------------------------------------------ poses
def pose_cards(qapp: QApplication) -> list[str]:
    def prepare(session: Session, widget: QWidget) -> None:
        session.selection.select_keys({rich.TURN: np.array([1])})
        blocking.set_type(session, KeyType.EXTREME)
        session.selection.select_keys({})
        session.switches.set("pose_strip", True)

    with panel(qapp, "plain", prepare) as (stage, widget, log):
        strip = widget.poses
        view, axis, session = widget.model.view, widget.model.view.axis, stage.session

        def own() -> dict[str, str]:
            cards = " ".join(f"{c.time * 30.0:.4g}" for c in strip.cards())
            return {"poses": cards, "in sight": stretch(widget)}

        drawn = QPixmap(40, 90)
        drawn.fill(Qt.GlobalColor.white)
        strip.pictures.picture = lambda time: drawn if time < 1.5 else None  # the real ones come late
        hands = StripHands(qapp, stage, strip, log, ("pose_strip",), own, lambda: view.set_axis(axis))
        hands.lines += ["at rest", *(f"    {line}" for line in hands.rest)]
        cards = strip.cards()
        second, third = (point(card.rect.center()) for card in cards[1:3])
        empty = QPoint((second.x() + third.x()) // 2, 30)
        hands.over("a pose", second)
        hands.over("no pose", empty)
        hands.over("the name", QPoint(20, 30))
        for held in (NONE, SHIFT, CTRL, ALT):
            hands.click("a pose", second, held)
            hands.drag("a pose", second, (2, 0), (40, 3), held=held)
        hands.drag("a pose over another", second, (third.x() - second.x(), 0), held=ALT)
        hands.drag("a pose over another", second, (third.x() - second.x() + 60, 0))
        hands.drag("a pose", second, (40, 0), end="Escape")
        hands.drag("a pose", second, (40, 0), end="right button")
        hands.wheel_in_drag("a pose", second)
        hands.twice("a pose", third)
        hands.click("no pose", empty)
        hands.click("the first pose at its edge", QPoint(round(view.layout().labels) + 1, 30))
        hands.click("the name", QPoint(20, 30))
        for at in (empty, second):
            hands.click("it", at, button=MIDDLE)
        hands.click("no pose", empty, button=RIGHT)
        for code in (AWAY_LEFT, AWAY_RIGHT, ESCAPE, DELETE):
            hands.key(code)
        for held in (SHIFT, ALT):
            hands.key(AWAY_LEFT, held)
        hands.do("to the last pose", lambda: session.playback.seek(cards[-1].time), back=False)
        for code in (AWAY_RIGHT, AWAY_LEFT):
            session.playback.seek(cards[-1].time)
            hands.key(code)
        hands.wheel("it", second, 1)
        hands.wheel("it", second, 1, ALT)
        deeds.use_menu(hands, "a pose", lambda: strip, second)
        hands.do("seen from afar", lambda: view.set_axis(replace(axis, scale=axis.scale / 14.0)), back=False)
        hands.over("a small pose", point(strip.cards()[1].rect.center()))
        session.selection.select([])
        hands.do("without keys", lambda: session.edits.put("bare", replace(session.clip, tracks={})))
        return hands.lines


STRIPS = {"camera": camera, "contacts": contact_lanes, "poses": pose_cards}


@pytest.mark.parametrize("name", list(STRIPS))
def test_what_a_strip_shows_and_does_in_hand_is_as_approved(qapp, name: str) -> None:
    problem = approved.problem_of(f"strip-{name}", lambda: STRIPS[name](qapp))
    assert not problem, problem


def test_what_lanes_of_sound_and_footage_do_in_hand_is_as_approved(qapp, monkeypatch) -> None:
    def told() -> list[str]:
        with monkeypatch.context() as patch:
            return media_lanes(qapp, patch)

    problem = approved.problem_of("strip-media", told)
    assert not problem, problem
