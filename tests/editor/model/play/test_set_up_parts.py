"""Parts of a character's set-up: what is found, missing, chosen by hand and left out; motion matching; the graph."""

from dataclasses import replace

import pytest

from core.blending.blend_space import BlendSpace, SpaceAxis, SpaceKind
from core.errors import FormatError, ValidationError
from core.graph.graph import Graph
from core.ids import AssetId
from core.locomotion.animation.propose import NAMES, SPACES
from core.locomotion.matching.setup import MATCHED, Choice, Matching, Tag
from core.locomotion.play_setup import PlaySetup
from editor.model.play.choices import BY_NAME
from editor.model.play.setups import BONES, NOT_SEARCHED, TAGS, By, Kind, Part, PlaySetups
from editor.model.play.state import Play
from tests.editor.model.play.played import light_session
from tests.light_character import light


@pytest.fixture
def session():
    made = light_session()
    yield made
    made.close()


@pytest.fixture
def setups(session) -> PlaySetups:
    made = session.feature(PlaySetups)
    made.told = []
    made.changed.connect(lambda _: made.told.append(1))
    return made


def part(setups: PlaySetups, what: str) -> Part:
    return next(found for found in setups.parts() if found.what == what)


def done(session) -> tuple[int, str]:
    """How many steps, and the last one's label."""
    return session.history.position, session.history.labels[-1]


def chosen(session) -> PlaySetup | None:
    return session.feature(Play).choices.setup


def clip(name: str) -> AssetId:
    return light().clip_named(name).id


# ---------------------------------------------------------------- what there is
def test_without_a_character_there_is_nothing(session, setups) -> None:
    session.document.replace(light().without(*light().assets), None)
    session.playback.set_clip(None)
    assert setups.moves is None and setups.behaviours == () and setups.parts() == () and setups.ranges() == ()
    assert all(setups.candidates(kind) == () for kind in Kind)
    assert setups.graph_title() == "" and not setups.drawn and setups.matching == Matching()
    for kind in Kind:
        setups.choose(kind, "idle", "")
    setups.set_matching("Near", near=3)
    setups.save_as("x")
    setups.rename("x")
    setups.delete()
    setups.add_graph()
    assert session.history.position == 0 and session.document.project.assets == {}


def test_what_is_found_is_looked_for_once_until_something_differs(session, setups) -> None:
    first = setups.moves
    assert setups.moves is first
    session.edits.put("name", replace(light().clip_named("wave"), name="sprint"))
    second = setups.moves
    assert second is not first and "sprint" in second and "sprint" not in first
    setups.choose(Kind.CLIP, "idle", None)
    assert "idle" not in setups.moves


def test_parts_are_bones_then_spaces_then_clips(setups) -> None:
    found = setups.parts()
    assert [p.kind for p in found] == [Kind.BONE] * 10 + [Kind.SPACE] * len(SPACES) + [Kind.CLIP] * len(NAMES)
    assert tuple(p.what for p in found) == (*BONES, *SPACES, *NAMES)
    assert [p.title for p in found[:10]] == [
        "hips", "head", "left thigh", "left calf", "left foot", "left toe", "right thigh", "right calf", "right foot",
        "right toe",
    ]  # fmt: skip
    assert (
        part(setups, "land") == Part(Kind.CLIP, "land", "jump land", By.NAME)
        and part(setups, "land").title == "land"
    )


def space(name: str = "pace", id: str = "space-1", rig: str = "") -> BlendSpace:
    axes = (SpaceAxis("speed", 0.0, 1.0),)
    return BlendSpace(AssetId(id), name, AssetId(rig or light().rigs[0].id), axes, kind=SpaceKind.LINE)


def test_assets_of_the_character_can_be_chosen(session, setups) -> None:
    other = replace(light().rigs[0], id=AssetId("rig-other"), name="other", retarget_sources={})
    walk = replace(light().clip_named("walk"), id=AssetId("theirs"), rig=other.id)
    session.edits.put("other", other, walk, space("theirs", "space-2", other.id), space())
    assert setups.candidates(Kind.CLIP) == tuple((c.id, c.name) for c in light().clips)
    assert setups.candidates(Kind.SPACE) == (("space-1", "pace"),)


def test_bones_and_tags_can_be_chosen(setups) -> None:
    names = light().rigs[0].skeleton.names
    assert setups.candidates(Kind.BONE) == tuple((name, name) for name in names)
    assert setups.candidates(Kind.RANGE) == tuple((tag, TAGS[tag]) for tag in MATCHED) and set(TAGS) == set(
        Tag
    )


def test_changes_of_play_and_of_the_document_are_told(session, setups) -> None:
    session.edits.put("name", replace(light().clip_named("wave"), name="hello"))
    assert len(setups.told) == 1
    session.feature(Play).choices.choose_preset("sluggish")
    assert len(setups.told) == 2
    session.document.replace(light(), None)
    assert len(setups.told) >= 3


