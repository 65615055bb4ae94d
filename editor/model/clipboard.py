"""Poses and keys as plain JSON text on the system's clipboard, readable by any other program."""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from core.clips.clip import WHOLE, Channel, ChannelKind, Property
from core.errors import ValidationError
from core.math import quat
from core.math.transform import Transform
from core.pose.compare import match_names
from core.pose.pose import Pose
from core.progress import checkpoint, counted
from core.rig.rig import Rig
from core.tracks.keys import ScalarTrack, Track, quaternion_track, scalar_track, taken
from core.tracks.typed import with_types

MAX_TEXT = 64 * 2**20
MOST_SECONDS, MOST_VALUE = 1e7, 1e9
"""Times (four months) and values beyond which pasted numbers are refused: what is worked out from them overflows."""
CODES = ("interpolations", "modes", "types")
COLUMNS = (
    "times", "values", "in_slopes", "out_slopes", "in_weights", "out_weights", "in_tangents", "out_tangents", *CODES,
)  # fmt: skip
KEYS_HEAD, ROW_END, KEYS_TAIL = '{"posewright": "keys", "version": 1, "tracks": [\n', ",\n", "\n]}"
PIECE = 1000
"""Numbers that are put into words at a time: half a millisecond."""
MAX_COPIED = 250_000
"""Keys that the clipboard takes: their text stays well below `MAX_TEXT`, and other programs can still paste it."""


@dataclass(frozen=True, slots=True)
class PastedPose:
    """A pose from text, and how well it fits the rig it was pasted to.

    Parameters
    ----------
    pose : the pose given, with the bones found put in place
    bones : bones that were found on both sides
    missing : names in the text that the rig lacks
    total : number of bones in the text
    """

    pose: Pose
    bones: tuple[str, ...]
    missing: tuple[str, ...]
    total: int


class Clipboard:
    """Text in and out; the window connects it with the system's clipboard."""

    def __init__(self) -> None:
        self._text = ""
        self._known = "", ""  # a text and its kind
        self.read: Callable[[], str] = lambda: self._text
        self.write: Callable[[str], None] = self._keep

    def _keep(self, text: str) -> None:
        self._text = text

    @property
    def text(self) -> str:
        """What is on the clipboard."""
        return self.read()

    @text.setter
    def text(self, text: str) -> None:
        self._text = text
        self.write(text)

    @property
    def kind(self) -> str:
        """``pose``, ``keys`` or "" for anything else."""
        text = self.text
        if text is self._known[0] or text == self._known[0]:  # menus ask often, and the text may be long
            return self._known[1]
        kind = "keys" if text.startswith(KEYS_HEAD) else ""
        if not kind and text.lstrip().startswith("{") and '"posewright"' in text[:200]:
            with suppress(ValidationError):
                kind = str(_document(text).get("posewright", ""))
        self._known = text, kind
        return kind


def pose_to_text(rig: Rig, pose: Pose, bones: tuple[str, ...] | None = None) -> str:
    """A pose as JSON: local translation (m), rotation (xyzw), scale by bone name."""
    names = rig.skeleton.names if bones is None else bones
    rows = {}
    for name in names:
        t, q, s = pose.bone(rig.skeleton.index(name))
        rows[name] = {"translation": t.tolist(), "rotation": q.tolist(), "scale": s.tolist()}
    return json.dumps(
        {"posewright": "pose", "version": 1, "rig": rig.name, "bones": rows}, ensure_ascii=False
    )


def text_to_pose(text: str, rig: Rig, base: Pose) -> PastedPose:
    """Lay the pose in a text over `base`; bones are found by name (`core.pose.compare.match_names`).

    Raises
    ------
    ValidationError
        The text holds no pose, or one with numbers that make no transform.
    """
    document = _document(text)
    rows = document.get("bones")
    if document.get("posewright") != "pose" or not isinstance(rows, dict):
        raise ValidationError("the clipboard holds no pose: copy one first")
    parts = [np.array(part) for part in base.local]
    match, found = match_names(rows, rig.skeleton), []
    for name, row in rows.items():
        if name not in match.bones:
            continue
        if not isinstance(row, dict):
            raise ValidationError(f"the clipboard holds no pose: {name} is no transform")
        bone = match.bones[name]
        index = rig.skeleton.index(bone)
        found.append(bone)
        for part, key, width in zip(parts, ("translation", "rotation", "scale"), (3, 4, 3), strict=True):
            if key in row:
                part[index] = _numbers(row[key], width, f"{name} {key}")
    parts[1] = quat.require_units(parts[1], "pasted pose")
    pose = base.with_local(Transform(*parts))
    return PastedPose(pose, tuple(found), match.missing, match.total)


