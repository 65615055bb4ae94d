"""When the poses of the selected transition are worked out, again or not at all, and what is told of it."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import SimpleNamespace

import pytest

from core.errors import ValidationError
from core.ids import AssetId
from core.project.project import Project
from core.rig.rig import Rig
from editor.model.display.display import DisplayLevel
from editor.model.graph import ghost_strip as module
from editor.model.graph.editor import GraphEditor
from editor.model.graph.ghost_strip import GhostStrip
from editor.model.graph_run.state import GraphRun
from tests.editor.model.graph.many_assets import STRANGER, many_session
from tests.editor.panels.graph.graphs import BACK, GO, GRAPH, IDLE, POSES, STATES
from tests.editor.stage import RIG, WALK


class Here:
    """A session whose machine is open, with poses that are worked out by a stand-in, at once or when they are due."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.session = many_session()
        self.editor = self.session.feature(GraphEditor)
        self.canvas = self.editor.canvas
        self.run = self.session.feature(GraphRun)
        self.strip = self.session.feature(GhostStrip)
        self.asked: list[str] = []
        self.told: list[object] = []
        self.error: Exception | None = None
        self.due: list[tuple[Callable[[], None], Callable[[], None]]] = []
        monkeypatch.setattr(module, "transition_poses", self._poses)
        self.canvas.enter(STATES)
        self.strip.changed.connect(lambda _: self.told.append(self.strip.poses))
        self.strip.see(True)

    def _poses(self, graph: object, project: object, transition: str) -> object:
        self.asked.append(transition)
        if self.error is not None:
            raise self.error
        return SimpleNamespace(graph=graph, project=project, transition=transition, number=len(self.asked))

    def later(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Work is done when it is asked for by `finish`."""
        monkeypatch.setattr(module, "GRACE", 0.0)
        self.session.jobs.runner = lambda work, end: self.due.append((work, end))

    def finish(self, number: int = 0) -> None:
        work, end = self.due.pop(number)
        work()
        end()


@pytest.fixture
def here(monkeypatch) -> Iterator[Here]:
    made = Here(monkeypatch)
    yield made
    made.session.close()


def test_a_selected_transition_is_worked_out_of_what_the_document_holds_and_told_once(here):
    here.canvas.select([GO])
    poses = here.strip.poses
    assert (poses.transition, poses.graph, poses.project) == (GO, here.canvas.graph, here.canvas.project)
    assert here.told == [poses] and here.strip.reason == ""
    here.canvas.moved.emit(None)
    here.canvas.changed.emit(None)
    assert here.asked == [GO] and here.told == [poses]
    here.canvas.select([BACK])
    assert here.asked == [GO, BACK] and here.strip.poses.transition == BACK
    assert here.told[1:] == [here.strip.poses]


@pytest.mark.parametrize("chosen", [[], [IDLE], [GO, BACK], [GO, IDLE], ["n-gone"]])
def test_only_one_transition_alone_has_poses(here, chosen):
    here.canvas.select(chosen)
    assert here.strip.poses is None and here.asked == [] and here.told == []


def test_poses_that_were_left_are_shown_again_without_work(here):
    here.canvas.select([GO])
    first = here.strip.poses
    here.canvas.select([])
    assert here.strip.poses is None
    here.canvas.select([GO])
    assert here.strip.poses is first and here.asked == [GO] and here.told == [first, None, first]


def test_what_is_not_seen_or_not_wanted_is_not_worked_out(here):
    here.strip.see(False)
    here.canvas.select([GO])
    assert here.strip.poses is None and here.asked == []
    here.strip.see(True)
    assert here.strip.poses is not None
    here.strip.wanted = False
    assert not here.strip.wanted and here.strip.poses is None
    here.strip.wanted = True
    assert here.strip.wanted and here.strip.poses is not None and here.asked == [GO]


def test_on_another_sheet_or_without_a_graph_nothing_is_shown(here):
    here.canvas.select([GO])
    here.canvas.enter(POSES)
    assert here.strip.poses is None
    here.canvas.set_state(selection=frozenset((str(GO),)))
    assert here.strip.poses is None
    here.session.document.replace(Project({}), None)
    here.strip.see(True)
    assert here.strip.poses is None and here.asked == [GO]


def test_while_something_plays_nothing_is_shown(here):
    here.canvas.select([GO])
    first = here.strip.poses
    here.session.playback.play()
    assert here.strip.poses is None
    here.session.playback.pause()
    assert here.strip.poses is first and here.asked == [GO]


def test_while_another_source_is_shown_nothing_is(here, monkeypatch):
    display = here.session.display
    here.canvas.select([GO])
    first = here.strip.poses
    for source, shown in (
        (SimpleNamespace(), None),
        (here.run, first),
        (SimpleNamespace(), None),
        (None, first),
    ):
        monkeypatch.setattr(type(display), "source", source)
        display.changed.emit(DisplayLevel.SOURCE)
        assert here.strip.poses is shown
    assert here.asked == [GO]


# ---------------------------------------------------------------- edits
EDITS: dict[str, tuple[bool, Callable[[Here], object]]] = {
    "the graph": (True, lambda h: h.editor.machines.set_rule(GO, "crouch")),
    "a clip of the character": (
        True, lambda h: h.session.edits.put("x", replace(h.canvas.project.assets[WALK], name="stroll")),
    ),
    "its rig": (True, lambda h: h.session.edits.put("x", replace(h.canvas.project.get(Rig, RIG), name="x"))),
    "another rig": (False, lambda h: h.session.edits.put("x", replace(h.canvas.project.get(Rig, STRANGER), name="x"))),
    "a clip of another": (
        False, lambda h: h.session.edits.put("x", replace(h.canvas.project.assets[AssetId("clip-odd")], name="x")),
    ),
    "a pose asset": (
        False, lambda h: h.session.edits.put("x", replace(h.canvas.project.assets[AssetId("poses-face")], name="x")),
    ),
    "an asset that goes": (True, lambda h: h.session.edits.remove("x", AssetId("clip-odd"))),
}  # fmt: skip


@pytest.mark.parametrize("case", list(EDITS))
def test_an_edit_of_what_the_transition_plays_works_it_out_again(here, case):
    again, edit = EDITS[case]
    here.canvas.select([GO])
    first = here.strip.poses
    edit(here)
    assert here.canvas.state.selection == {GO}
    if again:
        assert here.strip.poses is not first and len(here.asked) > 1
        assert here.strip.poses.project is here.canvas.project
    else:
        assert here.strip.poses is first and here.asked == [GO]


def test_an_edit_before_anything_was_selected_asks_for_nothing(here):
    here.session.edits.put("x", replace(here.canvas.project.assets[WALK], name="stroll"))
    assert here.asked == [] and here.told == []


def test_another_document_forgets_the_poses(here):
    here.canvas.select([GO])
    project = here.session.document.project
    here.session.document.replace(Project(dict(project.assets)), None)
    assert here.strip.poses is None
    here.canvas.open(GRAPH, STATES)
    here.canvas.select([GO])
    assert here.strip.poses.project is here.canvas.project and here.asked == [GO, GO]


# ---------------------------------------------------------------- work that takes a while
def test_poses_that_take_longer_come_later(here, monkeypatch):
    here.later(monkeypatch)
    here.canvas.select([GO])
    assert here.strip.poses is None and here.told == [] and len(here.due) == 1
    assert (
        here.session.jobs.running[0].title == "Ghosts of the transition"
        and here.session.jobs.running[0].detached
    )
    here.canvas.moved.emit(None)
    assert len(here.due) == 1
    here.finish()
    assert here.strip.poses.transition == GO and here.told == [here.strip.poses]
    assert here.session.jobs.running == ()


def test_what_was_left_meanwhile_is_cancelled_and_comes_to_nothing(here, monkeypatch):
    here.later(monkeypatch)
    here.canvas.select([GO])
    first = here.session.jobs.running[0]
    here.canvas.select([BACK])
    assert first not in here.session.jobs.running and len(here.session.jobs.running) == 1
    here.finish()
    assert here.strip.poses is None and here.told == []
    here.finish()
    assert here.strip.poses.transition == BACK and here.told == [here.strip.poses]


def test_what_is_done_is_not_cancelled_afterwards(here, monkeypatch):
    cancelled: list[object] = []
    monkeypatch.setattr(here.session.jobs, "cancel", cancelled.append)
    here.later(monkeypatch)
    here.canvas.select([GO])
    here.finish()
    here.canvas.select([BACK])
    assert cancelled == []


# ---------------------------------------------------------------- reasons
def test_a_reason_is_told_and_goes_with_the_next_one(here, caplog):
    here.error = ValidationError("no such variable")
    with caplog.at_level(logging.ERROR, module.__name__):
        here.canvas.select([GO])
    assert here.strip.poses is None and here.strip.reason == "no such variable"
    assert here.told == [None] and caplog.records == []
    here.canvas.moved.emit(None)
    assert here.asked == [GO] and here.told == [None]
    here.error = None
    here.canvas.select([BACK])
    assert here.strip.reason == "" and here.strip.poses.transition == BACK


def test_a_fault_of_the_program_is_logged_and_no_reason(here, caplog):
    here.error = RuntimeError("broken")
    with caplog.at_level(logging.ERROR, module.__name__):
        here.canvas.select([GO])
    assert here.strip.poses is None and here.strip.reason == "" and here.told == []
    (record,) = [r for r in caplog.records if r.name == module.__name__]
    assert "broken" in record.getMessage() and record.exc_info
