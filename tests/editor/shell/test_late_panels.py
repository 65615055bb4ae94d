"""Panels are made when they are needed, and nobody sees that they were not there."""

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication

from editor.actions.registry import Registry
from editor.model.blending.state import Blending
from editor.model.event_choice import EventChoice
from editor.model.graph_run.state import GraphRun
from editor.shell.docks import PanelBody
from editor.shell.panels import panel_specs
from editor.shell.workspaces import WORKSPACES
from tests.editor.panel_stage import Stage as PanelStage
from tests.editor.shell.toy_panel import ToyPanel
from tests.editor.stage import TURN, WALK, stage

DOCKED = tuple(spec for spec in panel_specs() if spec.area != "centre")
IN_FRONT = {"bone_tree", "clips", "inspector", "timeline"}


@pytest.fixture
def here(qapp):
    with stage(qapp, *(spec.id for spec in DOCKED)) as made:
        yield made


class Pictures(QObject):
    """Notes panels' places that were painted while nothing was in them."""

    def __init__(self, app: QApplication) -> None:
        super().__init__()
        self.empty: list[str] = []
        self._app = app
        app.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and isinstance(watched, PanelBody) and not watched.there:
            self.empty.append(watched.objectName())
        return False

    def close(self) -> None:
        self._app.removeEventFilter(self)


@pytest.fixture
def pictures(qapp):
    made = Pictures(qapp)
    yield made
    made.close()


def there(here) -> set[str]:
    return {name for name, dock in here.window.docks.items() if dock.body.there}


def test_at_the_start_only_the_panels_in_front_are_made(here):
    assert there(here) == IN_FRONT


def test_workspace_makes_the_panels_in_front_alone(here, pictures):
    for workspace in WORKSPACES:
        before = there(here)
        here.user.click(f"workspace.{workspace.id}")
        assert there(here) == before | in_front(here)
        rows = (*workspace.left, *workspace.right, *workspace.bottom)
        assert in_front(here) == {row[0] for row in rows}
    assert pictures.empty == []


def test_no_panel_is_seen_before_it_is_made(here, pictures):
    for workspace in WORKSPACES:
        here.user.click(f"workspace.{workspace.id}")
        for row in (*workspace.left, *workspace.right, *workspace.bottom):
            for name in row:
                dock = here.window.docks[name]
                dock.raise_()
                here.user.settle()
                assert dock.body.there and dock.body.panel.isVisible()
    assert there(here) == {spec.id for spec in DOCKED if here.window.docks[spec.id].open} | there(here)
    assert pictures.empty == []


def test_closed_panel_is_made_when_the_window_menu_opens_it(here, pictures):
    here.user.choose("Window", "Layers")
    assert here.user.find("layersPanel").isVisible() and here.user.find("addLayer").isVisible()
    assert pictures.empty == []


def test_tab_that_is_floated_before_it_was_in_front_is_made(here, pictures):
    dock = here.window.docks["history"]
    assert dock.open and not dock.body.there
    dock.setFloating(True)
    here.user.settle()
    assert here.user.find("steps").isVisible()
    assert pictures.empty == []


def test_dock_that_is_alone_in_its_place_is_made_when_it_is_shown(qapp, pictures):
    with stage(qapp, "clips", "graph_run", "variables") as here:
        for name in ("variables", "graph_run"):
            here.window.docks[name].show()
            here.user.settle()
            assert here.window.docks[name].body.there and here.window.docks[name].body.panel.isVisible()
    assert pictures.empty == []


def test_layout_of_the_last_session_makes_what_it_shows(qapp, pictures):
    names = tuple(spec.id for spec in DOCKED)
    with stage(qapp, *names) as here:
        here.user.click("workspace.export")
        here.user.choose("Window", "Mirror")
        here.window.docks["mirror"].setFloating(True)
        here.user.settle()
        front = in_front(here)
    with stage(qapp, *names) as here:
        assert "mirror" in front and front == in_front(here) == there(here)
    assert pictures.empty == []


def test_pointer_and_maximise_work_on_a_panel_that_was_just_made(here):
    here.window.show_panel("history")
    here.user.settle()
    here.user.move("steps")
    assert here.user.find("steps").hasFocus()
    here.user.press("Ctrl+Space")
    assert here.window.docks["history"].width() > 1000
    here.user.press("Ctrl+Space")
    assert here.user.visible("steps")


