"""The set-up of a retarget as it is kept in a document, also by older versions; and the options that come of it."""

import json
from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pytest

from core.retarget.chain_map import propose_map
from core.retarget.contacts import ContactSpan
from core.retarget.transfer import Stride
from editor.model.retarget.choices import Choices
from editor.model.retarget.setup import KEY, Setup, from_plain, to_plain
from tests.core.retarget.figures import figure

SOURCE, TARGET = figure(spine=4), figure(spine=3)
SPANS = (ContactSpan("left foot", 0, 3, 9), ContactSpan("left foot", 1, 4, 8))


def setup(choices: Choices | None = None) -> Setup:
    return Setup(propose_map(SOURCE, TARGET), choices or Choices(), {"walk": SPANS})


def kept(choices: Choices | None = None) -> dict[str, Any]:
    """A set-up as a file gives it back."""
    found: dict[str, Any] = json.loads(json.dumps(to_plain("a.bvh", setup(choices))))
    return found


def read(plain: Any) -> Setup:
    found = from_plain(plain, "a.bvh", SOURCE, TARGET)
    assert found is not None
    return found


def frozen(value: Any) -> Any:
    """JSON values as a document holds them."""
    if isinstance(value, dict):
        return MappingProxyType({key: frozen(part) for key, part in value.items()})
    return tuple(frozen(part) for part in value) if isinstance(value, list) else value


@pytest.mark.parametrize("written, drop", [(True, 1.0), (False, 0.0), (1, 1.0), (0.25, 0.25), ("0.5", 0.5)])
def test_the_drop_of_the_hips_was_a_switch_once_and_is_read_as_a_share(written, drop):
    plain = kept()
    plain["choices"]["drop"] = written
    found = read(plain).choices.drop
    assert found == drop and type(found) is float


def test_a_file_from_before_the_drop_has_all_of_it():
    plain = kept()
    del plain["choices"]["drop"]
    assert read(plain).choices.drop == 1.0


def test_turns_and_adjustments_are_numbers_whatever_a_file_writes():
    plain = kept()
    plain["choices"]["turns"] = {"head": "0.5", "hips": 1}
    plain["choices"]["adjust"] = {"head": [1, "2.5", 3]}
    found = read(plain).choices
    assert dict(found.turns) == {"head": 0.5, "hips": 1.0} and type(found.turns["hips"]) is float
    assert dict(found.adjust) == {"head": (1.0, 2.5, 3.0)}
    assert all(type(value) is float for value in found.adjust["head"])


def test_spans_come_back_with_limb_point_first_and_last():
    plain = kept()
    assert plain["spans"] == {"walk": [["left foot", 0, 3, 9], ["left foot", 1, 4, 8]]}
    plain["spans"]["walk"] = [["left foot", "0", 3.0, 9], ["left foot", 1, "4", 8.0]]
    found = read(plain).spans
    assert found == {"walk": SPANS}
    assert all(type(n) is int for span in found["walk"] for n in (span.point, span.first, span.last))


def test_plain_values_say_of_which_source_and_by_which_scale():
    plain = to_plain("a.bvh", setup(Choices(Stride.LEG_LENGTH, adjust={"head": (1.0, 2.0, 3.0)})))
    assert plain["source"] == "a.bvh" and plain["choices"]["scale"] == str(Stride.LEG_LENGTH)
    assert plain["choices"]["adjust"] == {"head": [1.0, 2.0, 3.0]}
    assert set(plain) == {"source", "map", "choices", "spans"} and KEY == "retarget"


def test_a_set_up_that_a_document_holds_frozen_is_read_like_one_of_a_file():
    choices = Choices(Stride.LEG_LENGTH, 0.5, turns={"head": 0.5}, adjust={"head": (0.0, 5.0, 0.0)})
    plain = kept(choices)
    assert read(frozen(plain)) == read(plain)
    assert read(frozen(plain)).choices == choices


@pytest.mark.parametrize("data", [None, [], "a.bvh", 3])
def test_what_is_no_set_up_counts_as_none(data):
    assert from_plain(data, "a.bvh", SOURCE, TARGET) is None


SPOILT: list[Callable[[dict[str, Any]], object]] = [
    lambda p: p.pop("choices"),
    lambda p: p.pop("spans"),
    lambda p: p["choices"].pop("turns"),
    lambda p: p["choices"].update(adjust={"head": [1.0, 2.0]}),
    lambda p: p["choices"].update(turns={"head": "much"}),
    lambda p: p["choices"].update(mood="good"),
    lambda p: p["choices"].update(drop="none"),
    lambda p: p["spans"].update(walk=[["left foot", "first", 3, 9]]),
    lambda p: p.update(spans=[1]),
    *(
        lambda p, name=name, value=value: p["choices"].update({name: value, "feet": False})
        for name in ("drop", "knee", "reach", "stride", "floor")
        for value in (-5.0, 1e9, float("nan"), float("inf"), None, [1.0])
        if name in ("drop", "knee", "reach") or value not in (-5.0, 1e9)
    ),
]


@pytest.mark.parametrize("spoil", SPOILT)
def test_a_set_up_that_cannot_be_read_counts_as_none(spoil):
    plain = kept()
    spoil(plain)
    assert from_plain(plain, "a.bvh", SOURCE, TARGET) is None


# ---------------------------------------------------------------- what the core gets
def test_every_choice_reaches_the_options_under_its_own_name():
    choices = Choices(
        Stride.LEG_LENGTH, stride=0.7, floor=0.2, feet=True, hands=False, ground=False, flat=False, drop=0.6,
        knee=30.0, reach=0.4, level=True, turns={"head": 0.5}, adjust={"hips": (1.0, 2.0, 3.0)},
    )  # fmt: skip
    options = choices.options(SPANS)
    moved, lock = options.transfer, options.lock
    assert (moved.stride, moved.stride_factor, moved.floor_offset) == (Stride.LEG_LENGTH, 0.7, 0.2)
    assert moved.arm_reach == 0.4
    assert lock is not None
    assert (lock.feet, lock.hands, lock.floor, lock.flat) == (True, False, False, False)
    assert (lock.hip_drop, lock.knee_limit, lock.spans) == (0.6, 30.0, SPANS)
    assert options.level_floor and dict(options.turns) == {"head": 0.5}
    assert dict(options.adjust) == {"hips": (1.0, 2.0, 3.0)}
    other = replace(choices, ground=True, flat=True, feet=False, hands=True, level=False).options()
    assert other.lock is not None and other.lock.spans is None and not other.level_floor
    assert (other.lock.feet, other.lock.hands, other.lock.floor, other.lock.flat) == (
        False, True, True, True,
    )  # fmt: skip


@pytest.mark.parametrize("feet, hands", [(True, True), (True, False), (False, True), (False, False)])
def test_limbs_are_held_where_feet_or_hands_are(feet, hands):
    lock = Choices(feet=feet, hands=hands).options(SPANS).lock
    assert (lock is not None) is (feet or hands)


def test_what_a_retarget_begins_with():
    assert Choices() == Choices(
        Stride.HIP_HEIGHT, 1.0, 0.0, feet=True, hands=False, ground=True, flat=True, drop=1.0, knee=45.0,
        reach=0.0, level=False, curves=False, turns={}, adjust={},
    )  # fmt: skip
