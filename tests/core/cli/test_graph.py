"""``posewright graph check`` and ``graph run`` on files."""

import json
from dataclasses import replace

import pytest

from core.cli.main import main
from core.clips.sample import sample
from core.graph.graph import Role, Variable
from core.graph.language.values import Kind
from core.io import load, save
from tests.core.graph.builders import Drawing, walking

SPEED = Variable("speed", maximum=10.0, minimum=0.0)
GO = Variable("go", Kind.BOOL, maximum=1.0, minimum=0.0, role=Role.TRIGGER)


@pytest.fixture
def file(tmp_path):
    drawing = Drawing(walking("walk", 1.0, 1.5), walking("run", 0.5, 4.0, x=1.0), variables=(SPEED, GO))
    states = {name: drawing.clip_sheet(name) for name in ("walk", "run")}
    arrows = [("walk", "run", "speed > 2"), ("run", "walk", "take('go')")]
    graph = drawing.machine_graph(drawing.machine(states, arrows))
    path = tmp_path / "moves.posewright"
    save(drawing.project(graph), path)
    return path


def test_run_writes_a_clip_that_travels_and_the_same_bytes_again(file, tmp_path, capsys):
    inputs = tmp_path / "in.csv"
    inputs.write_text("time,speed,go\n0,1\n1,3\n2,1,true\n")
    outs = [tmp_path / f"out{k}.glb" for k in range(2)]
    for out in outs:
        assert (
            main(["graph", "run", str(file), "--inputs", str(inputs), "--seconds", "3", "--out", str(out)])
            == 0
        )
    assert outs[0].read_bytes() == outs[1].read_bytes()
    assert "ends in machine: walk" in capsys.readouterr().out
    clip = load(outs[0]).project.clips[0]
    assert clip.length == pytest.approx(3.0)
    roots = [t for c, t in clip.tracks.items() if c.bone == "root"]
    assert any(
        abs(float(t.values[-1]) - float(t.values[0])) > 3.0
        for t in roots
        if hasattr(t, "values") and t.values.ndim == 1
    )


def test_run_checks_what_is_expected(file, tmp_path, capsys):
    inputs = tmp_path / "in.json"
    script = {
        "seconds": 2,
        "inputs": [{"time": 1, "speed": 3}],
        "expect": [{"time": 0.5, "state": {"machine": "walk"}}, {"event": "step", "count": 3}],
    }
    inputs.write_text(json.dumps(script))
    trace = tmp_path / "trace.json"
    assert main(["graph", "run", str(file), "--inputs", str(inputs), "--trace", str(trace)]) == 0
    told = json.loads(trace.read_text())
    assert told[-1]["states"] == {"machine": "run"}
    assert any(
        event["kind"] == "enter" and event["name"] == "run" for step in told for event in step["events"]
    )
    script["expect"][0]["state"]["machine"] = "run"
    inputs.write_text(json.dumps(script))
    capsys.readouterr()
    assert main(["graph", "run", str(file), "--inputs", str(inputs)]) == 1
    assert "at 0.500 s 'machine' is in 'walk', expected 'run'" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("in.csv", "speed\n1\n", "line 1: expected a header that begins with time"),
        ("in.csv", "time,speed\nsoon,1\n", "line 2: expected a time"),
        ("in.csv", "time,sped\n0,1\n", "no variable 'sped'; near: speed"),
        ("in.csv", "time,speed\n0,fast\n", "expected float"),
        ("in.csv", "time,speed\n0,nan\n", "finite"),
        ("in.json", "{", "expected JSON"),
        ("in.json", "[" * 100_000, "expected JSON"),
        ("in.json", '{"inputs": [{"time": -1}]}', "inputs[0].time: expected a time"),
        ("in.json", '{"inputs": 5}', "inputs: expected a list"),
        ("in.json", '{"seconds": 1e9}', "seconds: expected a time"),
    ],
)
def test_bad_input_file_is_told_with_its_place(file, tmp_path, capsys, name, text, message):
    inputs = tmp_path / name
    inputs.write_text(text)
    out = tmp_path / "out.glb"
    assert main(["graph", "run", str(file), "--inputs", str(inputs), "--out", str(out)]) == 1
    assert message in capsys.readouterr().err
    assert not out.exists()


