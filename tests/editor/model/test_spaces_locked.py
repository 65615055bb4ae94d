"""Locked chains of bones that follow spaces: nothing is released or baked, and what is locked is said."""

from collections.abc import Callable, Iterator

import pytest

from core.rig.ik_setup import IkSpace, IkTarget
from editor.model.messages import Level
from editor.model.session import Session
from editor.model.spaces import Spaces
from tests.editor.actions import rich

WORLD = IkTarget(IkSpace.WORLD)


@pytest.fixture
def session() -> Iterator[Session]:
    """Both hands follow the world from frame 5 on."""
    made = rich.session()
    made.playback.set_range(None)
    made.playback.seek(5.0 / 30.0)
    assert made.feature(Spaces).switch(("hand_l", "hand_r"), WORLD)
    made.playback.seek(0.5)
    yield made
    made.close()


@pytest.mark.parametrize(
    ("verb", "bones"),
    [
        (lambda spaces: spaces.bake(), "upper_arm_l, lower_arm_r"),
        (lambda spaces: spaces.bake(("hand_l",)), "upper_arm_l"),
        (lambda spaces: spaces.release(("hand_l", "hand_r")), "upper_arm_l, lower_arm_r"),
        (lambda spaces: spaces.release(("hand_r", "head")), "lower_arm_r"),
        (lambda spaces: spaces.switch(("hand_l",), IkTarget(IkSpace.BONE, "head")), "upper_arm_l"),
    ],
)
def test_a_locked_bone_of_the_chain_keeps_its_keys(
    session: Session, verb: Callable[[Spaces], bool], bones: str
) -> None:
    session.selection.set_flag("locked", ["upper_arm_l", "lower_arm_r"])
    before = session.document.project
    assert not verb(session.feature(Spaces)) and session.document.project is before
    latest = session.messages.latest
    assert (latest.level, latest.text) == (Level.WARNING, f"Locked: {bones}")
    assert latest.next_step == "Unlock them in the bone tree"


def test_other_chains_are_baked_and_released_all_the_same(session: Session) -> None:
    session.selection.set_flag("locked", ["upper_arm_l"])
    spaces = session.feature(Spaces)
    assert spaces.release(("hand_r",)) and spaces.now("hand_r") is None and spaces.now("hand_l") is not None
    session.undo()
    assert spaces.bake(("hand_r",)) and [span.bone for span in spaces.spans()] == ["hand_l"]


def test_a_chain_is_free_again_before_its_span_begins(session: Session) -> None:
    """What follows nothing at the time shown cannot be released, locked or not."""
    session.selection.set_flag("locked", ["upper_arm_l"])
    session.playback.seek(0.0)
    assert session.feature(Spaces).now("hand_l") is None
    assert session.feature(Spaces).spans("hand_l")[0].start == pytest.approx(5.0 / 30.0)


@pytest.mark.parametrize(("within", "left"), [((0.0, 1.2), [1.5]), ((1.2, 2.0), [5.0 / 30.0]), (None, [])])
def test_baking_within_a_stretch_leaves_the_spans_outside(
    session: Session, within: tuple[float, float] | None, left: list[float]
) -> None:
    spaces = session.feature(Spaces)
    session.playback.seek(1.0)
    spaces.release(("hand_l",))
    session.playback.seek(1.5)
    spaces.switch(("hand_l",), WORLD)
    assert spaces.bake(("hand_l",), within)
    assert [span.start for span in spaces.spans("hand_l")] == pytest.approx(left)
    assert len(spaces.spans("hand_r")) == 1


def test_several_bones_are_counted_in_the_step(session: Session) -> None:
    assert session.history.undo_label == "Follow world: 2 bones @ f5"
    session.feature(Spaces).release(("hand_l", "hand_r"))
    assert session.history.undo_label == "Release 2 bones @ f15"
