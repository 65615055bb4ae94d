"""A clip laid out for the sampling kernel: addresses of the tracks' own arrays, and room for the lanes.

Nothing is copied: the kernel reads keys where they are, whatever their stride, so packing costs the
same for forty keys and for four thousand, and an edited track is one changed row.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.clips.binding import Binding, Place
from core.clips.clip import Property
from core.math import euler
from core.math import kernel_layout as layout
from core.tracks.evaluate import is_weighted
from core.tracks.keys import Extrapolation, Interpolation, QuaternionTrack, ScalarTrack, Track

IntBuffer = npt.NDArray[np.int64]

_SCALAR_FIELDS = (
    (layout.R_TIMES, "times"),
    (layout.R_VALUES, "values"),
    (layout.R_OUT, "out_slopes"),
    (layout.R_IN, "in_slopes"),
    (layout.R_KINDS, "interpolations"),
    (layout.R_OUT_WEIGHT, "out_weights"),
    (layout.R_IN_WEIGHT, "in_weights"),
)
_QUATERNION_FIELDS = (
    (layout.R_TIMES, "times", None),
    (layout.R_VALUES, "values", layout.R_VALUES_COLUMN),
    (layout.R_OUT, "out_tangents", layout.R_OUT_COLUMN),
    (layout.R_IN, "in_tangents", layout.R_IN_COLUMN),
    (layout.R_KINDS, "interpolations", None),
)
_PROPERTY_ROW = {
    Property.TRANSLATE: layout.TRANSLATE,
    Property.ROTATE: layout.EULER,
    Property.SCALE: layout.SCALE,
}


@dataclass(slots=True, eq=False)
class Packed:
    """Buffers of one player: integers (addresses, places), floats (lanes, results).

    Parameters
    ----------
    tracks : tracks of the binding; kept, so that the addresses stay good
    rows : row of the table of each track: those that share their key times stand together
    times : key times that stand for equal ones of other tracks, by address; kept likewise
    """

    integers: IntBuffer
    floats: FloatArray
    tracks: list[Track]
    rows: npt.NDArray[np.intp]
    times: dict[int, FloatArray]

    def copy(self) -> "Packed":
        """Buffers of their own for another player."""
        return Packed(self.integers.copy(), self.floats.copy(), list(self.tracks), self.rows, self.times)

    def replace(self, changes: Mapping[int, Track]) -> None:
        """Lay out other tracks of the same kinds in the places of some of `tracks`, by their index."""
        if not changes:
            return
        fresh, table = _Rows(), self._table()
        free = 1 + int(table[:, layout.R_GROUP].max())
        groups: dict[tuple[int, Extrapolation, Extrapolation], int] = {}
        for index, track in changes.items():
            self.tracks[index] = track
            shared = id(track.times), track.before, track.after
            fresh.add(track, groups.setdefault(shared, free + len(groups)), track.times)
        rows = self.rows[list(changes)]
        kept = table[rows][:, [layout.R_LANE, layout.R_PLACE]]
        table[rows] = fresh.table()
        table[rows[:, None], [layout.R_LANE, layout.R_PLACE]] = kept
        _find_runs(table)
        self.part(layout.I_LOW, len(self.tracks))[:] = np.inf
        # plain segments do not write what they are: a track that was weighted before would be taken for weighted still
        self.part(layout.I_AUX, len(self.tracks) * layout.AUX_WIDTH)[:] = 0.0
        self.floats[layout.F_LOW] = np.inf

    def _table(self) -> IntBuffer:
        start = int(self.integers[layout.I_ROWS])
        table: IntBuffer = self.integers[start:].reshape(len(self.tracks), layout.R_WIDTH)
        return table

    @property
    def bones(self) -> int:
        """Number of bones."""
        return int(self.integers[layout.I_BONES])

    @property
    def extras(self) -> int:
        """Number of curves and morphs."""
        return int(self.integers[layout.I_EXTRA_COUNT])

    def extra_lanes(self) -> npt.NDArray[np.intp]:
        """Places of the extras' values in the floats."""
        number = np.arange(self.extras)
        start = int(self.integers[layout.I_EXTRAS])
        return start + (number >> 4) * layout.SUB_BLOCK + (number & 15) + layout.ROW_VALUE

    def part(self, offset: int, size: int) -> FloatArray:
        """A view of the floats that starts where an integer of the header says."""
        start = int(self.integers[offset])
        view: FloatArray = self.floats[start : start + size]
        return view


