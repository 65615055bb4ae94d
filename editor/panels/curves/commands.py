"""What the curve editor's keys, menus and fields do: each one undo step. Free of Qt."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import WHOLE, Channel, Clip
from core.clips.loop_tools import seam
from core.errors import ValidationError
from core.progress import Progress, counted
from core.tracks.edits import set_extrapolation, set_mode, set_slopes, set_weights
from core.tracks.keys import PLAIN_WEIGHT, Extrapolation, Interpolation, ScalarTrack, TangentMode, Track
from editor.model.edit_jobs import Made
from editor.model.i18n import tr
from editor.model.tangent_modes import MODES
from editor.panels.curves.agreed import Agreed, Column
from editor.panels.curves.view_model import CurvesModel
from editor.tools import key_commands, key_edits, key_moves
from editor.tools.curves import edits
from editor.tools.curves.lanes import Lane, track_of, with_tracks
from editor.tools.key_edits import Keys, Numbers

VALUES = ("values", "in_slopes", "out_slopes")
"""Columns of a track that are told in its unit."""


class Summary(NamedTuple):
    """What the fields show of the selected keys; None where they differ or have none.

    Parameters
    ----------
    number : selected keys
    sloped : whether they have slopes at all
    """

    number: int
    frame: float | None
    value: float | None
    into: float | None
    out: float | None
    sloped: bool
    mode: TangentMode | None
    unit: str


class CurveCommands:
    """Commands on the selected keys and the bright curves of a model."""

    def __init__(self, model: CurvesModel) -> None:
        self.model, self.session = model, model.session

    # -------------------------------------------------- what is worked on
    def keys(self) -> Keys:
        """The selected keys that may be edited."""
        clip = self.session.clip
        if clip is None:
            return {}
        return self.model.lanes.editable(key_edits.known(clip, self.session.selection.keys))

    def targets(self) -> tuple[Keys, bool]:
        """The selected keys, or every key of the curves that stand out (of all shown), and whether selected."""
        keys, clip = self.keys(), self.session.clip
        if keys or clip is None:
            return keys, True
        lanes = self.model.lanes.bright() or self.model.lanes.visible()
        tracks = {lane.channel: track_of(clip, lane.channel) for lane in lanes}
        every = {c: np.arange(len(t), dtype=np.int64) for c, t in tracks.items() if t is not None}
        return self.model.lanes.editable(every), False

    def channels(self) -> list[Channel]:
        """Channels of the selected keys, else of the curves that stand out."""
        return list(self.targets()[0])

    def _put(self, label: str, make: Callable[[Clip], Clip]) -> bool:
        """Make an edit of whole curves a step: as a job where it takes long."""
        before = self.session.clip
        if before is None:
            return False

        def made(progress: Progress) -> Made:
            clip = make(before)
            return Made(label, () if clip is before else (clip,))

        def keep(done: bool) -> None:
            if done:
                self.model.lanes.keep_buffer(before)

        return self.session.edit_jobs.run(label, made, keep)

    def _some(self) -> tuple[Clip, Keys] | None:
        clip, keys = self.session.clip, self.keys()
        if clip is None or not keys:
            self.session.messages.info(tr("No keys are selected"), tr("Click or box-select keys first"))
            return None
        return clip, keys

    # -------------------------------------------------- modes
    def set_mode(self, mode: TangentMode) -> bool:
        """Give the selected keys a tangent mode."""
        found = self._some()
        if found is None:
            return False
        name = MODES[mode].title.lower()
        return self._put(
            tr("Set tangents to {mode}", mode=name), lambda clip: edits.with_mode(clip, found[1], mode)
        )

    def set_kind(self, kind: Interpolation) -> bool:
        """Let the segments after the selected keys be constant, linear or cubic."""
        found = self._some()
        if found is None:
            return False
        label = tr("Set segments to {kind}", kind=kind.name.lower())
        return self._put(label, lambda clip: edits.with_kind(clip, found[1], kind))

    def break_tangents(self) -> bool:
        """Let the two sides of the selected keys go their own way."""
        return self._scalar(tr("Break tangents"), lambda t, k, loop: set_mode(t, k, TangentMode.BROKEN, loop))

    def unify_tangents(self) -> bool:
        """Let both sides of the selected keys share one slope."""
        return self._scalar(tr("Unify tangents"), lambda t, k, loop: set_mode(t, k, TangentMode.FREE, loop))

    def reset_weights(self) -> bool:
        """Give the selected keys' handles their plain length."""
        plain = PLAIN_WEIGHT
        return self._scalar(tr("Reset tangent weights"), lambda t, k, loop: set_weights(t, k, plain, plain))

    def _scalar(self, label: str, change: edits.ScalarChange) -> bool:
        found = self._some()
        return found is not None and self._put(label, lambda clip: edits.changed(clip, found[1], change))

    # -------------------------------------------------- numbers
    def summary(self) -> Summary:
        """What the fields show."""
        clip = self.model.lanes.clip
        keys = self.model.lanes.in_sight(self.model.lanes.selected_keys()) if clip is not None else {}
        if clip is None or not keys:
            return Summary(0, None, None, None, None, False, None, "")
        found = {name: Agreed() for name in ("times", "values", "in_slopes", "out_slopes", "modes")}
        sloped = all(channel.axis != WHOLE for channel in keys)
        units = {Lane(c).unit for c in keys}
        left = list(found.items())
        for channel, numbers in keys.items():
            track = track_of(clip, channel)
            unit = self.model.view.unit_of(Lane(channel)) if any(n in VALUES for n, _ in left) else 1.0
            for name, agreed in left:
                for column in self._columns(channel, track, name):
                    agreed.take(column, numbers, unit if name in VALUES else 1.0)
            left = [(name, agreed) for name, agreed in left if not agreed.differ]
            if not left:
                break
        time, mode = found["times"].value, found["modes"].value if sloped else None
        return Summary(
            key_edits.count(keys),
            None if time is None else clip.rate.to_frame(time),
            found["values"].value,
            found["in_slopes"].value if sloped else None,
            found["out_slopes"].value if sloped else None,
            sloped,
            None if mode is None else TangentMode(int(mode)),
            units.pop() if len(units) == 1 else "",
        )

    def _columns(self, channel: Channel, track: Track | None, name: str) -> list[Column]:
        """What the fields show of a track's keys; of quaternion keys their angles and times."""
        if isinstance(track, ScalarTrack) or (track is not None and name == "times"):
            return [getattr(track, name)]
        curves = (
            [self.model.lanes.curve(lane) for lane in self._angle_lanes(channel)] if name == "values" else []
        )
        return [curve.values for curve in curves if curve is not None]

    def _angle_lanes(self, channel: Channel) -> list[Lane]:
        lanes = [Lane(channel, part) for part in range(3)]
        chosen = [lane for lane in lanes if lane in self.model.lanes.chosen]
        return chosen or [lane for lane in lanes if lane in self.model.lanes.visible()]

    def frame_edit(self, frame: float) -> key_edits.Edited | None:
        """The clip with the selected keys at a frame: one a curve, more move along with the first."""
        clip, keys = self.session.clip, self.keys()
        if clip is None or not keys:
            return None
        time = clip.rate.to_seconds(frame)
        if all(len(numbers) == 1 for numbers in keys.values()):
            return key_edits.placed(clip, keys, time)
        tracks = [(track_of(clip, c), k) for c, k in keys.items()]
        first = min(float(t.times[k[0]]) for t, k in tracks if t is not None)
        return key_moves.moved(clip, keys, time - first, {}, self.model.lanes.reader)

    def value_edit(self, value: float) -> key_edits.Edited | None:
        """The clip with the selected keys at a value."""
        clip, keys = self.session.clip, self.keys()
        if clip is None or not keys:
            return None
        reader, parts = self.model.lanes.reader, self._parts(keys)

        def put(clip: Clip, some: Keys, unit: float) -> Clip:
            return edits.with_values(clip, some, value / unit, reader, parts)

        return key_edits.Edited(self._by_unit(clip, keys, put), keys)

    def slope_edit(self, slope: float, side: int) -> key_edits.Edited | None:
        """The clip with a slope on one side (−1 in, +1 out) of the selected keys."""
        clip, keys = self.session.clip, self.keys()
        if clip is None or not keys:
            return None

        def put(clip: Clip, some: Keys, unit: float) -> Clip:
            into, out = (slope / unit, None) if side < 0 else (None, slope / unit)
            return edits.changed(clip, some, lambda t, numbers, loop: set_slopes(t, numbers, into, out))

        return key_edits.Edited(self._by_unit(clip, keys, put), keys)

    def each_edit(self, what: str, change: Callable[[float], float]) -> key_edits.Edited | None:
        """The clip with each selected key's own ``frame``, ``value``, ``in`` or ``out`` slope changed."""
        clip, keys = self.session.clip, self.keys()
        if clip is None or not keys:
            return None
        if what == "frame":
            rate = clip.rate

            def placed(times: FloatArray) -> FloatArray:
                return np.array([rate.to_seconds(change(rate.to_frame(time))) for time in times.tolist()])

            return key_edits.at_times(clip, keys, placed)
        reader, parts = self.model.lanes.reader, self._parts(keys)

        def turned(clip: Clip, some: Keys, unit: float) -> Clip:
            def shown(value: float) -> float:
                return change(value * unit) / unit

            if what == "value":
                return edits.mapped(clip, some, reader, parts, shown)

            def turn(track: ScalarTrack, numbers: Numbers, loop: float | None) -> ScalarTrack:
                old = track.in_slopes if what == "in" else track.out_slopes
                slopes = [shown(slope) for slope in old[numbers].tolist()]
                into, out = (slopes, None) if what == "in" else (None, slopes)
                return set_slopes(track, numbers, into, out)

            return edits.changed(clip, some, turn)

        return key_edits.Edited(self._by_unit(clip, keys, turned), keys)

    def _by_unit(self, clip: Clip, keys: Keys, change: Callable[[Clip, Keys, float], Clip]) -> Clip:
        """Change keys whose curves are shown in one unit together, one unit after the other.

        What a person types is in the world's units; `change` gets what one unit of a curve is in them.
        """
        groups: dict[float, dict[Channel, Numbers]] = {}
        for channel, numbers in keys.items():
            groups.setdefault(self.model.view.unit_of(Lane(channel)), {})[channel] = numbers
        for unit, some in groups.items():
            clip = change(clip, some, unit)
        return clip

    def _parts(self, keys: Keys) -> dict[Channel, int]:
        """Which angle of each quaternion channel a number is for."""
        return {c: lanes[0].part for c in keys if c.axis == WHOLE and (lanes := self._angle_lanes(c))}

    def show(self, edited: key_edits.Edited | None) -> None:
        """Preview an edit."""
        if edited is not None:
            self.model.view.rest(True)
            self.session.preview.set_clip(edited.clip)

    def commit(self, label: str, edited: key_edits.Edited | None) -> bool:
        """Make an edit a step."""
        self.model.view.rest(False)
        before, done = self.session.clip, False
        if (
            edited is not None and before is not None and edited.clip is not before
        ):  # worked out for the preview
            done = self.session.edits.put(label, edited.clip)
            if done:
                self.model.lanes.keep_buffer(before)
            self.session.selection.select_keys(edited.keys)
        self.session.preview.clear()
        return done

    def revert(self) -> None:
        """Take a preview back."""
        self.model.view.rest(False)
        self.session.preview.clear()

    # -------------------------------------------------- delete, copy, paste
    def delete(self) -> bool:
        """Delete the selected keys."""
        found = self._some()
        return found is not None and self._kept(lambda: key_commands.delete(self.session, found))

    def copy(self) -> None:
        """Put the selected keys on the clipboard."""
        found = self._some()
        if found is not None:
            key_commands.copy(self.session, found)

    def paste(self, at_playhead: bool = True, backwards: bool = False) -> bool:
        """Paste keys at the playhead, or at their own time; optionally turned round in time."""
        locked = self._locked()
        return self._kept(lambda: key_commands.paste(self.session, at_playhead, backwards, locked=locked))

    def duplicate(self) -> bool:
        """Put copies of the selected keys at the playhead."""
        found, locked = self._some(), self._locked()
        return found is not None and self._kept(lambda: key_commands.duplicate(self.session, found, locked))

    def _locked(self) -> frozenset[Channel]:
        return frozenset(lane.channel for lane in self.model.lanes.locked)

    def select_all(self) -> None:
        """Select every key of the curves that stand out, or of all shown."""
        clip = self.session.clip
        if clip is not None:
            lanes = self.model.lanes.bright() if self.model.lanes.chosen else self.model.lanes.visible()
            tracks = {
                lane.channel: track_of(clip, lane.channel)
                for lane in lanes
                if lane not in self.model.lanes.locked
            }
            every = {c: np.arange(len(t)) for c, t in tracks.items() if t is not None}
            self.session.selection.select_keys(self.model.lanes.in_sight(every))

    # -------------------------------------------------- whole curves
    def set_extrapolation(self, before: Extrapolation | None, after: Extrapolation | None) -> bool:
        """Set what curves do beyond their keys."""
        clip = self.session.clip
        if clip is None:
            return False
        channels = self.channels()
        how = before if before is not None else after
        name = "" if how is None else extrapolation_title(how)

        def work(clip: Clip) -> Clip:
            return with_tracks(
                clip, {c: _extended(track_of(clip, c), before, after) for c in counted(channels)}
            )

        return self._put(tr("Extrapolate: {how}", how=name), work)

    def swap_buffer(self) -> bool:
        """Change the bright curves for their buffered shape, which takes their place in the buffer."""
        clip, buffer = self.session.clip, self.model.lanes.buffer
        if clip is None or buffer is None or buffer.id != clip.id:
            self.session.messages.info(
                tr("Nothing is buffered"), tr("Edit a curve first: its previous shape is kept in the buffer")
            )
            return False
        lanes = self.model.lanes.bright() or self.model.lanes.visible()
        channels = {lane.channel for lane in lanes if lane not in self.model.lanes.locked}
        changes = {c: track_of(buffer, c) for c in channels if track_of(buffer, c) is not track_of(clip, c)}
        return self._put(tr("Swap with buffer curve"), lambda clip: with_tracks(clip, changes))

    def link_ends(self) -> bool:
        """Make first and last keys one, of the curves worked on."""
        return self._kept(lambda: key_commands.link_ends(self.session, self.channels()))

    def cycle_to_playhead(self) -> bool:
        """Let a looping clip begin at the playhead."""
        return self._kept(lambda: key_commands.cycle_here(self.session))

    def _kept(self, work: Callable[[], bool]) -> bool:
        """Work of every panel over time, with the buffer kept and refusals told."""
        before = self.session.clip
        try:
            done = work()
        except ValidationError as error:
            self.session.messages.info(str(error))
            return False
        if (done or self.session.edit_jobs.busy) and before is not None:
            self.model.lanes.keep_buffer(before)
        return done

    def seam_text(self) -> str:
        """How the clip closes, in words."""
        clip = self.session.clip
        if clip is None or clip.length <= 0.0:
            return ""
        found = seam(clip, self.session.rig.skeleton if self.session.rig else None)
        return tr(
            "Seam: {mm} mm, {deg}° · {mms} mm/s, {degs}°/s",
            mm=f"{found.metres * 1000.0:.2f}",
            deg=f"{found.degrees:.2f}",
            mms=f"{found.metres_per_second * 1000.0:.1f}",
            degs=f"{found.degrees_per_second:.1f}",
        )


def extrapolation_title(how: Extrapolation) -> str:
    """What curves do beyond their keys, in words: “cycle with offset”."""
    return how.name.lower().replace("_", " with ")


def _extended(track: Track | None, before: Extrapolation | None, after: Extrapolation | None) -> Track | None:
    return None if track is None else set_extrapolation(track, before, after)  # type: ignore[type-var]
