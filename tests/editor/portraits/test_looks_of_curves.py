"""What the picture of the curves is made of in each state, as it was read and approved: paths, pens, keys, handles."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication

from core.clips.clip import Channel, Property
from core.tracks.components import Reading
from core.tracks.keys import Extrapolation, Interpolation, TangentMode
from editor.model.channels import curve_channel
from editor.panels.curves.key_image import KeyImage
from editor.panels.curves.space import Layout
from editor.tools.curves.lanes import Lane
from tests.editor.panels.curves.curve_stage import TURN, X, Y, Z
from tests.editor.portraits import approved
from tests.editor.portraits.curve_hand import CurveHand, curves

MOVE = Channel("arm", Property.TRANSLATE, 0)


def drawn(hand: CurveHand) -> list[str]:
    """All that the picture is painted with now."""
    hand.log.taken()
    hand.plot.item._curves._words = None
    hand.plot.item.forget()
    hand.plot.viewport().update()
    hand.settle()
    return [line for line in hand.log.taken() if line.startswith(("curve_image.", "key_image."))]


def noted_keys(hand: CurveHand, patch: pytest.MonkeyPatch) -> None:
    """Note keys that are stamped: of which lane, how large, in which colours."""
    stamp = KeyImage._stamp

    def noted(self, words, look, numbers, size, colors, ratio) -> None:
        keys = " ".join(map(str, numbers.tolist()))
        hand.log.note(
            "key_image.stamp", f"{look.curve.lane.name} keys {keys} size {size} {' in '.join(colors)}"
        )
        stamp(self, words, look, numbers, size, colors, ratio)

    patch.setattr(KeyImage, "_stamp", noted)


def states(hand: CurveHand) -> dict[str, Callable[[], object]]:
    """What is done one after the other; each is told by what is painted otherwise than before."""
    model, session, panel = hand.model, hand.session, hand.stage.panel
    lanes, view, selection, commands = model.lanes, model.view, session.selection, panel.commands

    def put(**changes) -> None:
        session.edits.put("x", replace(session.clip, **changes))

    def typed() -> None:
        track = session.clip.tracks[X]
        types = track.types.copy()
        types[1:3] = [1, 2]
        session.edits.put("types", session.clip.with_tracks({X: replace(track, types=types)}))

    return {
        "two keys selected": lambda: None,
        "no key": lambda: selection.select_keys({}),
        "a key under the pointer": lambda: hand.hover(hand.key(Y, 3)),
        "a selected key under the pointer": lambda: selection.select_keys({Y: [3]}),
        "the pointer away": hand.leave,
        "a chosen lane": lambda: lanes.set_flag("chosen", [Lane(X)]),
        "a locked lane with keys selected": lambda: lanes.set_flag("locked", [Lane(Y)]),
        "nothing chosen": lambda: [lanes.set_flag("chosen", ()), lanes.set_flag("locked", ())],
        "weighted": panel.weighted_button.click,
        "stepped": lambda: commands.set_mode(TangentMode.STEPPED),
        "linear segments": lambda: commands.set_kind(Interpolation.LINEAR),
        "cycle": lambda: commands.set_extrapolation(Extrapolation.CYCLE, Extrapolation.LINEAR),
        "all tangents": lambda: [
            (selection.select_keys({X: [n]}), commands.set_mode(mode)) for n, mode in enumerate(TangentMode)
        ],
        "keys of types": typed,
        "no buffer": lambda: setattr(lanes, "buffer", None),
        "looping": lambda: put(looping=True),
        "longer": lambda: put(length=2.6),
        "further in": lambda: view.set_axes(view.axis.zoomed(3.0, 300.0), view.values),
        "shifted": lambda: view.set_axes(view.axis.panned(-90.0), view.values.panned(-40.0)),
        "all": view.fit_all,
        "more lanes": lambda: hand.stage.only(X, Y, Z, MOVE, curve_channel("blink")),
        "normalised": lambda: view.set_layout(Layout.NORMALISED),
        "stacked": lambda: view.set_layout(Layout.STACKED),
        "absolute": lambda: view.set_layout(Layout.ABSOLUTE),
        "alone": lambda: lanes.set_flag("solo", [Lane(curve_channel("blink"))]),
        "not alone": lambda: lanes.set_flag("solo", ()),
        "light": lambda: hand.stage.theme.use("light"),
        "quaternions": lambda: [selection.select(["hand"]), view.fit_all(), selection.select_keys({TURN: [2]})],
        "swing and twist": lambda: lanes.set_reading(Reading.SWING_TWIST),
        "no clip": lambda: session.playback.set_clip(None, session.rig.id),
    }  # fmt: skip


def told(qapp: QApplication) -> list[str]:
    with curves(qapp) as hand, pytest.MonkeyPatch.context() as patch:
        noted_keys(hand, patch)
        before: list[str] = []
        for name, deed in states(hand).items():
            deed()
            hand.settle()
            now = drawn(hand)
            hand.lines.append(f"=== {name}")
            hand.lines += [f"+ {line}" for line in now if line not in before]
            hand.lines += [f"- {line}" for line in before if line not in now]
            before = now
        return hand.lines


def test_pictures_of_curves_are_painted_as_approved(qapp) -> None:
    problem = approved.problem_of("curves-looks", lambda: told(qapp))
    assert not problem, problem
