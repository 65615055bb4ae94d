"""What the canvas is told of a running graph."""

from core.ids import AssetId
from editor.model.graph.live import LiveFrame, LiveGraph, NothingRuns


def test_nothing_runs_until_somebody_runs_graphs():
    live: LiveGraph = NothingRuns()
    assert live.frame(AssetId("graph")) is None
    assert live.value(AssetId("graph"), "1 + 1") == ""


def test_a_wire_weighs_what_its_source_weighs_and_unknown_ones_are_told_apart():
    frame = LiveFrame(1, {"n-00000001": 0.25})
    assert frame.link("n-00000001") == 0.25
    assert frame.link("n-00000002") is None
