"""What is drawn of a driven character beside itself: arrows, the capsule, feet, and where they went."""

from types import SimpleNamespace

import numpy as np
import pytest

from editor.gl.colors import DARK, LIGHT, mix
from editor.gl.draw_list import Lines, Points
from editor.panels.viewport.play_marks import PER_SPEED, SLIPS, PlayMarks

PLACE = (1.0, 0.5, -2.0)
RADIUS, HEIGHT, CROUCH = 0.3, 1.8, 1.1
ALL = ("trace", "capsule", "velocity", "wish", "contacts", "locks")


def feet(shift: float = 0.0, contacts=(True, False), slip=(0.0, 0.0)) -> SimpleNamespace:
    places = np.array([[0.1 + shift, 0.0, 0.0], [-0.1 + shift, 0.2, 0.0]])
    return SimpleNamespace(places=places, contacts=contacts, slip=slip)


def marks(*on: str, crouching: bool = False, notes=(), **state: object) -> PlayMarks:
    note = lambda f: SimpleNamespace(feet=f, control=SimpleNamespace(returned=0))  # noqa: E731
    setup = SimpleNamespace(radius=RADIUS, height=HEIGHT, crouch_height=CROUCH)
    run = SimpleNamespace(
        at=len(notes) - 1 if notes else 0, notes=[note(f) for f in notes] or [note(feet())],
        driven=SimpleNamespace(setup=SimpleNamespace(controller=setup)),
        locks=lambda: np.array([[0.1, 0.0, 0.0]]),
    )  # fmt: skip
    held = {"position": PLACE, "velocity": (2.0, 0.0, 1.0), "wish": (0.0, -3.0), "crouching": crouching}
    play = SimpleNamespace(
        on=True, run=run, overlays={name: name in on for name in ALL},
        shown=lambda: (SimpleNamespace(**{**held, **state}), None),
    )  # fmt: skip
    return PlayMarks(SimpleNamespace(feature=lambda kind: play))  # type: ignore[arg-type]


def color(shape) -> tuple[float, ...]:
    return tuple(np.asarray(shape.colors).reshape(-1, 4)[0])


def test_nothing_is_drawn_unless_it_is_wanted() -> None:
    assert marks().shapes() == ()
    assert len(marks(*ALL).shapes()) == 5  # one step has left no trace yet


@pytest.mark.parametrize(
    ("name", "way", "token"),
    [("velocity", (2.0 * PER_SPEED, PER_SPEED), "axis_z"), ("wish", (0.0, -3.0), "bone_selected")],
)
def test_arrows_show_where_it_goes_and_where_it_is_to_go(name: str, way, token: str) -> None:
    (arrow,) = marks(name).shapes()
    base = np.array([PLACE[0], PLACE[1] + 0.05, PLACE[2]])
    tip = base + (way[0], 0.0, way[1])
    assert np.allclose(arrow.points[0], [base, tip], atol=1e-6)
    assert np.allclose(arrow.points[1:, 0], tip, atol=1e-6)
    barbs = np.asarray(arrow.points[1:, 1]) - tip
    back = barbs.mean(axis=0)
    assert back @ (tip - base) == pytest.approx(-np.linalg.norm(back) * np.linalg.norm(tip - base), rel=1e-5)
    assert color(arrow) == pytest.approx(getattr(DARK, token))


def test_a_character_that_stands_has_no_arrow() -> None:
    assert marks("velocity", "wish", velocity=(0.0, 3.0, 0.0), wish=(0.01, 0.0)).shapes() == ()


@pytest.mark.parametrize(("crouching", "height"), [(False, HEIGHT), (True, CROUCH)])
def test_capsule_is_as_high_as_the_character_stands(crouching: bool, height: float) -> None:
    (capsule,) = marks("capsule", crouching=crouching).shapes()
    ends = np.asarray(capsule.points).reshape(-1, 3) - PLACE
    assert ends.min(axis=0) == pytest.approx((-RADIUS, 0.0, -RADIUS), abs=1e-5)
    assert ends.max(axis=0) == pytest.approx((RADIUS, height, RADIUS), abs=1e-5)


def test_a_foot_on_the_ground_and_a_lock_are_marked() -> None:
    touching, locks = marks("contacts", "locks").shapes()
    assert isinstance(touching, Points) and np.allclose(touching.points, [[0.1, 0.0, 0.0]])
    assert color(touching) == pytest.approx(DARK.axis_y) and touching.outline == DARK.bone_outline
    assert color(locks) == pytest.approx(DARK.capsule) and float(locks.sizes) > float(touching.sizes)
    assert len(marks("contacts").shapes()) == len(marks("locks").shapes()) == 1
    assert marks("contacts", notes=[feet(contacts=(False, False))]).shapes() == ()


@pytest.mark.parametrize(
    ("slip", "wanted"),
    [
        (SLIPS[0], DARK.axis_y),
        (sum(SLIPS) / 2.0, mix(DARK.bone_selected, DARK.axis_x, 0.5)),
        (SLIPS[1], DARK.axis_x),
        (90.0, DARK.axis_x),
    ],
)
def test_the_way_of_a_planted_foot_tells_how_far_it_slips(slip: float, wanted) -> None:
    found = marks("trace", notes=[feet(), feet(0.1, slip=(slip, 0.0))])
    (trace,) = found.shapes()
    assert isinstance(trace, Lines) and np.asarray(trace.points).shape == (2, 2, 3)
    assert np.allclose(trace.points[0], [[0.1, 0.0, 0.0], [0.2, 0.0, 0.0]])
    first, second = np.asarray(trace.colors)
    assert tuple(first) == pytest.approx(wanted, abs=1e-6)
    assert second[3] == pytest.approx(0.22), "a foot in the air is faint"


def test_another_theme_has_its_colours() -> None:
    found = marks("wish")
    found.use_colors(LIGHT)
    assert color(found.shapes()[0]) == pytest.approx(LIGHT.bone_selected)
