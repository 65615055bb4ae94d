"""What `bench_latency` does in the window by mouse and keys, and times."""

import numpy as np
from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtWidgets import QTreeView, QWidget

from tests.benchmarks.hand import MIDDLE, Hand, Spent, swing
from tests.benchmarks.latency_window import Bench

CTRL, PLAIN = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.NoModifier


# ---------------------------------------------------------------- viewport
def gizmo_places(panel: object, count: int) -> list[QPointF]:
    """Places of a drag of the gizmo's outer ring."""
    from editor.gl import camera as cameras
    from editor.gl.gizmo import Handle, parts

    model, size = panel.model, panel.view.view_size
    part = next(p for p in parts(model.gizmo(), model.camera, size) if p.handle is Handle.VIEW)
    pixel, _ = cameras.project(model.camera, part.lines[3].mean(axis=0), size)
    return swing(QPointF(float(pixel[0]), float(pixel[1])), count, 60.0, 40.0)


def bone_drag(bench: Bench, bone: str, name: str) -> None:
    """Turn a bone by the gizmo, let go, undo."""
    bench.session.playback.seek(8 / 30)
    bench.select(bone)
    panel, hand = bench.find("view"), bench.hand
    hand.over(panel.view, QPointF(30, 60))
    hand.key(Qt.Key.Key_E)
    hand.rest(0.2)
    places = gizmo_places(panel, bench.moves + 4)
    with bench.rows("drag") as note:
        note(f"drag of a bone{name}", hand.drag(panel.view, places, "view"), 33, 60)
        note(
            f"  letting go{name}", [hand.timed(lambda: hand.release(panel.view, places[-1]), "view")], 50, 100
        )
        hand.rest(0.1)
        note(f"  undo of it{name}", [hand.struck(Qt.Key.Key_Z, CTRL, "view")], 16, 250)


