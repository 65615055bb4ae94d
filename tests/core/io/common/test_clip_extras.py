"""Curves, notifies, markers and root-motion settings through formats that have no place of their own for them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.arrays import same_value
from core.clips.clip import Clip, Marker, Notify, RootMotion, RootPose, SyncMarker
from core.ids import AssetId
from core.io import load, save
from core.io.common.clip_extras import to_extras, with_extras
from core.io.report import ImportReport
from tests.core.io import making


def told_clip():
    rng = np.random.default_rng(8)
    return {
        "looping": True,
        "curves": {"blush ü": making.scalar(rng, weighted=True)},
        "notifies": (Notify("step", 0.25, 0.1, {"foot": "left"}),),
        "sync_markers": (SyncMarker("left_down", 0.2),),
        "markers": (Marker("here", 0.4),),
        "event_colors": {"left_down": "#e05656", "contact_left_foot": "#5bbf6a"},
        "root_motion": RootMotion(True, "b0", True, True, False, RootPose.ZERO),
    }


@pytest.mark.parametrize(("suffix", "needs"), [(".glb", "numpy"), (".fbx", "ufbx"), (".usda", "pxr")])
def test_save_clip_extras_come_back(suffix, needs, tmp_path):
    pytest.importorskip(needs)
    parts = told_clip()
    save(making.with_clip(making.small(), {}, 1.0, **parts), tmp_path / f"a{suffix}")
    found = load(tmp_path / f"a{suffix}").project.clips[0]
    for name, value in parts.items():
        own = getattr(found, name)
        assert same_value(dict(own) if isinstance(value, dict) else own, value), name


def test_save_bvh_tells_what_of_a_clip_it_leaves_out(tmp_path):
    report = save(making.with_clip(making.small(), {}, 1.0, **told_clip()), tmp_path / "a.bvh")
    assert {"curves of clips", "notifies of clips", "markers of clips"} <= set(report.left_out)


any_json = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
)


@given(st.data())
def test_with_extras_broken_parts_are_left_out(data):
    clip = Clip(AssetId("c"), "move", AssetId("r"), 1.0, **told_clip())
    told = to_extras(clip, clip.name)
    key = data.draw(st.sampled_from(sorted(told)))
    told[key] = data.draw(any_json)
    found = with_extras(Clip(AssetId("c"), "move", AssetId("r"), 1.0), told, ImportReport("test"))
    for name in {"curves", "notifies", "markers"} - {key}:
        assert same_value(getattr(found, name), getattr(clip, name))
