"""A new marker at the playhead has its name ready to be typed."""

from tests.editor.panels.timeline.test_timeline_by_hand import Scene


def test_a_new_marker_is_named_at_once(qapp):
    scene = Scene(qapp)
    try:
        scene.session.playback.seek(0.5)
        scene.stage.actions.run("time.add_marker")
        scene.user.settle()
        assert scene.user.visible("markerName")
        scene.user.type("beat")
        scene.user.press("Return")
        assert [(m.name, m.time) for m in scene.session.clip.markers] == [("beat", 0.5)]
    finally:
        scene.stage.close(qapp)
