"""What is shown and from where, tools, and the window itself. Cameras, tools and dialogs are bound by the window."""

from collections.abc import Callable

from editor.actions.action import Action, Scope
from editor.actions.reasons import needs_bones, needs_clip, needs_rig
from editor.model.i18n import tr
from editor.model.session import Session

SHADING_NAMES = {
    "textured": tr("Textured"),
    "clay": tr("Clay material"),
    "unlit": tr("Flat colours"),
    "silhouette": tr("Silhouette"),
}

SHOWN_TIPS = {
    "clay": tr("Draw meshes in one matte colour instead of textures, materials and vertex colours"),
    "traffic": tr("Calls, draws and bytes that each drawn frame asks of the graphics driver, for developers"),
}


def _toggle(name: str) -> Callable[[Session], None]:
    return lambda session: session.switches.toggle(name)


def _is_on(name: str) -> Callable[[Session], bool]:
    return lambda session: session.switches[name]


def _theme(name: str) -> Callable[[Session], None]:
    return lambda session: session.preferences.set("theme", name)


def _scale(factor: float) -> Callable[[Session], None]:
    return lambda session: session.preferences.set("scale", factor)


def _tools() -> list[Action]:
    rows = [
        ("select", tr("Select"), "Q", "mdi6.cursor-default-outline"),
        ("move", tr("Move"), "W", "mdi6.cursor-move"),
        ("rotate", tr("Rotate"), "E", "mdi6.rotate-3d-variant"),
        ("scale", tr("Scale"), "R", "mdi6.resize"),
    ]
    again = tr("press again to change the axes")
    return [
        Action(
            f"tool.{name}", title, None, (key,), Scope.VIEW, tr("Tool"), "tool", "tools", icon,
            tip=title if name == "select" else f"{title}: {again}",
        )
        for name, title, key, icon in rows
    ]  # fmt: skip


def _shown() -> list[Action]:
    rows = [
        ("mesh", tr("Mesh")),
        ("bones", tr("Bones")),
        ("names", tr("Bone names")),
        ("short_names", tr("Hide shared name prefix")),
        ("grid", tr("Grid")),
        ("axes", tr("Bone axes")),
        ("limits", tr("Joint limits")),
        ("bodies", tr("Ragdoll bodies")),
        ("shadow", tr("Shadow")),
        ("heads_up", tr("Heads-up display")),
        ("traffic", tr("Graphics traffic")),
        ("silhouette", tr("Silhouette")),
        ("clay", tr("Clay material")),
        ("unlit", tr("Flat colours")),
        ("follow", tr("Follow the character")),
    ]
    menu = tr("View") + "/" + tr("Show")
    return [
        Action(
            f"view.{name}",
            title,
            _toggle(name),
            menu=menu,
            section="show",
            checked=_is_on(name),
            tip=SHOWN_TIPS.get(name, ""),
        )
        for name, title in rows
    ]


def _next_shading(session: Session) -> None:
    """Draw meshes in another way, and say which."""
    session.messages.info(tr("Shading: {name}", name=SHADING_NAMES[session.switches.next_shading()]))


