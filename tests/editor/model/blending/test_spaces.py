"""Verbs on blend spaces without a window: one step each with its name, undone to the bit; what does not fit is told."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from core.blending.blend_space import BlendSpace, SpaceAxis
from core.clips.clip import Channel, Clip, Property
from core.errors import AnimError, ValidationError
from core.ids import AssetId
from core.project.project import Project
from core.tracks.keys import scalar_track
from editor.model.blending.state import Blending
from editor.model.session import Session
from tests.editor.rigs import small_rig

LOW, HIGH, STRANGER = AssetId("clip-low"), AssetId("clip-high"), AssetId("clip-stranger")


def held(name: str, degrees: float, travel: float) -> Clip:
    tracks = {
        Channel("upper_arm_l", Property.ROTATE, 2): scalar_track([0.0, 1.0], [degrees, degrees]),
        Channel("pelvis", Property.TRANSLATE, 2): scalar_track([0.0, 1.0], [0.0, travel]),
    }
    return Clip(AssetId(f"clip-{name}"), name, small_rig().id, 1.0, looping=True, tracks=tracks)


class Scene:
    """Two clips in a space of a line, at 1 and 2, and a clip of another character."""

    def __init__(self) -> None:
        self.session = Session.create()
        rig = small_rig()
        other = replace(rig, id=AssetId("rig-other"), name="other")
        clips = (held("low", 10.0, 1.0), held("high", 70.0, 3.0))
        stranger = replace(clips[0], id=STRANGER, name="stranger", rig=other.id)
        self.session.document.replace(Project({a.id: a for a in (rig, other, *clips, stranger)}), None)
        self.session.playback.set_clip(LOW)
        self.spaces = self.session.feature(Blending).spaces
        self.spaces.new("line")
        self.spaces.add(LOW, (1.0,))
        self.spaces.add(HIGH, (2.0,))
        self.said: list[str] = []
        self.session.messages.posted.connect(lambda message: self.said.append(message.text))

    @property
    def space(self) -> BlendSpace:
        return self.spaces.committed

    def placed(self) -> dict[AssetId, tuple[float, float]]:
        """Place and rate of each sample."""
        return {s.clip: (s.place[0], s.rate) for s in self.space.samples}


@pytest.fixture
def scene():
    made = Scene()
    yield made
    made.session.close()


VERBS: dict[str, Callable[[Scene], object]] = {
    "New blend space Blend 2D": lambda s: s.spaces.new("plane"),
    "New blend space Blend 1D 2": lambda s: s.spaces.new("line"),
    "Rename Blend 1D to walks": lambda s: s.spaces.rename(" walks "),
    "Delete blend space Blend 1D": lambda s: s.spaces.delete(),
    "Add low to Blend 1D": lambda s: s.spaces.add(LOW, (1.5,)),
    "Move high in Blend 1D": lambda s: s.spaces.move(1, (2.5,)),
    "Rate of high": lambda s: s.spaces.set_rate(1, 1.5),
    "Remove low from Blend 1D": lambda s: s.spaces.remove(0),
    "Analyse Blend 1D": lambda s: s.spaces.analyse(),
    "Change axis pace of Blend 1D": lambda s: s.spaces.set_axis(0, SpaceAxis("pace", 0.0, 3.0)),
}  # fmt: skip


@pytest.mark.parametrize("label", list(VERBS))
def test_a_verb_is_one_step_with_its_name_and_undone_to_the_bit(scene, label):
    before, position = scene.session.document.project, scene.session.history.position
    assert VERBS[label](scene)
    after = scene.session.document.project
    assert scene.session.history.position == position + 1 and scene.session.history.labels[-1] == label
    assert after is not before
    scene.session.undo()
    assert dict(scene.session.document.project.assets) == dict(before.assets)
    scene.session.redo()
    assert dict(scene.session.document.project.assets) == dict(after.assets)


def test_a_change_of_one_sample_leaves_the_other(scene):
    scene.spaces.set_rate(1, 1.5)
    assert scene.placed() == {LOW: (1.0, 1.0), HIGH: (2.0, 1.5)}
    scene.spaces.move(0, (0.5,))
    assert scene.placed() == {LOW: (0.5, 1.0), HIGH: (2.0, 1.5)}
    position = scene.session.history.position
    assert not scene.spaces.set_rate(1, 1.5) and not scene.spaces.move(0, (0.5,))
    assert scene.session.history.position == position
    scene.spaces.remove(0)
    assert scene.placed() == {HIGH: (2.0, 1.5)}


def test_samples_outside_a_shorter_axis_are_brought_to_its_end(scene):
    axis = scene.space.axes[0]
    scene.spaces.set_axis(0, replace(axis, minimum=1.2, maximum=1.5))
    assert {place for place, _ in scene.placed().values()} == {1.2, 1.5}
    scene.spaces.new("plane")
    axes = scene.space.axes
    scene.spaces.set_axis(1, replace(axes[1], name="pace"))
    assert (scene.space.axes[0], scene.space.axes[1].name) == (axes[0], "pace")


def test_the_open_space_is_shown_else_the_first_of_the_character(scene):
    first = scene.space
    second = scene.spaces.new("plane")
    assert scene.spaces.committed is second
    scene.spaces.open(first.id)
    assert scene.spaces.committed.id == first.id
    scene.spaces.open(AssetId("gone"))
    assert scene.spaces.committed.id == first.id
    scene.session.playback.set_clip(STRANGER)
    assert scene.spaces.all() == () and scene.spaces.committed is None and scene.spaces.current is None
    scene.spaces.open(first.id)
    assert scene.spaces.committed is None  # it is of another character
    with pytest.raises(AnimError, match="create a blend space first"):
        scene.spaces.remove(0)


def test_a_drag_is_shown_and_taken_back_and_a_step_ends_it(scene):
    told = []
    scene.spaces.changed.connect(told.append)
    before = scene.space
    shown = before.with_moved(1, (3.0,))
    scene.spaces.preview(shown)
    assert scene.spaces.current is shown and scene.space is before and len(told) == 1
    scene.spaces.preview(shown)
    assert len(told) == 1
    scene.spaces.preview(None)
    assert scene.spaces.current is before
    scene.spaces.preview(shown)
    scene.spaces.put("same", before)
    assert scene.spaces.current is before and scene.session.history.labels[-1] != "same"


def test_what_does_not_fit_is_refused(scene):
    before = scene.session.document.project
    with pytest.raises(ValidationError, match="is for another character"):
        scene.spaces.add(STRANGER, (0.0,))
    assert not scene.spaces.add(AssetId("gone"), (0.0,)) and not scene.spaces.add_measured(
        AssetId("gone"), (0.0,)
    )
    assert not scene.spaces.rename("Blend 1D")
    with pytest.raises(ValidationError):
        scene.spaces.rename(" ")
    assert scene.session.document.project is before
    scene.spaces.new("line")
    with pytest.raises(ValidationError, match="already a blend space"):
        scene.spaces.rename("Blend 1D")
    scene.spaces.set_axis(0, SpaceAxis("mood", 0.0, 1.0))
    with pytest.raises(ValidationError, match="no axis says what it measures"):
        scene.spaces.analyse()


def test_clips_are_placed_by_what_they_measure_and_axes_are_widened(scene):
    scene.spaces.set_axis(0, replace(scene.space.axes[0], minimum=0.0, maximum=2.0))
    scene.spaces.analyse()
    speeds = {clip: place for clip, (place, _) in scene.placed().items()}
    assert speeds[HIGH] == pytest.approx(3.0 * speeds[LOW]) and scene.space.axes[0].maximum >= max(
        speeds.values()
    )
    assert scene.spaces.analyse() == "Every sample is at its measured position"
    scene.spaces.set_rate(1, 2.0)
    scene.spaces.analyse()
    assert scene.placed()[HIGH][0] == pytest.approx(2.0 * speeds[HIGH])
    scene.spaces.remove(1)
    scene.spaces.add_measured(HIGH, (0.5,))
    assert scene.placed()[HIGH][0] == pytest.approx(speeds[HIGH])


def test_a_clip_that_does_not_fit_an_aim_offset_is_told_converted_and_added(scene):
    scene.spaces.new("aim")
    problems = []
    scene.spaces.problem_changed.connect(lambda _: problems.append(scene.spaces.problem))
    assert not scene.spaces.add(HIGH, (0.0, 0.0)) and scene.spaces.problem.clip == HIGH
    assert scene.said and scene.space.samples == ()
    scene.spaces.dismiss_problem()
    assert scene.spaces.problem is None and not scene.spaces.convert_refused()
    scene.spaces.add(HIGH, (10.0, 5.0))
    assert scene.spaces.convert_refused() and scene.spaces.problem is None
    assert [s.place for s in scene.space.samples] == [(10.0, 5.0)]
    assert scene.session.document.project.get(Clip, HIGH).additive is not None
    assert scene.session.history.labels[-1] == "Convert high and add it to Aim offset"
    assert [p is None for p in problems] == [False, True, False, True]
    scene.session.undo()
    assert scene.space.samples == () and scene.session.document.project.get(Clip, HIGH).additive is None
