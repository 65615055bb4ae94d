"""The numbers of a driven character, in words: each from a state that is given."""

import math
from types import SimpleNamespace

import pytest

from core.locomotion.fall import Phase
from core.locomotion.input import Gait, RotationMode
from core.locomotion.state import Hips, State
from editor.model.play.feet import FeetSample
from editor.model.play.numbers import rows


def told(phase: Phase = Phase.STANDING, feet: FeetSample | None = None, **state: object) -> dict[str, str]:
    """The rows for a state of a controller, by their titles."""
    driven = SimpleNamespace(numbers=lambda _: {"moves": "ahead", "stride": 1.234})
    control = State(**state)
    run = SimpleNamespace(
        control=control, driven=driven, at=1, notes=[None, SimpleNamespace(feet=feet)],
        state=SimpleNamespace(fall=SimpleNamespace(phase=phase)),
    )  # fmt: skip
    return {row.title: row.text for row in rows(SimpleNamespace(run=run))}


def soles(left: bool, right: bool, slip: tuple[float, float] = (0.0, 0.0)) -> FeetSample:
    return FeetSample(None, (left, right), slip)


def test_without_a_run_there_is_nothing_to_tell() -> None:
    assert rows(SimpleNamespace(run=None)) == ()


def test_a_character_that_stands() -> None:
    assert told() == {
        "Speed": "0.00 m/s", "Gait": "stands (0.00)", "Direction": "+0.0°", "Facing": "+0.0°",
        "Turning": "+0°/s", "View": "+0.0° · +0.0°", "Mode": "velocity, hips ahead", "Stance": "upright",
        "Acceleration": "0.0 m/s²", "Height": "+0.00 m", "Vertical speed": "+0.00 m/s", "Ground": "0°",
        "Last landing": "0.0 m/s", "Feet touching": "–", "Slip left · right": "– · – cm/s",
        "Place": "+0.0, +0.0 m", "Moves": "ahead", "Stride": "1.23",
    }  # fmt: skip


def test_where_it_is_and_how_it_moves() -> None:
    found = told(
        position=(1.26, -0.504, -3.0), velocity=(3.0, -1.5, 4.0), acceleration=(6.0, 8.0), yaw=30.0,
        yaw_speed=-91.4, view_yaw=-10.0, view_pitch=-12.34, impact=3.25, moving=True, gait=Gait.SPRINT, gait_amount=2.5,
        mode=RotationMode.LOOKING, hips=Hips.RIGHT,
    )  # fmt: skip
    assert found["Speed"] == "5.00 m/s" and found["Acceleration"] == "10.0 m/s²"
    assert found["Height"] == "-0.50 m" and found["Vertical speed"] == "-1.50 m/s"
    assert found["Place"] == "+1.3, -3.0 m" and found["Last landing"] == f"{3.25:.1f} m/s"
    assert found["Direction"] == f"{30.0 - math.degrees(math.atan2(3.0, 4.0)):+.1f}°"
    assert found["Facing"] == "+30.0°" and found["Turning"] == "-91°/s"
    assert found["View"] == "+40.0° · -12.3°"
    assert found["Gait"] == "sprint (2.50)" and found["Mode"] == "looking, hips right"


@pytest.mark.parametrize("gait", [(Gait.WALK, "walk"), (Gait.RUN, "run"), (Gait.SPRINT, "sprint")])
def test_each_gait_has_a_word(gait) -> None:
    assert told(moving=True, gait=gait[0])["Gait"] == f"{gait[1]} (0.00)"


@pytest.mark.parametrize("number", range(4))
def test_each_way_of_the_hips_and_each_mode_has_a_word(number) -> None:
    mode = RotationMode(min(number, 2))
    words = ("velocity", "looking", "aiming", "aiming")[number], ("ahead", "back", "left", "right")[number]
    assert told(mode=mode, hips=Hips(number))["Mode"] == f"{words[0]}, hips {words[1]}"


@pytest.mark.parametrize(
    ("phase", "state", "words"),
    [
        (Phase.STANDING, {}, "upright"),
        (Phase.STANDING, {"crouching": True}, "crouching"),
        (Phase.STANDING, {"in_air": True}, "falling"),
        (Phase.STANDING, {"in_air": True, "jumped": True, "crouching": True}, "jumping"),
        (Phase.FALLING, {"in_air": True}, "fallen, as a ragdoll"),
        (Phase.RISING, {"crouching": True}, "getting up"),
    ],
)
def test_how_it_stands(phase, state, words) -> None:
    assert told(phase, **state)["Stance"] == words


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ({"ground_normal": (0.0, 1.0, 0.0)}, "0°"),
        ({"ground_normal": (0.0, math.cos(math.radians(30.0)), 0.5)}, "30°"),
        ({"ground_normal": (0.0, 1.0000001, 0.0)}, "0°"),
        ({"ground_normal": (0.0, -1.0000001, 0.0)}, "180°"),
        ({"in_air": True}, "in the air"),
    ],
)
def test_the_slope_of_the_ground(state, words) -> None:
    assert told(**state)["Ground"] == words


@pytest.mark.parametrize(
    ("left", "right", "words"),
    [(True, True, "left + right"), (True, False, "left"), (False, True, "right"), (False, False, "none")],
)
def test_which_feet_touch_and_how_much_they_slip(left, right, words) -> None:
    found = told(feet=soles(left, right, (1.26, 12.0)))
    assert found["Feet touching"] == words and found["Slip left · right"] == "1.3 · 12.0 cm/s"


@pytest.mark.parametrize(("times", "words"), [(0, None), (1, "1 time"), (3, "3 times")])
def test_how_often_it_was_put_back_is_told_last(times, words) -> None:
    found = told(returned=times)
    assert found.get("Put back") == words
    assert list(found)[-1] == ("Stride" if words is None else "Put back")


def test_a_little_below_nought_has_no_minus() -> None:
    assert told(view_pitch=-0.04)["View"] == "+0.0° · +0.0°"
