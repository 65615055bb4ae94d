"""Montages of the document: which is open, what is selected, whole ones made and deleted; what is told, and undo."""

from dataclasses import replace

import pytest

from core.arrays import same_value
from core.errors import AnimError, ValidationError
from core.graph.graph import Graph, Node, NodeId, Sheet
from core.graph.montage import Montage
from core.graph.montage_problems import Part
from core.ids import AssetId
from editor.model.montage.montages import DEFAULT_SLOT, Item, Montages
from tests.editor.tools.montage.scene import KICK, SWING, Scene

OTHER_RIG, OTHER = AssetId("rig-other"), AssetId("montage-2")


@pytest.fixture
def scene():
    made = Scene()
    made.told = {"changed": 0, "picked_changed": 0}
    for name in made.told:
        getattr(made.montages, name).connect(
            lambda _, name=name: made.told.update({name: made.told[name] + 1})
        )
    yield made
    made.session.close()


@pytest.fixture
def montages(scene) -> Montages:
    return scene.montages


def told(scene: Scene) -> tuple[int, int]:
    """How often it was told that a montage, and that the selection differs, since the last call."""
    found = scene.told["changed"], scene.told["picked_changed"]
    scene.told.update(changed=0, picked_changed=0)
    return found


def another(scene: Scene, **values: object) -> Montage:
    """A second montage of the rig."""
    made = replace(scene.now, id=OTHER, name="second", **values)
    scene.session.edits.put("another", made)
    told(scene)
    return made


def without_character(scene: Scene) -> None:
    project = scene.session.document.project
    scene.session.document.replace(project.without(*project.assets), None)
    scene.session.playback.set_clip(None)


SEGMENT, SECTION, NOTIFY = Item(Part.SEGMENT, 1, 0), Item(Part.SECTION, 1), Item(Part.NOTIFY, 1)


# ---------------------------------------------------------------- which
def test_the_rigs_first_montage_is_open_until_another_is(scene, montages) -> None:
    second = another(scene)
    assert [m.id for m in montages.all()] == ["montage", OTHER] and montages.committed.id == "montage"
    montages.open(OTHER)
    assert montages.committed is second and montages.current is second and told(scene) == (1, 0)
    montages.open(OTHER)
    assert told(scene) == (0, 0)
    montages.open(None)
    assert montages.committed.id == "montage" and told(scene) == (1, 0)


def test_to_open_another_drops_the_selection_and_the_drag(scene, montages) -> None:
    second = another(scene)
    scene.pick(SEGMENT)
    montages.preview(replace(scene.now, name="dragged"))
    told(scene)
    montages.open(OTHER)
    assert montages.current is second and montages.picked == () and told(scene) == (1, 1)
    montages.open(None)
    assert montages.current.name == "combo"


def test_a_montage_of_another_rig_is_not_open(scene, montages) -> None:
    another(scene, rig=OTHER_RIG, tracks=())
    montages.open(OTHER)
    assert montages.committed.id == "montage" and [m.id for m in montages.all()] == ["montage"]
    scene.session.playback.set_clip(AssetId("clip-stranger"))
    assert montages.rig.id == OTHER_RIG and montages.committed.id == OTHER
    assert [m.id for m in montages.all()] == [OTHER] and [c.id for c in montages.clips()] == ["clip-stranger"]


def test_what_is_no_montage_is_not_open(montages) -> None:
    montages.open(SWING)
    assert montages.committed.id == "montage"


def test_the_open_montage_is_that_of_the_document_now(scene, montages) -> None:
    before = montages.committed
    assert montages.committed is before
    scene.session.edits.put("name", replace(before, name="new"))
    assert montages.committed.name == "new" and montages.current.name == "new"
    scene.session.undo()
    assert montages.committed is before


def test_the_open_montage_is_looked_for_once_until_something_differs(scene, montages, monkeypatch) -> None:
    asked, every = [], Montages.all
    monkeypatch.setattr(Montages, "all", lambda found: asked.append(1) or every(found))
    assert montages.committed is montages.committed and len(asked) == 1
    scene.session.edits.put("clip", replace(scene.clip(KICK), name="kicked"))
    assert montages.committed.id == "montage" and len(asked) == 2
    scene.session.playback.set_clip(AssetId("clip-stranger"))
    asked.clear()
    assert montages.committed is None and montages.committed is None and len(asked) == 1


