"""What clips, notifies and their types let pass and refuse, at their bounds."""

from dataclasses import replace

import numpy as np
import pytest

from core.clips import channels, edits, notifies
from core.clips.channels import curve_channel, morph_channel
from core.clips.clip import (
    WHOLE,
    Additive,
    AdditiveBase,
    AdditiveSpace,
    Channel,
    ChannelKind,
    Clip,
    Notify,
    NotifyRule,
    Property,
    RootMotion,
    channel_label,
)
from core.clips.notify_types import FieldKind, NotifyField, NotifyType, number_text, type_of
from core.errors import ValidationError
from core.timing import FrameRate
from core.tracks.keys import quaternion_track, scalar_track
from tests.core.clips.busy import busy, figure

SPINE, ARM = Channel("spine", Property.TRANSLATE, 1), Channel("arm_l", Property.ROTATE, WHOLE)
TURN = quaternion_track([0.0], [[0.0, 0.0, 0.0, 1.0]])


def refused(words, make, *given, **named):
    with pytest.raises(ValidationError, match=words):
        make(*given, **named)


# ---------------------------------------------------------------- notifies


def test_rules_at_their_bounds():
    for threshold in (0.0, 0.4, 1.0):
        assert NotifyRule(threshold).threshold == threshold
    for threshold in (-1e-9, 1.0000001, np.nan):
        refused(r"^notify: expected a threshold of 0 to 1, got", NotifyRule, threshold)
    for seconds in (None, 0.0, 9999999.0):
        assert NotifyRule(blend_out=seconds).blend_out == seconds
    for seconds in (-1e-9, 1e7, np.nan):
        refused(r"^notify: expected a blend-out of 0 s or more, got", NotifyRule, blend_out=seconds)


def test_rules_as_plain_values():
    rule = NotifyRule(0.5, True, True, "speed > 1", 0.25)
    told = {
        "threshold": 0.5,
        "on_follower": True,
        "branching": True,
        "condition": "speed > 1",
        "blend_out": 0.25,
    }
    assert notifies.rule_values(rule) == told and notifies.rule_from(told) == rule
    assert notifies.rule_values(NotifyRule()) == {} and notifies.rule_from({}) == NotifyRule()
    assert notifies.rule_values(NotifyRule(blend_out=0.0)) == {"blend_out": 0.0}
    assert notifies.rule_from({"threshold": 1, "blend_out": 2, "other": 3, "branching": None}) == NotifyRule(
        1, blend_out=2
    )
    for name, value in (("threshold", True), ("threshold", "1"), ("on_follower", 1), ("branching", "yes"),
                        ("condition", 3), ("blend_out", False), ("blend_out", "soon")):  # fmt: skip
        refused(rf"^notify rule: {name} cannot be '{value}'$", notifies.rule_from, {name: value})
    refused(r"^notify rule: expected an object$", notifies.rule_from, [("threshold", 1)])


