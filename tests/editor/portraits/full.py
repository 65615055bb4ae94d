"""Panels with all that they can show at once: sections that follow each other, samples, events, a machine that runs."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from core.clips.clip import (
    Additive,
    AdditiveBase,
    AdditiveSpace,
    Channel,
    Notify,
    NotifyRule,
    Property,
    SyncMarker,
)
from core.clips.contacts import with_contacts
from core.clips.notify_types import FieldKind, NotifyField, NotifyType
from core.graph.montage import Montage
from core.ids import AssetId
from core.io import load
from core.locomotion.setup import H
from core.tracks.keys import Interpolation, scalar_track
from editor.actions.registry import Registry
from editor.model.blending.state import Blending
from editor.model.event_choice import EventChoice
from editor.model.graph.editor import GraphEditor
from editor.model.graph_run.state import GraphRun
from editor.model.montage.montages import Item, Montages, Part
from editor.model.montage.preview import MontagePreview
from editor.model.opening import sample_path
from editor.model.play.controls import Key
from editor.model.play.state import Play
from editor.model.retarget.proportions import add_source
from editor.model.session import Session
from tests.editor import verb_stages
from tests.editor.actions import rich
from tests.editor.panels.blend_space.test_blend_space_panel import still
from tests.editor.panels.graph import graphs
from tests.editor.panels.montage.test_montage_by_hand import combo
from tests.editor.stage import WALK, small_project
from tests.light_character import light

BRANCHING = NotifyRule(branching=True)
Prepare = Callable[[Session, Registry], None]
After = Callable[[Session, QWidget], None]


def nothing(session: Session, panel: QWidget) -> None:
    """Nothing goes on."""


def _additive(session: Session, actions: Registry) -> None:
    declared = Additive(AdditiveSpace.MODEL, AdditiveBase.FRAME, AssetId("clip-2"), 0.5)
    session.edits.put("additive", replace(session.clip, additive=declared))


def _samples(session: Session, actions: Registry) -> None:
    """A plane with three samples, one of them at another rate."""
    rig = session.rig
    clips = [
        replace(still(name, bend, travel=travel), rig=rig.id)
        for name, bend, travel in (("idle", 0.0, 0.0), ("walk", 30.0, 1.5), ("run", 60.0, 3.5))
    ]
    session.edits.put("clips", *clips)
    assert actions.run("blend.new_plane")
    spaces = session.feature(Blending).spaces
    axes = spaces.current.axes
    for clip, share in zip(clips, ((0.1, 0.1), (0.9, 0.2), (0.4, 0.9)), strict=True):
        place = tuple(a.minimum + s * a.extent for a, s in zip(axes, share, strict=True))
        spaces.add(clip.id, place)
    spaces.set_rate(1, 1.5)


def _played(session: Session, panel: QWidget) -> None:
    live = session.feature(Blending).live
    live.start(running=False)


def _sections(session: Session, actions: Registry) -> None:
    made: Montage = combo()
    first = replace(made.sections[0], next="turn")
    notes = (
        Notify("step", 0.25),
        replace(Notify("hit", 0.6, 0.3), rule=BRANCHING),
    )
    made = replace(made, sections=(first, *made.sections[1:]), notifies=notes)
    session.document.replace(small_project().with_assets(made), None)
    session.playback.set_clip(WALK)
    session.feature(Montages).open(made.id)


def _section_picked(session: Session, panel: QWidget) -> None:
    session.feature(Montages).pick(Item(Part.SECTION, 1))
    session.feature(MontagePreview).seek(0.4)


def _machine(session: Session, actions: Registry) -> None:
    session.document.replace(graphs.graph_project(), None)
    session.playback.set_clip(WALK)
    session.feature(GraphEditor).canvas.open(graphs.GRAPH, graphs.STATES)


def _machine_runs(session: Session, panel: QWidget) -> None:
    run = session.feature(GraphRun)
    assert run.start(running=False)
    for _ in range(4):
        run.advance(0.05)
    editor = session.feature(GraphEditor)
    editor.canvas.select([graphs.IDLE])
    editor.tidying.comment((0.0, 0.0))
    editor.canvas.select([graphs.GO])


def _sample_graph(session: Session, actions: Registry) -> None:
    session.document.replace(load(sample_path()).project, None)
    session.playback.set_clip(session.document.project.clip_named("walk").id)


def _sample_runs(session: Session, panel: QWidget) -> None:
    run = session.feature(GraphRun)
    assert run.start(running=False)
    for number in range(16):
        run.advance(0.05)
        if number == 5:
            run.set("speed", 1.2)
        if number == 9:
            run.fire("wave")


def _sample_runs_and_why(session: Session, panel: QWidget) -> None:
    """The run, and beside it why a transition was taken or not."""
    _sample_runs(session, panel)
    panel.head.why.click()


def _long(session: Session, actions: Registry) -> None:
    """A long clip of which a part is in sight, with all kinds of events."""
    times = np.arange(0.0, 12.0, 0.5)
    track = scalar_track(times, 20.0 * np.sin(times), interpolations=Interpolation.LINEAR)
    clip = replace(
        session.clip, length=12.0, looping=False,
        notifies=(Notify("step", 0.5, 0.25), Notify("hit", 1.2), replace(Notify("cut", 1.6), rule=BRANCHING)),
        sync_markers=(SyncMarker("left", 0.4), SyncMarker("right", 1.0)),
    )  # fmt: skip
    clip = with_contacts(clip, "contact_left_foot", [(0.2, 0.8)])
    session.edits.put("long", clip.with_tracks({Channel("head", Property.ROTATE, 0): track}))
    session.playback.set_range(0.5, 1.5)
    session.selection.select(["head"])


def _first_seconds(session: Session, panel: QWidget) -> None:
    panel.model.view.set_axis(panel.model.view.axis.fitted(0.0, 4.0))
    panel.events.chosen = tuple(panel.events.events())
    panel.events.update()


def _mask(session: Session, actions: Registry) -> None:
    verb_stages._layers(session, actions)
    session.edits.put("masks", replace(session.rig, masks={"upper": {"head": 1.0, "hand_l": 0.5}}))


def _mask_painted(session: Session, panel: QWidget) -> None:
    panel.model.paint("upper")
    panel.model.add_branches(1)


def _driven(session: Session, actions: Registry) -> None:
    session.document.replace(light(), None)
    session.playback.set_clip(session.document.project.clips[0].id)


def _numbers(session: Session, panel: QWidget) -> None:
    panel.show_page(1)


def _character_runs(session: Session, panel: QWidget) -> None:
    """A character that stood, ran, jumped, walks; a span of it is chosen."""
    play = session.feature(Play)
    assert play.start(running=True)
    for _ in range(20000):
        if play.on:
            break
        QTest.qWait(2)
    for number in range(140):  # one by one: the clock leaves out steps that come late
        if number in (20, 80):
            play.controls.press(Key.AHEAD if number == 20 else Key.JUMP)
        play.advance(H)
    play.controls.release_all()
    play.pause()
    play.goto(100)
    play.set_span((30, 90))
    play.step_seconds = 0.002


def _sources(session: Session, actions: Registry) -> None:
    """Two retarget sources, on one of which the clip was made."""
    for name, wider in (("tall", 1.2), ("small", 0.8)):
        rest = session.rig.skeleton.rest
        add_source(session, name, rest._replace(translation=rest.translation * wider))
    session.edits.put("made on", replace(session.clip, retarget_source="small"))


def _layer_in_hand(session: Session, actions: Registry) -> None:
    rich.STAGES["layer"](session, actions)
    session.keying.auto = False


def _notify_wrong(session: Session, actions: Registry) -> None:
    kind = NotifyType(AssetId("type-step"), "step", (NotifyField("foot", FieldKind.TEXT),))
    wrong = Notify("step", 0.5, 0.25, data={"other": "1"})
    session.edits.put("wrong", kind, replace(session.clip, notifies=(wrong, Notify("hit", 1.0))))
    session.feature(EventChoice).choose(*session.clip.notifies)


FULL: dict[str, tuple[Prepare, After]] = {
    "additive": (_additive, nothing),
    "blend_space": (_samples, _played),
    "montage": (_sections, _section_picked),
    "graph": (_machine, _machine_runs),
    "graph_node": (_machine, _machine_runs),
    "graph_run": (_sample_graph, _sample_runs_and_why),
    "variables": (_sample_graph, _sample_runs),
    "timeline": (_long, _first_seconds),
    "inspector": (_notify_wrong, nothing),
    "viewport": (_layer_in_hand, nothing),
    "layers": (_mask, _mask_painted),
    "play_setup": (_driven, _numbers),
    "proportions": (_sources, nothing),
    "play": (_driven, _character_runs),
    "play_run": (_driven, _character_runs),
}
"""What a panel shows when all of it is in use."""
