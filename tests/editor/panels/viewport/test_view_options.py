"""Each switch of the view is one of its options, and no other is."""

from dataclasses import fields

import pytest

from editor.gl.draw_list import BoneStyle
from editor.gl.mesh_values import Shading
from editor.panels.viewport.options import STYLE, ViewOptions
from tests.editor.panel_stage import small_session

NAMES = [field.name for field in fields(ViewOptions) if field.name != "style"]


@pytest.fixture
def session(qapp):
    made = small_session()
    yield made
    made.close()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("on", [True, False])
def test_a_switch_is_its_own_option(session, name: str, on: bool) -> None:
    for other in NAMES:
        session.switches.set(other, not on)
    session.switches.set(name, on)
    options = ViewOptions.read(session.switches, session.preferences)
    assert {n: getattr(options, n) for n in NAMES} == {n: (n == name) is on for n in NAMES}


@pytest.mark.parametrize(
    ("stored", "style"), [(s.value, s) for s in BoneStyle] + [("odd", BoneStyle.OCTAHEDRAL)]
)
def test_a_style_that_is_not_known_is_the_usual_one(session, stored: str, style: BoneStyle) -> None:
    session.preferences.set(STYLE, stored)
    assert ViewOptions.read(session.switches, session.preferences).style is style


@pytest.mark.parametrize(
    ("silhouette", "unlit", "shading"),
    [
        (False, False, Shading.LIT),
        (False, True, Shading.UNLIT),
        (True, True, Shading.FLAT),
        (True, False, Shading.FLAT),
    ],
)
def test_how_meshes_are_lit(silhouette: bool, unlit: bool, shading: Shading) -> None:
    assert ViewOptions(silhouette=silhouette, unlit=unlit).shading is shading
