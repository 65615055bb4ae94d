"""Timing bar, transport and the field of the keys' frame by mouse and keys: what is shown and done, as approved."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QToolTip, QWidget

from core.timing import FrameRate
from editor.model.session import Session
from editor.model.timing_state import TimingState
from editor.qt.number_field import NumberField
from editor.tools.shaping import MODES
from tests.editor.actions import rich
from tests.editor.portraits import approved, deeds, pointer, words
from tests.editor.portraits.pointer import CTRL, NONE, SHIFT
from tests.editor.portraits.strip_hands import StripHands, panel

ENTER, ESCAPE = Qt.Key.Key_Return, Qt.Key.Key_Escape
DRAWN = ("drag_bar", "number_field")


def typed(hands: StripHands, field: NumberField, text: str, end: Qt.Key = ENTER) -> None:
    """A click into a number, a text and a key; what the field says to a text that it does not take."""

    def deed() -> None:
        pointer.tap(field, QPoint(20, 10))
        editor = field.findChild(QLineEdit)
        editor.selectAll()
        QTest.keyClicks(editor, text)
        QTest.keyClick(editor, end)
        hands.settle()
        if QToolTip.isVisible() and not editor.isHidden():
            hands.lines.append(f"it says {QToolTip.text()!r}, chosen {editor.selectedText()!r}")
            QToolTip.hideText()
            QTest.keyClick(editor, ESCAPE)

    hands.do(f"{text!r} and {end.name.removeprefix('Key_')} in {field.objectName()}", deed)


def taken(stage, widget: QWidget, log, part: QWidget, own=dict) -> StripHands:
    """Hands on one control, that tell of the bar it lies in what is shown."""
    stage.notes.asked.clear()

    def tried() -> str:
        return "shown" if stage.session.preview.clip is not None else "none"

    def told() -> dict[str, str]:
        fields = [f for f in widget.findChildren(NumberField) if f.isVisible()]
        numbers = {f.objectName(): f"{f.value} {f.unit}".rstrip() for f in fields}
        edits = " ".join(f.objectName() for f in fields if f.editing)
        return {**numbers, "typed into": edits or "none", "preview": tried(), **own()}

    hands = StripHands(QApplication.instance(), stage, part, log, DRAWN, told)
    hands.lines.append(f"=== {part.objectName()}")
    return hands


def timing_bar(qapp: QApplication) -> list[str]:
    def prepare(session: Session, widget: QWidget) -> None:
        session.switches.set("timing_bar", True)

    with panel(qapp, "plain", prepare) as (stage, widget, log):
        bar, session = widget.timing, stage.session
        state = session.feature(TimingState)

        def own() -> dict[str, str]:
            box = bar.modes
            return {
                "mode": f"{state.mode if hasattr(state, 'mode') else ''} {box.currentText()!r}",
                "bar": f"shown {bar.isVisible()}", "keep": f"shown {bar.keep.isVisible()}",
                "tips": f"{box.toolTip()!r} {bar.slider.toolTip()!r} {bar.slider.accessibleName()!r}",
            }  # fmt: skip

        lines: list[str] = []
        hands = taken(stage, widget, log, bar.slider, own)
        begun = state.mode if hasattr(state, "mode") else next(iter(MODES))
        for mode in MODES:
            hands.lines.append(f"=== {mode}")
            hands.do("the mode", lambda mode=mode: state.choose(mode), back=False)
            scale = bar.slider.scale
            rest = QPoint(round(bar.slider.x_of(scale.rest)), 12)
            hands.drag("from rest", rest, (7, 0), (43, 3))
        state.choose(begun)
        hands.settle()
        hands.lay_down()
        rest = QPoint(round(bar.slider.x_of(bar.slider.scale.rest)), 12)
        for held in (SHIFT, CTRL):
            hands.drag("from rest", rest, (43, 3), held=held)
        hands.drag("from rest", rest, (43, 3), end="Escape")
        hands.drag("from rest", rest, (43, 3), end="right button")
        hands.drag("from rest and back", rest, (43, 3), (0, 0))
        hands.over("the handle", rest)
        hands.over("beside it", rest + QPoint(60, 0))
        hands.click("beside it", rest + QPoint(60, 0))
        lines += hands.lines

        hands = taken(stage, widget, log, bar.number, own)
        hands.drag("the number", QPoint(20, 10), (2, 0), (30, 0))
        hands.drag("the number", QPoint(20, 10), (30, 0), end="Escape")
        hands.drag("the number", QPoint(20, 10), (30, 0), end="right button")
        for text, end in (
            ("60", ENTER),
            ("60", ESCAPE),
            ("900", ENTER),
            ("x", ENTER),
            ("+10", ENTER),
            ("30", Qt.Key.Key_Tab),
        ):
            typed(hands, bar.number, text, end)
        state.choose("tween_neighbour")
        hands.settle()
        hands.lay_down()
        for held in (NONE, CTRL):
            hands.drag("the number", QPoint(20, 10), (2, 0), (30, 0), held=held)
        hands.drag("the number", QPoint(20, 10), (30, 0), end="Escape")
        hands.drag("the number", QPoint(20, 10), (30, 0), end="right button")
        state.choose(begun)
        typed(hands, bar.frames, "3")
        typed(hands, bar.frames, "0")
        lines += hands.lines

        hands = taken(stage, widget, log, bar.modes, own)
        hands.do("an arrow key", lambda: QTest.keyClick(bar.modes, Qt.Key.Key_Down), back=False)

        def from_the_list() -> None:
            bar.modes.showPopup()
            hands.settle()
            bar.modes.hidePopup()
            bar.modes.setCurrentIndex(0)
            bar.modes.activated.emit(0)

        hands.do("an entry of the opened list", from_the_list, back=False)
        hands.do("Escape", lambda: QTest.keyClick(bar.number.findChild(QLineEdit), ESCAPE), back=False)
        for mode in ("blend_buffer", begun):
            hands.do(
                f"the action of {mode}",
                lambda mode=mode: stage.actions.run(f"timing_mode.{mode}"),
                back=False,
            )
            hands.do("Escape", lambda: QTest.keyClick(bar.number.findChild(QLineEdit), ESCAPE), back=False)
        session.selection.set_flag("locked", ["upper_arm_l"])
        hands.do("its number, locked", lambda: bar.number.committed.emit(60.0))
        session.selection.set_flag("locked", [])
        session.selection.select_keys({})
        hands.settle()
        hands.do("its number without keys", lambda: bar.number.committed.emit(60.0))
        hands.do("narrow", lambda: widget.window().resize(600, 420), back=False)
        hands.do("wide", lambda: widget.window().resize(1100, 420), back=False)
        hide = bar.findChild(QWidget, "timingHide")
        hands.do("its cross", lambda: hide.click(), back=False)
        hands.do(
            "an action while it is hidden", lambda: stage.actions.run(f"timing_mode.{begun}"), back=False
        )
        lines += hands.lines
        return [line[:700] for line in lines]


def keys_frame(qapp: QApplication) -> list[str]:
    with panel(qapp, "plain") as (stage, widget, log):
        field, session = widget.transport.keys, stage.session
        hands = taken(
            stage,
            widget,
            log,
            field,
            lambda: {"tip": repr(field.toolTip()), "enabled": str(field.isEnabled())},
        )
        for chosen in ({rich.TURN: np.array([1, 2])}, {rich.TURN: np.array([1])}):
            session.selection.select_keys(chosen)
            hands._keys = dict(session.selection.keys)
            hands.settle()
            hands.lines.append(f"=== keys {chosen[rich.TURN].tolist()}")
            hands.over("it", QPoint(20, 10))
            hands.drag("it", QPoint(20, 10), (2, 0), (40, 0))
            hands.drag("it", QPoint(20, 10), (40, 0), held=SHIFT)
            hands.drag("it", QPoint(20, 10), (40, 0), end="right button")
            hands.drag("it", QPoint(20, 10), (40, 0), end="Escape")
            for text in ("25", "+3", "-=2", "*1.1", "/2", "=30", "=", "x", "-90", "1e9"):
                typed(hands, field, text)
            typed(hands, field, "25", ESCAPE)
            typed(hands, field, "25", Qt.Key.Key_Tab)
        session.selection.set_flag("locked", ["upper_arm_l"])
        typed(hands, field, "25")
        session.selection.set_flag("locked", [])
        hands.do("no keys", lambda: session.selection.select_keys({}))
        return hands.lines


def transport(qapp: QApplication) -> list[str]:
    with panel(qapp, "plain") as (stage, widget, log):
        row, session = widget.transport, stage.session
        play = session.playback

        def own() -> dict[str, str]:
            walk = row.findChild(QWidget, "transportWalk")
            return {
                "rate": row.rate.text(), "loop": f"{play.loop.name} {row._loop_button.toolTip()!r}",
                "walk": f"{walk.isChecked()}", "clear": str(row._clear.isEnabled()), "seam": f"{row.seam.text()!r}",
            }  # fmt: skip

        hands = taken(stage, widget, log, row.frame, own)
        speed, loop, in_place = play.speed, play.loop, play.in_place

        def again() -> None:
            play.speed, play.loop, play.in_place = speed, loop, in_place
            hands.settle()

        hands.again = again
        for field in (row.frame, row.length, row.start, row.end, row.speed):
            hands.widget = field
            hands.lay_down()
            hands.drag(field.objectName(), QPoint(20, 10), (2, 0), (40, 0))
            hands.drag(field.objectName(), QPoint(20, 10), (40, 0), held=CTRL)
            hands.drag(field.objectName(), QPoint(20, 10), (40, 0), end="right button")
            for text in ("12.4", "+2", "0", "-3", "x"):
                typed(hands, field, text)
            typed(hands, field, "20", ESCAPE)
        typed(hands, row.end, "60")
        play.set_range(None)
        typed(hands, row.start, "10")
        typed(hands, row.end, "50")
        for number in range(3):
            hands.do(f"loop mode {number}", lambda: row._loop_button.click(), back=False)
            hands.again = lambda: None
        hands.do("in place", lambda: row.findChild(QWidget, "transportWalk").click(), back=False)
        hands.do("root motion", lambda: row.findChild(QWidget, "transportWalk").click(), back=False)
        play.set_range(0.2, 1.5)
        hands.do("the cross of the range", lambda: row._clear.click())
        hands.do("the rate", lambda: row.rate.click())
        for answer in ("", "seconds", "frames"):
            stage.notes.answer = answer
            hands.do(f"24 fps, answered {answer!r}", lambda: row._ask_rate(FrameRate.of(24)))
        hands.do("the same rate", lambda: row._ask_rate(session.clip.rate))
        stage.notes.answer = "frames"
        hands.menus.clear()
        deeds.use_entries(hands, "the rate", lambda: opened(row.rate))
        deeds.use_menu(hands, "the seam", lambda: row.seam, QPoint(5, 5))
        for loops in (True, False):
            clip = replace(session.clip, looping=loops)
            hands.do(f"looping {loops}", lambda clip=clip: (session.edits.put("loop", clip), row.seam.read()))
        hands.do("the seam of no loop", row.seam.read)
        for width in (990, 790, 1100):
            hands.do(f"{width} px wide", lambda width=width: widget.window().resize(width, 420), back=False)
            parts = (*row._captions, row.start, row.end, row._clear, row.keys)
            hands.lines.append(f"    shown {sum(not part.isHidden() for part in parts)} of {len(parts)}")
        hands.do("no clip", lambda: play.set_clip(None, session.rig.id), back=False)
        hands.lines += [f"    {line}" for line in words.lines(row) if "OFF" in line]
        return hands.lines


def opened(button: QWidget):
    """The menu that a button opens."""
    known = {id(w) for w in QApplication.topLevelWidgets() if w.isVisible()}
    button.click()
    QApplication.processEvents()
    return next((w for w in QApplication.topLevelWidgets() if w.isVisible() and id(w) not in known), None)


FIELDS = {"timing": timing_bar, "keys": keys_frame, "transport": transport}


@pytest.mark.parametrize("name", list(FIELDS))
def test_what_fields_of_time_show_and_do_in_hand_is_as_approved(qapp, name: str) -> None:
    problem = approved.problem_of(f"time-fields-{name}", lambda: FIELDS[name](qapp))
    assert not problem, problem
