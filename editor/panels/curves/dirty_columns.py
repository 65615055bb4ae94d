"""Which columns of the picture a drag has made out of date: all else stays as it was drawn. Free of Qt."""

from collections.abc import Hashable
from math import ceil, floor, inf
from typing import NamedTuple

from core.clips.clip import Clip
from editor.panels.curves.view_model import CurvesModel
from editor.tools.key_edits import Keys

Span = tuple[float, float]
PAD = 12.0
"""Pixels that a key, a handle or a line's width reaches beyond its place."""
GRID = 4
"""Columns are drawn again by so many, so that coarse ones stay where they are."""


class _Drawn(NamedTuple):
    """What a picture was drawn of; its span (pixels) is what a drag has changed, None for everything."""

    look: Hashable
    clip: Clip | None
    keys: Keys
    held: tuple[Clip | None, Keys] | None
    span: Span | None


class DirtyColumns:
    """Remembers the last picture.

    Parameters
    ----------
    model : what is drawn
    """

    def __init__(self, model: CurvesModel) -> None:
        self._model = model
        self._drawn: _Drawn | None = None

    def columns(self, look: Hashable, width: int, ratio: float) -> tuple[int, int]:
        """First column of pixels to draw and the one after the last; they count as drawn then.

        Parameters
        ----------
        look : whatever else the picture depends on
        """
        model, before = self._model, self._drawn
        now = _Drawn(look, model.lanes.clip, model.session.selection.keys, model.view.held, self._span())
        self._drawn = now
        if before is None or before.look != look or before.span is None or now.span is None:
            return 0, width
        # As it was: released, hovered. As the drag found it, or the same drag: what it has touched is known.
        same = before.clip is now.clip and before.keys is now.keys
        begun = now.held is not None and before.clip is now.held[0] and before.keys is now.held[1]
        going = now.held is not None and before.held is now.held
        if not (same or begun or going):
            return 0, width
        start, end = min(before.span[0], now.span[0]), max(before.span[1], now.span[1])
        if start >= end:
            return 0, width
        first = floor(max((start - PAD) * ratio, 0.0) / GRID) * GRID
        last = ceil(min((end + PAD) * ratio, float(width)) / GRID) * GRID
        return min(first, width - 1), min(max(last, first + 1), width)

    def _span(self) -> Span | None:
        """Pixels between which the picture shows what a drag has changed, handles and the key hovered."""
        model = self._model
        start, end = inf, -inf
        if model.view.held is not None:
            if model.view.touched is None:
                return None
            start, end = (model.view.axis.x(time) for time in model.view.touched)
        places = [x for handle in model.view.handles() for x in (handle.place[0], handle.key_place[0])]
        if model.pointer.hovered is not None:
            lane, key = model.pointer.hovered
            curve = model.lanes.curve(lane)
            if curve is not None and key < len(curve.track):
                places.append(model.view.axis.x(float(curve.track.times[key])))
        return min([start, *places]), max([end, *places])
