"""Edits of keys, and the slider of the timing bar, to the number: by kinds of keys, values and places."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from core.clips.clip import Channel, Property
from core.tracks.components import Reading
from core.tracks.keys import Interpolation, TangentMode
from editor.model.session import Session
from editor.model.timing_state import TimingState
from editor.tools import key_edits, key_moves, shaping
from editor.tools.curves import edits
from editor.tools.curves.lanes import curve_channel
from editor.tools.curves.reader import Reader
from tests.editor.actions import rich
from tests.editor.outcomes import changes, outcome, plain
from tests.editor.uneven import DROP, FOOT, HEAD, SWING, WIDE, uneven
from tests.pins import Pins

PINS = Pins(__file__)
SPEED = curve_channel("speed")


@pytest.fixture
def session() -> Iterator[Session]:
    """Uneven keys of a clip that does not loop, half a second before its end."""
    made = rich.session()
    made.edits.put("uneven", uneven(made.clip))
    made.selection.select(["upper_arm_l", "head"])
    made.playback.set_range(None)
    made.playback.seek(0.7)
    yield made
    made.close()


def looping(session: Session) -> None:
    clip = session.clip
    session.edits.put("loop", replace(clip, looping=True, length=2.0))


# ---------------------------------------------------------------- the slider
CHOSEN = {
    "bones": {},
    "keys": {SWING: np.array([1, 2, 3]), HEAD: np.array([2])},
    "ends": {SWING: np.array([0, 5]), DROP: np.array([0])},
    "curve": {SPEED: np.array([1])},
}


@pytest.mark.parametrize("loop", [False, True])
@pytest.mark.parametrize("mode", list(shaping.MODES))
def test_what_the_slider_makes(session: Session, mode: str, loop: bool) -> None:
    session.feature(TimingState).keep(session.clip)
    if loop:
        looping(session)
    moved = session.clip.tracks[SWING]
    session.edits.put(
        "changed", session.clip.with_tracks({SWING: replace(moved, values=moved.values + np.arange(6.0))})
    )
    if mode in shaping.IN_FRAMES:
        session.selection.select(["chest", "upper_arm_l", "lower_arm_l", "hand_l", "head"])
    for chosen, keys in CHOSEN.items():
        with PINS.together(f"{mode}{', loop' if loop else ''}, {chosen}") as note:
            for value in (-120.0, -40.0, 0.0, 50.0, 130.0):
                amount = value / 12.0 if mode in shaping.IN_FRAMES else value
                session.selection.select_keys(keys)
                before, position = session.document.project, session.history.position
                note(*outcome(session, lambda amount=amount: shaping.apply(session, mode, amount)))
                if session.document.project is not before:
                    assert session.history.position == position + 1
                    session.undo()
                    session.playback.seek(0.7)


def test_modes_of_the_slider(session: Session) -> None:
    PINS.hold(
        "modes",
        [plain(mode) for mode in shaping.MODES.values()],
        [mode.neutral for mode in shaping.MODES.values()],
    )
    state = session.feature(TimingState)
    assert shaping.mode_of(state).id == state.mode == "tween"
    session.selection.select_keys({})
    for value in (12.0, -3.5):
        drag = shaping.ShapeDrag(session, shaping.MODES["tween"])
        assert drag.live and drag.value is None and drag.count == 4
        drag.move(value)
        assert session.preview.clip is not None and drag.finish()
        PINS.hold(f"label of {value:g}", session.history.labels[-1])
        drag.move(99.0)
        assert not drag.finish() and session.preview.clip is None
        drag.cancel()
    assert shaping.apply(session, "tween", 30.0, "Pull over")
    assert session.history.labels[-1] == "Pull over: 4 keys"


# ---------------------------------------------------------------- keys
KEYS = {
    SWING: np.array([0, 2, 5]),
    HEAD: np.array([1, 6]),
    DROP: np.array([3]),
    FOOT: np.array([1]),
    WIDE: np.array([0]),
    SPEED: np.array([0, 2]),
    Channel("gone", Property.ROTATE, 0): np.array([0]),
}
PARTS = {HEAD: 1}


def told(before, edited) -> list[object]:
    """What an edit made of a clip, and which keys it tells."""
    clip, keys = (edited.clip, edited.keys) if isinstance(edited, key_edits.Edited) else (edited, {})
    return [list(changes(before, clip)), {c: np.asarray(k) for c, k in keys.items()}]


@pytest.mark.parametrize("loop", [False, True])
def test_edits_of_keys(session: Session, loop: bool) -> None:
    if loop:
        looping(session)
    clip, reader = session.clip, Reader(session.rig.skeleton)
    keys = key_edits.known(clip, KEYS)
    swing = Reader(session.rig.skeleton, Reading.SWING_TWIST)
    made = {
        "known": [
            {
                c: np.asarray(k)
                for c, k in key_edits.known(clip, {**KEYS, SWING: np.array([-1, 5, 6, 99])}).items()
            }
        ],
        "span": [
            key_edits.span(clip, keys),
            key_edits.span(clip, {}),
            key_edits.count(keys),
            key_edits.count({}),
        ],
        "deleted": told(clip, key_edits.deleted(clip, keys)),
        "rows": list(key_edits.rows_of(clip, keys).items()),
        "turned round": list(key_edits.turned_round(key_edits.rows_of(clip, keys)).items()),
        "placed": told(clip, key_edits.placed(clip, keys, 0.9)),
        "at times": told(clip, key_edits.at_times(clip, keys, lambda times: times * 0.5 + 0.3)),
        **{
            f"scaled about {pivot} by {factor}{', snapped' if snap else ''}": told(
                clip, key_edits.scaled(clip, keys, pivot, factor, clip.rate.snap if snap else None)
            )
            for pivot, factor, snap in product((0.0, 0.55), (-1.0, 0.4, 1.7), (False, True))
        },
        **{
            f"duplicated by {s}": told(clip, key_edits.duplicated(clip, keys, s))
            for s in (-0.35, 0.05, 0.3, 5.0)
        },
        **{
            f"merged by {s}": told(clip, key_edits.merged(clip, key_edits.rows_of(clip, keys), s))
            for s in (-3.0, 0.0, 0.05)
        },
        **{
            f"moved by {s}": told(clip, key_moves.moved(clip, keys, s))
            for s in (-3.0, -0.05, 0.05, 0.35, 4.0)
        },
        **{
            f"rippled by {s}{', but for the foot' if still else ''}": told(
                clip, key_moves.rippled(clip, keys, s, still=still)
            )
            for s in (-0.15, 0.0, 0.4)
            for still in (frozenset(), frozenset({"foot_l"}))
        },
        **{f"mode {mode.name}": told(clip, edits.with_mode(clip, keys, mode)) for mode in TangentMode},
        **{f"kind {kind.name}": told(clip, edits.with_kind(clip, keys, kind)) for kind in Interpolation},
        "values": told(clip, edits.with_values(clip, keys, 12.5, reader, PARTS)),
        "values of another angle": told(clip, edits.with_values(clip, keys, -20.0, swing, {})),
        "mapped": told(clip, edits.mapped(clip, keys, reader, PARTS, lambda value: 2.0 * value - 1.0)),
        "mapped another angle": told(clip, edits.mapped(clip, keys, swing, {}, abs)),
        **{
            f"inserted in {c.bone} at {t}": told(clip, edits.inserted(clip, c, t))
            for c in (SWING, HEAD, SPEED)
            for t in (0.2, 0.7, 2.5)
        },
        "inserted in nothing": told(clip, edits.inserted(clip, Channel("gone", Property.ROTATE, 0), 0.5)),
    }
    for case, found in made.items():
        PINS.hold(f"{case}{', loop' if loop else ''}", found)