def keys_to_text(tracks: Mapping[Channel, Track], keys: Mapping[Channel, npt.ArrayLike]) -> str:
    """Selected keys as JSON; times in seconds as they stand in the clip."""
    rows = []
    for channel, indices in counted(keys.items(), "copying"):
        track: Any = taken(tracks[channel], indices)  # type: ignore[type-var]
        row: dict[str, Any] = {
            "bone": channel.bone,
            "property": channel.property.name.lower(),
            "axis": int(channel.axis),
            "kind": channel.kind.name.lower(),
            "times": track.times.tolist(),
            "values": track.values.tolist(),
            "interpolations": track.interpolations.tolist(),
        }
        names: tuple[str, ...] = ("in_slopes", "out_slopes", "modes", "in_weights", "out_weights")
        if not isinstance(track, ScalarTrack):
            names = ("in_tangents", "out_tangents")
        if track.types.any():
            names = (*names, "types")
        whole = row | {name: getattr(track, name).tolist() for name in names}
        rows.append(_row_text(whole))
    # A line for each track: reading goes track by track, too, for the decoder lets no other thread work meanwhile.
    return f"{KEYS_HEAD}{ROW_END.join(rows)}{KEYS_TAIL}"


def _row_text(row: Mapping[str, Any]) -> str:
    """A row as JSON, made of short pieces: the encoder lets no other thread work while it is at one."""
    parts = []
    for name, value in row.items():
        pieces = (
            [value[n : n + PIECE] for n in range(0, len(value), PIECE)] if isinstance(value, list) else []
        )
        checkpoint()
        if len(pieces) > 1:
            text = f"[{', '.join(json.dumps(piece)[1:-1] for piece in pieces)}]"
        else:
            text = json.dumps(value, ensure_ascii=False)
        parts.append(f"{json.dumps(name)}: {text}")
    return f"{{{', '.join(parts)}}}"


def text_to_keys(text: str) -> dict[Channel, Track]:
    """The keys in a text as tracks by channel; raises `ValidationError` where it holds none."""
    rows = _rows(text)
    tracks: dict[Channel, Track] = {}
    try:
        for row in counted(rows, "reading keys"):
            if isinstance(row, str):
                row = json.loads(row)
            part = Property[str(row["property"]).upper()]
            kind = ChannelKind[str(row.get("kind", "bone")).upper()]
            channel = Channel(str(row["bone"]), part, int(row["axis"]), kind)
            columns = {k: _column(v, f"{channel.bone} {k}", k) for k, v in row.items() if k in COLUMNS}
            types = columns.pop("types", None)
            if channel.axis == WHOLE:
                tracks[channel] = quaternion_track(**columns)
            elif channel.axis in (0, 1, 2):
                weights = (columns.pop("in_weights", None), columns.pop("out_weights", None))
                tracks[channel] = scalar_track(**columns, weights=weights)
            else:
                raise ValidationError(f"there is no axis {channel.axis}")
            if types is not None:
                tracks[channel] = with_types(tracks[channel], types)
    except ValidationError:
        raise
    except (KeyError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError) as error:
        raise ValidationError(f"the keys on the clipboard cannot be read: {error}") from error
    return tracks


def _rows(text: str) -> list[Any]:
    """The tracks in a text: parsed, or each still as the text that this program writes for it."""
    if len(text) <= MAX_TEXT and text.startswith(KEYS_HEAD) and text.endswith(KEYS_TAIL):
        return list(text[len(KEYS_HEAD) : -len(KEYS_TAIL)].split(ROW_END))
    document = _document(text)
    rows = document.get("tracks")
    if document.get("posewright") != "keys" or not isinstance(rows, list):
        raise ValidationError("the clipboard holds no keys: copy some first")
    return rows


def _column(value: Any, what: str, name: str) -> Any:
    """Numbers of a pasted column within what can be worked with."""
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValidationError(f"pasted keys: {what} is not made of numbers") from error
    most = MOST_SECONDS if name == "times" else 255.0 if name in CODES else MOST_VALUE
    if not (np.isfinite(array).all() and np.abs(array).max(initial=0.0) <= most):
        raise ValidationError(f"pasted keys: {what} holds numbers beyond ±{most:g}")
    return array.astype(np.int64) if name in CODES else array


def _document(text: str) -> dict[str, Any]:
    if len(text) > MAX_TEXT:
        raise ValidationError("the clipboard's text is too long for a pose or keys")
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValidationError("the clipboard holds neither a pose nor keys") from error
    if not isinstance(document, dict):
        raise ValidationError("the clipboard holds neither a pose nor keys")
    return document


def _numbers(value: Any, width: int, what: str) -> npt.NDArray[np.float64]:
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValidationError(f"pasted pose: {what} is not made of numbers") from error
    if array.shape != (width,) or not np.isfinite(array).all() or np.abs(array).max() > MOST_VALUE:
        raise ValidationError(
            f"pasted pose: {what} needs {width} finite numbers up to {MOST_VALUE:g}, got {value!r:.80}"
        )
    return array