def in_front(here) -> set[str]:
    docks = here.window.docks.items()
    return {name for name, dock in docks if not dock.body.visibleRegion().isEmpty()}


# ---------------------------------------------------------------- actions
def test_panels_declare_the_actions_that_they_do(qapp, monkeypatch):
    bound: list[str] = []
    bind = Registry.bind

    def noted(self, id, *arguments, **named):
        bound.append(id)
        return bind(self, id, *arguments, **named)

    monkeypatch.setattr(Registry, "bind", noted)
    made = PanelStage(qapp)
    for spec in DOCKED:
        bound.clear()
        panel = made.add(spec.create(made.context))
        missing = [id for id in (*bound, *panel.panel_actions()) if not spec.done_of([id])]
        assert not missing, f"{spec.id} does not declare {missing}"
    made.close(qapp)


def test_every_action_can_be_had_before_its_panel_is_made(here):
    registry = here.window.actions_registry
    view = {"view", "tool"}  # those are the viewport's, which this window does without
    lost = [
        action.id
        for action in registry
        if action.id.split(".")[0] not in view and registry.why_disabled(action.id) == "not available here"
    ]
    assert not lost
    assert there(here) == IN_FRONT, "asking makes no panel"


def test_action_makes_its_panel_brings_it_to_the_front_and_is_done(here):
    here.window.actions_registry.run("weights.add_curve")
    here.user.settle()
    assert here.user.find("weightsPanel").isVisible()
    assert here.user.find("curveName").hasFocus()
    assert list(here.clip().curves) == ["curve"]


def test_action_that_cannot_be_done_says_why_as_ever(qapp):
    with stage(qapp, "curves", "clips", project=None) as here:
        here.window.use_workspace("export")
        said = []
        here.session.messages.posted.connect(lambda message: said.append(message.text))
        assert not here.window.actions_registry.run("curves.smooth")
        assert said


def test_found_in_the_palette_a_panel_comes(here):
    here.user.press("F3")
    here.user.type_into("paletteField", "Proportions")
    here.user.settle()
    assert here.user.find("proportionsPanel").isVisible()


def test_window_closes_without_panels_that_were_never_seen(qapp, monkeypatch):
    monkeypatch.setattr(ToyPanel, "closed", False)
    with stage(qapp, "history", "mirror", "clips") as here:
        docks = dict(here.window.docks)
        was = there(here)
    assert {name for name in docks if docks[name].body.there} == was


# ---------------------------------------------------------------- what goes on unseen
def test_run_that_an_action_starts_goes_on_without_its_panel_in_sight(here):
    run = here.session.feature(GraphRun)
    assert not {"graph_run", "variables"} & there(here)
    here.window.actions_registry.run("graph.play_clip")
    here.window.actions_registry.run("graph.run")
    assert run.running
    assert {"graph_run", "variables"} <= there(here), "one has the clock, the other hands keys to the run"
    here.user.wait_until(lambda: run.take is not None and len(run.take.steps) > 3, "the run does not go on")
    run.stop()


def test_blend_preview_goes_on_without_its_panel_in_sight(here):
    blending = here.session.feature(Blending)
    blending.spaces.new("line")
    for place, clip in enumerate((WALK, TURN)):
        assert blending.spaces.add(clip, (float(place),))
    assert "blend_space" not in there(here)
    blending.live.toggle()
    assert blending.live.running and "blend_space" in there(here)
    before = blending.live.clock.now
    here.user.wait_until(lambda: blending.live.clock.now > before, "the preview does not go on")
    blending.live.stop()


def test_inspector_shows_the_notify_that_was_selected_before_it_was_seen(here):
    here.user.click("workspace.blend")
    clip = here.clip()
    here.window.actions_registry.run("events.add_notify")
    here.user.settle()
    notify = here.clip().notifies[0]
    assert clip.notifies == ()
    here.session.feature(EventChoice).choose(notify)
    here.window.show_panel("inspector")
    here.user.settle()
    assert here.window.docks["inspector"].body.panel.notify.isVisible()