def test_moments_passed():
    clip = replace(
        busy(1),
        notifies=(
            Notify("a", 0.0),
            Notify("b", 0.5, 0.5),
            Notify("c", 2.0),
            Notify("d", 2.1),
            Notify("e", 0.5),
        ),
    )

    def names(start, end, looping=False, first=False):
        found = notifies.fired_moments(clip, start, end, looping=looping, include_start=first)
        assert [n for _, n in found] == list(
            notifies.fired(clip, start, end, looping=looping, include_start=first)
        )
        return "".join(f"{n.name}{moment:g} " for moment, n in found)

    for start, end, looping, first, wanted in (
        (0.0, 2.0, False, False, "b0.5 e0.5 c2 "), (0.0, 2.0, False, True, "a0 b0.5 e0.5 c2 "),
        (0.5, 0.5, False, True, "b0.5 e0.5 "), (0.5, 0.5, False, False, ""), (2.0, 0.5, False, False, "e0.5 b0.5 "),
        (2.0, 0.5, False, True, "c2 e0.5 b0.5 "), (1.9, 4.0, True, False, "a2 c2 b2.5 e2.5 a4 c4 "),
        (2.5, -2.0, True, False, "c2 a2 e0.5 b0.5 c0 a0 e-1.5 b-1.5 c-2 a-2 "), (3.0, 9.0, False, False, ""),
    ):  # fmt: skip
        assert names(start, end, looping, first) == wanted
    assert [n.name for n in notifies.active(clip, 0.5)] == ["b"] and notifies.active(clip, 1.0) == ()
    assert notifies.fired(replace(clip, looping=True), 1.9, 2.6) == notifies.fired(
        clip, 1.9, 2.6, looping=True
    )
    assert notifies.crossings(0.5, 2.0, 0.0, 5.0) == [0.5, 2.5, 4.5]
    assert notifies.crossings(0.5, 2.0, 4.5, 0.5) == [2.5, 0.5] and notifies.crossings(
        0.5, 0.0, 0.0, 5.0
    ) == [0.5]
    assert notifies.crossings(0.5, 2.0, 0.5, 0.5) == [] and notifies.crossings(0.5, 2.0, 0.5, 0.5, True) == [
        0.5
    ]
    assert notifies.crossings(0.5, 0.0, 0.6, 5.0) == [] and notifies.crossings(0.5, 0.0, 0.0, 0.4) == []
    refused(r"^expected a step of fewer than 100000 turns", notifies.crossings, 0.0, 1.0, 0.0, 100_001.0)
    assert len(notifies.crossings(0.5, 1.0, 0.0, 99_999.0)) == 99_999


def test_fields_of_notifies():
    for field, first in (
        (NotifyField("a"), ""), (NotifyField("a", default="x"), "x"), (NotifyField("a", FieldKind.SWITCH), "false"),
        (NotifyField("a", FieldKind.SWITCH, " TRUE "), "true"),
        (NotifyField("a", FieldKind.CHOICE, choices=("x", "y")), "x"),
        (NotifyField("a", FieldKind.CHOICE, "y", ("x", "y")), "y"), (NotifyField("a", FieldKind.NUMBER), "0"),
        (NotifyField("a", FieldKind.NUMBER, "2.50"), "2.5"), (NotifyField("a", FieldKind.WHOLE, "2.0"), "2"),
        (NotifyField("a", FieldKind.NUMBER, minimum=1.5), "1.5"),
        (NotifyField("a", FieldKind.NUMBER, maximum=-2.0), "-2"),
        (NotifyField("a", FieldKind.NUMBER, minimum=-1.0, maximum=-1.0), "-1"),
    ):  # fmt: skip
        assert field.first == first
    bound = NotifyField("n", FieldKind.NUMBER, minimum=-1.0, maximum=2.0)
    whole = replace(bound, kind=FieldKind.WHOLE)
    for field, text, kept in (
        (bound, "-1", "-1"),
        (bound, "2.0", "2"),
        (bound, "0.25", "0.25"),
        (whole, " 1 ", "1"),
    ):
        assert field.checked(text) == kept
    for field, text, wanted in (
        (bound, "2.0001", "-1 to 2"), (bound, "-1.01", "-1 to 2"), (bound, "x", "a number"),
        (whole, "x", "a whole number"),
        (whole, "1.5", "a whole number"), (whole, "inf", "a whole number"), (bound, "nan", "a finite number"),
        (NotifyField("n", FieldKind.SWITCH), "yes", "true or false"),
        (NotifyField("n", FieldKind.CHOICE, choices=("x", "y")), "z", "one of x, y"),
    ):  # fmt: skip
        refused(rf"^n: expected {wanted}, got '{text}'$", field.checked, text)
    refused(r"a choice needs a list of choices$", NotifyField, "a", FieldKind.CHOICE)
    refused(r"a choice needs a list of choices$", NotifyField, "a", FieldKind.CHOICE, "", ("x", ""))
    refused(r"expected a minimum up to the maximum, got 2 to 1$", NotifyField, "a", minimum=2.0, maximum=1.0)
    refused(r"^a: expected -inf to 1, got '2'$", NotifyField, "a", FieldKind.NUMBER, "2", maximum=1.0)
    assert [number_text(v) for v in (2.0, -0.0, 1e14, 1e15, 1e16, 0.1)] == [
        "2", "0", "100000000000000", "1000000000000000.0", "1e+16", "0.1",
    ]  # fmt: skip