def test_without_a_character_there_is_none(scene, montages) -> None:
    without_character(scene)
    assert montages.rig is None and montages.all() == () and montages.committed is None
    assert montages.graphs == () and montages.slots() == () and montages.clips() == ()
    assert montages.current is None and montages.problems == () and not montages.there(SECTION)
    with pytest.raises(ValidationError, match="There is no montage: make one first"):
        montages.require()
    with pytest.raises(ValidationError, match="Open or import a character first"):
        montages.new()


def test_another_document_opens_its_first(scene, montages) -> None:
    another(scene)
    montages.open(OTHER)
    scene.session.document.replace(scene.session.document.project, None)
    scene.session.playback.set_clip(SWING)
    assert montages.committed.id == "montage"


def test_clips_by_their_ids(montages) -> None:
    assert montages.clip(KICK).name == "kick" and montages.clip(AssetId("gone")) is None
    assert montages.clip(AssetId("montage")) is None
    assert [clip.id for clip in montages.clips()] == [SWING, KICK]


def graph(id: str, rig: AssetId, *slots: str) -> Graph:
    output = Node(NodeId("n-00000001"), "output")
    return Graph(
        AssetId(id), id, rig, slots=slots, sheets=(Sheet(NodeId("n-00000002"), "pose", nodes=(output,)),)
    )


def test_slots_are_those_of_all_graphs_of_the_rig_each_once(scene, montages) -> None:
    rig = montages.rig.id
    scene.session.edits.put("graphs", graph("g1", rig, "G.Arms", "G.Legs"), graph("g2", OTHER_RIG, "G.Tail"),
                            graph("g3", rig, "G.Legs", "G.Head"))  # fmt: skip
    assert [found.id for found in montages.graphs] == ["g1", "g3"]
    assert montages.slots() == ("G.Arms", "G.Legs", "G.Head")
    made = montages.new()
    assert made.slot_name(made.tracks[0]) == "G.Arms"


# ---------------------------------------------------------------- drags
def test_a_drag_is_shown_until_it_is_kept_or_dropped(scene, montages) -> None:
    before = scene.now
    dragged = replace(before, name="dragged")
    montages.preview(dragged)
    montages.preview(dragged)
    assert montages.current is dragged and montages.committed is before and told(scene) == (1, 0)
    montages.preview(None)
    assert montages.current is before and told(scene) == (1, 0)
    montages.preview(dragged)
    assert montages.put("Name", dragged) and montages.committed == dragged and told(scene) == (2, 0)
    assert scene.session.history.labels[-1] == "Name"


def test_a_change_that_changes_nothing_is_no_step_but_told(scene, montages) -> None:
    montages.preview(replace(scene.now, name="dragged"))
    steps = scene.session.history.position
    told(scene)
    assert not montages.put("Name", scene.now)
    assert montages.current is scene.now and told(scene) == (1, 0)
    assert scene.session.history.position == steps


def test_a_drag_of_another_montage_is_not_shown(scene, montages) -> None:
    montages.preview(replace(scene.now, id=OTHER, name="dragged"))
    assert montages.current is montages.committed


def test_an_edit_drops_the_drag(scene, montages) -> None:
    montages.preview(replace(scene.now, name="dragged"))
    scene.session.edits.put("clip", replace(scene.clip(KICK), name="kicked"))
    assert montages.current is montages.committed


def test_problems_are_those_of_what_a_drag_shows(scene, montages) -> None:
    assert montages.problems == () and montages.problems is montages.problems
    track = scene.now.tracks[0]
    segments = (replace(track.segments[0], clip=AssetId("gone")), *track.segments[1:])
    montages.preview(replace(scene.now, tracks=(replace(track, segments=segments),)))
    wrong = montages.problems
    assert len(wrong) == 1 and montages.problems is wrong
    montages.preview(None)
    assert montages.problems == ()
    scene.session.edits.put("shorter", replace(scene.clip(KICK), length=0.5))
    assert len(montages.problems) == 1, "of the clips as they are now"


# ---------------------------------------------------------------- selection
def test_what_is_picked_is_told_where_it_differs(scene, montages) -> None:
    scene.pick(SEGMENT, NOTIFY)
    scene.pick(SEGMENT, NOTIFY)
    assert montages.picked == (SEGMENT, NOTIFY) and told(scene) == (0, 1)
    scene.pick(NOTIFY, SEGMENT)
    assert told(scene) == (0, 1)
    scene.pick()
    assert montages.picked == () and told(scene) == (0, 1)


