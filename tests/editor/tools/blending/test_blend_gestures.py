"""The point and samples of a blend space dragged, the aim turned, masks painted: on stand-ins for what they change."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from core.blending.blend_space import BlendSpace, SpaceAxis, SpaceSample
from core.errors import ValidationError
from core.ids import AssetId
from editor.model.blending.state import Blending
from editor.tools.blending.gestures import DragAim, DragPoint, DragSample
from editor.tools.blending.mask_stroke import MaskStroke, painted_weights
from editor.tools.blending.plot import Hit, Part, PlotFrame
from editor.tools.pointer import Modifiers, Pointer
from tests.editor.actions import rich

SPEED, TURN = SpaceAxis("speed", 0.0, 600.0, unit=" cm/s"), SpaceAxis("turn", -180.0, 180.0, unit="°")
SPACE = BlendSpace(
    AssetId("space"), "walks", AssetId("rig"), (SPEED, TURN),
    samples=(SpaceSample(AssetId("clip-a"), (150.0, 0.0)), SpaceSample(AssetId("clip-b"), (450.0, 90.0))),
)  # fmt: skip
FRAME = PlotFrame(SPACE, 0.0, 0.0, 300.0, 180.0)
"""Two units of speed and of turn a pixel."""


class Live:
    def __init__(self, on=False, player=True):
        self.on, self.running, self.player, self.space = on, on, object() if player else None, SPACE
        self.point, self.asked = (300.0, 0.0), []

    def start(self):
        self.on, self.running = True, True
        self.asked.append("start")

    def stop(self):
        self.on = self.running = False
        self.asked.append("stop")

    def set_point(self, point):
        self.point = point


def at(x, y, held=Modifiers.NONE):
    return Pointer(x, y, modifiers=held)


def near(place):
    return pytest.approx(place, abs=1e-9)


# ---------------------------------------------------------------- the point
def test_the_point_comes_under_the_pointer_and_follows_it():
    live = Live()
    gesture = DragPoint(live, FRAME)
    gesture.begin(at(30.0, 60.0))
    assert live.point == near((60.0, 60.0)) and live.asked == ["start"]
    gesture.move(at(31.0, 60.0))
    assert live.point == near((62.0, 60.0))
    gesture.move(at(-50.0, 500.0))
    assert live.point == near((0.0, -180.0))
    gesture.finish(at(-50.0, 500.0))
    assert live.on and live.point == near((0.0, -180.0))


@pytest.mark.parametrize("x, y", [(156.0, 98.0), (144.0, 82.0), (150.0, 100.0), (140.0, 90.0)])
def test_the_point_is_held_where_it_was_pressed(x, y):
    live = Live(on=True)
    gesture = DragPoint(live, FRAME)
    gesture.begin(at(x, y))
    assert live.point == (300.0, 0.0) and live.asked == []
    gesture.move(at(x + 2.0, y + 2.0))  # jitter
    assert live.point == (300.0, 0.0)
    gesture.move(at(x + 10.0, y - 20.0))
    assert live.point == near((320.0, 40.0))
    gesture.move(at(x + 1.0, y))
    assert live.point == near((302.0, 0.0))


def test_just_beyond_its_reach_the_point_jumps():
    live = Live(on=True)
    DragPoint(live, FRAME).begin(at(161.0, 90.0))
    assert live.point == near((322.0, 0.0))


def test_a_click_on_a_dot_puts_the_point_exactly_there():
    live = Live()
    gesture = DragPoint(live, FRAME, onto=(450.0, 90.0))
    gesture.begin(at(222.0, 47.0))
    assert live.point == (450.0, 90.0) and live.asked == ["start"]
    gesture.move(at(223.0, 47.0))
    assert live.point == (450.0, 90.0)
    gesture.move(at(232.0, 47.0))
    assert live.point == near((470.0, 90.0))


@pytest.mark.parametrize("on", [False, True])
def test_escape_puts_the_point_back_and_stops_what_did_not_run(on):
    live = Live(on)
    gesture = DragPoint(live, FRAME)
    gesture.begin(at(30.0, 60.0))
    gesture.cancel()
    assert live.point == (300.0, 0.0) and live.on is on and live.asked == ([] if on else ["start", "stop"])


def test_without_a_player_the_point_moves_and_nothing_starts():
    live = Live(player=False)
    DragPoint(live, FRAME).begin(at(30.0, 60.0))
    assert live.point == near((60.0, 60.0)) and live.asked == []


# ---------------------------------------------------------------- samples
class Spaces:
    def __init__(self):
        self.open, self.shown, self.moves, self.refused = SPACE, None, [], ""

    @property
    def current(self):
        return self.shown or self.open

    def preview(self, space):
        self.shown = space

    def move(self, number, place):
        if self.refused:
            raise ValidationError(self.refused)
        self.moves.append((number, place))


def drag_sample(*ways):
    spaces, problems = Spaces(), []
    gesture = DragSample(spaces, 1, FRAME, problems.append)
    gesture.begin(at(230.0, 40.0))
    for dx, dy in ways:
        gesture.move(at(230.0 + dx, 40.0 + dy))
    return spaces, gesture, problems


def test_a_sample_goes_along_by_as_much_as_the_pointer():
    spaces, gesture, problems = drag_sample((2.0, 1.0))
    assert spaces.shown is None  # no more than a click
    gesture.move(at(240.0, 60.0))
    assert (
        spaces.shown.samples[1].place == near((470.0, 50.0)) and spaces.shown.samples[0] == SPACE.samples[0]
    )
    gesture.move(at(231.0, 40.0))
    assert spaces.shown.samples[1].place == near((452.0, 90.0))
    gesture.finish(at(231.0, 40.0))
    assert spaces.moves == [(1, near((452.0, 90.0)))] and spaces.shown is None and problems == []


def test_a_sample_stays_where_it_last_could_be_over_another():
    spaces, gesture, _ = drag_sample((10.0, 0.0), (-150.0, 45.0))
    assert spaces.shown.samples[1].place == near((470.0, 90.0))
    gesture.finish(at(80.0, 85.0))
    assert spaces.moves == [(1, near((470.0, 90.0)))]


def test_a_sample_pressed_taken_back_or_of_a_space_that_was_closed_is_no_step():
    spaces, gesture, _ = drag_sample()
    gesture.finish(at(230.0, 40.0))
    spaces, gesture, _ = drag_sample((10.0, 0.0))
    gesture.cancel()
    assert spaces.shown is None and spaces.moves == []
    spaces, gesture, _ = drag_sample((10.0, 0.0))
    spaces.open, spaces.shown = replace(SPACE, id=AssetId("other")), None
    gesture.finish(at(240.0, 40.0))
    spaces.open = None
    gesture.finish(at(240.0, 40.0))
    assert spaces.moves == []


def test_why_a_sample_cannot_be_there_is_said():
    spaces, gesture, problems = drag_sample((10.0, 0.0))
    spaces.refused = "there is one"
    gesture.finish(at(240.0, 40.0))
    assert problems == ["there is one"] and spaces.shown is None


def test_what_lies_under_a_press_has_reaches_of_its_own():
    x, y = FRAME.pixel(SPACE.samples[1].place)
    for away, part in (
        (0.0, Part.DOT),
        (8.0, Part.DOT),
        (8.5, Part.RING),
        (18.0, Part.RING),
        (18.5, Part.GROUND),
    ):
        found = FRAME.hit((x + away, y), (300.0, 0.0))
        assert found == Hit(part, None if part is Part.GROUND else 1)
    assert FRAME.hit((x, y), (450.0, 90.0)) == Hit(Part.POINT)
    px, py = FRAME.pixel((300.0, 0.0))
    assert FRAME.hit((px, py + 10.0), (300.0, 0.0)) == Hit(Part.POINT)
    assert FRAME.hit((px, py + 10.5), (300.0, 0.0)) == Hit(Part.GROUND)
    assert PlotFrame(replace(SPACE, samples=()), 0.0, 0.0, 300.0, 180.0).sample_at((75.0, 90.0)) is None


def test_the_box_holds_its_edges():
    frame = PlotFrame(SPACE, 10.0, 20.0, 300.0, 180.0)
    for pixel, inside in (
        ((10.0, 20.0), True), ((310.0, 200.0), True), ((9.9, 50.0), False), ((310.1, 50.0), False),
        ((50.0, 19.9), False), ((50.0, 200.1), False), ((50.0, 50.0), True),
    ):  # fmt: skip
        assert frame.contains(pixel) is inside


# ---------------------------------------------------------------- the aim
def test_the_aim_turns_sideways_and_upwards_and_slowly_with_shift():
    live = Live()
    live.point = (300.0, 20.0)
    gesture = DragAim(live)
    assert gesture.status == "speed 300.0 cm/s  turn 20.0°"
    gesture.move(at(0.0, 0.0))  # not pressed yet
    assert live.point == (300.0, 20.0)
    gesture.begin(at(100.0, 100.0))
    assert live.asked == ["start"]
    gesture.move(at(110.0, 95.0))
    # 0.4 degrees a pixel, an axis over all its extent being half a turn
    assert live.point == near((300.0 + 10 * 0.4 * 600.0 / 180.0, 20.0 + 5 * 0.4 * 2.0))
    before = live.point
    gesture.move(at(110.0, 105.0, Modifiers.SHIFT))
    assert live.point == near((before[0], before[1] - 10 * 0.04 * 2.0))
    gesture.move(at(9000.0, 9000.0))
    assert live.point == (600.0, -180.0)
    gesture.move(at(-9000.0, -9000.0))
    assert live.point == (0.0, 180.0)


@pytest.mark.parametrize("on", [False, True])
def test_escape_puts_the_aim_and_what_is_shown_back(on):
    live = Live(on)
    gesture = DragAim(live)
    gesture.begin(at(100.0, 100.0))
    gesture.move(at(150.0, 100.0))
    gesture.cancel()
    assert live.point == (300.0, 0.0) and live.on is on and live.asked == ([] if on else ["start", "stop"])


def test_without_a_space_the_aim_says_and_does_nothing():
    live = Live(on=True)
    gesture = DragAim(live)
    live.space = None
    gesture.begin(at(0.0, 0.0))
    gesture.move(at(50.0, 0.0))
    assert gesture.status == "" and live.point == (300.0, 0.0)


# ---------------------------------------------------------------- masks
@pytest.fixture
def session():
    made = rich.session()
    made.feature(Blending).layers.paint("arms", ["head"], 0.25)
    yield made
    made.close()


def test_a_stroke_paints_the_bones_it_comes_over_in_one_step(session):
    stroke, before = MaskStroke(session, "arms", 0.5, below=False), session.history.position
    assert stroke.over("upper_arm_l") and not stroke.over("upper_arm_l") and not stroke.over("no such bone")
    assert stroke.over("spine") and not stroke.over("")
    wanted = {"head": 0.25, "upper_arm_l": 0.5, "spine": 0.5}
    assert stroke.weights(session.rig) == wanted and session.rig.masks["arms"] == {"head": 0.25}
    assert stroke.finish() and session.rig.masks["arms"] == wanted
    assert session.history.position == before + 1


def test_a_stroke_takes_what_is_below_along_and_may_take_bones_out(session):
    stroke = MaskStroke(session, "arms", 1.0, below=True)
    assert stroke.over("lower_arm_l") and not stroke.over("hand_l") and stroke.over("upper_arm_l")
    assert set(stroke.weights(session.rig)) == {"head", "upper_arm_l", "lower_arm_l", "hand_l"}
    stroke.finish()
    away = MaskStroke(session, "arms", 0.0, below=True)
    away.over("lower_arm_l")
    away.finish()
    assert session.rig.masks["arms"] == {"head": 0.25, "upper_arm_l": 1.0}


def test_the_mask_that_is_painted_is_seen_with_the_stroke_and_without_it(session):
    blending = session.feature(Blending)
    assert painted_weights(session, None) is None
    stroke = MaskStroke(session, "arms", 0.5, below=False)
    stroke.over("spine")
    assert painted_weights(session, stroke) is None
    blending.paint("arms")
    assert painted_weights(session, None) == {"head": 0.25}
    assert painted_weights(session, stroke) == {"head": 0.25, "spine": 0.5}
    empty = SimpleNamespace(rig=None, feature=session.feature)
    assert painted_weights(empty, stroke) is None
