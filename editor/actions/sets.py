"""Bone sets: selecting, making, changing and isolating them; selecting by colour, key type and movement."""

from collections.abc import Callable
from functools import partial

from core.clips.moving_bones import bones_with_keys, frames_between, moving_bones
from core.rig.rig import Rig
from core.rig.set_color import SetColor
from core.tracks.key_types import KeyType
from editor.actions.action import Action, Scope
from editor.actions.reasons import needs_bones, needs_clip, needs_rig
from editor.model.bone_sets import BoneSets
from editor.model.i18n import tr
from editor.model.selection import Mode
from editor.model.session import Session
from editor.tools import blocking

NUMBERS = range(1, 10)
"""Sets that number keys select."""
COLOR_NAMES = {
    SetColor.RED: tr("Red"), SetColor.ORANGE: tr("Orange"), SetColor.YELLOW: tr("Yellow"),
    SetColor.GREEN: tr("Green"), SetColor.TEAL: tr("Teal"), SetColor.BLUE: tr("Blue"),
    SetColor.PURPLE: tr("Purple"), SetColor.PINK: tr("Pink"), SetColor.GRAY: tr("Gray"),
}  # fmt: skip


def _sets(session: Session) -> BoneSets:
    return session.feature(BoneSets)


# ------------------------------------------------------------ reasons
def _needs_number(number: int) -> Callable[[Session], str]:
    def reason(session: Session) -> str:
        few = len(_sets(session).names) < number
        return needs_rig(session) or (tr("there is no bone set {number}", number=number) if few else "")

    return reason


def _needs_set(session: Session) -> str:
    """A set is in hand."""
    sets = _sets(session)
    if needs_rig(session) or sets.in_hand:
        return needs_rig(session)
    return tr("click a bone set first") if sets.names else tr("make a bone set of selected bones first")


def _needs_set_and_bones(session: Session) -> str:
    return _needs_set(session) or needs_bones(session)


def _needs_color(session: Session) -> str:
    found = needs_bones(session)
    return found or (
        "" if _sets(session).colors_of_selection() else tr("the selected bones are in no bone set")
    )


def _needs_set_of(color: SetColor) -> Callable[[Session], str]:
    def reason(session: Session) -> str:
        sets = _sets(session)
        some = any(sets.color(name) is color for name in sets.names)
        return needs_rig(session) or ("" if some else tr("no bone set has this color"))

    return reason


def _others(session: Session) -> tuple[Rig, ...]:
    return tuple(rig for rig in session.document.project.rigs if rig is not session.rig and rig.bone_sets)


def _needs_others(session: Session) -> str:
    return needs_rig(session) or ("" if _others(session) else tr("no other character has bone sets"))


# ------------------------------------------------------------ work
def _select_number(session: Session, number: int, mode: Mode) -> None:
    sets = _sets(session)
    sets.select(sets.names[number - 1], mode)


def _select_color(session: Session, color: SetColor) -> None:
    _sets(session).select_colors((color,))


def _on_set(work: Callable[[BoneSets, str], object]) -> Callable[[Session], object]:
    return lambda session: work(_sets(session), _sets(session).in_hand)


def _carry(session: Session) -> None:
    if not _sets(session).carry(_others(session)):
        session.messages.info(tr("No bone set of another character has bones of these names"))


def _select_moving(session: Session) -> None:
    rig, playback, evaluator = session.rig, session.playback, session.evaluator
    pipeline = evaluator.pipeline
    if rig is None or pipeline is None:
        return
    start, end = playback.span
    times = frames_between(playback.rate, start, end)
    moves = moving_bones(lambda some: pipeline.sample_many(some).local, times)
    _select_found(
        session, [rig.skeleton.names[bone] for bone in moves], tr("No bone moves in the play range")
    )


def _select_keyed(session: Session, kind: KeyType) -> None:
    rig, clip = session.rig, session.clip
    if rig is None or clip is None:
        return
    found = bones_with_keys(clip, (kind,), session.playback.span)
    none = tr("No bone has a key of this type in the play range")
    _select_found(session, [name for name in rig.skeleton.names if name in found], none)


def _select_found(session: Session, bones: list[str], none: str) -> None:
    session.selection.select([bone for bone in bones if session.selection.pickable(bone)])
    if not bones:
        session.messages.info(none)


# ------------------------------------------------------------ declarations
def actions() -> list[Action]:
    """The actions of Select › Bone sets and of selecting by what bones have."""
    return [*_numbered(), *_edits(), *_by()]


