"""The names of panels that share a place: where they are is worked out when something about them differs."""

from editor.shell import tabs
from tests.editor.stage import stage


def test_sizes_asked_for_again_and_again_measure_the_names_once(qapp, monkeypatch):
    with stage(qapp, "viewport", "timeline", "curves", "clips") as here:
        here.user.settle()
        strip = next(s for s in here.window.findChildren(tabs.TabStrip) if len(s.names) > 1)
        measured, metrics = [], tabs.QFontMetrics
        monkeypatch.setattr(tabs, "QFontMetrics", lambda font: measured.append(font) or metrics(font))
        first = strip.sizeHint()
        for _ in range(20):
            assert strip.sizeHint() == first and strip.minimumSizeHint().height() == first.height()
        assert len(measured) <= 1
        name = strip.names[0]
        narrow = strip.place_of(name).width()
        strip._docks[0].setWindowTitle(name + " and a good deal more")
        assert strip.place_of(strip.names[0]).width() > narrow


def test_further_rows_are_lower_than_the_first(qapp):
    with stage(qapp, "viewport", "timeline", "curves", "clips") as here:
        strip = next(s for s in here.window.findChildren(tabs.TabStrip) if len(s.names) > 1)
        rows = strip._rows(80, [60] * 3, 8)
        assert [(place.top(), place.height()) for place in rows] == [
            (0, tabs.ROW), (tabs.ROW, tabs.FURTHER_ROW), (tabs.ROW + tabs.FURTHER_ROW, tabs.FURTHER_ROW)
        ]  # fmt: skip
