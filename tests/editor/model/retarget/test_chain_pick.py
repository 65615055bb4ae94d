"""The chain that is looked at leads the selection and follows it; while picking, clicks give it bones."""

from types import SimpleNamespace

import pytest

from core.errors import ValidationError
from editor.model.retarget.chain_pick import ChainPick
from tests.editor.panel_stage import small_session

ARM = SimpleNamespace(name="arm", source=("s1", "s2"), target=("upper_arm_l", "lower_arm_l"))
HEAD = SimpleNamespace(name="head", source=("s9",), target=("head",))


class Subject:
    def __init__(self) -> None:
        self.pairs = [ARM, HEAD]

    @property
    def chains(self):
        return None if self.pairs is None else SimpleNamespace(chains=tuple(self.pairs))

    def pair(self, name):
        return next((p for p in self.pairs or () if p.name == name), None)


@pytest.fixture
def session():
    made = small_session(mesh=False)
    yield made
    made.close()


@pytest.fixture
def subject() -> Subject:
    return Subject()


@pytest.fixture
def pick(session, subject) -> ChainPick:
    made = ChainPick(subject, session.selection, session.messages)
    made.told = []
    made.changed.connect(lambda _: made.told.append((made.chain, made.source_bones)))
    return made


def test_a_chosen_row_lights_its_bones_on_both_sides_and_is_told_once(session, pick):
    pick.look_at("arm")
    assert session.selection.bones == ARM.target and pick.source_bones == ARM.source
    assert pick.told == [("arm", ARM.source)]
    pick.look_at(None)
    assert pick.chain is None and pick.source_bones == () and session.selection.bones == ARM.target
    pick.look_at("gone")
    assert pick.chain is None


@pytest.mark.parametrize("bones, chain", [
    (("lower_arm_l",), ARM), (("head",), HEAD), (("head", "upper_arm_l"), ARM), (("upper_arm_l", "head"), HEAD),
])  # fmt: skip
def test_the_row_of_the_bone_selected_last_is_shown(session, pick, bones, chain):
    session.selection.select(bones)
    assert (pick.chain, pick.source_bones) == (chain.name, chain.source)
    assert pick.told == [(chain.name, chain.source)] and session.selection.bones == bones


@pytest.mark.parametrize("bones", [("pelvis",), ()])
def test_bones_of_no_chain_leave_the_row(session, pick, bones):
    pick.look_at("arm")
    pick.told.clear()
    session.selection.select(bones)
    assert pick.chain == "arm" and pick.told == []


def test_while_picking_the_chosen_chain_is_given_what_is_selected(session, pick):
    given = []
    pick.give = lambda chain, bones: given.append((chain, bones))
    pick.set_picking(True)
    assert not pick.picking  # no chain is chosen
    pick.look_at("arm")
    pick.set_picking(True)
    session.selection.select(("head",))
    assert given == [("arm", ("head",))] and pick.chain == "arm"
    pick.set_picking(False)
    session.selection.select(("pelvis", "head"))
    assert len(given) == 1 and pick.chain == "head"


def test_what_cannot_be_given_is_said(session, pick):
    said = []
    session.messages.posted.connect(lambda message: said.append(message.text))

    def refuse(chain, bones):
        raise ValidationError("it is of another chain")

    pick.look_at("arm")
    pick.give = refuse
    pick.set_picking(True)
    session.selection.select(("head",))
    assert said == ["It is of another chain"] and pick.chain == "arm" and pick.picking


def test_another_map_keeps_the_row_where_it_has_the_chain(session, subject, pick):
    pick.look_at("arm")
    pick.set_picking(True)
    subject.pairs = [SimpleNamespace(name="arm", source=("s3",), target=("hand_l",))]
    pick.look_again("head")
    assert pick.source_bones == ARM.source
    pick.find_again()
    assert (pick.chain, pick.source_bones) == ("arm", ("s3",))
    pick.drop_lost()
    assert pick.chain == "arm" and pick.picking
    subject.pairs = [HEAD]
    pick.drop_lost()
    assert pick.chain is None and not pick.picking
    pick.find_again()
    assert pick.source_bones == ()
    pick.look_at("head")
    subject.pairs = None
    session.selection.select(("head",))
    pick.reset()
    assert pick.chain is None and pick.source_bones == ()


def test_the_panel_in_sight_is_told_once(pick):
    for on in (True, True, False):
        pick.watch(on)
        assert pick.watched is on
    assert len(pick.told) == 2
    pick.select_source(["s1"])
    assert pick.source_bones == ("s1",) and len(pick.told) == 3
