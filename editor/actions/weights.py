"""Morphs and named curves."""

from editor.actions.action import Action
from editor.actions.reasons import needs_clip, needs_rig
from editor.model.i18n import tr
from editor.model.session import Session


def _selected(session: Session) -> str:
    return needs_clip(session) or (
        "" if session.selection.weights else tr("select a slider in the Morphs panel first")
    )


def _all(session: Session) -> None:
    session.selection.select_weights(session.keying.weight_channels())


def actions() -> list[Action]:
    """The actions of morphs and named curves."""
    menu = tr("Key") + "/" + tr("Morphs and curves")
    return [
        Action(
            "weights.set_key", tr("Set key on morphs and curves"),
            lambda s: s.keying.set_key((), "used", s.selection.weights or s.keying.weight_channels()),
            menu=menu, section="keys", enabled=needs_rig,
            tip=tr("Key the selected sliders (all without a selection): morph targets, blend shapes, shape keys"),
        ),
        Action(
            "weights.delete_key", tr("Delete keys of selected morphs and curves at playhead"),
            lambda s: s.keying.delete_keys((), s.selection.weights), menu=menu, section="keys", enabled=_selected,
        ),
        Action(
            "weights.select_all", tr("Select all morphs and curves"), _all, menu=menu, section="select",
            enabled=needs_rig, tip=tr("Shows their rows in the dope sheet; S keys them"),
        ),
        Action(
            "weights.add_curve", tr("Add named curve…"), None, menu=menu, section="curves", enabled=needs_clip,
            tip=tr("A float curve of the clip that drives pose assets, IK weights, or values in the game"),
        ),
    ]  # fmt: skip
