"""Random gestures of the mouse in the real window; what they did is taken back and done again, and must come out alike.

Gizmo handles, bones, keys of the dope sheet, number fields and any place of the panels are pressed, dragged with and
without modifiers, given up with Escape. After some of them all steps are undone and done again: both ends must be
equal, and the assets that the walk began with unchanged to the last bit, however they are shared.
"""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from core.arrays import same_value
from core.errors import AnimError
from core.project.project import Project
from core.project.references import check
from editor.gl.gizmo import Handle
from editor.model.history import Step, StepKind
from editor.panels.timeline.layout import ROW
from editor.panels.timeline.track_view import TrackView
from editor.qt.number_field import NumberField
from tests.editor.seen import Seen
from tests.editor.stage import Stage
from tests.reliability.edits import fingerprint

CHECK_EVERY = 15
KEYS = Qt.KeyboardModifier
BUTTONS = Qt.MouseButton
TOOLS = (
    "W",
    "E",
    "R",
    "S",
    "Shift+S",
    "Delete",
    "Ctrl+A",
    "Ctrl+C",
    "Ctrl+V",
    "Ctrl+D",
    "Right",
    "Ctrl+Right",
)
HANDLES = (Handle.X, Handle.Y, Handle.Z)


@dataclass
class Gestured:
    """What the walk did."""

    gestures: Counter[str] = field(default_factory=Counter)
    labels: Counter[str] = field(default_factory=Counter)
    checks: int = 0
    steps: int = 0
    seconds: float = 0.0
    problems: list[str] = field(default_factory=list)

    def rows(self) -> list[tuple[str, str]]:
        """For the table of the closing note."""
        each = ", ".join(f"{kind} {count}" for kind, count in self.gestures.most_common())
        labels = ", ".join(f"{label} {count}" for label, count in self.labels.most_common(30))
        return [
            ("gestures by mouse", f"{sum(self.gestures.values())} ({each})"),
            ("steps they made, by the first word of their label", f"{self.steps} ({labels})"),
            ("all undone and done again", str(self.checks)),
            ("mismatches, exceptions", str(len(self.problems))),
            *(("problem", text) for text in self.problems[:20]),
        ]


