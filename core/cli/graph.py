"""``graph check FILE`` and ``graph run FILE``: animation graphs without a window, for scripts and build servers."""

import argparse
import csv
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from core.cli.common import Subcommand, UsageError, output_folder, positive
from core.cli.graph_commands import commands_from, steps_from
from core.cli.graph_runs import trace, unmet, walked
from core.cli.replacing import add_overwrite, kept_old, require_free
from core.clips.reduce import reduce_clip
from core.errors import AnimError, FormatError, MissingReferenceError
from core.evaluation.clip_pipeline import pose_assets
from core.graph.commands import Command
from core.graph.compile import compile_graph
from core.graph.explain import explain, told
from core.graph.graph import Graph
from core.graph.instance import LONGEST_STEP, InputValue
from core.graph.post import character_of, clip_graph
from core.graph.problems import GraphError
from core.graph.record import LONGEST_BAKE, Step, baked_run, even_steps
from core.ids import new_id
from core.io import load, save
from core.io.common.atomic import write_atomic
from core.math import kernels, transform
from core.project.project import Asset, Project
from core.project.references import part_of
from core.rig.rig import Rig
from core.terrain.ground import Ground
from core.timing import FrameRate

LARGEST_INPUT = 64 * 2**20
"""Bytes of an input file."""


def _arguments(parser: argparse.ArgumentParser) -> None:
    words = parser.add_subparsers(dest="word", metavar="WORD", required=True, parser_class=type(parser))
    check = words.add_parser("check", help="list every problem of a file's graphs")
    check.add_argument("file", help="a Posewright file with graphs")
    check.add_argument("--graph", metavar="NAME", help="which graph; all where left out")
    check.add_argument("--json", action="store_true", help="print the problems as JSON")
    play = words.add_parser(
        "run",
        help="run a graph with inputs from a file; write the result as a clip",
        epilog=(
            'Commands in JSON: {"time": 1, "do": DO, ...} with DO of play, stop, jump, next, pause, resume, rate (of '
            '"montage"), play_clip (of "clip" in "slot"), go, travel (of "machine" to "state"). Expectations: '
            '{"time": 2, "state": {"machine": "walk"}}, {"time": 2, "montage": {"wave": "loop"}}, '
            '{"time": 2, "value": {"speed": 1}}, {"event": "step", "count": 4}.'
        ),
    )
    play.add_argument("file", help="a Posewright file with graphs")
    play.add_argument("--graph", metavar="NAME", help="which graph; the only one where left out")
    play.add_argument(
        "--clip",
        metavar="NAME",
        help="play a clip in place of a graph; the rig's post-process graph runs after it",
    )
    play.add_argument(
        "--inputs",
        metavar="FILE",
        help="inputs over time: CSV with a column time, or JSON with inputs, commands, ground and expect, or with the "
        "steps of a saved run (guide: Run scripts)",
    )
    play.add_argument(
        "--seconds", type=positive, metavar="S", help="how long; else the input file says, or 5"
    )
    play.add_argument("--rate", type=positive, default=60.0, metavar="FPS", help="steps a second (60)")
    play.add_argument("--seed", type=int, default=0, metavar="N", help="of the graph's random numbers (0)")
    play.add_argument("--reduce", type=positive, metavar="MM", help="leave out keys within millimetres")
    play.add_argument("--out", metavar="CLIP", help="the file to write, such as CLIP.glb")
    play.add_argument(
        "--expect",
        metavar="FILE",
        help="what must hold beside what --inputs expects; status 1 where it does not",
    )
    play.add_argument("--trace", metavar="FILE", help="write states and events of every step as JSON")
    add_overwrite(play)
    post = words.add_parser("post", help="choose the graph that a rig runs after any other and after clips")
    post.add_argument("file", help="a Posewright file with graphs")
    post.add_argument("--graph", metavar="NAME", help="which graph; none where left out")
    post.add_argument(
        "--rig", metavar="NAME", help="which rig; the graph's where left out, else the only one"
    )
    post.add_argument("--out", metavar="FILE", required=True, help="the file to write")
    add_overwrite(post)
    why = words.add_parser("explain", help="tell why transitions were (not) taken at a moment of a run")
    why.add_argument("file", help="a Posewright file with graphs")
    why.add_argument("--graph", metavar="NAME", help="which graph; the only one where left out")
    why.add_argument("--inputs", metavar="FILE", help="inputs over time, as of run")
    why.add_argument("--at", type=positive, required=True, metavar="S", help="which moment, in seconds")
    why.add_argument("--rate", type=positive, default=60.0, metavar="FPS", help="steps a second (60)")
    why.add_argument("--seed", type=int, default=0, metavar="N", help="of the graph's random numbers (0)")
    why.add_argument("--bone", metavar="BONE", help="also tell what each node added to a bone")
    why.add_argument("--json", action="store_true", help="print it as JSON")


