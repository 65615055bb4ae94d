"""A montage tried out alone: what scrubbing shows, what playing shows, what is baked."""

from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Notify
from core.clips.sample import sample_many
from core.graph.montage import Section
from core.graph.montage_preview import MontagePlayer, MontageStand, baked_montage
from core.graph.problems import GraphError
from core.ids import AssetId
from core.timing import FrameRate
from tests.core.graph.builders import Drawing, clip
from tests.core.graph.test_montages import hips, montage


def project(*montages):
    return Drawing(clip("idle", 2.0), clip("m", x=1.0)).project().with_assets(*montages)


def test_a_stand_is_the_clip_at_full_weight_whatever_blends_and_sections_say():
    made = montage(clips=("m", "m"), blend=0.9, sections=(Section("a", 0.0, "a"), Section("b", 1.5)))
    found = project(made)
    stand = MontageStand(made, found)
    for time in (0.0, 0.25, 1.0, 1.99):
        result = stand.at(time)
        wanted = sample_many(found.rigs[0], found.clip_named("m"), [time % 1.0])
        assert np.allclose(result.pose.translations, wanted.local.translation[0], atol=1e-9)
        assert result.montages[0].weight == 1.0 and result.montages[0].position == pytest.approx(time)


def test_playing_blends_over_the_base_by_hand():
    made = montage(blend=0.2)
    player = MontagePlayer(made, project(made), AssetId("clip-idle"))
    player.start()
    found = [hips(player.step(0.05)) for _ in range(21)]
    times = np.arange(1, 22) * 0.05
    wanted = np.minimum(np.minimum(times / 0.2, 1.0), np.maximum((1.0 - times) / 0.2, 0.0))
    assert found == pytest.approx(wanted, abs=1e-9)


def test_a_looped_section_repeats_and_a_start_again_forgets_it():
    made = montage(clips=("m", "m"), sections=(Section("a", 0.0, "b"), Section("b", 1.0)))
    player = MontagePlayer(made, project(made))
    player.start("a", loop="a")
    assert {player.step(0.1).montages[0].section for _ in range(35)} == {"a"}
    player.start("a")
    seen = [result.montages[0].section for _ in range(18) if (result := player.step(0.1)).montages]
    assert seen[0] == "a" and seen[-1] == "b"


def test_other_montages_of_the_project_neither_play_nor_stop_it():
    made = montage()
    broken = montage("broken", clips=("gone",))
    assert MontagePlayer(made, project(made, broken)).start().montages[0].name == "wave"
    with pytest.raises(GraphError, match="not in the project"):
        MontagePlayer(broken, project(made, broken))


def test_baked_to_its_end_with_its_notifies_or_cut_where_it_has_none():
    made = replace(montage(), notifies=(Notify("hit", 0.5),))
    found = baked_montage(made, project(made), AssetId("clip-b"), rate=FrameRate.of(60))
    assert found.length == pytest.approx(1.0, abs=0.02)
    assert [(n.name, round(n.time, 6)) for n in found.notifies if n.name == "hit"] == [("hit", 0.5)]
    endless = montage(sections=(Section("a", 0.0, "a"),))
    assert baked_montage(endless, project(endless), AssetId("b"), most=3.0).length == pytest.approx(3.0)


def test_a_montage_without_tracks_says_that_it_has_no_segment():
    empty = replace(montage(), tracks=())
    for make in (MontagePlayer, MontageStand):
        with pytest.raises(GraphError, match="'wave' has no segment"):
            make(empty, project(empty))