def test_check_tells_every_problem(file, tmp_path, capsys):
    assert main(["graph", "check", str(file)]) == 0
    assert "1 graph, nothing wrong" in capsys.readouterr().out
    project = load(file).project
    graph = next(asset for asset in project.assets.values() if asset.id == "graph-1")
    sheets = tuple(
        replace(s, transitions=tuple(replace(t, rule="sped > 1") for t in s.transitions))
        for s in graph.sheets
    )
    broken = tmp_path / "broken.posewright"
    save(project.with_assets(replace(graph, sheets=sheets)), broken)
    assert main(["graph", "check", str(broken), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert len([p for p in told if not p["warning"]]) == 2
    assert told[0]["column"] == 0


def test_run_without_a_graph_says_so(tmp_path, capsys):
    path = tmp_path / "plain.posewright"
    save(Drawing(walking("walk", 1.0, 1.0)).project(), path)
    assert main(["graph", "run", str(path)]) == 1
    assert "it holds no graph" in capsys.readouterr().err


def waving(tmp_path):
    """A file whose graph has a slot, and a montage that waves in it."""
    from tests.core.graph.builders import clip
    from tests.core.graph.test_montages import montage

    drawing = Drawing(walking("walk", 1.0, 1.5), clip("m", x=1.0), variables=(SPEED,), slots=("Group.Upper",))
    walk, slot = drawing.play("walk"), drawing.node("slot", "upper", slot="Group.Upper")
    states = {"walk": drawing.pose_sheet("walk", [walk, slot], [(walk, slot, "source")], slot)}
    states["stand"] = drawing.clip_sheet("m")
    arrows = [("walk", "stand", "speed > 5"), ("stand", "walk", "speed < 5", {"min_time": 100.0})]
    graph = drawing.machine_graph(drawing.machine(states, arrows))
    path = tmp_path / "waves.posewright"
    save(drawing.project(graph).with_assets(montage()), path)
    return path


def test_run_plays_montages_and_goes_to_states_as_the_input_file_says(tmp_path, capsys):
    inputs, trace = tmp_path / "in.json", tmp_path / "trace.json"
    script = {
        "seconds": 3,
        "commands": [
            {"time": 0.5, "do": "play", "montage": "wave", "rate": 2},
            {"time": 2, "do": "go", "machine": "machine", "state": "stand"},
        ],
        "expect": [
            {"time": 0.8, "montage": {"wave": "all"}},
            {"time": 1.2, "montage": {"wave": None}},
            {"time": 2.1, "state": {"machine": "stand"}},
            {"event": "wave", "count": 3},
        ],
    }
    inputs.write_text(json.dumps(script))
    arguments = ["graph", "run", str(waving(tmp_path)), "--inputs", str(inputs), "--trace", str(trace)]
    assert main(arguments) == 0, capsys.readouterr().out
    told = json.loads(trace.read_text())
    playing = [m for step in told for m in step["montages"]]
    assert {m["name"] for m in playing} == {"wave"}
    assert max(m["weight"] for m in playing) == 1.0


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ({"do": "dance"}, "commands\\[0\\].do: expected one of play, play_clip, stop"),
        ({"do": "play"}, "commands\\[0\\].montage: expected the name of a montage"),
        ({"do": "go", "machine": "machine", "state": "fly"}, "has no state 'fly'"),
        ({"do": "play", "montage": "wavy"}, "no montage 'wavy'; near: wave"),
        ({"do": "play", "montage": "wave", "rate": "fast"}, "rate: expected a number"),
        ({"do": "play", "montage": "wave", "speed": 1}, "speed: expected one of at, clip, do"),
    ],
)
def test_run_refuses_commands_that_make_no_sense(tmp_path, capsys, command, message):
    import re

    inputs = tmp_path / "in.json"
    inputs.write_text(json.dumps({"seconds": 1, "commands": [command]}))
    assert main(["graph", "run", str(waving(tmp_path)), "--inputs", str(inputs)]) != 0
    assert re.search(message, capsys.readouterr().err)


def test_run_checks_values_and_counts_between_two_times(file, tmp_path, capsys):
    script = tmp_path / "in.json"
    text = {
        "seconds": 2,
        "inputs": [{"time": 0.5, "speed": 1.5}],
        "expect": [
            {"time": 1, "value": {"speed": 1.5}},
            {"event": "step", "from": 0.0, "to": 1.0, "count": 1},
            {"event": "step"},
        ],
    }
    script.write_text(json.dumps(text))
    assert main(["graph", "run", str(file), "--inputs", str(script)]) == 0
    text["expect"] = [
        {"time": 0.2, "value": {"speed": 1.5}},
        {"event": "step", "to": 1.0, "count": 2},
        {"event": "jump"},
        {"time": "soon", "state": {"machine": "walk"}},
        {"speed": 3},
    ]
    script.write_text(json.dumps(text))
    capsys.readouterr()
    assert main(["graph", "run", str(file), "--inputs", str(script)]) == 1
    told = capsys.readouterr().out
    assert "expect[0]: at 0.200 s variable 'speed' is 0.0, expected 1.5" in told
    assert "expect[1]: 'step' happened 1 times, expected 2" in told
    assert "expect[2]: 'jump' happened 0 times, expected once or more" in told
    assert "expect[3]: it is not written as the guide says" in told
    assert "expect[4]: expected one of state, montage, value, event" in told


