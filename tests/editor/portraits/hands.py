"""Hands that do one thing after the other in a panel, tell what came of each, and take it back."""

from collections.abc import Callable, Iterator

from PySide6.QtCore import QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QApplication, QComboBox, QDialog, QWidget
from shiboken6 import Shiboken

from editor.qt.number_field import NumberField
from tests.editor.panel_stage import Stage
from tests.editor.portraits import happenings, pointer, words
from tests.editor.turning import turn_until_shown

SOON = 600
"""Milliseconds: what comes later than that is not waited for."""
QUIET = 190
"""Milliseconds: what waits no longer for quiet is done at once."""


class Hands:
    """Does things in a panel, one after the other, and takes back what they did."""

    def __init__(
        self,
        qapp: QApplication,
        stage: Stage,
        panel: QWidget,
        left: tuple[str, ...] = (),
        patient: bool = False,
        still: bool = False,
    ) -> None:
        self.qapp, self.stage, self.panel, self.left = qapp, stage, panel, left
        qapp.setCursorFlashTime(0)  # a blink paints what lies below, in this picture or in that
        self.lines: list[str] = []
        self._titles: list[QWidget] = list(getattr(panel, "portrait_titles", ()))
        self.menus: set[str] = set()
        self._told: set[str] = set()
        session = stage.session
        self._time, self._range = session.playback.time, session.playback.range
        self._patient = patient
        self._still = still  # what plays stands where it is: how far it comes depends on the machine
        self.dialog = isinstance(panel, QDialog)  # Escape and Enter would close it
        self._ran: list[str] = []
        self._note_actions()
        self._bones, self._keys = session.selection.bones, dict(session.selection.keys)

    def _note_actions(self) -> None:
        """Which actions are asked for, those too that nobody does here."""
        run = self.stage.actions.run

        def noted(id: str) -> bool:
            self._ran.append(id)
            return run(id)

        self.stage.actions.run = noted

    # ------------------------------------------------------------ one deed
    def settle(self) -> None:
        for timer in self.panel.findChildren(QTimer) if self._still and Shiboken.isValid(self.panel) else ():
            if not timer.isSingleShot():
                timer.stop()
        turn_until_shown()
        session = self.stage.session
        for _ in range(2000):
            if self._at_once():
                continue
            if not (session.jobs.running or session.edit_jobs.busy or self._soon()):
                break
            QTest.qWait(2)
        self.qapp.processEvents()

    def _at_once(self) -> bool:
        """Do now what waits until it is quiet for a moment; whether there was anything.

        Else it would come while one of the next things is done, or not, as the machine is quick or busy.
        """
        timers = self.panel.window().findChildren(QTimer) if Shiboken.isValid(self.panel) else []
        late = [t for t in timers if t.isActive() and t.isSingleShot() and 0 < t.interval() <= QUIET]
        for timer in late:
            timer.stop()
            timer.timeout.emit()
        if late:
            turn_until_shown()
        return bool(late)

    def _soon(self) -> bool:
        """Whether a part of the panel waits a moment before it does something."""
        if not self._patient or not Shiboken.isValid(self.panel):
            return False
        timers = self.panel.findChildren(QTimer)
        return any(t.isActive() and t.isSingleShot() and t.interval() < SOON for t in timers)

    def do(self, what: str, deed: Callable[[], object], back: bool = True) -> list[str]:
        """Do something and note what came of it."""
        before = happenings.moment(self.stage, self.panel)
        self._ran.clear()
        pointer.KEPT.clear()
        deed()
        self.settle()
        came = (
            pointer.KEPT
            + [f"does {id}" for id in self._ran]
            + happenings.came(self.stage, self.panel, before)
        )
        told = self._menus_once(came)
        self.lines += [f"{what}: {'nothing' if not came else ''}".rstrip(), *(f"    {line}" for line in told)]
        if back:
            self.back(before)
        return came

    def _menus_once(self, came: list[str]) -> list[str]:
        """A menu that was told before is told by its first entry."""
        told: list[str] = []
        rest = list(came)
        while rest:
            line = rest.pop(0)
            if line != "menu":
                told.append(line)
                continue
            entries = []
            while rest and rest[0].startswith("  "):
                entries.append(rest.pop(0))
            if (whole := "\n".join(entries)) in self._told:
                told.append(f"menu as above: {entries[0].strip() if entries else ''}")
            else:
                self._told.add(whole)
                told += [line, *entries]
        return told

    def back(self, before: happenings.Moment) -> None:
        """As it was before, as far as a person's Undo goes."""
        session = self.stage.session
        while session.history.position > before.position and session.undo():
            pass
        if session.playback.playing:
            session.playback.pause()
        if session.playback.clip is not None:
            session.playback.set_range(*(self._range or (None,)))
            session.playback.seek(self._time)
        session.selection.select(self._bones)
        session.selection.select_keys(self._keys)
        self.settle()

    # ------------------------------------------------------------ finding
    def controls(self) -> Iterator[tuple[str, Callable[[], QWidget | None]]]:
        """Every control in sight with its name, and what finds it again: some are made anew all the time."""
        if not Shiboken.isValid(self.panel):
            return
        tops = [self.panel, *self._titles]
        seen: dict[str, int] = {}
        for top in tops:
            for widget in [top, *walk(top)]:
                key = f"{type(widget).__name__} {widget.objectName() or word_of(widget)}".strip()
                seen[key] = seen.get(key, 0) + 1
                yield (key if seen[key] == 1 else f"{key} #{seen[key]}"), self._finder(tops, key, seen[key])

    def _finder(self, tops: list[QWidget], key: str, nth: int) -> Callable[[], QWidget | None]:
        def find() -> QWidget | None:
            count = 0
            for top in [t for t in tops if Shiboken.isValid(t)]:
                for widget in [top, *walk(top)]:
                    if f"{type(widget).__name__} {widget.objectName() or word_of(widget)}".strip() == key:
                        count += 1
                        if count == nth:
                            return widget if widget.isVisible() and widget.isEnabled() else None
            return None

        return find


def word_of(widget: QWidget) -> str:
    return widget.text() if isinstance(widget, QAbstractButton) else ""


def walk(top: QWidget) -> Iterator[QWidget]:
    """Widgets in sight below another, as they are read, without Qt's own parts."""
    for part in words.parts(top):
        viewport = part.objectName() == "qt_scrollarea_viewport"
        if isinstance(top, QAbstractItemView | NumberField | QComboBox) or (
            words.inner(part) and not viewport
        ):
            continue
        if not viewport:
            yield part
        yield from walk(part)
