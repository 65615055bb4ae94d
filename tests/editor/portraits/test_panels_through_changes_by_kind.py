"""A panel that was there while something changed shows and paints what one that is made afterwards does.

The theme is switched, everything is undone, and another document, none and the first one again are opened: nothing of
before may be left, and nothing may be missing.
"""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QToolTip, QWidget

from editor.model.switches import DEFAULTS as SWITCHES
from editor.shell.panels import panel_specs
from tests.editor import walkers
from tests.editor.panel_stage import Stage
from tests.editor.portraits import happenings, sitter, stages, words
from tests.editor.portraits.approved import PLACE, steady
from tests.editor.portraits.hands import Hands
from tests.editor.rigs import small_project

GL = {"viewport", "source_view"}
"""These draw on the graphics card."""
GROWN = {"curves"}
"""Their fields keep the width that a longer number needed, so that nothing jumps: only what they say is compared."""


def _bones(stage: Stage) -> None:
    """Others are selected, and one of them is locked."""
    names = stage.session.rig.skeleton.names
    stage.session.selection.select([names[0], names[-1]])
    stage.session.selection.set_flag("locked", [names[-1]])


def _frame(stage: Stage) -> None:
    playback = stage.session.playback
    playback.seek(playback.length / 3.0)


def _clip(stage: Stage) -> None:
    playback = stage.session.playback
    others = [clip.id for clip in stage.session.document.project.clips if clip.id != playback.clip]
    assert others, "there is no other clip"
    playback.set_clip(others[-1])


def _no_clip(stage: Stage) -> None:
    """The character rests."""
    stage.session.playback.set_clip(None)


def _switches(stage: Stage) -> None:
    """Everything that can be shown or not is the other way round."""
    switches = stage.session.switches
    for name in SWITCHES:
        switches.set(name, not switches[name])


def _switched(stage: Stage) -> None:
    stage.theme.use("light")


def _undone(stage: Stage) -> None:
    """Everything, after one more edit that the panel has shown."""
    stage.actions.run("clip.new")
    while stage.session.undo():
        pass


def _other(stage: Stage) -> None:
    project = walkers.both_project()
    stage.session.document.replace(project, None)
    stage.session.playback.set_clip(walkers.REST)


def _none(stage: Stage) -> None:
    empty = stages.empty()
    stage.session.document.replace(empty.document.project, None)
    empty.close()


def _again(stage: Stage) -> None:
    project = small_project(True, True)
    stage.session.document.replace(project, None)
    stage.session.playback.set_clip(project.clips[0].id)


HAPPENS: dict[str, Callable[[Stage], None]] = {
    "other bones": _bones,
    "another frame": _frame,
    "another clip": _clip,
    "no clip": _no_clip,
    "other switches": _switches,
    "another theme": _switched,
    "everything undone": _undone,
    "another document": _other,
    "no document": _none,
    "a document again": _again,
}


def told(widget: QWidget, paints: bool) -> list[str]:
    """What a panel says and paints, in any order and wherever."""
    for button in widget.findChildren(QAbstractButton):
        QApplication.sendEvent(button, QHelpEvent(QEvent.Type.ToolTip, QPoint(1, 1), QPoint(1, 1)))
    QToolTip.hideText()
    titles = [line for own in widget.portrait_titles for line in words.lines(own)]
    painted = [f"paints {line}" for line in (happenings.painted(widget) if paints else ())]
    found = (steady(line) for line in (*words.lines(widget), *titles, *sorted(painted)))
    return [PLACE.sub("@", happenings.MADE.sub("-made", line)) for line in found]


def made_anew(qapp: QApplication, stage: Stage, panel: str, size) -> list[str]:
    """What one tells that is made now."""
    spec = sitter.spec_of(panel)
    widget = spec.create(stage.context)
    bar = sitter.title_bar(widget)
    stage.layout.addWidget(bar)
    stage.add(widget)
    widget.setFixedSize(size)
    settle(qapp, stage, widget)
    try:
        return told(widget, panel not in GROWN)
    finally:
        widget.close_panel()
        stage.panels.remove(widget)
        for part in (bar, widget):
            part.hide()
            stage.layout.removeWidget(part)
            part.deleteLater()
        qapp.processEvents()


def settle(qapp: QApplication, stage: Stage, widget: QWidget) -> None:
    Hands(qapp, stage, widget, patient=True).settle()


@pytest.mark.parametrize("panel", [spec.id for spec in panel_specs() if spec.id not in GL])
def test_a_panel_shows_after_a_change_what_one_made_anew_shows(qapp, panel: str) -> None:
    stage, widget = sitter.seated(qapp, panel, "rich" if panel in stages.RICH else "plain")
    found: dict[str, list[str]] = {}
    try:
        size = widget.size()
        for name, happen in HAPPENS.items():
            happen(stage)
            settle(qapp, stage, widget)
            lived = told(widget, panel not in GROWN)
            widget.hide()
            anew = made_anew(qapp, stage, panel, size)
            widget.show()
            found[name] = happenings.differs(anew, lived)
    finally:
        sitter.away(qapp, stage, widget)
    wrong = {name: lines[:12] for name, lines in found.items() if lines}
    assert not wrong, wrong