@pytest.mark.parametrize(
    ("item", "there"),
    [
        (SEGMENT, True), (Item(Part.SEGMENT, 2, 0), False), (Item(Part.SEGMENT, 0, 1), False),
        (Item(Part.SEGMENT, 0, -1), False), (Item(Part.SEGMENT, -1, 0), False), (SECTION, True),
        (Item(Part.SECTION, 2), False), (Item(Part.SECTION, -1), False), (NOTIFY, True), (Item(Part.NOTIFY, 2), False),
        (Item(Part.SECTION, 0), True), (Item(Part.NOTIFY, 0), True), (Item(Part.SEGMENT, 0, 0), True),
    ],
)  # fmt: skip
def test_which_items_there_are(montages, item, there) -> None:
    assert montages.there(item) is there


def test_other_parts_cannot_be_selected(montages) -> None:
    for part in set(Part) - {Part.SEGMENT, Part.SECTION, Part.NOTIFY}:
        assert not montages.there(Item(part, 0)) and not montages.there(Item(part, 0, 0))


def test_what_is_gone_is_no_longer_selected(scene, montages) -> None:
    scene.pick(SEGMENT, Item(Part.NOTIFY, 0), NOTIFY)
    told(scene)
    scene.session.edits.put("less", replace(scene.now, notifies=scene.now.notifies[:1]))
    assert montages.picked == (SEGMENT, Item(Part.NOTIFY, 0)) and told(scene) == (1, 1)
    scene.session.edits.put("name", replace(scene.now, name="new"))
    assert told(scene) == (1, 0)


# ---------------------------------------------------------------- whole montages
def test_a_new_montage_plays_clips_and_is_open(scene, montages) -> None:
    made = montages.new([KICK, AssetId("gone"), SWING])
    assert made.name == "kick" and [s.clip for s in made.tracks[0].segments] == [KICK, SWING]
    assert (
        montages.committed is scene.session.document.project.assets[made.id] and made.rig == montages.rig.id
    )
    assert made.slot_name(made.tracks[0]) == DEFAULT_SLOT
    assert scene.session.history.labels[-1] == "New montage kick" and scene.session.history.position == 1


@pytest.mark.parametrize(
    ("clips", "name", "made"),
    [((), "", "Montage"), ((KICK,), "leap", "leap"), ((), "combo", "combo 2"), ((KICK,), "", "kick")],
)
def test_a_new_montage_has_a_free_name(montages, clips, name, made) -> None:
    assert montages.new(clips, name).name == made


def test_names_of_other_rigs_are_taken_too(scene, montages) -> None:
    another(scene, rig=OTHER_RIG, tracks=())
    assert montages.new((), "second").name == "second 2"


def test_a_copy_is_the_same_under_another_name_and_open(scene, montages) -> None:
    old = scene.now
    made = montages.duplicate()
    assert same_value(made, replace(old, id=made.id, name="combo 2")) and made.id != old.id
    assert montages.committed.id == made.id and scene.session.history.labels[-1] == "Duplicate montage combo"
    assert montages.duplicate().name == "combo 3"


def test_a_montage_is_renamed_where_the_name_is_free(scene, montages) -> None:
    another(scene)
    assert montages.rename("  leap ") and scene.now.name == "leap"
    assert scene.session.history.labels[-1] == "Rename combo to leap"
    steps = scene.session.history.position
    assert not montages.rename("leap")
    with pytest.raises(ValidationError, match="there is already a montage named “second”"):
        montages.rename("second")
    with pytest.raises(ValidationError):
        montages.rename("  ")
    assert scene.session.history.position == steps and scene.now.name == "leap"


def test_the_name_of_another_rigs_montage_may_be_taken(scene, montages) -> None:
    another(scene, rig=OTHER_RIG, tracks=())
    assert montages.rename("second") and scene.now.name == "second"


def test_to_delete_the_open_montage_opens_the_next(scene, montages) -> None:
    another(scene)
    scene.pick(SEGMENT)
    assert montages.delete() and montages.committed.id == OTHER
    assert scene.session.history.labels[-1] == "Delete montage combo"
    assert montages.delete() and montages.committed is None and montages.picked == ()
    for do in (montages.delete, montages.duplicate, lambda: montages.rename("x")):
        with pytest.raises(AnimError, match="There is no montage"):
            do()
