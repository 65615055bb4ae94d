"""Rules of notifies: kept by every file that keeps notifies, and refused where they make no sense."""

from dataclasses import replace

import pytest

from core.arrays import same_value
from core.clips.clip import Notify, NotifyRule
from core.clips.compiled.container import about_clip
from core.clips.notifies import rule_from, rule_values
from core.errors import ValidationError
from core.io.common.clip_extras import to_extras, with_extras
from core.io.native.read import from_bytes
from core.io.native.write import to_bytes
from core.io.report import ImportReport
from core.project.project import Project
from editor.tools.clip_events import Kind, Lane, on_lane, with_lane
from tests.core.graph.builders import clip, rig

RULE = NotifyRule(0.25, True, True, "speed > 1", 0.3)
CLIP = replace(clip("a"), notifies=(Notify("step", 0.1), Notify("hold", 0.2, 0.3, {"side": "left"}, RULE)))


def test_rule_survives_a_native_file():
    project = Project().with_assets(rig(), CLIP)
    assert same_value(from_bytes(to_bytes(project)), project)


def test_rule_survives_the_extras_of_a_gltf_clip():
    report = ImportReport("glTF")
    read = with_extras(replace(CLIP, notifies=()), to_extras(CLIP, CLIP.name), report)
    assert read.notifies == CLIP.notifies


def test_rule_stands_in_a_compiled_clip_only_where_there_is_one():
    plain, ruled = about_clip(rig(), CLIP)["notifies"]
    assert len(plain) == 4
    assert rule_from(ruled[4]) == RULE


def test_rule_survives_an_edit_on_the_timeline():
    lane = Lane(Kind.NOTIFY)
    assert with_lane(CLIP, lane, on_lane(CLIP, lane)).notifies == CLIP.notifies


def test_default_rule_takes_no_place():
    assert rule_values(NotifyRule()) == {}
    assert rule_from({"newer": 1}) == NotifyRule()


@pytest.mark.parametrize(
    "told",
    [{"threshold": 2}, {"threshold": True}, {"branching": 1}, {"blend_out": -1.0}, {"condition": 3}, [1]],
)
def test_rule_that_makes_no_sense_is_refused(told):
    with pytest.raises(ValidationError, match="notify"):
        rule_from(told)
