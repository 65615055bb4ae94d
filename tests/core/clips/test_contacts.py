"""Contacts as stepped curves, and back."""

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.clips.clip import Clip
from core.clips.contacts import contact_names, contact_spans, with_contacts
from core.ids import AssetId
from core.tracks.evaluate import evaluate_scalar
from core.tracks.keys import scalar_track

NAME = "contact_left_foot"
TIMES = st.integers(0, 60).map(lambda n: n / 30.0)


@given(st.lists(st.tuples(TIMES, TIMES), max_size=6))
def test_contacts_written_are_the_union_of_their_spans(spans) -> None:
    """Second route: the curve evaluated between the frames says who stands."""
    clip = Clip(AssetId("clip"), "walk", AssetId("rig"), 2.0)
    made = with_contacts(clip, NAME, spans)
    at = (np.arange(60) + 0.5) / 30.0
    wanted = np.zeros(60)
    for start, end in spans:
        wanted[(at > start) & (at < end)] = 1.0
    np.testing.assert_array_equal(evaluate_scalar(made.curves[NAME], at), wanted)
    again = with_contacts(made, NAME, contact_spans(made, NAME))
    assert contact_spans(again, NAME) == contact_spans(made, NAME)


def test_contacts_are_kept_within_the_clip() -> None:
    made = with_contacts(Clip(AssetId("clip"), "walk", AssetId("rig"), 2.0), NAME, [(-1.0, 0.5), (1.5, 9.0)])
    assert contact_spans(made, NAME) == ((0.0, 0.5), (1.5, 2.0))


def test_smooth_curve_of_such_a_name_is_no_contact() -> None:
    clip = Clip(AssetId("clip"), "walk", AssetId("rig"), 2.0)
    smooth = replace(clip, curves={NAME: scalar_track([0.0, 1.0], [0.0, 1.0])})
    assert contact_names(smooth) == () and contact_names(with_contacts(clip, NAME, [])) == (NAME,)


def test_clip_without_the_curve_has_no_contacts() -> None:
    assert contact_spans(Clip(AssetId("clip"), "walk", AssetId("rig"), 2.0), NAME) == ()
