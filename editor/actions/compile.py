"""Compiled clips: make them, look at them beside the original, save them; and fewer keys for a whole clip."""

from core.tracks.places import KeyPlaces
from editor.actions.action import Action
from editor.actions.reasons import needs_clip, needs_rig
from editor.model.compile_state import Compiling
from editor.model.i18n import tr
from editor.model.key_places import choices, choose, key_places
from editor.model.session import Session


def _can_compile(session: Session) -> str:
    return needs_rig(session) or session.feature(Compiling).why_not


def _can_compare(session: Session) -> str:
    compare = session.feature(Compiling).compare
    return needs_clip(session) or ("" if compare.on else compare.why_not)


def _can_save(session: Session) -> str:
    return needs_rig(session) or ("" if session.feature(Compiling).saveable else tr("compile the clip first"))


def _can_colour(session: Session) -> str:
    return needs_clip(session) or (
        "" if session.feature(Compiling).fresh is not None else tr("compile the clip first")
    )


def _colour(session: Session) -> None:
    compare = session.feature(Compiling).compare
    compare.set_coloured(not compare.coloured)


def _places(places: KeyPlaces, title: str, tip: str) -> Action:
    return Action(
        f"keys.places_{places}", tr("Reduced and converted keys: {what}", what=title.lower()),
        lambda s: choose(s.preferences, places), checked=lambda s: key_places(s.preferences) is places, tip=tip,
    )  # fmt: skip


def actions() -> list[Action]:
    """The actions of the Clip menu that pack clips."""
    menu = tr("Clip")
    return [
        Action(
            "clip.reduce_keys", tr("Reduce keys…"), None, menu=menu, section="pack", enabled=needs_clip,
            tip=tr("Reduce the keys of the whole clip within a tolerance (mm), with preview"),
        ),
        *(_places(places, title, tip) for places, title, tip in choices()),
        Action(
            "compile.run", tr("Compile clip"), lambda s: s.feature(Compiling).compile(), menu=menu, section="pack",
            icon="compile", enabled=_can_compile, tip=tr("Pack clips for playing within an error bound"),
        ),
        Action(
            "compile.cancel", tr("Cancel compiling"), lambda s: s.feature(Compiling).cancel(),
            enabled=lambda s: "" if s.feature(Compiling).busy else tr("nothing is being compiled"),
        ),
        Action(
            "compile.compare", tr("Show compiled clip"), lambda s: s.feature(Compiling).compare.toggle(), ("C",),
            menu=menu, section="pack", enabled=_can_compare, checked=lambda s: s.feature(Compiling).compare.on,
            tip=tr("Toggle original (A) and compiled clip (B) in the viewport; hold to peek"),
        ),
        Action(
            "compile.colour", tr("Colour bones by error"), _colour, menu=menu, section="pack",
            enabled=_can_colour, checked=lambda s: s.feature(Compiling).compare.coloured,
        ),
        Action(
            "compile.save", tr("Save compiled clip…"), None, menu=menu, section="pack", icon="save",
            enabled=_can_save, tip=tr("Write the compiled clip as a .pwclip file")
        ),
    ]  # fmt: skip
