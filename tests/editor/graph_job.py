"""A locomotion graph from an empty project to the file opened again: what is done, for mouse and for keys alone.

A character with six clips is imported into an empty project. A person makes two variables, a blend space, a machine of
four states with typed rules, a slot with a montage and a post-process graph that places the feet; runs it, changes
inputs, stops at a break point, goes back, asks why a transition was not taken, mends its rule and runs again; saves,
undoes everything, and opens the file. How each step is done is the person's; models are read to see what came of it,
never called.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

from PySide6.QtWidgets import QLabel, QWidget

from core.arrays import same_value
from core.blending.blend_space import BlendSpace
from core.graph.graph import Graph, Node
from core.graph.montage import Montage
from core.io import load, save
from core.project.project import Project
from core.rig.rig import Rig
from editor.model.graph.editor import GraphEditor
from editor.model.graph_run.state import GraphRun
from editor.model.opening import sample_path
from tests.editor.stage import Stage

PANELS = (
    "viewport", "clips", "history", "blend_space", "montage", "graph", "graph_node", "graph_run", "variables",
)  # fmt: skip
CLIPS = ("idle", "walk", "run", "wave", "crouch idle", "jump loop")
SAMPLES = {"idle": 0.0, "walk": 1.5, "run": 4.0}
"""Clips of the blend space, with the speed at which each is put by hand."""
SPACE = "Blend 1D"
SLOT = "DefaultGroup.UpperBody"
WRONG, RIGHT_RULE = "crouch and speed < 0.5", "crouch"
RULES = (
    ("idle", SPACE, "speed > 0.1"),
    (SPACE, "idle", "speed <= 0.1"),
    (SPACE, "crouch idle", WRONG),
    ("crouch idle", SPACE, "not crouch"),
    (SPACE, "jump loop", "speed > 3.5"),
    ("jump loop", "idle", "speed < 3.5"),
)


@cache
def character() -> Project:
    """The sample's character with a few clips: no graph, no blend space, no montage, no mesh."""
    sample = load(sample_path()).project
    rig = replace(sample.rigs[0], animation=None, post_graph=None)
    clips = [clip for clip in sample.clips if clip.name in CLIPS]
    return Project({asset.id: asset for asset in (rig, *clips)})


class Person(ABC):
    """Someone in front of the window; what is read here is what the screen shows."""

    def __init__(self, made: Stage) -> None:
        self.made, self.user = made, made.user
        self.canvas = made.session.feature(GraphEditor).canvas
        self.run = made.session.feature(GraphRun)

    # ------------------------------------------------------------ reading
    @property
    def project(self) -> Project:
        return self.made.session.document.project

    @property
    def graph(self) -> Graph:
        found = self.canvas.graph
        assert found is not None
        return found

    @property
    def rig(self) -> Rig:
        return self.project.rigs[0]

    def node(self, kind: str, name: str = "") -> Node:
        """A node of the sheet on the canvas."""
        sheet = self.canvas.sheet
        assert sheet is not None
        (found,) = [n for n in sheet.nodes if n.kind == kind and name in ("", n.name)]
        return found

    def state(self, name: str) -> str:
        """Id of a state of the machine on the canvas."""
        return self.node("state", name).id

    def inside(self, panel: str, name: str) -> QWidget:
        """What is called so in a panel."""
        found = self.made.window.docks[panel].findChild(QWidget, name)
        assert found is not None, f"{panel} has no {name}"
        return found

    def guards(self) -> list[str]:
        """The parts of the rule that was asked about, with their values."""
        labels = self.user.find("runWhyView").findChildren(QLabel, "whyGuard")
        return [guard.text() for guard in labels if guard.isVisible()]

    def soon(self, holds: Callable[[], bool], what: str) -> None:
        """The run goes on until something holds."""
        assert self.user.until(holds), (
            f"{what}: {self.run.states} at {self.run.time:.2f} s, {self.run.deck.faults}"
        )
        self.user.settle()

    def done(self) -> None:
        """Files are read and written in the background."""
        self.user.wait_until(lambda: not self.made.session.jobs.running, "the work did not end")
        self.user.settle()

    # ------------------------------------------------------------ the steps
    @abstractmethod
    def new_project(self) -> None: ...
    @abstractmethod
    def bring_character(self, path: Path) -> None: ...
    @abstractmethod
    def make_graph(self) -> None: ...
    @abstractmethod
    def make_variables(self) -> None: ...
    @abstractmethod
    def make_blend_space(self) -> None: ...
    @abstractmethod
    def make_montage(self) -> None: ...
    @abstractmethod
    def make_sheet(self) -> None:
        """A machine into a slot, which runs it under a montage too, into the Output."""

    @abstractmethod
    def make_states(self) -> None:
        """Four states, each from what it plays, and their rules; the blend space is driven by the speed."""

    @abstractmethod
    def make_update(self) -> None:
        """When *crouch* changes, the montage is played."""

    @abstractmethod
    def make_post_process(self) -> None:
        """A second graph that places the feet, run after whatever the character plays."""

    @abstractmethod
    def start(self) -> None:
        """Run the graph."""

    @abstractmethod
    def set_speed(self, value: float) -> None: ...
    @abstractmethod
    def set_crouch(self) -> None: ...
    @abstractmethod
    def break_at_idle(self) -> None: ...
    @abstractmethod
    def clear_breaks(self) -> None: ...
    @abstractmethod
    def rewind(self) -> None:
        """Go back to where it walked."""

    @abstractmethod
    def go_on(self) -> None:
        """Drop what lies ahead, and run on."""

    @abstractmethod
    def pause(self) -> None: ...
    @abstractmethod
    def ask_why(self) -> None:
        """Ask why it did not go from walking to crouching."""

    @abstractmethod
    def mend_rule(self) -> None:
        """Type the rule of that transition anew."""

    @abstractmethod
    def run_on(self) -> None: ...
    @abstractmethod
    def stop(self) -> None: ...
    @abstractmethod
    def save_as(self, path: Path) -> None: ...
    @abstractmethod
    def open(self, path: Path) -> None: ...
    @abstractmethod
    def undo_all(self) -> None: ...


