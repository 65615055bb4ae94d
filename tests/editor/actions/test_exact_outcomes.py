"""What each action makes of a session, to the number: by situations that differ in what is selected and where one is.

The other tests of actions hold laws (a step, a name, an exact undo); here the outcome itself is held.
"""

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from editor.actions.every import registry
from editor.actions.registry import Registry
from editor.model.blocking import Blocking
from editor.model.key_filter import KeyFilter
from editor.model.playback import LoopMode, PlayMode
from editor.model.preferences import DEFAULTS as PREFERENCES
from editor.model.session import Session
from editor.model.switches import DEFAULTS as SWITCHES
from editor.tools.curves.lanes import curve_channel
from tests.editor.actions import rich
from tests.editor.outcomes import outcome
from tests.editor.uneven import DROP, FOOT, HEAD, SWING, uneven
from tests.pins import Pins

PINS = Pins(__file__, near=1e-6)
OVER_TIME = ("key", "keys", "curves", "timing", "blocking", "key_type", "time", "events", "pose", "edit")
GROUPS = {
    "keys": (*OVER_TIME, "weights", "playback", "clip", "space", "mirror", "select", "layer", "layers", "ik", "set",
             "trail", "bodies", "blend", "montage", "retarget", "virtual", "play"),
    "here": (*OVER_TIME, "playback", "space"),
    "between": (*OVER_TIME, "weights", "playback", "clip", "space", "mirror", "select"),
    "several": (*OVER_TIME, "clip", "mirror", "select"),
    "nothing": OVER_TIME,
    "ways": ("key", "keys", "timing", "blocking", "time", "pose", "space", "clip"),
    "weights": ("key", "keys", "curves", "timing", "blocking", "key_type", "time", "weights"),
    "copied": ("keys", "edit", "curves", "pose"),
    "layer": ("key", "keys", "curves", "timing", "blocking", "time", "layer", "pose"),
}  # fmt: skip
"""Which actions are asked in which situation: those for which it makes a difference."""
ELSEWHERE = {"keys.copy"}
"""What is copied is held where it is pasted."""


def _keys(session: Session, actions: Registry) -> None:
    """Two keys of one curve in the loop of `rich`, frame 10."""


def _here(session: Session, actions: Registry) -> None:
    """On a key of the bones that are selected, by no key that is selected."""
    session.selection.select_keys({})
    session.selection.select(["upper_arm_l", "lower_arm_l"])
    session.playback.set_range(None)
    session.playback.seek(20.0 / 30.0)


def _between(session: Session, actions: Registry) -> None:
    """Uneven keys; between them, two bones and a locked one, no range."""
    _here(session, actions)
    session.edits.put("uneven", uneven(session.clip))
    session.selection.select(["upper_arm_l", "head", "foot_l"])
    session.selection.set_flag("locked", ["foot_l"])
    session.playback.seek(0.7)


def _several(session: Session, actions: Registry) -> None:
    """Uneven keys of curves and turns are selected, some of them of a locked bone; steps are two frames."""
    _between(session, actions)
    session.playback.set_range(0.3, 1.6)
    session.preferences.set("timing_frames", 2)
    session.selection.select_keys({
        HEAD: np.array([1, 2, 5]), SWING: np.array([0, 3, 4]), DROP: np.array([3]),
        FOOT: np.array([1]),
    })  # fmt: skip


def _weights(session: Session, actions: Registry) -> None:
    """A named curve is selected beside a bone, no key; on a key of both."""
    _between(session, actions)
    session.selection.select(["upper_arm_l"])
    session.selection.select_weights([curve_channel("speed")])
    session.playback.seek(1.0)


def _ways(session: Session, actions: Registry) -> None:
    """As `several`, but the ways of the user are other than the usual ones."""
    _several(session, actions)
    for name, value in WAYS.items():
        session.preferences.set(name, value)


def _nothing(session: Session, actions: Registry) -> None:
    """Nothing is selected, at the end of uneven keys."""
    _between(session, actions)
    session.selection.set_flag("locked", ())
    session.selection.select(())
    session.playback.seek(1.9)


def _copied(session: Session, actions: Registry) -> None:
    """Keys and a pose are copied of uneven keys, and the playhead is elsewhere."""
    _several(session, actions)
    assert actions.run("keys.copy")
    session.selection.set_flag("locked", ["pelvis"])
    session.playback.seek(0.9)


def _layer(session: Session, actions: Registry) -> None:
    """A layer in hand."""
    rich.STAGES["layer"](session, actions)


WAYS = {
    "auto_ends": "flat", "new_tangents": "linear", "key_places": "frames", "timing_frames": 3, "blocking_frames": 2,
    "plant_feet": False, "space_keep": True, "space_bake": True, "space_frames": 3,
}  # fmt: skip
SITUATIONS: dict[str, Callable[[Session, Registry], None]] = {
    "keys": _keys, "here": _here, "between": _between, "several": _several, "nothing": _nothing, "copied": _copied,
    "layer": _layer,
    "weights": _weights, "ways": _ways,
}  # fmt: skip


@pytest.fixture
def where() -> Iterator[tuple[Session, Registry]]:
    session = rich.session()
    yield session, registry(session)
    session.close()


def as_new(session: Session) -> None:
    """The state that `rich` gives a new session, whatever was done before."""
    for name, usual in PREFERENCES.items():
        session.preferences.set(name, usual)
    for name, on in SWITCHES.items():
        session.switches.set(name, on)
    playback = session.playback
    playback.pause()
    playback.mode, playback.loop, playback.in_place = PlayMode.REAL_TIME, LoopMode.LOOP, True
    for flag in ("hidden", "solo", "locked"):
        session.selection.set_flag(flag, ())
    session.selection.select_weights(())
    session.feature(Blocking).set(False)
    session.feature(KeyFilter).show_only(None)
    rich.fill(session)


CASES = [(situation, group) for situation, groups in GROUPS.items() for group in groups]


@pytest.mark.parametrize(("situation", "group"), CASES)
def test_what_each_action_of_a_group_makes(where, situation: str, group: str) -> None:
    session, actions = where
    for action in actions:
        if action.run is None or action.id in ELSEWHERE or not action.id.startswith(f"{group}."):
            continue
        as_new(session)
        SITUATIONS[situation](session, actions)
        if not actions.why_disabled(action.id):
            told = outcome(session, lambda id=action.id: actions.run(id))
            PINS.hold(f"{situation}: {action.id}", told)
