"""A panel that sits for its portrait."""

import re

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QHBoxLayout, QWidget

from editor.model.blending.state import Blending
from editor.model.graph_run.state import GraphRun
from editor.model.montage.preview import MontagePreview
from editor.qt import icons
from editor.qt.panel import PanelSpec
from editor.qt.tokens import DARK, LIGHT
from editor.shell.panels import panel_specs
from tests.editor.panel_stage import Stage
from tests.editor.portraits import full, stages, words
from tests.editor.portraits.brush import noted
from tests.editor.turning import turn_until_shown

SIZE = (460, 900)
WIDE = {
    "timeline": (1100, 420),
    "curves": (900, 420),
    "montage": (900, 420),
    "graph_run": (900, 420),
    "graph": (900, 600),
}
"""Panels that lie at the bottom or in the middle."""


NO_PEN = "#000000"
"""Colour of a pen that draws nothing."""


def spec_of(panel: str) -> PanelSpec:
    (found,) = [spec for spec in panel_specs() if spec.id == panel]
    return found


def title_bar(widget: QWidget) -> QWidget:
    """Holds what a panel puts into the title bar of its dock."""
    bar = QWidget()
    row = QHBoxLayout(bar)
    row.setContentsMargins(0, 0, 0, 0)
    widget.portrait_titles = widget.title_widgets()
    for own in widget.portrait_titles:
        row.addWidget(own)
    return bar


def seated(qapp: QApplication, panel: str, stage: str) -> tuple[Stage, QWidget]:
    """A panel in a window, at a stage."""
    spec = spec_of(panel)
    made = Stage(qapp, stages.made(panel, stage))
    widget = spec.create(made.context)
    bar = title_bar(widget)
    if widget.portrait_titles:
        made.layout.addWidget(bar)
    made.add(widget, time=panel in ("timeline", "curves"))
    made.show(*WIDE.get(panel, SIZE))
    turn_until_shown()
    if stage in ("after", "full"):
        (stages.GOES_ON if stage == "after" else full.FULL)[panel][1](made.session, widget)
        jobs = made.session.jobs
        for _ in range(5000):
            if not (jobs.running or made.session.edit_jobs.busy):
                break
            QTest.qWait(2)
        turn_until_shown()
    return made, widget


def away(qapp: QApplication, stage: Stage, widget: QWidget) -> None:
    """Close the window; what goes on ends with the panel."""
    stage.session.feature(GraphRun).stop()
    stage.session.feature(MontagePreview).stop()
    stage.session.feature(Blending).live.stop()
    getattr(widget, "close_panel", lambda: None)()
    stage.close(qapp)
    turn_until_shown()


def painted(stage: Stage, widget: QWidget) -> list[str]:
    """What the panel paints, in another theme so that no picture of before is taken."""
    other = "light" if stage.theme.tokens.dark else "dark"
    with noted() as log:
        stage.theme.use(other)
        log.taken()
        widget.grab()
        return log.taken()


def left_over(stage: Stage, tops: list[QWidget], brushed: list[str]) -> list[str]:
    """What still has a colour of the theme before the one in use: texts of cells, icons, what is painted."""
    now, before = (LIGHT, DARK) if stage.theme.tokens is LIGHT else (DARK, LIGHT)
    old = set(before.colors().values()) - set(now.colors().values()) - {NO_PEN}
    told = [line for top in tops for line in words.lines(top)] + brushed
    found = [line for line in told if old & set(re.findall(r"#[0-9a-f]{6}", line))]
    kept = {icon.cacheKey(): key for key, icon in icons._CACHE.items() if key[0] == before.name}
    widgets = [w for top in tops for w in (top, *top.findChildren(QAbstractButton))]
    buttons = [w for w in widgets if isinstance(w, QAbstractButton) and w.icon().cacheKey() in kept]
    found += [f"{b.objectName() or b.text()} icon {kept[b.icon().cacheKey()][1]}" for b in buttons]
    return [f"of the theme before: {line.strip()}" for line in found]


def portrait(stage: Stage, widget: QWidget) -> list[str]:
    """Widgets, the order of Tab, and what is painted."""
    titles = getattr(widget, "portrait_titles", [])
    found = words.lines(widget)
    for own in titles:
        found += ["title: " + line for line in words.lines(own)]
    found.append(f"Tab: {', '.join(words.focus_order(widget))}")
    brushed = painted(stage, widget)
    found += [f"paints {line}" for line in brushed]
    return found + left_over(stage, [widget, *titles], brushed)


def portraits(qapp: QApplication, panel: str) -> list[str]:
    """A panel at all its stages, and at the end what no stage shows."""
    lines: list[str] = []
    before: list[str] = []
    seen: set[str] = set()
    unseen: dict[str, str] = {}
    for name in stages.stages(panel):
        stage, widget = seated(qapp, panel, name)
        try:
            found = portrait(stage, widget)
            shown, others = words.by_sight(widget)
            seen |= shown
            unseen |= others
            lines += [f"=== {name}", *(found if found != before else ["as before"])]
            before = found
        finally:
            away(qapp, stage, widget)
    never = [unseen[name] for name in sorted(unseen.keys() - seen)]
    return [*lines, *(["=== never in sight", *never] if never else [])]
