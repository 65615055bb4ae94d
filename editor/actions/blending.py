"""Blend spaces and layers."""

from editor.actions.action import Action
from editor.actions.reasons import needs_rig
from editor.model.blending.export import export_grid, export_path
from editor.model.i18n import tr
from editor.model.session import Session


def _can_play(session: Session) -> str:
    return needs_rig(session) or session.blending.live.why


def _has_space(session: Session) -> str:
    found = session.blending.spaces.committed
    return needs_rig(session) or ("" if found is not None else tr("make a blend space first"))


def _has_preview(session: Session) -> str:
    return "" if session.evaluator.source is not None else tr("the clip itself is displayed")


def _has_path(session: Session) -> str:
    live = session.blending.live
    return _can_play(session) or ("" if live.path is not None else tr("record a path first"))


def _has_layers(session: Session) -> str:
    clip = session.clip
    stack = session.evaluator.layers.stack(clip.id) if clip is not None else None
    return needs_rig(session) or ("" if stack is not None else tr("the clip has no layers"))


def _toggle_layers(session: Session) -> None:
    session.evaluator.layers.shown = not session.evaluator.layers.shown


def actions() -> list[Action]:
    """Declare them."""
    blend = tr("Blend")
    return [
        Action(
            "blend.new_line", tr("New 1D blend space"), lambda s: s.blending.spaces.new("line"), menu=blend,
            section="new", icon="add", enabled=needs_rig,
        ),
        Action(
            "blend.new_plane", tr("New 2D blend space"), lambda s: s.blending.spaces.new("plane"), menu=blend,
            section="new", enabled=needs_rig,
        ),
        Action(
            "blend.new_aim", tr("New aim offset"), lambda s: s.blending.spaces.new("aim"), menu=blend,
            section="new", enabled=needs_rig,
        ),
        Action(
            "blend.play", tr("Play or pause the blend"), lambda s: s.blending.live.toggle(), menu=blend,
            section="play", enabled=_can_play, checked=lambda s: s.blending.live.running,
        ),
        Action(
            "blend.stop", tr("Stop the preview"), lambda s: s.stop_preview(), menu=blend, section="play",
            enabled=_has_preview, tip=tr("Show the clip again instead of the blend space or the retarget"),
        ),
        Action(
            "blend.record", tr("Record the point's path"), lambda s: s.blending.live.record(), menu=blend,
            section="play", enabled=_can_play, checked=lambda s: s.blending.live.recording,
        ),
        Action(
            "blend.replay", tr("Replay the path"), lambda s: s.blending.live.replay(), menu=blend,
            section="play", enabled=_has_path, checked=lambda s: s.blending.live.replaying,
        ),
        Action(
            "blend.analyse", tr("Analyse clips"), lambda s: s.blending.spaces.analyse(), menu=blend,
            section="change", enabled=_has_space,
            tip=tr("Place samples by their clips' measured speed and direction"),
        ),
        Action(
            "blend.bake", tr("Bake path or point to a clip"), export_path, menu=blend, section="bake",
            enabled=_can_play,
        ),
        Action(
            "blend.bake_grid", tr("Bake every grid point to clips"), export_grid, menu=blend, section="bake",
            enabled=_can_play,
        ),
        Action(
            "blend.layers", tr("Show layers"), _toggle_layers, menu=blend, section="layers", enabled=_has_layers,
            checked=lambda s: s.evaluator.layers.shown,
        ),
    ]  # fmt: skip
