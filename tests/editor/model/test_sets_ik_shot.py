"""What verbs of bone sets, IK and the shot make of a session, to the number.

Each verb is done on the state that `rich` gives; what is needed before it is done first.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from core.ids import AssetId
from core.ik.body import Reach
from core.ik.solve import IkGoal
from core.math import quat
from core.math.transform import to_matrix
from core.rig.ik_setup import IkSolver
from core.rig.set_color import SetColor
from editor.model.bone_sets import BoneSets, proposed_name
from editor.model.ik import edits as ik
from editor.model.ik.state import IkState
from editor.model.posing import bone_sets as kept_sets
from editor.model.selection import Mode
from editor.model.session import Session
from editor.model.shot.state import Shot
from tests.editor.actions import rich
from tests.editor.outcomes import outcome, plain
from tests.editor.verb_stages import replace_place
from tests.pins import Pins

PINS = Pins(__file__)
Verb = Callable[[Session], object]


@pytest.fixture
def session() -> Iterator[Session]:
    made = rich.session()
    yield made
    made.close()


def after(prepare: Verb, verb: Verb) -> tuple[Verb, Verb]:
    return prepare, verb


def nothing(session: Session) -> None:
    """The verb needs no more than `rich` gives."""


# ---------------------------------------------------------------- bone sets
def two_sets(session: Session) -> None:
    """A set of the arm, green, and of hand and head; the second in hand."""
    sets = session.feature(BoneSets)
    sets.make("arm", SetColor.GREEN)
    session.selection.select(["hand_l", "head"])
    sets.make("ends")
    session.selection.select(["hand_l", "upper_arm_l"])
    session.selection.set_flag("hidden", ["upper_arm_l"])


def sets(verb: Callable[[BoneSets], object]) -> Verb:
    return lambda s: [verb(s.feature(BoneSets)), s.feature(BoneSets).in_hand, s.feature(BoneSets).names]


SETS: dict[str, tuple[Verb, Verb]] = {
    "make": after(nothing, sets(lambda b: b.make())),
    "make by name": after(two_sets, sets(lambda b: b.make(" new "))),
    "make a taken one": after(two_sets, sets(lambda b: b.make("arm"))),
    "make of nothing": after(lambda s: s.selection.select(()), sets(lambda b: b.make("none"))),
    "what is in them": after(
        two_sets,
        sets(
            lambda b: (
                [(b.bones(n), b.color(n), b.held(n)) for n in b.names]
                + [b.bone_colors(), b.colors_of_selection()]
            )
        ),
    ),
    **{f"select {mode.name}": after(two_sets, sets(lambda b, m=mode: b.select("arm", m))) for mode in Mode},
    "select colours": after(two_sets, sets(lambda b: b.select_colors([SetColor.GREEN]))),
    "isolate": after(two_sets, sets(lambda b: b.isolate("arm"))),
    "isolate twice": after(two_sets, sets(lambda b: (b.isolate("arm"), b.isolate("arm")))),
    "add": after(two_sets, sets(lambda b: b.add("ends"))),
    "add what is there": after(two_sets, sets(lambda b: b.add("arm"))),
    "remove": after(two_sets, sets(lambda b: b.remove("ends"))),
    "remove the last": after(two_sets, sets(lambda b: b.remove("arm"))),
    **{
        f"rename to {new!r}": after(two_sets, sets(lambda b, n=new: b.rename("ends", n)))
        for new in (" tips ", "arm", "", "ends")
    },
    "rename another": after(two_sets, sets(lambda b: b.rename("arm", "left"))),
    "recolour": after(two_sets, sets(lambda b: b.recolor("arm", SetColor.RED))),
    "recolour as before": after(two_sets, sets(lambda b: b.recolor("arm", SetColor.GREEN))),
    "next colours": after(
        two_sets, sets(lambda b: [(b.next_color("arm"), b.color("arm")) for _ in SetColor])
    ),
    "delete": after(two_sets, sets(lambda b: b.delete("ends"))),
    "delete none": after(two_sets, sets(lambda b: b.delete("none"))),
    "save": after(two_sets, lambda s: kept_sets.save(s, " arm ")),
    "save as nothing": after(two_sets, lambda s: kept_sets.save(s, " ")),
    "save of nothing": after(lambda s: s.selection.select(()), lambda s: kept_sets.save(s, "x")),
    "kept: delete": after(two_sets, lambda s: kept_sets.delete(s, "arm")),
    "kept: select": after(two_sets, lambda s: kept_sets.select(s, "ends")),
    "kept: add": after(two_sets, lambda s: kept_sets.select(s, "ends", add=True)),
    "names proposed": after(
        nothing,
        lambda s: [
            proposed_name(s.rig, bones)
            for bones in (("head",), ("upper_arm_l", "hand_l"), ("chest", "head"), ("hand_l", "foot_l"))
        ],
    ),
}


@pytest.mark.parametrize("names", [("few", "many"), ("many", "few")])
def test_a_bone_of_two_sets_has_the_colour_of_the_smaller(session: Session, names: tuple[str, str]) -> None:
    sets, bones = session.feature(BoneSets), {"few": ["head"], "many": ["head", "hand_l", "hand_r"]}
    for name in names:
        session.selection.select(bones[name])
        sets.make(name, SetColor.GREEN if name == "few" else SetColor.RED)
    assert sets.bone_colors() == {"head": SetColor.GREEN, "hand_l": SetColor.RED, "hand_r": SetColor.RED}


# ---------------------------------------------------------------- IK
def setups(session: Session) -> None:
    """Every chain has a set-up; the left arm's is active, and on."""
    ik.propose(session)
    session.feature(IkState).select("Left arm")


