"""Timing without a panel: nudging keys, frames inserted and removed."""

from collections.abc import Callable

from editor.actions.action import Action
from editor.actions.reasons import needs_clip, needs_selection
from editor.model.i18n import tr
from editor.model.session import Session
from editor.tools import timing


def _needs_keys_or_bones(session: Session) -> str:
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


def actions() -> list[Action]:
    """The actions of Key › Timing."""
    menu = tr("Key") + "/" + tr("Timing")
    which = tr("Selected keys, or those of the selected bones at the playhead")
    return [
        Action(
            "timing.nudge_later", tr("Nudge keys later"), _nudge(1), ("Alt+Right",), menu=menu, section="nudge",
            icon="mdi6.arrow-right-thin", enabled=_needs_keys_or_bones, tip=tr("Nudge later: {which}", which=which),
        ),
        Action(
            "timing.nudge_earlier", tr("Nudge keys earlier"), _nudge(-1), ("Alt+Left",), menu=menu, section="nudge",
            icon="mdi6.arrow-left-thin", enabled=_needs_keys_or_bones, tip=tr("Nudge earlier: {which}", which=which),
        ),
        Action(
            "timing.nudge_later_fine", tr("Nudge keys a tenth of a frame later"), _nudge(1, True),
            ("Alt+Shift+Right",), menu=menu, section="nudge", enabled=_needs_keys_or_bones,
        ),
        Action(
            "timing.nudge_earlier_fine", tr("Nudge keys a tenth of a frame earlier"), _nudge(-1, True),
            ("Alt+Shift+Left",), menu=menu, section="nudge", enabled=_needs_keys_or_bones,
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