def graph_named(project: Project, name: str | None, path: str) -> Graph:
    """The graph of that name, or the only one; raises `MissingReferenceError` listing what there is.

    Without a name, graphs that rigs run after others are left aside where there are others.
    """
    graphs = project.all(Graph)
    found = [graph for graph in graphs if name is None or graph.name == name]
    if name is None and len(found) > 1:
        after = {rig.post_graph for rig in project.rigs}
        found = [graph for graph in found if graph.id not in after] or found
    have = ", ".join(repr(graph.name) for graph in graphs) or "none"
    if not found:
        what = "it holds no graph" if name is None else f"no graph is named {name!r}; there are: {have}"
        raise MissingReferenceError(f"{path}: {what}")
    if name is None and len(found) > 1:
        raise UsageError(f"{path}: it holds several graphs; choose one by --graph: {have}")
    return found[0]


@dataclass(slots=True)
class Script:
    """What an input file says.

    Parameters
    ----------
    inputs : time in seconds → variables written then
    seconds : how long to run; None where the file does not say
    expect : what must hold, checked after the run
    ground : what the character walks on; None is level ground
    commands : time in seconds → what is asked then
    steps : the steps of a saved run; None where inputs and commands say what happens
    """

    inputs: list[tuple[float, dict[str, InputValue]]] = field(default_factory=list)
    seconds: float | None = None
    expect: list[Mapping[str, Any]] = field(default_factory=list)
    ground: Ground | None = None
    commands: list[tuple[float, Command]] = field(default_factory=list)
    steps: list[Step] | None = None