# ---------------------------------------------------------------- choosing
@pytest.mark.parametrize(
    ("id", "by", "name"), [("wave", By.HAND, "wave"), (None, By.LEFT_OUT, ""), ("", By.NAME, "idle")]
)
def test_a_clip_is_chosen_left_out_or_found_by_its_name(session, setups, id, by, name) -> None:
    setups.choose(Kind.CLIP, "idle", clip("walk"))
    setups.choose(Kind.CLIP, "idle", clip(id) if id else id)
    assert (part(setups, "idle").by, part(setups, "idle").name) == (by, name)
    assert done(session) == (2, "Set-up: idle") and chosen(session).name == "Set-up"


def test_to_choose_what_is_chosen_already_is_no_step(session, setups) -> None:
    setups.choose(Kind.CLIP, "idle", "")
    assert session.history.position == 0 and chosen(session) is None
    setups.choose(Kind.CLIP, "idle", clip("walk"))
    setups.choose(Kind.CLIP, "idle", clip("walk"))
    setups.choose(Kind.CLIP, "run", "")
    assert session.history.position == 1 and len(session.document.project.all(PlaySetup)) == 1


def test_a_blend_space_is_chosen_and_left_out(session, setups) -> None:
    session.edits.put("space", space(), space("air lean", "space-2"))
    assert part(setups, "lean").by is By.MISSING
    assert part(setups, "air lean") == Part(Kind.SPACE, "air lean", "air lean", By.NAME)
    setups.choose(Kind.SPACE, "lean", None)
    assert part(setups, "lean").by is By.LEFT_OUT and chosen(session).spaces == {"lean": None}
    assert chosen(session).clips == {}
    setups.choose(Kind.SPACE, "lean", "space-1")
    assert part(setups, "lean") == Part(Kind.SPACE, "lean", "pace", By.HAND)


def test_a_choice_of_clips_found_by_name_makes_a_set_up_of_another_name(session, setups) -> None:
    setups.save_as("Set-up")
    session.feature(Play).choices.choose_setup(BY_NAME)
    setups.choose(Kind.CLIP, "idle", clip("wave"))
    assert chosen(session).name == "Set-up 2" and len(session.document.project.all(PlaySetup)) == 2


def test_a_bone_is_chosen_beside_the_others_and_found_again(session, setups) -> None:
    setups.choose(Kind.BONE, "head", "neck_01")
    assert done(session) == (1, "Bone of the body: head")
    setups.choose(Kind.BONE, "thigh_l", "calf_l")
    assert session.rig.roles == {"head": "neck_01", "thigh_l": "calf_l"}
    setups.choose(Kind.BONE, "head", "neck_01")
    assert session.history.position == 2
    setups.choose(Kind.BONE, "head", None)
    assert session.rig.roles == {"thigh_l": "calf_l"} and part(setups, "head").by is By.NAME
    assert part(setups, "thigh_l") == Part(Kind.BONE, "thigh_l", "calf_l", By.HAND)


# ---------------------------------------------------------------- motion matching
def test_numbers_of_motion_matching_are_one_step_each(session, setups) -> None:
    assert setups.matching == Matching() and not setups.matching_is_own
    setups.set_matching("Frames", near=3, end=4)
    assert done(session) == (1, "Motion matching: Frames") and setups.matching == Matching(near=3, end=4)
    assert setups.matching_is_own and chosen(session).matching == setups.matching
    setups.set_matching("Frames", near=3)
    assert session.history.position == 1
    with pytest.raises(ValidationError):
        setups.set_matching("Frames", near=-1)
    assert session.history.position == 1


def test_a_reset_keeps_what_is_said_of_clips(session, setups) -> None:
    setups.choose(Kind.RANGE, "wave", None)
    assert not setups.matching_is_own
    setups.set_matching("Frames", near=3)
    setups.reset_matching()
    assert done(session) == (3, "Reset motion matching")
    assert setups.matching == Matching(choices=(Choice("wave", on=False),)) and not setups.matching_is_own
    setups.reset_matching()
    assert session.history.position == 3


def test_a_file_that_is_none_is_refused(session, setups, tmp_path) -> None:
    file = tmp_path / "numbers.json"
    file.write_text("{")
    with pytest.raises(FormatError, match=r"numbers\.json"):
        setups.read_matching(file)
    assert session.history.position == 0


def ranges(setups: PlaySetups) -> dict[str, Part]:
    return {found.what: found for found in setups.ranges()}


