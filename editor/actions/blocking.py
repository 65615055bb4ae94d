"""Blocking: the stepped view, tangents of new keys, the spline pass, key types, poses held and swapped."""

from collections.abc import Callable
from functools import partial

from core.clips.new_keys import NewTangents
from core.tracks.key_types import KeyType
from core.tracks.keys import TangentMode
from editor.actions.action import Action
from editor.actions.reasons import needs_clip
from editor.actions.timing import needs_keys_or_bones
from editor.model import new_keys
from editor.model.blocking import STEPS, Blocking
from editor.model.i18n import tr
from editor.model.key_filter import KeyFilter
from editor.model.session import Session
from editor.model.tangent_modes import MODES
from editor.tools import blocking

SPLINES = (TangentMode.CLAMPED, TangentMode.AUTO, TangentMode.FLAT, TangentMode.LINEAR)


def _toggle(session: Session) -> None:
    view = session.feature(Blocking)
    view.set(not view.on)


def _holds(frames: int) -> Callable[[Session], bool]:
    return lambda s: s.feature(Blocking).frames == frames


def _hold_for(session: Session, frames: int) -> None:
    view = session.feature(Blocking)
    view.hold_for(frames)
    view.set(True)


def _is_chosen(choice: NewTangents) -> Callable[[Session], bool]:
    return lambda s: new_keys.chosen(s.preferences) is choice


def _with(work: Callable[..., object], *values: object) -> Callable[[Session], object]:
    return lambda session: partial(work, session)(*values)


def _view() -> list[Action]:
    menu = tr("Key") + "/" + tr("Blocking")
    return [
        Action(
            "blocking.view", tr("Blocking view"), _toggle, ("Ctrl+Shift+B",), menu=menu, section="view",
            icon="mdi6.stairs", enabled=needs_clip, checked=lambda s: s.feature(Blocking).on,
            tip=tr("Show the clip in steps, pose by pose. No key changes, and exports stay as they are"),
        ),
        Action(
            "blocking.strip", tr("Show the pose strip"), lambda s: s.switches.toggle("pose_strip"), ("Shift+B",),
            menu=menu, section="view", checked=lambda s: s.switches["pose_strip"],
            tip=tr("Pose strip: thumbnails of the key poses over the timeline, to retime, copy and swap"),
        ),
        *(
            Action(
                f"blocking.hold_{frames or 'poses'}", tr("Blocking view: {how}", how=title.lower()),
                _with(_hold_for, frames), menu=menu, section="hold", enabled=needs_clip, checked=_holds(frames),
                tip=tr("Hold each key pose until the next one") if not frames
                else tr("Hold each pose for {frames} frames", frames=frames),
            )
            for frames, title in STEPS.items()
        ),
    ]  # fmt: skip


def _tangents() -> list[Action]:
    menu, every = tr("Key") + "/" + tr("New keys"), new_keys.TITLES
    spline = tr("Key") + "/" + tr("Blocking")
    return [
        Action(
            "key.next_tangents", tr("New keys: next tangents"), blocking.next_tangents, ("Alt+N",), menu=menu,
            section="next", tip=tr("Go through the tangents that new keys get"),
        ),
        *(
            Action(
                f"key.tangents_{choice}", tr("New keys: {what}", what=title.lower()),
                _with(blocking.choose_tangents, choice), menu=menu, section="which", checked=_is_chosen(choice),
                tip=_TIPS[choice],
            )
            for choice, title in every.items()
        ),
        Action(
            "blocking.spline", tr("Spline pass"), blocking.spline, ("Alt+L",), menu=spline, section="spline",
            enabled=needs_clip,
            tip=tr("Turn stepped keys to the tangents of new keys (clamped where these step), over the selected keys,"
                   " else those of the selected bones in the play range or the clip. Nothing outside changes"),
        ),
        Action(
            "blocking.plants", tr("Spline pass keeps planted feet"), blocking.toggle_plants, menu=spline,
            section="spline", checked=blocking.plants,
            tip=tr("Feet that stand still on the ground from one pose to the next stay there: legs get in-betweens"),
        ),
        Action(
            "blocking.plant_feet", tr("Plant feet between poses"), blocking.plant_feet, menu=spline,
            section="spline", enabled=needs_clip,
            tip=tr("Keep feet that stand still on the ground from one pose to the next, and all soles over it, by"
                   " in-betweens on the legs; after poses have changed this works them out again"),
        ),
        *(
            Action(
                f"blocking.spline_{mode.name.lower()}", tr("Spline pass: {what}", what=MODES[mode].title.lower()),
                _with(blocking.spline, mode), menu=spline, section="spline", enabled=needs_clip,
                tip=tr("Turn stepped keys of the range to this tangent mode. Held poses stay flat"),
            )
            for mode in SPLINES
        ),
        Action(
            "blocking.step", tr("Back to stepped keys"), _with(blocking.spline, TangentMode.STEPPED), menu=spline,
            section="spline", enabled=needs_clip,
            tip=tr("Step all keys of the selected keys' span, the play range or the clip"),
        ),
    ]  # fmt: skip