def _numbered() -> list[Action]:
    menu, view = tr("Select") + "/" + tr("Bone sets"), Scope.VIEW
    return [
        *(
            Action(
                f"set.select_{number}", tr("Select bone set {number}", number=number),
                partial(_select_number, number=number, mode=Mode.REPLACE), (str(number),), view, menu, "numbers",
                enabled=_needs_number(number), tip=tr("Select the bones of set {number}", number=number),
            )
            for number in NUMBERS
        ),
        *(
            Action(
                f"set.add_{number}", tr("Add bone set {number} to the selection", number=number),
                partial(_select_number, number=number, mode=Mode.ADD), (f"Shift+{number}",), view,
                enabled=_needs_number(number),
            )
            for number in NUMBERS
        ),
    ]  # fmt: skip


def _edits() -> list[Action]:
    menu, view = tr("Select") + "/" + tr("Bone sets"), Scope.VIEW
    return [
        Action(
            "set.new", tr("New bone set"), lambda s: _sets(s).make(), ("Shift+N",), view, menu, "make",
            enabled=needs_bones, tip=tr("Make a set of the selected bones: a colored chip over the bone tree"),
        ),
        Action(
            "set.add_bones", tr("Add to bone set"), _on_set(BoneSets.add), ("Alt+=",), view, menu, "make",
            enabled=_needs_set_and_bones, tip=tr("Add the selected bones to the set in hand, chosen last"),
        ),
        Action(
            "set.remove_bones", tr("Remove from bone set"), _on_set(BoneSets.remove), ("Alt+-",), view, menu,
            "make", enabled=_needs_set_and_bones, tip=tr("Remove the selected bones from the set in hand"),
        ),
        Action(
            "set.rename", tr("Rename bone set…"), None, ("Ctrl+Shift+N",), view, menu, "change", enabled=_needs_set,
        ),
        Action(
            "set.next_color", tr("Next color of bone set"), _on_set(BoneSets.next_color), ("Alt+Shift+C",), view,
            menu, "change", enabled=_needs_set,
        ),
        Action(
            "set.delete", tr("Delete bone set"), _on_set(BoneSets.delete), ("Ctrl+Alt+Shift+N",), view, menu,
            "change", enabled=_needs_set, tip=tr("Delete the set in hand; its bones stay"),
        ),
        Action(
            "set.isolate", tr("Isolate bone set"), _on_set(BoneSets.isolate), ("N",), view, menu, "show",
            enabled=_needs_set, tip=tr("Show only the bones of the set in hand, or all bones again"),
        ),
        Action(
            "view.set_colors", tr("Colors of bone sets"), lambda s: s.switches.toggle("set_colors"),
            ("Ctrl+Shift+C",), view, tr("View") + "/" + tr("Show"), "show", checked=lambda s: s.switches["set_colors"],
            tip=tr("Show bones in the color of their set; in several sets, of the smallest"),
        ),
        Action(
            "view.marking_menu", tr("Marking menu"), None, ("D",), view, tr("View"), "marking",
            tip=tr("Hold the key and move in a direction: tools, keys, mirror, bone sets"),
        ),
        Action(
            "set.carry", tr("Copy bone sets from other characters"), _carry, (), view, menu, "show",
            enabled=_needs_others, tip=tr("Take the sets of the document's other characters, by names of bones"),
        ),
    ]  # fmt: skip


def _by() -> list[Action]:
    menu, view = tr("Select") + "/" + tr("By"), Scope.VIEW
    return [
        Action(
            "select.moving", tr("Select moving bones"), _select_moving, ("Alt+Shift+M",), view, menu, "moving",
            enabled=needs_clip, tip=tr("Select the bones that change in the play range"),
        ),
        Action(
            "select.same_color", tr("Select same color"),
            lambda s: _sets(s).select_colors(_sets(s).colors_of_selection()), ("Shift+C",), view, menu, "color",
            enabled=_needs_color, tip=tr("Select all bone sets of the colors that the selected bones have"),
        ),
        *(
            Action(
                f"select.color_{color}", tr("Select by color: {what}", what=title.lower()),
                partial(_select_color, color=color), (), view, menu, "color",
                enabled=_needs_set_of(color),
            )
            for color, title in COLOR_NAMES.items()
        ),
        *(
            Action(
                f"select.keyed_{kind.name.lower()}", tr("Select bones by key type: {what}", what=title.lower()),
                partial(_select_keyed, kind=kind), (f"Ctrl+Alt+{int(kind) + 1}",), view, menu, "type",
                enabled=needs_clip, tip=tr("Select the bones that have such a key in the play range"),
            )
            for kind, title in blocking.TITLES.items()
        ),
    ]  # fmt: skip
