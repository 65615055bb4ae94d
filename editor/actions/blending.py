"""Blend spaces and layers."""

from collections.abc import Callable

from core.blending.layers import CurveRule
from editor.actions.action import Action
from editor.actions.reasons import needs_clip, needs_rig
from editor.model.blending import branches
from editor.model.blending.export import export_grid, export_path
from editor.model.blending.layers import CURVE_RULES
from editor.model.blending.state import Blending
from editor.model.i18n import tr
from editor.model.session import Session


def _can_play(session: Session) -> str:
    return needs_rig(session) or session.feature(Blending).live.why


def _has_space(session: Session) -> str:
    found = session.feature(Blending).spaces.committed
    return needs_rig(session) or ("" if found is not None else tr("create a blend space first"))


def _has_preview(session: Session) -> str:
    return "" if session.display.source is not None else tr("the clip itself is displayed")


def _has_path(session: Session) -> str:
    live = session.feature(Blending).live
    return _can_play(session) or ("" if live.recorder.path is not None else tr("record a path first"))


def _has_layers(session: Session) -> str:
    clip = session.evaluator.layered_clip
    stack = session.evaluator.layers.stack(clip.id) if clip is not None else None
    return needs_rig(session) or ("" if stack is not None else tr("the clip has no layers"))


def _toggle_layers(session: Session) -> None:
    session.evaluator.layers.shown = not session.evaluator.layers.shown


def _add_branch(depth: int) -> Callable[[Session], object]:
    """Adds filters for the selected bones to the highest layer."""

    def run(session: Session) -> None:
        edits = session.feature(Blending).layers
        number = len(edits.stack.layers) - 1 if edits.stack is not None else 0
        branches.add(edits, number, session.selection.in_order, depth)

    return run


def _in_model_space(session: Session) -> bool:
    stack = session.feature(Blending).layers.stack
    return stack is not None and stack.model_rotations


def _toggle_model_rotations(session: Session) -> None:
    session.feature(Blending).layers.set_model_rotations(not _in_model_space(session))


def _add_clip(session: Session) -> None:
    blending, clip = session.feature(Blending), session.clip
    if clip is not None:
        blending.spaces.add_measured(clip.id, blending.live.point)


def _has_layers_and_bone(session: Session) -> str:
    return _has_layers(session) or (
        "" if session.selection.bones else tr("select the bone where the branch begins")
    )


def _rule_is(rule: CurveRule) -> Callable[[Session], bool]:
    def is_it(session: Session) -> bool:
        stack = session.feature(Blending).layers.stack
        return stack is not None and stack.curves is rule

    return is_it


def _rule_action(rule: CurveRule, title: str, tip: str) -> Action:
    return Action(
        f"layers.curves_{rule}", tr("Curve rule of layers: {rule}", rule=tr(title)),
        lambda s: s.feature(Blending).layers.set_curve_rule(rule), menu=tr("Blend") + "/" + tr("Layers"),
        section="curves",
        enabled=_has_layers, checked=_rule_is(rule), tip=tr(tip),
    )  # fmt: skip


def _layer_actions() -> list[Action]:
    menu = tr("Blend") + "/" + tr("Layers")
    return [
        Action(
            "layers.branch", tr("Add branch filter to the highest layer"), _add_branch(1), menu=menu,
            section="branch", enabled=_has_layers_and_bone,
            tip=tr("Limit the layer to the selected bones and their descendants. For other layers use the "
                   "Layers panel"),
        ),
        Action(
            "layers.exclude", tr("Exclude branch from the highest layer (branch filter −1)"),
            _add_branch(branches.EXCLUDED), menu=menu, section="branch", enabled=_has_layers_and_bone,
            tip=tr("Exclude the selected bones and their descendants from the layer"),
        ),
        Action(
            "layers.model_rotations", tr("Model-space (mesh space) rotations of layers"), _toggle_model_rotations,
            menu=menu, section="space", enabled=_has_layers, checked=_in_model_space,
            tip=tr("Override layers keep their direction in model space, whatever their parent bones do"),
        ),
        *(_rule_action(rule, title, tip) for rule, (title, tip) in CURVE_RULES.items()),
    ]  # fmt: skip


def actions() -> list[Action]:
    """Declare them."""
    blend = tr("Blend")
    return [
        Action(
            "blend.new_line", tr("New 1D blend space"), lambda s: s.feature(Blending).spaces.new("line"), menu=blend,
            section="new", icon="add", enabled=needs_rig,
        ),
        Action(
            "blend.new_plane", tr("New 2D blend space"), lambda s: s.feature(Blending).spaces.new("plane"), menu=blend,
            section="new", enabled=needs_rig,
        ),
        Action(
            "blend.new_aim", tr("New aim offset"), lambda s: s.feature(Blending).spaces.new("aim"), menu=blend,
            section="new", enabled=needs_rig,
        ),
        Action(
            "blend.add_clip", tr("Add this clip to the blend space"), _add_clip, menu=blend, section="change",
            enabled=lambda s: _has_space(s) or needs_clip(s),
            tip=tr("At its measured speed and direction where the axes are called so, else at the point"),
        ),
        Action(
            "blend.play", tr("Play or pause the blend"), lambda s: s.feature(Blending).live.toggle(), menu=blend,
            section="play", enabled=_can_play, checked=lambda s: s.feature(Blending).live.running,
        ),
        Action(
            "blend.stop", tr("Stop the preview"), lambda s: s.stop_preview(), menu=blend, section="play",
            enabled=_has_preview, tip=tr("Show the clip again"),
        ),
        Action(
            "blend.record", tr("Record the point's path"), lambda s: s.feature(Blending).live.record(), menu=blend,
            section="play", enabled=_can_play, checked=lambda s: s.feature(Blending).live.recorder.recording,
        ),
        Action(
            "blend.replay", tr("Replay the path"), lambda s: s.feature(Blending).live.replay(), menu=blend,
            section="play", enabled=_has_path, checked=lambda s: s.feature(Blending).live.recorder.replaying,
        ),
        Action(
            "blend.analyse", tr("Analyse clips"), lambda s: s.feature(Blending).spaces.analyse(), menu=blend,
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
        *_layer_actions(),
    ]  # fmt: skip
