"""Mirroring, the pose library, ghosts and trails."""

from collections.abc import Callable

from core.pose.mirror import MirrorWay
from editor.actions.action import Action, Scope
from editor.actions.reasons import needs_clip, needs_keys, needs_loop, needs_range, needs_rig
from editor.model.i18n import tr
from editor.model.posing import library, verbs
from editor.model.posing.copied import has_copied
from editor.model.posing.state import PosingState
from editor.model.session import Session
from editor.model.switches import TRAIL_COLORS
from editor.tools.posing import path


def _toggle(name: str) -> Callable[[Session], None]:
    return lambda session: session.switches.toggle(name)


def _is_on(name: str) -> Callable[[Session], bool]:
    return lambda session: session.switches[name]


def _has_pose(session: Session) -> str:
    return needs_rig(session) or ("" if has_copied(session) else tr("copy a pose first"))


def _has_chosen(session: Session) -> str:
    chosen = session.feature(PosingState).active_pose(session.document.project)
    return needs_rig(session) or ("" if chosen is not None else tr("select a pose in the library first"))


def _update(session: Session) -> None:
    pose = session.feature(PosingState).active
    if pose is not None:
        library.update_pose(session, pose)


def _mirrors(menu: str) -> list[Action]:
    view, deep = Scope.VIEW, menu + "/" + tr("Mirror clip")
    return [
        Action(
            "pose.mirror", tr("Mirror pose"), lambda s: verbs.mirror(s), ("M",), view, menu, "mirror",
            icon="mdi6.mirror", enabled=needs_rig, tip=tr("Swap the sides of the selected bones, or of all"),
        ),
        Action(
            "pose.mirror_left", tr("Mirror left to right"), lambda s: verbs.mirror(s, MirrorWay.LEFT_TO_RIGHT),
            ("Shift+M",), view, menu, "mirror", enabled=needs_rig,
        ),
        Action(
            "pose.mirror_right", tr("Mirror right to left"), lambda s: verbs.mirror(s, MirrorWay.RIGHT_TO_LEFT),
            ("Ctrl+Shift+M",), view, menu, "mirror", enabled=needs_rig,
        ),
        Action(
            "pose.live_mirror", tr("Live mirror"), _toggle("live_mirror"), menu=menu, section="mirror",
            checked=_is_on("live_mirror"), tip=tr("Apply every edit to the other side, too"),
        ),
        Action(
            "mirror.keys", tr("Mirror selected keys"), lambda s: verbs.mirror_keys(s), menu=deep, section="mirror",
            enabled=needs_keys,
        ),
        Action(
            "mirror.range", tr("Mirror play range"), lambda s: verbs.mirror_range(s), menu=deep, section="mirror",
            enabled=needs_range,
        ),
        Action(
            "mirror.clip", tr("Mirror clip"), lambda s: verbs.mirror_clips(s), menu=deep, section="mirror",
            enabled=needs_clip,
        ),
        Action(
            "mirror.clip_shifted", tr("Mirror clip by half a cycle"),
            lambda s: verbs.mirror_clips(s, half_cycle=True), menu=deep, section="mirror", enabled=needs_loop,
            tip=tr("Mirror the clip and shift it by half a cycle, so that a walk starts on the same foot"),
        ),
        Action(
            "mirror.all", tr("Mirror every clip"),
            lambda s: verbs.mirror_clips(s, [c.id for c in s.document.project.clips]), menu=deep,
            section="batch", enabled=needs_clip,
        ),
    ]  # fmt: skip


def actions() -> list[Action]:
    """The actions of the Pose menu."""
    menu, view = tr("Pose"), Scope.VIEW
    return [
        Action(
            "pose.paste_mirrored", tr("Paste mirrored"), lambda s: verbs.paste_mirrored(s), ("Ctrl+Shift+V",),
            view, menu, "paste", icon="mdi6.content-paste", enabled=_has_pose,
            tip=tr("Paste the copied pose onto the other side"),
        ),
        *_mirrors(menu),
        *(
            Action(
                f"pose.reset_{part}", title, lambda s, part=part: verbs.reset_parts(s, (part,)), menu=menu,  # type: ignore[misc]
                section="reset", enabled=needs_rig,
            )
            for part, title in (
                ("translation", tr("Reset position")),
                ("rotation", tr("Reset rotation")),
                ("scale", tr("Reset scale")),
            )
        ),
        Action(
            "pose.save", tr("Save pose to the library"), lambda s: library.save_pose(s), menu=menu,
            section="library", icon="mdi6.plus", enabled=needs_rig,
            tip=tr("Save the pose of the selected bones, or of all"),
        ),
        Action(
            "pose.update", tr("Replace selected library pose"), _update, menu=menu, section="library",
            enabled=_has_chosen,
        ),
    ]  # fmt: skip