def test_explain_tells_why_a_transition_was_not_taken(file, tmp_path, capsys):
    inputs = tmp_path / "in.csv"
    inputs.write_text("time,speed\n0,1\n")
    words = ["graph", "explain", str(file), "--inputs", str(inputs), "--at", "1"]
    assert main([*words, "--bone", "hand"]) == 0
    told = capsys.readouterr().out
    assert "machine: walk -> run: rule: speed > 2 is false: speed = 1" in told
    assert "walk: weight 1.0000" in told
    assert "hand: " in told
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["reasons"][0]["why"] == "rule"
    assert found["leaves"] == {"walk": 1.0}


def test_run_reduces_the_keys_of_what_it_writes(file, tmp_path):
    counts = []
    for more in ([], ["--reduce", "1"]):
        out = tmp_path / f"out{len(counts)}.posewright"
        assert main(["graph", "run", str(file), "--seconds", "1", "--out", str(out), *more]) == 0
        counts.append(sum(len(track) for track in load(out).project.clips[0].tracks.values()))
    assert counts[1] < counts[0] / 4


def test_run_stands_on_the_ground_of_its_script_and_refuses_a_strange_one(file, tmp_path, capsys):
    script = tmp_path / "in.json"
    script.write_text(json.dumps({"seconds": 0.2, "ground": {"height": 0.1, "rise": 0.2, "count": 3}}))
    assert main(["graph", "run", str(file), "--inputs", str(script)]) == 0
    for wrong in ({"hight": 1}, {"height": "high"}, [1], {"run": 0}):
        script.write_text(json.dumps({"ground": wrong}))
        assert main(["graph", "run", str(file), "--inputs", str(script)]) != 0
    assert "ground: expected" in capsys.readouterr().err


def test_post_process_graph_is_chosen_and_runs_after_graphs_and_clips(file, tmp_path, capsys):
    project = load(file).project
    drawing = Drawing()
    given = drawing.node("pose_input")
    lift = drawing.node(
        "transform_bone", "", {"translation": "vec(0, 1, 0)"}, bone="hand", translation_way="add"
    )
    feet = replace(drawing.one(given, lift), id="graph-lift", name="lift")
    both, chosen = tmp_path / "both.posewright", tmp_path / "chosen.posewright"
    save(project.with_assets(feet), both)
    assert main(["graph", "post", str(both), "--graph", "lift", "--out", str(chosen)]) == 0
    assert load(chosen).project.rigs[0].post_graph == "graph-lift"

    def hand(source, *more):
        out = tmp_path / "out.posewright"
        words = ["graph", "run", str(source), "--seconds", "0.2", "--out", str(out), "--overwrite", *more]
        assert main(words) == 0
        loaded = load(out).project
        return sample(loaded.rigs[0], loaded.clips[0], 0.1).pose.translations[2, 1]

    assert hand(chosen) == pytest.approx(2.0)  # the only graph that is not run after others needs no name
    assert hand(chosen, "--clip", "walk") == pytest.approx(2.0)
    none = tmp_path / "none.posewright"
    assert main(["graph", "post", str(chosen), "--out", str(none)]) == 0
    assert hand(none, "--clip", "walk") == pytest.approx(1.0)
    capsys.readouterr()
    assert main(["graph", "post", str(both), "--graph", "lift", "--rig", "nobody", "--out", str(none)]) != 0
    assert main(["graph", "run", str(both), "--graph", "graph", "--clip", "walk"]) != 0
    assert "choose one of --graph, --clip" in capsys.readouterr().err


def test_animation_mode_is_chosen_and_is_what_runs(file, tmp_path, capsys):
    chosen = tmp_path / "chosen.posewright"
    assert main(["graph", "mode", str(file), "--asset", "walk", "--out", str(chosen)]) == 0
    assert "plays walk" in capsys.readouterr().out
    assert main(["graph", "run", str(chosen), "--seconds", "0.1"]) == 0
    assert capsys.readouterr().out.startswith("walk: 0.1 s")
    assert main(["graph", "mode", str(file), "--asset", "wolk", "--out", str(tmp_path / "x.posewright")]) != 0
    assert "near: walk" in capsys.readouterr().err
    none = tmp_path / "none.posewright"
    assert main(["graph", "mode", str(chosen), "--out", str(none)]) == 0
    assert load(none).project.rigs[0].animation is None


def test_run_stands_on_a_terrain_of_its_script(file, tmp_path, capsys):
    script = tmp_path / "in.json"
    terrain = {"format": "posewright.terrain", "version": 1, "pieces": [{"kind": "plane", "at": [0, 0.1, 0]}]}
    script.write_text(json.dumps({"seconds": 0.2, "ground": terrain}))
    assert main(["graph", "run", str(file), "--inputs", str(script)]) == 0, capsys.readouterr()
    script.write_text(json.dumps({"ground": {**terrain, "pieces": [{"kind": "hill"}]}}))
    assert main(["graph", "run", str(file), "--inputs", str(script)]) == 1
    assert "ground.pieces[0].kind: expected one of" in capsys.readouterr().err