def test_what_each_clip_is_for_and_how_that_was_found(session, setups) -> None:
    found = ranges(setups)
    assert found["idle"] == Part(Kind.RANGE, "idle", TAGS[Tag.STAND], By.NAME)
    assert found["walk"].name == TAGS[Tag.MOVE] and found["walk"].off == ""
    assert found["jump start"].off == NOT_SEARCHED and found["jump start"].name == TAGS[Tag.JUMP]
    setups.choose(Kind.RANGE, "jump start", Tag.START)
    assert done(session) == (1, "Motion matching: jump start")
    assert ranges(setups)["jump start"] == Part(Kind.RANGE, "jump start", TAGS[Tag.START], By.HAND)
    setups.choose(Kind.RANGE, "jump start", None)
    assert (
        ranges(setups)["jump start"].by is By.LEFT_OUT
        and ranges(setups)["jump start"].name == TAGS[Tag.START]
    )
    setups.choose(Kind.RANGE, "jump start", "")
    assert ranges(setups)["jump start"] == found["jump start"] and setups.matching.choices == ()


def test_what_is_said_of_one_clip_leaves_the_others_and_the_range(session, setups) -> None:
    said = (Choice("walk", Tag.STAND), Choice("wave", None, True, 0.25, 0.5), Choice("gone", Tag.MOVE))
    setups.set_matching("Choices", choices=said)
    setups.choose(Kind.RANGE, "wave", Tag.MOVE)
    assert setups.matching.choices == (said[0], said[2], Choice("wave", Tag.MOVE, True, 0.25, 0.5))
    setups.choose(Kind.RANGE, "wave", "")
    assert setups.matching.choices[-1] == said[1], "its range stays"
    assert ranges(setups)["wave"].by is By.HAND
    last = setups.ranges()[-1]
    assert last == Part(Kind.RANGE, "gone", "", By.MISSING)
    setups.choose(Kind.RANGE, "gone", Tag.STAND)
    assert [choice.clip for choice in setups.matching.choices] == ["walk", "wave"]


def test_what_a_clip_is_for_by_itself_is_worked_out_once(session, setups, monkeypatch) -> None:
    from editor.model.play import setups as module

    asked, propose = [], module.proposed_tag
    monkeypatch.setattr(
        module, "proposed_tag", lambda rig, clip: asked.append(clip.name) or propose(rig, clip)
    )
    count = len(setups.ranges())
    setups.ranges()
    assert len(asked) == count
    session.edits.put("bare", replace(light().clip_named("wave"), curves={}))
    setups.ranges()
    assert asked[count:] == ["wave"]
    session.edits.put("rig", replace(session.rig, name="renamed"))
    setups.ranges()
    assert len(asked) == 2 * count + 1


# ---------------------------------------------------------------- by name
def test_a_set_up_is_kept_under_another_name(session, setups) -> None:
    setups.save_as("Slow")
    first = chosen(session)
    assert first.name == "Slow" and done(session) == (1, "New set-up Slow")
    setups.choose(Kind.CLIP, "idle", clip("wave"))
    setups.save_as("Fast")
    second = chosen(session)
    assert second.id not in (first.id, "none") and second.clips == {"idle": clip("wave")}
    with pytest.raises(ValidationError, match="There is a set-up called Slow already"):
        setups.save_as("Slow")
    assert setups.free_name("Slow") == "Slow 2" and setups.free_name("New") == "New"
    assert session.history.position == 3


def test_a_set_up_is_renamed_and_deleted(session, setups) -> None:
    setups.save_as(" Slow ")
    assert chosen(session).name == "Slow" and done(session) == (1, "New set-up Slow")
    setups.rename(" Slow ")
    assert session.history.position == 1
    setups.rename(" Quick ")
    assert chosen(session).name == "Quick" and done(session) == (2, "Rename set-up to Quick")
    with pytest.raises(ValidationError, match="A set-up needs a name"):
        setups.rename("")
    setups.delete()
    assert chosen(session) is None and done(session) == (3, "Delete set-up Quick")
    setups.delete()
    setups.rename("x")
    assert session.history.position == 3


def test_spaces_around_a_name_are_left_out(session, setups) -> None:
    setups.save_as("  Slow ")
    assert chosen(session).name == "Slow"
    setups.rename(" Quick ")
    assert chosen(session).name == "Quick"


# ---------------------------------------------------------------- the graph
def test_the_graph_drawn_is_added_and_the_set_up_takes_it(session, setups) -> None:
    setups.choose(Kind.CLIP, "idle", clip("wave"))
    assert setups.drawn and setups.graph_title() == "drawn from the clips"
    setups.add_graph()
    (graph,) = session.document.project.all(Graph)
    assert done(session) == (2, f"Add the graph {graph.name}") and chosen(session).graph == graph.id
    assert not setups.drawn and setups.graph_title() == graph.name
    setups.add_graph()
    assert session.history.position == 2
    session.undo()
    assert chosen(session).graph is None and session.document.project.all(Graph) == ()


def test_without_a_set_up_the_graph_is_added_alone(session, setups) -> None:
    setups.add_graph()
    assert chosen(session) is None and len(session.document.project.all(Graph)) == 1 and not setups.drawn
