"""Notifies and segments as text: read back equal; what is no such text is refused in words."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.clips.clip import Notify, NotifyRule
from core.errors import ValidationError
from core.graph.montage import Segment
from core.ids import AssetId
from editor.model.clipboard import Clipboard
from editor.model.event_text import HEAD, Copied, read, written

times = st.floats(0.0, 100.0, allow_nan=False)
words = st.text(st.characters(categories=("L", "N")), min_size=1, max_size=8)
notifies = st.builds(
    Notify, words, times, times, st.dictionaries(words, words, max_size=2),
    st.builds(NotifyRule, branching=st.booleans()), words,
)  # fmt: skip
segments = st.tuples(
    words, st.builds(Segment, words.map(AssetId), times, st.just(0.0), st.floats(0.1, 10.0), st.just(1.5))
)


@given(st.lists(segments, max_size=3).map(tuple), st.lists(notifies, max_size=3).map(tuple))
def test_what_is_copied_is_read_back_equal(some, others):
    copied = Copied(some, others)
    assert read(written(copied)) == copied


def test_clipboard_tells_its_kind():
    clipboard = Clipboard()
    clipboard.text = written(Copied((), (Notify("step", 0.5),)))
    assert clipboard.kind == HEAD


@pytest.mark.parametrize("text", ["", "walk", "[1]", "{}", '{"posewright": "keys"}', "[" * 5000])
def test_other_text_is_refused_in_words(text):
    with pytest.raises(ValidationError, match="copy some first"):
        read(text)


def test_damaged_text_is_refused_in_words():
    document = json.loads(written(Copied((), (Notify("step", 0.5),))))
    document["notifies"][0]["time"] = "soon"
    with pytest.raises(ValidationError, match="damaged"):
        read(json.dumps(document))
