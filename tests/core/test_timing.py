"""Frame rates, snapping, timecode."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import Cancelled, ValidationError
from core.progress import Progress
from core.timing import FrameRate, frame_text, rate_text, within_clip


@pytest.mark.parametrize(
    ("given_rate", "exact"),
    [
        (30, Fraction(30)),
        (29.97, Fraction(30000, 1001)),
        (23.976, Fraction(24000, 1001)),
        (1 / 0.0083333, Fraction(120)),
        (1 / 0.03333, Fraction(30)),
        (12.5, Fraction(25, 2)),
    ],
)
def test_rate_from_a_number_finds_the_rate_meant(given_rate: float, exact: Fraction) -> None:
    assert FrameRate.of(given_rate).value == exact


@pytest.mark.parametrize("bad", [0, -24, float("nan"), float("inf"), 1e9, "fast"])
def test_rate_that_makes_no_sense_is_refused(bad: object) -> None:
    with pytest.raises(ValidationError, match="frame rate"):
        FrameRate.of(bad)  # type: ignore[arg-type]


@given(st.integers(-100_000, 100_000), st.sampled_from([24, 25, 29.97, 30, 60, 120]))
def test_whole_frames_survive_the_way_to_seconds_and_back(frame: int, fps: float) -> None:
    rate = FrameRate.of(fps)
    assert rate.to_frame(rate.to_seconds(frame)) == pytest.approx(frame, abs=1e-6)
    assert rate.snap(rate.to_seconds(frame) + 0.3 * rate.frame) == pytest.approx(rate.to_seconds(frame))


@pytest.mark.parametrize(
    ("fps", "seconds", "text"),
    [
        (30, 0.0, "00:00:00:00"),
        (30, 61.5, "00:01:01:15"),
        (25, -1.04, "-00:00:01:01"),
        (24, 3600, "01:00:00:00"),
    ],
)
def test_timecode_is_written_in_frames(fps: float, seconds: float, text: str) -> None:
    assert FrameRate.of(fps).timecode(seconds) == text


def test_progress_part_maps_its_range_and_shares_the_cancel() -> None:
    seen: list[float] = []
    whole = Progress(lambda fraction, _text: seen.append(fraction))
    part = whole.part(0.5, 1.0)
    part.report(0.5)
    whole.cancel()
    with pytest.raises(Cancelled):
        part.report(0.6, "reading")
    assert seen == [0.75]


@pytest.mark.parametrize(
    ("frame", "text"),
    [
        (594.0, "594"),
        (594.0000003, "594"),
        (12.5, "12.5"),
        (0.333333, "0.33"),
        (1e7, "10000000"),
        (-0.001, "0"),
    ],
)
def test_frame_text_has_no_exponent_and_no_idle_zeros(frame: float, text: str) -> None:
    assert frame_text(frame) == text


@pytest.mark.parametrize(("rate", "text"), [(120.0, "120"), (24000 / 1001, "23.976"), (1e5, "100000")])
def test_rate_text_has_no_exponent_and_no_idle_zeros(rate: float, text: str) -> None:
    assert rate_text(rate) == text


@pytest.mark.parametrize(
    ("frame", "text"), [(2750.988996, "2751"), (-0.001, "0"), (10.25, "10.25"), (1e7, "10000000")]
)
def test_frame_reads_whole_where_a_file_rounds_its_frame_time(frame, text):
    assert frame_text(frame) == text


@given(st.lists(st.floats(-50.0, 50.0), min_size=1, max_size=8), st.floats(0.01, 20.0))
def test_times_within_a_clip_differ_by_whole_loops_or_are_held(times, length):
    looped = within_clip(times, length, True)
    assert ((looped >= 0.0) & (looped <= length)).all()
    turns = (np.array(times) - looped) / length
    assert np.allclose(turns, np.round(turns), atol=1e-9)
    held = within_clip(times, length, False)
    assert [min(max(time, 0.0), length) for time in times] == held.tolist()


def test_end_of_a_loop_is_its_start_and_a_clip_without_length_has_one_time():
    assert within_clip([0.0, 2.0, 2.5, -0.5], 2.0, True).tolist() == [0.0, 0.0, 0.5, 1.5]
    assert within_clip([1.0, -1.0], 0.0, True).tolist() == [0.0, 0.0]
