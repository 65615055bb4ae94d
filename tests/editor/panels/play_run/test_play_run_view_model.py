"""The scrub bar of a run without its widget: pixels and steps, the clock after steps were dropped, spans of a gait."""

from itertools import pairwise
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.locomotion.input import Gait
from core.locomotion.setup import H
from editor.panels.play_run.view_model import LEFT, RIGHT, SLIP_TOP, Bar, ScrubModel


class Run(SimpleNamespace):
    def __len__(self) -> int:
        return len(self.notes)


def note(moving=True, gait=Gait.WALK, speed=100.0, slip=(), **more):
    state = {"in_air": False, "jumped": False, "crouching": False} | more
    control = SimpleNamespace(moving=moving, gait=gait, speed=speed, **state)
    return SimpleNamespace(control=control, feet=SimpleNamespace(slip=slip) if slip else None)


def model(notes, forgotten=0, width=600.0) -> ScrubModel:
    driven = SimpleNamespace(setup=SimpleNamespace(controller=SimpleNamespace(sprint=400.0)))
    run = Run(notes=notes, forgotten=forgotten, driven=driven)
    return ScrubModel(SimpleNamespace(run=run), width)


@given(st.integers(240, 4000), st.floats(300.0, 3000.0), st.floats(0.0, 1.0))
def test_the_nearest_step_of_a_pixel_is_the_step_that_is_drawn_there(count, width, share):
    bar = model([note()] * count, width=width)
    step = round(share * count)
    assert bar.step(bar.x(step)) == step
    assert bar.x(0) == LEFT and bar.x(count) == pytest.approx(width - RIGHT)
    assert bar.step(-50.0) == 0 and bar.step(width + 50.0) == count


def test_a_short_run_is_drawn_four_seconds_wide_and_ends_where_it_ends():
    bar = model([note()] * 60)
    assert bar.x(240) == pytest.approx(600.0 - RIGHT) and bar.step(600.0) == 60


def test_the_clock_goes_on_from_the_steps_that_were_dropped():
    bar = model([note()] * 600, forgotten=4200)
    assert bar.time(0) == pytest.approx(70.0) and bar.time(90) == pytest.approx(71.5)
    (x, first), (_, second), *_ = bar.ticks()
    assert (first, second) == ("1:10", "1:12") and x == pytest.approx(bar.x(0))


@pytest.mark.parametrize(
    "seconds, words",
    [(4, ["0 s", "0.5 s", "1 s"]), (60, ["0 s", "10 s", "20 s"]), (300, ["0 s", "60 s", "120 s"])],
)
def test_the_ruler_is_round_and_has_room_for_its_words(seconds, words):
    bar = model([note()] * round(seconds / H))
    found = bar.ticks()
    told = [text.replace("1:00", "60 s").replace("2:00", "120 s") for _, text in found[:3]]
    assert told == words
    assert all(b[0] - a[0] >= 56.0 - 1e-6 for a, b in pairwise(found))
    assert all(LEFT - 1e-6 <= x <= 600.0 - RIGHT + 1e-6 for x, _ in found)


def test_a_minute_is_told_by_minutes_and_less_by_seconds():
    bar = model([note()] * 3900, width=1800.0)  # 65 s, a mark each 5 s
    told = [text for _, text in bar.ticks()]
    assert told[-3:] == ["55 s", "1:00", "1:05"]


def test_bars_are_spans_of_one_gait_to_the_last_note():
    still, walk, run = note(moving=False), note(), note(gait=Gait.RUN)
    bar = model([still] * 3 + [walk] * 4 + [run] * 3)
    assert bar.bars("gait") == [
        Bar(0, 3, "stand", 0), Bar(3, 7, "walk", int(Gait.WALK)), Bar(7, 9, "run", int(Gait.RUN)),
    ]  # fmt: skip
    assert bar.bars("ground") == [Bar(0, 9, "", 0)]


def test_bars_of_the_ground_tell_jumps_falls_and_crouching():
    notes = [note(crouching=True)] * 2 + [note(in_air=True, jumped=True)] * 2 + [note(in_air=True)] * 2
    assert [(b.text, b.level) for b in model(notes).bars("ground")] == [
        ("crouch", 2),
        ("jump", 3),
        ("fall", 4),
    ]


def test_lines_are_shares_of_a_sprint_and_of_the_most_slip():
    bar = model([note(speed=100.0, slip=(3.0, 6.0)), note(speed=900.0), note(speed=200.0, slip=(60.0,))])
    assert bar.line("speed").tolist() == [[0.0, 0.25], [1.0, 1.0], [2.0, 0.5]]
    assert bar.line("slip").tolist() == [[0.0, 6.0 / SLIP_TOP], [1.0, 0.0], [2.0, 1.0]]
