"""A montage tried out: scrubbed, played by sections, looped, changed meanwhile; where it stands, to the number."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from core.graph import montage_edits as edits
from core.ids import AssetId
from editor.model.montage.preview import FLASH
from tests.editor.outcomes import plain
from tests.editor.tools.montage.scene import KICK, SWING, Scene
from tests.pins import Pins

PINS = Pins(__file__)
STEP = 1.0 / 16.0


@pytest.fixture
def scene() -> Iterator[Scene]:
    made = Scene()
    made.told = dict.fromkeys(("changed", "moved", "state_changed"), 0)
    for name in made.told:
        getattr(made.preview, name).connect(
            lambda _, name=name: made.told.update({name: made.told[name] + 1})
        )
    yield made
    made.preview.stop()
    made.session.close()


def stands(scene: Scene) -> list[object]:
    """What a preview shows."""
    p = scene.preview
    pose = p.pose()
    return [
        p.position,
        p.weight,
        p.looped,
        p.title,
        p.detail,
        p.on,
        p.running,
        p.over_rest,
        plain(p.base),
        p.problem,
        p.world(),
        [p.flash(n) for n in ("hit", "trail")],
        None if pose is None else [pose.translations, pose.rotations],
        dict(scene.told),
        list(scene.said),
    ]


def step(scene: Scene, count: int) -> None:
    for _ in range(count):
        scene.preview.advance(STEP)


def change(scene: Scene, **values: object) -> None:
    scene.montages.put("change", replace(scene.now, **values))


CASES: dict[str, list[Callable[[Scene], object]]] = {
    "sought": [lambda s, t=t: s.preview.seek(t) for t in (0.0, 0.7, 2.4, 99.0, -1.0)],
    "played": [lambda s: s.preview.play(), *[lambda s: step(s, 8)] * 7],
    "a section": [lambda s: s.preview.play("kick"), *[lambda s: step(s, 6)] * 4],
    "no section": [lambda s: s.preview.play("none", loop=True), lambda s: step(s, 4)],
    "a section looped": [lambda s: s.preview.play("kick", loop=True), *[lambda s: step(s, 8)] * 4],
    "from here": [
        lambda s: s.preview.seek(1.5),
        lambda s: s.preview.play_from_here(),
        lambda s: step(s, 6),
        lambda s: s.preview.seek(0.3),
    ],
    "toggled": [
        lambda s: s.preview.toggle(),
        lambda s: step(s, 5),
        lambda s: s.preview.toggle(),
        lambda s: step(s, 5),
        lambda s: s.preview.seek(99.0),
        lambda s: s.preview.toggle(),
        lambda s: step(s, 2),
    ],
    "walking": [
        lambda s: setattr(s.session.playback, "in_place", False),
        lambda s: s.preview.play(),
        *[lambda s: step(s, 10)] * 3,
        lambda s: s.preview.seek(1.0),
    ],
    "over the rest pose": [
        lambda s: s.preview.seek(0.5),
        lambda s: setattr(s.preview, "over_rest", True),
        lambda s: setattr(s.preview, "over_rest", True),
        lambda s: setattr(s.preview, "over_rest", False),
    ],
    "by the clock": [
        lambda s: s.preview.tick(1.0),
        lambda s: s.preview.play(),
        *[lambda s, t=t: s.preview.tick(t) for t in (5.0, 5.05, 5.08, 6.0, 6.0)],
    ],
    "shortened while it stands": [
        lambda s: s.preview.seek(2.9),
        lambda s: change(s, tracks=(edits.new_montage(AssetId("x"), "x", s.now.rig, [s.clip(KICK)]).tracks)),
        lambda s: s.preview.seek(0.4),
    ],
    "shortened while it plays": [
        lambda s: s.preview.play(),
        lambda s: step(s, 30),
        lambda s: change(s, tracks=(edits.new_montage(AssetId("x"), "x", s.now.rig, [s.clip(KICK)]).tracks)),
        lambda s: step(s, 2),
    ],
    "a section renamed while it loops": [
        lambda s: s.preview.play("kick", loop=True),
        lambda s: step(s, 3),
        lambda s: s.verbs.rename_section(1, "boot"),
        lambda s: step(s, 3),
    ],
    "a notify moved while it stands": [
        lambda s: s.preview.seek(1.0),
        lambda s: s.verbs.toggle_span(0),
        lambda s: s.preview.seek(1.1),
    ],
    "gone while it plays": [
        lambda s: s.preview.play(),
        lambda s: s.session.edits.remove("gone", s.now.id),
        lambda s: s.preview.seek(1.0),
    ],
    "without tracks": [
        lambda s: s.preview.seek(0.5),
        lambda s: change(s, tracks=()),
        lambda s: s.preview.play(),
        lambda s: s.preview.seek(0.2),
    ],
    "the clip is played instead": [
        lambda s: s.preview.play(),
        lambda s: step(s, 2),
        lambda s: s.session.playback.play(),
        lambda s: s.session.playback.pause(),
    ],
    "stopped": [
        lambda s: s.preview.play(),
        lambda s: step(s, 2),
        lambda s: s.preview.stop(),
        lambda s: s.preview.advance(1.0),
    ],
    "paused": [
        lambda s: s.preview.play(),
        lambda s: step(s, 2),
        lambda s: s.preview.pause(),
        lambda s: s.preview.advance(1.0),
    ],
    "another clip below": [
        lambda s: s.preview.seek(0.5),
        lambda s: s.session.playback.set_clip(KICK),
        lambda s: s.preview.seek(0.5),
    ],
}


@pytest.mark.parametrize("case", list(CASES))
def test_where_it_stands(scene: Scene, case: str) -> None:
    for number, do in enumerate(CASES[case]):
        answer = plain(do(scene))
        PINS.hold(f"{case}: {number}", answer, stands(scene))


def test_a_notify_that_fired_fades(scene: Scene) -> None:
    scene.preview.play()
    step(scene, 7)  # just behind “hit” at 0.4 s
    first = scene.preview.flash("hit")
    assert 0.0 < first <= 1.0 and scene.preview.flash("trail") == 0.0
    step(scene, 1)
    assert scene.preview.flash("hit") == pytest.approx(first - STEP / FLASH)
    step(scene, 6)
    assert scene.preview.flash("hit") == 0.0


def test_the_clip_below_is_that_shown_unless_it_is_of_another_rig_or_additive(scene: Scene) -> None:
    assert scene.preview.base == SWING
    scene.session.playback.set_clip(AssetId("clip-stranger"), AssetId("rig-other"))
    assert scene.preview.base is None
