"""What auto key, layers, spaces and bodies make of a session, to the number; each on the state that `rich` gives."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from core.blending.layer_stack import CurveRule, LayerMode
from core.clips.clip import Property
from core.clips.keying import KeyWhich
from core.errors import AnimError
from core.ids import AssetId
from core.rig.ik_setup import IkSpace, IkTarget
from editor.actions.every import registry
from editor.model.blending.layer_hand import LayerHand
from editor.model.blending.state import Blending
from editor.model.ragdoll.bodies import Bodies
from editor.model.session import Session
from editor.model.spaces import Spaces
from editor.tools.curves.lanes import curve_channel
from tests.editor.actions import rich
from tests.editor.outcomes import outcome, plain
from tests.editor.uneven import uneven
from tests.pins import Pins

PINS = Pins(__file__)
Verb = Callable[[Session], object]
SPEED, NEW = curve_channel("speed"), curve_channel("new")


@pytest.fixture
def session() -> Iterator[Session]:
    made = rich.session()
    yield made
    made.close()


def nothing(session: Session) -> None:
    """The verb needs no more than `rich` gives."""


# ---------------------------------------------------------------- keys of poses
def posed(session: Session, *bones: str, place: float = 0.0):
    """The pose shown with bones turned, and moved where a place is given."""
    pose = session.evaluator.pose()
    for bone in bones:
        number = session.rig.skeleton.index(bone)
        pose = pose.with_bone(number, rotation=np.array([0.0, 0.0, 0.6, 0.8]))
        if place:
            pose = pose.with_bone(number, translation=pose.translations[number] + place)
    return pose


def commit(
    *bones: str, which: KeyWhich | None = None, place: float = 0.0, keyed: tuple[str, ...] = ()
) -> Verb:
    def do(session: Session) -> object:
        words = () if which is None else (which,)
        return session.keying.commit_pose(
            "Posed", posed(session, *bones, place=place), keyed or bones, *words
        )

    return do


def states(session: Session) -> object:
    """How each channel of a few bones stands."""
    keying = session.keying
    bones = ("upper_arm_l", "hand_l", "head")
    found: list[object] = [
        keying.key_state(bone, part, axis) for bone in bones for part in Property for axis in range(3)
    ]
    found += [[keying.weight_state(c), keying.weight(c)] for c in (SPEED, NEW)]
    return [*found, plain(dict(keying.pending)), keying.weight_channels()]


def unkeyed(session: Session) -> None:
    """Auto key is off, and two bones are posed."""
    session.keying.auto = False
    commit("hand_l", "head", place=0.05)(session)


def off_key(session: Session) -> None:
    session.edits.put("uneven", uneven(session.clip))
    session.playback.seek(0.7)


KEYING: dict[str, tuple[Verb, Verb]] = {
    **{
        f"pose of {bones}": (nothing, commit(*bones))
        for bones in (("hand_l",), ("upper_arm_l", "head"), ("pelvis",))
    },
    **{
        f"pose, {which.name}": (off_key, commit("upper_arm_l", "head", which=which, place=0.1))
        for which in KeyWhich
    },
    "pose of what was not moved": (nothing, commit(keyed=("head",))),
    "pose of locked bones": (lambda s: s.selection.set_flag("locked", ["head"]), commit("head", "hand_l")),
    "pose without a clip": (lambda s: s.playback.set_clip(None, s.rig.id), commit("head")),
    "pose with auto key off": (lambda s: setattr(s.keying, "auto", False), commit("head", place=0.1)),
    "posed again": (unkeyed, commit("hand_l")),
    "states": (nothing, states),
    "states of what is posed": (unkeyed, states),
    "states between keys": (off_key, states),
    **{
        f"set key, {which.name}": (unkeyed, lambda s, w=which: s.keying.set_key(which=w))
        for which in KeyWhich
    },
    **{
        f"set key at a key, {which.name}": (
            lambda s: (off_key(s), s.playback.seek(1.0)),
            lambda s, w=which: s.keying.set_key(which=w),
        )
        for which in KeyWhich
    },
    "set key of bones": (nothing, lambda s: s.keying.set_key(["head", "chest"])),
    "delete keys": (lambda s: s.playback.seek(20.0 / 30.0), lambda s: s.keying.delete_keys()),
    "delete keys where there are none": (nothing, lambda s: s.keying.delete_keys(["head"])),
    "delete keys of a curve": (lambda s: s.playback.seek(1.0), lambda s: s.keying.delete_keys([], [SPEED])),
    "insert keys": (nothing, lambda s: s.keying.insert_key()),
    "insert keys of bones": (off_key, lambda s: s.keying.insert_key(["head", "foot_l"])),
    "insert keys of none": (nothing, lambda s: s.keying.insert_key(["foot_r"])),
    "dropped": (unkeyed, lambda s: s.keying.drop_pending()),
    "nothing to drop": (nothing, lambda s: s.keying.drop_pending()),
    "weights": (nothing, lambda s: s.keying.commit_weights("Weights", {SPEED: 0.25, NEW: 0.75})),
    "the same weights": (
        lambda s: s.playback.seek(1.0),
        lambda s: s.keying.commit_weights("Weights", {SPEED: 1.0}),
    ),
    "weights with auto key off": (
        lambda s: setattr(s.keying, "auto", False),
        lambda s: s.keying.commit_weights("Weights", {SPEED: 0.25}),
    ),
    "tolerance": (
        nothing,
        lambda s: (setattr(s.keying, "tolerance", s.keying.tolerance), plain(s.keying.tolerance)),
    ),
}


# ---------------------------------------------------------------- layers
def layered(session: Session) -> None:
    """A layer of the other clip, and an own one in hand with a turned hand."""
    session.feature(Blending).layers.add(AssetId("clip-2"), LayerMode.OVERRIDE)
    rich.STAGES["layer"](session, registry(session))


def layers(verb: Callable[[object], object]) -> Verb:
    def do(session: Session) -> object:
        found, hand = session.feature(Blending).layers, session.feature(Blending).hand
        answer = plain(verb(found))
        return [
            answer,
            plain(found.stack),
            hand.number,
            hand.why_not,
            session.playback.below,
            [c.name for c in found.choices()],
        ]

    return do


def hand(verb: Callable[[LayerHand], object]) -> Verb:
    return lambda s: layers(lambda _: verb(s.feature(Blending).hand))(s)


LAYERS: dict[str, tuple[Verb, Verb]] = {
    "as they are": (layered, layers(lambda e: [e.roots(), e.masks()])),
    **{
        f"add {mode.name}": (nothing, layers(lambda e, m=mode: e.add(AssetId("clip-2"), m)))
        for mode in LayerMode
    },
    **{f"add own {mode.name}": (nothing, layers(lambda e, m=mode: e.add(None, m))) for mode in LayerMode},
    "add itself": (nothing, layers(lambda e: e.add(AssetId("clip-small"), LayerMode.OVERRIDE))),
    "change": (layered, layers(lambda e: e.change(0, weight=0.5))),
    "change to the same": (layered, layers(lambda e: e.change(0, weight=1.0))),
    "change mode": (
        layered,
        layers(lambda e: e.change(1, muted=True)),
    ),
    "shown meanwhile": (layered, layers(lambda e: (e.preview(0, weight=0.25), e.end_preview()))),
    **{f"curves {rule.name}": (layered, layers(lambda e, r=rule: e.set_curve_rule(r))) for rule in CurveRule},
    "model rotations": (
        layered,
        layers(lambda e: (e.set_model_rotations(True), e.set_model_rotations(True))),
    ),
    "weight keyed": (layered, layers(lambda e: (e.key_weight(0, 0.5, 0.25), e.key_weight(0, 1.0, 0.75)))),
    "weight keyed and cleared": (
        layered,
        layers(lambda e: (e.key_weight(1, 0.5, 0.25), e.clear_curve(1), e.clear_curve(1))),
    ),
    **{
        f"move {a} to {b}": (layered, layers(lambda e, a=a, b=b: e.move(a, b)))
        for a, b in ((0, 1), (1, 0), (0, 0), (1, 5))
    },
    **{f"remove {n}": (layered, layers(lambda e, n=n: e.remove(n))) for n in (0, 1)},
    "masks": (
        layered,
        layers(
            lambda e: (
                e.new_mask(0),
                e.new_mask(None, "arms"),
                e.paint("arms", ["hand_l", "head"], 0.5),
                e.masks(),
            )
        ),
    ),
    "mask painted out": (
        layered,
        layers(
            lambda e: (
                e.new_mask(None, "arms"),
                e.paint("arms", ["hand_l"], 1.0),
                e.paint("arms", ["hand_l"], 0.0),
            )
        ),
    ),
    "mask of bones": (layered, layers(lambda e: e.mask_of(1, ["hand_l", "head"]))),
    "mask of none": (layered, layers(lambda e: e.mask_of(1, []))),
    "taken in hand": (layered, hand(lambda h: h.take(0))),
    "taken twice": (layered, hand(lambda h: (h.take(0), h.take(0)))),
    "left": (layered, hand(lambda h: h.leave())),
    "left and stepped": (layered, hand(lambda h: (h.leave(), h.step(1), h.step(1), h.step(1)))),
    "stepped down": (layered, hand(lambda h: (h.step(-1), h.step(-1)))),
    "toggled": (layered, hand(lambda h: (h.toggle(1), h.toggle(0), h.aimed()))),
    "muted": (layered, hand(lambda h: (h.mute(), h.mute()))),
    "solo": (layered, hand(lambda h: (h.solo(), h.solo()))),
    **{f"key weight {w}": (layered, hand(lambda h, w=w: h.key_weight(w))) for w in (None, 0.0, 0.5)},
    "mask of the selection": (layered, hand(lambda h: h.mask_selection())),
    "key neutral": (layered, hand(lambda h: h.key_neutral())),
    "no layer": (nothing, hand(lambda h: [h.number, h.layer, h.why_not])),
    "aimed without a layer": (nothing, hand(lambda h: h.aimed())),
    **{f"new {mode.name}": (nothing, hand(lambda h, m=mode: h.new(m))) for mode in LayerMode},
}


def test_a_neutral_key_that_is_there_already_is_no_step(session: Session) -> None:
    layered(session)
    hand = session.feature(Blending).hand
    hand.key_neutral()
    before = session.history.labels
    with pytest.raises(AnimError, match="changes nothing here already"):
        hand.key_neutral()
    assert session.history.labels == before


# ---------------------------------------------------------------- spaces
def following(session: Session) -> None:
    """A hand follows the world from frame 5 on."""
    session.playback.set_range(None)
    session.playback.seek(5.0 / 30.0)
    session.feature(Spaces).switch(("hand_l",), IkTarget(IkSpace.WORLD))
    session.playback.seek(15.0 / 30.0)


def spaces(verb: Callable[[Spaces], object]) -> Verb:
    def do(session: Session) -> object:
        found = session.feature(Spaces)
        answer = plain(verb(found))
        return [
            answer,
            plain(found.spans()),
            plain(found.now("hand_l")),
            found.span_end(),
            found.keep,
            found.bake_at_once,
            found.frames,
        ]

    return do


def way(**values: object) -> Verb:
    return lambda s: [s.feature(Spaces).set_way(name, value) for name, value in values.items()]


def both(*verbs: Verb) -> Verb:
    return lambda s: [verb(s) for verb in verbs][-1]


WORLD, HEAD = (
    IkTarget(IkSpace.WORLD),
    IkTarget(IkSpace.BONE, "head"),
)
SPACES: dict[str, tuple[Verb, Verb]] = {
    "none": (nothing, spaces(lambda p: None)),
    "as it is": (following, spaces(lambda p: None)),
    **{
        f"follow with {ways}": (way(**ways), spaces(lambda p: p.switch(("hand_l",), WORLD)))
        for ways in (
            {},
            {"keep": True},
            {"bake": True},
            {"frames": 7},
            {"keep": True, "bake": True, "frames": 3},
        )
    },
    "follow a bone": (nothing, spaces(lambda p: p.switch(("hand_l",), HEAD))),
    "two bones": (nothing, spaces(lambda p: p.switch(("hand_l", "head"), WORLD))),
    "switched again": (following, spaces(lambda p: p.switch(("hand_l",), HEAD))),
    "a locked chain": (
        lambda s: s.selection.set_flag("locked", ["upper_arm_l"]),
        spaces(lambda p: p.switch(("hand_l",), WORLD)),
    ),
    "without a clip": (
        lambda s: s.playback.set_clip(None, s.rig.id),
        spaces(lambda p: p.switch(("hand_l",), WORLD)),
    ),
    "released": (following, spaces(lambda p: p.release(("hand_l", "head")))),
    "nothing to release": (nothing, spaces(lambda p: p.release(("hand_l",)))),
    "released before it": (
        both(following, lambda s: s.playback.seek(0.0)),
        spaces(lambda p: p.release(("hand_l",))),
    ),
    "baked": (following, spaces(lambda p: p.bake())),
    "baked of others": (following, spaces(lambda p: p.bake(("head",)))),
    "baked within": (following, spaces(lambda p: p.bake(None, (0.4, 0.9)))),
    "posed within": (following, commit("hand_l", place=0.1)),
    "posed within, another bone": (following, commit("head")),
    "posed within, above": (following, commit("upper_arm_l")),
    "at the end": (both(following, lambda s: s.playback.seek(2.0)), spaces(lambda p: None)),
}


# ---------------------------------------------------------------- bodies
def bodied(session: Session) -> None:
    made = session.feature(Bodies)
    made.symmetric = True
    session.edits.put("bodies", replace(session.rig, body_plan=made.propose()))
    session.selection.select(["lower_arm_l"])


def bodies(verb: Callable[[Bodies], object]) -> Verb:
    def do(session: Session) -> object:
        made, told = session.feature(Bodies), []
        made.changed.connect(lambda _: told.append(1))
        answer = plain(verb(made))
        return [answer, plain(made.active), made.symmetric, made.in_view, made.editing, len(told)]

    return do


ARM = "lower_arm_l"
BODIES: dict[str, tuple[Verb, Verb]] = {
    "proposed": (nothing, bodies(lambda b: b.propose())),
    "add": (nothing, bodies(lambda b: b.add([ARM, "head"]))),
    "add what is there": (bodied, bodies(lambda b: b.add([ARM]))),
    "remove": (bodied, bodies(lambda b: b.remove([ARM]))),
    "remove none": (bodied, bodies(lambda b: b.remove(["gone"]))),
    "clear": (bodied, bodies(lambda b: b.clear())),
    "mirror": (
        both(bodied, lambda s: setattr(s.feature(Bodies), "symmetric", False)),
        bodies(lambda b: (b.set_mass(ARM, 7.0), b.mirror([ARM]))),
    ),
    "mirror the middle": (bodied, bodies(lambda b: b.mirror(["head"]))),
    **{f"mass {x}": (bodied, bodies(lambda b, x=x: b.set_mass(ARM, x))) for x in (0.5, 3.0, -1.0)},
    **{f"damping {x}": (bodied, bodies(lambda b, x=x: b.set_damping(ARM, x))) for x in (0.25, 5.0)},
    **{f"radius {x}": (bodied, bodies(lambda b, x=x: b.set_radius(ARM, x))) for x in (0.05, 0.0, -1.0)},
    **{f"length {x}": (bodied, bodies(lambda b, x=x: b.set_length(ARM, x))) for x in (0.1, 0.0, -1.0)},
    **{
        f"range of {axis}": (bodied, bodies(lambda b, a=axis: b.set_range("upper_arm_l", a, -20.0, 35.0)))
        for axis in range(3)
    },
    "one end of a range": (
        bodied,
        bodies(
            lambda b: (b.set_range("upper_arm_l", 1, None, 10.0), b.set_range("upper_arm_l", 1, -5.0, None))
        ),
    ),
    "a range the wrong way": (bodied, bodies(lambda b: b.set_range("upper_arm_l", 1, 20.0, -20.0))),
    "without symmetry": (
        both(bodied, lambda s: setattr(s.feature(Bodies), "symmetric", False)),
        bodies(lambda b: b.set_mass(ARM, 3.0)),
    ),
    "ignored": (
        bodied,
        bodies(
            lambda b: (
                b.set_ignored(ARM, "head", True),
                b.set_ignored(ARM, "head", True),
                b.set_ignored(ARM, "head", False),
            )
        ),
    ),
    "other sides": (bodied, bodies(lambda b: [b.other_side(x) for x in (ARM, "head", "foot_r", "gone")])),
    "without bodies": (nothing, bodies(lambda b: b.set_mass(ARM, 3.0))),
    "shown": (bodied, bodies(lambda b: (setattr(b, "in_view", False), b.watch(True), b.watch(False)))),
}
GROUPS = {"keying": KEYING, "layers": LAYERS, "spaces": SPACES, "bodies": BODIES}


@pytest.mark.parametrize(("group", "case"), [(g, c) for g, cases in GROUPS.items() for c in cases])
def test_what_a_verb_makes(session: Session, group: str, case: str) -> None:
    prepare, verb = GROUPS[group][case]
    prepare(session)
    found = outcome(session, lambda: verb(session))
    PINS.hold(f"{group}: {case}", found, session.evaluator.pose().rotations)
