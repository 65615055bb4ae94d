"""What a retargeted clip came out like: the worst limb by hand, and the table's columns."""

from dataclasses import replace

import numpy as np
import pytest

from core.math import quat
from core.math.transform import Transform
from core.retarget.lock import Slip
from core.retarget.report import COLUMNS, ClipReport, legend, name_of, table, worst_deviation
from core.retarget.transfer import transfer
from tests.core.retarget.figures import figure
from tests.core.retarget.test_lock import bound


def still(skeleton, frames=3):
    return Transform(*(np.repeat(part[None], frames, axis=0) for part in skeleton.rest))


@pytest.mark.parametrize(("bone", "degrees"), [("upper_arm_l", 20.0), ("calf_r", 35.0)])
def test_the_worst_limb_is_the_one_that_is_turned_away(bone, degrees):
    source, target = figure(), figure(arms_down=30.0, turned=90.0)
    binding = bound(source, target)
    local, carried = still(source), transfer(binding, still(source))
    assert worst_deviation(binding, local, carried)[0] < 0.5
    turned = np.array(carried.rotation)
    number = target.index(bone)
    turn = quat.from_axis_angle([1.0, 0.0, 0.0] if "calf" in bone else [0.0, 1.0, 0.0], np.radians(degrees))
    turned[1, number] = quat.multiply(turned[1, number], turn)
    worst, name = worst_deviation(binding, local, carried._replace(rotation=turned))
    below = {"upper_arm_l": ("upper_arm_l", "lower_arm_l"), "calf_r": ("calf_r",)}[bone]
    assert name in below and 0.5 * degrees < worst < degrees + 1.0


def test_only_limbs_of_equal_counts_are_compared():
    source, target = figure(), figure()
    binding = bound(source, target)
    bent = still(target)
    turn = quat.from_axis_angle([0.0, 0.0, 1.0], 0.5)
    for name in ("spine_2", "head"):
        bent.rotation[:, target.index(name)] = turn
    arms = worst_deviation(binding, still(source), bent)
    assert arms[0] == pytest.approx(np.degrees(0.5), abs=0.1) and "arm" in arms[1]
    odd = tuple(replace(p, source=p.source[:1]) if p.part == "arm" else p for p in binding.chains.chains)
    other = replace(binding, chains=replace(binding.chains, chains=odd))
    assert worst_deviation(other, still(source), bent)[0] < 0.1


def test_the_table_has_a_line_a_clip_under_its_columns():
    slip = Slip(7, 12.34, 0.56, 1.0, 0.0)
    reports = [
        ClipReport("a long source", "walk", 240, 19, 0.98765, slip, (3.14, "calf_l"), 0.6),
        ClipReport("b", "run fast", 0, 3, 1.0, None, (12.0, "hand_l"), 0.5),
        ClipReport("c", "a clip that is very long", failure="it has no legs at all, and says so at length"),
    ]
    head, first, second, failed = table(reports).splitlines()
    assert [w for w in head.split("  ") if w.strip()][2].strip() == "frames"
    assert first.split() == "a long source walk 240 19 0.988 7 12.3 0.6 3.1 2.50".split()
    assert second.split() == "b run fast 0 3 1.000 – – – 12.0 500.00".split()
    assert failed.split("  ")[-1] == "failed: it has no legs at all, and says so at length"
    assert len(head) == len(first) == len(second)
    clip = head.index("clip")
    assert (
        first[clip:].startswith("walk ")
        and failed[clip:].startswith("a clip")
        and second[clip - 2 : clip] == "  "
    )
    assert failed[clip:].index("  failed") == len("a clip that is very long") == head.index("  frames") - clip
    for name, _ in COLUMNS:  # figures end under their names
        end = head.index(f" {name}") + 1 + len(name)
        assert first[end - 1] != " " and second[end - 1] != " " and (end == len(head) or first[end] == " ")


def test_the_legend_lines_up_what_columns_say():
    lines = legend().splitlines()
    assert [line.split("  ", 2)[1].strip() for line in lines] == [name for name, _ in COLUMNS]
    assert len({line.index(text) for line, (_, text) in zip(lines, COLUMNS, strict=True)}) == 1


def test_a_clip_alone_in_its_file_is_called_as_that():
    assert name_of("Take 001", "/some/where/run.fbx", 1) == "run"
    assert name_of("Take 001", "/some/where/run.fbx", 2) == "Take 001"
    assert name_of("Take 001", None, 1) == "Take 001"
