"""Animation layers that are keyed: which one is in hand, and what is done to it."""

from collections.abc import Callable

from core.blending.layer_stack import LayerMode
from editor.actions.action import Action
from editor.actions.reasons import needs_clip, needs_clip_itself, needs_keys
from editor.model.blending.layer_hand import LayerHand
from editor.model.blending.layer_verbs import LayerVerbs
from editor.model.blending.state import Blending
from editor.model.i18n import tr
from editor.model.session import Session


def _needs_layers(session: Session) -> str:
    clip = session.evaluator.layered_clip
    stack = session.evaluator.layers.stack(clip.id) if clip is not None else None
    return needs_clip(session) or ("" if stack is not None else tr("the clip has no layers"))


def _needs_hand(session: Session) -> str:
    return _needs_layers(session) or (
        "" if session.playback.below is not None else tr("take a layer in hand first")
    )


def _needs_layers_and_bones(session: Session) -> str:
    return _needs_layers(session) or (
        "" if session.selection.bones else tr("select the bones of the mask first")
    )


def _hand(work: Callable[[LayerHand], object]) -> Callable[[Session], object]:
    return lambda session: work(session.feature(Blending).hand)


def _verb(work: Callable[[LayerVerbs], object]) -> Callable[[Session], object]:
    return lambda session: work(session.feature(Blending).layer_verbs)


def _on_clip(session: Session) -> str:
    """The clip itself has keys and is in hand."""
    clip = session.clip
    return needs_clip_itself(session) or (
        "" if clip is not None and clip.tracks else tr("the clip has no keys")
    )


def _on_clip_with_keys(session: Session) -> str:
    return _on_clip(session) or needs_keys(session)


def _toggle_result(session: Session) -> None:
    layers = session.evaluator.layers
    layers.result = not layers.result


def _is(part: str) -> Callable[[Session], bool]:
    """Whether the layer that a verb is about is muted, or solo."""

    def is_it(session: Session) -> bool:
        blending = session.feature(Blending)
        stack = blending.layers.stack
        return stack is not None and bool(getattr(stack.layers[blending.hand.aimed()], part))

    return is_it


def actions() -> list[Action]:
    """Declare them."""
    menu = tr("Blend") + "/" + tr("Layers")
    return [
        Action(
            "layer.new_additive", tr("New additive layer"), _hand(lambda h: h.new(LayerMode.ADDITIVE)),
            ("Ctrl+Alt+A",), menu=menu, section="new", icon="layers", enabled=needs_clip,
            tip=tr("Add an empty animation layer and key it: its keys are added to what is below"),
        ),
        Action(
            "layer.new_override", tr("New override layer"), _hand(lambda h: h.new(LayerMode.OVERRIDE)),
            ("Ctrl+Alt+O",), menu=menu, section="new", enabled=needs_clip,
            tip=tr("Add an empty animation layer and key it: its keyed channels replace what is below"),
        ),
        Action(
            "layer.above", tr("Key the layer above"), _hand(lambda h: h.step(1)), ("Alt+PgUp",), menu=menu,
            section="hand", enabled=_needs_layers, tip=tr("Take the layer above in hand: it receives every key"),
        ),
        Action(
            "layer.below", tr("Key the layer below"), _hand(lambda h: h.step(-1)), ("Alt+PgDown",), menu=menu,
            section="hand", enabled=_needs_hand,
            tip=tr("Take the layer below in hand; below the lowest is the clip itself"),
        ),
        Action(
            "layer.leave", tr("Key the clip itself"), _hand(lambda h: h.leave()), ("Alt+Home",), menu=menu,
            section="hand", enabled=_needs_hand, tip=tr("Keys go to the clip again, below its layers"),
        ),
        Action(
            "layer.mute", tr("Mute the layer"), _hand(lambda h: h.mute()), ("Ctrl+Alt+H",), menu=menu,
            section="state", enabled=_needs_layers, checked=_is("muted"),
            tip=tr("Leave out the layer in hand (else the highest); its keys stay"),
        ),
        Action(
            "layer.solo", tr("Solo the layer"), _hand(lambda h: h.solo()), ("Ctrl+Alt+S",), menu=menu,
            section="state", enabled=_needs_layers, checked=_is("solo"),
            tip=tr("Show the layer in hand (else the highest) without the others"),
        ),
        Action(
            "layer.mask", tr("Mask the layer to the selected bones"), _hand(lambda h: h.mask_selection()),
            ("Ctrl+Alt+B",), menu=menu, section="state", enabled=_needs_layers_and_bones,
            tip=tr("The layer in hand (else the highest) reaches the selected bones only"),
        ),
        Action(
            "layer.key_weight", tr("Key the layer's weight"), _hand(lambda h: h.key_weight()), ("Ctrl+Alt+W",),
            menu=menu, section="state", enabled=_needs_layers,
            tip=tr("Key the weight of the layer in hand (else the highest) at the playhead; its curve is in the "
                   "Layers panel"),
        ),
        Action(
            "layer.neutral", tr("Key the layer neutral"), _hand(lambda h: h.key_neutral()), ("Ctrl+Alt+Z",),
            menu=menu, section="hand", enabled=_needs_hand,
            tip=tr("Zero key: at the playhead the layer changes nothing, so that later keys leave earlier frames "
                   "as they are"),
        ),
        Action(
            "layer.merge_down", tr("Merge the layer down"), _verb(lambda v: v.merge_down()), ("Ctrl+Alt+J",), menu=menu,
            section="merge", enabled=_needs_layers,
            tip=tr("Merge the layer in hand (else the highest) with what is right below it; what is shown stays"),
        ),
        Action(
            "layer.merge_all", tr("Merge all layers into the clip"), _verb(lambda v: v.merge_all()),
            ("Ctrl+Alt+Shift+J",), menu=menu, section="merge", enabled=_needs_layers,
            tip=tr("Flatten: bake every layer into the clip's keys"),
        ),
        Action(
            "layer.extract_keys", tr("Extract selected keys to a layer"), _verb(lambda v: v.extract_keys()),
            ("Ctrl+Alt+X",), menu=menu, section="merge", enabled=_on_clip_with_keys,
            tip=tr("Move the selected keys into a new override layer; the clip keeps the others, what is shown stays"),
        ),
        Action(
            "layer.extract_range", tr("Extract range to a layer"), _verb(lambda v: v.extract_range()),
            ("Ctrl+Alt+Shift+X",), menu=menu, section="merge", enabled=_on_clip,
            tip=tr("Move the keys of the selected bones (all without a selection) in the play range into a new "
                   "override layer"),
        ),
        Action(
            "layer.split", tr("Split base and delta"), _verb(lambda v: v.split()), ("Ctrl+Alt+D",), menu=menu,
            section="merge", enabled=_on_clip,
            tip=tr("The clip keeps the selected keys and the ends of the range; an additive layer gets the rest of "
                   "the motion"),
        ),
        Action(
            "layer.reduce", tr("Reduce the layer's keys"), _verb(lambda v: v.reduce()), ("Ctrl+Alt+R",), menu=menu,
            section="merge", enabled=_needs_layers,
            tip=tr("Remove keys of the layer in hand (else the highest) within half a millimetre"),
        ),
        Action(
            "layer.result", tr("Curve editor: result of all layers"), _toggle_result, ("Ctrl+Alt+Shift+L",), menu=menu,
            section="hand", enabled=_needs_hand, checked=lambda s: s.evaluator.layers.result,
            tip=tr("Show what all layers make together in place of the layer's own curves; only to look at"),
        ),
    ]  # fmt: skip
