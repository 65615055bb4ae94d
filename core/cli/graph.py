"""``graph check FILE`` and ``graph run FILE``: animation graphs without a window, for scripts and build servers."""

import argparse
import json
from dataclasses import replace
from pathlib import Path

from core.cli.common import Subcommand, UsageError, output_folder, positive
from core.cli.graph_modes import add_modes, animation_named, animation_of, run_mode, run_post
from core.cli.graph_runs import trace, unmet, walked
from core.cli.replacing import add_overwrite, kept_old, require_free
from core.clips.reduce import reduce_clip
from core.errors import AnimError, MissingReferenceError
from core.evaluation.clip_pipeline import pose_assets
from core.graph.animation import graph_of, opening
from core.graph.compile import compile_graph
from core.graph.explain import explain, told
from core.graph.graph import Graph
from core.graph.instance import LONGEST_STEP
from core.graph.post import character_of
from core.graph.problems import GraphError
from core.graph.record import baked_run, even_steps
from core.graph.script import Script, read_script
from core.ids import new_id
from core.io import load, save
from core.io.common.atomic import write_atomic
from core.math import kernels, transform
from core.project.project import Asset, Project
from core.project.references import part_of
from core.rig.rig import Animation, Rig
from core.timing import FrameRate


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
    play.add_argument(
        "--graph",
        metavar="NAME",
        help="which graph; what the character plays by its animation mode where left out, else the only graph",
    )
    play.add_argument(
        "--clip",
        metavar="NAME",
        help="play a clip in place of a graph; the rig's post-process graph runs after it",
    )
    play.add_argument("--asset", metavar="NAME", help="play a clip, blend space, montage or graph")
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
    add_modes(words)
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


def _run(arguments: argparse.Namespace) -> int:
    words = {"check": _check, "run": _play, "explain": _explain, "post": run_post, "mode": run_mode}
    return words[arguments.word](arguments)


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


def _played(arguments: argparse.Namespace, project: Project) -> Animation:
    """What a run plays: what is named, else by the character's animation mode, else the only graph."""
    named = [option for option in ("graph", "clip", "asset") if getattr(arguments, option)]
    if len(named) > 1:
        raise UsageError(f"choose one of {', '.join(f'--{option}' for option in named)}")
    if arguments.clip:
        return project.clip_named(arguments.clip)
    if arguments.asset:
        return animation_named(project, arguments.asset, arguments.file)
    chosen = None if arguments.graph else animation_of(project)
    return chosen or graph_named(project, arguments.graph, arguments.file)


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
    asset = _played(arguments, project)
    graph = graph_of(asset)
    character = character_of(graph, project, arguments.seed)
    script = read_script(Path(arguments.inputs)) if arguments.inputs else Script()
    seconds = arguments.seconds or script.seconds
    if seconds is None:
        seconds = max((time for time, _ in (*script.inputs, *script.commands)), default=0.0) or 5.0
    rate = FrameRate.of(arguments.rate)
    started = [(0.0, command) for command in opening(asset)]
    commands = [*started, *script.commands]
    steps = script.steps or even_steps(seconds, rate, script.inputs, commands)
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
