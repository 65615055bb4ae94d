"""What the search offers on each kind of sheet, for a wire in hand, to swap a node, and in what order."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from core.graph.catalogue.every import NODE_TYPES
from core.graph.graph import Role, SheetKind
from core.graph.language.functions import FUNCTIONS
from core.project.project import Project
from editor.model.graph.editor import GraphEditor
from editor.model.graph.naming import named
from editor.model.graph.nodes import NewNode
from editor.model.graph.search import MOST, Entry, _word_rank
from editor.model.graph.state import PinPlace
from tests.editor.model.graph.many_assets import AIM, OTHER_GRAPH, POSE_SET, SPACE, many_session
from tests.editor.panels.graph.graphs import BLEND, CLIP_A, GRAPH, IDLE, MACHINE, OUTPUT, POSES, STATES
from tests.editor.stage import TURN, WALK


@pytest.fixture
def editor() -> Iterator[GraphEditor]:
    session = many_session()
    yield session.feature(GraphEditor)
    session.close()


def every(editor: GraphEditor) -> list[Entry]:
    """All entries of the open sheet, without the limit of what is listed at once."""
    return editor.search._entries()


def keys(found: list[Entry]) -> set[str]:
    return {e.key for e in found}


ASSETS = {
    f"clip:{WALK}", f"clip:{TURN}", f"blend_space:{SPACE}", f"aim_offset:{AIM}", f"pose_asset:{POSE_SET}",
    f"linked_graph:{OTHER_GRAPH}",
}  # fmt: skip
VALUES = {"get:speed", "get:crouch", *(f"function:{name}" for name in FUNCTIONS)}


def kinds(sheet: SheetKind) -> set[str]:
    return {k for k, t in NODE_TYPES.items() if sheet in t.sheets} - {"get", "set", "function"}


# ---------------------------------------------------------------- what there is
def test_a_pose_sheet_offers_kinds_assets_variables_and_functions(editor):
    assert keys(every(editor)) == kinds(SheetKind.POSE) - {"output"} | ASSETS | VALUES
    editor.canvas.commit("Cut", _without_output(editor))
    assert "output" in keys(every(editor))


def _without_output(editor):
    graph = editor.canvas.graph
    sheet = graph.sheet(POSES)
    nodes = tuple(n for n in sheet.nodes if n.id != OUTPUT)
    return graph.with_sheet(replace(sheet, nodes=nodes, links=sheet.links[:2]))


def test_a_machine_offers_states_that_play_the_assets_and_no_values(editor):
    editor.canvas.enter(STATES)
    found = {e.key: e for e in every(editor)}
    assert set(found) == kinds(SheetKind.MACHINE) | {"nested"} | ASSETS
    nested = found["nested"]
    assert (nested.title, nested.group, nested.tone) == ("Nested state machine", "State machine", "logic")
    assert (
        nested.new == NewNode("state", name="machine", nested=True) and nested.words == named("machine").words
    )
    walk = found[f"clip:{WALK}"]
    assert (walk.new.kind, walk.new.name, walk.new.parameters) == ("state", "walk", {})
    assert (walk.new.plays.kind, walk.new.plays.parameters, walk.new.plays.name) == (
        "clip",
        {"clip": WALK},
        "",
    )
    linked = found[f"linked_graph:{OTHER_GRAPH}"].new.plays
    assert (linked.kind, linked.parameters, linked.name) == ("linked_graph", {"graph": OTHER_GRAPH}, "other")


def test_an_update_sheet_offers_montages_and_variables_to_set(editor):
    graph = editor.canvas.graph
    own = replace(graph.variables[0], name="foot", role=Role.OWN)
    editor.canvas.commit("Own", replace(graph, variables=(*graph.variables, own)))
    assert "set:foot" not in keys(every(editor)) and "get:foot" in keys(every(editor))
    editor.add_update_sheet()
    found = {e.key: e for e in every(editor)}
    assert set(found) == kinds(SheetKind.UPDATE) | VALUES | {"get:foot", "set:foot", "montage:hit"}
    put = found["set:foot"]
    assert (put.title, put.group, put.new) == ("Set foot", "Actions", NewNode("set", {"variable": "foot"}))
    assert put.words == named("set").words
    play = found["montage:hit"]
    assert (play.title, play.group, play.tone) == ("Play hit", "Montage", "logic")
    assert play.new == NewNode("play_montage", {"montage": "hit"})
    assert play.words == named("play_montage").words


def test_entries_say_what_they_are(editor):
    found = {e.key: e for e in every(editor)}
    clip, walk, speed, lean = (found[k] for k in ("clip", f"clip:{WALK}", "get:speed", "function:clamp"))
    assert clip == Entry("Clip", "Play", NewNode("clip"), "clip", named("clip").words, "source")
    assert walk == Entry(
        "walk", "Clip", NewNode("clip", {"clip": WALK}), f"clip:{WALK}", named("clip").words, "source"
    )
    words = f"{named('get').words} float input"
    assert speed == Entry("speed", "Variable", NewNode("get", {"variable": "speed"}), "get:speed", words)
    function = FUNCTIONS["clamp"]
    assert lean.title == f"clamp({', '.join(function.parameters)})" and lean.group == "Function"
    assert lean.new == NewNode("function", {"function": "clamp"})
    assert lean.help == lean.words == function.help != ""
    aim, linked = found[f"aim_offset:{AIM}"], found[f"linked_graph:{OTHER_GRAPH}"]
    assert (aim.title, aim.group, aim.new) == ("looks", "Aim offset", NewNode("aim_offset", {"space": AIM}))
    assert linked.new == NewNode("linked_graph", {"graph": OTHER_GRAPH}, name="other")
    assert found[f"pose_asset:{POSE_SET}"].new == NewNode("pose_asset", {"asset": POSE_SET})


def test_no_more_than_sixty_are_listed_and_a_typed_expression_comes_last(editor):
    assert len(editor.search.find("")) == MOST == 60
    found = editor.search.find("speed")
    assert found[0].key == "get:speed" and found[-1].key == "expression"
    assert found[-1] == Entry(
        "speed", "Expression", NewNode("expression", literals={"value": "speed"}), "expression"
    )


def test_without_a_graph_nothing_is_offered(editor):
    editor.document.replace(Project({}), None)
    assert editor.search.find("") == editor.search.find("clip") == editor.search.find("speed * 2") == []


def test_what_is_there_is_listed_anew_after_an_edit_and_on_another_sheet(editor):
    first = every(editor)
    assert every(editor) is first
    editor.nodes.add_variable("speed", (0.0, 0.0))
    assert every(editor) is not first
    second = every(editor)
    editor.canvas.enter(STATES)
    assert "entry" in keys(every(editor)) and "entry" not in keys(second)


# ---------------------------------------------------------------- which of them
def test_to_swap_a_node_only_kinds_are_offered(editor):
    found = editor.search.find("", kinds_only=True)
    assert keys(found) == kinds(SheetKind.POSE) - {"output"}


def test_from_a_state_what_a_transition_leads_to_is_offered(editor):
    editor.canvas.enter(STATES)
    assert keys(editor.search.find("", from_state=IDLE)) == {"state", "conduit", "exit", "nested"} | ASSETS


def joined(editor: GraphEditor, *pins: PinPlace) -> set[str]:
    return {e.key for e in every(editor) if editor.search._takes(e, pins)}


def test_for_a_wire_what_takes_it_is_offered(editor):
    poses = joined(editor, PinPlace(MACHINE, "out", True))
    assert {"blend", "slot", "mirror", f"aim_offset:{AIM}"} <= poses
    assert not {"clip", "rest", "expression", "get:speed", "function:abs", f"clip:{WALK}"} & poses
    feeds = joined(editor, PinPlace(OUTPUT, "pose"))
    assert {"blend", "clip", "rest", "slot", f"clip:{WALK}", f"linked_graph:{OTHER_GRAPH}"} <= feeds
    assert not {"expression", "get:speed", "function:abs"} & feeds
    values = joined(editor, PinPlace(BLEND, "alpha"))
    assert {"expression", "get:speed", "function:abs"} <= values
    assert not {"blend", "clip", "rest", "get:crouch", "function:rose"} & values
    get = editor.nodes.add_variable("crouch", (0.0, 600.0))
    truths = joined(editor, PinPlace(get, "out", True))
    assert {"expression", "blend_by_bool", "function:rose"} <= truths
    assert not {"function:abs", "blend_by_int", "get:speed", f"clip:{WALK}"} & truths


def test_a_search_with_a_wire_lists_only_those(editor):
    found = editor.search.find("blend", (PinPlace(BLEND, "alpha"),))
    assert "blend" not in keys(found)
    assert "blend" in keys(editor.search.find("blend", (PinPlace(MACHINE, "out", True),)))
    assert editor.search.find("blend", (PinPlace("gone", "out", True),)) == []


# ---------------------------------------------------------------- typed
@pytest.mark.parametrize("pins, offered", [
    ((), True), ((PinPlace(BLEND, "alpha"),), True), ((PinPlace(OUTPUT, "pose"),), False),
    ((PinPlace(CLIP_A, "out", True),), False),
])  # fmt: skip
def test_an_expression_is_offered_for_wires_of_values(editor, pins, offered):
    found = editor.search.find("1 + 1", pins)
    assert [e.title for e in found if e.key == "expression" and e.new.literals] == (
        ["1 + 1"] if offered else []
    )


@pytest.mark.parametrize("text, offered", [
    ("speed", True), ("sped", False), ("2", True), ("speed2", True), ("speed +", False), ("  ", False), ("dt", False),
    ("true", False),
])  # fmt: skip
def test_a_lone_word_is_an_expression_only_where_it_is_a_variable(editor, text, offered):
    found = editor.search.find(text)
    assert any(e.new.literals == {"value": text.strip()} for e in found) is offered


def test_from_a_state_and_on_a_machine_no_expression_is_offered(editor):
    def literals(**more) -> list:
        return [e for e in editor.search.find("1 + 1", **more) if e.new.literals]

    assert len(literals()) == 1 and literals(from_state=IDLE) == []
    editor.canvas.enter(STATES)
    assert literals() == []


# ---------------------------------------------------------------- order
def entry(title: str, words: str = "", group: str = "Group") -> Entry:
    return Entry(title, group, NewNode("clip"), title, words)


RANKS = [
    ("blend", entry("Blend"), -0.2), ("blend", entry("Blend space"), 0.0), ("blend", entry("Two blend"), 0.4),
    ("blend", entry("Pre-blend"), 0.4), ("blend", entry("Preblend"), 1.2), ("blend", entry("x", "blend"), 0.8),
    ("blend", entry("x", "the blend of"), 0.8), ("blend", entry("x", "two blend"), 0.8),
    ("blend", entry("x", "blending"), 1.0), ("blend", entry("x", "two blending"), 1.0),
    ("blend", entry("x", "preblend"), 2.0), ("blend", entry("x", "BLEND"), 0.8),
    ("blend", entry("x", "", "Blending"), 1.6), ("blend", entry("x", "other", "Preblend"), 1.6),
    ("bld", entry("blend"), 3.0), ("bd", entry("blend"), None), ("bdl", entry("blend"), None),
    ("blend", entry("other"), None),
]  # fmt: skip


@pytest.mark.parametrize("word, row, rank", RANKS)
def test_a_word_fits_better_the_nearer_it_is_to_the_title(word, row, rank):
    assert _word_rank(word, row.title.casefold(), row) == rank


def rank(editor: GraphEditor, wanted: list[str], row: Entry) -> float | None:
    editor.search._entries()
    return editor.search._rank(wanted, row)


def test_ranks_of_words_add_up_and_longer_titles_come_later(editor):
    row = entry("Two blend", "mix")
    assert rank(editor, [], row) == pytest.approx(9 * 0.002)
    assert rank(editor, ["two"], row) == pytest.approx(0.018)
    assert rank(editor, ["two", "blend"], row) == pytest.approx(0.418)
    assert rank(editor, ["two", "mix"], row) == pytest.approx(0.818)
    assert rank(editor, ["two", "other"], row) is None


def test_what_was_added_comes_earlier_five_times_at_most_and_what_is_on_the_sheet_a_little(editor):
    row = replace(entry("rest"), key="rest")
    start = rank(editor, [], row)
    assert start == pytest.approx(0.008)
    for count in range(1, 8):
        editor.search.note(row)
        assert rank(editor, [], row) == pytest.approx(start - 0.15 * min(count, 5))
    assert rank(editor, [], replace(entry("Blend"), key="blend")) == pytest.approx(0.01 - 0.1)
    assert rank(editor, [], replace(entry("Blend"), key="state")) == pytest.approx(0.01)
    editor.canvas.open(GRAPH, STATES)
    assert rank(editor, [], replace(entry("Blend"), key="state")) == pytest.approx(0.01 - 0.1)


def test_of_equals_the_one_that_is_listed_first_comes_first(editor):
    found = [e.key for e in editor.search.find("") if e.key.startswith("clip:")]
    assert found == [f"clip:{WALK}", f"clip:{TURN}"]
    assert [e.key for e in editor.search.find("")][:4] == ["clip", "blend", "machine", "slot"]
