"""One step over ops by hand: how weights, spans, stops and relevance are handed down, restarts, shares and events."""

import numpy as np
import pytest

from core.graph.events import Event, EventKind
from core.graph.op import GraphOp, OpPlace, PoseOp, Run
from core.graph.output import Output
from core.graph.plan import lay_out, readers
from core.graph.runner import StepArrays
from core.math.transform import Transform
from tests.core.graph.builders import rig


class Leaf(PoseOp):
    """A player that notes what it is asked."""

    FLOATS, INTS, POSES = 2, 1, 3

    def __init__(self, number: int, inputs=()) -> None:
        super().__init__(OpPlace(number, f"n-{number}", f"op {number}"), inputs)
        self.told: list[str] = []

    def pose(self, run: Run) -> Output:
        self.told.append("pose")
        return Output(
            Transform(*(np.full((3, k), float(self.number)) for k in (3, 4, 3))),
            np.zeros(0),
            np.zeros(0, bool),
        )

    def restart(self, run: Run) -> None:
        self.told.append("restart")

    def gone(self, run: Run, moment: float) -> None:
        self.told.append(f"gone {moment:g}")

    def players(self, run: Run):
        return [(self, 1.0)] if not self.inputs else super().players(run)


def stepping(*inputs: tuple[int, ...], dt: float = 0.1) -> Run:
    """A run over ops, each with its inputs; the last counts in full."""
    ops = tuple(Leaf(k, below) for k, below in enumerate(inputs))
    count = len(ops)
    arrays = StepArrays.fresh(count)
    run = Run(
        rig(), ops, np.zeros(8), np.zeros(8), np.zeros(8, int), np.zeros((0, 0)), dt, arrays.weights, np.zeros(count),
        arrays.spans, arrays.relevant, np.zeros(count, int), arrays.leaving, np.zeros(0), arrays.stops, readers(ops),
    )  # fmt: skip
    last = count - 1
    run.weights[last], run.spans[last], run.stops[last], run.relevant[last], run.leaving[last] = (
        1.0,
        dt,
        dt,
        1,
        0,
    )
    return run


def state(run: Run, number: int) -> tuple:
    return (
        float(run.weights[number]), round(float(run.spans[number]), 12), round(float(run.stops[number]), 12),
        bool(run.relevant[number]), bool(run.leaving[number]), number in run.passing,
    )  # fmt: skip


def test_what_does_not_count_is_not_reached():
    run = stepping((), (0,))
    run.reach(0, 0.7, run.ops[1], relevant=False)
    assert state(run, 0) == (0.0, 0.0, 0.0, False, True, False)


def test_what_counts_has_its_readers_time_unless_told_otherwise():
    run = stepping((), (0,))
    run.reach(0, 0.7, run.ops[1], relevant=True)
    assert state(run, 0) == (0.7, 0.1, 0.1, True, False, False)
    run = stepping((), (0,))
    run.reach(0, 0.7, run.ops[1], relevant=True, span=0.03, stop=0.08, leaving=True, passing=True)
    assert state(run, 0) == (0.7, 0.03, 0.08, True, True, True)


def test_of_several_readers_the_largest_weight_and_the_longest_time_stand():
    run = stepping((), (0,), (0, 1))
    reader = run.ops[2]
    run.reach(0, 0.2, reader, relevant=True, span=0.02, stop=0.05, leaving=True, passing=True)  # 0.03..0.05
    run.reach(0, 0.6, reader, relevant=True, span=0.01, stop=0.09)  # 0.08..0.09
    assert state(run, 0) == (0.6, 0.06, 0.09, True, False, False)
    run.reach(0, 0.3, reader, relevant=True, span=0.02, stop=0.04, leaving=True, passing=True)  # 0.02..0.04
    assert state(run, 0) == (0.6, 0.07, 0.09, True, False, False)
    run = stepping((), (0,), (0, 1))
    for _ in range(2):
        run.reach(0, 0.2, run.ops[2], relevant=True, leaving=True, passing=True)
    assert state(run, 0) == (0.2, 0.1, 0.1, True, True, True)


def test_what_a_passing_or_leaving_reader_reads_is_so_too():
    run = stepping((), (0,), (1,))
    run.reach(1, 1.0, run.ops[2], relevant=True, leaving=True, passing=True)
    run.reach(0, 1.0, run.ops[1], relevant=True)
    assert state(run, 0)[4:] == (True, True)


def test_an_op_restarts_once_with_all_below_it_that_were_not_relevant():
    run = stepping((), (), (0, 1), (2,))
    run.was_relevant[:] = [1, 0, 0, 1]
    run.begin(2)
    assert [op.told for op in run.ops] == [[], ["restart"], ["restart"], []]
    run.begin(2)
    assert run.ops[1].told == ["restart"]
    assert run.begun == {0, 1, 2}
    run = stepping((), (), (0, 1), (2,))
    run.was_relevant[:] = [1, 0, 1, 1]
    run.begin(2, always=True, moment=0.04)
    assert [op.told for op in run.ops] == [
        ["gone 0.04", "restart"],
        ["restart"],
        ["gone 0.04", "restart"],
        [],
    ]


def test_what_is_kept_does_not_restart():
    run = stepping((), (), (0, 1), (2,))
    run.keep(2)
    assert run.kept == {0, 1, 2}
    run.begin(3, always=True)
    assert [op.told for op in run.ops] == [[], [], [], ["restart"]]


