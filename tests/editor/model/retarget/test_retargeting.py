"""A retarget without a window, to the number: map, options, contacts, virtual bones, results put into the document."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Channel, Property
from core.ids import AssetId
from core.retarget.report import ClipReport
from core.rig.skeleton import Skeleton
from core.tracks.keys import scalar_track
from editor.model.jobs import Job
from editor.model.retarget.state import Retargeting
from editor.model.retarget.virtual_bones import VirtualBones
from editor.model.session import Session
from tests.editor.outcomes import outcome, plain
from tests.editor.rigs import small_clip, small_project, small_rig
from tests.pins import Pins

PINS = Pins(__file__)
TALL, WALK, JUMP = AssetId("rig-tall"), AssetId("clip-walk"), AssetId("clip-jump")


def tall_rig():
    """The small character half as tall again, with longer legs; its bones have other names."""
    rig = small_rig()
    rest = rig.skeleton.rest
    places = (
        rest.translation
        * np.where([n.startswith(("calf", "foot")) for n in rig.skeleton.names], 1.8, 1.5)[:, None]
    )
    names = tuple(f"Tall_{name}" for name in rig.skeleton.names)
    skeleton = Skeleton(names, rig.skeleton.parents, rest._replace(translation=places))
    return replace(rig, id=TALL, name="tall", skeleton=skeleton, mirror=type(rig.mirror)())


def tall_clips(rig):
    """An arm that swings, and a step: legs that bend while the hips rise."""
    swing = small_clip(small_rig(), 1.0)
    tracks = {c._replace(bone=f"Tall_{c.bone}"): t for c, t in swing.tracks.items()}
    step = {
        Channel(f"Tall_{bone}_{side}", Property.ROTATE, 0): scalar_track([0.0, 0.5, 1.0], [0.0, angle, 0.0])
        for side in "lr" for bone, angle in (("thigh", -50.0), ("calf", 90.0))
    }  # fmt: skip
    return (
        replace(swing, id=WALK, name="walk", rig=rig.id, tracks={**tracks, **step}),
        replace(swing, id=JUMP, name="jump", rig=rig.id, tracks=tracks),
    )


@pytest.fixture
def session() -> Iterator[Session]:
    made = Session.create()
    tall = tall_rig()
    project = small_project(mesh=False).with_assets(tall, *tall_clips(tall))
    made.document.replace(project, None)
    made.playback.set_clip(AssetId("clip-small"), AssetId("rig-small"))
    made.feature(Retargeting).use_rig(TALL)
    yield made
    made.close()


def timeless(report: ClipReport) -> ClipReport:
    """A report without the seconds that the work took."""
    return replace(report, seconds=0.0)


def state(r: Retargeting) -> list[object]:
    """All that a retarget shows."""
    subject, result = r.subject, r.computation.result
    made = [] if result is None else [plain(dict(result.clip.tracks)), plain(timeless(result.report))]
    return [
        None if subject.clip is None else subject.clip.name, plain(subject.chains), plain(subject.choices),
        subject.missing, r.computation.why_not, r.computation.busy, plain(r.computation.spans), subject.spans_edited,
        r.pick.chain, r.pick.source_bones, made, [plain(timeless(report)) for report in r.outcome.reports],
    ]  # fmt: skip


def virtual(r: Retargeting, s: Session, do: Callable[[VirtualBones], object]) -> list[object]:
    """Do something with one virtual bone there, of two selected bones."""
    s.selection.select(["hand_r", "hand_l"])
    bone, told = r.virtual.proposed(), []
    assert bone is not None and r.virtual.add(bone)
    r.virtual.changed.connect(lambda _: told.append(1))
    answer = plain(do(r.virtual))
    return [answer, plain(r.virtual.all), plain(r.virtual.chosen), len(told)]


CASES: dict[str, Callable[[Retargeting, Session], object]] = {
    "as it is": lambda r, s: [o.name for o in r.others()],
    "another clip": lambda r, s: r.set_clip(JUMP),
    "no clip": lambda r, s: r.set_clip(AssetId("gone")),
    "no source": lambda r, s: r.clear(),
    "propose": lambda r, s: (r.edits.remove_chain(r.subject.chains.chains[0].name), r.edits.propose()),
    **{
        f"remove chain {n}": lambda r, s, n=n: r.edits.remove_chain(r.subject.chains.chains[n].name)
        for n in (0, 1, -1)
    },
    "bones": lambda r, s: r.edits.set_bones(r.subject.chains.chains[1].name, ["Tall_head"], ["head"]),
    "target bones": lambda r, s: r.edits.set_bones("head", target=["head"]),
    **{
        f"written {side} {text!r}": lambda r, s, side=side, text=text: r.edits.write_bones(
            r.subject.chains.chains[2].name, side, text
        )
        for side, text in (
            ("source", "Tall_chest, Tall_head"),
            ("target", "chest, head"),
            ("target", "gone"),
            ("source", ""),
        )
    },
    "add a chain": lambda r, s: (
        r.edits.remove_chain(r.subject.chains.chains[-1].name),
        s.selection.select(["foot_r", "calf_r"]),
        r.edits.add_chain(),
    ),
    **{
        f"turn {x}": lambda r, s, x=x: r.edits.set_turn(r.subject.chains.chains[1].name, x)
        for x in (0.0, 0.5, 1.0)
    },
    "turn meanwhile": lambda r, s: r.edits.set_turn(r.subject.chains.chains[1].name, 0.5, done=False),
    "adjust": lambda r, s: r.edits.set_adjust(r.subject.chains.chains[1].name, (10.0, 0.0, -5.0)),
    "adjust and back": lambda r, s: [
        r.edits.set_adjust(r.subject.chains.chains[1].name, x) for x in ((10.0, 0.0, -5.0), (0.0, 0.0, 0.0))
    ],
    "map": lambda r, s: r.edits.map_text(),
    "map read again": lambda r, s: (
        t := r.edits.map_text(),
        r.edits.remove_chain(r.subject.chains.chains[0].name),
        r.edits.read_map(t),
    ),
    "no map": lambda r, s: r.edits.read_map("{}"),
    "contacts": lambda r, s: r.edits.set_spans(r.computation.spans[::-1], "Contacts"),
    "contacts of nothing": lambda r, s: r.edits.set_spans(()),
    "contacts found": lambda r, s: (r.edits.set_spans(()), r.edits.set_spans(None)),
    "the same options": lambda r, s: r.edits.choose(curves=r.subject.choices.curves),
    "curves of contacts": lambda r, s: (
        r.edits.choose("Curves", curves=not r.subject.choices.curves),
        r.outcome.commit(),
    ),
    "commit": lambda r, s: r.outcome.commit(),
    "commit twice": lambda r, s: (r.outcome.commit(), r.outcome.commit()),
    "commit all": lambda r, s: r.outcome.commit_all() is not None,
    "commit nothing": lambda r, s: (r.clear(), r.outcome.commit(), r.outcome.commit_all()),
    "undone": lambda r, s: (r.edits.remove_chain(r.subject.chains.chains[0].name), s.undo()),
    "look at a chain": lambda r, s: r.pick.look_at(r.subject.chains.chains[1].name),
    "virtual bone": lambda r, s: virtual(r, s, lambda v: None),
    "no virtual bone": lambda r, s: plain(r.virtual.proposed()),
    "virtual bone of one": lambda r, s: (s.selection.select(["head"]), plain(r.virtual.proposed())),
    "virtual bone twice": lambda r, s: virtual(r, s, lambda v: v.add(v.all[0])),
    "virtual bone renamed": lambda r, s: virtual(
        r, s, lambda v: v.change(v.all[0].name, replace(v.all[0], name="grip"))
    ),
    "virtual bone changed": lambda r, s: virtual(
        r, s, lambda v: v.change(v.all[0].name, replace(v.all[0], target="foot_l"))
    ),
    "virtual bone to nothing": lambda r, s: virtual(
        r, s, lambda v: v.change(v.all[0].name, replace(v.all[0], target="gone"))
    ),
    "virtual bone deleted": lambda r, s: virtual(r, s, lambda v: v.remove(v.all[0].name)),
    "virtual bone not there": lambda r, s: virtual(r, s, lambda v: v.remove("gone")),
    "virtual bone chosen": lambda r, s: virtual(
        r, s, lambda v: (v.choose(v.all[0].name), v.choose(v.all[0].name))
    ),
    "virtual bone let go": lambda r, s: virtual(
        r, s, lambda v: (v.choose(v.all[0].name), s.selection.select(["head"]))
    ),
    "another character": lambda r, s: s.playback.set_clip(WALK, TALL),
}


@pytest.mark.parametrize("case", list(CASES))
def test_what_comes_of_a_retarget(session: Session, case: str) -> None:
    retargeting = session.feature(Retargeting)
    found = outcome(session, lambda: CASES[case](retargeting, session))
    PINS.hold(case, found, state(retargeting))


def test_progress_of_all_clips_goes_on_from_one_to_the_next(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[float] = []
    monkeypatch.setattr(Job, "_note", lambda job, fraction, text: seen.append(fraction))
    assert session.feature(Retargeting).outcome.commit_all() is not None
    assert seen == sorted(seen) and seen[0] == 0.0 and seen[-1] == 1.0
    assert any(0.0 < f < 0.5 for f in seen) and any(0.5 < f < 1.0 for f in seen), (
        "each of two clips is a half"
    )
