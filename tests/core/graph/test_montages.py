"""Montages: weights by hand, sections, slots, groups, branching, ends (spec: graph, §9)."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.arrays import same_value
from core.blending.easing import EaseShape, Easing
from core.clips.clip import Additive, AdditiveSpace, Notify, NotifyRule
from core.errors import MissingReferenceError, ValidationError
from core.graph.commands import Command, Do
from core.graph.compile import compile_graph
from core.graph.events import EventKind
from core.graph.graph import Variable
from core.graph.instance import Instance
from core.graph.montage import Montage, MontageBlend, Section, Segment, SlotTrack
from core.graph.montage_state import MOST_PLAYING
from core.graph.problems import GraphError
from core.graph.record import Recording
from core.ids import AssetId
from core.io.native.read import from_bytes
from core.io.native.write import to_bytes
from tests.core.graph.builders import RIG, Drawing, clip, walking

SPEED = Variable("speed", maximum=10.0)
LINEAR = Easing()


def montage(
    name="wave", clips=("m",), *, seconds=1.0, blend=0.2, slot="Upper", group="Group", **more
) -> Montage:
    """Clips of a second each one after the other in one slot."""
    segments = tuple(Segment(AssetId(f"clip-{c}"), k * seconds, 0.0, seconds) for k, c in enumerate(clips))
    fade = MontageBlend(blend, LINEAR)
    options = {"blend_in": fade, "blend_out": fade, **more}
    return Montage(AssetId(f"montage-{name}"), name, RIG, group, (SlotTrack(slot, segments),), **options)


def running(*montages, clips=(), slots=("Group.Upper",), always=False, curves="blend") -> Instance:
    """An idle clip at x = 0 with a slot over it."""
    drawing = Drawing(clip("idle", 2.0), clip("m", x=1.0), *clips, variables=(SPEED,), slots=slots)
    node = drawing.play("idle")
    wires, nodes = [], [node]
    for slot in slots:
        nodes.append(drawing.node("slot", slot, slot=slot, always_update=always, curves=curves))
        wires.append((nodes[-2], nodes[-1], "source"))
    graph = drawing.graph(drawing.pose_sheet("main", nodes, wires, nodes[-1]))
    return Instance(compile_graph(graph, drawing.project(graph).with_assets(*montages)))


def play(name="wave", **more) -> Command:
    return Command(Do.PLAY, name, **more)


def hips(result) -> float:
    return float(result.pose.translations[1, 0])


def told(results) -> list[str]:
    """Events of montages and their notifies, ``kind name@time``."""
    found, before = [], 0.0
    for result, dt in results:
        found += [
            f"{e.kind.removeprefix('montage_')} {e.name}@{before + e.moment:.6g}"
            + ("!" if e.interrupted else "")
            for e in result.events
            if e.kind is not EventKind.TICK and e.node.startswith("montage")
        ]
        before += dt
    return found


def steps(instance, cut, *commands) -> list:
    """Run steps; the commands go to the first."""
    return [(instance.step(dt, commands=commands if k == 0 else ()), dt) for k, dt in enumerate(cut)]


def test_weight_goes_in_and_out_by_hand():
    instance = running(montage())
    found = [hips(r) for r, _ in steps(instance, [0.05] * 21, play())]
    times = np.arange(1, 22) * 0.05
    wanted = np.minimum(np.minimum(times / 0.2, 1.0), np.maximum((1.0 - times) / 0.2, 0.0))
    assert found == pytest.approx(wanted, abs=1e-9)


def test_eased_weight_by_hand_and_its_value_on_the_way_out():
    smooth = MontageBlend(0.4, Easing(EaseShape.SMOOTH))
    instance = running(montage(blend_in=smooth, blend_out=replace(smooth, seconds=0.2)))
    results = steps(instance, [0.1] * 2, play()) + steps(instance, [0.1] * 2, Command(Do.STOP, "wave"))
    assert [hips(r) for r, _ in results] == pytest.approx([0.15625, 0.5, _out(0.4, 0.1), 0.0])


def _out(seconds: float, after: float) -> float:
    """Half in after 0.2 s of smooth 0.4; the way in goes on under a smooth way out of 0.2 s."""
    u, v = (0.2 + after) / seconds, after / 0.2
    return (u * u * (3 - 2 * u)) * (1 - v * v * (3 - 2 * v))


def test_events_have_their_exact_moments():
    assert told(steps(running(montage()), [0.3] * 4, play())) == [
        "started wave@0", "blending_out wave@0.8", "ended wave@1",
    ]  # fmt: skip


@settings(max_examples=10, deadline=None)
@given(st.lists(st.floats(0.01, 1.0), min_size=1, max_size=8))
def test_cutting_a_span_changes_no_event_and_no_pose(parts):
    cut = [p * 2.73 / sum(parts) for p in parts]
    made = montage(
        clips=("m", "n"), sections=(Section("in", 0.0, "turn"), Section("turn", 0.6, "out"), Section("out", 1.1)),
        notifies=(Notify("now", 0.7), Notify("hold", 0.3, 1.2)),
    )  # fmt: skip
    more = clip("n", x=2.0, notifies=(Notify("clip", 0.25),))
    one, other = (steps(running(made, clips=(more,), always=True), c, play()) for c in (cut, [2.73]))
    assert told(one) == told(other)
    assert same_value(one[-1][0].pose.curves.keys(), other[-1][0].pose.curves.keys())
    assert one[-1][0].pose.rotations == pytest.approx(other[-1][0].pose.rotations, abs=1e-9)


def test_section_that_loops_goes_on_until_it_is_told_what_follows():
    sections = (Section("in", 0.0, "loop"), Section("loop", 0.25, "loop"), Section("out", 0.75))
    instance = running(montage(sections=sections))
    first = steps(instance, [0.1] * 10, play())
    assert told(first) == ["started wave@0", "section loop@0.25", "section loop@0.75"]
    more = steps(instance, [0.1] * 6, Command(Do.NEXT, "wave", to="out"))
    assert told(more) == ["section out@0.25", "blending_out wave@0.3", "ended wave@0.5"]


def test_many_sections_in_a_step_carry_the_rest_of_the_time():
    sections = tuple(Section(f"s{k}", 0.01 * k, f"s{(k + 1) % 3}") for k in range(3))
    instance = running(montage(seconds=0.03, sections=sections))
    results = steps(instance, [0.1], play())
    assert [line for line in told(results) if line.startswith("section")] == [
        f"section s{(k + 1) % 3}@{0.01 * (k + 1):.6g}" for k in range(10)
    ][: len(told(results)) - 1]
    assert results[-1][0].montages[0].position == pytest.approx(0.1 % 0.03, abs=1e-9)


def test_jump_goes_to_a_section_and_a_wrong_one_is_refused():
    sections = (Section("in", 0.0, "out"), Section("out", 0.5))
    instance = running(montage(sections=sections))
    instance.step(0.1, commands=[play()])
    result = instance.step(0.1, commands=[Command(Do.JUMP, "wave", section="out")])
    assert result.montages[0].position == pytest.approx(0.6)
    assert result.montages[0].section == "out"
    with pytest.raises(MissingReferenceError, match="no section 'end'; there are: in, out"):
        instance.step(0.1, commands=[Command(Do.JUMP, "wave", section="end")])
    with pytest.raises(MissingReferenceError, match="no montage 'wavy'; near: wave"):
        instance.step(0.1, commands=[play("wavy")])
    with pytest.raises(ValidationError, match="finite"):
        instance.step(0.1, commands=[play(rate=float("nan"))])


def test_play_of_the_group_fades_the_other_out_over_its_blend_in():
    instance = running(montage(), montage("other", blend=0.4, clips=("n",)), clips=(clip("n", x=3.0),))
    steps(instance, [0.1] * 3, play())
    results = steps(instance, [0.2] * 2, play("other"))
    assert [[(m.name, round(m.weight, 9)) for m in r.montages] for r, _ in results] == [
        [("wave", 0.5), ("other", 0.5)], [("other", 1.0)],
    ]  # fmt: skip
    assert hips(results[0][0]) == pytest.approx(0.5 * 1 + 0.5 * 3)
    assert told(results) == ["blending_out wave@0!", "started other@0", "ended wave@0.4!"]


def test_without_stop_group_weights_above_one_are_shared_out():
    instance = running(montage(), montage("other", clips=("n",)), clips=(clip("n", x=3.0),))
    steps(instance, [0.1] * 3, play())
    result = steps(instance, [0.1, 0.1], play("other", stop_group=False))[-1][0]
    assert [m.weight for m in result.montages] == pytest.approx([1.0, 1.0])
    assert hips(result) == pytest.approx((1 + 3) / 2)


def test_playing_again_makes_a_new_one_while_the_old_fades():
    instance = running(montage())
    steps(instance, [0.1] * 3, play())
    result = instance.step(0.1, commands=[play()])
    assert [(m.handle, round(m.weight, 9), round(m.position, 9)) for m in result.montages] == [
        (1, 0.5, 0.4), (2, 0.5, 0.1),
    ]  # fmt: skip


def test_groups_run_side_by_side():
    other = montage("other", clips=("n",), group="Face", slot="Face")
    instance = running(montage(), other, clips=(clip("n", x=3.0),), slots=("Group.Upper", "Face.Face"))
    result = steps(instance, [0.1] * 3, play(), play("other"))[-1][0]
    assert [m.name for m in result.montages] == ["wave", "other"]
    assert hips(result) == pytest.approx(3.0)  # the later slot covers


def test_slot_with_nothing_playing_gives_its_sources_bits():
    with_slot, drawing = running(montage()), Drawing(clip("idle", 2.0), variables=(SPEED,))
    graph = drawing.graph(drawing.clip_sheet("idle"))
    plain = Instance(compile_graph(graph, drawing.project(graph)))
    for _ in range(3):
        a, b = with_slot.step(0.1), plain.step(0.1)
        assert all((x == y).all() for x, y in zip(a.pose.local, b.pose.local, strict=True))
    steps(with_slot, [0.5] * 3, play())
    assert with_slot.step(0.1).montages == ()


@pytest.mark.parametrize("always", [False, True])
def test_source_under_a_full_montage_stands_still_unless_told(always):
    instance = running(montage(blend=0.0), always=always)
    steps(instance, [0.1] * 5, play())
    player = instance.plan.op_named("idle")
    assert (float(instance.state.floats[player.place.floats]) == pytest.approx(0.5)) == always


def test_montage_without_auto_blend_out_holds_its_last_pose_until_it_is_stopped():
    instance = running(montage(auto_blend_out=False))
    results = steps(instance, [0.5] * 4, play())
    assert hips(results[-1][0]) == 1.0
    assert results[-1][0].montages[0].position == pytest.approx(1.0)
    assert told(steps(instance, [0.1] * 3, Command(Do.STOP, "wave", seconds=0.15))) == [
        "blending_out wave@0!", "ended wave@0.15!",
    ]  # fmt: skip


def test_trigger_fades_out_before_or_after_the_end():
    assert told(steps(running(montage(blend_out_trigger=0.5)), [0.1] * 12, play()))[1:] == [
        "blending_out wave@0.5", "ended wave@0.7",
    ]  # fmt: skip
    assert told(steps(running(montage(blend_out_trigger=0.0)), [0.1] * 14, play()))[1:] == [
        "blending_out wave@1", "ended wave@1.2",
    ]  # fmt: skip


def test_backwards_it_ends_at_the_sections_start():
    instance = running(montage(sections=(Section("a", 0.0), Section("b", 0.4)), blend=0.1))
    results = steps(instance, [0.1] * 8, play(section="b", rate=-1.0))
    assert results[0][0].montages[0].position == pytest.approx(0.9)
    assert told(results)[1:] == ["blending_out wave@0.5", "ended wave@0.6"]


def test_pause_holds_it_and_resume_lets_it_go_on():
    instance = running(montage())
    steps(instance, [0.1] * 3, play())
    assert steps(instance, [0.1] * 5, Command(Do.PAUSE, "wave"))[-1][0].montages[0].position == pytest.approx(
        0.3
    )
    assert steps(instance, [0.1], Command(Do.RESUME, "wave"))[-1][0].montages[0].position == pytest.approx(
        0.4
    )
    assert steps(instance, [0.1], Command(Do.RATE, "wave", rate=2.0))[-1][0].montages[
        0
    ].position == pytest.approx(0.6)


def test_notifies_of_montage_and_clips_fire_with_its_weight():
    made = montage(clips=("n",), notifies=(Notify("own", 0.1), Notify("loud", 0.1, rule=NotifyRule(0.9))))
    instance = running(made, clips=(clip("n", notifies=(Notify("clip", 0.0), Notify("clip", 0.15))),))
    events = [
        e for r, _ in steps(instance, [0.1] * 5, play()) for e in r.events if e.kind is EventKind.NOTIFY
    ]
    assert [(e.name, round(e.weight, 9)) for e in events] == [("clip", 0.0), ("own", 0.5), ("clip", 0.75)]


def test_notify_state_stops_its_montage_when_its_condition_turns_false():
    rule = NotifyRule(condition="speed < 1", blend_out=0.1)
    instance = running(montage(notifies=(Notify("still", 0.0, 1.0, rule=rule),)))
    assert told(steps(instance, [0.1] * 3, play())) == ["started wave@0", "begin still@0"]
    results = [(instance.step(0.1, {"speed": 5.0}), 0.1) for _ in range(3)]
    assert told(results) == ["end still@0!", "blending_out wave@0.1!", "ended wave@0.2!"]


def test_branching_notify_acts_at_its_moment():
    made = montage(notifies=(Notify("go", 0.33, rule=NotifyRule(branching=True)),))
    other = montage("other", clips=("n",), group="Face", slot="Face")
    for cut in ([0.5], [0.1] * 5, [0.33, 0.17]):
        instance = running(made, other, clips=(clip("n"),), slots=("Group.Upper", "Face.Face"))
        instance.on_branch = lambda event: [play("other")] if event.name == "go" else []
        results = steps(instance, cut, play())
        assert told(results) == ["started wave@0", "notify go@0.33", "started other@0.33"]
        assert results[-1][0].montages[1].position == pytest.approx(0.17)


def test_root_motion_of_a_montage_moves_the_character():
    made = montage(clips=("walk",), blend=0.0)
    instance = running(made, clips=(walking("walk", 1.0, 2.0),))
    moved = sum(float(r.root_motion.translation[2]) for r, _ in steps(instance, [0.13] * 8, play()))
    assert moved == pytest.approx(2.0)
    instance = running(replace(made, root_motion=False), clips=(walking("walk", 1.0, 2.0),))
    assert sum(float(r.root_motion.translation[2]) for r, _ in steps(instance, [0.13] * 8, play())) == 0.0


def test_additive_track_is_put_on_by_its_weight():
    added = replace(clip("n", x=0.5, turn=0.0), additive=Additive(AdditiveSpace.LOCAL))
    instance = running(montage(clips=("n",)), clips=(added,))
    assert [hips(r) for r, _ in steps(instance, [0.1] * 2, play())] == pytest.approx([0.25, 0.5])


def test_curves_blend_with_its_weight_and_its_own_come_on_top():
    from core.tracks.keys import scalar_track

    instance = running(montage(curves={"own": scalar_track([0.0], [4.0])}))
    result = steps(instance, [0.1], play())[0][0]
    assert result.pose.curves["level"] == pytest.approx(0.5)
    assert result.pose.curves["own"] == pytest.approx(2.0)


def test_one_montage_more_than_can_play_cuts_the_oldest_and_flags_it():
    instance = running(montage(auto_blend_out=False))
    one_more = MOST_PLAYING + 1
    results = [(instance.step(0.01, commands=[play(stop_group=False)]), 0.01) for _ in range(one_more)]
    assert [m.handle for m in results[-1][0].montages] == list(range(2, one_more + 1))
    assert told(results).count(f"ended wave@{0.01 * MOST_PLAYING:.6g}!") == 1
    assert [bool(r.flagged) for r, _ in results] == [False] * MOST_PLAYING + [True]


def test_going_back_replays_the_commands():
    instance = running(montage())
    recording = Recording(instance)
    results = [recording.step(0.1, commands=[play()] if k in (2, 6) else ()) for k in range(12)]
    last = instance.snapshot()
    assert same_value(recording.goto(8).pose, results[7].pose)
    recording.goto(12)
    assert instance.snapshot().same_bits(last)


@settings(max_examples=12, deadline=None)
@given(st.lists(st.tuples(st.floats(0.0, 0.4), st.integers(0, 9)), max_size=14))
def test_any_commands_keep_poses_finite_and_every_start_has_one_end(calls):
    sections = (Section("in", 0.0, "loop"), Section("loop", 0.3, "loop"), Section("out", 0.8))
    made = (montage(sections=sections), montage("other", clips=("n",)))
    instance = running(*made, clips=(clip("n", x=3.0),))
    orders = [
        play(), play("other"), play("other", stop_group=False, rate=-1.0), play(section="out"),
        Command(Do.STOP, "wave"), Command(Do.NEXT, "wave", to="out"), Command(Do.JUMP, "wave", section="in"),
        Command(Do.PAUSE, "other"), Command(Do.RESUME, "other"), Command(Do.RATE, "wave", rate=-3.0),
    ]  # fmt: skip
    events = []
    for dt, order in calls:
        result = instance.step(dt, commands=[orders[order]])
        assert all(np.isfinite(part).all() for part in result.pose.local)
        assert -1e-9 <= hips(result) <= 3.0 + 1e-9
        events += result.events
    for command in (Command(Do.RESUME, "other"), Command(Do.STOP, "wave"), Command(Do.STOP, "other")):
        for _ in range(9):
            events += instance.step(0.5, commands=[command]).events
    counts = {kind: sum(e.kind is kind for e in events) for kind in EventKind}
    ends = (EventKind.MONTAGE_STARTED, EventKind.MONTAGE_BLENDING_OUT, EventKind.MONTAGE_ENDED)
    assert counts[ends[0]] == counts[ends[2]]
    assert counts[ends[1]] <= counts[ends[0]]


def test_expressions_read_what_plays():
    drawing = Drawing(clip("idle", 2.0), clip("m", x=1.0), slots=("Group.Upper",))
    idle = drawing.play("idle")
    slot = drawing.node("slot", "slot", slot="Group.Upper")
    curve = drawing.node(
        "modify_curve", "c", {"value": "if(playing('wave'), montage_time('wave'), -1)"}, curve="t"
    )
    wires = [(idle, slot, "source"), (slot, curve, "pose")]
    graph = drawing.graph(drawing.pose_sheet("main", [idle, slot, curve], wires, curve))
    instance = Instance(compile_graph(graph, drawing.project(graph).with_assets(montage())))
    values = [r.pose.curves["t"] for r, _ in steps(instance, [0.1] * 3, play())]
    assert values == pytest.approx([-1.0, 0.1, 0.2])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: replace(m, tracks=()), None),
        (lambda m: replace(m, sections=(Section("a", 0.5),)), "order of time from 0"),
        (lambda m: replace(m, sections=(Section("a", 0.0, "b"),)), "goes on to 'b', which is not there"),
        (lambda m: replace(m, sections=(Section("a", 0.0), Section("a", 0.5))), "name of its own"),
        (lambda m: replace(m, tracks=m.tracks * 2), "two tracks are for one slot"),
        (lambda m: replace(m, blend_out_trigger=-2.0), "trigger of 0 s or more, or -1"),
        (lambda m: replace(m, rate=float("nan")), "finite rate"),
        (lambda m: MontageBlend(-1.0), "blend of 0 s or more"),
        (lambda m: Segment(AssetId("c"), 0.0, 1.0, 1.0), "piece of its clip"),
        (lambda m: Segment(AssetId("c"), 0.0, 0.0, 1.0, 0.0), "rate above 0"),
    ],
)  # fmt: skip
def test_montage_that_breaks_a_rule_is_refused(change, message):
    if message is None:
        assert change(montage()).length == 0.0
        return
    with pytest.raises(ValidationError, match=message):
        change(montage())


def test_faults_of_montages_are_told_with_their_names():
    with pytest.raises(GraphError, match="montage 'wave': the clip at 0 s is not in the project"):
        running(montage(clips=("missing",)))
    added = replace(clip("n"), additive=Additive(AdditiveSpace.LOCAL))
    with pytest.raises(GraphError, match="mixes additive and other clips"):
        running(montage(clips=("m", "n")), clips=(added,))
    with pytest.raises(GraphError, match="no slot 'Group"):
        drawing = Drawing(clip("idle"), slots=("Group.Upper",))
        idle, slot = drawing.play("idle"), drawing.node("slot", "s", slot="Group.Uper")
        graph = drawing.graph(drawing.pose_sheet("main", [idle, slot], [(idle, slot, "source")], slot))
        compile_graph(graph, drawing.project(graph))


def test_montage_survives_a_native_file_and_lets_go_of_what_is_gone():
    made = montage(
        clips=("m", "n"), sections=(Section("a", 0.0, "b"), Section("b", 1.5)), notifies=(Notify("x", 0.5),)
    )
    project = Drawing(clip("m"), clip("n")).project().with_assets(made)
    assert same_value(from_bytes(to_bytes(project)), project)
    assert [r.target for r in made.references()] == ["rig-1", "clip-m", "clip-n"]
    less = made.with_targets({AssetId("clip-n"): None})
    assert [len(track.segments) for track in less.tracks] == [1]
    assert less.sections == (Section("a", 0.0),)
    assert made.with_targets({AssetId("rig-1"): None}) is None


@pytest.mark.parametrize(("again", "after"), [
    (0.2, [0.75 - 0.375, 0.0]), (0.3, [0.5, 0.25, 0.0]), (0.6, [0.625, 0.5, 0.375]), (5.0, [0.625, 0.5, 0.375]),
    (0.0, [0.0]),
])  # fmt: skip
def test_stopped_again_it_fades_faster_from_where_it_is_and_never_slower(again, after):
    """Two montages, so that the second's numbers lie behind the first's; 0.2 s into a fade of 0.8 s."""
    for compiled in (False, True):
        instance = running(montage(), montage("other", clips=("n",), slot="Lower", auto_blend_out=False, seconds=9.0),
                           slots=("Group.Upper", "Group.Lower"), clips=(clip("n", 9.0, x=3.0),))  # fmt: skip
        if not compiled:
            instance.runner = None
        steps(instance, [0.1] * 4, play(), play("other", stop_group=False))
        stop = Command(Do.STOP, "other", seconds=0.8)
        steps(instance, [0.1] * 2, stop)
        found = steps(instance, [0.1] * len(after), replace(stop, seconds=again))
        weights = [{m.name: m.weight for m in result.montages}.get("other", 0.0) for result, _ in found]
        assert weights == pytest.approx(after, abs=1e-9)
        assert {m.name: m.weight for m in found[0][0].montages}["wave"] == 1.0
