"""Sessions in which as many actions as possible can be done: a clip with everything in it, and stages beyond."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np

from core.blending.layer_stack import LayerMode
from core.clips.clip import Channel, Marker, Notify, Property, SyncMarker
from core.clips.contacts import with_contacts
from core.ids import AssetId, new_id
from core.pose.library import LibraryPose
from core.project.project import Project
from core.tracks.keys import scalar_track
from editor.actions.every import registry
from editor.actions.registry import Registry
from editor.model.blending.state import Blending
from editor.model.ik.state import IkState
from editor.model.posing import copied, library, verbs
from editor.model.posing.state import PosingState
from editor.model.session import Session
from tests.editor.rigs import small_project

TURN = Channel("upper_arm_l", Property.ROTATE, 1)


def session() -> Session:
    """The small character's clip, looping, with marks and contacts; bones and keys selected, a pose copied and kept.

    Frame 10 is shown; the play range runs from 0.2 s to 1.5 s.
    """
    made = Session.create()
    fill(made)
    return made


def fill(made: Session) -> None:
    """Put a session into the state that `session` gives a new one."""
    made.clipboard.text = ""
    made.edit_jobs.grace = 400.0
    made.keying.auto = True  # preferences outlive a session
    made.document.replace(_project(), None)
    clip, rig = _project().clips[0], _project().rigs[0]
    made.playback.set_clip(clip.id, rig.id)
    made.playback.seek(20.0 / 30.0)
    made.selection.select(["upper_arm_l", "hand_l"])
    text, pose, said = _poses()
    made.clipboard.text = text
    made.messages.info(said)
    copied._file(made).parent.mkdir(parents=True, exist_ok=True)
    copied._file(made).write_text(text, "utf-8")
    made.playback.set_range(0.2, 1.5)
    pose = replace(pose, id=new_id("pose"))
    made.edits.put("Save pose kept", pose)
    made.feature(PosingState).choose(pose.id)
    made.selection.select_keys({TURN: np.array([1, 2])})
    made.playback.seek(10.0 / 30.0)


@cache
def _project() -> Project:
    """The small character with a clip that has everything in it, and with another like it: the same every time."""
    project = small_project(mesh=False)
    curve = scalar_track([0.0, 1.0, 2.0], [0.0, 1.0, 0.0])
    clip = replace(
        project.clips[0], looping=True, curves={"speed": curve}, notifies=(Notify("step", 0.5, 0.25),),
        sync_markers=(SyncMarker("left", 0.4),), markers=(Marker("note", 1.0),),
    )  # fmt: skip
    clip = with_contacts(clip, "contact_left_foot", [(0.2, 0.8)])
    return project.with_assets(clip, replace(clip, id=AssetId("clip-2"), name="other"))


@cache
def _poses() -> tuple[str, LibraryPose, str]:
    """The pose of frame 20, copied and kept, and what is said of it: a thousand sessions begin with these."""
    made = Session.create()
    made.document.replace(_project(), None)
    made.playback.set_clip(_project().clips[0].id, _project().rigs[0].id)
    made.playback.seek(20.0 / 30.0)
    made.selection.select(["upper_arm_l", "hand_l"])
    verbs.copy_pose(made)
    id = library.save_pose(made, "kept")
    found = made.clipboard.text, made.document.project.get(LibraryPose, id), made.messages.log[0].text
    made.close()
    return found


def _done(actions: Registry, *ids: str) -> None:
    for id in ids:
        assert actions.run(id), (id, actions.session.messages.latest)


def _undone(session: Session, actions: Registry) -> None:
    """A step to redo, keys copied, bones hidden and locked elsewhere."""
    _done(actions, "keys.copy", "time.tangent_flat", "edit.undo")
    session.selection.set_flag("hidden", ["foot_r"])
    session.selection.set_flag("locked", ["foot_l"])


def _copied(session: Session, actions: Registry) -> None:
    """Keys on the clipboard."""
    _done(actions, "keys.copy")


def _pending(session: Session, actions: Registry) -> None:
    """Auto key off, a bone moved and not keyed, pins."""
    session.keying.auto = False
    pose = session.evaluator.pose()
    moved = pose.with_bone(session.rig.skeleton.index("hand_l"), translation=pose.translations[6] + 0.1)
    session.keying.commit_pose("moved", moved, ["hand_l"])
    _done(actions, "ik.pin_both")


def _ik(session: Session, actions: Registry) -> None:
    """Set-ups, one with a keyed goal."""
    _done(actions, "ik.propose")
    session.feature(IkState).select("Left arm")
    _done(actions, "ik.match")


def _blend(session: Session, actions: Registry) -> None:
    """A blend space and a layer."""
    _done(actions, "blend.new_line")
    session.feature(Blending).layers.add(AssetId("clip-2"), LayerMode.OVERRIDE)


def _layer(session: Session, actions: Registry) -> None:
    """An animation layer in hand, with keys on the selected bones."""
    _done(actions, "layer.new_override", "key.set")
    hand = session.rig.skeleton.index("hand_l")
    turned = session.evaluator.pose().with_bone(hand, rotation=np.array([0.0, 0.6, 0.0, 0.8]))
    session.keying.commit_pose("turned", turned, ["hand_l"])


def _graph(session: Session, actions: Registry) -> None:
    """A graph with what it begins with, all of it selected; a montage."""
    _done(actions, "montage.new_from_clip", "graph.new", "graph.select_all")


STAGES: dict[str, Callable[[Session, Registry], None] | None] = {
    "plain": None, "copied": _copied, "undone": _undone, "pending": _pending, "ik": _ik, "blend": _blend,
    "layer": _layer,
    "graph": _graph,
}  # fmt: skip


def at_stage(stage: str) -> tuple[Session, Registry]:
    """A session at a stage, and its actions."""
    made = session()
    actions = registry(made)
    prepare = STAGES[stage]
    if prepare is not None:
        prepare(made, actions)
    return made, actions
