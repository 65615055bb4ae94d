"""The seam's line in the transport: amber where the clip does not close, quiet where it does."""

from dataclasses import replace

from core.clips.clip import Channel, Property
from core.tracks.keys import scalar_track
from tests.editor.stage import stage

UP = Channel("pelvis", Property.TRANSLATE, 1)


def test_an_open_seam_is_told_in_amber_and_a_closed_one_quietly(qapp):
    with stage(qapp, "timeline") as here:
        seam = here.user.find("transportSeam")
        assert seam.text() == ""
        for end, role in ((1.0, "caption"), (0.7, "warning"), (1.0, "caption")):
            tracks = {UP: scalar_track([0.0, 0.5, 1.0], [1.0, 0.9, end])}
            here.session.edits.put("seam", replace(here.clip(), looping=True, tracks=tracks))
            here.user.wait_until(lambda role=role: bool(seam.text()) and seam.property("role") == role, role)
        here.session.edits.put("open", replace(here.clip(), looping=False))
        here.user.wait_until(lambda: seam.text() == "")