def read_script(path: Path) -> Script:
    """Read an input file: CSV with a header ``time,variable,…``, or JSON; the guide describes both.

    Raises
    ------
    FormatError
        Naming the line or place of what is wrong.
    """
    try:
        if path.stat().st_size > LARGEST_INPUT:
            raise FormatError(path, "", f"expected at most {LARGEST_INPUT // 2**20} MB")
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise FormatError(path, "", f"it cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise FormatError(path, f"byte {error.start}", "expected UTF-8 text") from None
    return _from_json(path, text) if path.suffix.lower() == ".json" else _from_csv(path, text)


def _from_csv(path: Path, text: str) -> Script:
    rows = csv.reader(text.splitlines())
    header = [name.strip() for name in next(rows, [])]
    if not header or header[0] != "time":
        raise FormatError(path, "line 1", "expected a header that begins with time, then names of variables")
    script = Script()
    for row in rows:
        if not any(cell.strip() for cell in row):
            continue
        where = f"line {rows.line_num}"
        if len(row) > len(header):
            raise FormatError(path, where, f"expected at most {len(header)} columns, got {len(row)}")
        time = _time(path, where, row[0])
        cells = zip(header[1:], row[1:], strict=False)
        script.inputs.append((time, {name: _cell(cell.strip()) for name, cell in cells if cell.strip()}))
    return script


def _time(path: Path, where: str, value: object) -> float:
    try:
        time = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        time = math.nan
    if not 0.0 <= time <= LONGEST_BAKE:
        raise FormatError(path, where, f"expected a time of 0 to {LONGEST_BAKE:g} s, got {str(value)[:40]!r}")
    return time


def _cell(text: str) -> InputValue:
    """A number, a vector ``x y z``, true or false, or a text."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    try:
        numbers = [float(part) for part in text.split()]
    except ValueError:
        return text
    return numbers[0] if len(numbers) == 1 else numbers


def _from_json(path: Path, text: str) -> Script:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(path, "", f"expected JSON: {error}") from None
    if not isinstance(data, dict):
        raise FormatError(path, "", "expected an object with inputs, seconds and expect")
    lists: dict[str, list[Any]] = {}
    for key in ("inputs", "expect", "commands", "steps"):
        lists[key] = data.get(key, [])
        if not isinstance(lists[key], list) or not all(isinstance(item, dict) for item in lists[key]):
            raise FormatError(path, key, "expected a list of objects")
    script = Script(expect=lists["expect"], ground=_ground(path, data.get("ground")))
    if lists["steps"]:
        if lists["inputs"] or lists["commands"]:
            raise FormatError(path, "steps", "expected steps alone, or inputs and commands")
        script.steps = steps_from(path, lists["steps"])
    times = [_time(path, f"commands[{k}].time", e.get("time", 0.0)) for k, e in enumerate(lists["commands"])]
    script.commands = list(zip(times, commands_from(path, lists["commands"]), strict=True))
    if data.get("seconds") is not None:
        script.seconds = _time(path, "seconds", data["seconds"])
    for number, entry in enumerate(lists["inputs"]):
        values = {name: value for name, value in entry.items() if name != "time"}
        script.inputs.append((_time(path, f"inputs[{number}].time", entry.get("time", 0.0)), values))
    return script


def _ground(path: Path, data: object) -> Ground | None:
    """The ground by the members of `core.terrain.ground.Ground`, such as ``{"rise": 0.18, "count": 5}``."""
    if data is None:
        return None
    known = {field.name for field in fields(Ground)}
    if not isinstance(data, dict) or not set(data) <= known:
        raise FormatError(path, "ground", f"expected an object of {', '.join(sorted(known))}")
    if not all(isinstance(value, int | float) and math.isfinite(value) for value in data.values()):
        raise FormatError(path, "ground", "expected numbers")
    try:
        return Ground(**{name: int(value) if name == "count" else value for name, value in data.items()})
    except AnimError as error:
        raise FormatError(path, "ground", str(error)) from None


def _run(arguments: argparse.Namespace) -> int:
    return {"check": _check, "run": _play, "explain": _explain, "post": _post}[arguments.word](arguments)


def _check(arguments: argparse.Namespace) -> int:
    project = load(arguments.file).project
    graphs = project.all(Graph)
    if arguments.graph is not None:
        graphs = (graph_named(project, arguments.graph, arguments.file),)
    wrong = False
    told = []
    for graph in graphs:
        try:
            problems = compile_graph(graph, project).warnings
        except GraphError as error:
            problems, wrong = error.problems, True
        for problem in problems:
            told.append(
                {
                    "graph": graph.name, "sheet": problem.sheet, "node": problem.node, "pin": problem.pin,
                    "column": problem.column, "warning": problem.warning, "message": problem.message,
                }
            )  # fmt: skip
            if not arguments.json:
                print(f"{graph.name}: {'warning: ' if problem.warning else ''}{problem}")
    if arguments.json:
        print(json.dumps(told, indent=1))
    elif not told:
        print(f"{arguments.file}: {len(graphs)} graph{'' if len(graphs) == 1 else 's'}, nothing wrong")
    return 1 if wrong else 0


def _play(arguments: argparse.Namespace) -> int:
    inputs = [arguments.file, *([arguments.inputs] if arguments.inputs else [])]
    if arguments.out:
        require_free(arguments.out, arguments.overwrite, inputs)
    if arguments.trace:
        output_folder(arguments.trace)
        require_free(arguments.trace, arguments.overwrite, inputs)
    if kernels.is_warm():
        kernels.load()  # now, not while the run is under way: kernel and twin differ in the last bits
    project = load(arguments.file).project
    if arguments.clip and arguments.graph:
        raise UsageError("choose --clip or --graph, not both")
    if arguments.clip:
        graph = clip_graph(project.clip_named(arguments.clip))
    else:
        graph = graph_named(project, arguments.graph, arguments.file)
    character = character_of(graph, project, arguments.seed)
    script = read_script(Path(arguments.inputs)) if arguments.inputs else Script()
    seconds = arguments.seconds or script.seconds
    if seconds is None:
        seconds = max((time for time, _ in (*script.inputs, *script.commands)), default=0.0) or 5.0
    rate = FrameRate.of(arguments.rate)
    steps = script.steps or even_steps(seconds, rate, script.inputs, script.commands)
    expect = [*script.expect, *(read_script(Path(arguments.expect)).expect if arguments.expect else ())]
    if script.steps:
        seconds = sum(step.dt for step in steps)
    try:
        walk = walked(character, steps, script.ground)
    except AnimError as error:
        raise AnimError(f"{arguments.inputs or arguments.file}: {error}") from error
    if arguments.trace:
        write_atomic(Path(arguments.trace), json.dumps(trace(character, walk), indent=1).encode())
    results = walk.results
    if arguments.out:
        clip = baked_run(character.plan, results, steps, rate, new_id("clip"), graph.name)
        rig = project.get(Rig, graph.rig)
        if arguments.reduce:
            clip = reduce_clip(rig, clip, arguments.reduce / 1000.0, project.meshes_of(rig.id)).clip
        parts: tuple[Asset, ...] = (rig, *project.meshes_of(rig.id), *pose_assets(project, rig.id), clip)
        written = part_of(project, parts)
        for line in kept_old(arguments.out, written):
            print(line)
        save(written, arguments.out)
        print(f"{arguments.out}: {clip.length:.4g} s, {len(steps)} steps")
    states = ", ".join(f"{machine}: {state}" for machine, state in results[-1].states.items())
    events = sum(len(result.events) for result in results)
    print(f"{graph.name}: {seconds:g} s, {events} events" + (f", ends in {states}" if states else ""))
    missed = unmet(expect, walk)
    for line in missed:
        print(line)
    return 1 if missed else 0


def _post(arguments: argparse.Namespace) -> int:
    require_free(arguments.out, arguments.overwrite, [arguments.file])
    project = load(arguments.file).project
    graph = graph_named(project, arguments.graph, arguments.file) if arguments.graph else None
    rigs = [rig for rig in project.rigs if arguments.rig in (None, rig.name)]
    if graph is not None:
        rigs = [rig for rig in rigs if rig.id == graph.rig]
    if len(rigs) != 1:
        have = ", ".join(repr(rig.name) for rig in project.rigs) or "none"
        raise UsageError(
            f"{arguments.file}: choose one rig that the graph is for by --rig; there are: {have}"
        )
    if graph is not None:
        compile_graph(graph, project)
    changed = project.with_assets(replace(rigs[0], post_graph=None if graph is None else graph.id))
    save(changed, arguments.out)
    print(f"{arguments.out}: after {rigs[0].name} runs {'no graph' if graph is None else graph.name}")
    return 0


def _explain(arguments: argparse.Namespace) -> int:
    project = load(arguments.file).project
    graph = graph_named(project, arguments.graph, arguments.file)
    character = character_of(graph, project, arguments.seed)
    script = read_script(Path(arguments.inputs)) if arguments.inputs else Script()
    rate = FrameRate.of(arguments.rate)
    if rate.to_seconds(1) > LONGEST_STEP:
        raise UsageError(f"--rate: expected {1.0 / LONGEST_STEP:g} steps a second or more")
    steps = even_steps(arguments.at, rate, script.inputs, script.commands)
    walk = walked(character, steps, script.ground, len(steps) - 1)
    stands = walk.stands[-1] if walk.stands else transform.IDENTITY
    found = explain(character, replace(steps[-1], character=stands))
    if arguments.json:
        print(json.dumps({"reasons": told(found), "leaves": found.leaves()}, indent=1))
        return 0
    for reason in found.reasons:
        print(f"{reason.machine}: {reason.transition}: {reason.why}: {reason.detail}")
    for name, weight in found.leaves().items():
        print(f"{name}: weight {weight:.4f}")
    for added in found.bone(arguments.bone) if arguments.bone else ():
        print(
            f"{arguments.bone}: {added.name or added.kind}: {added.metres * 1000:.3f} mm, {added.degrees:.3f}°"
        )
    return 0


COMMAND = Subcommand("graph", "Check and run animation graphs.", _arguments, _run)
