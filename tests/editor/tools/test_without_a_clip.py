"""Every verb of the tools where no clip is shown: what it gives back or says; nothing is done, and no step is made."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from core.clips.clip import Notify
from core.errors import ValidationError
from core.tracks.key_types import KeyType
from core.tracks.keys import TangentMode
from editor.model.session import Session
from editor.tools import blocking, clip_events, key_commands, markers, shaping, timing
from editor.tools.clip_events import ClipEvent, Kind, Lane
from tests.editor.actions import rich

PLAIN = Lane(Kind.NOTIFY)
NONE_HERE = "the selected bones have no key at the playhead: select keys, or set one"
NO_KEYS = "no keys are selected: click or box-select some first"
NO_POSES = "the clip has no poses yet: pose the character and set keys"
NO_LOOP = "the clip does not loop: turn on Looping first"

CALLS: dict[str, tuple[Callable[[Session, ClipEvent], object], object]] = {
    "step": (lambda s, e: timing.step(s), 1),
    "channels in hand": (lambda s, e: timing.channels_in_hand(s), []),
    "keys here": (lambda s, e: timing.keys_here(s), {}),
    "keys in hand": (lambda s, e: timing.keys_in_hand(s), NONE_HERE),
    "nudge": (lambda s, e: timing.nudge(s, 1.0), NONE_HERE),
    "put frames": (lambda s, e: timing.put_frames(s, 2), False),
    "put frames here": (lambda s, e: timing.put_frames(s, -2, everywhere=False), False),
    "channels to work on": (lambda s, e: timing.channels_to_work_on(s), []),
    "share keys": (lambda s, e: timing.share_keys(s), False),
    "bake": (lambda s, e: timing.bake_on(s, 2), False),
    "shown channels": (lambda s, e: key_commands.shown_channels(s), ()),
    "select all": (lambda s, e: key_commands.select_all(s), None),
    "select here": (lambda s, e: key_commands.select_here(s), None),
    "selected": (lambda s, e: key_commands.selected(s), None),
    "copy": (lambda s, e: key_commands.copy(s), NO_KEYS),
    "paste": (lambda s, e: key_commands.paste(s), False),
    "duplicate": (lambda s, e: key_commands.duplicate(s), NO_KEYS),
    "delete": (lambda s, e: key_commands.delete(s), NO_KEYS),
    "work": (lambda s, e: key_commands.commit_made(s, "work", lambda clip: pytest.fail("no clip")), False),
    "frames of": (lambda s, e: key_commands.frames_of(s), (None, 0)),
    "first at": (lambda s, e: key_commands.first_at(s, 3.0), None),
    "set first": (lambda s, e: key_commands.set_first(s, 3.0), False),
    "frames typed": (lambda s, e: key_commands.frames_typed(s, 1.0, 2.0, "+2"), NO_KEYS),
    "link ends": (lambda s, e: key_commands.link_ends(s), NO_LOOP),
    "cycle": (lambda s, e: key_commands.cycle_here(s), NO_LOOP),
    "set type": (lambda s, e: blocking.set_type(s, KeyType.HOLD), NONE_HERE),
    "select type": (lambda s, e: blocking.select_type(s, KeyType.HOLD), 0),
    "spline": (lambda s, e: blocking.spline(s, TangentMode.AUTO), False),
    "plant feet": (lambda s, e: blocking.plant_feet(s), False),
    "pose here": (lambda s, e: blocking.pose_here(s), NO_POSES),
    "select pose": (lambda s, e: blocking.select_pose(s, 0.5), None),
    "hold pose": (lambda s, e: blocking.hold_pose(s), "no pose comes before the playhead: move it later"),
    "copy pose": (lambda s, e: blocking.copy_pose(s, 0.0, 1.0), False),
    "swap poses": (lambda s, e: blocking.swap_poses(s, 0.0, 1.0), False),
    "swap with next": (lambda s, e: blocking.swap_with_neighbour(s, 1), NO_POSES),
    "move poses": (lambda s, e: blocking.move_poses(s, {0.0: 1.0}), False),
    "nudge pose": (lambda s, e: blocking.nudge_pose(s, 1), False),
    "add marker": (lambda s, e: markers.add(s), None),
    "delete event": (lambda s, e: clip_events.delete(s, [e]), False),
    "rename event": (lambda s, e: clip_events.rename(s, e, "other"), None),
    "change event": (lambda s, e: clip_events.change(s, "label", e, replace(e, time=0.9)), None),
    "colour event": (lambda s, e: clip_events.color(s, e, "#112233"), None),
    "change notify": (lambda s, e: clip_events.change_notify(s, "label", Notify("a", 0.1), Notify("b", 0.1)), None),
    "event to lane": (lambda s, e: clip_events.to_lane(s, [e], "lane"), ()),
    "duplicate event": (lambda s, e: clip_events.duplicate(s, [e]), ()),
    "nudge event": (lambda s, e: clip_events.nudge(s, [e], 0.1), ()),
    "paste events": (lambda s, e: clip_events.paste(s, [e]), ()),
    "keep buffer": (lambda s, e: shaping.keep_buffer(s), None),
    "shape": (lambda s, e: shaping.apply(s, "tween", 20.0), "create or select a clip first"),
}  # fmt: skip


def outcome(call: Callable[[Session, ClipEvent], object], session: Session, event: ClipEvent) -> object:
    """What a call gives, or the words by which it is refused."""
    try:
        return call(session, event)
    except ValidationError as error:
        return str(error)


def test_without_a_clip_each_verb_of_the_tools_does_nothing() -> None:
    session = rich.session()
    event = clip_events.on_lane(session.clip, PLAIN)[0]
    session.playback.set_clip(None, session.rig.id)
    assert session.clip is None and session.selection.bones
    before, position, said = session.document.project, session.history.position, len(session.messages.log)
    found = {name: outcome(call, session, event) for name, (call, _) in CALLS.items()}
    session.close()
    assert found == {name: wanted for name, (_, wanted) in CALLS.items()}
    assert session.document.project is before and session.history.position == position
    assert len(session.messages.log) == said