def test_types_of_notifies():
    parts = (
        NotifyField("foot", FieldKind.CHOICE, choices=("l", "r")),
        NotifyField("loud", FieldKind.NUMBER, maximum=1.0),
    )
    kind = NotifyType("t-1", "step", parts, 0.25, "#00ff00", NotifyRule(0.5))
    made = kind.made(1.5, "feet")
    assert made == Notify(
        "step", 1.5, 0.25, {"foot": "l", "loud": "0", "color": "#00ff00"}, NotifyRule(0.5), "feet"
    )
    assert replace(kind, color="").made(1.0).data == {"foot": "l", "loud": "0"} and kind.made(1.0).lane == ""
    assert kind.problems(made) == () and kind.references() == () and kind.with_targets({}) is kind
    assert kind.problems(Notify("step", 0.0, data={"loud": "2"})) == (
        "foot is missing", "loud: expected -inf to 1, got '2'",
    )  # fmt: skip
    refused(r"two fields have one name$", NotifyType, "t", "step", (parts[0], replace(parts[0], default="r")))
    for seconds in (-0.1, 1e7):
        refused(r"expected a duration of 0 s or more, got", NotifyType, "t", "step", (), seconds)
    assert type_of("step", [replace(kind, name="other"), kind]) is kind and type_of("none", [kind]) is None


# ---------------------------------------------------------------- clips and channels


def test_clips_that_cannot_be():
    clip = busy(1)
    for length in (0.0, 9999999.0):
        assert replace(clip, length=length).length == length
    for length in (-1e-9, 1e7, np.nan):
        refused(r"^clip 'walk': expected a length of 0 s or more, got", replace, clip, length=length)
    scalar = scalar_track([0.0], [1.0])
    for channel, track in ((ARM, scalar), (SPINE, TURN), (Channel("spine", Property.SCALE, WHOLE), TURN),
                           (Channel("spine", Property.TRANSLATE, WHOLE), TURN)):  # fmt: skip
        refused(r"cannot hold a (Scalar|Quaternion)Track$", replace, clip, tracks={channel: track})
    for axis in range(3):
        both = {Channel("arm_l", Property.ROTATE, axis): scalar, ARM: TURN}
        refused(r"bone 'arm_l' has Euler and quaternion rotation tracks$", replace, clip, tracks=both)
    assert channel_label(ARM) == "arm_l rotate quaternion" and channel_label(SPINE) == "spine translate y"


def test_what_a_clip_tells_of_its_tracks():
    clip = busy(1)
    assert clip.bones() == ("root", "spine", "arm_l", "hand_l", "arm_r", "hand_r")
    assert clip.frames == 20.0 and clip.last_key() == 2.45 and replace(clip, tracks={}).last_key() == 2.0
    assert replace(clip, tracks={}, curves={}, morphs={}).last_key() == 0.0
    assert (
        clip.scalar(SPINE) is clip.tracks[SPINE]
        and clip.scalar(ARM) is None
        and clip.scalar(SPINE._replace(axis=3)) is None
    )
    assert clip.rotation("arm_l") is clip.tracks[ARM] and clip.rotation("spine") is None
    assert len(list(clip.every_track())) == len(clip.tracks) + len(clip.curves) + len(clip.morphs)
    every = channels.all_tracks(clip)
    assert list(every) == [*clip.tracks, *map(curve_channel, clip.curves), *map(morph_channel, clip.morphs)]
    for channel, track in every.items():
        assert channels.track_of(clip, channel) is track and channel.is_bone == (channel in clip.tracks)
    assert (
        channels.track_of(clip, curve_channel("face/smile"))
        is None
        is channels.track_of(clip, morph_channel("speed"))
    )
    assert (
        curve_channel("a") == Channel("a", Property.TRANSLATE, 0, ChannelKind.CURVE)
        and curve_channel("a").name == "a"
    )


