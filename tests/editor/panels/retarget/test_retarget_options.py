"""Every option of the retarget panel reaches the core, and every field writes its own option."""

from dataclasses import fields, replace

import pytest

from core.retarget.contacts import ContactSpan
from core.retarget.lock import LockOptions
from core.retarget.transfer import Stride, TransferOptions
from editor.model.retarget.choices import Choices
from editor.model.retarget.setup import Setup, from_plain, to_plain
from editor.panels.retarget.options import BOXES, NUMBERS, OF_FEET, SCALES, OptionFields
from editor.qt.theme import Theme
from tests.editor.user import User

OTHER = {
    "scale": Stride.LEG_LENGTH, "stride": 1.5, "floor": 0.125, "feet": False, "hands": True, "ground": False,
    "flat": False, "drop": 0.25, "knee": 60.0, "reach": 0.75, "level": True, "curves": True,
    "turns": {"left arm": 0.5}, "adjust": {"spine": (1.0, 2.0, 3.0)},
}  # fmt: skip
CORE = {
    "scale": lambda o: o.transfer.stride, "stride": lambda o: o.transfer.stride_factor,
    "floor": lambda o: o.transfer.floor_offset, "reach": lambda o: o.transfer.arm_reach,
    "feet": lambda o: o.lock.feet, "hands": lambda o: o.lock.hands, "ground": lambda o: o.lock.floor,
    "flat": lambda o: o.lock.flat, "drop": lambda o: o.lock.hip_drop, "knee": lambda o: o.lock.knee_limit,
    "level": lambda o: o.level_floor, "turns": lambda o: dict(o.turns), "adjust": lambda o: dict(o.adjust),
}  # fmt: skip
"""Where the core has each choice."""


def test_every_choice_reaches_the_core_and_nothing_else_changes() -> None:
    assert {f.name for f in fields(Choices)} == OTHER.keys() == {*CORE, "curves"}
    base = replace(Choices(), hands=True)  # so that there is always something to hold
    for name, value in OTHER.items():
        if name in ("curves", "hands"):
            continue
        changed = replace(base, **{name: value}).options()
        for other, read in CORE.items():
            wanted = value if other == name else read(base.options())
            assert read(changed) == wanted, (name, other)
    assert Choices().options().lock.hands is False and base.options().lock.hands is True
    assert replace(Choices(), feet=False).options().lock is None


def test_spans_edited_by_hand_go_to_the_core() -> None:
    spans = (ContactSpan("left foot", 0, 3, 9),)
    assert Choices().options(spans).lock.spans == spans


def test_choices_of_the_core_that_the_panel_lacks_are_known() -> None:
    """A new option of the core is either chosen here, or listed."""
    chosen = {"stride", "stride_factor", "floor_offset", "arm_reach"}
    assert {f.name for f in fields(TransferOptions)} == chosen
    assert {f.name for f in fields(LockOptions)} - {"limits", "drop_seconds", "spans"} == {
        "feet", "hands", "floor", "flat", "hip_drop", "knee_limit",
    }  # fmt: skip


def test_every_choice_is_kept_in_the_document() -> None:
    from core.retarget.chain_map import propose_map
    from tests.core.retarget.figures import figure

    source, target = figure(), figure(4, 0.8)
    setup = Setup(propose_map(source, target), Choices(**OTHER))
    found = from_plain(to_plain("a.bvh", setup), "a.bvh", source, target)
    assert found is not None and found.choices == setup.choices


# ---------------------------------------------------------------- the panel


class Told:
    """Notes what fields choose, as the session's retargeting would."""

    def __init__(self) -> None:
        self.choices, self.labels, self.restored = Choices(), [], 0
        self.subject = self.edits = self

    def choose(self, label: str, **values: object) -> None:
        self.labels.append(label)
        self.changed = values
        self.choices = replace(self.choices, **values)

    def restore(self) -> None:
        self.restored += 1


@pytest.fixture
def panel(qapp):
    told, theme = Told(), Theme(qapp, "dark")
    made = OptionFields(theme, told)
    theme.dress(made)
    made.resize(420, 320)
    made.show()
    yield made, told, User(made)
    made.close()
    made.deleteLater()


def test_every_field_writes_its_own_option_in_its_unit(panel) -> None:
    fields_shown, told, user = panel
    for number in NUMBERS:
        wanted = OTHER[number.name]
        user.type_into(f"retarget.{number.name}", f"={wanted:g}")
        assert told.changed == {number.name: wanted} and told.labels[-1] == f"Change {number.title.lower()}"
        fields_shown.show_choices(told.choices)
        assert user.find(f"retarget.{number.name}").value == pytest.approx(wanted)
    for name, title, _ in BOXES:
        before = getattr(told.choices, name)
        user.click(f"retarget.{name}", (8, 8))
        assert told.changed == {name: not before} and told.labels[-1] == title
        if name == "feet":
            user.click(f"retarget.{name}", (8, 8))
            assert told.changed == {"feet": before}
    assert {n.name for n in NUMBERS} | {name for name, *_ in BOXES} | {
        "scale",
        "turns",
        "adjust",
    } == OTHER.keys()


def test_what_is_about_feet_is_off_where_feet_are_not_held(panel) -> None:
    shown, told, _ = panel
    for on in (False, True):
        shown.show_choices(replace(told.choices, feet=on))
        for name in OF_FEET:
            assert (shown._boxes.get(name) or shown._numbers[name]).isEnabled() is on


def test_a_scale_is_chosen_by_its_name(panel) -> None:
    shown, told, user = panel
    for number, (scale, _) in enumerate(SCALES):
        shown.scale.setCurrentIndex(number)
        shown.scale.activated.emit(number)
        assert told.choices.scale is scale
        shown.show_choices(told.choices)
        assert shown.scale.currentIndex() == number
    assert {scale for scale, _ in SCALES} == set(Stride)
