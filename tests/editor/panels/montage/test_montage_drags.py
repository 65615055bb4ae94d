"""Presses, drags and clicks of the montage panel without its widget: what each makes of the montage, held by pins."""

import itertools
from dataclasses import replace

import pytest

from core.clips.clip import Notify
from core.graph.montage import MontageBlend
from core.ids import AssetId
from editor.model.montage.rows import HEAD, LABELS, RULER
from editor.model.montage.shown import Grip
from editor.panels.montage.view_model import MontageModel
from editor.tools.pointer import Button, Modifiers, Pointer
from tests.editor.tools.montage.test_montage_verbs import KICK, SWING, Scene, notify, section, segment
from tests.pins import Pins

PINS = Pins(__file__)
NO, SHIFT, CTRL, ALT = Modifiers.NONE, Modifiers.SHIFT, Modifiers.CTRL, Modifiers.ALT
MOVES = ((-40.0, 0.0), (33.0, 0.0), (171.0, 36.0), (-700.0, 0.0), (900.0, 53.0), (12.0, 17.0))


@pytest.fixture
def scene():
    made = Scene()
    made.verbs.add_track("Legs")
    made.verbs.add_clip(made.clip(KICK), 1, 1.6)
    made.pick()
    short = MontageBlend(0.2)
    notifies = (*made.now.notifies, Notify("step", 2.1), Notify("dust", 2.2, 0.4))
    made.montages.put(
        "start", replace(made.now, blend_in=short, blend_out=MontageBlend(0.4), notifies=notifies)
    )
    made.model = MontageModel(made.session)
    made.model.shown.set_size(900.0, 260.0)
    made.model.shown.fit_all()
    made.begun = len(made.session.history.labels)
    yield made
    made.model.close()
    made.preview.stop()
    made.session.close()


def places(scene: Scene) -> dict[str, tuple[float, float]]:
    """A pixel of everything that can be held."""
    shown, found = scene.model.shown, {}
    bars = {f"segment {k}": shown.segment_box(0, k) for k in range(2)}
    bars |= {f"notify {k}": shown.notify_box(k) for k in range(len(scene.now.notifies))}
    bars |= {f"section {k}": shown.section_box(k) for k in range(2)}
    bars |= {f"link {k}": shown.link_box(k) for k in range(2)}
    for name, (left, top, right, bottom) in bars.items():
        middle = (top + bottom) / 2.0
        found[f"{name} middle"] = 0.6 * left + 0.4 * right, middle
        if name in ("segment 0", "segment 1", "notify 1"):
            found[f"{name} first"] = left + 1.0, middle
            found[f"{name} last"] = right - 1.0, middle
    row = next(row for row in shown.rows() if row.kind.value == "blend")
    for name, x in zip(("in", "out", "gone"), shown.blend_xs(), strict=True):
        found[f"blend {name}"] = x, shown.top(row) + 10.0
    found["trigger"] = shown.blend_xs()[1], RULER - 4.0
    found["ruler"] = LABELS + 203.0, 5.0
    found["label"] = 20.0, HEAD + 10.0
    found["nothing"] = LABELS + 600.0, HEAD + 50.0
    return found


def steps(scene: Scene) -> tuple[str, ...]:
    """Names of what was done since the scene was made."""
    history = scene.session.history
    return history.labels[scene.begun : history.position]


def told(scene: Scene) -> tuple[object, ...]:
    """What a gesture may have changed."""
    now = scene.now
    return (
        [[(s.clip, s.place, s.begin, s.end) for s in track.segments] for track in now.tracks],
        [(s.name, s.start, s.next) for s in now.sections],
        [(n.name, n.time, n.duration, n.lane) for n in now.notifies],
        now.blend_in.seconds, now.blend_out.seconds, now.blend_out_trigger,
        [(i.part.name, i.number, i.track) for i in scene.picked],
        steps(scene), scene.preview.position,
    )  # fmt: skip


def back(scene: Scene) -> None:
    while steps(scene):
        scene.session.undo()
    scene.pick()
    scene.preview.seek(0.0)


def close(scene: Scene) -> None:
    """No montage is open: the only one is gone."""
    scene.session.document.replace(scene.session.document.project.without(scene.now.id), None)
    scene.session.playback.set_clip(SWING)


