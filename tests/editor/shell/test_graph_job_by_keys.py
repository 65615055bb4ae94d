"""A locomotion graph from an empty project to the file opened again: by keys alone."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QComboBox, QLineEdit, QWidget

from editor.model.graph_run.state import GraphRun
from tests.editor.graph_job import PANELS, RIGHT_RULE, RULES, SAMPLES, SLOT, SPACE, Person, do_job
from tests.editor.stage import stage

MOST_TABS = 80


class Keys(Person):
    """Presses keys: nothing here moves or clicks the mouse, or gives a widget the keyboard."""

    # ------------------------------------------------------------ getting about
    def do(self, title: str) -> None:
        """Find an action or panel in the palette by its title, and do it."""
        self.user.press("F3")
        self.user.type(title)
        found = self.user.find("paletteList")
        assert isinstance(found, QAbstractItemView)
        first = found.model().index(0, 0)
        assert str(first.data()) == title, f"the palette offers {first.data()!r} for {title!r}"
        self.user.press("Return")

    @staticmethod
    def focused() -> QWidget | None:
        return QApplication.focusWidget()

    def has_keyboard(self, name: str) -> bool:
        """Whether the widget of that name, or a part of it, has the keyboard."""
        widget = self.focused()
        while widget is not None:
            if widget.objectName() == name:
                return True
            widget = widget.parentWidget()
        return False

    def tab_to(self, name: str) -> None:
        """Tab until a widget has the keyboard."""
        passed = []
        for _ in range(MOST_TABS):
            if self.has_keyboard(name):
                return
            self.user.press("Tab")
            now = self.focused()
            passed.append("" if now is None else now.objectName() or type(now).__name__)
        raise AssertionError(f"Tab does not come to {name}: {passed}")

    def fill(self, name: str, text: str) -> None:
        """Tab to a field, and type what it is to hold."""
        self.tab_to(name)
        self.user.press("Ctrl+A")
        self.user.type(text)
        self.user.press("Return")

    def choose(self, name: str, text: str) -> None:
        """Tab to a list, and go down to an entry."""
        self.tab_to(name)
        box = self.focused()
        assert isinstance(box, QComboBox)
        for _ in range(box.count()):
            if box.currentText() == text:
                return
            self.user.press("Down")
        raise AssertionError(f"{name} has no {text}")

    def to_panel(self, title: str) -> None:
        self.do(title)

    # ------------------------------------------------------------ canvas
    def to_canvas(self) -> None:
        self.do("Graph")
        assert self.has_keyboard("graphCanvas")

    def add(self, words: str) -> None:
        """Tab opens the search: at a pin or state that is worked on what is added comes connected."""
        self.user.press("Tab")
        assert self.has_keyboard("graphSearchField")
        self.user.type(words)
        self.user.press("Return")
        assert self.has_keyboard("graphCanvas")

    def walk_to(self, item: str) -> None:
        """Arrow keys until a node is the active one."""
        scene = self.canvas.committed
        assert scene is not None
        for _ in range(2 * len(scene.nodes) + 2):
            active = self.canvas.state.active
            if active == item:
                return
            self.user.press(self.way(active, item) if active in scene.nodes else "Left")
        raise AssertionError(f"the arrows do not come to {scene.nodes[item].title}")

    def way(self, a: str, b: str) -> str:
        """The arrow key from one node towards another, as a person sees it."""
        scene = self.canvas.committed
        assert scene is not None
        (ax, ay), (bx, by) = scene.rect(a).centre, scene.rect(b).centre
        if abs(bx - ax) > abs(by - ay):
            return "Right" if bx > ax else "Left"
        return "Down" if by > ay else "Up"

    def to_pin(self, pin: str, *, output: bool = False) -> None:
        """Alt+Down until a pin of the active node is worked on."""
        for _ in range(12):
            self.user.press("Alt+Down")
            at = self.canvas.state.pin
            if at is not None and (at.pin, at.output) == (pin, output):
                return
        raise AssertionError(f"Alt+Down does not come to {pin}")

    def to_transition(self, source: str, target: str) -> None:
        """From a state on, Alt+Down until one of its transitions is the active one."""
        sheet = self.canvas.sheet
        assert sheet is not None
        wanted = next(str(t.id) for t in sheet.transitions if (t.source, t.target) == (source, target))
        self.walk_to(source)
        for _ in range(len(sheet.transitions)):
            self.user.press("Alt+Down")
            if self.canvas.state.active == wanted:
                return
        raise AssertionError("Alt+Down does not come to the transition")

    def move(self, way: str, squares: int) -> None:
        for _ in range(squares):
            self.user.press(f"Ctrl+{way}")

    def connect(self, source: str, target: str) -> None:
        """A transition to the nearest state that way, which must be the one that is meant."""
        self.walk_to(source)
        self.user.press(f"Ctrl+Shift+{self.way(source, target)}")

    def type_rule(self, rule: str) -> None:
        self.user.press("Return")
        assert self.has_keyboard("graphInPlaceField")
        self.user.press("Ctrl+A")
        self.user.type(rule)
        self.user.press("Return")

    # ------------------------------------------------------------ files
    def type_path(self, path: Path) -> None:
        field = self.user.find("files").findChild(QLineEdit, "fileNameEdit")
        self.user.wait_until(lambda: field is self.focused(), "the name of the file does not have the keys")
        self.user.press("Ctrl+A")
        self.user.type(str(path))
        self.user.press("Return")
        self.done()

    def save_as(self, path: Path) -> None:
        self.user.press("Ctrl+Shift+S")
        self.type_path(path)

    def open(self, path: Path) -> None:
        self.user.press("Ctrl+O")
        self.type_path(path)

    def new_project(self) -> None:
        self.user.press("Ctrl+N")

    def bring_character(self, path: Path) -> None:
        self.user.press("Ctrl+I")
        self.type_path(path)
        self.user.press("Return")
        self.done()

    # ------------------------------------------------------------ the steps
    def make_graph(self) -> None:
        self.do("Graph workspace")
        self.do("New graph")

    def make_variables(self) -> None:
        for kind, name in (("Number", "speed"), ("On / off", "crouch")):
            self.do("Add a variable")
            assert self.has_keyboard("variableName")
            self.user.type(name)
            if kind == "Number":
                self.fill("variableHigh", "4")
            else:
                self.choose("variableKind", kind)

    def choose_clip(self, name: str) -> None:
        self.do("Clips")
        clips = self.focused()
        assert isinstance(clips, QAbstractItemView)
        self.user.press("Home")
        for _ in range(clips.model().rowCount()):
            if str(clips.currentIndex().data()) == name:
                break
            self.user.press("Down")
        self.user.press("Return")
        assert self.made.session.clip is not None and self.made.session.clip.name == name

    def make_blend_space(self) -> None:
        self.do("New 1D blend space")
        for name in SAMPLES:
            self.choose_clip(name)
            self.do("Add this clip to the blend space")

    def make_montage(self) -> None:
        self.choose_clip("wave")
        self.do("New montage from this clip")

    def make_sheet(self) -> None:
        self.to_canvas()
        self.user.press("Esc")  # nothing is selected: the graph's own settings
        self.do("Node")
        self.fill("graph.slots", SLOT)
        self.to_canvas()
        self.walk_to(self.node("output").id)
        self.to_pin("pose")
        self.add("slot")
        self.do("Node")
        self.fill("parameter.slot", SLOT)
        self.tab_to("parameter.always_update")
        self.user.press("Space")
        self.to_canvas()
        self.walk_to(self.node("slot").id)
        self.to_pin("source")
        self.add("state machine")
        self.walk_to(self.node("rest").id)
        self.user.press("Del")

    def make_states(self) -> None:
        """Tab at a state adds one with a transition to it."""
        self.walk_to(self.node("machine").id)
        self.user.press("Return")
        self.user.press("Esc")
        self.add("idle")
        self.add(SPACE)
        self.add("crouch idle")
        self.walk_to(self.state(SPACE))
        self.user.press("Home")
        self.add("jump loop")
        idle, space, crouch, jump = (self.state(n) for n in ("idle", SPACE, "crouch idle", "jump loop"))
        self.move("Down", 12)
        scene = self.canvas.committed
        assert scene is not None
        self.move("Left", round((scene.rect(jump).x - scene.rect(idle).x) / 16.0))
        self.connect(jump, idle)
        self.connect(space, idle)
        self.connect(crouch, space)
        for source, target, rule in RULES:
            self.to_transition(self.state(source), self.state(target))
            self.type_rule(rule)
        self.walk_to(space)
        self.user.press("Return")
        self.walk_to(self.node("blend_space").id)
        self.to_pin("x")
        self.type_rule("speed")
        self.user.press("Backspace")
        self.user.press("Backspace")

    def make_update(self) -> None:
        self.do("New update sheet")
        self.to_canvas()
        self.add("on changed")
        self.do("Node")
        self.fill("parameter.variable", "crouch")
        self.to_canvas()
        changed = self.node("on_changed").id
        self.walk_to(changed)
        scene = self.canvas.committed
        assert scene is not None
        self.to_pin(scene.nodes[changed].outputs[0].pin.name, output=True)
        self.add("play wave")
        assert self.canvas.sheet is not None and self.canvas.sheet.links

    def make_post_process(self) -> None:
        self.do("New graph")
        self.to_canvas()
        self.walk_to(self.node("output").id)
        self.to_pin("pose")
        self.add("foot placement")
        self.to_pin("pose")
        self.add("pose input")
        self.do("Post-process graph: use the graph on the canvas")
        self.to_canvas()
        self.user.press("Ctrl+PgDown")

    # ------------------------------------------------------------ running
    def start(self) -> None:
        self.to_canvas()
        self.user.press("Space")

    def set_speed(self, value: float) -> None:
        self.do("Variables")
        self.fill("value.speed", f"{value:g}")

    def set_crouch(self) -> None:
        self.do("Variables")
        self.tab_to("switch.crouch")
        self.user.press("Space")

    def to_machine(self) -> None:
        """The canvas with the machine open."""
        self.to_canvas()
        if not self.canvas.is_machine:
            self.walk_to(self.node("machine").id)
            self.user.press("Return")

    def break_at_idle(self) -> None:
        self.to_machine()
        self.walk_to(self.state("idle"))
        self.user.press("F9")

    def clear_breaks(self) -> None:
        self.do("Clear break points")

    def rewind(self) -> None:
        """From state to state, in the lanes."""
        self.do("Run")
        assert self.has_keyboard("runTimeline")
        self.user.press("Ctrl+Left")

    def go_on(self) -> None:
        self.do("Go on from this recorded step")

    def pause(self) -> None:
        self.do("Run")
        self.user.press("Space")

    def ask_why(self) -> None:
        self.to_machine()
        self.to_transition(self.state(SPACE), self.state("crouch idle"))
        self.do("Why (not)? Ask about transitions and bones")
        assert self.has_keyboard("whyTransition")

    def mend_rule(self) -> None:
        self.to_canvas()
        self.type_rule(RIGHT_RULE)

    def run_on(self) -> None:
        self.user.press("Space")

    def stop(self) -> None:
        self.do("Stop the animation graph")

    def undo_all(self) -> None:
        """The first step of the history."""
        self.do("History")
        self.user.press("Home")
        self.user.press("Return")


@pytest.fixture
def keys(qapp):
    with stage(qapp, *PANELS[1:]) as made:  # without the viewport, which the same job by mouse has
        made.window.resize(1600, 1000)
        yield Keys(made)
        made.session.feature(GraphRun).stop()


def test_graph_job_by_keys_alone(keys, tmp_path):
    do_job(keys, tmp_path)
