"""Skeletons: what is refused, and finding one's way in the hierarchy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import MissingReferenceError, ValidationError
from core.math.transform import Transform
from core.rig.skeleton import Skeleton, main_bones, skeleton_from_unordered


def rest(count: int) -> Transform:
    return Transform(np.zeros((count, 3)), np.tile([0.0, 0.0, 0.0, 1.0], (count, 1)), np.ones((count, 3)))


def chain(*names: str) -> Skeleton:
    return Skeleton(names, np.arange(-1, len(names) - 1), rest(len(names)))


def test_duplicate_name_is_refused_by_name() -> None:
    with pytest.raises(ValidationError, match="'arm' is already bone 0's"):
        chain("arm", "arm")


def test_empty_name_is_refused() -> None:
    with pytest.raises(ValidationError, match="bone 1: expected a name"):
        chain("arm", "")


@pytest.mark.parametrize("parents", [[-1, 1], [-1, 2], [-2, 0], [1, -1]])
def test_parent_that_is_itself_or_later_or_missing_is_refused(parents: list[int]) -> None:
    with pytest.raises(ValidationError, match="parent"):
        Skeleton(("a", "b"), np.array(parents), rest(2))


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_rest_that_is_not_finite_names_the_bone(bad: float) -> None:
    broken = rest(2)
    broken.translation[1, 2] = bad
    with pytest.raises(ValidationError, match="bone 'b': its rest translation is not finite"):
        Skeleton(("a", "b"), np.array([-1, 0]), broken)


def test_rest_quaternion_of_zero_length_names_the_bone() -> None:
    broken = rest(1)
    broken.rotation[0] = 0.0
    with pytest.raises(ValidationError, match=r"bone 'a'.*zero length"):
        Skeleton(("a",), np.array([-1]), broken)


def test_rest_quaternion_off_unit_is_normalised() -> None:
    loose = rest(1)
    loose.rotation[0] = [0.0, 0.0, 0.0, 1.01]
    assert Skeleton(("a",), np.array([-1]), loose).rest.rotation[0, 3] == 1.0


def test_unknown_bone_suggests_near_names() -> None:
    with pytest.raises(MissingReferenceError, match="did you mean hand_l"):
        chain("root", "hand_l").index("Hand")


def test_hierarchy_questions_on_a_branching_skeleton() -> None:
    skeleton = Skeleton(("root", "a", "a1", "b", "b1"), np.array([-1, 0, 1, 0, 3]), rest(5))
    assert skeleton.children(0) == (1, 3)
    assert skeleton.roots() == (0,)
    assert list(skeleton.descendants([3])) == [False, False, False, True, True]
    assert skeleton.chain(4, 0) == (0, 3, 4)
    assert list(skeleton.depths()) == [0, 1, 2, 1, 2]
    with pytest.raises(ValidationError, match="'b1' is not below 'a'"):
        skeleton.chain(4, 1)


@st.composite
def shuffled_forests(draw: st.DrawFn) -> tuple[list[str], list[int]]:
    count = draw(st.integers(1, 30))
    parents = [draw(st.integers(-1, bone - 1)) for bone in range(count)]
    order = draw(st.permutations(range(count)))
    place = {old: new for new, old in enumerate(order)}
    return [f"b{old}" for old in order], [place[parents[old]] if parents[old] >= 0 else -1 for old in order]


@given(shuffled_forests())
def test_bones_in_any_order_keep_names_and_parents(forest: tuple[list[str], list[int]]) -> None:
    names, parents = forest
    skeleton, order = skeleton_from_unordered(names, parents, rest(len(names)))
    assert sorted(skeleton.names) == sorted(names)
    for bone, old in enumerate(order):
        above = skeleton.parent(bone)
        assert (skeleton.names[above] if above >= 0 else None) == (
            names[parents[old]] if parents[old] >= 0 else None
        )


def test_cycle_of_parents_is_refused_by_name() -> None:
    with pytest.raises(ValidationError, match=r"bone '[bc]' stands in a cycle"):
        skeleton_from_unordered(["a", "b", "c"], [-1, 2, 1], rest(3))


def test_main_bones_are_those_of_the_character_and_not_of_cameras() -> None:
    names = ("camera", "camera.target", *(f"b{k}" for k in range(30)), "prop", *(f"p{k}" for k in range(3)))
    parents = np.array([-1, 0, -1, *range(2, 31), -1, *range(32, 35)])
    found = main_bones(Skeleton(names, parents, rest(len(names))))
    assert not found[:2].any() and found[2:].all()


def test_main_bones_of_a_scene_of_lone_bones_are_all_of_them() -> None:
    assert main_bones(Skeleton(("a", "b"), np.array([-1, -1]), rest(2))).all()
    assert len(main_bones(Skeleton((), np.zeros(0, int), rest(0)))) == 0
