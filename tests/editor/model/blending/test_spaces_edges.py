"""Blend spaces at their edges: what a new one begins with, who is told, refused clips, measured places, names."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from core.blending.blend_space import BlendSpace, SpaceAxis, SpaceKind
from core.clips.clip import Additive, AdditiveBase, AdditiveSpace, Clip
from core.errors import AnimError, ValidationError
from core.ids import AssetId
from core.project.project import Project
from editor.model.blending.spaces import Spaces
from editor.model.messages import Level
from tests.editor.model.blending.test_spaces import HIGH, LOW, STRANGER, Scene

SPEED = SpaceAxis("Speed", 0.0, 4.0, 4, unit="m/s")
DIRECTION = SpaceAxis("Direction", -180.0, 180.0, 8, wrap=True, unit="°")
AIM = tuple(SpaceAxis(name, -90.0, 90.0, 4, unit="°") for name in ("Yaw", "Pitch"))


@pytest.fixture
def scene() -> Iterator[Scene]:
    made = Scene()
    yield made
    made.session.close()


@pytest.fixture
def spaces(scene) -> Spaces:
    made = scene.spaces
    made.told = []
    made.changed.connect(lambda _: made.told.append("changed"))
    made.problem_changed.connect(lambda _: made.told.append("problem"))
    return made


def look(spaces: Spaces) -> list[str]:
    found, spaces.told[:] = list(spaces.told), []
    return found


# ---------------------------------------------------------------- new ones
@pytest.mark.parametrize("kind, name, axes, of", [
    ("line", "Blend 1D 2", (SPEED,), SpaceKind.LINE), ("plane", "Blend 2D", (DIRECTION, SPEED), SpaceKind.GRID),
    ("aim", "Aim offset", AIM, SpaceKind.GRID),
])  # fmt: skip
def test_a_new_space_has_the_axes_of_its_kind_and_is_open(scene, spaces, kind, name, axes, of):
    made = spaces.new(kind)
    assert (made.name, made.axes, made.kind, made.rig) == (name, axes, of, scene.session.rig.id)
    assert made.aim_offset is (kind == "aim") and made.base_clip == (LOW if kind == "aim" else None)
    assert spaces.committed is made and spaces.current is made and made.samples == ()
    assert scene.session.history.labels[-1] == f"New blend space {name}"


def test_an_aim_offset_is_over_no_clip_that_is_a_difference_itself(scene, spaces):
    clip = scene.session.clip
    scene.session.edits.put("x", replace(clip, additive=Additive(AdditiveSpace.LOCAL, AdditiveBase.REST)))
    assert spaces.new("aim").base_clip is None
    scene.session.playback.set_clip(None, scene.session.rig.id)
    assert spaces.new("aim").base_clip is None


def test_names_are_free_over_all_characters(scene, spaces):
    theirs = BlendSpace(
        AssetId("space-theirs"), "Blend 2D", AssetId("rig-other"), (DIRECTION, SPEED), kind=SpaceKind.GRID
    )
    scene.session.edits.put("theirs", theirs)
    assert spaces.new("plane").name == "Blend 2D 2" and theirs not in spaces.all()
    assert spaces.rename("Blend 1D 9") and spaces.committed.name == "Blend 1D 9"


def test_without_a_character_nothing_is_made(scene, spaces):
    scene.session.document.replace(Project({}), None)
    with pytest.raises(AnimError, match="open or import a character first"):
        spaces.new("line")
    assert spaces.all() == () and spaces.committed is None and dict(spaces.clips()) == {}
    for work in (spaces.delete, lambda: spaces.rename("x"), spaces.analyse, lambda: spaces.add(LOW, (0.0,))):
        with pytest.raises(AnimError, match="create a blend space first"):
            work()


# ---------------------------------------------------------------- which is open
def test_opening_is_told_once_and_ends_a_drag_and_a_problem(scene, spaces):
    first = scene.space
    aim = spaces.new("aim")
    spaces.add(HIGH, (0.0, 0.0))
    assert spaces.problem is not None
    spaces.preview(replace(aim, name="dragged"))
    look(spaces)
    spaces.open(aim.id)
    assert look(spaces) == [] and spaces.current.name == "dragged"
    spaces.open(first.id)
    assert look(spaces) == ["problem", "changed"] and spaces.problem is None and spaces.current is first
    spaces.open(aim.id)
    assert spaces.current is aim
    spaces.open(None)
    assert spaces.committed is first


def test_a_drag_of_another_space_is_not_shown(scene, spaces):
    other = replace(scene.space, id=AssetId("space-other"))
    spaces.preview(other)
    assert spaces.current is scene.space


def test_a_drag_of_a_space_that_goes_ends(scene, spaces):
    spaces.preview(replace(scene.space, name="dragged"))
    spaces.delete()
    scene.session.undo()
    assert spaces.current is scene.space and scene.space.name == "Blend 1D"


def test_a_step_that_changes_nothing_is_told_because_the_drag_is_over(scene, spaces):
    spaces.preview(replace(scene.space, name="dragged"))
    look(spaces)
    assert not spaces.put("Same", scene.space) and look(spaces) == ["changed"]
    assert spaces.put("Other", replace(scene.space, name="other")) and look(spaces) == ["changed"]


def test_a_clip_that_is_gone_is_called_missing(scene, spaces):
    assert spaces.clip_name(LOW) == "low" and spaces.clip_name(AssetId("gone")) == "missing clip"
    assert set(spaces.clips()) == {LOW, HIGH, STRANGER} and spaces.project is scene.session.document.project


# ---------------------------------------------------------------- samples
def test_only_clips_are_added_and_only_of_the_character(scene, spaces):
    steps = scene.session.history.position
    assert not spaces.add(scene.session.rig.id, (0.0,)) and not spaces.add_measured(
        scene.session.rig.id, (0.0,)
    )
    for add in (spaces.add, spaces.add_measured):
        with pytest.raises(ValidationError, match="“stranger” is for another character"):
            add(STRANGER, (0.0,))
    assert scene.session.history.position == steps


def test_a_refused_clip_is_said_with_what_to_do_and_forgotten_when_another_fits(scene, spaces):
    spaces.new("aim")
    look(spaces)
    assert not spaces.add(HIGH, (0.0, 0.0)) and look(spaces) == ["problem"]
    message = scene.session.messages.latest
    assert (message.level, message.text) == (Level.WARNING, spaces.problem.reason)
    assert message.next_step == "Convert it in the blend space panel"
    spaces.convert_refused()
    assert spaces.problem is None
    spaces.add(LOW, (10.0, 0.0))
    assert spaces.problem.clip == LOW
    assert spaces.add(HIGH, (20.0, 0.0)) and spaces.problem is None
    assert not spaces.convert_refused()


def test_a_problem_goes_with_its_clip(scene, spaces):
    more = replace(scene.session.document.project.get(Clip, HIGH), id=AssetId("clip-more"), name="more")
    scene.session.edits.put("more", more)
    spaces.new("aim")
    spaces.add(more.id, (0.0, 0.0))
    look(spaces)
    scene.session.edits.put("name", replace(scene.session.rig, name="other"))
    assert spaces.problem is not None and look(spaces) == ["changed"]
    scene.session.edits.remove("gone", more.id)
    assert spaces.problem is None and look(spaces) == ["problem", "changed"]
    spaces.dismiss_problem()
    assert look(spaces) == []


# ---------------------------------------------------------------- measured
def test_measured_places_are_rounded_and_held_within_the_axis(scene, spaces):
    spaces.analyse()
    speeds = scene.placed()
    low, high = speeds[LOW][0], speeds[HIGH][0]
    assert (low, high) == (1.0, 3.0)
    spaces.remove(1)
    spaces.set_axis(0, replace(SPEED, maximum=2.5))
    spaces.add_measured(HIGH, (0.25,))
    assert scene.placed()[HIGH][0] == 2.5
    spaces.remove(1)
    spaces.set_axis(0, replace(SPEED, name="mood"))
    spaces.add_measured(HIGH, (0.25,))
    assert scene.placed()[HIGH][0] == 0.25


@pytest.mark.parametrize(
    "minimum, maximum, axis", [(0.0, 2.0, (0.0, 3.0)), (0.0, 4.0, (0.0, 4.0)), (1.5, 2.5, (1.0, 3.0))]
)
def test_an_axis_is_widened_to_what_is_measured_at_both_ends(scene, spaces, minimum, maximum, axis):
    spaces.set_axis(0, replace(SPEED, minimum=minimum, maximum=maximum))
    assert spaces.analyse() == "Samples moved to their measured positions"
    found = scene.space.axes[0]
    assert (found.minimum, found.maximum) == axis and scene.space.axes[0].name == "Speed"


def test_an_axis_that_says_nothing_or_goes_round_stays(scene, spaces):
    spaces.new("plane")
    spaces.set_axis(0, replace(DIRECTION, name="mood", wrap=False, minimum=-1.0, maximum=1.0))
    spaces.add(LOW, (0.5, 0.5))
    spaces.add(HIGH, (-0.5, 0.5))
    spaces.analyse()
    assert [sample.place for sample in scene.space.samples] == [(0.5, 1.0), (-0.5, 3.0)]
    assert (scene.space.axes[0].minimum, scene.space.axes[0].maximum) == (-1.0, 1.0)
    spaces.set_axis(0, replace(DIRECTION, minimum=-90.0, maximum=90.0))
    spaces.analyse()
    assert (scene.space.axes[0].minimum, scene.space.axes[0].maximum) == (-90.0, 90.0)


def test_without_samples_there_is_nothing_to_measure(scene, spaces):
    spaces.new("line")
    assert spaces.analyse() == "Every sample is at its measured position"


def test_samples_of_the_other_axes_stay_when_one_is_shortened(scene, spaces):
    spaces.new("plane")
    spaces.add(LOW, (90.0, 3.5))
    spaces.add(HIGH, (-90.0, 0.5))
    spaces.set_axis(1, replace(SPEED, minimum=1.0, maximum=3.0))
    assert [sample.place for sample in scene.space.samples] == [(90.0, 3.0), (-90.0, 1.0)]
