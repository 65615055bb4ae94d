"""Many tracks are written as a few arrays, and come back bit for bit."""

import json
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.arrays import same_value
from core.clips.clip import WHOLE, Channel, Property
from core.errors import AnimError
from core.tracks.keys import Extrapolation, QuaternionTrack, ScalarTrack, quaternion_track, scalar_track
from editor.model.codec import decode, encode, pack, unpack
from tests.fuzz.mutations import change_json

Tracks = dict[Channel, ScalarTrack | QuaternionTrack]


def again(value: Any) -> Any:
    """What comes back from a journal."""
    arrays: list[np.ndarray] = []
    packed, blob = pack(encode(value, arrays), arrays)
    data, back = unpack(json.loads(json.dumps(packed)), b"".join(blob))
    return decode(data, back)


def many_tracks(count: int, r: np.random.Generator) -> Tracks:
    """Tracks of both kinds, some with columns of one value, some with the times of others."""
    shared = np.arange(5) / 30.0
    shared.flags.writeable = False
    made: Tracks = {}
    for number in range(count):
        times = shared if number % 3 else np.sort(r.choice(200, int(r.integers(1, 6)), replace=False)) / 30.0
        ends = Extrapolation(int(r.integers(5))), Extrapolation(int(r.integers(5)))
        bone = f"bone {number // 2}"
        if number % 4 == 3:
            turns = r.normal(size=(len(times), 4))
            made[Channel(bone, Property.ROTATE, WHOLE)] = quaternion_track(
                times, turns, before=ends[0], after=ends[1]
            )
        else:
            values = r.normal(size=len(times)) if number % 5 else -0.0
            made[Channel(bone, Property(number % 2 * 2), 1)] = scalar_track(
                times, np.broadcast_to(values, len(times)), beyond=ends
            )
    return made


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 60), st.integers(0, 2**32 - 1))
def test_tracks_come_back_with_every_bit_in_their_order(count: int, seed: int) -> None:
    tracks = many_tracks(count, np.random.default_rng(seed))
    back = again(tracks)
    assert list(map(repr, back)) == list(map(repr, tracks)) and same_value(back, tracks)
    for channel, track in tracks.items():
        read = back[channel]
        assert type(read) is type(track)
        for name in track.__slots__:
            column = getattr(track, name)
            if isinstance(column, np.ndarray):
                assert getattr(read, name).tobytes() == column.tobytes()
                assert not getattr(read, name).flags.writeable
            else:
                assert getattr(read, name) is column


def test_columns_that_tracks_share_are_written_once_and_shared_again() -> None:
    """Two hundred clips of one rate took 1.6 million calls and 105 MB, one by one; every input waited for that."""
    times = np.arange(50) / 30.0
    times.flags.writeable = False
    r = np.random.default_rng(1)
    tracks = {
        Channel(f"b{n}", Property.ROTATE, 0): scalar_track(times, r.normal(size=50)) for n in range(100)
    }
    arrays: list[np.ndarray] = []
    encode(tracks, arrays)
    assert len(arrays) < 20
    own = sum(
        {id(c): c.nbytes for t in tracks.values() for c in (t.times, t.values) if any(c.strides)}.values()
    )
    assert sum(a.nbytes for a in arrays) < 2.5 * own  # and slopes
    back = list(again(tracks).values())
    assert all(track.times is back[0].times for track in back)


def test_a_mapping_of_anything_else_is_written_as_before() -> None:
    tracks = list(many_tracks(12, np.random.default_rng(2)).items())
    named = {channel.bone + str(n): track for n, (channel, track) in enumerate(tracks)}
    mixed = {**dict(tracks), Channel("x", Property.SCALE, 0): None}
    for value in (named, mixed):
        assert encode(value, [])[0] == "m"
        assert same_value(again(value), value)


def test_damaged_tables_of_tracks_give_an_error_or_a_value() -> None:
    r = random.Random(3)
    arrays: list[np.ndarray] = []
    packed, blobs = pack(encode(many_tracks(20, np.random.default_rng(3)), arrays), arrays)
    blob, refused = b"".join(blobs), 0
    for turn in range(400):
        damaged, bad = json.loads(json.dumps(packed)), bytearray(blob)
        if turn % 2:
            change_json(damaged, r)
        else:
            bad[r.randrange(len(bad))] ^= 1 << r.randrange(8)
        try:
            data, back = unpack(damaged, bytes(bad))
            decode(data, back)
        except AnimError:
            refused += 1
    assert refused > 50


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data[2].pop(),  # a kind of track less
        lambda data: data[0].clear(),  # no names
        lambda data: data[0].__setitem__(0, 7),
        lambda data: data.__setitem__(1, -1),
        lambda data: data.__setitem__(1, True),
        lambda data: data.__setitem__(1, data[2][0]),
        lambda data: data[3][1].clear(),
        lambda data: data[3][1][0].__setitem__(0, [2]),
        lambda data: data[3][1][0].__setitem__(1, not data[3][1][0][1]),
    ],
)
def test_what_no_program_wrote_is_refused(change: Any) -> None:
    arrays: list[np.ndarray] = []
    kind, *data = encode(many_tracks(20, np.random.default_rng(4)), arrays)
    change(data)
    with pytest.raises(AnimError):
        decode([kind, *data], arrays)
