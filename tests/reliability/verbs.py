"""Every way to change a document that needs no mouse: verbs of the model, and the actions of the menus."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import numpy as np

from core.blending.blend_space import SpaceAxis
from core.blending.layer_stack import LayerMode
from core.clips.clip import (
    Additive,
    AdditiveBase,
    AdditiveSpace,
    Channel,
    Clip,
    Marker,
    Notify,
    Property,
    RootMotion,
    SyncMarker,
)
from core.clips.edits import KeepTime
from core.math.transform import Transform
from core.pose.mirror import MirrorWay
from core.rig.rig import Rig
from core.timing import FrameRate
from core.tracks import edits
from core.tracks.keys import scalar_track
from editor.actions.every import registry
from editor.model.blending.state import Blending
from editor.model.ik import edits as ik
from editor.model.ik.state import IkState
from editor.model.posing import library, verbs
from editor.model.retarget import proportions
from editor.model.session import Session
from editor.tools import markers

Verb = Callable[[Session, Random], object]
LEFT_OUT = ("file.", "window.", "help.", "panel.", "view.", "compile.", "edit.undo", "edit.redo")
"""Actions that are no edits of the document, or are the undo and redo that the walk does itself."""
MOST_CLIPS = 8


def _clip(session: Session) -> Clip:
    clip = session.clip
    assert clip is not None
    return clip


def _time(session: Session, chance: Random) -> float:
    return chance.choice((0.0, chance.uniform(0.0, _clip(session).length), session.playback.time))


def _channel(session: Session, chance: Random) -> Channel:
    bone = chance.choice(session.rig.skeleton.names)
    return Channel(bone, chance.choice(list(Property)), chance.randrange(3))


# ---------------------------------------------------------------- keys
def set_value(session, chance):
    clip, channel = _clip(session), _channel(session, chance)
    track = clip.scalar(channel)
    if track is None and channel in clip.tracks:
        return
    made = edits.set_value(track, _time(session, chance), chance.uniform(-90, 90))
    session.edits.put("Set key", clip.with_tracks({channel: made}))


def drop_track(session, chance):
    clip = _clip(session)
    if clip.tracks:
        session.edits.put("Delete track", clip.with_tracks({chance.choice(list(clip.tracks)): None}))


def pose_bone(session, chance):
    rig, pose = session.rig, session.evaluator.pose()
    bone = chance.randrange(len(rig.skeleton))
    parts = [np.array(part) for part in pose.local]
    parts[0][bone] += [chance.uniform(-0.1, 0.1) for _ in range(3)]
    moved = pose.with_local(Transform(*parts))
    session.keying.commit_pose("Move", moved, [rig.skeleton.names[bone]])


def paste_pose(session, chance):
    verbs.copy_pose(session)
    session.playback.seek(_time(session, chance))
    chance.choice((verbs.paste_pose, verbs.paste_mirrored))(session)


def mirror(session, chance):
    way = chance.choice(list(MirrorWay))
    chance.choice((verbs.mirror, verbs.mirror_keys))(session, way)


def mirror_range(session, chance):
    a, b = sorted((_time(session, chance), _time(session, chance)))
    session.playback.set_range(a, b) if b - a > 0.05 else session.playback.set_range(0.0, 0.5)
    verbs.mirror_range(session, chance.choice(list(MirrorWay)))


def mirror_clips(session, chance):
    verbs.mirror_clips(session, None, chance.choice(list(MirrorWay)), chance.random() < 0.3)


def reset_parts(session, chance):
    verbs.reset_parts(session)


# ---------------------------------------------------------------- clips
def new_clip(session, chance):
    if len(session.document.project.clips) < MOST_CLIPS:
        session.clips.new(None, chance.choice((0.5, 1.0, 2.0)))


def duplicate(session, chance):
    if len(session.document.project.clips) < MOST_CLIPS:
        session.clips.duplicate(_clip(session).id)


def delete_clip(session, chance):
    session.clips.delete(chance.choice(session.document.project.clips).id)


def rename(session, chance):
    session.clips.rename(_clip(session).id, f"clip {chance.randrange(1000)}")


def length(session, chance):
    session.clips.set_length(_clip(session).id, chance.choice((0.1, 0.5, 1.0, 2.0, 3.0)))


def rate(session, chance):
    session.clips.set_rate(
        _clip(session).id, FrameRate.of(chance.choice((24, 30, 60))), chance.choice(list(KeepTime))
    )


def looping(session, chance):
    session.clips.set_looping(_clip(session).id, chance.random() < 0.5)


def root_motion(session, chance):
    session.clips.set_root_motion(
        _clip(session).id, RootMotion(chance.random() < 0.5, yaw=chance.random() < 0.5)
    )


def trim(session, chance):
    a, b = sorted((_time(session, chance), _time(session, chance)))
    session.clips.trim(_clip(session).id, a, b)


def reverse(session, chance):
    session.clips.reverse(_clip(session).id)


# ---------------------------------------------------------------- notifies, markers, curves
def notify_add(session, chance):
    clip = _clip(session)
    made = Notify(chance.choice(("step", "hit")), _time(session, chance))
    session.edits.put("Add notify", replace(clip, notifies=(*clip.notifies[-20:], made)))


def notify_remove(session, chance):
    clip = _clip(session)
    session.edits.put("Delete notify", replace(clip, notifies=clip.notifies[1:]))


def notify_move(session, chance):
    clip = _clip(session)
    if clip.notifies:
        moved = replace(clip.notifies[0], time=_time(session, chance))
        session.edits.put("Move notify", replace(clip, notifies=(moved, *clip.notifies[1:])))


def sync_marker(session, chance):
    clip = _clip(session)
    made = SyncMarker(chance.choice(("left", "right")), _time(session, chance))
    session.edits.put("Add sync marker", replace(clip, sync_markers=(*clip.sync_markers[-20:], made)))


def marker_add(session, chance):
    if len(_clip(session).markers) < 20:
        markers.add(session, _time(session, chance))


def marker_change(session, chance):
    clip = _clip(session)
    if clip.markers:
        marker: Marker = chance.choice(clip.markers)
        made = chance.choice(
            (
                lambda: markers.moved_marker(clip, marker, _time(session, chance))[0],
                lambda: markers.renamed_marker(clip, marker, f"m{chance.randrange(99)}")[0],
                lambda: markers.without_marker(clip, marker),
            )
        )()
        session.edits.put("Change marker", made)


def float_curve(session, chance):
    clip, name = _clip(session), chance.choice(("lean", "wave", "speed"))
    track = edits.set_value(clip.curves.get(name), _time(session, chance), chance.uniform(0, 1))
    session.edits.put("Key curve", replace(clip, curves={**clip.curves, name: track}))


def drop_curve(session, chance):
    clip = _clip(session)
    if clip.curves:
        gone = chance.choice(list(clip.curves))
        session.edits.put(
            "Delete curve", replace(clip, curves={k: t for k, t in clip.curves.items() if k != gone})
        )


def morph_weight(session, chance):
    clip = _clip(session)
    track = edits.set_value(clip.morphs.get("tubes/smile"), _time(session, chance), chance.uniform(0, 1))
    session.edits.put("Key morph", replace(clip, morphs={**clip.morphs, "tubes/smile": track}))


# ---------------------------------------------------------------- poses and pose assets
def save_pose(session, chance):
    if len(library.poses_of(session)) < 10:
        library.save_pose(session, None, ["a"])


def change_pose(session, chance):
    poses = library.poses_of(session)
    if poses:
        id = chance.choice(poses).id
        chance.choice(
            (
                lambda: library.update_pose(session, id),
                lambda: library.rename_pose(session, id, f"pose {chance.randrange(99)}"),
                lambda: library.tag_pose(session, id, ["b", str(chance.randrange(9))]),
                lambda: library.delete_poses(session, [id]),
            )
        )()


def clip_from_poses(session, chance):
    poses = library.poses_of(session)
    if poses and len(session.document.project.clips) < MOST_CLIPS:
        library.clip_from_poses(session, [pose.id for pose in poses[:3]])


def make_asset(session, chance):
    poses = library.poses_of(session)
    if poses and len(library.assets_of(session)) < 4:
        library.make_asset(session, [pose.id for pose in poses[:2]])


def bake_asset(session, chance):
    assets = library.assets_of(session)
    if assets:
        clip, asset = _clip(session), assets[0]
        curves = {t.name: scalar_track([0.0, clip.length or 1.0], [0.0, 1.0]) for t in asset.targets}
        session.edits.put("Drive", replace(clip, curves={**clip.curves, **curves}))
        library.bake_asset(session, asset.id)


def delete_asset(session, chance):
    assets = library.assets_of(session)
    if assets:
        library.delete_asset(session, assets[0].id)


# ---------------------------------------------------------------- blending
def new_space(session, chance):
    if len(session.feature(Blending).spaces.all()) < 4:
        session.feature(Blending).spaces.new(chance.choice(("line", "plane", "aim")))


def change_space(session, chance):
    spaces = session.feature(Blending).spaces
    space = spaces.committed
    if space is None:
        return
    place = tuple(chance.uniform(axis.minimum, axis.maximum) for axis in space.axes)
    number = chance.randrange(len(space.samples)) if space.samples else None
    choices: list[Callable[[], object]] = [
        lambda: spaces.add(chance.choice(session.document.project.clips).id, place),
        lambda: spaces.rename(f"space {chance.randrange(99)}"),
        lambda: spaces.set_axis(0, SpaceAxis("Axis", 0.0, chance.choice((1.0, 4.0)), 4)),
        lambda: spaces.analyse(),
        lambda: spaces.delete(),
    ]
    if number is not None:
        choices += [
            lambda: spaces.move(number, place),
            lambda: spaces.set_rate(number, chance.uniform(0.5, 2.0)),
            lambda: spaces.remove(number),
        ]
    chance.choice(choices)()


def add_layer(session, chance):
    layers = session.feature(Blending).layers
    if layers.stack is None or len(layers.stack.layers) < 4:
        choices = [clip.id for clip in layers.choices()[:3]]
        if len(session.document.project.clips) < MOST_CLIPS or not choices:
            choices.append(None)
        layers.add(chance.choice(choices), chance.choice(list(LayerMode)))


def change_layer(session, chance):
    layers = session.feature(Blending).layers
    stack = layers.stack
    if stack is None or not stack.layers:
        return
    number = chance.randrange(len(stack.layers))
    chance.choice(
        (
            lambda: layers.change(number, weight=chance.random()),
            lambda: layers.change(number, muted=chance.random() < 0.5),
            lambda: layers.key_weight(number, _time(session, chance), chance.random()),
            lambda: layers.clear_curve(number),
            lambda: layers.move(number, chance.randrange(len(stack.layers))),
            lambda: layers.remove(number),
            lambda: session.feature(Blending).layer_verbs.merge_down(number),
            lambda: layers.new_mask(number),
        )
    )()


def additive(session, chance):
    clip = _clip(session)
    base = chance.choice(session.document.project.clips_of(clip.rig))
    made = Additive(chance.choice(list(AdditiveSpace)), AdditiveBase.CLIP, base.id)
    session.feature(Blending).layers.set_additive(
        clip.id, chance.choice((None, made)) if base.id != clip.id else None
    )


# ---------------------------------------------------------------- the rig
def add_ik(session, chance):
    session.selection.select([chance.choice(("hand_l", "hand_r", "foot_l", "foot_r"))])
    ik.add(session)


def change_ik(session, chance):
    setup = session.feature(IkState).current
    if setup is None:
        return
    chance.choice(
        (
            lambda: ik.toggle(session, (setup.name,)),
            lambda: ik.change(session, setup.name, {"weight": chance.random()}),
            lambda: ik.bake_to_keys(session, setup.name),
            lambda: ik.drop_goal(session, setup.name),
            lambda: ik.remove(session, setup.name),
        )
    )()


def rest_pose(session, chance):
    rig: Rig = session.rig
    if len(rig.retarget_sources) < 3:
        proportions.add_pose(session)
    else:
        proportions.delete_source(session, chance.choice(list(rig.retarget_sources)))


def choose_rest_pose(session, chance):
    proportions.choose_source(session, chance.choice((None, *session.rig.retarget_sources)))


def settings(session, chance):
    session.edits.set_settings("Settings", {"n": chance.randrange(9), "deep": [1, {"a": chance.random()}]})


VERBS: dict[str, Verb] = {
    name: item
    for name, item in list(globals().items())
    if callable(item) and not name.startswith("_") and getattr(item, "__module__", "") == __name__
    and not isinstance(item, type)
}  # fmt: skip


def every_verb(session: Session) -> dict[str, Verb]:
    """The verbs above, and each action of the menus that can be done without a window."""
    found = dict(VERBS)
    actions = registry(session)
    for action in actions.all:
        if action.run is not None and not action.id.startswith(LEFT_OUT):
            found[action.id] = lambda session, chance, id=action.id: actions.run(id)
    return found
