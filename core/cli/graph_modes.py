"""``graph mode`` and ``graph post``: what a character plays, and what runs after it."""

import argparse
from dataclasses import replace
from typing import TypeVar

from core.blending.blend_space import BlendSpace
from core.cli.common import UsageError
from core.cli.replacing import add_overwrite, require_free
from core.clips.clip import Clip
from core.errors import MissingReferenceError
from core.graph.animation import chosen_animation, graph_of
from core.graph.compile import compile_graph
from core.graph.graph import Graph
from core.graph.montage import Montage
from core.graph.names import near
from core.io import load, save
from core.project.project import Project
from core.rig.rig import Animation, Rig

A = TypeVar("A")

KINDS: dict[str, type[Animation]] = {
    "clip": Clip, "space": BlendSpace, "montage": Montage, "graph": Graph,
}  # fmt: skip
"""What a character can play, by the word for it."""


def add_modes(words: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """The arguments of both words."""
    mode = words.add_parser("mode", help="choose what a character plays: a graph or an asset")
    mode.add_argument("file", help="a Posewright file")
    mode.add_argument(
        "--asset", metavar="NAME", help="a clip, blend space, montage or graph; none where left out"
    )
    post = words.add_parser("post", help="choose the graph that a rig runs after any other and after clips")
    post.add_argument("file", help="a Posewright file with graphs")
    post.add_argument("--graph", metavar="NAME", help="which graph; none where left out")
    for parser in (mode, post):
        parser.add_argument(
            "--rig",
            metavar="NAME",
            help="which rig; that of what is chosen where left out, else the only one",
        )
        parser.add_argument("--out", metavar="FILE", required=True, help="the file to write")
        add_overwrite(parser)


def run_mode(arguments: argparse.Namespace) -> int:
    """``graph mode``."""
    require_free(arguments.out, arguments.overwrite, [arguments.file])
    project = load(arguments.file).project
    asset = animation_named(project, arguments.asset, arguments.file) if arguments.asset else None
    rig = _one_rig(project, arguments, None if asset is None else getattr(asset, "rig", None))
    if asset is not None:
        compile_graph(graph_of(asset), project)
    save(project.with_assets(replace(rig, animation=getattr(asset, "id", None))), arguments.out)
    print(f"{arguments.out}: {rig.name} plays {getattr(asset, 'name', 'what it is given')}")
    return 0


def run_post(arguments: argparse.Namespace) -> int:
    """``graph post``."""
    require_free(arguments.out, arguments.overwrite, [arguments.file])
    project = load(arguments.file).project
    graph = None
    if arguments.graph:
        graph = _named(project.all(Graph), arguments.graph, arguments.file, "graph")
    rig = _one_rig(project, arguments, None if graph is None else graph.rig)
    if graph is not None:
        compile_graph(graph, project)
    save(project.with_assets(replace(rig, post_graph=None if graph is None else graph.id)), arguments.out)
    print(f"{arguments.out}: after {rig.name} runs {'no graph' if graph is None else graph.name}")
    return 0


def animation_named(project: Project, name: str, path: str) -> Animation:
    """A graph, clip, blend space or montage by its name, or by kind and name (``montage:wave``).

    Raises
    ------
    MissingReferenceError
        There is none; near names are listed.
    UsageError
        Several kinds have one of that name.
    """
    kind, colon, rest = name.partition(":")
    if colon and kind in KINDS:
        return _named(tuple(project.all(KINDS[kind])), rest, path, kind)
    found = [a for a in project.all(Animation) if getattr(a, "name", "") == name]
    words = [word for word, kind_ in KINDS.items() if any(isinstance(a, kind_) for a in found)]
    if len(words) > 1:
        ways = " or ".join(f"{word}:{name}" for word in words)
        raise UsageError(f"{path}: {name!r} is the name of a {' and a '.join(words)}; choose {ways}")
    return _named(project.all(Animation), name, path, "clip, blend space, montage or graph")


def animation_of(project: Project) -> Animation | None:
    """What the only rig that has an animation mode plays; None where none has, or several have."""
    found = [animation for rig in project.rigs if (animation := chosen_animation(rig, project)) is not None]
    return found[0] if len(found) == 1 else None


def _named(assets: tuple[A, ...], name: str, path: str, what: str) -> A:
    found = next((asset for asset in assets if getattr(asset, "name", "") == name), None)
    if found is None:
        names = [str(getattr(asset, "name", "")) for asset in assets]
        raise MissingReferenceError(f"{path}: no {what} is named {name!r}{near(name, names)}")
    return found


def _one_rig(project: Project, arguments: argparse.Namespace, needed: object) -> Rig:
    rigs = [rig for rig in project.rigs if arguments.rig in (None, rig.name)]
    if needed is not None:
        rigs = [rig for rig in rigs if rig.id == needed]
    if len(rigs) != 1:
        have = ", ".join(repr(rig.name) for rig in project.rigs) or "none"
        raise UsageError(f"{arguments.file}: choose one rig that it is for by --rig; there are: {have}")
    return rigs[0]
