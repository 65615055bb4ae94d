"""Nodes found by what is typed: the better a word fits the earlier, every word counts, what was used comes first."""

import pytest

from editor.model.graph.nodes import NewNode
from editor.model.graph.search import Entry, _word_rank
from editor.model.graph.state import PinPlace
from tests.editor.panels.graph.graphs import GRAPH, STATES


def entry(title: str, words: str = "", group: str = "Group") -> Entry:
    return Entry(title, group, NewNode("clip"), title, words)


def test_the_ways_in_which_a_word_fits_have_an_order():
    word = "blend"
    rows = [
        entry("Blend"), entry("Blend space"), entry("Two blend"), entry("Other", "blend"), entry("Other", "blending"),
        entry("Preblend"), entry("Other", group="Blending"), entry("Other", "preblend"), entry("Bold lines end"),
    ]  # fmt: skip
    ranks = [_word_rank(word, row.title.casefold(), row) for row in rows]
    assert None not in ranks and sorted(ranks) == ranks and len(set(ranks)) == len(ranks)
    assert _word_rank(word, "other", entry("Other")) is None
    assert _word_rank("xy", "x to y", entry("x to y")) is None  # two letters are too few to be scattered
    assert _word_rank("xoy", "x to y", entry("x to y")) is not None


@pytest.mark.parametrize("text", ["clip", "blend", "CLIP", "walk", "two bone"])
def test_every_word_is_in_what_is_found_and_titles_that_begin_so_come_first(editor, text):
    found = [e for e in editor.search.find(text) if e.key != "expression"]
    assert found
    begins = [e.title.casefold().startswith(text.casefold()) for e in found]
    if any(begins):
        assert begins[0]
    assert editor.search.find(f"{text} zzzzz") == []


def test_what_is_used_and_what_is_on_the_sheet_comes_earlier(editor):
    titles = [e.title for e in editor.search.find("b")]
    late = editor.search.find("b")[-2]
    for _ in range(5):
        editor.search.note(late)
    after = [e.title for e in editor.search.find("b")]
    assert after.index(late.title) < titles.index(late.title)


def test_what_leads_on_from_a_state_is_a_state_a_conduit_or_an_exit(editor):
    editor.canvas.open(GRAPH, STATES)
    state = next(iter(editor.canvas.committed.nodes))
    kinds = {e.new.kind for e in editor.search.find("", from_state=state)}
    assert kinds and kinds <= {"state", "conduit", "exit"}


def test_an_expression_is_offered_where_it_is_one(editor):
    def typed(text: str) -> list[str]:
        return [e.title for e in editor.search.find(text) if "value" in e.new.literals]

    assert typed("speed * 2") == ["speed * 2"] and typed(" 1 + 1 ") == ["1 + 1"]
    assert typed("speed") == ["speed"] and typed("blend") == [] and typed("1 +") == [] and typed("") == []
    editor.canvas.open(GRAPH, STATES)
    assert typed("speed * 2") == []


def test_other_characters_assets_are_not_offered(editor):
    from dataclasses import replace

    from core.ids import AssetId

    project = editor.document.project
    rig = replace(project.rigs[0], id=AssetId("rig-other"), name="other")
    stranger = replace(project.clips[0], id=AssetId("clip-strange"), name="strange", rig=rig.id)
    own = replace(project.clips[0], id=AssetId("clip-own"), name="strangely own")
    editor.document.replace(project.with_assets(rig, stranger, own), None)
    editor.canvas.open(GRAPH)
    found = [e.title for e in editor.search.find("strange")]
    assert "strangely own" in found and "strange" not in found


def test_nothing_takes_a_wire_from_a_pin_that_is_gone(editor):
    assert editor.search.find("blend")
    assert editor.search.find("blend", (PinPlace("gone", "pose", True),)) == []
