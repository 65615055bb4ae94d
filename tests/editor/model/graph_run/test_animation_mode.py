"""What a character plays: the choices, what is chosen, what runs after it, and what is tried instead."""

from dataclasses import replace

import pytest

from core.clips.clip import Clip
from core.graph.graph import Graph, Link, Node
from core.graph.montage_edits import new_montage
from core.ids import AssetId
from core.rig.rig import Rig
from editor.model.graph_run.animation_mode import kind_name, takes_pose
from editor.model.graph_run.state import GraphRun
from editor.model.session import Session
from tests.editor.panels.graph.graphs import GRAPH, OUTPUT, POSES, graph_project, id_of
from tests.editor.stage import RIG, TURN, WALK

POST, OTHER = AssetId("graph-post"), AssetId("rig-other")


@pytest.fixture
def session():
    """Two clips, a montage, a graph, and one that takes a pose; a rig with assets of the same kinds."""
    made, project = Session.create(), graph_project()
    graph, walk = project.get(Graph, GRAPH), project.get(Clip, WALK)
    montage = new_montage(AssetId("montage"), "wave", RIG, [walk])
    poses = graph.sheet(POSES)
    pose_input = Node(id_of(99), "pose_input")
    poses = replace(poses, nodes=(*poses.nodes, pose_input), links=(Link(pose_input.id, OUTPUT, "pose"),))
    post = replace(graph, id=POST, name="feet", sheets=(poses, *(s for s in graph.sheets if s.id != POSES)))
    rig = replace(project.get(Rig, RIG), id=OTHER, name="other")
    theirs = [
        replace(asset, id=AssetId(f"theirs-{k}"), rig=OTHER)
        for k, asset in enumerate((walk, graph, post, replace(montage, tracks=())))
    ]
    made.document.replace(project.with_assets(post, montage, rig, *theirs), None)
    made.playback.set_clip(WALK)
    yield made
    made.close()


@pytest.fixture
def run(session) -> GraphRun:
    return session.feature(GraphRun)


def last(session) -> str:
    return session.history.labels[-1]


def test_all_that_the_character_can_play_is_listed_by_kind(session, run) -> None:
    assert [(c.id, c.name, c.kind, c.icon) for c in run.mode.choices] == [
        (GRAPH, "test", "graph", "graph"), (POST, "feet", "graph", "graph"), (WALK, "walk", "clip", "clip"),
        (TURN, "turn", "clip", "clip"), ("montage", "wave", "montage", "layers"),
    ]  # fmt: skip
    assert kind_name(Rig) == ""


def test_what_runs_after_it_is_none_of_the_choices(session, run) -> None:
    assert [(c.id, c.kind, c.icon) for c in run.mode.post_choices] == [(POST, "graph", "graph")]
    run.mode.choose_post(POST)
    assert POST not in [c.id for c in run.mode.choices] and GRAPH in [c.id for c in run.mode.choices]
    run.mode.choose_post(GRAPH)  # it takes no pose, but it is what is chosen
    assert [c.id for c in run.mode.post_choices] == [GRAPH, POST]


def test_a_graph_takes_a_pose_by_a_node_on_any_sheet(session) -> None:
    post = session.document.project.get(Graph, POST)
    assert takes_pose(post) and takes_pose(replace(post, sheets=tuple(reversed(post.sheets))))
    assert not takes_pose(session.document.project.get(Graph, GRAPH))


def test_without_a_character_there_is_nothing_to_choose(session, run) -> None:
    session.document.replace(graph_project().without(*graph_project().assets), None)
    mode, played = run.mode, run.played
    assert mode.rig is None and mode.choices == () and mode.post_choices == ()
    assert mode.chosen is None and mode.post is None and mode.first() is None
    assert not mode.choose(None) and not mode.choose_post(None)
    assert played.graphs == () and played.asset is None and played.graph is None and played.post is None
    assert played.both == () and played.variables == () and session.history.position == 0


def test_a_choice_is_one_step_and_the_same_again_is_none(session, run) -> None:
    mode = run.mode
    assert mode.rig.id == RIG and mode.chosen is None
    assert mode.choose(TURN) and last(session) == "Animation mode: turn" and mode.chosen.id == TURN
    assert not mode.choose(TURN) and session.history.position == 1
    assert mode.choose(None) and last(session) == "Animation mode: none" and mode.chosen is None
    assert not mode.choose(None) and session.history.position == 2


def test_what_runs_after_it_is_chosen_in_one_step(session, run) -> None:
    mode = run.mode
    mode.choose(TURN)
    assert mode.choose_post(POST) and last(session) == "Post-process graph: feet" and mode.post.id == POST
    assert mode.chosen.id == TURN and not mode.choose_post(POST)
    assert mode.choose_post(None) and last(session) == "Post-process graph: none" and mode.post is None
    assert mode.chosen.id == TURN
    mode.choose(POST)
    mode.choose_post(POST)
    assert mode.chosen is None, "it takes a pose, and gives none by itself"


def test_the_first_graph_that_does_not_run_after_others_plays(session, run) -> None:
    assert run.mode.first().id == GRAPH
    run.mode.choose_post(GRAPH)
    assert run.mode.first().id == POST
    session.edits.remove("gone", POST)
    assert run.mode.first() is None and run.played.asset is None


# ---------------------------------------------------------------- what is played
def test_graphs_of_the_character_shown(session, run) -> None:
    assert [g.id for g in run.played.graphs] == [GRAPH, POST]


def test_what_is_tried_comes_before_what_is_chosen_and_that_before_the_first(session, run) -> None:
    played = run.played
    assert played.asset.id == GRAPH
    run.mode.choose(TURN)
    assert played.asset.id == TURN
    played.tried = WALK
    assert played.asset.id == WALK
    for none in ("theirs-0", "gone", RIG):
        played.tried = AssetId(none)
        assert played.asset.id == TURN, none


def test_an_asset_is_played_by_one_graph_until_it_changes(session, run) -> None:
    played = run.played
    assert played.graph is played.asset
    run.mode.choose(TURN)
    first = played.graph
    assert first is played.graph and first.name == "turn" and first.id == f"graph-of-{TURN}"
    turn = session.document.project.get(Clip, TURN)
    session.edits.put("renamed", replace(turn, name="turned"))
    assert played.graph is not first and played.graph.name == "turned"


def test_variables_are_those_of_the_graph_and_of_the_one_after_it(session, run) -> None:
    played = run.played
    assert [(g.id, v.name) for g, v in played.variables] == [(GRAPH, "speed"), (GRAPH, "crouch")]
    run.mode.choose_post(POST)
    assert [g.id for g in played.both] == [GRAPH, POST] and len(played.variables) == 4
    played.tried = POST
    assert played.post is None and [g.id for g in played.both] == [POST], "it does not run after itself"