class Gestures:
    """A walk through the window.

    Parameters
    ----------
    stage : the window on a document
    """

    def __init__(self, stage: Stage, seed: int = 1) -> None:
        self.stage, self.session, self.window = stage, stage.session, stage.window
        self.chance = Random(seed)
        self.told = Gestured()
        self.kinds: dict[str, Callable[[], bool]] = {
            "gizmo": self._gizmo,
            "bone": self._bone,
            "key": self._key,
            "number": self._number,
            "anywhere": self._anywhere,
            "shortcut": self._shortcut,
        }
        self.session.history.stepped.connect(self._on_step)
        self.session.document.replaced.connect(lambda _: self._begin())
        self._begin()

    def run(self, count: int, seconds: float = 1e9) -> Gestured:
        """Make so many gestures."""
        began = time.monotonic()
        for number in range(count):
            if time.monotonic() - began > seconds or self.told.problems:
                break
            kind = self.chance.choice(list(self.kinds))
            try:
                self.told.gestures[kind] += self.kinds[kind]()
                self._rest()
            except Exception as error:
                self.told.problems.append(f"gesture {number} ({kind}): {type(error).__name__}: {error}")
            if number % CHECK_EVERY == CHECK_EVERY - 1:
                self.check()
        self.check()
        self.told.seconds += time.monotonic() - began
        return self.told

    def check(self) -> None:
        """Undo everything, do it again, and compare."""
        session, history = self.session, self.session.history
        self._rest()
        now, position = session.document.project, history.position
        try:
            check(now)
        except AnimError as error:
            self.told.problems.append(f"references: {error}")
        session.go_to(0)
        if history.dropped == 0 and not _same(session.document.project, self.start):
            self.told.problems.append(f"undoing {position} steps gives another document: {history.labels}")
        session.go_to(position)
        if not _same(session.document.project, now):
            self.told.problems.append(
                f"doing {position} steps again gives another document: {history.labels}"
            )
        changed = [a.name for a in self.start.assets.values() if fingerprint(a) != self.sums[a.id]]
        if changed:
            self.told.problems.append(f"a gesture wrote into {changed}: {history.labels[-5:]}")
        self._rest()
        self.told.checks += 1

    # ------------------------------------------------------------ gestures; each says whether it could be made
    def _gizmo(self) -> bool:
        """Drag a handle of the gizmo."""
        seen = self._viewport()
        if seen is None or seen.model.gizmo() is None:
            return False
        try:
            at = seen.handle_pixel(self.chance.choice(HANDLES), self.chance.random() * 0.9)
        except (StopIteration, IndexError):
            return False
        return self._drag(seen.view, _point(at))

    def _bone(self) -> bool:
        """Click a bone, or drag it."""
        seen = self._viewport()
        if seen is None or self.session.rig is None:
            return False
        at = _point(seen.bone_pixel(self.chance.choice(self.session.rig.skeleton.names)))
        if self.chance.random() < 0.7:
            return self._click(seen.view, at)
        return self._drag(seen.view, at)

    def _key(self) -> bool:
        """Drag a key of the dope sheet, or click it."""
        view = self._visible(TrackView)
        if view is None:
            return False
        rows = [row for row in view._model.view.row_views() if len(row.xs)]
        if not rows:
            return False
        row = self.chance.choice(rows)
        at = QPoint(round(float(self.chance.choice(list(row.xs)))), round(row.top + ROW / 2))
        return self._click(view, at) if self.chance.random() < 0.3 else self._drag(view, at)

    def _number(self) -> bool:
        """Scrub a number field."""
        fields = [f for f in self.window.findChildren(NumberField) if f.isVisible() and f.isEnabled()]
        if not fields:
            return False
        found = self.chance.choice(fields)
        return self._drag(found, found.rect().center(), QPoint(self.chance.randint(-40, 40), 0))

    def _anywhere(self) -> bool:
        """Press any place of a panel, and drag or let go."""
        docks = [dock for dock in self.window.docks.values() if not dock.visibleRegion().isEmpty()]
        if not docks:
            return False
        dock = self.chance.choice(docks)
        at = QPoint(self.chance.randrange(dock.width()), self.chance.randrange(dock.height()))
        return self._click(dock, at) if self.chance.random() < 0.5 else self._drag(dock, at)

    def _shortcut(self) -> bool:
        """A key with the pointer where it is."""
        self.stage.user.press(self.chance.choice(TOOLS))
        return True

    # ------------------------------------------------------------ the mouse
    def _click(self, widget: QWidget, at: QPoint) -> bool:
        place = self._place(widget, at)
        if place is None:
            return False
        held = self.chance.choice((KEYS.NoModifier,) * 4 + (KEYS.ControlModifier, KEYS.ShiftModifier))
        QTest.mouseMove(self.window.windowHandle(), place)
        QTest.mouseClick(self.window.windowHandle(), BUTTONS.LeftButton, held, place)
        return True

    def _drag(self, widget: QWidget, at: QPoint, by: QPoint | None = None) -> bool:
        place = self._place(widget, at)
        if place is None:
            return False
        through, chance = self.window.windowHandle(), self.chance
        held = chance.choice(
            (KEYS.NoModifier,) * 4 + (KEYS.ControlModifier, KEYS.ShiftModifier, KEYS.AltModifier)
        )
        by = by or QPoint(chance.randint(-80, 80), chance.randint(-50, 50))
        steps = chance.randint(2, 6)
        QTest.mouseMove(through, place)
        QApplication.processEvents()
        QTest.mousePress(through, BUTTONS.LeftButton, held, place)
        end = place
        for step in range(1, steps + 1):
            end = place + by * (step / steps)
            end = QPoint(
                min(max(end.x(), 0), self.window.width() - 1), min(max(end.y(), 0), self.window.height() - 1)
            )
            QTest.mouseMove(through, end)
            QApplication.processEvents()
        if chance.random() < 0.15:
            self.stage.user.press("Esc")
        QTest.mouseRelease(through, BUTTONS.LeftButton, held, end)
        return True

    def _place(self, widget: QWidget, at: QPoint) -> QPoint | None:
        """The place in the window, where the widget is really there to be hit."""
        inside = widget.mapTo(self.window, at)
        hit = self.window.childAt(inside) if self.window.rect().contains(inside) else None
        return inside if hit is not None and (hit is widget or widget.isAncestorOf(hit)) else None

    def _rest(self) -> None:
        """End menus, dialogs, fields being typed in and jobs."""
        for _ in range(10):
            QApplication.processEvents()
            top = QApplication.activePopupWidget() or QApplication.activeModalWidget()
            if top is None:
                break
            QTest.keyClick(top, Qt.Key.Key_Escape)
        self.stage.user.press("Esc")
        until = time.monotonic() + 400.0
        while self.session.jobs.running and time.monotonic() < until:
            QApplication.processEvents()
        QApplication.processEvents()

    def _viewport(self) -> Seen | None:
        panel = self.window.centre_body.panel
        return Seen(self.session, panel) if panel.isVisible() else None

    def _visible(self, kind: type[QWidget]) -> QWidget | None:
        return next((view for view in self.window.findChildren(kind) if view.isVisible()), None)

    def _begin(self) -> None:
        self.start: Project = self.session.document.project
        self.sums = {asset.id: fingerprint(asset) for asset in self.start.assets.values()}

    def _on_step(self, step: Step) -> None:
        if step.kind is not StepKind.DO:
            return
        label = self.session.history.undo_label
        self.told.steps += 1
        self.told.labels[label.partition(" ")[0]] += 1


def _same(a: Project, b: Project) -> bool:
    return list(a.assets) == list(b.assets) and all(
        same_value(x, b.assets[key]) for key, x in a.assets.items()
    )


def _point(at: tuple[float, float]) -> QPoint:
    return QPoint(round(at[0]), round(at[1]))


def run(minutes: float, seed: int = 1, note: Callable[[str], object] = lambda text: None) -> Gestured:
    """Walk for so long through a window of its own."""
    from editor.shell.panels import panel_specs
    from tests.editor.rigs import small_project

    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    stage = Stage(app, tuple(spec.id for spec in panel_specs()), small_project(), "dark")
    walk = Gestures(stage, seed)
    try:
        began = time.monotonic()
        while time.monotonic() - began < minutes * 60.0 and not walk.told.problems:
            walk.run(10 * CHECK_EVERY, minutes * 60.0 - (time.monotonic() - began))
            note(
                f"{sum(walk.told.gestures.values())} gestures, {walk.told.steps} steps, {walk.told.seconds:.0f} s"
            )
    finally:
        stage.close()
    return walk.told
