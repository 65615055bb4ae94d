"""What the verbs of blocking, layers, timing, sets, spaces and the shot work on, and which verb needs what of it."""

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from core.blending.layer_stack import LayerMode
from core.clips.clip import Channel, Property
from core.clips.new_keys import NewTangents
from core.ids import AssetId
from core.math import quat
from core.math.transform import IDENTITY
from core.media.tracks import AudioTrack, ReferenceTrack
from core.pose import kinematics
from core.rig.ik_setup import IkSpace, IkTarget
from core.rig.set_color import SetColor
from core.shot.camera import ShotCamera
from core.shot.prop import Prop, rigid_meshes
from core.tracks.key_types import KeyType
from core.tracks.keys import scalar_track, taken
from editor.actions import blocking, layer, media, posing, sets, shot, space, timing
from editor.actions.action import Action
from editor.actions.registry import Registry
from editor.model import new_keys
from editor.model.blending.state import Blending
from editor.model.blocking import Blocking
from editor.model.bone_sets import BoneSets
from editor.model.key_filter import KeyFilter
from editor.model.media.state import Media
from editor.model.selection import Mode
from editor.model.session import Session
from editor.model.shot.state import Shot
from editor.model.spaces import Spaces
from editor.tools import blocking as blocking_tools
from tests.editor.actions import rich
from tests.editor.rigs import tube_mesh

Prepare = Callable[[Session, Registry], None]


def _typed(session: Session, _: Registry) -> None:
    """A key of each type but the plain one, beside selected keys of the plain type."""
    keys = session.selection.keys
    for number, kind in enumerate(list(KeyType)[1:]):
        session.selection.select_keys({channel: np.array([number % 2]) for channel in keys})
        blocking_tools.set_type(session, kind)
    session.selection.select_keys(keys)


def _layers(session: Session, actions: Registry) -> None:
    """Two layers with keys, the upper one in hand."""
    session.feature(Blending).layers.add(AssetId("clip-2"), LayerMode.OVERRIDE)
    assert actions.run("layer.new_additive")
    _turn(session, 0.6)


def _layer_below(session: Session, actions: Registry) -> None:
    """The lower of two layers in hand."""
    _layers(session, actions)
    assert actions.run("layer.below")


def _turn(session: Session, share: float) -> None:
    hand = session.rig.skeleton.index("hand_l")
    turned = np.array([0.0, share, 0.0, np.sqrt(1.0 - share * share)])
    session.keying.commit_pose(
        "turned", session.evaluator.pose().with_bone(hand, rotation=turned), ["hand_l"]
    )


def _sets(session: Session, _: Registry) -> None:
    """Nine sets, the second in hand, each of another color; a bone of the first is selected."""
    found, names = session.feature(BoneSets), session.rig.skeleton.names
    for number, color in enumerate(SetColor):
        session.selection.select([names[number + 1]])
        found.make(f"set {number}", color)
    found.choose("set 1")
    session.selection.select([names[5]])


def _bone_of_the_set(session: Session, actions: Registry) -> None:
    """A bone of the set in hand is selected, and another that is not."""
    _sets(session, actions)
    found = session.feature(BoneSets)
    found.select("set 5", Mode.ADD)
    found.choose("set 1")
    found.add("set 1")
    session.selection.select(found.bones("set 5"))


def _two_sets_of_a_color(session: Session, actions: Registry) -> None:
    """A bone of a set is selected; another set has its color."""
    _sets(session, actions)
    found = session.feature(BoneSets)
    found.recolor("set 8", found.color("set 4"))


def _another_rig(session: Session, actions: Registry) -> None:
    """Another character has sets, the one shown has none."""
    _sets(session, actions)
    other = replace(session.rig, id=AssetId("rig-twin"), name="twin", bone_sets={}, set_colors={})
    session.edits.put("another", other)
    session.playback.set_clip(None, other.id)


def _two_bones(session: Session, _: Registry) -> None:
    """A hand is selected, then the bone that it is to follow."""
    session.selection.select(["hand_l", "head"])


def _following(session: Session, _: Registry) -> None:
    """A hand that follows the world from frame 5 on."""
    session.selection.select(["hand_l"])
    session.playback.seek(5.0 / 30.0)
    session.feature(Spaces).set_way("bake", False)
    assert session.clip is not None
    session.feature(Spaces).switch(("hand_l",), IkTarget(IkSpace.WORLD))
    session.playback.seek(15.0 / 30.0)


