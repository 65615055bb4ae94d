"""Set-ups by hand: clips and spaces chosen, left out, saved, and what becomes of them when assets go."""

from dataclasses import replace
from functools import cache

import pytest

import core.io
from core.arrays import same_value
from core.errors import MissingReferenceError, ValidationError
from core.ids import AssetId
from core.io.native.read import from_bytes
from core.io.native.write import to_bytes
from core.locomotion.animation.propose import propose
from core.locomotion.character_graphs import graph_of
from core.locomotion.play_setup import PlaySetup, setup_named, setups_of
from core.project.project import Project
from core.project.references import check
from core.rig.rig import Rig
from resources.sample.locomotion import FILE


@cache
def sample() -> Project:
    return core.io.load(FILE).project


def made(**options) -> PlaySetup:
    return PlaySetup(AssetId("play_setup-1"), "Slow", sample().rigs[0].id, **options)


def test_what_was_chosen_takes_the_place_of_what_is_found_by_name():
    project, rig = sample(), sample().rigs[0]
    wave = project.clip_named("wave")
    found = propose(rig, project, made(clips={"idle": wave.id, "land": None}, spaces={"lean": None}))
    by_name = propose(rig, project)
    assert found.clips["idle"] is wave and found.clips["walk"] is by_name.clips["walk"]
    assert "land" not in found and "clip land" in found.missing and "clip land" not in by_name.missing
    assert "lean" not in found.spaces and "blend space lean" in found.missing
    assert list(found.clips) == [what for what in by_name.clips if what != "land"]


def test_a_choice_draws_a_graph_of_its_own_unless_one_is_chosen():
    project, rig = sample(), sample().rigs[0]
    own = graph_of(project, rig)
    assert own is not None and own.name == "Locomotion"
    assert graph_of(project, rig, made()) is own
    assert graph_of(project, rig, made(clips={"land": None})) is None
    assert graph_of(project, rig, made(clips={"land": None}, graph=own.id)) is own


def test_a_set_up_is_saved_with_the_document():
    project = sample()
    setup = made(
        clips={"idle": project.clip_named("wave").id, "land": None},
        spaces={"lean": None},
        graph=graph_of(project, project.rigs[0]).id,
    )
    whole = project.with_assets(setup)
    check(whole)
    again = from_bytes(to_bytes(whole))
    assert same_value(again, whole)
    assert setup_named(again, again.rigs[0], "Slow") == setup
    assert setups_of(again, AssetId("rig-other")) == ()
    with pytest.raises(MissingReferenceError, match=r"no set-up of .* is called 'Fast'; there are: 'Slow'"):
        setup_named(again, again.rigs[0], "Fast")


def test_assets_that_are_gone_are_found_by_name_again():
    wave = sample().clip_named("wave").id
    setup = made(clips={"idle": wave, "land": None}, graph=AssetId("graph-1"))
    assert [r.role for r in setup.references()] == ["rig", "idle", "graph"]
    gone = setup.with_targets({wave: None, AssetId("graph-1"): None})
    assert gone.clips == {"land": None} and gone.graph is None
    other = setup.with_targets({wave: AssetId("clip-2"), setup.rig: AssetId("rig-2")})
    assert other.clips["idle"] == "clip-2" and other.rig == "rig-2"
    assert setup.with_targets({setup.rig: None}) is None


def test_edits_give_new_values():
    setup = made().with_clip("idle", AssetId("clip-1")).with_space("lean", None)
    assert setup.clips == {"idle": "clip-1"} and setup.spaces == {"lean": None} and setup.draws
    assert not setup.without("idle").without("lean").draws
    with pytest.raises(ValidationError, match="expected a name"):
        replace(setup, name=" ")


def test_bones_chosen_on_the_rig_are_those_that_are_looked_for():
    rig = sample().rigs[0]
    nameless = replace(
        rig, skeleton=replace(rig.skeleton, names=tuple(f"b{k}" for k in range(len(rig.skeleton)))),
        mirror=type(rig.mirror)(), limits={}, masks={}, retarget_modes={}, virtual_bones=(), bone_sets={},
        ik_setups=(),
    )  # fmt: skip
    at = rig.skeleton.index("head")
    without = propose(nameless, sample())
    assert "bone head" in without.missing
    chosen = replace(nameless, roles={"head": f"b{at}"})
    assert "bone head" not in propose(chosen, sample()).missing
    assert isinstance(chosen, Rig)