def matched(session: Session) -> None:
    setups(session)
    ik.match(session, "Left arm")


def _posed(session: Session) -> object:
    setup, base = session.rig.ik_setup("Left arm"), session.evaluator.pose()
    pose = ik.posed(session, setup, base, IkGoal(np.array([0.4, 1.4, 0.2]), quat.IDENTITY))
    return [pose.local, ik.commit_pose(session, "Posed", base, pose, ["hand_l", "head"], ["head"])]


def _pulled(reach: Reach) -> Verb:
    def pull(session: Session) -> object:
        base = session.evaluator.pose()
        return ik.pull(session, base, "hand_l", np.array([0.5, 1.2, 0.4]), reach).local

    return pull


IK: dict[str, tuple[Verb, Verb]] = {
    "propose": after(nothing, ik.propose),
    "propose again": after(setups, ik.propose),
    **{
        f"add for {bones}": after(lambda s, b=bones: s.selection.select(b), ik.add)
        for bones in (
            (),
            ("hand_l",),
            ("hand_l", "spine"),
            ("pelvis",),
            ("foot_r", "thigh_r", "calf_r"),
            ("hand_l", "foot_r"),
        )
    },
    "add twice": after(lambda s: ik.add(s), ik.add),
    **{
        f"change {values}": after(setups, lambda s, v=values: ik.change(s, "Left arm", v))
        for values in (
            {"name": "arm"},
            {"enabled": False},
            {"name": "Left arm"},
            {"tip": "gone"},
            {"name": "Right arm"},
        )
    },
    "change of goal's name": after(matched, lambda s: ik.change(s, "Left arm", {"name": "arm"}, "Name")),
    **{
        f"solver {solver.name}": after(setups, lambda s, v=solver: ik.change(s, "Left arm", {"solver": v}))
        for solver in IkSolver
    },
    "remove": after(matched, lambda s: ik.remove(s, "Left arm")),
    **{
        f"toggle with {bones}": after(
            lambda s, b=bones: (setups(s), s.selection.select(b)),
            lambda s: [ik.is_on(s), ik.toggle(s), ik.is_on(s)],
        )
        for bones in ((), ("hand_l",), ("hand_l", "hand_r", "foot_l"), ("head",), ("spine", "hand_r"))
    },
    "toggle of names": after(setups, lambda s: ik.toggle(s, ("Left arm", "Right arm"))),
    "toggle of nothing": after(lambda s: s.selection.select(()), lambda s: [ik.toggle(s), ik.is_on(s)]),
    "match": after(setups, lambda s: ik.match(s, "Left arm")),
    "match the whole clip": after(
        lambda s: (setups(s), s.playback.set_range(None)), lambda s: ik.match(s, "Left leg")
    ),
    "match without a clip": after(
        lambda s: (setups(s), s.playback.set_clip(None, s.rig.id)), lambda s: ik.match(s, "Left arm")
    ),
    "bake": after(matched, lambda s: ik.bake_to_keys(s, "Left arm")),
    "bake all": after(matched, ik.bake_to_keys),
    "bake a locked one": after(
        lambda s: (matched(s), s.selection.set_flag("locked", ["upper_arm_l", "hand_l"])), ik.bake_to_keys
    ),
    "bake nothing": after(setups, ik.bake_to_keys),
    "drop": after(matched, lambda s: ik.drop_goal(s, "Left arm")),
    "posed": after(setups, _posed),
    **{f"pull {reach.name}": after(setups, _pulled(reach)) for reach in Reach},
    "feet here": after(setups, ik.place_feet_here),
    "feet in the clip": after(setups, ik.place_feet_in_clip),
}


