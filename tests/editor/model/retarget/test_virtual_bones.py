"""Virtual bones of the character shown: proposed, chosen, edited in one step each, refused in words."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from core.project.project import Project
from editor.model.messages import Level
from editor.model.retarget.state import Retargeting
from editor.model.session import Session
from tests.editor.model.retarget.stage import counted, two_characters


@pytest.fixture
def session() -> Iterator[Session]:
    made = two_characters()
    yield made
    made.close()


@pytest.fixture
def fresh(session) -> Retargeting:
    """Nothing is chosen yet."""
    return session.feature(Retargeting)


# ---------------------------------------------------------------- virtual bones
@pytest.fixture
def virtual(session, fresh):
    session.selection.select(["hand_r", "hand_l"])
    return fresh.virtual


def test_a_virtual_bone_is_proposed_from_the_bone_selected_last_to_the_one_before(session, virtual):
    bone = virtual.proposed()
    assert (bone.source, bone.target) == ("hand_l", "hand_r")
    session.selection.select(["head"])
    assert (virtual.proposed().source, virtual.proposed().target) == ("head", "head")
    session.selection.select(())
    assert virtual.proposed() is None


def test_steps_of_virtual_bones_and_which_is_chosen_then(session, virtual):
    told = counted(virtual.changed)
    bone = virtual.proposed()
    assert virtual.add(bone) and session.history.labels[-1] == f"Add virtual bone {bone.name}"
    assert virtual.chosen == bone and session.selection.bones == () and told == [1]
    assert not virtual.change(bone.name, bone)
    moved = replace(bone, target="foot_l")
    assert virtual.change(bone.name, moved) and virtual.chosen == moved
    assert session.history.labels[-1] == f"Change virtual bone {bone.name}" and told == [1]
    named = replace(moved, name="grip")
    assert virtual.change(bone.name, named) and virtual.chosen == named and told == [2]
    assert session.history.labels[-1] == f"Rename virtual bone {bone.name} to grip"
    assert virtual.remove("grip") and virtual.chosen is None and told == [3] and virtual.all == ()
    assert session.history.labels[-1] == "Delete virtual bone grip"
    session.undo()
    assert virtual.all == (named,) and virtual.chosen is None


def test_a_virtual_bone_is_let_go_when_a_bone_is_selected_and_not_taken_up_again(session, virtual):
    bone = virtual.proposed()
    virtual.add(bone)
    session.selection.select(["head"])
    assert virtual.chosen is None
    session.selection.select(())
    assert virtual.chosen is None
    session.selection.select(["head"])
    virtual.choose(None)
    assert session.selection.bones == ("head",)
    virtual.choose(bone.name)
    assert virtual.chosen == bone and session.selection.bones == ()
    virtual.choose("gone")
    assert virtual.chosen is None


def test_a_refused_virtual_bone_is_a_warning_and_no_step(session, virtual):
    bone = virtual.proposed()
    steps = session.history.position
    assert not virtual.add(replace(bone, target="gone"))
    assert session.messages.latest.level is Level.WARNING and session.messages.latest.text[0].isupper()
    assert not virtual.remove("gone") and session.history.position == steps


def test_without_a_character_there_are_no_virtual_bones(session, virtual):
    bone = virtual.proposed()
    session.document.replace(Project({}), None)
    assert virtual.all == () and virtual.proposed() is None and virtual.chosen is None
    assert not virtual.add(bone) and not virtual.remove(bone.name)