_TIPS = {
    NewTangents.CURVE: tr("A new key goes on as the key before it does"),
    NewTangents.AUTO: tr("New keys are smooth; first and last keys go straight to their neighbour"),
    NewTangents.FLAT_ENDS: tr("New keys are smooth; first and last keys are flat"),
    NewTangents.CLAMPED: tr("New keys are smooth and never overshoot"),
    NewTangents.LINEAR: tr("New keys run straight to the next one"),
    NewTangents.STEPPED: tr("New keys hold until the next one: for blocking"),
}


def _show_only(session: Session, kind: KeyType | None) -> None:
    shown = session.feature(KeyFilter)
    shown.show_only(None if kind is shown.only else kind)


def _shows_only(kind: KeyType | None) -> Callable[[Session], bool]:
    return lambda s: s.feature(KeyFilter).only is kind


def _types() -> list[Action]:
    key = tr("Key")
    menu = key + "/" + tr("Key type")
    select, show = key + "/" + tr("Select keys by type"), key + "/" + tr("Show keys by type")
    return [
        *(
            Action(
                f"key_type.{kind.name.lower()}", tr("Key type: {what}", what=title.lower()),
                _with(blocking.set_type, kind), (f"Alt+{int(kind) + 1}",), menu=menu, section="set",
                enabled=needs_keys_or_bones, tip=_TYPE_TIPS[kind],
            )
            for kind, title in blocking.TITLES.items()
        ),
        *(
            Action(
                f"key_type.select_{kind.name.lower()}", tr("Select keys by type: {what}", what=title.lower()),
                _with(blocking.select_type, kind), menu=select, section="select", enabled=needs_clip,
                tip=tr("Of the selected bones, and of all without a selection"),
            )
            for kind, title in blocking.TITLES.items()
        ),
        *(
            Action(
                f"key_type.only_{kind.name.lower()}", tr("Show keys by type: only {what}", what=title.lower()),
                _with(_show_only, kind), menu=show, section="show", enabled=needs_clip, checked=_shows_only(kind),
                tip=tr("Keys of other types are neither drawn nor picked in the timeline; again shows all"),
            )
            for kind, title in blocking.TITLES.items()
        ),
        Action(
            "key_type.all", tr("Show keys by type: all"), _with(_show_only, None), menu=show, section="all",
            enabled=needs_clip, checked=_shows_only(None),
        ),
    ]  # fmt: skip


_TYPE_TIPS = {
    KeyType.KEY: tr("A pose of the plan"),
    KeyType.BREAKDOWN: tr(
        "How one pose turns into the next: keeps its proportion when the keys beside it move"
    ),
    KeyType.INBETWEEN: tr("Detail between poses: no pose of the Blocking view or the pose strip"),
    KeyType.EXTREME: tr("Where a movement turns"),
    KeyType.HOLD: tr("The end of a pose that is held: stays flat in the spline pass"),
}


def _poses() -> list[Action]:
    menu = tr("Key") + "/" + tr("Blocking")
    return [
        Action(
            "blocking.hold_pose", tr("Hold pose to the playhead"), blocking.hold_pose, ("Alt+D",), menu=menu,
            section="poses", enabled=needs_clip,
            tip=tr("Copy the pose before the playhead to the playhead, as keys of type hold"),
        ),
        Action(
            "blocking.swap_next", tr("Swap pose with the next"), _with(blocking.swap_with_neighbour, 1), ("Alt+X",),
            menu=menu, section="poses", enabled=needs_clip,
            tip=tr("The pose at the playhead and the next one change places"),
        ),
        Action(
            "blocking.swap_previous", tr("Swap pose with the previous"), _with(blocking.swap_with_neighbour, -1),
            ("Alt+Shift+X",), menu=menu, section="poses", enabled=needs_clip,
            tip=tr("The pose at the playhead and the one before change places"),
        ),
        Action(
            "blocking.pose_later", tr("Move pose later"), lambda s: blocking.nudge_pose(s, 1), ("Ctrl+Alt+Right",),
            menu=menu, section="retime", enabled=needs_clip,
            tip=tr("All keys of the pose at the playhead a frame later; breakdowns keep their proportion"),
        ),
        Action(
            "blocking.pose_earlier", tr("Move pose earlier"), lambda s: blocking.nudge_pose(s, -1),
            ("Ctrl+Alt+Left",), menu=menu, section="retime", enabled=needs_clip,
            tip=tr("All keys of the pose at the playhead a frame earlier; breakdowns keep their proportion"),
        ),
    ]  # fmt: skip


def actions() -> list[Action]:
    """The actions of Key › Blocking, Key › New keys and Key › Key type."""
    return [*_tangents(), *_view(), *_poses(), *_types()]
