"""Every tangent mode has its row in the one table that panels and actions read."""

from core.tracks.keys import TangentMode
from editor.actions.timeline import actions
from editor.model.tangent_modes import GLYPHS, MIXED, MODES
from editor.qt.key_glyphs import glyph


def test_every_mode_has_a_row_in_the_order_of_the_modes():
    assert tuple(MODES) == tuple(TangentMode) and MIXED not in set(TangentMode)


def test_number_keys_are_the_first_ones_and_each_sets_one_mode():
    keys = [look.key for look in MODES.values() if look.key]
    assert keys == list(range(1, len(keys) + 1))
    bound = {action.id: action.shortcut for action in actions() if action.id.startswith("time.tangent_")}
    assert bound == {
        f"time.tangent_{m.name.lower()}": (str(look.key),) for m, look in MODES.items() if look.key
    }


def test_glyph_of_every_mode_can_be_drawn():
    for shape in GLYPHS.values():
        assert glyph(shape, 9, "#ffffff", "#000000", 1.0).any()
