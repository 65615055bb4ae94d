"""Retargeting: sources, maps, and putting the result into the document."""

from collections.abc import Callable

from core.rig.rig import RetargetMode
from editor.actions.action import Action
from editor.actions.reasons import needs_rig
from editor.model.i18n import tr
from editor.model.retarget import proportions
from editor.model.retarget.state import Retargeting
from editor.model.session import Session


def _needs_source(session: Session) -> str:
    return needs_rig(session) or (
        "" if session.feature(Retargeting).subject.source is not None else tr("choose a source first")
    )


def _can_commit(session: Session) -> str:
    return needs_rig(session) or session.feature(Retargeting).computation.why_not


def _toggle_preview(session: Session) -> None:
    live = session.feature(Retargeting).live
    if live.on:
        live.stop()
    else:
        live.start()


def _toggle_picking(session: Session) -> None:
    session.feature(Retargeting).pick.set_picking(not session.feature(Retargeting).pick.picking)


def _toggle_place(session: Session) -> None:
    live = session.feature(Retargeting).live
    live.keep_place = not live.keep_place


def _has_chain(session: Session) -> str:
    chosen = session.feature(Retargeting).pick.chain is not None
    return _needs_source(session) or ("" if chosen else tr("select a chain in the map first"))


def actions() -> list[Action]:
    """Declare them."""
    menu = tr("Retarget")
    return [
        Action(
            "retarget.open", tr("Open retarget source…"), menu=menu, section="source", icon="open",
            enabled=needs_rig, tip=tr("Choose a file whose clips are retargeted to this character"),
        ),
        Action(
            "retarget.close", tr("Clear source"), lambda s: s.feature(Retargeting).clear(), menu=menu,
            section="source", enabled=_needs_source,
        ),
        Action(
            "retarget.preview", tr("Preview retarget"), _toggle_preview, menu=menu, section="look",
            icon="show", enabled=_needs_source, checked=lambda s: s.feature(Retargeting).live.on,
            tip=tr("Play source and result side by side"),
        ),
        Action(
            "retarget.keep_place", tr("Keep both in place"),
            _toggle_place, menu=menu, section="look", icon="in_place",
            checked=lambda s: s.feature(Retargeting).live.keep_place,
            tip=tr("Keep both characters in place instead of applying root motion"),
        ),
        Action(
            "retarget.alignment", tr("Show alignment"), lambda s: s.switches.toggle("alignment"), menu=menu,
            section="look", checked=lambda s: s.switches["alignment"],
            tip=tr("Draw where each chain points in the source's rest pose, and by how many degrees it was rotated"),
        ),
        Action(
            "retarget.propose", tr("Propose map again"), lambda s: s.feature(Retargeting).edits.propose(), menu=menu,
            section="map", icon="rest", enabled=_needs_source,
            tip=tr("Find chains by names and shape again; edits of the map are lost"),
        ),
        Action(
            "retarget.pick", tr("Pick chain bones"), _toggle_picking, menu=menu, section="map",
            icon="solo", enabled=_has_chain, checked=lambda s: s.feature(Retargeting).pick.picking,
            tip=tr("Click bones in both views to assign them to the selected chain; Esc ends"),
        ),
        Action(
            "retarget.add_chain", tr("Add chain"), lambda s: s.feature(Retargeting).edits.add_chain(), menu=menu,
            section="map", icon="add", enabled=_needs_source,
            tip=tr("Map the bones selected in both views to each other, such as props or tails"),
        ),
        Action(
            "retarget.remove_chain", tr("Remove chain"), _remove_chain, menu=menu, section="map",
            icon="delete", enabled=_has_chain, tip=tr("Remove the selected chain from the map"),
        ),
        Action(
            "retarget.load_map", tr("Load map…"), menu=menu, section="files", icon="import",
            enabled=_needs_source, tip=tr("Load a chain map from a JSON file"),
        ),
        Action(
            "retarget.save_map", tr("Save map…"), menu=menu, section="files", icon="save",
            enabled=_needs_source, tip=tr("Save the chain map as JSON, for this panel and the command line"),
        ),
        Action(
            "retarget.contacts", tr("Detect contacts again"), lambda s: s.feature(Retargeting).edits.set_spans(None),
            menu=menu, section="contacts", icon="rest", enabled=_needs_source,
            tip=tr("Discard the edits of contact spans"),
        ),
        Action(
            "retarget.commit", tr("Retarget clip"), lambda s: s.feature(Retargeting).outcome.commit(), menu=menu,
            section="do", icon="retarget", enabled=_can_commit,
            tip=tr("Add the result to the document as a new clip"),
        ),
        Action(
            "retarget.commit_all", tr("Retarget all clips"), lambda s: s.feature(Retargeting).outcome.commit_all(),
            menu=menu, section="do", enabled=_can_commit,
            tip=tr("Retarget every clip of the source to this character, with one table of results"),
        ),
        *_proportions(),
    ]  # fmt: skip


def _set_mode(mode: RetargetMode, below: bool) -> Callable[[Session], object]:
    return lambda session: proportions.set_mode(session, mode, below=below)


def _needs_bones(session: Session) -> str:
    return needs_rig(session) or ("" if session.selection.bones else tr("select bones first"))


def _can_bake(session: Session) -> str:
    clip = session.clip
    made_on = clip.retarget_source if clip is not None else None
    own = tr("the clip uses the character's own rest pose")
    return needs_rig(session) or ("" if made_on is not None else own)


def _proportions() -> list[Action]:
    menu = tr("Retarget")
    modes = menu + "/" + tr("Translation mode")
    found = [
        Action(
            "retarget.source_file", tr("Add retarget source from file…"), menu=menu, section="rests",
            enabled=needs_rig, tip=tr("Add the rest pose of a character with the same bones and other proportions"),
        ),
        Action(
            "retarget.source_pose", tr("Add current pose as retarget source"), proportions.add_pose,
            menu=menu, section="rests", enabled=needs_rig,
        ),
        Action(
            "retarget.bake", tr("Bake clip to own proportions"), proportions.bake, menu=menu,
            section="rests", enabled=_can_bake,
            tip=tr("Key every frame for the character's own rest pose; the clip then needs no retarget source"),
        ),
        Action(
            "retarget.modes", tr("Show translation modes"), lambda s: s.switches.toggle("bone_modes"),
            menu=menu, section="modes", checked=lambda s: s.switches["bone_modes"],
            tip=tr("Show a column in the bone tree: what each bone takes from clips made on other proportions"),
        ),
        Action(
            "retarget.propose_modes", tr("Propose translation modes"), proportions.propose_modes, menu=menu,
            section="modes", enabled=needs_rig,
            tip=tr("Root and props from the animation, hips scaled, all others from the skeleton"),
        ),
    ]  # fmt: skip
    for below in (False, True):
        for mode, (title, _, tip) in proportions.MODES.items():
            scope = tr("selected bones and descendants") if below else tr("selected bones")
            found.append(
                Action(
                    f"retarget.mode_{mode.value}" + ("_below" if below else ""),
                    tr("{mode}: {scope}", mode=tr(title).capitalize(), scope=scope),
                    _set_mode(mode, below), menu=modes, section=str(below), enabled=_needs_bones, tip=tr(tip),
                )
            )  # fmt: skip
    return found


def _remove_chain(session: Session) -> None:
    chain = session.feature(Retargeting).pick.chain
    if chain is not None:
        session.feature(Retargeting).edits.remove_chain(chain)
