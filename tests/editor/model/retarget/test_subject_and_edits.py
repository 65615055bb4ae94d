"""What a retarget is of, and edits of its map, options and contacts: one step each, nothing is worked out."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from core.errors import AnimError, ValidationError
from core.ids import AssetId
from core.project.project import Project
from core.retarget.contacts import ContactSpan
from editor.model.retarget.choices import Choices
from editor.model.retarget.setup import KEY
from editor.model.retarget.source import source_of
from editor.model.retarget.state import Retargeting
from editor.model.session import Session
from tests.editor.model.retarget.stage import counted, two_characters
from tests.editor.model.retarget.test_retargeting import JUMP, TALL, WALK, tall_rig
from tests.editor.panels.test_working_models import Later


@pytest.fixture
def session() -> Iterator[Session]:
    made = two_characters()
    yield made
    made.close()


@pytest.fixture
def fresh(session) -> Retargeting:
    """Nothing is chosen yet."""
    return session.feature(Retargeting)


@pytest.fixture
def ready(session, fresh) -> Retargeting:
    """The taller character is the source; nothing is worked out."""
    session.jobs.runner = Later()
    fresh.use_rig(TALL)
    return fresh


# ---------------------------------------------------------------- what it is of
def test_what_is_missing_is_told_in_the_order_of_the_work(session, fresh):
    subject = fresh.subject
    assert subject.missing == fresh.computation.why_not == "choose a source first"
    with pytest.raises(AnimError, match="choose a source first"):
        subject.parts()
    fresh.use_rig(TALL)
    assert subject.missing == ""
    fresh.set_clip(AssetId("gone"))
    assert subject.missing == "choose a clip of the source first" and subject.clip is None
    session.document.replace(Project({}), None)
    assert subject.missing == "open or import a character first"
    with pytest.raises(AnimError, match="open or import a character first"):
        subject.parts()


def test_a_source_without_clips_asks_for_one(session, fresh):
    project = session.document.project
    fresh.set_source(replace(source_of(project, tall_rig()), clips=()))
    assert fresh.subject.clip is None and fresh.subject.missing == "choose a clip of the source first"
    assert fresh.computation.result is None and not fresh.live.on
    assert fresh.subject.chains is not None and fresh.subject.edited_spans is None


def test_the_first_clip_is_taken_and_another_one_once(ready):
    assert ready.subject.clip.id == WALK
    assert not ready.subject.set_clip(WALK) and ready.subject.set_clip(JUMP)
    assert ready.subject.clip.id == JUMP


def test_parts_are_source_target_and_map(session, ready):
    own, other, chains = ready.subject.parts()
    assert own.id == TALL and other is session.rig and chains is ready.subject.chains
    assert ready.subject.pair(chains.chains[0].name) is chains.chains[0]
    assert ready.subject.pair(None) is None and ready.subject.pair("none") is None


def test_without_a_set_up_there_are_the_options_one_begins_with_and_nothing_is_changed(session, fresh):
    subject = fresh.subject
    told = counted(subject.setup_changed)
    assert subject.choices == Choices() and subject.chains is None and subject.setup is None
    assert subject.pair("head") is None and not subject.spans_edited
    steps = session.history.position
    subject.change("Change", choices=Choices(floor=1.0))
    fresh.edits.choose("Change", floor=1.0)
    fresh.edits.set_spans([ContactSpan("left foot", 0, 1, 2)], "Contacts")
    assert told == [0] and session.history.position == steps and subject.setup is None


def test_a_labelled_change_is_a_step_and_one_without_is_none_until_it_is_let_go(session, ready):
    subject, steps = ready.subject, session.history.position
    told = counted(subject.setup_changed)
    ready.edits.choose(floor=0.1)
    assert subject.choices.floor == 0.1 and told == [1] and session.history.position == steps
    ready.edits.choose(floor=0.1)
    subject.change("", choices=subject.choices)
    assert told == [1]
    ready.edits.choose("Floor", floor=0.1)
    assert told == [2] and session.history.position == steps + 1 and session.history.labels[-1] == "Floor"
    assert session.document.project.settings[KEY]["choices"]["floor"] == 0.1
    session.undo()
    assert subject.choices.floor == 0.0


def test_a_drag_taken_back_is_the_set_up_of_the_last_step(ready):
    ready.edits.choose("Floor", floor=0.1)
    ready.edits.choose(floor=0.7)
    told = counted(ready.subject.setup_changed)
    ready.subject.restore()
    assert ready.subject.choices.floor == 0.1 and told == [1]


def test_the_set_up_kept_for_a_source_comes_back_with_it(session, ready):
    ready.edits.choose("Floor", floor=0.1)
    ready.set_source(replace(ready.subject.source, title="other"))
    assert ready.subject.choices.floor == 0.0
    ready.use_rig(TALL)
    assert ready.subject.choices.floor == 0.1


# ---------------------------------------------------------------- edits
def test_labels_of_the_edits(session, ready):
    text = ready.edits.map_text()
    did = [
        (lambda: ready.edits.set_turn("head", 0.5), "Align head"),
        (lambda: ready.edits.set_bones("head", ["Tall_chest", "Tall_head"]), "Map head"),
        (lambda: ready.edits.set_adjust("spine", (5.0, 0.0, 0.0)), "Align spine"),
        (lambda: ready.edits.remove_chain("head"), "Remove chain head"),
        (lambda: ready.edits.read_map(text), "Load a map"),
        (lambda: ready.edits.set_spans([]), "Detect contacts again"),
        (lambda: ready.edits.set_spans([ContactSpan("left foot", 0, 1, 2)], "Hold a foot"), "Hold a foot"),
        (lambda: ready.edits.set_spans(None), "Detect contacts again"),
        (lambda: ready.edits.remove_chain("spine"), "Remove chain spine"),
        (ready.edits.propose, "Propose map again"),
    ]
    for number, (work, label) in enumerate(did):
        steps = session.history.position
        work()
        assert (session.history.position, session.history.labels[-1]) == (steps + 1, label), number


@pytest.mark.parametrize("done", [True, False])
def test_turning_and_adjusting_keep_other_chains_and_plain_values_are_not_kept(session, ready, done):
    edits, subject = ready.edits, ready.subject
    steps = session.history.position
    edits.set_turn("head", 0.5, done)
    edits.set_turn("spine", 0.25, done)
    edits.set_adjust("head", (0.0, 0.0, 5.0), done)
    edits.set_adjust("spine", (1.0, 0.0, 0.0), done)
    assert subject.choices.turns == {"head": 0.5, "spine": 0.25}
    assert subject.choices.adjust == {"head": (0.0, 0.0, 5.0), "spine": (1.0, 0.0, 0.0)}
    edits.set_turn("head", 1.0, done)
    edits.set_adjust("head", (0.0, 0.0, 0.0), done)
    assert subject.choices.turns == {"spine": 0.25} and subject.choices.adjust == {"spine": (1.0, 0.0, 0.0)}
    assert session.history.position == steps + (6 if done else 0)


def test_contacts_are_kept_in_order_and_by_clip(ready):
    spans = [
        ContactSpan("right foot", 0, 1, 2), ContactSpan("left foot", 1, 5, 6), ContactSpan("left foot", 0, 7, 9),
        ContactSpan("left foot", 0, 1, 3),
    ]  # fmt: skip
    ready.edits.set_spans(spans, "Contacts")
    wanted = (spans[3], spans[2], spans[1], spans[0])
    assert ready.subject.edited_spans == wanted and ready.subject.spans_edited
    assert ready.computation.spans == wanted
    ready.set_clip(JUMP)
    assert ready.subject.edited_spans is None and not ready.subject.spans_edited
    ready.edits.set_spans([], "None")
    assert ready.subject.setup.spans == {"walk": wanted, "jump": ()} and ready.computation.spans == ()
    ready.edits.set_spans(None)
    assert ready.subject.setup.spans == {"walk": wanted}


def test_bones_written_for_a_side_are_looked_for_on_that_side(ready):
    with pytest.raises(ValidationError, match="no bone “head”"):
        ready.edits.write_bones("head", "source", "head")
    with pytest.raises(ValidationError, match="no bone “Tall_head”"):
        ready.edits.write_bones("head", "target", "Tall_head")
    ready.edits.write_bones("head", "source", "Tall_head")
    ready.edits.write_bones("head", "target", "head")
    assert (ready.subject.pair("head").source, ready.subject.pair("head").target) == (
        ("Tall_head",),
        ("head",),
    )


def test_a_chain_that_is_looked_at_is_lit_anew_with_its_new_bones(session, ready):
    ready.pick.look_at("head")
    ready.edits.set_bones("head", ["Tall_chest", "Tall_head"], ["chest", "head"])
    assert ready.pick.source_bones == ("Tall_chest", "Tall_head") and session.selection.bones == (
        "chest",
        "head",
    )


def test_a_chain_that_is_added_is_looked_at(session, ready):
    ready.edits.remove_chain("head")
    session.selection.select(["head"])
    ready.pick.select_source(["Tall_head"])
    ready.edits.add_chain()
    assert ready.pick.chain == "head" and session.history.labels[-1] == "Add chain head"
    assert ready.subject.pair("head").source == ("Tall_head",)


def test_picked_bones_go_to_the_chosen_chain(session, ready):
    ready.pick.look_at("head")
    ready.pick.set_picking(True)
    session.selection.select(["chest"])
    assert ready.subject.pair("head").target == ("chest",)
    assert session.history.labels[-1] == "Map head"
