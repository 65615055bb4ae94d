"""Steps between projects, the document they change, and the way edits take: what is told, and what undo brings back."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.clips.clip import Clip
from core.errors import MissingReferenceError, ValidationError
from core.ids import AssetId
from core.project.project import Project
from editor.model import commands
from editor.model.commands import ViewState, command_for
from editor.model.document import Document
from editor.model.edits import Edits
from editor.model.history import History, Step, StepKind
from tests.editor.rigs import small_clip, small_project, small_rig

RIG, CLIP = AssetId("rig-small"), AssetId("clip-small")


def clip_named(name: str) -> Clip:
    return replace(small_clip(small_rig()), id=AssetId(f"clip-{name}"), name=name)


class Stage:
    """A document with the small character and what edits it, and what all of them tell."""

    def __init__(self, max_steps: int = 5000, max_bytes: int = 1 << 30) -> None:
        self.document = Document(small_project(mesh=False))
        self.history = History(self.document, max_steps, max_bytes)
        self.view = ViewState(RIG, CLIP, 0.25, ("head",))
        self.shown: list[ViewState] = []
        self.edits = Edits(self.document, self.history, lambda: self.view)
        self.edits.show = self.shown.append
        self.heard: list[object] = []
        self.document.changed.connect(self.heard.append)
        self.document.file_changed.connect(lambda _: self.heard.append("file"))
        self.document.replaced.connect(lambda _: self.heard.append("replaced"))
        self.steps: list[Step] = []
        self.history.stepped.connect(self.steps.append)

    @property
    def names(self) -> list[str]:
        return [clip.name for clip in self.document.project.clips]

    def take(self) -> list[object]:
        found, self.heard[:] = list(self.heard), []
        return found


@pytest.fixture
def stage() -> Stage:
    return Stage()


# ---------------------------------------------------------------- commands
def test_a_step_between_equal_projects_is_empty() -> None:
    project = small_project(mesh=False)
    again = Project(dict(project.assets), dict(project.settings)).with_assets(small_clip(small_rig()))
    step = command_for("nothing", project, again)
    assert step.empty and step.ids == frozenset() and step.settings is None and step.order is None


@pytest.mark.parametrize("place", [0, 1, 2])
def test_an_asset_put_in_between_comes_and_goes_at_its_place(place: int) -> None:
    before = small_project(mesh=False)
    items = list(before.assets.items())
    added = clip_named("new")
    items.insert(place, (added.id, added))
    step = command_for("new", before, Project(dict(items)))
    assert step.order is None and step.ids == {added.id} and not step.empty
    assert list(step.applied(before).assets) == [key for key, _ in items]
    assert list(step.reverted(step.applied(before)).assets) == list(before.assets)


def test_another_order_alone_is_a_step_both_ways() -> None:
    before = small_project(mesh=False)
    turned = Project(dict(reversed(before.assets.items())))
    step = command_for("order", before, turned)
    assert not step.empty and step.changes == ()
    assert list(step.applied(before).assets) == list(turned.assets)
    assert list(step.reverted(turned).assets) == list(before.assets)


def test_settings_alone_are_a_step_both_ways() -> None:
    before = Project(small_project(mesh=False).assets, {"a": 1})
    after = Project(before.assets, {"a": 2})
    step = command_for("settings", before, after)
    assert not step.empty and step.ids == frozenset()
    assert dict(step.applied(before).settings) == {"a": 2}
    assert dict(step.reverted(after).settings) == {"a": 1}
    assert command_for("same", before, Project(before.assets, {"a": 1})).empty


def test_views_of_a_step_default_to_the_one_before() -> None:
    project, view = small_project(mesh=False), ViewState(RIG, CLIP, 1.0)
    later = replace(view, time=2.0)
    for views, expected in (
        ((), (ViewState(), ViewState())),
        ((view,), (view, view)),
        ((view, later), (view, later)),
    ):
        for after in (project.without(CLIP), Project(dict(reversed(project.assets.items())))):
            step = command_for("step", project, after, *views)
            assert (step.view_before, step.view_after) == expected


def test_sizes_count_both_sides_of_what_differs_and_nothing_shared() -> None:
    shared, old, new = np.zeros(1000), np.zeros(200), np.zeros(300)
    found: dict[int, int] = {}
    commands._collect({"a": shared, "b": old}, {"a": shared, "b": new}, found)
    assert id(shared) not in found
    assert (found[id(old)], found[id(new)]) == tuple(commands.ARRAY_OBJECT + 8 * n for n in (200, 300))


def test_an_array_of_one_number_costs_that_number() -> None:
    found: dict[int, int] = {}
    even = np.broadcast_to(2.5, (1000,))
    commands._collect(None, even, found)
    assert found[id(even)] == commands.ARRAY_OBJECT + 8


def test_an_array_in_place_of_something_else_counts_both() -> None:
    array, words = np.zeros(10), ("a", "b")
    found: dict[int, int] = {}
    commands._collect(words, array, found)
    assert set(found) >= {id(array), id(words)}


def test_a_clip_in_place_of_a_rig_counts_the_parts_of_both() -> None:
    rig, clip = small_rig(), small_clip(small_rig())
    found: dict[int, int] = {}
    for piece in commands._pieces(rig, clip):
        found |= piece
    assert id(rig.skeleton) in found and id(next(iter(clip.tracks.values()))) in found


# ---------------------------------------------------------------- history
def test_labels_say_what_undo_and_redo_would_do(stage: Stage) -> None:
    assert (stage.history.undo_label, stage.history.redo_label) == ("", "")
    assert not stage.history.can_undo and not stage.history.can_redo
    stage.edits.put("one", clip_named("a"))
    stage.edits.put("two", clip_named("b"))
    assert (stage.history.undo_label, stage.history.redo_label) == ("two", "")
    stage.history.undo()
    assert (stage.history.undo_label, stage.history.redo_label) == ("one", "two")
    assert stage.history.can_undo and stage.history.can_redo and stage.history.position == 1
    stage.history.undo()
    assert (stage.history.undo_label, stage.history.redo_label) == ("", "one")


def test_undo_and_redo_at_the_ends_do_and_tell_nothing(stage: Stage) -> None:
    stage.edits.put("one", clip_named("a"))
    heard: list[None] = []
    stage.history.changed.connect(heard.append)
    assert stage.history.redo() is None
    assert stage.history.undo() == stage.view
    assert stage.history.undo() is None and len(heard) == 1
    assert [step.kind for step in stage.steps] == [StepKind.DO, StepKind.UNDO]


def test_going_to_a_position_is_held_within_the_steps_and_gives_the_last_view(stage: Stage) -> None:
    for number in range(3):
        stage.view = replace(stage.view, time=float(number))
        stage.edits.put(f"{number}", clip_named(f"{number}"))
    assert stage.history.go_to(3) is None and stage.history.go_to(99) is None
    assert stage.history.go_to(1).time == 1.0 and stage.names == ["swing", "0"]
    assert stage.history.go_to(-5).time == 0.0 and stage.names == ["swing"]
    assert stage.history.go_to(99).time == 2.0 and stage.history.position == 3


def test_a_new_step_forgets_what_was_undone(stage: Stage) -> None:
    stage.edits.put("one", clip_named("a"))
    stage.edits.put("two", clip_named("b"))
    stage.history.undo()
    stage.history.undo()
    stage.edits.put("three", clip_named("c"))
    assert stage.history.labels == ("three",) and stage.history.position == 1
    assert stage.names == ["swing", "c"]


def test_oldest_steps_above_their_number_go_and_are_counted() -> None:
    stage = Stage(max_steps=3)
    for number in range(3):
        stage.edits.put(f"{number}", clip_named(f"{number}"))
    assert stage.history.dropped == 0
    stage.edits.put("3", clip_named("3"))
    stage.history.count()
    assert (stage.history.labels, stage.history.dropped, stage.history.position) == (("1", "2", "3"), 1, 3)


def test_the_newest_step_stays_however_large() -> None:
    stage = Stage(max_bytes=1)
    stage.edits.put("one", clip_named("a"))
    stage.edits.put("two", clip_named("b"))
    stage.history.count()
    assert stage.history.labels == ("two",) and stage.history.can_undo


def test_limit_of_bytes_tells_of_a_change_once(stage: Stage) -> None:
    stage.edits.put("one", clip_named("a"))
    stage.edits.put("two", clip_named("b"))
    heard: list[None] = []
    stage.history.changed.connect(heard.append)
    stage.history.max_bytes = 1
    assert stage.history.labels == ("two",) and len(heard) == 1 and stage.history.max_bytes == 1
    stage.history.max_bytes = 1
    assert len(heard) == 1


def test_counting_on_tells_when_it_has_ended(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("editor.model.history.AT_ONCE", 1)
    stage.edits.put("one", clip_named("a"))
    assert not stage.history.counted
    heard: list[None] = []
    stage.history.changed.connect(heard.append)
    turns = 0
    while not stage.history.count_on():
        turns += 1
        assert heard == []
    assert stage.history.counted and len(heard) == 1 and turns < 1000
    assert stage.history.count_on() and len(heard) == 1


def test_many_steps_that_nobody_counts_are_counted_by_the_next(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("editor.model.history.AT_ONCE", 0)
    waiting = []
    for number in range(10):
        stage.edits.put(f"{number}", clip_named(f"{number}"))
        waiting.append(len(stage.history._uncounted))
    assert waiting == [1, 2, 3, 4, 5, 6, 7, 1, 2, 3]


def test_memory_is_given_back_by_what_is_forgotten(stage: Stage) -> None:
    assert stage.history.memory == 0
    stage.edits.put("one", clip_named("a"))
    stage.history.count()
    alone = stage.history.memory
    stage.edits.put("two", replace(clip_named("b"), tracks={}))
    stage.history.count()
    assert stage.history.memory > alone > 0
    stage.history.undo()
    stage.edits.put("three", replace(clip_named("c"), tracks={}))
    stage.history.count()
    third = stage.history.memory
    stage.history.clear()
    assert (stage.history.memory, stage.history.labels, stage.history.counted) == (0, (), True)
    assert third < 2 * alone + 2000


# ---------------------------------------------------------------- document
def test_a_step_tells_which_assets_differ_and_then_of_the_file(stage: Stage) -> None:
    stage.edits.put("one", clip_named("a"))
    assert stage.take() == [frozenset({AssetId("clip-a")}), "file"]
    stage.history.undo()
    assert stage.take() == [frozenset({AssetId("clip-a")}), "file"]


def test_another_document_tells_of_all_assets_of_both(stage: Stage) -> None:
    stage.document.replace(Project({AssetId("clip-a"): clip_named("a")}), None, name="lost")
    assert stage.take() == ["replaced", frozenset({RIG, CLIP, AssetId("clip-a")}), "file"]
    assert (stage.document.title, stage.document.dirty, stage.document.read_only) == ("lost", False, False)
    stage.document.replace(Project(), Path("a/walk.posewright"), saved=False, read_only=True)
    assert (stage.document.title, stage.document.dirty, stage.document.read_only) == ("walk", True, True)
    stage.document.replace(Project(), None)
    assert stage.document.title == "Untitled" and not stage.document.read_only


def test_a_document_is_dirty_until_it_is_as_it_was_saved(stage: Stage) -> None:
    assert not stage.document.dirty
    stage.edits.put("one", clip_named("a"))
    assert stage.document.dirty
    written = stage.document.project
    stage.edits.set_settings("two", {"a": 1})
    stage.take()
    stage.document.mark_saved(Path("x.posewright"), written)
    assert stage.take() == ["file"] and stage.document.dirty and stage.document.path == Path("x.posewright")
    stage.history.undo()
    assert not stage.document.dirty
    stage.document.mark_unsaved()
    assert stage.document.dirty


def test_order_alone_makes_a_document_dirty(stage: Stage) -> None:
    stage.edits.commit("order", Project(dict(reversed(stage.document.project.assets.items()))))
    assert stage.document.dirty
    stage.history.undo()
    assert not stage.document.dirty


def test_what_is_read_only_does_not_become_unsaved_and_saving_ends_that(stage: Stage) -> None:
    stage.document.replace(small_project(mesh=False), Path("a.posewright"), read_only=True)
    stage.take()
    stage.document.mark_unsaved()
    assert not stage.document.dirty and stage.take() == []
    stage.document.mark_saved(Path("b.posewright"))
    assert not stage.document.read_only


# ---------------------------------------------------------------- edits
def test_an_edit_shows_the_view_it_brings_and_nothing_else(stage: Stage) -> None:
    view = stage.edits.view_of(RIG, AssetId("clip-a"), 0.5)
    assert view == ViewState(RIG, AssetId("clip-a"), 0.5, ("head",))
    assert stage.edits.put("one", clip_named("a"), view_after=view) and stage.shown == [view]
    assert not stage.edits.put("again", clip_named("a"), view_after=view) and stage.shown == [view]
    assert stage.edits.put("two", clip_named("b")) and stage.shown == [view]
    assert stage.steps[0].command.view_before == stage.view and stage.steps[0].command.view_after == view


def test_a_view_of_another_clip_has_none_below(stage: Stage) -> None:
    stage.view = replace(stage.view, below=CLIP)
    assert stage.edits.view_of(RIG, None) == ViewState(RIG, None, 0.0, ("head",), None)


def test_only_clips_that_an_edit_changed_are_settled(stage: Stage) -> None:
    asked: list[tuple[str, str]] = []

    def settle(before: Clip, after: Clip) -> Clip:
        asked.append((before.name, after.name))
        return replace(after, name=f"{after.name}!")

    stage.edits.put("new", clip_named("a"))
    stage.edits.settle = settle
    stage.edits.put("change", replace(clip_named("a"), name="b"))
    assert asked == [("a", "b")] and stage.names == ["swing", "b!"]
    stage.edits.put("another", clip_named("c"))
    assert asked == [("a", "b")] and stage.names == ["swing", "b!", "c"]


def test_a_preview_is_not_put_into_the_document(stage: Stage) -> None:
    stage.edits.transient = lambda: AssetId("clip-a")
    with pytest.raises(ValidationError, match="a is a preview, not part of the document: bake it to a clip"):
        stage.edits.put("preview", clip_named("a"))
    assert stage.edits.put("other", clip_named("b"))
    stage.edits.transient = lambda: CLIP
    assert stage.edits.put("own", replace(small_clip(small_rig()), name="walk"))


def test_what_others_need_stays_and_who_they_are_is_said(stage: Stage) -> None:
    assert stage.edits.in_use(CLIP) == ""
    assert stage.edits.in_use(RIG) == "“small” is used by “swing”: remove or change that first"
    for name in "ab":
        stage.edits.put(name, clip_named(name))
    assert "“swing”, “a”, “b”:" in stage.edits.in_use(RIG)
    stage.edits.put("c", clip_named("c"))
    assert "“swing”, “a”, “b” …:" in stage.edits.in_use(RIG)
    with pytest.raises(ValidationError, match="is used by"):
        stage.edits.remove("rig", RIG)
    assert stage.edits.remove("all", *stage.document.project.assets) and not stage.document.project.assets
    stage.history.undo()
    assert stage.names == ["swing", "a", "b", "c"]


def test_a_step_that_leaves_something_without_what_it_needs_changes_nothing(stage: Stage) -> None:
    before = stage.document.project
    with pytest.raises(MissingReferenceError):
        stage.edits.commit("rig", before.without(RIG))
    assert stage.document.project is before and stage.history.labels == () and stage.take() == []


def test_settings_are_laid_over_those_that_are_there(stage: Stage) -> None:
    assert stage.edits.set_settings("one", {"a": 1, "b": 2})
    assert stage.edits.set_settings("two", {"b": 3})
    assert dict(stage.document.project.settings) == {"a": 1, "b": 3}
    assert not stage.edits.set_settings("three", {"b": 3})
    stage.history.undo()
    assert dict(stage.document.project.settings) == {"a": 1, "b": 2}
