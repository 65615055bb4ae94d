"""What is written over the viewport, as values. Free of Qt."""

from dataclasses import dataclass

from core.timing import frame_text
from editor.gl.frame_view import FrameTraffic
from editor.model.blocking import Blocking
from editor.model.i18n import tr, trn
from editor.model.play.state import Play
from editor.model.playback import PlayMode
from editor.model.session import Session
from editor.tools.state import Setup, Tool

TOOL_NAMES = {Tool.SELECT: "Select", Tool.MOVE: "Move", Tool.ROTATE: "Rotate", Tool.SCALE: "Scale"}
ENOUGH = 0.9
"""Part of the wanted frames a second that counts as keeping up."""


@dataclass(frozen=True, slots=True)
class HeadsUp:
    """Lines at the top left.

    Parameters
    ----------
    title, frame : clip and frame
    tool : active tool with its space, or what the running gesture says
    auto_key : whether changes are keyed at once
    pending : how many bones, morphs and curves are changed without a key
    rate : measured frames a second while playing, else ""
    behind : playback falls behind what the clip asks for
    view : name of the standard view the camera stands in, else ""
    compiled : what is drawn in place of the clip where that is its compiled form, else ""
    playing : whether a character is driven: nothing is edited then
    blocking : how the clip is stepped in the Blocking view, else ""
    traffic : what the last picture asked of the graphics driver, where that is counted, else ""
    """

    title: str = ""
    frame: str = ""
    tool: str = ""
    auto_key: bool = False
    pending: int = 0
    rate: str = ""
    behind: bool = False
    view: str = ""
    compiled: str = ""
    playing: bool = False
    traffic: str = ""
    blocking: str = ""

    @property
    def key_state(self) -> str:
        """The auto-key state in words."""
        if self.auto_key:
            return tr("auto key")
        if self.pending:
            return trn("{count} pending change", "{count} pending changes", self.pending)
        return tr("auto key off")


def heads_up(session: Session, setup: Setup, status: str, view: str) -> HeadsUp:
    """Read the lines from the session; `status` is what the running gesture says."""
    playback = session.playback
    clip = playback.shown
    frame = frame_text(playback.shown_frame)
    of = f" / {frame_text(clip.frames)}" if clip is not None else ""
    wanted = min(playback.rate.fps * playback.speed, 60.0)
    measured = playback.measured_fps
    real_time = playback.mode is PlayMode.REAL_TIME
    source = session.display.source
    title, place = clip.name if clip is not None else tr("No clip"), tr("frame {frame}", frame=frame) + of
    below = session.evaluator.layered_clip
    if playback.below is not None and below is not None:
        title = f"{below.name} · {title}"
    if source is not None:
        title, place = source.title, source.detail
    drawn = session.display.drawn
    if session.feature(Play).on:  # nothing is edited here
        return HeadsUp(title, place, status, playing=True)
    return HeadsUp(
        title,
        place,
        status or _tool(setup),
        session.keying.auto,
        len(session.pending.bones) + len(session.pending.weights),
        f"{measured:.0f} fps" if measured > 0.0 else "",
        bool(measured > 0.0 and real_time and measured < ENOUGH * wanted),
        view,
        drawn.title if drawn is not None else "",
        blocking=_stepped(session) if source is None else "",
    )


def _stepped(session: Session) -> str:
    """How the Blocking view steps, and the frame that is held."""
    blocking = session.feature(Blocking)
    if not blocking.on:
        return ""
    held = session.playback.rate.to_frame(session.evaluator.shown_time)
    return tr("{how} · holds f{frame}", how=blocking.title, frame=frame_text(held))


def _tool(setup: Setup) -> str:
    name = tr(TOOL_NAMES[setup.tool])
    if setup.tool is Tool.SELECT:
        return name
    extra = f" · {tr('snap')}" if setup.snap else ""
    return f"{name} · {tr(setup.space.value)}{extra}"


def traffic_text(traffic: FrameTraffic | None) -> str:
    """What a picture asked of the graphics driver, in one line; "" where that is not known."""
    if traffic is None:
        return ""
    return tr(
        "{calls} calls · {draws} draws · {up:.1f} kB up · {back:.1f} kB read back · {waits} waits",
        calls=traffic.calls,
        draws=traffic.draws,
        up=traffic.uploaded / 1e3,
        back=traffic.read_back / 1e3,
        waits=traffic.waits,
    )
