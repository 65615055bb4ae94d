"""Time that runs and jumps, and what is selected, to the number: every way to loop, ranges, speeds, odd clips."""

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest

from core.ids import AssetId
from editor.model.playback import LoopMode, PlayMode
from editor.model.selection import Mode
from editor.model.session import Session
from tests.editor.actions import rich
from tests.editor.outcomes import plain
from tests.editor.uneven import DROP, FOOT, HEAD, SWING, uneven
from tests.pins import Pins

PINS = Pins(__file__)
TICKS = (10.0, 10.02, 10.05, 10.05, 10.3, 10.29, 11.0, 12.7, 12.71, 17.0, 17.4)
"""Moments of the clock: small steps, a stall, one back, and more than a turn at once."""


@pytest.fixture
def session() -> Iterator[Session]:
    made = rich.session()
    made.edits.put("uneven", uneven(made.clip))
    made.selection.select_keys({})
    yield made
    made.close()


@pytest.mark.parametrize(("mode", "loop"), list(product(PlayMode, LoopMode)))
def test_time_that_runs(session: Session, mode: PlayMode, loop: LoopMode) -> None:
    playback, told = session.playback, []
    playback.mode, playback.loop = mode, loop
    playback.time_changed.connect(told.append)
    playback.state_changed.connect(lambda _: told.append("state"))
    for span, speed, start in product((None, (0.3, 1.0), (0.5, 0.5)), (1.0, 0.25, 3.0), (0.0, 0.99, 2.05)):
        playback.set_range(*(span or (None,)))
        playback.speed = speed
        playback.seek(start)
        told.clear()
        with PINS.together(f"{mode}, {loop}, {span}, speed {speed}, from {start}") as note:
            playback.play()
            for now in TICKS:
                note(
                    playback.tick(now),
                    playback.time,
                    playback.direction,
                    playback.turns,
                    playback.shown_frame,
                )
                note(playback.measured_fps, playback.playing, playback.ticked_at)
            playback.toggle()
            note(playback.time, playback.playing, told)
        playback.pause()


def test_jumps(session: Session) -> None:
    playback = session.playback
    for span, start in product((None, (0.3, 1.0)), (0.0, 0.21, 0.3, 1.0, 1.4, 2.05)):
        playback.set_range(*(span or (None,)))
        with PINS.together(f"jumps in {span} from {start}") as note:
            for name, words in (
                ("step", (1,)),
                ("step", (-1,)),
                ("step", (7,)),
                ("step", (-99,)),
                ("step", (999,)),
                ("go_start", ()),
                ("go_end", ()),
                ("next_key", ()),
                ("previous_key", ()),
                ("seek", (-1.0,)),
                ("seek", (1.234,)),
                ("seek", (99.0,)),
            ):
                playback.seek(start)
                getattr(playback, name)(*words)
                note(name, playback.time, playback.frame, playback.shown_frame, playback.shown_time)
    for start, end in ((0.5, 1.0), (1.0, 0.5), (-1.0, 9.0), (0.5, None), (2.0, 2.0)):
        playback.set_range(start, end)
        PINS.hold(f"range {start} to {end}", playback.range, playback.span, playback.length)


def test_which_clip_is_shown(session: Session) -> None:
    playback, told = session.playback, []
    playback.clip_changed.connect(lambda _: told.append(1))
    playback.play()
    for clip, rig, below in (
        ("clip-2", None, None),
        ("clip-2", None, None),
        ("gone", None, None),
        (None, "rig-small", None),
        (None, None, None),
        ("clip-small", "rig-small", None),
        ("clip-2", None, "clip-small"),
        ("clip-small", None, None),
    ):
        playback.set_clip(
            *(None if id is None else AssetId(id) for id in (clip, rig)), below=below and AssetId(below)
        )
        seen = [
            playback.clip,
            playback.rig,
            playback.below,
            None if playback.shown is None else playback.shown.name,
        ]
        PINS.hold(
            f"shown {clip} {rig} {below} {len(told)}",
            plain(seen),
            playback.time,
            playback.range,
            playback.playing,
        )


# ---------------------------------------------------------------- what is selected
def test_bones_selected_in_every_way(session: Session) -> None:
    selection, told = session.selection, []
    found: dict[str, list[object]] = {}
    selection.bones_changed.connect(lambda _: told.append(1))
    some = (["hand_l"], ["upper_arm_l", "hand_l"], ["head", "gone", "head"], ["thigh_r", "calf_r"], [])
    for before, after, mode in product(some, some, Mode):
        selection.select(before)
        selection.select(after, mode)
        PINS.hold(
            f"{before} then {after}, {mode.name}", selection.bones, selection.active, selection.in_order
        )
    for flags in (
        {},
        {"hidden": ["hand_l", "foot_r"]},
        {"locked": ["hand_l"]},
        {"solo": ["hand_l", "head", "pelvis"]},
    ):
        for name, bones in {**dict.fromkeys(("hidden", "locked", "solo"), ()), **flags}.items():
            selection.set_flag(name, bones)
        for start, (name, words) in product(
            some,
            (
                ("select_all", ()),
                ("invert", ()),
                ("select_parent", ()),
                ("select_parent", (True,)),
                ("select_children", ()),
                ("select_children", (True,)),
                ("select_below", ()),
                ("select_chain", ()),
                ("select_to_end", ()),
                ("select_to_end", ("thigh_l",)),
                ("select_to_end", ("thigh_l", Mode.ADD)),
                ("select_mirror", ()),
                ("select_mirror", (True,)),
            ),
        ):
            selection.select(start)
            getattr(selection, name)(*words)
            case = f"{'/'.join(flags) or 'plain'}: {name} {words}"
            found[case] = [*found.get(case, []), selection.bones, selection.pickable("hand_l")]
    for case, bones in found.items():
        PINS.hold(f"bones, {case}", bones)
    PINS.hold("bones, times told", len(told))


def test_keys_selected_in_every_way(session: Session) -> None:
    selection = session.selection
    some = (
        {SWING: [1, 2]},
        {SWING: np.array([2, 3, 2]), HEAD: [0]},
        {DROP: [3], FOOT: []},
        {SWING: [0, 1, 2, 3, 4, 5]},
        {},
    )
    for (a, before), (b, after), mode in product(enumerate(some), enumerate(some), Mode):
        selection.select_keys(before)
        selection.select_keys(after, mode)
        PINS.hold(f"keys {a} then {b}, {mode.name}", {c: np.asarray(k) for c, k in selection.keys.items()})
