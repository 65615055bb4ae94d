"""The numbers of motion matching as the panel shows and takes them: each within its bounds, by pins."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from core.errors import ValidationError
from core.locomotion.matching.setup import BOUNDS, Drive
from editor.panels.play_setup.matching_fields import DEFAULT, SECTIONS, MatchingFields
from tests.pins import Pins

PINS = Pins(__file__)


def test_every_number_of_motion_matching_is_shown_and_held_to_its_bounds() -> None:
    setups = SimpleNamespace(matching=DEFAULT, told=[])

    def put(title: str, **values: object) -> None:
        setups.told.append(title)
        setups.matching = replace(setups.matching, **values)

    setups.set_matching = put
    fields = MatchingFields(setups, SimpleNamespace(drive=Drive.MATCHING))
    with pytest.raises(ValidationError, match="expected numbers"):
        fields.set_numbers(SECTIONS[-1].lists[0], "1.5, quick")
    assert {number.name for section in SECTIONS for number in section.numbers} <= set(BOUNDS)
    with PINS.together("matching") as note:
        for section in SECTIONS:
            note(section.title)
            for number in section.numbers:
                note(number, fields.shown(number), fields.is_own(number.name))
                for value in (1e9, -1e9, 1.3):
                    fields.set_number(number, value)
                    note(
                        fields.shown(number),
                        getattr(setups.matching, number.name),
                        fields.is_own(number.name),
                    )
            for switch in section.switches:
                fields.set_switch(switch, not fields.is_on(switch))
                note(switch, fields.is_on(switch), fields.is_own(switch.name))
            for several in section.lists:
                note(several, fields.text(several))
                for text in ("1.5, 1.25;2", "", "1"):
                    fields.set_numbers(several, text)
                    note(fields.text(several), fields.is_own(several.name))
        note(setups.told, fields.note, MatchingFields(setups, SimpleNamespace(drive=None)).note)
