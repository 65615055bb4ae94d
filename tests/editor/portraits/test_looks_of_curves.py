"""What the picture of the curves is made of in each state, and what they follow of what is done elsewhere."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication

from core.clips.clip import Channel, Property
from core.timing import FrameRate
from core.tracks.components import Reading
from core.tracks.keys import Extrapolation, Interpolation, TangentMode
from editor.model.channels import curve_channel
from editor.panels.curves.key_image import KeyImage
from editor.panels.curves.space import Layout
from editor.tools.curves.lanes import Lane
from tests.editor.panels.curves.curve_stage import CLIP, TURN, X, Y, Z
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


# ------------------------------------------------------------ done elsewhere
def elsewhere(hand: CurveHand) -> None:
    """Bones, flags, switches, the clip and its time, changed outside the curve editor."""
    session, view, lanes = hand.session, hand.model.view, hand.model.lanes
    selection, switches, playback = session.selection, session.switches, session.playback
    wide = view.values.zoomed(0.7, 100.0)
    lanes.set_flag("hidden", ())
    hand.begin()
    for name, deed in (
        ("the hand", lambda: selection.select(["hand"])), ("both", lambda: selection.select(["hand", "arm"])),
        ("none", lambda: selection.select([])), ("a bone without keys", lambda: selection.select(["elbow"])),
        ("a hidden bone", lambda: selection.set_flag("hidden", ["arm"])),
        ("shown again", lambda: selection.set_flag("hidden", [])),
        ("a locked bone", lambda: selection.set_flag("locked", ["arm"])),
        ("open again", lambda: selection.set_flag("locked", [])),
        ("other keys", lambda: selection.select_keys({Y: [0]})),
        ("a part is played", lambda: playback.set_range(0.5, 1.0)), ("another time", lambda: playback.seek(1.3)),
        ("names of bones", lambda: switches.toggle("names")),
        ("longer", lambda: session.clips.set_length(session.clip.id, 4.0)),
        ("another rate", lambda: session.edits.put("rate", replace(session.clip, rate=FrameRate.of(24)))),
        ("tried", lambda: session.preview.set_clip(session.clip.with_tracks({Y: session.clip.tracks[X]}))),
        ("not kept", session.preview.clear),
        ("steps back", lambda: session.undo()),
    ):  # fmt: skip
        hand.do(name, deed, back=name not in ("tried",))
    session.bone_label = str.upper  # as of a rig whose bones all begin alike
    hand.do("short names", lambda: switches.toggle("short_names"))
    del session.bone_label
    switches.toggle("short_names")
    hand.lines.append("=== values fitted to what is selected, or not")
    for on in (True, False):
        switches.set("fit_curves", on)
        view.set_axes(view.axis, wide)
        hand.settle()
        hand.do(f"{on}: the hand", lambda: selection.select(["hand"]), back=False)
        view.set_axes(view.axis, wide)
        hand.settle()
        hand.do(f"{on}: the arm", lambda: selection.select(["arm"]), back=False)
    view.set_axes(view.axis, wide)
    hand.do("switched on", lambda: switches.set("fit_curves", True), back=False)
    view.set_axes(view.axis, wide)
    hand.do("switched off", lambda: switches.set("fit_curves", False))
    hand.lines.append("=== out of sight meanwhile")
    hand.stage.panel.hide()
    view.set_axes(view.axis, view.values.panned(900.0))
    hand.do("in sight again", hand.stage.panel.show)
    hand.do("no clip", lambda: playback.set_clip(None, session.rig.id), back=False)
    hand.do("a clip", lambda: playback.set_clip(CLIP, session.rig.id), back=False)


def followed(qapp: QApplication) -> list[str]:
    with curves(qapp) as hand:
        elsewhere(hand)
        return hand.lines


def test_curves_follow_what_is_done_elsewhere_as_approved(qapp) -> None:
    problem = approved.problem_of("curves-elsewhere", lambda: followed(qapp))
    assert not problem, problem
