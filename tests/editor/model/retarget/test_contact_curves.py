"""Contacts kept as curves: stepped, one a limb, agreeing with the spans at every frame."""

import numpy as np

from core.retarget.contacts import ContactSpan
from core.tracks.evaluate import evaluate_scalar
from core.tracks.keys import Interpolation
from editor.model.retarget.contact_curves import with_contact_curves
from tests.editor.walkers import step, tall

SPANS = (
    ContactSpan("left foot", 0, 0, 20),
    ContactSpan("left foot", 1, 10, 30),
    ContactSpan("left foot", 0, 45, 60),
    ContactSpan("right foot", 0, 5, 5),
)


def test_curves_are_one_where_any_point_of_the_limb_stands():
    clip = with_contact_curves(step(tall()), SPANS)
    assert set(clip.curves) == {"contact_left_foot", "contact_right_foot"}
    frames = np.arange(61)
    for limb, name in (("left foot", "contact_left_foot"), ("right foot", "contact_right_foot")):
        wanted = [any(s.limb == limb and s.first <= f <= s.last for s in SPANS) for f in frames]
        track = clip.curves[name]
        assert (np.asarray(track.interpolations) == Interpolation.CONSTANT).all()
        np.testing.assert_array_equal(evaluate_scalar(track, frames / 30.0), np.array(wanted, float))


def test_clip_without_contacts_stays_as_it_is():
    clip = step(tall())
    assert dict(with_contact_curves(clip, ()).curves) == dict(clip.curves)
