"""Proposals of mirror lists: by names, by places, and what is not guessed."""

import numpy as np
import pytest

from core.math.transform import Transform
from core.rig.mirror import Evidence, propose, side_of
from core.rig.skeleton import Skeleton


@pytest.mark.parametrize(
    ("name", "side"),
    [
        ("hand_l", 1),
        ("hand.R", -1),
        ("LeftArm", 1),
        ("mixamorig:RightHand", -1),
        ("b_LeftUpperArm_09", 1),
        ("LHipJoint", 1),
        ("rShldr", -1),
        ("Bip01 L Thigh", 1),
        ("Bip01RToe0Nub", -1),
        ("J_Bip_L_UpperArm", 1),
        ("arm_r0", -1),
        ("左腕", 1),
        ("右足", -1),
        ("lefthand", 1),
    ],
)
def test_side_is_read_from_usual_names(name: str, side: int) -> None:
    found = side_of(name)
    assert found is not None
    assert found[0] == side


@pytest.mark.parametrize(
    "name", ["root", "leg", "Larynx", "Root", "tail", "hair", "clavicle", "Rib", "Lip", "spine"]
)
def test_word_that_only_begins_like_a_side_tells_none(name: str) -> None:
    assert side_of(name) is None


def skeleton(bones: dict[str, tuple[str | None, tuple[float, float, float]]]) -> Skeleton:
    """Bones by name: parent and local place."""
    names = tuple(bones)
    parents = np.array([-1 if p is None else names.index(p) for p, _ in bones.values()])
    rest = Transform(
        np.array([place for _, place in bones.values()], dtype=float),
        np.tile([0.0, 0.0, 0.0, 1.0], (len(names), 1)),
        np.ones((len(names), 3)),
    )
    return Skeleton(names, parents, rest)


def test_names_and_places_that_agree_are_certain() -> None:
    proposal = propose(
        skeleton({"hips": (None, (0, 1, 0)), "leg_l": ("hips", (0.1, 0, 0)), "leg_r": ("hips", (-0.1, 0, 0))})
    )
    assert [(p.left, p.right, p.confidence, p.evidence) for p in proposal.pairs] == [
        ("leg_l", "leg_r", 1.0, Evidence.NAMES_AND_PLACES)
    ]
    assert proposal.axis_bones == ("hips",)
    assert proposal.leftovers == ()
    assert proposal.setup().pairs == (("leg_l", "leg_r"),)


def test_places_alone_pair_bones_without_sides() -> None:
    proposal = propose(
        skeleton(
            {
                "a": (None, (0, 1, 0)),
                "b": ("a", (0.2, 0, 0)),
                "c": ("a", (-0.2, 0, 0)),
                "d": ("b", (0, -0.5, 0)),
                "e": ("c", (0, -0.5, 0)),
            }
        )
    )
    assert [(p.left, p.right) for p in proposal.pairs] == [("b", "c"), ("d", "e")]
    assert {p.evidence for p in proposal.pairs} == {Evidence.PLACES}


def test_z_axis_is_found_where_the_sides_stand_on_z() -> None:
    proposal = propose(
        skeleton({"hips": (None, (0, 1, 0)), "arm_l": ("hips", (0, 0, 0.3)), "arm_r": ("hips", (0, 0, -0.3))})
    )
    assert proposal.axis == 2


def test_exporter_serials_do_not_keep_a_pair_apart() -> None:
    proposal = propose(
        skeleton(
            {
                "root": (None, (0, 1, 0)),
                "b_LeftHand_011": ("root", (0.3, 0, 0)),
                "b_RightHand_08": ("root", (-0.3, 0, 0)),
            }
        )
    )
    assert [(p.left, p.right) for p in proposal.pairs] == [("b_LeftHand_011", "b_RightHand_08")]


def test_children_left_over_below_a_pair_belong_together() -> None:
    proposal = propose(
        skeleton(
            {
                "root": (None, (0, 1, 0)),
                "LeftHand": ("root", (0.3, 0, 0)),
                "RightHand": ("root", (-0.3, 0, 0)),
                "LeftRingPinky": ("LeftHand", (0.1, 0, 0.3)),
                "RightPinky": ("RightHand", (-0.1, 0, 0)),
            }
        )
    )
    assert ("LeftRingPinky", "RightPinky", Evidence.HIERARCHY) in [
        (p.left, p.right, p.evidence) for p in proposal.pairs
    ]


def test_two_bones_that_answer_to_one_name_are_a_conflict_not_a_guess() -> None:
    proposal = propose(
        skeleton(
            {
                "root": (None, (0, 1, 0)),
                "arm_l.001": ("root", (0.3, 0, 0)),
                "arm_l.002": ("root", (0.3, 0.2, 0)),
                "arm_r.003": ("root", (-0.3, 0.5, 0)),
            }
        )
    )
    assert proposal.pairs == ()
    assert "arm_l.001" in proposal.conflicts[0]


def test_named_pair_on_one_side_is_reported() -> None:
    proposal = propose(
        skeleton(
            {
                "root": (None, (0, 1, 0)),
                "leg_l": ("root", (0.2, 0, 0)),
                "leg_r": ("root", (-0.2, 0, 0)),
                "arm_l": ("root", (0.3, 0.4, 0)),
                "arm_r": ("root", (0.3, 0.1, 0)),
                "foot_l": ("leg_l", (0.0, -1, 0)),
                "foot_r": ("leg_r", (0.0, -1, 0)),
            }
        )
    )
    assert any("same side" in text for text in proposal.conflicts)


def test_scattered_roots_are_not_paired_by_place() -> None:
    proposal = propose(
        skeleton({"cube": (None, (0, 0, 0)), "cube1": (None, (1, 0, 0)), "cube2": (None, (-1, 0, 0))})
    )
    assert proposal.pairs == ()


def test_skeleton_of_one_bone_is_an_axis_bone() -> None:
    assert propose(skeleton({"only": (None, (0, 0, 0))})).axis_bones == ("only",)
