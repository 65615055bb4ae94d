"""When a point stands: entered by the strict limits, left by the wide ones."""

from dataclasses import fields, replace

import numpy as np
import numpy.typing as npt
import pytest

from core.retarget.contacts import ContactLimits, runs, standing

FPS = 30.0
LIMITS = ContactLimits(settled=1.0)
"""Without what is taken off both ends while a point settles."""


def path(heights: npt.ArrayLike, speeds: npt.ArrayLike | None = None) -> np.ndarray:
    """Places ``(T, 3)`` at heights, moving over the ground at speeds in metres a second."""
    places = np.zeros((len(np.asarray(heights)), 3))
    places[:, 1] = heights
    if speeds is not None:
        places[:, 2] = np.cumsum(np.asarray(speeds) / FPS)
    return places


BETWEEN_HEIGHTS = (LIMITS.height + LIMITS.leave_height) / 2.0
BETWEEN_SPEEDS = (LIMITS.speed + LIMITS.leave_speed) / 2.0
RISES = path(np.interp(np.arange(51), [0, 15, 25, 35, 45], [0.0, 0.0, BETWEEN_HEIGHTS, BETWEEN_HEIGHTS, 0.3]))
"""On the floor, slowly up to between the limits, a while there, then off."""
COMES_DOWN = RISES[::-1]
SLIDES = path(np.zeros(40), [*[0.0] * 15, *[BETWEEN_SPEEDS] * 10, *[2.0] * 15])
COMES_SLIDING = path(np.zeros(40), [*[2.0] * 15, *[BETWEEN_SPEEDS] * 10, *[0.0] * 15])
SINKS = path([*[0.3] * 10, *np.linspace(0.03, 0.0, 16).tolist(), *[0.0] * 20])
"""Goes on sinking for half a second as it lands."""


def found(places: np.ndarray, size: float = 1.0, **other: float) -> np.ndarray:
    return standing(places * size, size, FPS, replace(LIMITS, **other))


@pytest.mark.parametrize("size", [0.5, 1.0, 2.0])
def test_a_standing_point_that_rises_a_little_still_stands_but_one_that_comes_there_does_not(
    size: float,
) -> None:
    rises, comes = found(RISES, size), found(COMES_DOWN, size)
    assert rises[:34].all() and not rises[38:].any()
    assert not comes[:26].any() and comes[35:].all()


@pytest.mark.parametrize("size", [0.5, 1.0, 2.0])
def test_a_standing_point_that_slides_a_little_still_stands_but_one_that_comes_sliding_does_not(
    size: float,
) -> None:
    slides, comes = found(SLIDES, size), found(COMES_SLIDING, size)
    assert slides[:23].all() and not slides[28:].any()
    assert not comes[:22].any() and comes[28:].all()


@pytest.mark.parametrize(
    ("limit", "value", "places"),
    [
        ("height", 0.055, COMES_DOWN),
        ("leave_height", 0.036, RISES),
        ("speed", 0.39, COMES_SLIDING),
        ("leave_speed", 0.23, SLIDES),
        ("shortest", 2.0, SLIDES),
        ("settled", 0.002, SINKS),
    ],
)
def test_every_limit_changes_what_stands(limit: str, value: float, places: np.ndarray) -> None:
    before, after = found(places), found(places, **{limit: value})
    assert not np.array_equal(before, after)
    more = limit in ("height", "speed")
    assert (after >= before).all() if more else (after <= before).all()


def test_landing_takes_no_more_than_its_seconds_off_an_end() -> None:
    begins = [runs(found(SINKS, settled=0.002, landing=seconds))[0][0] for seconds in (0.0, 0.1, 1.0)]
    assert begins[1] - begins[0] == 3 and begins[2] > begins[1]


def test_every_limit_is_tested_here() -> None:
    tested = {"height", "leave_height", "speed", "leave_speed", "shortest", "settled", "landing"}
    assert {f.name for f in fields(ContactLimits)} == tested


@pytest.mark.parametrize(("frames", "stands"), [(5, False), (12, True)])
def test_a_touch_of_less_than_seven_hundredths_of_a_second_is_no_contact(frames: int, stands: bool) -> None:
    fps, heights = 120.0, np.full(120, 0.3)
    heights[60 : 60 + frames] = 0.0
    low = np.concatenate((np.zeros(20), heights))
    down = standing(path(low), 1.0, fps, replace(LIMITS, speed=100.0, leave_speed=100.0))
    assert down[:20].all() and bool(down[70:100].any()) is stands


def test_one_frame_on_the_floor_at_an_end_is_no_contact() -> None:
    heights = np.concatenate(([0.0], np.full(30, 0.3), np.zeros(20)))
    down = found(path(heights), speed=100.0, leave_speed=100.0)
    assert not down[:5].any() and down[-20:].all()


def test_a_point_that_slides_slowly_all_along_stands_all_along() -> None:
    slow = 0.3 * ContactLimits().speed
    down = standing(path(np.zeros(60), np.full(60, slow)), 1.0, FPS, ContactLimits(settled=0.01))
    assert down.all()
    among = path([*[0.3] * 20, *[0.0] * 40, *[0.3] * 20], [*[slow] * 80])
    down = standing(among, 1.0, FPS, ContactLimits(settled=0.01, speed=0.25, leave_speed=100.0))
    assert down[24:56].all()


@pytest.mark.parametrize(
    ("first", "last", "stands"),
    [
        (0, 3, True), (0, 4, True), (0, 2, False), (35, 39, True), (36, 39, True), (37, 39, False),
        (10, 17, True), (10, 16, True), (10, 15, False),
    ],
)  # fmt: skip
def test_at_an_end_of_a_clip_half_of_the_shortest_contact_will_do(
    first: int, last: int, stands: bool
) -> None:
    """The shortest is seven frames here; a contact that the clip cuts off may have been longer."""
    heights = np.full(40, 0.3)
    heights[first : last + 1] = 0.0
    down = found(path(heights), speed=1e3, leave_speed=1e3, shortest=7.0 / FPS, landing=0.0)
    assert runs(down) == ([(first, last)] if stands else [])


@pytest.mark.parametrize(("gap", "closed"), [(1, True), (6, True), (7, False)])
def test_gaps_shorter_than_the_shortest_contact_are_closed_between_two(gap: int, closed: bool) -> None:
    heights = np.zeros(60)
    heights[25 : 25 + gap] = 0.3
    down = found(path(heights), speed=1e3, leave_speed=1e3, shortest=7.0 / FPS, landing=0.0)
    assert runs(down) == ([(0, 59)] if closed else [(0, 24), (25 + gap, 59)])
    jump = np.zeros(60)
    jump[0] = jump[59] = 0.3  # ends may be jumps out of another pose
    down = found(path(jump), speed=1e3, leave_speed=1e3, shortest=7.0 / FPS, landing=0.0)
    assert runs(down) == [(1, 58)]
