"""Actions of the shot: cameras, props and second characters."""

from editor.actions.action import Action, Scope
from editor.actions.reasons import needs_rig
from editor.model.i18n import tr
from editor.model.session import Session
from editor.model.shot.choosing import held_meant, prop_meant
from editor.model.shot.state import Shot


def _needs_camera(session: Session) -> str:
    return "" if session.feature(Shot).camera is not None else tr("create a camera from the view first")


def _needs_item(session: Session) -> str:
    return (
        "" if session.feature(Shot).selected is not None else tr("select a camera, prop or character first")
    )


def _needs_prop(session: Session) -> str:
    item = session.feature(Shot).selected
    return "" if item is not None and hasattr(item, "holds") else tr("select a prop in the Shot panel first")


def _needs_holder(session: Session) -> str:
    return (
        needs_rig(session)
        or _needs_prop(session)
        or (
            ""
            if session.feature(Shot).bone is not None
            else tr("select the bone that is to hold the prop, then the prop")
        )
    )


def _needs_meant(session: Session) -> str:
    shot = session.feature(Shot)
    if needs_rig(session) or prop_meant(shot) is None:
        return needs_rig(session) or _needs_prop(session)
    return "" if shot.bone is not None else tr("select the bone that is to hold the prop")


def _needs_held(session: Session) -> str:
    return "" if held_meant(session.feature(Shot)) is not None else _needs_prop(session)


def _attach(session: Session) -> None:
    shot = session.feature(Shot)
    prop, several = prop_meant(shot), len(shot.props) > 1
    chosen = prop is not None and prop is shot.selected
    shot.attach(prop)
    if prop is not None and not chosen:
        text = tr("{bone} holds {name}, the prop nearest to it") if several else tr("{bone} holds {name}")
        session.messages.info(
            text.format(bone=shot.bone, name=prop.name), tr("Select a prop to attach another")
        )


def _release(session: Session) -> None:
    shot = session.feature(Shot)
    prop = held_meant(shot)
    chosen = prop is not None and prop is shot.selected
    shot.release(prop)
    if prop is not None and not chosen:
        session.messages.info(tr("{name} is released and stays where it is now", name=prop.name))


def _toggle_through(session: Session) -> None:
    shot = session.feature(Shot)
    shot.look_through(not shot.through)


def _toggle_lock(session: Session) -> None:
    shot = session.feature(Shot)
    shot.lock(not shot.locked)


def actions() -> list[Action]:
    """Declared once, for menu, keys and palette."""
    menu, shot = tr("View") + "/" + tr("Camera"), tr("View") + "/" + tr("Shot")
    return [
        Action(
            "view.camera_new", tr("New camera from view"), None, ("Ctrl+Num+0", "Ctrl+Alt+Shift+C"), Scope.VIEW, menu,
            "camera", icon="camera", tip=tr("Create a camera of the shot that sees what the view does"),
        ),
        Action(
            "shot.look_through", tr("Look through camera"), _toggle_through, ("Num+0", "Ctrl+Alt+L"), Scope.VIEW, menu,
            "camera", enabled=_needs_camera, checked=lambda s: s.feature(Shot).through,
            tip=tr("Show the shot as the active camera sees it; moving the view leaves it"),
        ),
        Action(
            "shot.next_camera", tr("Next camera"), lambda s: s.feature(Shot).next_camera(), ("Ctrl+Alt+N",),
            Scope.VIEW, menu, "camera", enabled=_needs_camera, tip=tr("Look through the next camera of the shot"),
        ),
        Action(
            "shot.lock", tr("Lock camera to view"), _toggle_lock, ("Alt+Num+0",), Scope.VIEW, menu, "camera",
            icon="lock", checked=lambda s: s.feature(Shot).locked,
            tip=tr("Orbit, pan and zoom move the camera that is looked through"),
        ),
        Action(
            "shot.key_camera", tr("Key camera"), lambda s: s.feature(Shot).key_camera(), ("Ctrl+Alt+Shift+K",),
            Scope.VIEW, menu, "keys", enabled=_needs_camera,
            tip=tr("Key place, rotation and lens of the active camera at the playhead"),
        ),
        Action(
            "shot.unkey_camera", tr("Delete camera keys"), lambda s: s.feature(Shot).unkey_camera(), menu=menu,
            section="keys", enabled=_needs_camera, tip=tr("Delete the active camera's keys at the playhead"),
        ),
        Action(
            "view.safe_frame", tr("Safe frame"), lambda s: s.switches.toggle("safe_frame"), menu=menu,
            section="show", checked=lambda s: s.switches["safe_frame"],
            tip=tr("Dashed lines within which action and lettering are safe from being cut off"),
        ),
        Action("shot.camera_import", tr("Import cameras…"), menu=menu, section="file",
            tip=tr("Cameras of a glTF, FBX, USD or Posewright file, with their keys")),
        Action("shot.prop_import", tr("Import prop…"), menu=shot, section="file",
            tip=tr("The meshes of a glTF, FBX, USD or OBJ file as one rigid thing beside the character")),
        Action("shot.character_add", tr("Add second character…"), menu=shot, section="file",
            tip=tr("Show the character of another file beside this one; it is only read")),
        Action(
            "shot.attach", tr("Attach prop to bone"), _attach, ("Ctrl+Alt+G",), Scope.VIEW,
            shot, "prop", enabled=_needs_meant,
            tip=tr("From the playhead on the active bone carries the selected prop, or the one nearest to it, "
                   "from where it is now"),
        ),
        Action(
            "shot.attach_range", tr("Attach prop over play range"), lambda s: s.feature(Shot).attach_range(),
            menu=shot, section="prop", enabled=_needs_holder,
            tip=tr("The active bone carries the selected prop during the play range and leaves it where it is then"),
        ),
        Action(
            "shot.attach_always", tr("Attach prop always"), lambda s: s.feature(Shot).attach_always(), menu=shot,
            section="prop", enabled=_needs_holder, tip=tr("The active bone carries the selected prop at all times"),
        ),
        Action(
            "shot.release", tr("Release prop"), _release, ("Ctrl+Alt+Shift+G",), Scope.VIEW,
            shot, "prop", enabled=_needs_held,
            tip=tr("From the playhead on the selected prop, or the one that is held, stays where it is now"),
        ),
        Action(
            "shot.remove", tr("Remove from shot"), lambda s: s.feature(Shot).remove(), menu=shot, section="item",
            enabled=_needs_item, tip=tr("Remove the selected camera, prop or second character"),
        ),
        Action(
            "view.shot", tr("Show shot"), lambda s: s.switches.toggle("shot"), menu=shot, section="show",
            checked=lambda s: s.switches["shot"], tip=tr("Draw cameras, props and second characters"),
        ),
    ]  # fmt: skip