def how() -> list[Action]:
    """How tools work on several bones; bound by the window, which holds the tools."""
    menu = tr("Tool") + "/" + tr("Pivot")
    return [
        Action(
            "tool.pivot_next", tr("Next standing pivot"), None, ("Y",), Scope.VIEW, menu, "next",
            tip=tr("Ball, toe, heel, the picked point, and none: rotate and scale about it, and the whole pose moves "
                   "so that it stays where it is. Shift+Y picks the point under the pointer"),
        ),
        *(
            Action(f"tool.pivot_{name}", tr("Pivot: {what}", what=title), None, (), Scope.VIEW, menu, "pivot", tip=tip)
            for name, title, tip in (
                ("individual", tr("individual"), tr("Each bone rotates about its own origin")),
                ("active", tr("active bone"), tr("All bones rotate about the active one")),
                ("median", tr("median"), tr("All bones rotate about their middle")),
                ("ball", tr("ball of the foot"), tr("The whole pose moves so that the ball of the foot stays")),
                ("toe", tr("toe"), tr("The whole pose moves so that the tip of the toes stays")),
                ("heel", tr("heel"), tr("The whole pose moves so that the heel stays")),
                ("point", tr("picked point"), tr("The whole pose moves so that the point picked by Shift+Y stays")),
            )
        ),
        Action(
            "tool.distribute", tr("Distribute along the chain"), menu=tr("Tool"), section="how", icon="bone",
            tip=tr("Distribute a rotation over the selected bones of a chain. When off, only the topmost bone rotates"),
        ),
    ]  # fmt: skip


def _next_trail_colors(session: Session) -> None:
    """Show trails in the next of their colors, and say which."""
    names = tuple(TRAIL_COLORS)
    name = names[(names.index(session.switches.trail_colors()) + 1) % len(names)]
    session.switches.set_trail_colors(name)
    session.switches.set("trails", True)
    words = {"time": tr("time"), "speed": tr("speed"), "curvature": tr("curvature")}
    session.messages.info(tr("Trails are colored by {what}", what=words[name]))


def _draw_path(session: Session) -> None:
    """Draw an arc with the next drag, or do not; shows the trails."""
    session.switches.toggle("path_draw")
    if session.switches["path_draw"]:
        session.switches.set("trails", True)
        session.messages.info(tr("Draw the arc in the viewport, along the path of the bone selected last"))


def _toggle_trail_colors(name: str) -> Callable[[Session], None]:
    """Color trails by speed or curvature and show them, or color them by time again."""

    def run(session: Session) -> None:
        on = not session.switches[f"trails_{name}"]
        session.switches.set_trail_colors(name if on else "time")
        session.switches.set("trails", on or session.switches["trails"])

    return run


def shown() -> list[Action]:
    """What the viewport shows of the motion."""
    view, shown = Scope.VIEW, tr("View") + "/" + tr("Show")
    menu = tr("Pose") + "/" + tr("Path")
    return [
        Action(
            "view.ghosts", tr("Ghosts"), _toggle("ghosts"), ("Shift+G",), view, shown, "motion",
            toolbar="motion", icon="mdi6.ghost-outline", checked=_is_on("ghosts"),
            tip=tr("Onion skin: the character on frames before and after"),
        ),
        Action(
            "view.trails", tr("Trails"), _toggle("trails"), ("Shift+T",), view, shown, "motion",
            toolbar="motion", icon="mdi6.vector-polyline", checked=_is_on("trails"),
            tip=tr("Motion paths of the selected bones. Drag a dot to edit the pose, with Ctrl the path around it"),
        ),
        Action(
            "trail.path", tr("Drag the whole path"), _toggle("path_drag"), ("Ctrl+Shift+T",), view, menu, "path",
            checked=_is_on("path_drag"), enabled=needs_clip,
            tip=tr("Dragging a dot of a motion trail pulls the frames around it along, and their keys. Ctrl and drag "
                   "does the same once; type the number of frames while dragging"),
        ),
        Action(
            "trail.draw", tr("Draw the path"), _draw_path, ("Ctrl+Alt+T",), view, menu, "path",
            checked=_is_on("path_draw"), enabled=needs_clip,
            tip=tr("The next drag in the viewport draws an arc. The path of the bone selected last is laid onto it, at "
                   "its keys between the ends of the arc, or at every frame if Shift is held on release"),
        ),
        Action(
            "trail.wider", tr("Path drag: more frames"), lambda s: path.wider(s, 1), ("Shift+PgUp",), view,
            menu, "path",
        ),
        Action(
            "trail.narrower", tr("Path drag: fewer frames"), lambda s: path.wider(s, -1), ("Shift+PgDown",), view,
            menu, "path",
        ),
        Action(
            "view.trail_colors", tr("Next color of trails"), _next_trail_colors, ("Alt+Shift+T",), view, shown,
            "motion", tip=tr("Color motion trails by time, speed or curvature, in turn; shows them"),
        ),
        *(
            Action(
                f"view.trails_{name}", title, _toggle_trail_colors(name), (), view, shown, "motion",
                checked=_is_on(f"trails_{name}"), tip=tip,
            )
            for name, title, tip in (
                (
                    "speed", tr("Color trails by speed"),
                    tr("Slow frames are blue, the fastest of what is shown red. Dots far apart are fast, too"),
                ),
                (
                    "curvature", tr("Color trails by curvature"),
                    tr("Straight parts of the path are blue, its tightest bends red"),
                ),
            )
        ),
    ]  # fmt: skip