def drag(scene: Scene, at: tuple[float, float], by: tuple[float, float], held=NO, later=NO) -> None:
    model, (x, y) = scene.model, at
    model.press(Pointer(x, y, Button.LEFT, held))
    model.move(Pointer(x + by[0] / 2.0, y + by[1], Button.LEFT, later))
    model.move(Pointer(x + by[0], y + by[1], Button.LEFT, later))
    model.release(Pointer(x + by[0], y + by[1], Button.LEFT, later))


TRIGGERS = {
    "with the end": {},
    "a trigger of its own": {"blend_out_trigger": 0.9},
    "held": {"auto_blend_out": False},
}


@pytest.mark.parametrize("end", TRIGGERS)
def test_everything_is_dragged_somewhere(scene, end) -> None:
    scene.begun += scene.montages.put("end", replace(scene.now, **TRIGGERS[end]))  # no step as it is already
    for number, (name, at) in enumerate(places(scene).items()):
        if end != "with the end" and not name.startswith(("blend", "trigger")):
            continue
        with PINS.together(f"{end}: {name}") as note:
            moves = MOVES if name.startswith(("blend", "trigger")) else MOVES[number % 2 :: 2]
            for by, later in (*((by, NO) for by in moves), (MOVES[1], CTRL)):
                back(scene)
                drag(scene, at, by, later=later)
                note(*told(scene))


def test_snapping_switched_off_is_switched_on_by_ctrl(scene) -> None:
    scene.session.switches.set("snap", False)
    for name, at in places(scene).items():
        with PINS.together(f"free: {name}") as note:
            for later in (NO, CTRL):
                back(scene)
                drag(scene, at, (41.0, 0.0), later=later)
                note(*told(scene))


def test_clicks_pick_and_a_section_is_gone_to(scene) -> None:
    """With nothing, something else and the thing itself selected before."""
    for name, at in places(scene).items():
        with PINS.together(f"click: {name}") as note:
            for held in (NO, SHIFT, CTRL, SHIFT | CTRL, ALT):
                for before in ((), (notify(0), segment(1)), (section(1), segment(0), notify(1))):
                    back(scene)
                    scene.pick(*before)
                    drag(scene, at, (0.0, 0.0), held, held)
                    note(*told(scene)[-3:])


def test_several_notifies_go_along_with_the_one_held(scene) -> None:
    with PINS.together("several notifies") as note:
        for held, by in itertools.product((1, 2), MOVES):
            back(scene)
            scene.pick(notify(0), notify(held), segment(0))
            drag(scene, places(scene)[f"notify {held} middle"], by)
            note(*told(scene))


def test_a_box_picks_what_it_touches_and_adds_with_shift_or_ctrl(scene) -> None:
    bottom = scene.model.shown.notify_box(1)[3]
    start = LABELS + 700.0, bottom
    with PINS.together("boxes") as note:
        for held, reach in itertools.product((NO, SHIFT, CTRL), (40.0, 300.0, 540.0, 690.0)):
            back(scene)
            scene.pick(segment(0))
            scene.model.press(Pointer(*start, Button.LEFT, held))
            scene.model.move(Pointer(start[0] - reach, HEAD + 40.0, Button.LEFT, held))
            note(scene.model.shown.box, *told(scene)[-3:])
            scene.model.release(Pointer(start[0] - reach, HEAD + 40.0, Button.LEFT, held))
            note(scene.model.shown.box)


def test_a_link_tells_whence_and_whereto_while_it_is_dragged(scene) -> None:
    model, (x, y) = scene.model, places(scene)["link 0 middle"]
    model.press(Pointer(x, y, Button.LEFT))
    assert (model.link_from, model.link_to) == (0, None)
    right = model.shown.section_box(1)[0] + 20.0
    for place, leads in (((right, y), 1), ((x + 10.0, y), 0), ((right, HEAD + 23.0), 1),
                         ((right, HEAD + 25.0), -1), ((LABELS + 9000.0, y), -1)):  # fmt: skip
        model.move(Pointer(*place, Button.LEFT))
        assert (model.link_from, model.link_to) == (0, leads)
    assert model.cancel() and (model.link_from, model.link_to) == (None, None)
    assert not model.cancel() and steps(scene) == ()
    drag(scene, (x, y), (right - x, 0.0))
    assert (model.link_from, model.link_to) == (None, None)
    assert scene.now.sections[0].next == scene.now.sections[1].name