def test_an_output_is_made_at_first_use_and_noted():
    run = stepping((), (0,))
    assert run.output(0) is run.output(0)
    run.output(1)
    assert (run.visits, run.ops[0].told) == ([0, 1], ["pose"])


@pytest.mark.parametrize(("moment", "kept"), [(-1.0, 0.0), (0.0, 0.0), (0.04, 0.04), (0.1, 0.1), (0.2, 0.1)])
def test_events_lie_within_the_step(moment, kept):
    run = stepping(())
    run.emit(EventKind.NOTIFY, "step", moment, 0.5, "n-1", clip="a", leaving=True)
    assert run.events == [Event("step", EventKind.NOTIFY, kept, 0.5, "n-1", "a", leaving=True)]


def test_shares_go_evenly_from_those_of_the_last_step_to_those_of_this():
    run = stepping((), (), (0, 1))
    run.weights[:] = [0.75, 0.25, 1.0]
    op = run.ops[2]
    assert op.share_at(run, 0, 0.05) == 0.75  # it did not count before: it begins as it is
    run.before[:] = [0.2, 0.3, 0.5]
    assert [op.share_at(run, 0, t) for t in (0.0, 0.05, 0.1)] == pytest.approx([0.4, 0.575, 0.75])
    assert [op.share_at(run, 1, t) for t in (0.0, 0.05, 0.1)] == pytest.approx([0.6, 0.425, 0.25])
    run.weights[:] = [0.75, 0.25, 0.0]
    assert op.share_at(run, 0, 0.1) == 0.0
    run.weights[:] = [0.75, 0.25, 0.5]
    assert op.share_at(run, 0, 0.1) == 1.0  # never more than all
    still = stepping((), (0,), dt=0.0)
    still.weights[:], still.before[:] = [0.5, 1.0], [0.25, 1.0]
    assert still.ops[1].share_at(still, 0, 0.0) == 0.5


def test_weights_at_a_moment_are_those_of_the_heaviest_way_up():
    run = stepping((), (0,), (0,), (1, 2))
    run.weights[:], run.before[:] = [0.5, 0.6, 0.4, 1.0], [0.5, 0.2, 0.8, 1.0]
    run.relevant[:] = 1
    # By op 1: from 0.2 × 1 to 0.6 × 5/6; by op 2: from 0.8 × 5/8 to 0.4 × 1.
    one = [(0.2 + 0.4 * u) * (1.0 + (5 / 6 - 1.0) * u) for u in (0.0, 0.5, 1.0)]
    two = [(0.8 - 0.4 * u) * (0.625 + 0.375 * u) for u in (0.0, 0.5, 1.0)]
    wanted = [max(a, b) for a, b in zip(one, two, strict=True)]
    assert [run.weight_at(0, t) for t in (0.0, 0.05, 0.1)] == pytest.approx(wanted)
    assert run.weight_at(3, 0.05) == 1.0
    run.relevant[2] = 0
    assert [run.weight_at(0, t) for t in (0.0, 0.05, 0.1)] == pytest.approx(one)
    run.relevant[1] = 0  # nobody reads it in this step: by its own weights
    run.before[0] = 0.1
    assert [run.weight_at(0, t) for t in (0.0, 0.05, 0.1)] == pytest.approx([0.1, 0.3, 0.5])


def test_what_an_op_does_where_it_says_nothing():
    run = stepping((), (), (0, 1))
    op = run.ops[2]
    op.weigh(run, 0.6)
    assert run.weights[:2].tolist() == [0.6, 0.6] and run.relevant.tolist() == [1, 1, 1]
    assert op.players(run) == [(run.ops[0], 1.0), (run.ops[1], 1.0)]
    assert (op.remaining(run), op.period(run)) == (float("inf"), float("inf"))
    assert (op.last(run), op.history(run)) == (None, None)
    run.spans[2], run.stops[2] = 0.03, 0.09
    assert (op.span(run), op.begins(run)) == (0.03, pytest.approx(0.06))
    assert (op.simulates, op.serves_requests, op.additive, op.LOGIC, op.POSE) == (
        False,
        False,
        None,
        None,
        None,
    )


def test_logic_passes_on_or_is_pythons():
    class Passing(GraphOp):
        pass

    class First(GraphOp):
        def players(self, run):
            return []

    class Weighs(GraphOp):
        def weigh(self, run, weight):
            pass

    class Advances(GraphOp):
        def advance(self, run, weight):
            pass

    class Says(Weighs):
        LOGIC = "blend"

    made = [kind(OpPlace(0, "n"), (1, 2)) for kind in (Passing, First, Weighs, Advances, Says)]
    assert [op.logic for op in made] == ["passing", "first", None, None, "blend"]
    assert [(op.number, op.node, op.name, op.inputs) for op in made[:1]] == [(0, "n", "", (1, 2))]


def test_places_follow_each_other():
    ops = tuple(Leaf(k) for k in range(3))
    assert lay_out(ops) == (6, 3, 9)
    assert [(op.place.floats, op.place.ints, op.place.poses) for op in ops] == [
        (0, 0, 0),
        (2, 1, 3),
        (4, 2, 6),
    ]
    assert readers((Leaf(0), Leaf(1, (0, 0)), Leaf(2, (0, 1)))) == ((1, 2), (2,), ())
