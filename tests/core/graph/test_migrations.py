"""Graphs and montages of older files are read: each version is brought up to the next."""

from pathlib import Path

import pytest

from core.arrays import same_value
from core.graph.graph import Graph, InterruptBy, Variable
from core.graph.montage import Montage
from core.io.native import graph_schema, montage_schema
from core.io.native.packs import PackReader, PackWriter
from core.json_values import Value
from tests.core.graph.builders import Drawing, clip
from tests.core.graph.test_montages import montage


def older(kind, asset, version: int, transitions=(), blends=(), members=()):
    """An asset as a version of its kind wrote it, which had not these members yet, read by the program of today."""
    document = {**kind.schema.stamped(kind.to_document(asset, PackWriter())), "version": version}
    document = {key: value for key, value in document.items() if key not in members}
    for sheet in document.get("sheets", ()):
        sheet["transitions"] = [without(t, transitions) for t in sheet["transitions"]]
    for key in ("blend_in", "blend_out"):
        if key in document:
            document[key] = without(document[key], blends)
    upgraded = kind.schema.upgraded(document)
    return kind.from_document(Value(upgraded, "", Path("old")), PackReader(lambda name: b""))


def without(document, members):
    return {key: value for key, value in document.items() if key not in members}


def graph() -> Graph:
    drawing = Drawing(clip("a"), clip("b"), variables=(Variable("speed"),))
    states = {name: drawing.clip_sheet(name) for name in "ab"}
    return drawing.machine_graph(drawing.machine(states, [("a", "b", "speed > 1", {"seconds": 0.3})]))


NEW = ("profile", "sheet", "start", "start_at")


@pytest.mark.parametrize(("version", "lacks"), [(2, NEW), (1, (*NEW, "interrupt_by"))])
def test_graph_of_an_older_version_has_the_defaults_of_what_came_later(version, lacks):
    made = graph()
    found = older(graph_schema.KIND, made, version, transitions=lacks)
    assert same_value(found, made)
    assert next(t for s in found.sheets for t in s.transitions).interrupt_by is InterruptBy.TARGET


def test_montage_of_version_1_crossfades_all_bones_alike_and_leads_no_group():
    made: Montage = montage()
    assert same_value(
        older(montage_schema.KIND, made, 1, blends=("kind", "profile"), members=("sync_group",)), made
    )
