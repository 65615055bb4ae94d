"""Input files of runs: what each form says, what is refused and where; saved steps read as they were written."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import FormatError
from core.graph import grounds, script, script_commands
from core.graph.commands import Command, Do
from core.graph.record import Step
from core.graph.saved_test import command_to, steps_to
from core.graph.script import read_script
from core.graph.script_commands import commands_from, steps_from
from core.math import quat
from core.math.transform import Transform
from core.terrain.ground import Ground
from core.terrain.reading import terrain_values
from core.terrain.terrain import Terrain

HERE = "somewhere.json"


@pytest.fixture
def told(tmp_path):
    def write(text, suffix=".json"):
        path = tmp_path / f"script{suffix}"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_script(path)

    return write


def test_a_table_gives_inputs_by_time_and_empty_cells_nothing(told):
    found = told("time, speed ,go,way,state\n0,1.5,true,1 2 3,walk\n\n 0.5 ,,FALSE\n1,,,4 5,\n", ".csv")
    assert found.inputs == [
        (0.0, {"speed": 1.5, "go": True, "way": [1.0, 2.0, 3.0], "state": "walk"}),
        (0.5, {"go": False}), (1.0, {"way": [4.0, 5.0]}),
    ]  # fmt: skip
    assert found.seconds is None and found.ground is None and found.steps is None and not found.commands


@pytest.mark.parametrize(("text", "where"), [
    ("", "line 1"), ("speed,time\n0,1\n", "line 1"), ("time,speed\n0,1\n0,1,2\n", "line 3"),
    ("time\n-1\n", "line 2"), ("time\nsoon\n", "line 2"), ("time\n3601\n", "line 2"), ("time\nnan\n", "line 2"),
])  # fmt: skip
def test_a_table_that_is_none_is_refused_by_its_line(told, text, where):
    with pytest.raises(FormatError, match=where):
        told(text, ".csv")


def test_files_that_are_not_there_too_large_or_no_text_are_refused(told, tmp_path, monkeypatch):
    with pytest.raises(FormatError, match="cannot be read"):
        read_script(tmp_path / "nowhere.csv")
    with pytest.raises(FormatError, match="byte 2"):
        told(b'{"\xff"}')
    monkeypatch.setattr(script, "LARGEST_INPUT", 12)
    assert told("time\n1\n2\n3\n4", ".csv").inputs  # as large as may be
    with pytest.raises(FormatError, match="at most"):
        told("time\n1\n2\n3\n4\n", ".csv")


def test_an_object_gives_all_that_a_run_needs(told):
    found = told(json.dumps({
        "seconds": 3, "inputs": [{"speed": 2}, {"time": 1, "go": True}], "expect": [{"time": 1}],
        "commands": [{"do": "play", "montage": "wave"}, {"time": 2, "do": "stop", "montage": "wave"}],
        "ground": {"rise": 0.2, "count": 3.0},
    }))  # fmt: skip
    assert found.seconds == 3.0 and found.expect == [{"time": 1}]
    assert found.inputs == [(0.0, {"speed": 2}), (1.0, {"go": True})]
    assert found.commands == [(0.0, Command(Do.PLAY, "wave")), (2.0, Command(Do.STOP, "wave"))]
    assert found.ground == Ground(rise=0.2, count=3) and found.steps is None
    whole = grounds.terrain_of(Ground(0.5))
    assert told(json.dumps({"ground": terrain_values(whole)})).ground.pieces == whole.pieces


STEPS = '{"steps": [{"dt": 0.1}], '


@pytest.mark.parametrize("text", [
    "{", "[]", '{"inputs": {}}', '{"inputs": [3]}', '{"expect": 3}', '{"commands": ["play"]}', '{"steps": [1]}',
    '{"seconds": -1}', '{"seconds": "long"}', '{"inputs": [{"time": -1}]}',
    '{"commands": [{"time": "x", "do": "play", "montage": "m"}]}', '{"ground": 3}', '{"ground": {"slope": 1}}',
    '{"ground": {"rise": "high"}}', '{"ground": {"rise": NaN}}', '{"ground": {"count": -1}}',
    STEPS + '"inputs": [{"a": 1}]}', STEPS + '"commands": [{"do": "play", "montage": "m"}]}',
])  # fmt: skip
def test_an_object_of_another_shape_is_refused(told, text):
    with pytest.raises(FormatError):
        told(text)


def test_steps_on_a_ground_know_its_terrain_and_others_none(told):
    entries = [{"dt": 0.1, "ground": [[0.5, [0, 1, 0]]]}, {"dt": 0.2}]
    found = told(json.dumps({"steps": entries, "ground": {"height": 0.5}})).steps
    assert isinstance(found[0].terrain, Terrain) and found[1].terrain is None
    assert found[0].ground == ((0.5, (0.0, 1.0, 0.0)),) and found[1].ground is None


# -------------------------------------------------------------------- commands and steps
PLAY = {"do": "play", "montage": "wave"}


@pytest.mark.parametrize(("entry", "where"), [
    ({"do": "dance", "montage": "m"}, "do"), ({"montage": "m"}, "do"), ({"do": "play"}, "montage"),
    ({"do": "play", "montage": ""}, "montage"), ({"do": "play", "montage": 3}, "montage"),
    ({"do": "go", "montage": "m"}, "machine"), ({"do": "travel", "machine": 1}, "machine"),
    ({"do": "play_clip", "montage": "m"}, "clip"), (PLAY | {"speed": 1}, "speed"),
    *((PLAY | {key: 3}, key) for key in ("section", "next", "state", "slot")),
    *((PLAY | {key: bad}, key) for key in ("at", "rate", "seconds", "in", "out", "handle", "loops")
      for bad in ("1", True, math.inf)),
    (PLAY | {"stop_group": 1}, "stop_group"),
])  # fmt: skip
def test_a_command_with_something_wrong_is_refused_by_its_place(entry, where):
    with pytest.raises(FormatError, match=rf"commands\[1\]\.{where}"):
        commands_from(HERE, [PLAY, entry])


names = st.text(st.characters(categories=["L", "N", "Zs"]), min_size=1, max_size=8)
numbers = st.floats(0.0, 9.0)


@st.composite
def commands(draw):
    do = draw(st.sampled_from(Do))
    values = draw(st.fixed_dictionaries({}, optional={
        "section": names, "at": numbers, "rate": numbers, "seconds": numbers, "stop_group": st.booleans(),
        "handle": st.integers(1, 9), "slot": names, "blend_in": numbers, "blend_out": numbers,
        "loops": st.integers(0, 9), "to": names,
    }))  # fmt: skip
    return Command(do, draw(names), **values)


def turned(x, degrees):
    turn = quat.from_axis_angle([0.0, 1.0, 0.0], np.radians(degrees))
    return Transform(np.array([x, 0.5, -x]), turn, np.ones(3))


steps = st.builds(
    Step,
    st.floats(0.0, 0.1),
    st.dictionaries(names, st.one_of(st.booleans(), numbers, names), max_size=2),
    st.none() | st.lists(st.tuples(numbers, st.tuples(numbers, numbers, numbers)), max_size=2).map(tuple),
    st.just(Step(0.0).character) | st.builds(turned, numbers, st.floats(-170.0, 170.0)),
    st.lists(commands(), max_size=2).map(tuple),
)


@given(commands())
def test_a_command_is_read_as_it_was_written(command):
    told = json.loads(json.dumps(command_to(command)))
    assert commands_from(HERE, [told]) == [command]
    bare = Command(command.do, command.target)
    assert len(command_to(bare)) == (3 if command.do is Do.NEXT else 2)


@given(st.lists(steps, max_size=4), st.integers(1, 5))
def test_steps_are_read_as_they_were_written_and_equal_plain_ones_are_told_once(run, count):
    whole = [*run, *[Step(0.05)] * count, Step(0.04)]
    told = json.loads(json.dumps(steps_to(whole)))
    assert told[-2].get("count", 1) >= count and len(told) <= len(run) + 2
    back = steps_from(HERE, told)
    assert len(back) == len(whole)
    for was, now in zip(whole, back, strict=True):
        assert (now.dt, dict(now.inputs), now.ground, now.commands) == (
            was.dt,
            dict(was.inputs),
            was.ground,
            was.commands,
        )
        for a, b in zip(now.character, was.character, strict=True):
            np.testing.assert_allclose(a, b, atol=1e-12)


@pytest.mark.parametrize("change", [
    {"dt": None}, {"dt": "0.1"}, {"speed": 1}, {"count": 0}, {"count": 1_000_001}, {"set": []}, {"commands": {}},
    {"commands": [1]}, {"commands": [{"do": "fly"}]}, {"ground": 1}, {"ground": [[1]]}, {"ground": [1]},
    {"ground": [[1, [0, 1]]]}, {"ground": [["1", [0, 1, 0]]]}, {"stands": [0] * 6}, {"stands": "here"},
    {"stands": [0, 0, 0, 0, 0, 0, "1"]},
])  # fmt: skip
def test_a_step_with_something_wrong_is_refused(change):
    with pytest.raises(FormatError, match=r"steps\[1\]"):
        steps_from(HERE, [{"dt": 0.1}, {"dt": 0.1} | change])


# -------------------------------------------------------------------- grounds as surfaces
@pytest.mark.parametrize("ground", [
    Ground(0.3), Ground(0.3, 20.0), Ground(0.1, 0.0, -15.0), Ground(-0.2, 10.0, 25.0),
    Ground(0.5, rise=0.2, run=0.3, start=0.4, count=5), Ground(0.5, rise=-0.2, run=0.3, start=0.4, count=5),
    Ground(0.5, rise=0.0, count=5), Ground(0.0, 5.0, rise=0.0, count=3),
])  # fmt: skip
def test_a_ground_as_a_terrain_has_the_heights_that_it_answers(ground):
    terrain = grounds.terrain_of(ground)
    assert grounds.terrain_of(ground) is terrain and grounds.terrain_of(terrain) is terrain
    rng = np.random.default_rng(3)
    places = np.zeros((200, 3))
    places[:, 0], places[:, 2] = rng.uniform(-3, 3, 200), rng.uniform(-1, 4, 200)
    if ground.count:  # at an edge either height is right
        places = places[np.abs((places[:, 2] - ground.start + 0.15) % ground.run - 0.15) > 0.02]
    np.testing.assert_allclose(terrain.height_normal(places, 50.0)[0], ground.under(places), atol=1e-6)


def test_a_ground_with_tilted_or_too_many_stairs_has_no_surface():
    assert grounds.terrain_of(Ground(0.0, 5.0, count=2)) is None
    assert grounds.terrain_of(Ground(count=grounds.MOST_STAIRS)) is not None
    assert grounds.terrain_of(Ground(count=grounds.MOST_STAIRS + 1)) is None
    assert grounds.terrain_of(lambda place: 0.0) is None and grounds.whole_ground(None) is None


COUNTS = [
    ([3], ""),
    ([2, 1], ""),
    ([4], "steps[0]"),
    ([2, 2], "steps[1]"),
    ([0], "steps[0]"),
    ([1, -1], "steps[1]"),
]


@pytest.mark.parametrize(("counts", "refused"), COUNTS)
def test_so_many_steps_and_no_more(counts, refused, monkeypatch):
    monkeypatch.setattr(script_commands, "MOST_STEPS", 3)
    entries = [{"dt": 0.1, "count": count} for count in counts]
    if not refused:
        assert len(script_commands.steps_from(Path("run.json"), entries)) == sum(counts)
        return
    with pytest.raises(FormatError) as error:
        script_commands.steps_from(Path("run.json"), entries)
    assert f"{refused}.count" in str(error.value) and "expected 1 step or more, and 3 in all" in str(
        error.value
    )


def test_a_run_of_a_million_steps_is_read_and_no_longer_one():
    assert len(script_commands.steps_from(Path("run.json"), [{"dt": 0.1, "count": 1_000_000}])) == 1_000_000
    with pytest.raises(FormatError, match="1000000 in all"):
        script_commands.steps_from(Path("run.json"), [{"dt": 0.1, "count": 1_000_001}])
