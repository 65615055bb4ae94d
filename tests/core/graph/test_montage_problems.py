"""Problems of montages and of the conditions of notifies, with their places."""

from dataclasses import replace

from core.clips.clip import Additive, AdditiveSpace, Notify, NotifyRule
from core.graph import montage_edits as edits
from core.graph.graph import Graph, Variable
from core.graph.language.values import Kind
from core.graph.montage import Section, Segment, SlotTrack
from core.graph.montage_problems import Part, problems_of
from core.graph.notify_conditions import completions, condition_error
from core.ids import AssetId
from tests.core.graph.builders import Drawing, clip
from tests.core.graph.test_montages import montage

MOVING = Variable("moving", Kind.BOOL)


def project(*montages, clips=(), slots=("Group.Upper",)):
    drawing = Drawing(clip("idle", 2.0), clip("m", x=1.0), *clips, variables=(MOVING,), slots=slots)
    node = drawing.play("idle")
    graph = drawing.graph(drawing.pose_sheet("main", [node], [], node))
    return drawing.project(graph).with_assets(*montages)


def told(made, **more):
    return [(p.part, p.track, p.number, p.warning) for p in problems_of(made, project(made, **more))]


def test_a_sound_montage_has_none():
    assert told(montage()) == []


def test_each_fault_is_at_its_place():
    good = Segment(AssetId("clip-m"), 0.0, 0.0, 1.0)
    lost = Segment(AssetId("gone"), 1.0, 0.0, 1.0)
    made = replace(montage(), tracks=(SlotTrack("Upper", (good, lost)),))
    assert (Part.SEGMENT, 0, 1, False) in told(made)
    long = replace(montage(), tracks=(SlotTrack("Upper", (replace(good, end=7.0),)),))
    assert told(long) == [(Part.SEGMENT, 0, 0, True)]
    late = montage(sections=(Section("a", 0.0), Section("b", 5.0)))
    assert (Part.SECTION, -1, 1, True) in told(late)
    assert (Part.TRACK, 1, -1, False) in told(edits.with_track(montage(), "Legs"))
    assert told(montage(slot="Uper")) == [(Part.TRACK, 0, -1, True)]
    assert "near: Group.Upper" in problems_of(montage(slot="Uper"), project())[0].message
    assert told(montage(clips=())) == [(Part.MONTAGE, -1, -1, False)]
    assert told(montage(blend=0.8)) == [(Part.BLEND, -1, 0, True)]
    other = replace(montage(), id=AssetId("montage-twin"))
    assert problems_of(other, project(montage()))[0].message.startswith("Another montage")
    additive = replace(clip("add", x=1.0), additive=Additive(AdditiveSpace.LOCAL))
    mixed = montage(clips=("m", "add"))
    assert (Part.TRACK, 0, -1, False) in told(mixed, clips=(additive,))


def test_notifies_of_a_montage_are_checked():
    rules = NotifyRule(condition="not moving"), NotifyRule(condition="movin > 1")
    made = montage(notifies=(Notify("a", 0.1, 0.2, rule=rules[0]), Notify("b", 5.0, 0.2, rule=rules[1])))
    assert told(made) == [(Part.NOTIFY, -1, 1, False), (Part.NOTIFY, -1, 1, True)]


def test_conditions_name_what_is_wrong_and_where():
    graphs = project().all(Graph)
    assert condition_error("", graphs) is None
    assert condition_error("not moving", graphs) is None
    wrong = condition_error("not movin", graphs)
    assert "moving" in wrong.message and wrong.column == 4
    assert condition_error("1 + 2", graphs).message.startswith("expected")
    assert condition_error("whatever and (", []).column >= 0  # only the form is known without a graph
    assert condition_error("whatever > 1", []) is None


def test_completion_offers_variables_first_and_replaces_the_word_begun():
    graphs = project().all(Graph)
    assert [c.text for c in completions("", 0, graphs)] == ["moving"]
    assert completions("not mo", 6, graphs)[0].text == "moving"
    assert "curve" in [c.text for c in completions("cur", 3, graphs)]
    inside = completions("not mo and x", 6, graphs)[0]
    assert (inside.text, inside.begin, inside.end) == ("moving", 4, 6)