def actions() -> list[Action]:
    """The actions of the View and Help menus, and the tools."""
    menu, view, time = tr("View"), Scope.VIEW, Scope.TIME
    sides = [
        ("front", tr("Front"), "Num+1"),
        ("back", tr("Back"), "Ctrl+Num+1"),
        ("left", tr("Left"), "Num+3"),  # from +X, as Num+3 does elsewhere: there is the character's left
        ("right", tr("Right"), "Ctrl+Num+3"),
        ("top", tr("Top"), "Num+7"),
        ("bottom", tr("Bottom"), "Ctrl+Num+7"),
        ("opposite", tr("Opposite side"), "Num+9"),
        ("orthographic", tr("Orthographic"), "Num+5"),
    ]
    look, scales = tr("View") + "/" + tr("Appearance"), (1.0, 1.25, 1.5, 1.75, 2.0)
    return [
        *_tools(),
        Action(
            "view.frame", tr("Frame selection"), None, ("F",), view, menu, "frame",
            icon="mdi6.image-filter-center-focus", enabled=needs_rig,
        ),
        Action("view.frame_all", tr("Frame all"), None, ("A", "Home"), view, menu, "frame", enabled=needs_rig),
        Action("time.fit", tr("Fit selected keys"), None, ("F",), time, menu, "frame", enabled=needs_clip),
        Action("time.fit_all", tr("Fit whole clip"), None, ("A", "Home"), time, menu, "frame", enabled=needs_clip),
        *(Action(f"view.{name}", title, None, (key,), view, menu, "side") for name, title, key in sides),
        Action(
            "view.flip", tr("Flip view horizontally"), None, (), view, menu, "side",
            tip=tr("Mirror the view to check a pose"),
        ),
        *_shown(),
        Action(
            "view.shading", tr("Next shading"), _next_shading, ("Alt+Z",), view, f"{menu}/{tr('Show')}", "shading",
            tip=tr("Textured, clay, flat colours, silhouette"),
        ),
        Action(
            "time.snap", tr("Snap to frames"), _toggle("snap"), (), time, menu, "time", icon="mdi6.magnet",
            checked=_is_on("snap"),
        ),
        Action(
            "time.snap_keys", tr("Snap to keys"), _toggle("snap_keys"), (), time, menu, "time",
            checked=_is_on("snap_keys"), tip=tr("Dragged keys snap to other keys and the playhead"),
        ),
        Action(
            "time.snap_markers", tr("Snap to markers"), _toggle("snap_markers"), (), time, menu, "time",
            checked=_is_on("snap_markers"),
        ),
        Action(
            "time.event_lanes", tr("Show event lanes"), _toggle("event_lanes"), (), time, menu, "time",
            icon="mdi6.bell-outline", checked=_is_on("event_lanes"),
            tip=tr("Show notifies, sync markers and foot contacts above the timeline, even where there are none"),
        ),
        Action(
            "time.overview", tr("Show clip overview"), _toggle("overview"), ("Shift+O",), time, menu, "time",
            checked=_is_on("overview"),
            tip=tr("The whole clip on a strip above the ruler while a part of it is out of sight"),
        ),
        Action(
            "time.fit_curves", tr("Fit curves to the selection"), _toggle("fit_curves"), ("Shift+F",), time, menu,
            "time", checked=_is_on("fit_curves"),
            tip=tr("Whenever other bones are selected the curve editor shows all values of their curves"),
        ),
        Action(
            "time.ripple", tr("Ripple"), _toggle("ripple"), (), time, menu, "time", icon="mdi6.arrow-expand-horizontal",
            checked=_is_on("ripple"),
            tip=tr("Moving keys also moves all later keys of every bone"),
        ),
        Action(
            "view.dark", tr("Dark"), _theme("dark"), menu=look, section="theme",
            checked=lambda s: s.preferences.get("theme") == "dark",
        ),
        Action(
            "view.light", tr("Light"), _theme("light"), menu=look, section="theme",
            checked=lambda s: s.preferences.get("theme") == "light",
        ),
        *(
            Action(
                f"view.scale_{round(factor * 100)}", f"{round(factor * 100)} %", _scale(factor), menu=look,
                section="scale", checked=lambda s, f=factor: s.preferences.get("scale") == f,  # type: ignore[misc]
            )
            for factor in scales
        ),
        Action("view.maximise", tr("Maximise panel"), None, ("Ctrl+Space",), menu=menu, section="window"),
        Action("view.full_screen", tr("Full screen"), None, ("F11",), menu=menu, section="window"),
        Action("view.reset_layout", tr("Reset layout"), menu=menu, section="window"),
        Action(
            "tree.filter", tr("Find a bone"), None, ("Ctrl+F",), menu=tr("Select"), section="find",
            enabled=needs_rig, icon="mdi6.magnify",
        ),
        Action(
            "tree.reveal", tr("Show active bone in tree"), None, (), menu=tr("Select"), section="find",
            enabled=needs_bones,
        ),
        Action(
            "help.palette", tr("Find an action…"), None, ("F3", "Ctrl+Shift+P"), menu=tr("Help"), section="find",
            icon="mdi6.magnify",
        ),
        Action(
            "help.guide", tr("Guide…"), None, (), menu=tr("Help"), section="find",
            tip=tr("First steps, and recipes for Python scripts"),
        ),
        Action("help.shortcuts", tr("Keyboard shortcuts…"), None, ("F1",), menu=tr("Help"), section="find"),
        Action("help.about", tr("About Posewright"), menu=tr("Help"), section="about"),
    ]  # fmt: skip