def test_tracks_of_every_kind_exchanged():
    clip, other = busy(1), busy(2)
    smile, speed = morph_channel("face/smile"), curve_channel("speed")
    assert channels.with_tracks(clip, channels.all_tracks(clip)) is clip
    assert (
        channels.with_tracks(clip, {curve_channel("none"): None, Channel("no", Property.SCALE, 0): None})
        is clip
    )
    done = channels.with_tracks(
        clip, {SPINE: None, ARM: other.tracks[ARM], smile: None, speed: other.curves["smile_l"]}
    )
    assert SPINE not in done.tracks and done.tracks[ARM] is other.tracks[ARM]
    assert list(done.morphs) == ["face/wink_r"] and done.curves["speed"] is other.curves["smile_l"]
    assert done.curves.keys() == clip.curves.keys()
    more = channels.with_tracks(clip, {curve_channel("new"): other.curves["speed"]})
    assert more.tracks == clip.tracks and list(more.curves)[-1] == "new" and more.morphs == clip.morphs


def test_references_of_clips():
    clip = replace(busy(1), additive=Additive(AdditiveSpace.LOCAL, AdditiveBase.CLIP, "clip-9", 0.5))
    assert [(r.target, r.kind) for r in clip.references()] == [("rig-1", type(figure())), ("clip-9", Clip)]
    assert len(replace(clip, additive=None).references()) == 1
    assert len(replace(clip, additive=Additive(AdditiveSpace.LOCAL, AdditiveBase.FRAME)).references()) == 1
    assert clip.with_targets({"rig-1": None}) is None
    assert clip.with_targets({"rig-1": "rig-2"}).rig == "rig-2"
    assert clip.with_targets({"clip-9": "clip-8"}).additive == replace(clip.additive, base_clip="clip-8")
    gone = clip.with_targets({"clip-9": None}).additive
    assert gone.base is AdditiveBase.REST and gone.base_clip is None and gone.base_time == 0.5
    frame = replace(clip, additive=replace(clip.additive, base=AdditiveBase.FRAME))
    assert frame.with_targets({"clip-9": None}).additive == replace(frame.additive, base_clip=None)


def test_names_and_settings_of_clips():
    for wanted, taken, found in (
        ("walk", (), "walk"), ("walk", ("walk",), "walk 2"), ("walk 2", ("walk 2",), "walk 3"),
        ("walk", ("walk", "walk 2", "walk 4"), "walk 3"), (" 7", (" 7",), " 7 2"), ("a 12", ("a 12",), "a 2"),
    ):  # fmt: skip
        assert edits.unique_name(wanted, taken) == found
    for name in ("", "  ", "a\nb", "x" * 256):
        refused(r"^name: expected 1 to 255 printable characters", edits.checked_name, name)
    assert edits.checked_name("  a b ") == "a b" and edits.checked_name("x" * 255) == "x" * 255
    clip = busy(1)
    assert edits.renamed(clip, " walk ") is clip and edits.renamed(clip, "run", ["walk"]).name == "run"
    refused(r"^there is a clip named 'run' already", edits.renamed, clip, " run", ["run"])
    copy = edits.duplicated(clip, ["walk", "walk 2"])
    assert copy.name == "walk 3" and copy.id != clip.id and copy.tracks == clip.tracks
    fresh = edits.new_clip(figure(), "n", 3.0, FrameRate.of(24), True, RootMotion(True))
    assert (fresh.name, fresh.rig, fresh.length, fresh.rate, fresh.looping) == (
        "n",
        "rig-1",
        3.0,
        FrameRate.of(24),
        True,
    )
    assert fresh.root_motion == RootMotion(True) and edits.new_clip(figure(), "n").root_motion == RootMotion()
    assert edits.with_root_motion(clip, RootMotion()) is clip
    assert edits.with_root_motion(clip, RootMotion(True, "spine"), figure()).root_motion.bone == "spine"
    with pytest.raises(Exception, match="nowhere"):
        edits.with_root_motion(clip, RootMotion(True, "nowhere"), figure())
