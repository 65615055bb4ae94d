"""A locomotion graph from an empty project to the file opened again: by mouse."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QCursor, QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QComboBox, QWidget

from editor.model.graph.hits import arrow_points, literal_box, middle_of
from editor.model.graph_run.lanes import LaneKind
from editor.model.graph_run.state import GraphRun
from editor.panels.graph_run.view_model import RULER
from editor.shell.tabs import TabStrip
from tests.editor.graph_job import PANELS, RIGHT_RULE, RULES, SAMPLES, SLOT, SPACE, Person, do_job
from tests.editor.shell.test_window import choose_file
from tests.editor.stage import stage
from tests.editor.user import MIDDLE, RIGHT

LASTING = 0.25
"""Seconds that the character stands before it walks, and walks before it stands: a state that lasts a few steps has a
bar of a few pixels, which is not surely hit."""
STATES = {"idle": (0.0, 0.0), SPACE: (400.0, 0.0), "crouch idle": (720.0, 0.0), "jump loop": (200.0, 128.0)}
"""Where each state is put."""


class Mouse(Person):
    """Acts by mouse, and by keys only where letters are typed."""

    # ------------------------------------------------------------ canvas
    @property
    def view(self):
        return self.user.find("graphCanvas")

    def at(self, place: tuple[float, float]):
        """Pixel of a place of the scene; the canvas is panned there first where it is out of sight."""
        view = self.view
        middle, margin = view.rect().center(), QPoint(view.width() // 4, view.height() // 3)
        room = QRect(margin, view.rect().bottomRight() - margin)
        for _ in range(12):
            pixel = view.pixel(place)
            if room.contains(pixel):
                return pixel
            way = middle - pixel
            across, down = view.width() // 2 - 10, view.height() // 2 - 10
            step = QPoint(max(min(way.x(), across), -across), max(min(way.y(), down), -down))
            self.user.drag(view, middle, middle + step, button=MIDDLE)
        raise AssertionError(f"{place} did not come into sight: {pixel}, {view.rect()}, {view.canvas.view}")

    def add(self, words: str, place: tuple[float, float]) -> None:
        """Right click on the empty canvas, type, click the first entry."""
        self.user.click(self.view, self.at(place), button=RIGHT)
        self.user.type(words)
        found = self.user.find("graphSearchList")
        self.user.click(found.viewport(), found.visualRect(found.model().index(0, 0)).center())

    def wire(self, source: str, out: str, target: str, pin: str) -> None:
        scene = self.canvas.scene
        a, b = scene.pin_place(source, out, True), scene.pin_place(target, pin, False)
        self.at(((a[0] + b[0]) / 2, (a[1] + b[1]) / 2))
        self.user.drag(self.view, self.view.pixel(a), self.view.pixel(b))

    def title(self, node: str):
        rect = self.canvas.scene.rect(node)
        return self.at((rect.x + rect.w * 0.4, rect.y + 12))

    def enter(self, node: str) -> None:
        self.user.click(self.view, self.title(node), double=True)

    def out(self) -> None:
        """Out of the sheet, by the names above the canvas."""
        self.user.click("crumb.0")

    def on_arrow(self, source: str, target: str):
        scene = self.canvas.scene
        arrow = next(a for a in scene.arrows if (a.source, a.target) == (source, target))
        return self.at(middle_of(arrow_points(scene, arrow)))

    def connect(self, source: str, target: str, rule: str) -> None:
        """Drag from the border of a state to another, double-click the arrow, type its rule."""
        a, b = self.canvas.scene.rect(source), self.canvas.scene.rect(target)
        self.at(((a.centre[0] + b.centre[0]) / 2, (a.centre[1] + b.centre[1]) / 2))
        start = (a.right - 3 if a.x < b.x else a.x + 3, a.y + a.h / 2 + 10)
        self.user.drag(self.view, self.view.pixel(start), self.view.pixel((b.x + b.w / 2, b.y + 12)))
        self.user.click(self.view, self.on_arrow(source, target), double=True)
        self.type_rule(rule)

    def type_rule(self, rule: str) -> None:
        self.user.find("graphInPlaceField")
        self.user.press("Ctrl+A")
        self.user.type(rule)
        self.user.press("Return")

    def type_value(self, node: str, pin: str, text: str) -> None:
        scene = self.canvas.scene
        box = literal_box(scene.nodes[node], scene.places[node], pin)
        self.user.click(self.view, self.at((box.x + box.w / 2, box.y + box.h / 2)))
        self.type_rule(text)

    # ------------------------------------------------------------ lists and panels
    def click_tab(self, name: str) -> None:
        """Bring a panel to the front by its tab."""
        window = self.made.window
        (strip,) = [
            strip
            for strip in window.findChildren(TabStrip)
            if strip.isVisible()
            and name in strip.names
            and window.rect().contains(strip.mapTo(window, QPoint()))
        ]
        self.user.click(strip, strip.place_of(name).center())

    def choose(self, box: str, text: str) -> None:
        """Open a list and click an entry."""
        found = self.user.find(box)
        assert isinstance(found, QComboBox)
        self.user.click(found)
        if not self.user.until(found.view().isVisible, 5.0):  # a busy machine lost the click
            self.user.click(found)
        self.user.wait_until(found.view().isVisible, f"the list of {box} did not open")
        index = found.model().index(found.findText(text), 0)
        assert index.isValid(), [found.itemText(k) for k in range(found.count())]
        self.user.click(found.view().viewport(), found.view().visualRect(index).center())

    def drop_clip(self, name: str, target: QWidget, at: tuple[float, float]) -> None:
        """The clip's row dragged onto a panel. Qt's drag runs the system's own loop, which a test cannot feed: so
        what the row gives away is taken from the list, and the events that a drag sends go to the panel."""
        view = self.user.find("clips")
        data: QMimeData = view.model().mimeData([self.user.row(view, name)])
        copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        spot = QPointF(*at)
        for event in (
            QDragEnterEvent(spot.toPoint(), copy, data, left, none),
            QDragMoveEvent(spot.toPoint(), copy, data, left, none),
            QDropEvent(spot, copy, data, left, none),
        ):
            QApplication.sendEvent(target, event)
        self.user.settle()

    # ------------------------------------------------------------ the steps
    def new_project(self) -> None:
        self.user.choose("File", "New")

    def bring_character(self, path: Path) -> None:
        self.user.choose("File", "Import…")
        choose_file(self.made, path)
        self.done()
        self.user.click("acceptImport")
        self.done()

    def make_graph(self) -> None:
        self.user.click("workspace.graph")
        self.user.click("New graph")

    def make_variables(self) -> None:
        user = self.user
        for kind, name in (("Number", "speed"), ("On / off", "crouch")):
            user.click("variableAdd")
            user.choose_in_popup(kind)
            user.type_into("variableName", name)
            if kind == "Number":
                user.type_into("variableHigh", "4")

    def make_blend_space(self) -> None:
        user = self.user
        user.click("workspace.blend")
        user.click(self.inside("blend_space", "emptyButton"))
        user.choose_in_popup("1D (one axis)")
        plot = user.find("blendPlot")
        for name, speed in SAMPLES.items():
            self.drop_clip(name, plot, plot.frame().pixel((speed,)))

    def make_montage(self) -> None:
        user = self.user
        user.click_row("clips", "wave")
        user.choose("Clip", "Montage", "New montage from this clip")

    def make_sheet(self) -> None:
        """A machine into a slot into the Output."""
        user = self.user
        user.click("workspace.graph")
        output = self.node("output")
        x, y = self.canvas.scene.places[output.id]
        user.click(self.view, self.at((x + 40.0, y + 160.0)))  # nothing is selected: the graph's own settings
        user.type_into("graph.slots", SLOT)
        self.add("state machine", (x - 400.0, y + 80.0))
        self.add("slot", (x - 190.0, y + 80.0))
        machine, slot = self.node("machine"), self.node("slot")
        user.click(self.view, self.title(slot.id))
        user.type_into("parameter.slot", SLOT)
        user.click("parameter.always_update", (8, 8))
        self.wire(machine.id, "out", slot.id, "source")
        self.wire(slot.id, "out", output.id, "pose")
        user.click(self.view, self.title(self.node("rest").id), button=RIGHT)
        user.choose_in_popup("Delete nodes")

    def make_states(self) -> None:
        """Four states, each from what it plays; the blend space is driven by the speed."""
        self.enter(self.node("machine").id)
        self.user.wheel(self.view, -3)
        for words, place in STATES.items():
            self.add(words, place)
        for source, target, rule in RULES:
            self.connect(self.state(source), self.state(target), rule)

        self.enter(self.state(SPACE))
        self.type_value(self.node("blend_space").id, "x", "speed")
        self.out()

    def make_update(self) -> None:
        """When *crouch* changes, the montage is played."""
        user = self.user
        user.choose("Graph", "New update sheet")
        self.add("on changed", (0.0, 0.0))
        changed = self.node("on_changed")
        user.type_into("parameter.variable", "crouch")
        self.add("play wave", (280.0, 0.0))
        play = self.node("play_montage")
        out = self.canvas.scene.nodes[changed.id].outputs[0].pin.name
        then = self.canvas.scene.nodes[play.id].inputs[0].pin.name
        self.wire(changed.id, out, play.id, then)
        assert self.canvas.sheet is not None and self.canvas.sheet.links

    def make_post_process(self) -> None:
        """A second graph that places the feet, run after whatever the character plays."""
        user = self.user
        user.choose("Graph", "New graph")
        output = self.node("output")
        x, y = self.canvas.scene.places[output.id]
        self.add("pose input", (x - 400.0, y + 80.0))
        self.add("foot placement", (x - 200.0, y + 80.0))
        given, feet = self.node("pose_input"), self.node("foot_placement")
        self.wire(given.id, "out", feet.id, "pose")
        self.wire(feet.id, "out", output.id, "pose")
        self.choose("runAfter", "graph 2")
        self.choose("canvasGraph", "graph")

    def start(self) -> None:
        self.click_tab("Variables")
        self.user.click("runPlay")
        self.let_it_last()

    def let_it_last(self) -> None:
        """Leave the run alone until the state's bar is long enough to click."""
        begun = self.run.time
        moved = self.user.until(lambda: self.run.time > begun + LASTING)
        run = self.run
        over = QApplication.widgetAt(QCursor.pos())
        how = (
            f"on {run.on}, running {run.running}, at the end {run.at_end}, catching up {run.deck.catching_up}, "
            f"recorded {run.take is not None}, said {self.made.session.messages.latest}, "
            f"popup {QApplication.activePopupWidget()}, pointer over {over}"
        )
        assert moved, f"the run stands still at {run.time:.3f} s, begun at {begun:.3f} s: {how}"

    def set_speed(self, value: float) -> None:
        self.user.type_into("value.speed", f"{value:g}")

    def set_crouch(self) -> None:
        self.user.click("switch.crouch")

    def break_at_idle(self) -> None:
        """By the bar of the state in the lanes, while the run waits: they would move on under the pointer."""
        self.let_it_last()
        self.user.click("runPlay")
        self.fit()
        self.user.click("runTimeline", self.on_bar("idle"), button=RIGHT)
        self.user.choose_in_popup("Break here")
        self.user.click("runPlay")

    def clear_breaks(self) -> None:
        self.user.click("runMore")
        self.user.choose_in_popup("Clear break points")

    def on_bar(self, text: str) -> tuple[float, float]:
        """A place on the first bar of a state."""
        model = self.inside("graph_run", "runTimeline").model
        row = next(row for row in model.rows() if row.lane.kind is LaneKind.STATES)
        bar = next(bar for bar in row.lane.bars if bar.text == text)
        return model.x((bar.start + bar.end) / 2), model.y(row) + row.height / 2

    def fit(self) -> None:
        """Bring the whole recording into the lanes; they follow the playhead."""
        self.user.move("runTimeline")
        self.user.press("A", "runTimeline")

    def rewind(self) -> None:
        """Drag in the ruler."""
        self.fit()
        x, _ = self.on_bar(SPACE)
        self.user.drag("runTimeline", (x - 12.0, RULER / 2), (x, RULER / 2))

    def go_on(self) -> None:
        self.user.click("runHere")

    def pause(self) -> None:
        self.user.click("runPlay")

    def ask_why(self) -> None:
        self.user.click("runWhy")
        self.choose("whyTransition", f"{SPACE} → crouch idle")

    def mend_rule(self) -> None:
        self.user.click_row("graphSheets", "state machine")
        arrow = self.on_arrow(self.state(SPACE), self.state("crouch idle"))
        self.user.click(self.view, arrow, double=True)
        self.type_rule(RIGHT_RULE)

    def run_on(self) -> None:
        self.user.click("runPlay")

    def stop(self) -> None:
        self.user.click("runStop")

    def save_as(self, path: Path) -> None:
        self.user.choose("File", "Save as…")
        choose_file(self.made, path)
        self.done()

    def open(self, path: Path) -> None:
        self.user.choose("File", "Open…")
        choose_file(self.made, path)
        self.done()

    def undo_all(self) -> None:
        """A click on the first step of the history."""
        self.click_tab("History")
        steps = self.user.find("steps")
        self.user.click_row(steps, self.user.rows(steps)[0])


@pytest.fixture
def mouse(qapp):
    with stage(qapp, *PANELS) as made:
        made.window.resize(1600, 1000)
        yield Mouse(made)
        made.session.feature(GraphRun).stop()


def test_graph_job_by_mouse(mouse, tmp_path):
    do_job(mouse, tmp_path)