def _camera(session: Session, _: Registry) -> None:
    """Two cameras; the first is keyed at the playhead and selected, none is looked through."""
    found = session.feature(Shot)
    place = replace_place(0.0, 1.0, 4.0)
    found.add(
        ShotCamera(AssetId("camera-a"), "first", place), ShotCamera(AssetId("camera-b"), "second", place)
    )
    found.key_camera()


def _between_camera_keys(session: Session, actions: Registry) -> None:
    """Like `_camera`, with the playhead where the camera has no key."""
    _camera(session, actions)
    session.playback.seek(session.playback.time + 0.2)


def replace_place(x: float, y: float, z: float):
    """A place in the world, unturned."""
    return IDENTITY._replace(translation=np.array([x, y, z]), rotation=quat.IDENTITY)


def _prop(session: Session, actions: Registry) -> None:
    """A prop in the world; the bone selected before it is to hold it."""
    rig = session.rig
    rest = kinematics.model_matrices(rig.skeleton, rig.skeleton.rest)
    prop = Prop(AssetId("prop-a"), "box", rigid_meshes((tube_mesh(rig),), rig, rest))
    session.selection.select(["hand_l"])
    session.feature(Shot).add(prop)


def _held(session: Session, actions: Registry) -> None:
    """A prop that a hand holds always."""
    _prop(session, actions)
    session.feature(Shot).attach_always()


def _audio(session: Session, actions: Registry) -> None:
    """A sound, chosen; its file is missing."""
    _media(session, AudioTrack(AssetId("audio-1"), "a.wav", "/nowhere/a.wav", session.clip.id, 0.2))


def _reference(session: Session, actions: Registry) -> None:
    """A reference, chosen; its file is missing."""
    _media(session, ReferenceTrack(AssetId("reference-1"), "b.mp4", "/nowhere/b.mp4", session.clip.id, 0.2))


def _media(session: Session, track: AudioTrack | ReferenceTrack) -> None:
    session.edits.put("media", track)
    session.feature(Media).choose(track.id)


def _nothing(session: Session, actions: Registry) -> None:
    """Only what `rich.fill` gives."""


def _filtered(session: Session, actions: Registry) -> None:
    """Keys of one type alone are shown."""
    session.feature(KeyFilter).show_only(KeyType.HOLD)


def _linear(session: Session, actions: Registry) -> None:
    """New keys get linear tangents."""
    new_keys.choose(session.preferences, NewTangents.LINEAR)


def _uneven(session: Session, actions: Registry) -> None:
    """One curve of the selected bones has fewer keys; none is selected."""
    clip = session.clip
    track = clip.tracks[rich.TURN]
    session.edits.put("uneven", clip.with_tracks({rich.TURN: taken(track, np.array([0, len(track) - 1]))}))
    session.selection.select_keys({})


def _stepped(session: Session, actions: Registry) -> None:
    """All keys are stepped."""
    assert actions.run("blocking.step")


def _dense_layer(session: Session, actions: Registry) -> None:
    """A layer in hand with a key on every frame."""
    _layers(session, actions)
    session.playback.seek(25.0 / 30.0)
    _turn(session, -0.3)
    session.selection.select_keys({})
    session.selection.select(["hand_l"])
    assert actions.run("timing.bake_1")


def _unselected(session: Session, actions: Registry) -> None:
    """Bones at the playhead are meant, no key is selected."""
    session.selection.select_keys({})
    session.playback.seek(20.0 / 30.0)


def _crouch(session: Session, _: Registry) -> None:
    """Legs that bend while the hips sink: the feet stand still in both poses, not between them; no key is selected."""
    turns = {
        Channel(f"{bone}_{side}", Property.ROTATE, 0): scalar_track([0.0, 1.0], [0.0, angle])
        for side in "lr"
        for bone, angle in (("thigh", -60.0), ("calf", 120.0), ("foot", -60.0))
    }
    drop = {Channel("pelvis", Property.TRANSLATE, 1): scalar_track([0.0, 1.0], [1.0, 0.55])}
    session.playback.set_range(None)
    session.edits.put("crouch", session.clip.with_tracks({**turns, **drop}))
    session.selection.select_keys({})


