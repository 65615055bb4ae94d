"""The transport."""

from collections.abc import Callable

from editor.actions.action import Action
from editor.actions.reasons import needs_clip, needs_range
from editor.model.i18n import tr
from editor.model.playback import LoopMode, PlayMode
from editor.model.session import Session


def _has_keys(session: Session) -> str:
    return needs_clip(session) or ("" if len(session.key_times()) else tr("there are no keys"))


def _set_loop(mode: LoopMode) -> Callable[[Session], None]:
    def run(session: Session) -> None:
        session.playback.loop = mode

    return run


def _toggle_every_frame(session: Session) -> None:
    every = session.playback.mode is PlayMode.EVERY_FRAME
    session.playback.mode = PlayMode.REAL_TIME if every else PlayMode.EVERY_FRAME


def _toggle_in_place(session: Session) -> None:
    session.playback.in_place = not session.playback.in_place


def _range_edge(start: bool) -> Callable[[Session], None]:
    def run(session: Session) -> None:
        low, high = session.playback.span
        now = session.playback.time
        session.playback.set_range(*((now, max(high, now)) if start else (min(low, now), now)))

    return run


def actions() -> list[Action]:
    """The actions of the Playback menu and the transport bar."""
    menu, bar = tr("Playback"), "transport"
    loops = [
        (LoopMode.LOOP, "loop", tr("Loop"), "mdi6.repeat"),
        (LoopMode.PING_PONG, "ping_pong", tr("Ping-pong"), "mdi6.swap-horizontal"),
        (LoopMode.ONCE, "once", tr("Once"), "mdi6.arrow-right"),
    ]
    return [
        Action(
            "playback.start", tr("Go to start"), lambda s: s.playback.go_start(), ("Shift+Left",), menu=menu,
            section="go", toolbar=bar, icon="mdi6.skip-backward", enabled=needs_clip,
        ),
        Action(
            "playback.previous_key", tr("Previous key"), lambda s: s.playback.previous_key(), (",",), menu=menu,
            section="go", toolbar=bar, icon="mdi6.skip-previous", enabled=_has_keys,
        ),
        Action(
            "playback.back", tr("Previous frame"), lambda s: s.playback.step(-1), ("Left",), menu=menu, section="go",
            toolbar=bar, icon="mdi6.step-backward", enabled=needs_clip,
        ),
        Action(
            "playback.toggle", tr("Play or pause"), lambda s: s.playback.toggle(), ("Space",), menu=menu,
            section="go", toolbar=bar, icon="mdi6.play", enabled=needs_clip, checked=lambda s: s.playback.playing,
        ),
        Action(
            "playback.forward", tr("Next frame"), lambda s: s.playback.step(1), ("Right",), menu=menu,
            section="go", toolbar=bar, icon="mdi6.step-forward", enabled=needs_clip,
        ),
        Action(
            "playback.next_key", tr("Next key"), lambda s: s.playback.next_key(), (".",), menu=menu, section="go",
            toolbar=bar, icon="mdi6.skip-next", enabled=_has_keys,
        ),
        Action(
            "playback.end", tr("Go to end"), lambda s: s.playback.go_end(), ("Shift+Right",), menu=menu,
            section="go", toolbar=bar, icon="mdi6.skip-forward", enabled=needs_clip,
        ),
        *(
            Action(
                f"playback.{name}", title, _set_loop(mode), menu=menu, section="loop", icon=icon,
                checked=lambda s, mode=mode: s.playback.loop is mode,  # type: ignore[misc]
            )
            for mode, name, title, icon in loops
        ),
        Action(
            "playback.every_frame", tr("Play every frame"), _toggle_every_frame, menu=menu, section="how",
            checked=lambda s: s.playback.mode is PlayMode.EVERY_FRAME,
            tip=tr("Show every frame, even where that is slower than real time"),
        ),
        Action(
            "playback.in_place", tr("Play in place"), _toggle_in_place, menu=menu, section="how",
            toolbar=bar, icon="mdi6.map-marker-outline", checked=lambda s: s.playback.in_place,
            tip=tr("Keep the character in place instead of applying root motion"),
        ),
        Action(
            "playback.range_start", tr("Set range start"), _range_edge(True), ("Alt+[",), menu=menu,
            section="range", icon="mdi6.ray-start", enabled=needs_clip,
        ),
        Action(
            "playback.range_end", tr("Set range end"), _range_edge(False), ("Alt+]",), menu=menu,
            section="range", icon="mdi6.ray-end", enabled=needs_clip,
        ),
        Action(
            "playback.range_clear", tr("Clear range"), lambda s: s.playback.set_range(None), menu=menu,
            section="range", enabled=needs_range,
        ),
    ]  # fmt: skip
