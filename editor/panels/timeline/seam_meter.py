"""How a looping clip closes, in a few words, worked out again only for tracks that changed. Free of Qt."""

from dataclasses import replace
from typing import NamedTuple

from core.clips.clip import Channel, Clip, Property, channel_label
from core.clips.loop_tools import SeamJump, is_linked, seam
from core.rig.skeleton import Skeleton
from core.tracks.keys import Track
from editor.model.i18n import tr, trn

CLOSED = 1e-4, 0.01
"""Jumps below these (metres, degrees) are none."""


class SeamReading(NamedTuple):
    """What the meter shows.

    Parameters
    ----------
    text : jump of position and velocity, "" for a clip that does not loop
    tip : the channels that jump most
    closed : whether position and rotation close within `CLOSED`
    """

    text: str
    tip: str
    closed: bool


class _Known(NamedTuple):
    """What a track's ends are like; `jump` is None for a channel that the skeleton lacks."""

    track: Track
    how: tuple[object, ...]
    jump: SeamJump | None
    linked: bool


class SeamMeter:
    """Reads the seam of one clip after another."""

    def __init__(self) -> None:
        self._known: dict[Channel, _Known] = {}

    def read(self, clip: Clip | None, skeleton: Skeleton | None = None) -> SeamReading:
        """The seam of a clip; the skeleton tells which bone carries root motion."""
        if clip is None or not clip.looping or clip.length <= 0.0:
            return SeamReading("", "", True)
        known = self._read(clip, skeleton)
        jumps = [held.jump for held in known if held.jump is not None]
        metres, pace = _worst(jumps, Property.TRANSLATE)
        degrees, turn = _worst(jumps, Property.ROTATE)
        text = tr(
            "loop seam {mm} mm {deg}° · {pace} mm/s {turn}°/s",
            mm=_short(metres * 1000.0), deg=_short(degrees), pace=_short(pace * 1000.0), turn=_short(turn),
        )  # fmt: skip
        open_ends = sum(not held.linked for held in known)
        lines = [tr("Difference of position and speed between the end and the start of the clip")]
        ranked = sorted(jumps, key=lambda j: (-abs(j.value), -abs(j.rate)))
        lines += [f"{channel_label(j.channel)}: {_short(j.value)} · {_short(j.rate)}/s" for j in ranked[:4]]
        lines.append(
            tr("First and last keys are linked")
            if not open_ends
            else trn("{count} channel is not linked", "{count} channels are not linked", open_ends)
        )
        return SeamReading(text, "\n".join(lines), metres < CLOSED[0] and degrees < CLOSED[1])

    def _read(self, clip: Clip, skeleton: Skeleton | None) -> list["_Known"]:
        """What is known of each track; only those that an edit has changed are read again."""
        how = clip.length, clip.rate.fps, clip.root_motion, id(skeleton)
        held = {c: k for c, k in self._known.items() if k.how == how and clip.tracks.get(c) is k.track}
        new = {c: t for c, t in clip.tracks.items() if c not in held}
        if new:
            found = seam(replace(clip, tracks=new, curves={}, morphs={}), skeleton)
            jumps = {jump.channel: jump for jump in found.jumps}
            held |= {c: _Known(t, how, jumps.get(c), is_linked(t, clip.length)) for c, t in new.items()}
        self._known = held
        return list(held.values())


def _worst(jumps: list[SeamJump], part: Property) -> tuple[float, float]:
    of = [jump for jump in jumps if jump.channel.property == part]
    return max((abs(j.value) for j in of), default=0.0), max((abs(j.rate) for j in of), default=0.0)


def _short(number: float) -> str:
    """A number in three figures or so, never minus zero."""
    text = (
        f"{number:.0f}"
        if abs(number) >= 99.5
        else f"{number:.1f}"
        if abs(number) >= 9.95
        else f"{number:.2f}"
    )
    return text.replace("-0.00", "0.00")
