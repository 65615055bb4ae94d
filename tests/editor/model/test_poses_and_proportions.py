"""What verbs of the pose library and of proportions make of a session, to the number.

Each verb is done on the state that `rich` gives; what is needed before it is done first.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from core.ids import AssetId
from core.rig.rig import MirrorSetup, RetargetMode
from editor.model.posing import library
from editor.model.posing.state import PosingState
from editor.model.retarget import proportions
from editor.model.session import Session
from tests.editor.actions import rich
from tests.editor.outcomes import outcome
from tests.pins import Pins

PINS = Pins(__file__)
Verb = Callable[[Session], object]


@pytest.fixture
def session() -> Iterator[Session]:
    made = rich.session()
    yield made
    made.close()


def after(prepare: Verb, verb: Verb) -> tuple[Verb, Verb]:
    return prepare, verb


def nothing(session: Session) -> None:
    """The verb needs no more than `rich` gives."""


# ---------------------------------------------------------------- the pose library
def three_poses(session: Session) -> None:
    """“kept” at frame 20; “Wave” of the whole arm at frame 40 with tags; “all” of every bone."""
    session.selection.select(["upper_arm_l", "lower_arm_l", "hand_l"])
    session.playback.seek(40.0 / 30.0)
    library.save_pose(session, "Wave", ["arm", "fast", "arm"])
    session.selection.select(())
    session.playback.seek(0.1)
    library.save_pose(session, "all", ["Body"])


def poses(session: Session, *names: str) -> list[AssetId]:
    known = {pose.name: pose.id for pose in library.poses_of(session)}
    return [known[name] for name in names]


def an_asset(session: Session) -> None:
    """An asset of two poses, one of which a curve of the clip drives."""
    three_poses(session)
    library.make_asset(session, poses(session, "Wave", "kept"), "arms")
    drag = library.WeightDrag(session, "Wave")
    drag.move(0.75)
    drag.finish()


def asset(session: Session) -> AssetId:
    return library.assets_of(session)[0].id


def weight(value: float, end: str = "finish", seconds: float = 0.5) -> Verb:
    def drag(session: Session) -> object:
        session.playback.seek(seconds)
        made = library.WeightDrag(session, "Wave")
        made.move(0.1)
        made.move(value)
        shown = session.evaluator.clip.curves["Wave"]
        return [
            shown,
            getattr(made, end)(),
            library.weight_now(session, "Wave"),
            library.weight_now(session, "none"),
        ]

    return drag


LIBRARY: dict[str, tuple[Verb, Verb]] = {
    **{
        f"found by {words!r}": after(three_poses, lambda s, w=words: [p.name for p in library.poses_of(s, w)])
        for words in ("", "wave", "ARM fast", "#arm", "arm slow", "ke", "body all")
    },
    "tags": after(three_poses, library.tags_of),
    "save of a bone": after(nothing, lambda s: library.save_pose(s, " kept ", ["a", "#b"])),
    "save without a name": after(nothing, library.save_pose),
    "save as nothing": after(nothing, lambda s: library.save_pose(s, " ")),
    "update": after(three_poses, lambda s: library.update_pose(s, *poses(s, "Wave"))),
    **{
        f"rename to {name!r}": after(
            three_poses, lambda s, n=name: library.rename_pose(s, *poses(s, "Wave"), n)
        )
        for name in ("Hello", " Wave ", "kept", "")
    },
    **{
        f"tags {tags}": after(three_poses, lambda s, t=tags: library.tag_pose(s, *poses(s, "Wave"), t))
        for tags in (["arm", "fast"], ["#new", " new ", "", "#"], [])
    },
    "delete one": after(
        three_poses, lambda s: [library.delete_poses(s, poses(s, "all")), s.feature(PosingState).poses]
    ),
    "delete two": after(three_poses, lambda s: library.delete_poses(s, poses(s, "Wave", "kept"))),
    "delete none": after(three_poses, lambda s: library.delete_poses(s, [])),
    "clip": after(three_poses, lambda s: library.clip_from_poses(s, poses(s, "kept", "Wave", "all"))),
    "clip of one": after(three_poses, lambda s: library.clip_from_poses(s, poses(s, "Wave"), 7.5, "swing")),
    "clip of none": after(three_poses, lambda s: library.clip_from_poses(s, [])),
    **{
        f"clip, {spacing} apart": after(
            nothing, lambda s, x=spacing: library.clip_from_poses(s, poses(s, "kept"), x)
        )
        for spacing in (0.0, -1.0, float("inf"), float("nan"))
    },
    "asset": after(three_poses, lambda s: library.make_asset(s, poses(s, "Wave", "kept"))),
    "asset of none": after(three_poses, lambda s: library.make_asset(s, [])),
    "second asset": after(an_asset, lambda s: library.make_asset(s, poses(s, "all"), "arms")),
    "delete asset": after(an_asset, lambda s: library.delete_asset(s, asset(s))),
    "bake asset": after(an_asset, lambda s: library.bake_asset(s, asset(s))),
    "bake without a curve": after(
        lambda s: library.make_asset(s, poses(s, "kept")), lambda s: library.bake_asset(s, asset(s))
    ),
    "bake with a locked bone": after(
        lambda s: (an_asset(s), s.selection.set_flag("locked", ["lower_arm_l"])),
        lambda s: library.bake_asset(s, asset(s)),
    ),
    "weight": after(an_asset, weight(0.4)),
    "weight taken back": after(an_asset, weight(0.4, "cancel")),
    "first weight": after(nothing, weight(1.0)),
    "first weight at the start": after(nothing, weight(1.0, "finish", 0.0)),
    "weight without a clip": after(
        lambda s: s.playback.set_clip(None, s.rig.id), lambda s: library.WeightDrag(s, "Wave")
    ),
}


# ---------------------------------------------------------------- proportions
def a_source(session: Session) -> None:
    """The pose shown is a source, and the clip shown was made on it."""
    proportions.set_mode(session, RetargetMode.ANIMATION_SCALED, ["lower_arm_l"])
    proportions.add_pose(session)
    proportions.choose_source(session, "pose")


def other_rig(session: Session, gone: int):
    """The rig with longer bones, turned over, and without its last bones."""
    rig = session.rig
    skeleton = rig.skeleton
    count = len(skeleton) - gone
    rest = type(skeleton.rest)(*(np.array(part[:count]) for part in skeleton.rest))
    rest = rest._replace(translation=rest.translation * 1.5)
    kept = type(skeleton)(skeleton.names[:count], skeleton.parents[:count], rest)
    return replace(rig, skeleton=kept, mirror=MirrorSetup())


PROPORTIONS: dict[str, tuple[Verb, Verb]] = {
    **{
        f"mode {mode.name}": after(nothing, lambda s, m=mode: proportions.set_mode(s, m))
        for mode in RetargetMode
    },
    "mode of one, and below": after(
        nothing, lambda s: proportions.set_mode(s, RetargetMode.ANIMATION, ["chest"], below=True)
    ),
    "mode of a source's clip": after(
        a_source, lambda s: proportions.set_mode(s, RetargetMode.ANIMATION, ["head"])
    ),
    "mode of none": after(nothing, lambda s: proportions.set_mode(s, RetargetMode.ANIMATION, [])),
    "acting": after(nothing, proportions.acting),
    "acting on a source": after(a_source, proportions.acting),
    "acting on nothing": after(lambda s: s.playback.set_clip(None, s.rig.id), proportions.acting),
    "modes of bones": after(
        a_source, lambda s: [proportions.mode_of(s.rig, b) for b in ("lower_arm_l", "head")]
    ),
    "propose": after(nothing, proportions.propose_modes),
    "add pose": after(nothing, proportions.add_pose),
    "add another": after(a_source, proportions.add_pose),
    **{
        f"rename source {old} to {new!r}": after(
            a_source, lambda s, o=old, n=new: proportions.rename_source(s, o, n)
        )
        for old, new in (("pose", "T"), ("pose", " pose "), ("none", "T"), ("pose", ""))
    },
    "delete used": after(a_source, lambda s: proportions.delete_source(s, "pose")),
    "delete used often": after(
        lambda s: (
            a_source(s),
            s.edits.put("m", *(replace(s.clip, id=AssetId(f"c-{k}"), name=f"c{k}") for k in range(3))),
        ),
        lambda s: proportions.delete_source(s, "pose"),
    ),
    "delete": after(
        lambda s: (a_source(s), proportions.choose_source(s, None)),
        lambda s: proportions.delete_source(s, "pose"),
    ),
    "choose": after(proportions.add_pose, lambda s: proportions.choose_source(s, "pose")),
    "choose again": after(a_source, lambda s: proportions.choose_source(s, "pose")),
    "choose own": after(a_source, lambda s: proportions.choose_source(s, None)),
    "choose unknown": after(a_source, lambda s: proportions.choose_source(s, "none")),
    "choose for all": after(a_source, lambda s: proportions.choose_source(s, None, s.document.project.clips)),
    "choose for two": after(
        proportions.add_pose, lambda s: proportions.choose_source(s, "pose", s.document.project.clips)
    ),
    "made on": after(a_source, lambda s: [c.name for c in proportions.made_on(s, "pose")]),
    "bake": after(a_source, proportions.bake),
    "bake nothing": after(nothing, proportions.bake),
    **{
        f"rest of a rig that lacks {gone}": after(
            nothing, lambda s, g=gone: proportions.rest_from(s.rig, other_rig(s, g))
        )
        for gone in (0, 3, 8, 9)
    },
}


GROUPS = {"library": LIBRARY, "proportions": PROPORTIONS}


@pytest.mark.parametrize(("group", "case"), [(g, c) for g, cases in GROUPS.items() for c in cases])
def test_what_a_verb_makes(session: Session, group: str, case: str) -> None:
    prepare, verb = GROUPS[group][case]
    prepare(session)
    PINS.hold(f"{group}: {case}", outcome(session, lambda: verb(session)))
