"""What our clips hold beyond other formats' motion, as plain JSON for places where formats allow more.

Curves, notifies, markers, sync markers, their colours, root-motion settings, rate and looping. Unknown or broken parts
are left out on reading: another program may have written there.
"""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from core.clips.clip import Clip, Marker, Notify, NotifyRule, RootMotion, RootPose, SyncMarker
from core.clips.notifies import rule_from, rule_values
from core.errors import ValidationError
from core.io.common.naming import printable
from core.io.common.type_extras import types_told, with_types_told
from core.io.report import ImportReport
from core.timing import FrameRate
from core.tracks.keys import SCALAR_COLUMNS, Extrapolation, ScalarTrack

MOST = 100_000
"""More entries than this in one list are not believed."""


def to_extras(clip: Clip, title: str) -> dict[str, Any]:
    """Plain values for JSON; only what the clip really has.

    Parameters
    ----------
    title : what the clip is called in the file, where another rig's clip may have its name
    """
    told: dict[str, Any] = {"rate": str(clip.rate.value), "looping": clip.looping}
    if title != clip.name:
        told["name"] = clip.name
    if clip.curves:
        told["curves"] = {name: _track(track) for name, track in clip.curves.items()}
    if clip.notifies:
        told["notifies"] = [
            {
                "name": n.name,
                "time": n.time,
                "duration": n.duration,
                "data": dict(n.data),
                **({"rule": rule_values(n.rule)} if n.rule != NotifyRule() else {}),
                **({"lane": n.lane} if n.lane else {}),
            }
            for n in clip.notifies
        ]
    for key, marks in (("sync_markers", clip.sync_markers), ("markers", clip.markers)):
        if marks:
            told[key] = [{"name": mark.name, "time": mark.time} for mark in marks]
    types = types_told(clip)
    if types:
        told["key_types"] = types
    if clip.event_colors:
        told["event_colors"] = dict(clip.event_colors)
    root = clip.root_motion
    if root != RootMotion():
        told["root_motion"] = {
            "enabled": root.enabled, "bone": root.bone, "ground": root.ground, "height": root.height,
            "yaw": root.yaw, "pose": root.pose.value,
        }  # fmt: skip
    return told


def _track(track: ScalarTrack) -> dict[str, Any]:
    columns = {
        name: np.asarray(getattr(track, name)).tolist()
        for name in SCALAR_COLUMNS
        if name != "types" or track.types.any()
    }
    return {**columns, "before": int(track.before), "after": int(track.after)}


def parsed(text: str) -> Any:
    """What `to_extras` gave, of JSON text; None for what is none."""
    try:
        return json.loads(text) if text else None
    except (ValueError, RecursionError):
        return None


def with_extras(clip: Clip, told: Any, report: ImportReport) -> Clip:
    """The clip with what `to_extras` wrote; invalid parts are left out and reported."""
    if not isinstance(told, dict):
        return clip
    broken: list[str] = []

    def part(key: str, read: Callable[[Any], Any]) -> Any:
        value = told.get(key)
        if value is None:
            return None
        try:
            if isinstance(value, dict | list) and len(value) > MOST:
                raise ValidationError("too many")
            return read(value)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError, ValidationError):
            broken.append(key)
            return None

    changes = {
        "curves": part(
            "curves", lambda v: {printable(str(name)): _read_track(track) for name, track in v.items()}
        ),
        "notifies": part("notifies", lambda v: tuple(_read_notify(n) for n in v)),
        "sync_markers": part(
            "sync_markers",
            lambda v: tuple(SyncMarker(printable(str(m["name"])), _time(m["time"])) for m in v),
        ),
        "markers": part(
            "markers", lambda v: tuple(Marker(printable(str(m["name"])), _time(m["time"])) for m in v)
        ),
        "event_colors": part(
            "event_colors", lambda v: {printable(str(n)): str(c)[:32] for n, c in v.items()}
        ),
        "root_motion": part("root_motion", _read_root),
    }
    kept = {name: value for name, value in changes.items() if value is not None}
    if isinstance(told.get("name"), str) and told["name"].strip():
        kept["name"] = printable(told["name"])
    with suppress(KeyError, ValidationError):
        kept["rate"] = FrameRate.of(str(told["rate"]))
    done = replace(clip, looping=told.get("looping") is True, **kept)
    done = part("key_types", lambda v: with_types_told(done, v)) or done
    for key in broken:
        report.leave_out(f"clip {clip.name!r}: its {key.replace('_', ' ')}, which are broken")
    return done


def _time(value: Any) -> float:
    time = float(value)
    if not -1e7 < time < 1e7:
        raise ValidationError(f"a time of {time} s")
    return time


def _read_notify(told: Any) -> Notify:
    data = {str(key): str(value) for key, value in dict(told.get("data") or {}).items()}
    duration = max(0.0, _time(told.get("duration", 0.0)))
    rule, lane = rule_from(told.get("rule") or {}), str(told.get("lane") or "")
    return Notify(
        printable(str(told["name"])),
        _time(told["time"]),
        duration,
        data,
        rule,
        printable(lane) if lane else "",
    )


def _read_track(told: Any) -> ScalarTrack:
    columns: dict[str, Any] = {
        name: np.array(told[name], dtype=np.float64)
        for name in SCALAR_COLUMNS
        if name != "types" or name in told
    }
    for name in {"interpolations", "modes", "types"} & columns.keys():
        if (columns[name] < 0).any() or (columns[name] > 255).any():
            raise ValidationError(f"curve {name}: expected codes")
        columns[name] = columns[name].astype(np.uint8)
    before, after = (Extrapolation(told.get(side, 0)) for side in ("before", "after"))
    return ScalarTrack(**columns, before=before, after=after)


def _read_root(told: Any) -> RootMotion:
    bone = told.get("bone")
    return RootMotion(
        told["enabled"] is True, None if bone is None else str(bone), told["ground"] is True,
        told["height"] is True, told["yaw"] is True, RootPose(told["pose"]),
    )  # fmt: skip