def test_sections_are_found_by_their_bands_and_only_near_the_head(scene) -> None:
    model = scene.model
    edge = model.shown.section_box(1)[0]
    table = {(edge - 0.5, 30.0): 0, (edge, 30.0): 1, (edge, 0.0): 1, (edge, -0.5): -1, (edge, HEAD + 24.0): 1,
             (edge, HEAD + 24.5): -1, (LABELS - 30.0, 30.0): -1, (model.shown.section_box(1)[2], 30.0): -1}  # fmt: skip
    assert {place: model.section_under(*place) for place in table} == table
    close(scene)
    assert model.section_under(edge, 30.0) == -1


def test_the_middle_button_pans_and_others_do_nothing(scene) -> None:
    model, shown = scene.model, scene.model.shown
    at = places(scene)["segment 0 middle"]
    start, scale = shown.axis.start, shown.axis.scale
    assert model.press(Pointer(*at, Button.RIGHT)) is None and model.press(Pointer(*at)) is None
    assert model.press(Pointer(*at, Button.MIDDLE)) is not None
    model.move(Pointer(at[0] + 50.0, at[1], Button.MIDDLE))
    model.release(Pointer(at[0] + 50.0, at[1], Button.MIDDLE))
    assert shown.axis.start == pytest.approx(start - 50.0 / scale) and shown.axis.scale == scale
    close(scene)
    assert model.press(Pointer(*at, Button.LEFT)) is None
    assert model.press(Pointer(*at, Button.MIDDLE)) is not None and model.cancel()


def test_a_clip_dragged_over_lands_on_its_track_at_a_snapped_time(scene) -> None:
    model, shown = scene.model, scene.model.shown
    second = shown.top(shown.rows()[1]) + 5.0
    with PINS.together("dragged over") as note:
        for on, y, x in itertools.product(
            (True, False), (HEAD - 10.0, HEAD + 5.0, second, HEAD + 100.0), (10.0, 203.7, 407.3)
        ):
            scene.session.switches.set("snap", on)
            model.drag_over(x, y)
            note(model.drop)
    scene.session.switches.set("snap", True)
    shown.set_axis(replace(shown.axis, start=-2.0))
    model.drag_over(LABELS, second)
    assert model.drop == (1, 0.0)
    model.leave_drag()
    assert model.drop is None
    model.drop_clip(KICK)
    assert steps(scene) == ()
    model.drag_over(LABELS, second)
    model.drop_clip(KICK)
    assert scene.placed(1) == [(0.0, 1.0), (1.6, 2.6)] and model.drop is None


def test_a_clip_dropped_where_no_montage_is_open_makes_one(scene) -> None:
    close(scene)
    scene.model.drag_over(LABELS + 100.0, HEAD + 10.0)
    assert scene.model.drop is not None and scene.model.drop[0] == 0
    scene.model.drop_clip(KICK)
    assert scene.now.id != AssetId("montage") and [s.clip for s in scene.now.tracks[0].segments] == [KICK]


def test_everything_that_changes_the_picture_is_told(scene) -> None:
    told_times: list[None] = []
    model = scene.model
    model.changed.connect(told_times.append)

    def tells(act) -> bool:
        told_times.clear()
        act()
        return bool(told_times)

    assert tells(lambda: scene.pick(segment(0)))
    scene.preview.seek(0.4)
    assert tells(lambda: scene.preview.seek(0.5)) and tells(lambda: scene.preview.play())
    assert tells(lambda: model.drag_over(300.0, 90.0)) and tells(model.leave_drag) and tells(model.cancel)
    assert tells(lambda: scene.montages.put("rate", replace(scene.now, rate=0.5)))
    assert tells(lambda: scene.session.playback.set_clip(None, scene.session.rig.id))
    assert tells(lambda: model.drop_clip(AssetId("gone")))
    assert tells(lambda: model.release(Pointer(0.0, 0.0)))
    model.press(Pointer(*places(scene)["segment 0 middle"], Button.LEFT))
    assert model.gestures.current is not None
    scene.session.document.replace(scene.session.document.project, None)
    assert model.gestures.current is None
    model.close()
    assert not tells(lambda: scene.preview.seek(0.9))


def test_a_drag_in_hand_keeps_the_view_where_it_is(scene) -> None:
    """Grips that were seen at a press: the view follows the montage only when the drag is over."""
    x, y = places(scene)["segment 1 last"]
    axis = scene.model.shown.axis
    scene.model.press(Pointer(x, y, Button.LEFT))
    assert scene.model.shown.hit(x, y).grip is Grip.SEGMENT_END
    scene.model.move(Pointer(x - 150.0, y, Button.LEFT))
    assert scene.model.shown.axis == axis
    scene.model.cancel()
