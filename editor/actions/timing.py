"""Timing without a panel: nudging keys, frames inserted and removed."""

from collections.abc import Callable

from core.tracks.shaping import Shape
from editor.actions.action import Action
from editor.actions.reasons import needs_clip, needs_selection
from editor.model.i18n import tr
from editor.model.session import Session
from editor.tools import shaping, timing


def needs_keys_or_bones(session: Session) -> str:
    """Keys are selected, or bones whose keys at the playhead can be meant."""
    found = needs_clip(session)
    if found or session.selection.keys or session.selection.bones or session.selection.weights:
        return found
    return tr("select keys or bones first")


def _needs_tracks(session: Session) -> str:
    return needs_clip(session) or needs_selection(session)


def _nudge(direction: int, fine: bool = False) -> Callable[[Session], bool]:
    return lambda s: timing.nudge(s, direction * (timing.SUB_FRAME if fine else float(timing.step(s))))


def _put(direction: int, everywhere: bool = True) -> Callable[[Session], bool]:
    return lambda s: timing.put_frames(s, direction * timing.step(s), everywhere)


def _has_length(session: Session) -> str:
    clip = session.clip
    return needs_clip(session) or (
        "" if clip is not None and clip.length > 0.0 else tr("the clip has no length")
    )


def _align(value: float, what: str) -> Callable[[Session], bool]:
    return lambda s: shaping.apply(s, Shape.TWEEN_NEIGHBOUR, value, what)


def _slider() -> list[Action]:
    """The timing bar and its modes, which the timeline binds."""
    menu = tr("Key") + "/" + tr("Timing bar")
    return [
        Action(
            "timing.bar", tr("Show the timing bar"), lambda s: s.switches.toggle("timing_bar"), ("Ctrl+B",), menu=menu,
            section="bar", checked=lambda s: s.switches["timing_bar"],
            tip=tr("Timing bar: tween, blend, scale, smooth, noise and cascade by a slider over the timeline"),
        ),
        *(
            Action(
                f"timing_mode.{mode.id}", tr("Timing bar: {what}", what=mode.title.lower()), None,
                ("Ctrl+T",) if mode.id == Shape.TWEEN else (), menu=menu, section=mode.group, enabled=needs_clip,
                tip=mode.tip,
            )
            for mode in shaping.MODES.values()
        ),
        Action(
            "timing.keep_buffer", tr("Keep curves as buffer"), shaping.keep_buffer, menu=menu, section="buffer",
            enabled=needs_clip, tip=tr("Keep the clip's curves as they are now, to blend toward them later"),
        ),
    ]  # fmt: skip


def _keys() -> list[Action]:
    """One press each."""
    menu = tr("Key") + "/" + tr("Timing")
    return [
        *(
            Action(
                f"timing.align_{side}", title, _align(value, title), (), menu=menu, section="align",
                enabled=needs_keys_or_bones, tip=tip,
            )
            for side, value, title, tip in (
                (
                    "previous", -100.0, tr("Align to previous key"),
                    tr("Give the selected keys, or the bones at the playhead, the values of the previous keys"),
                ),
                (
                    "next", 100.0, tr("Align to next key"),
                    tr("Give the selected keys, or the bones at the playhead, the values of the next keys"),
                ),
            )
        ),
        Action(
            "timing.share_keys", tr("Share keys"), timing.share_keys, (), menu=menu, section="times",
            enabled=needs_clip, tip=tr("Give the selected bones keys wherever one of them has any; no curve changes"),
        ),
        *(
            Action(
                f"timing.bake_{frames}", title, lambda s, frames=frames: timing.bake_on(s, frames), (), menu=menu,  # type: ignore[misc]
                section="times", enabled=_has_length,
                tip=tr("Keys every {frames} frames over the selected keys, the play range or the clip", frames=frames)
                if frames > 1
                else tr("A key on every frame over the selected keys, the play range or the clip"),
            )
            for frames, title in ((1, tr("Bake on 1s")), (2, tr("Bake on 2s")), (4, tr("Bake on 4s")))
        ),
    ]  # fmt: skip


def actions() -> list[Action]:
    """The actions of Key › Timing and of the timing bar."""
    return [*_steps(), *_keys(), *_slider()]


def _steps() -> list[Action]:
    """Nudges, and frames inserted and removed."""
    menu = tr("Key") + "/" + tr("Timing")
    which = tr("Selected keys, or those of the selected bones at the playhead")
    return [
        Action(
            "timing.nudge_later", tr("Nudge keys later"), _nudge(1), ("Alt+Right",), menu=menu, section="nudge",
            icon="mdi6.arrow-right-thin", enabled=needs_keys_or_bones, tip=tr("Nudge later: {which}", which=which),
        ),
        Action(
            "timing.nudge_earlier", tr("Nudge keys earlier"), _nudge(-1), ("Alt+Left",), menu=menu, section="nudge",
            icon="mdi6.arrow-left-thin", enabled=needs_keys_or_bones, tip=tr("Nudge earlier: {which}", which=which),
        ),
        Action(
            "timing.nudge_later_fine", tr("Nudge keys a tenth of a frame later"), _nudge(1, True),
            ("Alt+Shift+Right",), menu=menu, section="nudge", enabled=needs_keys_or_bones,
        ),
        Action(
            "timing.nudge_earlier_fine", tr("Nudge keys a tenth of a frame earlier"), _nudge(-1, True),
            ("Alt+Shift+Left",), menu=menu, section="nudge", enabled=needs_keys_or_bones,
        ),
        Action(
            "timing.insert_frames", tr("Insert frames"), _put(1), ("Ctrl+Right",), menu=menu, section="frames",
            icon="mdi6.table-column-plus-after", enabled=needs_clip,
            tip=tr("Insert frames after the playhead: keys, notifies, markers and contacts move, the clip gets longer"),
        ),
        Action(
            "timing.remove_frames", tr("Remove frames"), _put(-1), ("Ctrl+Left",), menu=menu, section="frames",
            icon="mdi6.table-column-remove", enabled=needs_clip,
            tip=tr("Remove frames between the playhead and the next key: no key is lost, the clip gets shorter"),
        ),
        Action(
            "timing.insert_frames_here", tr("Insert frames for the selected bones"), _put(1, False),
            ("Ctrl+Shift+Right",), menu=menu, section="frames", enabled=_needs_tracks,
            tip=tr("Insert frames after the playhead in the keys of the selected bones only"),
        ),
        Action(
            "timing.remove_frames_here", tr("Remove frames for the selected bones"), _put(-1, False),
            ("Ctrl+Shift+Left",), menu=menu, section="frames", enabled=_needs_tracks,
            tip=tr("Remove frames between the playhead and the next key of the selected bones only"),
        ),
    ]  # fmt: skip
