"""A or B: the compiled clip in place of the original, what it gives way to, and how its errors are shown."""

from dataclasses import replace

import numpy as np
import pytest

from core.clips.compiled import check
from core.clips.compiled.player import CompiledPlayer
from core.pose import kinematics
from core.tracks.keys import scalar_track
from editor.model.compile_compare import FACTORS, magnified
from editor.model.compile_state import Compiling, Which
from editor.model.display.override import DisplayLevel
from editor.model.session import Session
from tests.editor.model.test_evaluator_edges import Still
from tests.editor.stage import TURN, WALK, small_project


@pytest.fixture(autouse=True)
def _few_random_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is measured at a thousand random times is no more certain here."""
    monkeypatch.setattr(check, "RANDOM", 20)


@pytest.fixture
def session() -> Session:
    made = Session.create()
    project = small_project()
    walk = replace(project.clip_named("walk"), curves={"speed": scalar_track([0.0, 1.0], [1.0, 3.0])})
    made.document.replace(project.with_assets(walk), None)
    made.playback.set_clip(WALK)
    yield made
    made.close()


@pytest.fixture
def compiling(session: Session) -> Compiling:
    return session.feature(Compiling)


def told(event) -> list[None]:
    heard: list[None] = []
    event.connect(heard.append)
    return heard


def last(session: Session) -> tuple[str, str]:
    return session.messages.latest.text, session.messages.latest.next_step


def test_b_is_shown_told_and_left(session: Session, compiling: Compiling) -> None:
    compare = compiling.compare
    heard = told(compare.changed)
    assert compare.show(False) and heard == [] and compare.matrices() is None
    assert (
        not compare.show(True) and last(session)[0] == "There is nothing to compare: compile the clip first"
    )
    compiling.compile()
    compare.toggle()
    assert compare.on and len(heard) == 1 and compare.title == "COMPILED (B)"
    assert compare.show(True) and len(heard) == 1
    assert compare.pose() is compare.pose() and compare.matrices() is compare.matrices()
    expected = kinematics.model_matrices(session.rig.skeleton, compare.pose().local)
    np.testing.assert_array_equal(compare.matrices(), expected)
    compare.stop()
    assert not compare.on and len(heard) == 2 and compare.pose() is None
    compare.toggle()
    compare.toggle()
    assert not compare.on and len(heard) == 4


def test_b_follows_time_with_its_curves(session: Session, compiling: Compiling) -> None:
    compiling.compile()
    compare = compiling.compare
    compare.show(True)
    player = CompiledPlayer(compiling.fresh.clip)
    for time in (0.25, 0.75):
        session.playback.seek(time)
        eased = 3.0 * time**2 - 2.0 * time**3  # a cubic with flat ends
        np.testing.assert_array_equal(compare.pose().rotations, player.pose(time).rotation)
        assert compare.pose().curves["speed"] == pytest.approx(1.0 + 2.0 * eased, abs=1e-2)
        assert "speed" not in compare.pose().morphs


def test_b_plays_what_was_compiled_last(session: Session, compiling: Compiling) -> None:
    compare = compiling.compare
    session.playback.seek(0.3)
    for metres in (1e-1, 1e-5):
        compiling.set(metres=metres)
        compiling.compile()
        compare.show(True)
        expected = CompiledPlayer(compiling.fresh.clip).pose(0.3)
        np.testing.assert_array_equal(compare.pose().rotations, expected.rotation)
        np.testing.assert_array_equal(compare.pose().translations, expected.translation)


@pytest.mark.parametrize("factor", FACTORS)
def test_the_difference_is_drawn_so_many_times(session: Session, compiling: Compiling, factor: float) -> None:
    compiling.set(metres=1e-2)
    compiling.compile()
    compare = compiling.compare
    compare.show(True)
    session.playback.seek(0.3)
    plain, original = compare.pose(), session.evaluator.pose()
    heard = told(compare.changed)
    for _ in range(2):
        compare.set_factor(factor)
    assert len(heard) == (factor != 1.0) and compare.factor == factor
    expected = plain.local if factor == 1.0 else magnified(original.local, plain.local, factor)
    for part, other in zip(compare.pose().local, expected, strict=True):
        np.testing.assert_array_equal(part, other)
    assert compare.title == ("COMPILED (B)" if factor == 1.0 else f"COMPILED (B) · difference × {factor:g}")


def test_bones_are_coloured_by_their_share_of_the_bound(session: Session, compiling: Compiling) -> None:
    compare = compiling.compare
    heard = told(compare.changed)
    compiling.compile()
    assert compare.shares() is None
    for _ in range(2):
        compare.set_coloured(True)
    assert len(heard) == 1 and compare.coloured
    result = compiling.fresh
    np.testing.assert_array_equal(compare.shares(), result.errors.largest / result.options.metres)
    session.clips.rename(WALK, "stroll")
    assert compare.shares() is None


@pytest.mark.parametrize("case", ["pending", "blend", "drag"])
def test_b_is_not_shown_over_what_is_not_the_clip(session: Session, compiling: Compiling, case: str) -> None:
    compiling.compile()
    pose = session.evaluator.pose()
    if case == "pending":
        session.pending.put(session.rig, pose, ["head"])
        words = "Key or discard the pending changes first: B plays the keys"
    elif case == "blend":
        session.display.show(Still(session))
        words = "There is nothing to compare: a blend is shown: select a clip first"
    else:
        session.preview.set_pose(pose)
        words = "There is nothing to compare: apply or cancel the preview first"
    assert not compiling.compare.show(True) and last(session)[0] == words and not compiling.compare.on


@pytest.mark.parametrize("case", ["pending", "drag", "edit", "blend", "clip"])
def test_b_gives_way_to_what_edits(session: Session, compiling: Compiling, case: str) -> None:
    compiling.compile()
    compare, pose = compiling.compare, session.evaluator.pose()
    compare.show(True)
    said = len(session.messages.log)
    words = ("Back to the original (A): edits apply to it", "")
    if case == "pending":
        session.pending.put(session.rig, pose, ["head"])
    elif case == "drag":
        session.preview.set_pose(pose)
    elif case == "edit":
        session.clips.rename(WALK, "stroll")
        words = ("Back to the original (A): the clip was changed", "Compile it again to compare")
    elif case == "blend":
        session.display.show(Still(session))
    else:
        session.playback.set_clip(TURN)
    assert not compare.on
    if case in ("blend", "clip"):
        assert len(session.messages.log) == said
    else:
        assert last(session) == words


def test_b_stays_for_another_clip_that_is_compiled_and_where_nothing_is_pending(
    session: Session, compiling: Compiling
) -> None:
    compiling.set_which(Which.ALL)
    compiling.compile()
    compiling.compare.show(True)
    heard = told(compiling.compare.changed)
    session.playback.set_clip(TURN)
    assert compiling.compare.on and heard
    session.display.changed.emit(DisplayLevel.PENDING)
    session.edits.set_settings("setting", {"n": 1})
    assert compiling.compare.on