# ---------------------------------------------------------------- the shot
def shot(verb: Callable[[Shot], object]) -> Verb:
    def do(session: Session) -> object:
        found, told = session.feature(Shot), []
        stop = found.changed.connect(lambda _: told.append(1))
        answer = plain(verb(found))
        stop()
        camera, item = found.camera, found.selected
        return [
            answer,
            len(told),
            found.through,
            found.locked,
            camera and camera.name,
            item and item.name,
            [[i.name, found.matrix(i)] for i in found.all()],
            found.view(),
        ]

    return do


def staged(session: Session) -> None:
    """Two cameras, the first with a key, and a prop that the left hand holds."""
    from tests.editor.verb_stages import _camera, _held

    _held(session, None)
    _camera(session, None)
    session.selection.select(())


SHOT: dict[str, tuple[Verb, Verb]] = {
    "as it is": after(staged, shot(lambda s: None)),
    "look through": after(staged, shot(lambda s: s.look_through(True))),
    "look through no camera": after(nothing, shot(lambda s: s.look_through(True))),
    "lock": after(staged, shot(lambda s: (s.lock(True), s.lock(True)))),
    **{
        f"next camera, {n}": after(staged, shot(lambda s, n=n: [s.next_camera() for _ in range(n)]))
        for n in (1, 2, 3)
    },
    "next of none": after(nothing, shot(lambda s: s.next_camera())),
    "select the prop": after(staged, shot(lambda s: s.select(s.props[0].id))),
    "select with bones": after(
        lambda x: (staged(x), x.selection.select(["head"])), shot(lambda s: s.select(s.cameras[1].id))
    ),
    "select nothing": after(staged, shot(lambda s: s.select(None))),
    "preview": after(staged, shot(lambda s: s.set_preview(replace(s.cameras[0], name="dragged")))),
    "preview put": after(
        staged, shot(lambda s: s.put("Moved", replace(s.cameras[1], place=replace_place(1.0, 2.0, 3.0))))
    ),
    "names": after(staged, shot(lambda s: [s.free_name(n) for n in ("first", "box", "new")])),
    "bones": after(
        staged,
        shot(
            lambda s: [
                s.bone_matrix(AssetId("rig-small"), "hand_l"),
                s.bone_matrix(AssetId("rig-small"), "none"),
                s.bone_matrix(AssetId("other"), "hand_l"),
            ]
        ),
    ),
    "later": after(lambda x: (staged(x), x.playback.seek(1.1)), shot(lambda s: s.time)),
}
GROUPS = {"sets": SETS, "ik": IK, "shot": SHOT}


def test_a_camera_that_goes_is_not_looked_through_when_it_comes_back(session: Session) -> None:
    staged(session)
    found = session.feature(Shot)
    found.look_through(True)
    assert found.through
    session.edits.remove("Delete", *(camera.id for camera in found.cameras))
    assert found.camera is None and not found.through
    session.undo()
    assert found.camera is not None and not found.through


def test_a_prop_in_a_hand_that_is_moved_is_where_it_was_moved_to_and_stays_in_the_hand(
    session: Session,
) -> None:
    staged(session)
    found = session.feature(Shot)
    prop, wanted = found.props[0], to_matrix(replace_place(1.0, 2.0, 3.0))
    moved = found.moved(prop, wanted)
    session.edits.put("Moved", moved)
    np.testing.assert_allclose(found.matrix(moved), wanted, atol=1e-12)
    assert moved.holds[0].bone == prop.holds[0].bone == "hand_l"
    there = found.bone_matrix(session.rig.id, "hand_l")
    session.selection.select(["hand_l"])
    session.playback.seek(1.1)
    here = found.bone_matrix(session.rig.id, "hand_l")
    np.testing.assert_allclose(found.matrix(moved), here @ np.linalg.solve(there, wanted), atol=1e-9)


@pytest.mark.parametrize(("group", "case"), [(g, c) for g, cases in GROUPS.items() for c in cases])
def test_what_a_verb_makes(session: Session, group: str, case: str) -> None:
    prepare, verb = GROUPS[group][case]
    prepare(session)
    PINS.hold(f"{group}: {case}", outcome(session, lambda: verb(session)))