NEEDS: dict[str, Prepare] = {
    **dict.fromkeys(
        ("layer.above", "layer.new_additive", "layer.new_override", "layer.extract_keys", "layer.extract_range",
         "layer.split"), _nothing,
    ),
    **dict.fromkeys((f"select.color_{color}" for color in SetColor), _sets),
    "layer.above": _layer_below,
    "select.same_color": _two_sets_of_a_color, "select.moving": _nothing,
    **dict.fromkeys((f"select.keyed_{kind.name.lower()}" for kind in KeyType), _typed),
    "set.new": _nothing, "set.remove_bones": _bone_of_the_set, "set.carry": _another_rig,
    "view.set_colors": _nothing,
    "space.follow": _two_bones, "space.release": _following, "space.bake": _following,
    **dict.fromkeys(("shot.attach", "shot.attach_range", "shot.attach_always", "shot.remove"), _prop),
    "shot.key_camera": _between_camera_keys, "shot.release": _held, "view.shot": _nothing, "view.safe_frame": _nothing,
    **dict.fromkeys(("media.place", "media.more_opaque", "media.less_opaque"), _reference),
    **dict.fromkeys(("media.sound", "media.scrub_sound", "media.reference"), _nothing),
    "timing.keep_buffer": _nothing, "timing.share_keys": _uneven, "layer.reduce": _dense_layer,
    **dict.fromkeys(("blocking.spline", "blocking.spline_clamped", "blocking.spline_linear"), _stepped),
    "blocking.swap_previous": _unselected, "blocking.hold_pose": _nothing,
    "blocking.pose_later": _unselected, "blocking.pose_earlier": _unselected,
    "key_type.all": _filtered, "key.tangents_curve": _linear, "blocking.swap_next": _nothing,
    "trail.path": _nothing, "trail.draw": _nothing, "blocking.plant_feet": _crouch,
}  # fmt: skip
"""What a verb needs; all others of a group need what `GROUPS` says."""
GROUPS: dict[str, tuple[Callable[[], list[Action]], Prepare]] = {
    "timing": (timing.actions, _nothing),
    "blocking": (blocking.actions, _typed),
    "layer": (layer.actions, _layers),
    "sets": (sets.actions, _sets),
    "space": (space.actions, _nothing),
    "shot": (shot.actions, _camera),
    "media": (media.actions, _audio),
    "arcs": (
        lambda: [a for a in posing.shown() if a.id.startswith(("trail.", "view.trail"))],
        _nothing,
    ),
}
"""The verbs of each paragraph."""
ELSEWHERE = {
    "media.sound_device",  # opens the machine's device
    "set.rename", "view.marking_menu", "view.camera_new", "shot.camera_import", "shot.prop_import",
    "shot.character_add", "media.add_audio", "media.add_reference", "media.choose_another", "media.read_again",
}  # fmt: skip
"""Verbs that open something or need another rig: they have tests of their own."""
FAMILIES = (
    *(("set", f"{verb}_{number}") for verb in ("select", "add") for number in range(2, 9)), ("set", "add_9"),
    *(("blocking", f"hold_{frames}") for frames in (3, 4)), ("blocking", "spline_flat"), ("blocking", "spline_auto"),
    *(("key", f"tangents_{what}") for what in ("auto", "flat_ends", "clamped")),
    *(("key_type", f"{verb}{kind}") for verb in ("", "select_", "only_") for kind in ("key", "inbetween", "hold")),
    *(("select", f"color_{color}") for color in tuple(SetColor)[2:]),
    *(("select", f"keyed_{kind}") for kind in ("key", "inbetween", "hold")),
)  # fmt: skip
"""Verbs that are as others of their family but for one value: `tests.editor.actions` runs each."""


def made_ids(session: Session) -> set[str]:
    """Ids of what `rich.fill` and stages make anew each time."""
    return {id for id in session.document.project.assets if re.search("-[0-9a-f]{12}$", id)}


def prepared(session: Session, actions: Registry, group: str, id: str) -> set[str]:
    """Bring a session to where a verb can be done; ids of the assets that are the same whenever this is done."""
    session.feature(Blocking).set(False)
    session.feature(KeyFilter).show_only(None)
    session.selection.set_flag("solo", ())
    session.feature(Shot).look_through(False)
    session.feature(Shot).lock(False)
    session.evaluator.layers.result = False
    rich.fill(session)
    NEEDS.get(id, GROUPS[group][1])(session, actions)
    return {id for id in session.document.project.assets if id not in made_ids(session)}


def verbs(group: str) -> list[Action]:
    """The verbs of a group that can be done by a key or F3 and by the menus."""
    left = {f"{group}.{verb}" for group, verb in FAMILIES} | ELSEWHERE
    return [a for a in GROUPS[group][0]() if a.id not in left and not a.id.startswith("timing_mode.")]
