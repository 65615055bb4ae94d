"""Numbers of motion matching are kept with a set-up in a document."""

from dataclasses import replace

import core.io
from core.ids import AssetId
from core.locomotion.matching.setup import Choice, Matching, Tag
from core.locomotion.play_setup import PlaySetup
from core.project.project import Project
from resources.sample.rig import build_rig


def test_a_documents_set_up_keeps_its_matching(tmp_path):
    rig = replace(build_rig(), post_graph=None)
    numbers = Matching(feet_place=0.5, mirror=False, choices=(Choice("walk", Tag.MOVE, first=0.1, last=0.9),))
    made = (
        PlaySetup(AssetId("a"), "plain", rig.id),
        PlaySetup(AssetId("b"), "own", rig.id, matching=numbers),
    )
    core.io.save(Project().with_assets(rig, *made), tmp_path / "a.posewright")
    read = core.io.load(tmp_path / "a.posewright").project
    assert [setup.matching for setup in read.all(PlaySetup)] == [Matching(), numbers]