def can_pack(tracks: Sequence[Track], loop: float | None) -> bool:
    """Whether the kernel knows everything these tracks use.

    It leaves quaternion tracks that go on turning beyond their keys to the twin.
    """
    turning = (Extrapolation.LINEAR, Extrapolation.CYCLE_OFFSET)
    return loop is not None or not any(
        isinstance(t, QuaternionTrack) and (t.before in turning or t.after in turning) for t in tracks
    )


def pack(binding: Binding, loop: float | None) -> Packed:
    """Lay out a clip that was bound to a skeleton."""
    skeleton = binding.skeleton
    bones, blocks = len(skeleton), -(-len(skeleton) // layout.LANES)
    extras = len(binding.extras)
    extra_blocks = -(-extras // layout.LANES)
    tracks = list(binding.tracks)
    groups, times = _grouped(tracks)
    order = np.argsort(groups, kind="stable")
    rows = np.empty(len(tracks), dtype=np.intp)
    rows[order] = np.arange(len(tracks))
    integers = np.zeros(layout.I_HEADER + bones + len(tracks) * layout.R_WIDTH, dtype=np.int64)
    places = [layout.F_HEADER]
    for size in (
        blocks * layout.BONE_BLOCK,
        extra_blocks * layout.SUB_BLOCK,
        len(tracks),
        len(tracks),
        len(tracks) * layout.AUX_WIDTH,
        bones * 10,
        bones * 16,
    ):
        places.append(places[-1] + size)
    floats = np.zeros(places[-1])
    integers[: layout.I_HEADER] = (
        bones,
        blocks,
        extra_blocks,
        len(tracks),
        layout.I_HEADER,
        layout.I_HEADER + bones,
        *places[:7],
        extras,
        0,
        0,
    )
    integers[layout.I_HEADER : layout.I_HEADER + bones] = skeleton.parents
    floats[layout.F_LOW], floats[layout.F_HIGH] = np.inf, -np.inf
    floats[layout.F_LOOP] = loop or 0.0
    kept = {column.ctypes.data: column for column in times}
    packed = Packed(integers, floats, tracks, rows, kept)
    _fill_lanes(packed, binding, blocks, extra_blocks)
    table = integers[layout.I_HEADER + bones :].reshape(len(tracks), layout.R_WIDTH)
    lanes = _lanes(packed, binding)
    fresh = _Rows()
    for track, group in zip(tracks, groups, strict=True):
        fresh.add(track, group, times[group])
    made = fresh.table()
    made[:, layout.R_LANE], made[:, layout.R_PLACE] = lanes, [_tile_row(p, bones) for p in binding.places]
    table[rows] = made
    _find_runs(table)
    packed.part(layout.I_LOW, len(tracks))[:] = np.inf
    packed.part(layout.I_MODEL, bones * 16).reshape(bones, 16)[:, 15] = 1.0
    return packed


def _fill_lanes(packed: Packed, binding: Binding, blocks: int, extra_blocks: int) -> None:
    """Constant lanes: rest pose, signs of the Euler products, defaults of the extras."""
    skeleton, bones = binding.skeleton, len(binding.skeleton)
    block = packed.part(layout.I_LANES, blocks * layout.BONE_BLOCK).reshape(blocks, layout.BONE_BLOCK)
    number = np.arange(bones)
    where, lane = number >> 4, number & 15
    whole = np.full(bones, layout.AS_IS)
    for entry in binding.bones:
        if entry.whole is not None or entry.turn:
            whole[entry.bone] = float(entry.whole is not None)
    constants = np.concatenate(
        (skeleton.rest.translation, binding.rest_degrees, skeleton.rest.scale, skeleton.rest.rotation), axis=1
    )
    for column in range(layout.PROPERTIES):
        for row in (layout.ROW_C0, layout.ROW_VALUE):
            block[where, column * layout.SUB_BLOCK + row + lane] = constants[:, column]
    for place in binding.places:
        if place.bone >= 0:
            first = _property_row(place)
            last = first + 4 if first == layout.QUATERNION else first + 1
            block[
                place.bone >> 4, layout.SIGNS + layout.MOVES + first : layout.SIGNS + layout.MOVES + last
            ] = 1.0
    middle = np.array([s[1] for s in euler.SEQUENCE])[skeleton.euler_orders]
    parity = np.array(euler.PARITY, dtype=np.float64)[skeleton.euler_orders]
    for axis, sign in enumerate((layout.SIGN_X, layout.SIGN_Y, layout.SIGN_Z)):
        block[where, layout.SIGNS + sign + lane] = np.where(middle == axis, parity, -parity)
    block[where, layout.SIGNS + layout.SIGN_W + lane] = parity
    block[where, layout.SIGNS + layout.IS_QUATERNION + lane] = whole
    extra = packed.part(layout.I_EXTRAS, extra_blocks * layout.SUB_BLOCK).reshape(
        extra_blocks, layout.SUB_BLOCK
    )
    for index, driven in enumerate(binding.extras):
        extra[index >> 4, layout.ROW_C0 + (index & 15)] = driven.default


def _lanes(packed: Packed, binding: Binding) -> list[int]:
    """Place of each track's lane, in the order of `Binding.tracks`."""
    start, extra = int(packed.integers[layout.I_LANES]), int(packed.integers[layout.I_EXTRAS])
    lanes = []
    for place in binding.places:
        if place.bone < 0:
            lanes.append(extra + (place.row >> 4) * layout.SUB_BLOCK + (place.row & 15))
            continue
        lane = start + (place.bone >> 4) * layout.BONE_BLOCK + (place.bone & 15)
        if place.axis < 3:
            lane += (_PROPERTY_ROW[place.property] + place.axis) * layout.SUB_BLOCK
        lanes.append(lane)
    return lanes


def _tile_row(place: Place, bones: int) -> int:
    """Number of a track's row in a tile of the batch kernel."""
    if place.bone < 0:
        return bones * layout.PROPERTIES + place.row
    return place.bone * layout.PROPERTIES + _property_row(place)


def _property_row(place: Place) -> int:
    """Number of the property, of the layout's 13, that a bone's track drives; of a quaternion the first of four."""
    return layout.QUATERNION if place.axis >= 3 else _PROPERTY_ROW[place.property] + place.axis


def _find_runs(table: IntBuffer) -> None:
    """Number of tracks that are refreshed as one from each on (`R_RUN`)."""
    count = len(table)
    if not count:
        return
    group, simple = table[:, layout.R_GROUP], table[:, layout.R_SIMPLE]
    breaks = np.ones(count + 1, dtype=np.bool_)  # whether a run begins at a track
    breaks[1:count] = (group[1:] != group[:-1]) | (simple[1:] != simple[:-1]) | (simple[1:] == 0)
    begins = np.flatnonzero(breaks)
    table[:, layout.R_RUN] = 1
    table[begins[:-1], layout.R_RUN] = np.diff(begins)


def _grouped(tracks: Sequence[Track]) -> tuple[list[int], list[FloatArray]]:
    """Group number of each track, and the key times of each group.

    A group shares key times (one array, or equal ones) and extrapolation.
    """
    by_identity: dict[tuple[int, Extrapolation, Extrapolation], int] = {}
    by_value: dict[tuple[bytes, Extrapolation, Extrapolation], int] = {}
    groups: list[int] = []
    times: list[FloatArray] = []
    for track in tracks:
        group = by_identity.get((id(track.times), track.before, track.after))
        if group is None:
            group = by_value.setdefault((track.times.tobytes(), track.before, track.after), len(times))
            by_identity[id(track.times), track.before, track.after] = group
            if group == len(times):
                times.append(track.times)
        groups.append(group)
    return groups, times


class _Rows:
    """Rows of the table of one track after the other, lanes and places left 0.

    Asking numpy for an address costs a microsecond, and a clip has thousands of tracks: rows of tracks that share all
    but values and slopes are copies of one, put together by numpy.
    """

    def __init__(self) -> None:
        self._addresses: dict[int, int] = {}
        self._models: list[list[int]] = []
        self._alike: dict[tuple[int, ...], int] = {}
        self._which: list[int] = []
        self._columns: list[tuple[int, int, int]] = []

    def add(self, track: Track, group: int, times: FloatArray) -> None:
        """Add a track's row; `times` equal the track's."""
        if isinstance(track, QuaternionTrack):
            self._which.append(len(self._models))
            self._models.append(row := self._quaternion(track, group, times))
            self._columns.append((row[layout.R_VALUES], row[layout.R_OUT], row[layout.R_IN]))
            return
        values, out, into = track.values, track.out_slopes, track.in_slopes
        which = (
            group,
            id(track.interpolations),
            id(track.out_weights),
            id(track.in_weights),
            values.strides[0],
            out.strides[0],
            into.strides[0],
        )
        number = self._alike.get(which)
        if number is None:
            number = self._alike[which] = len(self._models)
            self._models.append(self._scalar(track, group, times))
        self._which.append(number)
        first = self._of(out)
        self._columns.append((self._of(values), first, first if into is out else self._of(into)))

    def table(self) -> IntBuffer:
        """The rows ``(N, R_WIDTH)``."""
        if not self._models:
            return np.zeros((0, layout.R_WIDTH), dtype=np.int64)
        rows: IntBuffer = np.array(self._models, dtype=np.int64)[self._which]
        rows[:, [layout.R_VALUES, layout.R_OUT, layout.R_IN]] = self._columns
        return rows

    def _of(self, array: npt.NDArray[Any]) -> int:
        """Where an array's numbers are."""
        found = self._addresses.get(id(array))
        if found is None:  # half the time of `ctypes.data`
            found = self._addresses[id(array)] = array.__array_interface__["data"][0]
        return found

    def _scalar(self, track: ScalarTrack, group: int, times: FloatArray) -> list[int]:
        row = self._common(track, group)
        row[layout.R_KIND] = layout.KIND_SCALAR
        for field, name in _SCALAR_FIELDS:
            array = getattr(track, name)
            row[field], row[field + 1] = self._of(array), array.strides[0]
        row[layout.R_TIMES], row[layout.R_TIMES + 1] = self._of(times), times.strides[0]
        row[layout.R_SIMPLE] = _simple(track)
        return row

    def _quaternion(self, track: QuaternionTrack, group: int, times: FloatArray) -> list[int]:
        row = self._common(track, group)
        row[layout.R_KIND] = layout.KIND_QUATERNION
        for field, name, column in _QUATERNION_FIELDS:
            array = getattr(track, name)
            row[field], row[field + 1] = self._of(array), array.strides[0]
            if column is not None:
                row[column] = array.strides[1]
        row[layout.R_TIMES], row[layout.R_TIMES + 1] = self._of(times), times.strides[0]
        return row

    @staticmethod
    def _common(track: Track, group: int) -> list[int]:
        row = [0] * layout.R_WIDTH
        row[layout.R_GROUP], row[layout.R_COUNT] = group, len(track.times)
        row[layout.R_BEFORE], row[layout.R_AFTER] = int(track.before), int(track.after)
        return row


def _simple(track: ScalarTrack) -> int:
    """What all of a track's segments are: plain cubics, lines, or 0."""
    kinds = track.interpolations
    first = int(kinds[0])
    if kinds.strides != (0,) and not (kinds == first).all():
        return 0
    if first == Interpolation.LINEAR:
        return layout.SIMPLE_LINES
    return layout.SIMPLE_CUBICS if first == Interpolation.CUBIC and not is_weighted(track) else 0
