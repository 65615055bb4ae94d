"""What the actions do that a panel does itself, and how often its clocks tick, as they were read and approved."""

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QLineEdit,
    QMenu,
    QToolButton,
    QWidget,
)
from shiboken6 import Shiboken

from editor.actions.registry import Registry
from tests.editor.panel_stage import Stage
from tests.editor.portraits import approved, deeds, dialogs, sitter, stages
from tests.editor.portraits.brush import Brush, noted
from tests.editor.portraits.hands import Hands
from tests.editor.portraits.in_hand import otherwise, whole
from tests.editor.turning import in_front

PANELS = (
    "additive", "blend_space", "graph", "graph_node", "graph_run", "montage", "play", "play_run", "play_setup",
    "proportions", "retarget", "shot", "source_view", "spaces", "variables", "viewport", "weights",
)  # fmt: skip


PLAIN = {"graph_run": "after", "variables": "after", "play": "plain", "play_run": "plain"}
"""Where less is enough: what takes long to make."""
PAINTED = 6


def richest(panel: str) -> str:
    """The stage at which most of a panel is there."""
    return (
        PLAIN.get(panel)
        or [name for name in ("plain", "rich", "after", "full") if name in stages.stages(panel)][-1]
    )


def clocks(panel: QWidget) -> list[str]:
    """How often each clock of a panel ticks, and whether it does now."""
    return sorted(
        f"clock of {t.interval()} ms{' once' if t.isSingleShot() else ''}" for t in panel.findChildren(QTimer)
    )


def edited() -> str:
    """The name that is typed in place now."""
    field = QApplication.focusWidget()
    inside = field.parentWidget().parentWidget() if isinstance(field, QLineEdit) else None
    return f"edits {field.text()!r} in {inside.objectName()}" if isinstance(inside, QAbstractItemView) else ""


def seated(qapp: QApplication, panel: str) -> tuple[Stage, QWidget, list[str]]:
    """A panel, and the actions that it binds."""
    bound: list[str] = []
    bind = Registry.bind

    def noted(registry: Registry, id: str, *args, **more) -> object:
        bound.append(id)
        return bind(registry, id, *args, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Registry, "bind", noted)
        stage, widget = sitter.seated(qapp, panel, richest(panel))
    return stage, widget, list(dict.fromkeys(bound))


def actions_of(qapp: QApplication, panel: str) -> list[str]:
    stage, widget, bound = seated(qapp, panel)
    hands = Hands(qapp, stage, widget, still=panel == "montage")
    try:
        with noted() as log:
            return told(hands, stage, widget, bound, log)
    finally:
        sitter.away(qapp, stage, widget)


def told(hands: Hands, stage: Stage, widget: QWidget, bound: list[str], log: Brush) -> list[str]:
    hands.lines += [*clocks(widget), *dialogs.tables(widget)]
    in_front(stage.window)
    for chosen in (False, True):
        if chosen:  # a row of each list is chosen
            views = [v for v in widget.findChildren(QAbstractItemView) if v.isVisible() and v.model()]
            for view in views:
                for row in range(view.model().rowCount()):
                    view.setCurrentIndex(view.model().index(row, 0))
            hands.settle()
        hands.lines.append(f"=== {'rows are chosen' if chosen else 'as it is'}")
        own = {id: lambda id=id: stage.actions.run(id) for id in bound}
        for id, act in {**own, **dict(sorted(widget.panel_actions().items()))}.items():
            rest = whole(hands, log)

            def deed(act=act, rest=rest) -> None:
                act()
                hands.settle()
                painted = otherwise(rest, log.taken())
                hands.lines.extend(f"    paints {line}" for line in painted[:PAINTED])
                if told := edited():
                    hands.lines.append(told)

            hands.do(id, deed)
            if not Shiboken.isValid(widget):
                return hands.lines
            widget.setFocus()
            hands.settle()
    return hands.lines


def chosen_rows(qapp: QApplication, panel: str) -> list[str]:
    """What the buttons do that are there only once a row is chosen: the first of each list, and the last."""
    stage, widget = sitter.seated(qapp, panel, richest(panel))
    hands = Hands(qapp, stage, widget, still=True)
    try:
        in_front(stage.window)
        views = [
            v.objectName() for v in widget.findChildren(QAbstractItemView) if v.isVisible() and v.model()
        ]
        for name in [name for name in views if name]:
            for last in (False, True):
                before = usable(widget)
                press_row(widget.findChild(QAbstractItemView, name), last)
                hands.settle()
                for button in sorted(usable(widget) - before):
                    press_row(widget.findChild(QAbstractItemView, name), last)
                    hands.settle()
                    find = lambda button=button: widget.findChild(QAbstractButton, button)  # noqa: E731
                    if find() is None or not find().isEnabled():
                        continue

                    def deed(find=find) -> None:
                        find().click()
                        if told := edited():
                            hands.lines.append(told)

                    hands.do(f"{'last' if last else 'first'} row of {name}, {button}", deed)
        return hands.lines
    finally:
        sitter.away(qapp, stage, widget)


def popped_menus(qapp: QApplication, panel: str) -> list[str]:
    """What the entries of menus do that buttons make when they are pressed."""
    stage, widget = sitter.seated(qapp, panel, richest(panel))
    hands = Hands(qapp, stage, widget, still=True)
    try:
        for name in sorted(usable(widget)):

            def menu_of(name=name) -> QMenu | None:
                button = widget.findChild(QAbstractButton, name)
                button.click()
                hands.settle()
                found = QApplication.activePopupWidget()
                return found if isinstance(found, QMenu) else None

            before = stage.session.history.position
            menu = menu_of()
            if menu is not None:
                menu.close()
                deeds.use_entries(hands, name, menu_of)
            while stage.session.history.position > before and stage.session.undo():
                pass
            hands.settle()
        return hands.lines
    finally:
        sitter.away(qapp, stage, widget)


def usable(panel: QWidget) -> set[str]:
    """Names of buttons that can be pressed and open no menu."""
    found = [b for b in panel.findChildren(QAbstractButton) if b.isVisible() and b.isEnabled()]
    return {b.objectName() for b in found if not isinstance(b, QToolButton) or b.menu() is None}


def press_row(view: QAbstractItemView, last: bool) -> None:
    rows = view.model().rowCount()
    if rows:
        view.setCurrentIndex(view.model().index(rows - 1 if last else 0, 0))


@pytest.mark.parametrize("panel", ("proportions", "retarget"))
def test_buttons_for_a_row_do_what_was_approved(qapp, panel: str) -> None:
    problem = approved.problem_of(f"rows-{panel}", lambda: chosen_rows(qapp, panel))
    assert not problem, problem


@pytest.mark.parametrize("panel", ("blend_space", "montage"))
def test_entries_of_popped_menus_do_what_was_approved(qapp, panel: str) -> None:
    problem = approved.problem_of(f"menus-{panel}", lambda: popped_menus(qapp, panel))
    assert not problem, problem


@pytest.mark.parametrize("panel", PANELS)
def test_actions_do_what_was_approved(qapp, panel: str) -> None:
    problem = approved.problem_of(f"actions-{panel}", lambda: actions_of(qapp, panel))
    assert not problem, problem