def do_job(person: Person, folder: Path) -> None:
    """All of it, with what must have come of each step."""
    run = person.run
    save(character(), folder / "character.posewright")
    person.new_project()
    assert not person.project.assets
    person.save_as(folder / "empty.posewright")
    person.bring_character(folder / "character.posewright")
    assert sorted(clip.name for clip in person.project.clips) == sorted(CLIPS)

    person.make_graph()
    person.make_variables()
    person.make_blend_space()
    person.make_montage()
    person.make_sheet()
    person.make_states()
    person.make_update()
    person.make_post_process()
    check_built(person)

    person.start()
    person.soon(lambda: run.running and run.states == {"state machine": "idle"}, "it does not stand")
    person.set_speed(2.0)
    person.soon(lambda: run.states == {"state machine": SPACE}, "it does not walk")
    person.break_at_idle()
    assert run.breaks
    person.set_speed(0.0)
    stopped = {"state machine": "idle"}
    person.soon(lambda: not run.running and run.states == stopped, "it did not stop there")
    person.clear_breaks()
    assert not run.breaks
    person.rewind()
    assert not run.at_end and run.states == {"state machine": SPACE}

    person.go_on()
    person.set_crouch()
    time = run.time
    person.soon(lambda: run.time > time + 0.3, "it does not go on")
    person.pause()
    assert run.states == {"state machine": SPACE} and not run.running
    person.ask_why()
    check_why(person)
    person.mend_rule()
    person.soon(lambda: run.deck.comparison is not None, "the recording was not run again")
    assert run.states == {"state machine": "crouch idle"}
    assert run.take is not None
    length = run.take.length
    person.run_on()
    person.soon(lambda: run.take is not None and run.take.length > length + 0.2, "it does not go on")
    assert run.states == {"state machine": "crouch idle"}
    person.stop()
    assert not run.on
    check_saved_and_undone(person, folder)


def check_built(person: Person) -> None:
    """What was asked for is there."""
    project, graph = person.project, person.graph
    assert [(v.name, str(v.kind)) for v in graph.variables] == [("speed", "float"), ("crouch", "bool")]
    (space,) = project.all(BlendSpace)
    (montage,) = project.all(Montage)
    names = [project.assets[sample.clip].name for sample in space.samples]
    assert names == list(SAMPLES) and montage.name == "wave"
    nodes = {n.kind: n for sheet in graph.sheets for n in sheet.nodes}
    assert nodes["slot"].parameters == {"slot": SLOT, "always_update": True}
    states = {n.id: n.name for sheet in graph.sheets for n in sheet.nodes if n.kind == "state"}
    found = {(states[t.source], states[t.target], t.rule) for s in graph.sheets for t in s.transitions}
    assert len(states) == 4 and found == set(RULES)
    post = project.get(Graph, person.rig.post_graph)
    assert any(n.kind == "foot_placement" for sheet in post.sheets for n in sheet.nodes)


def check_why(person: Person) -> None:
    """The answer names the rule, and of its parts the one that does not hold."""
    answer = person.user.find("whyAnswer")
    assert isinstance(answer, QLabel) and answer.text().startswith("Its rule is false"), answer.text()
    guards = person.guards()
    assert len(guards) == 2 and guards[0].startswith("crouch") and guards[1].startswith("speed < 0.5"), guards
    assert "speed = 2" in guards[1]


def check_saved_and_undone(person: Person, folder: Path) -> None:
    """What was made is read back equal; undone, the file has the bytes of the empty project."""
    made = person.project
    person.save_as(folder / "job.posewright")
    person.undo_all()
    assert not person.made.session.history.can_undo and not person.project.assets
    person.save_as(folder / "undone.posewright")
    assert (folder / "undone.posewright").read_bytes() == (folder / "empty.posewright").read_bytes()
    person.open(folder / "job.posewright")
    assert same_value(person.project.assets, made.assets)