def scrub(bench: Bench, name: str) -> None:
    """Scrub along the ruler, to another frame with each move."""
    from editor.panels.timeline.widget import TimelinePanel

    hand, tracks = bench.hand, bench.find("timeline")
    model = next(p.model for p in bench.window.findChildren(TimelinePanel) if p.isAncestorOf(tracks))
    frames, rate = round(bench.session.clip.frames), bench.session.clip.rate
    pace = max(1, round(frames * 4 / model.view.axis.width))
    half = max(1, min(frames // 2, 12 * pace))
    numbers = [frames // 2 + round(pace * n) % (2 * half) - half for n in range(bench.moves + 4)]
    places = [QPointF(round(model.view.view_x(rate.to_seconds(n))), 12.0) for n in numbers]
    with bench.rows("scrub") as note:
        note(f"scrub{name}", hand.drag(tracks, places, "view"), 33, 60)
    hand.release(tracks, places[-1])
    hand.rest()


# ---------------------------------------------------------------- curves
def pan_and_zoom(bench: Bench, name: str, target: float, fails: float) -> None:
    """Pan by the middle button, zoom by the wheel."""
    hand, panel = bench.hand, bench.find("curves")
    canvas, model = panel.plot.viewport(), panel.model
    middle = panel.plot.view_place(model.view.axis.width / 2, model.view.values.height / 2)
    places = swing(middle, bench.moves + 4, 80.0, 40.0)
    with bench.rows("pan") as note:
        note(f"pan {name}", hand.drag(canvas, places, "curves", MIDDLE), target, fails)
        hand.release(canvas, places[-1], MIDDLE)
        hand.over(canvas, middle)
        steps = [1.0 if n % 12 < 6 else -1.0 for n in range(bench.moves)]
        note(
            f"zoom {name}",
            [hand.timed(lambda s=s: hand.wheel(canvas, middle, s), "curves") for s in steps],
            target,
            fails,
        )
    model.view.fit_all()
    hand.rest()


def select_bones(bench: Bench, name: str) -> None:
    """Click bones in the tree; their curves are shown."""
    hand, tree = bench.hand, bench.find("tree")
    rows = visible_rows(tree)[1:]
    spent: list[Spent] = []
    with bench.rows("select") as note:
        for rect in rows * 5:
            place = QPointF(rect.left() + 40, rect.center().y())
            hand.over(tree.viewport(), place)
            spent.append(hand.timed(lambda place=place: click(hand, tree.viewport(), place), "curves"))
        note(f"select a bone → curves shown{name}", spent[2:], 50, 150)


def click(hand: Hand, widget: QWidget, place: QPointF) -> None:
    """Press and release."""
    hand.press(widget, place)
    hand.release(widget, place)


def visible_rows(tree: QTreeView) -> list[QRect]:
    """Where the rows in sight are, from the top on."""
    inside, found = tree.viewport().rect(), []
    index = tree.indexAt(inside.topLeft())
    if index.isValid() and not inside.contains(tree.visualRect(index).center()):
        index = tree.indexBelow(index)  # the first is cut off
    while index.isValid() and inside.contains(tree.visualRect(index).center()):
        found.append(tree.visualRect(index))
        index = tree.indexBelow(index)
    return found


def key_drags(bench: Bench) -> None:
    """One key and one handle of a bone's nine curves."""
    from core.clips.clip import Channel, Property
    from editor.tools.curves.lanes import Lane

    hand, panel = bench.hand, bench.find("curves")
    canvas, model = panel.plot.viewport(), panel.model
    bone = bench.session.selection.active
    channel = Channel(bone, Property.ROTATE, 0)
    model.view.set_axes(model.view.axis.fitted(40.0, 42.0), model.view.values)
    hand.rest()
    key = 41 * 30
    place = key_place(panel, Lane(channel), key)
    places = swing(place, bench.moves + 4, 50.0, 60.0)
    with bench.rows("key") as note:
        note("drag of a key", hand.drag(canvas, places, "curves"), 33, 60)
        note("  letting go", [hand.timed(lambda: hand.release(canvas, places[-1]), "curves")], 50, 100)
        hand.rest()
        note("  undo of it", [hand.struck(Qt.Key.Key_Z, CTRL, "curves")], 16, 250)
        handle = next(h for h in model.view.handles() if h.side > 0)
        places = swing(panel.plot.view_place(*handle.place), bench.moves + 4, 10.0, 60.0)
        note("drag of a tangent handle", hand.drag(canvas, places, "curves"), 33, 60)
        note("  letting go", [hand.timed(lambda: hand.release(canvas, places[-1]), "curves")], 50, 100)
        hand.key(Qt.Key.Key_Z, CTRL)
    model.view.fit_all()
    hand.rest()


def key_place(panel: object, lane: object, key: int) -> QPointF:
    """Where a key is in the plot."""
    curve = panel.model.lanes.curve(lane)
    xs, ys = panel.model.view.key_places(curve, np.array([key]))
    return panel.plot.view_place(float(xs[0]), float(ys[0]))


def many_keys(bench: Bench, frames: int) -> None:
    """Catch 100,000 keys of all curves in a box, move them, undo; then every key there is."""
    hand, panel, session = bench.hand, bench.find("curves"), bench.session
    canvas, model, moves = panel.plot.viewport(), panel.model, max(bench.moves // 2, 8)
    bench.select()
    model.view.fit_all()
    hand.rest()
    first, last = model.view.axis.x((500 - 0.5) / 30), model.view.axis.x((671 - 0.5) / 30)
    corner, end = (
        panel.plot.view_place(first, 2.0),
        panel.plot.view_place(last, model.view.values.height - 2.0),
    )
    with bench.rows("box") as note:
        hand.drag(canvas, [corner, *swing(end, 6, 3.0, 3.0), end], "curves")
        spent = hand.timed(lambda: hand.release(canvas, end), "curves")
        count = sum(len(k) for k in session.selection.keys.values())
        note(f"box-select {count:,} keys of 585 curves", [spent], 100, 500)
        dragged(bench, panel, f"{count:,} keys of 585 curves", moves, 600)
        hand.over(canvas, corner)
        hand.key(Qt.Key.Key_A, CTRL)
        hand.rest()
        count = sum(len(k) for k in session.selection.keys.values())
        dragged(bench, panel, f"all {count:,} keys", moves, 600)
        note_whole = [hand.struck(Qt.Key.Key_Delete, PLAIN, "curves")]
        note(f"delete all {count:,} keys", note_whole, 100, 250)
        note(
            "undo of that: the whole clip",
            [hand.struck(Qt.Key.Key_Z, CTRL, "curves")],
            100,
            250,
        )
    session.selection.select_keys({})
    hand.rest()


def dragged(bench: Bench, panel: object, what: str, moves: int, key: int) -> None:
    """Move the selected keys by one of them, let go, undo."""
    hand, model, canvas = bench.hand, panel.model, panel.plot.viewport()
    lane = next(iter(model.lanes.bright()))
    places = swing(key_place(panel, lane, key), moves + 4, 60.0, 40.0)
    with bench.rows("many") as note:
        note(f"drag {what}", hand.drag(canvas, places, "curves"), 33, 60)
        note("  letting go", [hand.timed(lambda: hand.release(canvas, places[-1]), "curves")], 50, 100)
        hand.rest(0.3)
        note("  undo of it", [hand.struck(Qt.Key.Key_Z, CTRL, "curves")], 100, 250)
        hand.rest(0.3)


# ---------------------------------------------------------------- blend space
def blend_point(bench: Bench) -> None:
    """Drag the point of the sample's locomotion."""
    hand, plot = bench.hand, bench.find("blend")
    frame = plot.frame()
    middle = QPointF(frame.left + frame.width * 0.55, frame.top + frame.height * 0.45)
    places = swing(middle, bench.moves + 4, frame.width * 0.3, frame.height * 0.3)
    with bench.rows("blend") as note:
        spent = hand.drag(plot, places, "view")
        note("drag of a blend point (9 clips, 15,576 vertices)", spent, 33, 60)
    hand.release(plot, places[-1])
    hand.rest()
