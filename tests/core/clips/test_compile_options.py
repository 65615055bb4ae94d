"""Every option of compiling changes the result, in the direction that its name says."""

from dataclasses import fields, replace

import pytest

from core.clips.clip import Channel, Property
from core.clips.compiled.compile import compile_clip
from core.clips.compiled.container import to_bytes
from core.clips.compiled.options import CompileOptions
from core.clips.compiled.tracks import Mode
from core.tracks.keys import scalar_track
from tests.core.clips.test_compiled import arm, waving

OTHER = {
    "metres": 1e-2, "shell": 1.0, "rate": 12.0, "drop_still": False, "reduce_keys": False, "cubic": False,
    "quantise": False,
}  # fmt: skip


def clip():
    """Cubic curves, and one bone that stays off its rest."""
    still = {Channel("b3", Property.TRANSLATE, 0): scalar_track([0.0, 1.0], [0.1, 0.1])}
    return waving(2).with_tracks(still)


@pytest.fixture(scope="module")
def plain():
    return compile_clip(arm(), clip(), CompileOptions(1e-3))


def test_no_option_is_forgotten() -> None:
    assert {f.name for f in fields(CompileOptions)} == OTHER.keys()


@pytest.mark.parametrize("name", list(OTHER))
def test_every_option_changes_the_file(plain, name: str) -> None:
    options = replace(CompileOptions(1e-3), **{name: OTHER[name]})
    compiled, report = compile_clip(arm(), clip(), options)
    assert to_bytes(compiled) != to_bytes(plain[0])
    larger = report.motion > plain[1].motion
    assert larger is (name in ("shell", "drop_still", "reduce_keys", "cubic", "quantise")) or name == "rate"
    assert report.largest <= options.metres * (1.0 + 1e-6) or name == "rate"


def test_without_cubic_keys_no_track_has_any_and_without_dropping_every_bone_has_tracks(plain) -> None:
    straight = compile_clip(arm(), clip(), replace(CompileOptions(1e-3), cubic=False))[0]
    assert {track.mode for track in straight.tracks} <= {Mode.CONSTANT, Mode.LINEAR}
    assert any(track.mode is Mode.CUBIC for track in plain[0].tracks)
    whole = compile_clip(arm(), clip(), replace(CompileOptions(1e-3), drop_still=False))[0]
    assert len(whole.tracks) > len(plain[0].tracks)
    dense = compile_clip(arm(), clip(), replace(CompileOptions(1e-3), reduce_keys=False))[0]
    moving = [track for track in dense.tracks if track.mode is not Mode.CONSTANT]
    assert all(len(track.ticks) == len(dense.axis) for track in moving)
    rate = compile_clip(arm(), clip(), replace(CompileOptions(1e-3), rate=12.0))[0]
    assert rate.about["rate"] == [12, 1]
