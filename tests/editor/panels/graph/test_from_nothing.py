"""A person makes a locomotion graph from a project without one: by mouse, and again by keys alone."""

import pytest

from core.arrays import same_value
from core.graph.compile import compile_graph
from core.graph.graph import Graph
from core.graph.instance import Instance
from core.graph.language.values import Kind
from editor.model.graph.editor import GraphEditor
from editor.model.graph.geometry import View
from tests.editor.stage import small_project, stage


class Person:
    """What both ways share."""

    def __init__(self, made) -> None:
        self.made, self.user = made, made.user
        self.editor = made.session.feature(GraphEditor)
        self.canvas = self.editor.canvas

    @property
    def graph(self) -> Graph:
        found = self.canvas.graph
        assert found is not None
        return found

    def kind(self, kind: str):
        sheet = self.canvas.sheet
        assert sheet is not None
        return [n for n in sheet.nodes if n.kind == kind]

    def make_missing_variable(self, kind: str) -> None:
        """The rule speaks of a variable that is not there: the quick fix makes it."""
        self.made.window.docks["graph"].body.panel._look()
        self.user.settle()
        fix = next(
            f for p in self.editor.problems.found for f in self.editor.problems.fixes(p) if kind in f.title
        )
        self.editor.problems.fix(fix)
        self.user.settle()


@pytest.fixture
def person(qapp):
    with stage(qapp, "graph", project=small_project) as made:
        made.window.use_workspace("graph")
        made.window.show_panel("graph")
        made.user.settle()
        yield Person(made)


def run(person: Person, speed: float) -> str:
    """The state that the graph is in after a second."""
    instance = Instance(compile_graph(person.graph, person.made.session.document.project))
    instance.set("speed", speed)
    for _ in range(40):
        result = instance.step(0.025)
    return next(iter(result.states.values()))


def check(person: Person, before) -> None:
    """It runs, and undo takes everything back."""
    assert [v.kind for v in person.graph.variables] == [Kind.FLOAT]
    assert run(person, 0.0) == "turn" and run(person, 2.0) == "walk"
    while person.made.session.history.can_undo:
        person.user.press("Ctrl+Z")
    assert same_value(person.made.session.document.project, before)


def test_by_mouse(person):
    user, canvas = person.user, person.canvas
    before = person.made.session.document.project
    user.click("New graph")
    view = user.find("graphCanvas")
    canvas.view = View(-500.0, -120.0, 1.0)
    user.settle()
    user.click(view, view.pixel((-160, 120)), button=_right())
    user.type("state machine")
    user.press("Return")
    (machine,) = person.kind("machine")
    output = person.kind("output")[0]
    scene = canvas.scene
    ends = (scene.pin_place(machine.id, "out", True), scene.pin_place(output.id, "pose", False))
    user.drag(view, *(view.pixel(end) for end in ends))
    rect = canvas.scene.rect(machine.id)
    user.click(view, view.pixel((rect.x + 50, rect.y + 12)), double=True)
    canvas.view = View(-100.0, -100.0, 1.0)
    user.settle()
    for name, place in (("turn", (20, 20)), ("walk", (380, 20))):
        user.click(view, view.pixel(place), button=_right())
        user.type(name)
        user.press("Return")
    first, second = person.kind("state")
    for source, target, rule in ((first, second, "speed > 0.1"), (second, first, "speed <= 0.1")):
        a, b = canvas.scene.rect(source.id), canvas.scene.rect(target.id)
        edge = a.right - 3 if a.x < b.x else a.x + 3
        user.drag(view, view.pixel((edge, a.y + 40)), view.pixel((b.x + 80, b.y + 16)))
        user.press("Return")
        user.type(rule)
        user.press("Return")
        if not person.graph.variables:
            person.make_missing_variable("number")
    check(person, before)


def way_to(person: Person, a: str, b: str) -> str:
    """The arrow key from one node towards another, as a person sees it."""
    (ax, ay), (bx, by) = person.canvas.scene.rect(a).centre, person.canvas.scene.rect(b).centre
    if abs(bx - ax) > abs(by - ay):
        return "Right" if bx > ax else "Left"
    return "Down" if by > ay else "Up"


def test_by_keys_alone(person):
    user, canvas = person.user, person.canvas
    before = person.made.session.document.project
    user.press("F3")
    user.type("new graph")
    user.press("Return")
    user.settle()
    user.find("graphCanvas").setFocus()  # the panel that the pointer is over has the keyboard
    user.press("Tab")
    user.type("state machine")
    user.press("Return")
    (machine,) = person.kind("machine")
    output = person.kind("output")[0]
    way = way_to(person, machine.id, output.id)
    if way == "Left":  # beyond the Output: to its left first
        for _ in range(40):
            user.press("Ctrl+Left")
    user.press(f"Ctrl+Shift+{way_to(person, machine.id, output.id)}")
    assert canvas.sheet.link_to(output.id, "pose").source == machine.id
    user.press("Return")
    user.press("Tab")
    user.type("turn")
    user.press("Return")
    for _ in range(4):
        user.press("Ctrl+Left")
    user.press("Tab")  # from a state: the new one with a transition to it
    user.type("walk")
    user.press("Return")
    first, second = person.kind("state")
    assert len(canvas.sheet.transitions) == 1
    user.press(f"Ctrl+Shift+{way_to(person, second.id, first.id)}")
    user.press("Return")
    user.type("speed <= 0.1")
    user.press("Return")
    person.make_missing_variable("number")
    user.find("graphCanvas").setFocus()
    user.press(way_to(person, second.id, first.id))
    assert canvas.state.active == first.id
    user.press("Alt+Down")
    user.press("Return")
    user.type("speed > 0.1")
    user.press("Return")
    check(person, before)


def _right():
    from tests.editor.user import RIGHT

    return RIGHT
