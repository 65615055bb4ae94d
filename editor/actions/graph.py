"""Actions that run what the character plays: graphs, clips, blend spaces, montages."""

from collections.abc import Callable

from editor.actions.action import Action, Scope
from editor.model.graph.editor import GraphEditor
from editor.model.graph_run.clock import SPEEDS
from editor.model.graph_run.on_canvas import RunOnCanvas
from editor.model.graph_run.state import GraphRun
from editor.model.i18n import tr
from editor.model.session import Session


def _run(session: Session) -> GraphRun:
    return session.feature(GraphRun)


def _can_play(session: Session) -> str:
    return "" if _run(session).played.asset is not None else tr("this character has no animation graph")


def _is_on(session: Session) -> str:
    return "" if _run(session).on else tr("no graph is shown")


def _recorded(session: Session) -> str:
    return "" if _run(session).take is not None else tr("nothing is recorded yet: run it first")


def _compared(session: Session) -> str:
    return "" if _run(session).deck.comparison is not None else tr("nothing was changed since the recording")


def _has_clip(session: Session) -> str:
    return "" if session.clip is not None else tr("no clip is shown")


def _play_clip(session: Session) -> None:
    if session.clip is not None:
        _run(session).play_as(session.clip.id)


def _step_mode(session: Session, by: int) -> None:
    """The next thing that the character can play."""
    run = _run(session)
    choices = [None, *(choice.id for choice in run.mode.choices)]
    now = getattr(run.mode.chosen, "id", None)
    run.play_as(choices[(choices.index(now) + by) % len(choices)])


def _breakable(session: Session) -> str:
    found = session.feature(RunOnCanvas).breakable
    return "" if found else tr("select nodes, states or transitions on the canvas first")


def _breaks_there(session: Session) -> bool:
    chosen = session.feature(RunOnCanvas).breakable
    return bool(chosen) and all(id in _run(session).breaks.nodes for id in chosen)


def _has_breaks(session: Session) -> str:
    return "" if _run(session).breaks else tr("there are no break points")


def _watchable(session: Session) -> str:
    found = session.feature(RunOnCanvas).watchable
    return "" if found else tr("select a node or a pin on the canvas first")


def _post_choices(session: Session) -> str:
    if _run(session).mode.post_choices:
        return ""
    return tr("no graph of this character takes a pose: add a Pose input node to one")


def _next_post(session: Session) -> None:
    """The next graph that takes a pose, after the last one none."""
    mode = _run(session).mode
    choices = [None, *(choice.id for choice in mode.post_choices)]
    now = None if mode.post is None else mode.post.id
    mode.choose_post(choices[(choices.index(now) + 1) % len(choices)])


def _can_be_post(session: Session) -> str:
    graph, mode = session.feature(GraphEditor).canvas.graph, _run(session).mode
    if graph is None:
        return tr("there is no graph yet: make one first")
    if all(choice.id != graph.id for choice in mode.post_choices):
        return tr("{name} takes no pose: add a Pose input node", name=graph.name)
    return ""


def _open_as_post(session: Session) -> None:
    graph = session.feature(GraphEditor).canvas.graph
    if graph is not None:
        _run(session).mode.choose_post(graph.id)


def _slower(session: Session, factor: float) -> None:
    run = _run(session)
    at = SPEEDS.index(run.clock.speed) + (1 if factor > 1.0 else -1)
    run.clock.speed = SPEEDS[min(max(at, 0), len(SPEEDS) - 1)]
    run.state_changed.emit(None)


def actions() -> list[Action]:
    """Declared once, for menu, palette and shortcuts."""
    menu = tr("Graph")

    def running(id: str, title: str, act: Callable[[GraphRun], object], tip: str = "") -> Action:
        return Action(
            id, title, lambda s: act(_run(s)), menu=menu, section="graph", enabled=_can_play, tip=tip
        )

    def recorded(id: str, title: str, act: Callable[[GraphRun], object] | None, tip: str = "") -> Action:
        run = None if act is None else (lambda s: act(_run(s)))
        return Action(id, title, run, menu=f"{menu}/{tr('Recording')}", enabled=_recorded, tip=tip)

    return [
        Action(
            "graph.run", tr("Run or pause the animation graph"), lambda s: _run(s).toggle(), menu=menu,
            section="graph", enabled=_can_play, checked=lambda s: _run(s).running,
            tip=tr("Run what the character plays, with the variables of the Variables panel; all steps are recorded"),
        ),
        Action(
            "graph.run_open", tr("Run the graph on the canvas"),
            lambda s: s.feature(RunOnCanvas).run_open(), menu=menu, section="graph", enabled=_can_play,
            tip=tr("Try the open graph, whatever the character plays by its animation mode"),
        ),
        running("graph.step", tr("Step the animation graph"), lambda r: r.step_once()),
        running("graph.restart", tr("Restart the animation graph"), lambda r: r.restart()),
        Action(
            "graph.stop", tr("Stop the animation graph"), lambda s: _run(s).stop(), menu=menu,
            section="graph", enabled=_is_on,
        ),
        Action(
            "graph.play_clip", tr("Animation mode: play the clip shown"), _play_clip, menu=menu,
            section="mode", enabled=_has_clip,
            tip=tr("The character plays this clip, with its post-process graph after it, where it is run"),
        ),
        Action(
            "graph.play_first", tr("Animation mode: play the first graph"), lambda s: _run(s).play_as(None),
            menu=menu, section="mode", enabled=_can_play,
        ),
        Action(
            "graph.play_next", tr("Animation mode: next graph or asset"), lambda s: _step_mode(s, 1), menu=menu,
            section="mode", enabled=_can_play,
        ),
        Action(
            "graph.use_post", tr("Post-process graph: use the graph on the canvas"), _open_as_post, menu=menu,
            section="mode", enabled=_can_be_post, tip=tr("It runs after whatever the character plays"),
        ),
        Action(
            "graph.next_post", tr("Post-process graph: next"), _next_post, menu=menu, section="mode",
            enabled=_post_choices, tip=tr("The next graph that takes a pose runs after whatever the character plays"),
        ),
        Action(
            "graph.no_post", tr("Remove the post-process graph"), lambda s: _run(s).mode.choose_post(None),
            menu=menu, section="mode",
            enabled=lambda s: "" if _run(s).mode.post is not None else tr("no graph runs after others"),
        ),
        Action(
            "graph.break", tr("Break point at what is selected"),
            lambda s: s.feature(RunOnCanvas).toggle_breaks(), ("F9",), Scope.GRAPH, menu, "run",
            enabled=_breakable, checked=_breaks_there,
            tip=tr("The run pauses where a node or state becomes active, or a transition begins"),
        ),
        Action(
            "graph.clear_breaks", tr("Clear break points"), lambda s: _run(s).breaks.clear(), menu=menu,
            section="run", enabled=_has_breaks,
        ),
        Action(
            "graph.watch", tr("Plot the value or weight of what is selected"),
            lambda s: s.feature(RunOnCanvas).watch(), ("Shift+W",), Scope.GRAPH, menu, "run", enabled=_watchable,
            tip=tr("Watch a pin, or the weight of a node, as a lane of the Run panel; once more ends it"),
        ),
        recorded("graph.back", tr("One recorded step back"), lambda r: r.step_back()),
        recorded("graph.first", tr("Go to the first recorded step"), lambda r: r.goto(1)),
        recorded(
            "graph.last", tr("Go to the last recorded step"), lambda r: r.goto(len(r.take.steps) if r.take else 1)
        ),
        recorded("graph.mark", tr("Mark this moment of the run"), lambda r: r.replay.mark(r.time)),
        recorded(
            "graph.go_on", tr("Go on from this recorded step"), lambda r: r.go_on_from_here(),
            tr("Drop what is recorded after it, and run on"),
        ),
        recorded("graph.why", tr("Why (not)? Ask about transitions and bones"), None),
        recorded("graph.span_clip", tr("New clip from the run"), None),
        recorded("graph.export_span", tr("Export the run…"), None),
        recorded("graph.save_test", tr("Save the run as a test…"), None),
        recorded("graph.save_inputs", tr("Save the inputs of the run…"), None),
        Action(
            "graph.load_inputs", tr("Play inputs from a file…"), menu=f"{menu}/{tr('Recording')}",
            enabled=_can_play,
        ),
        Action(
            "graph.compare", tr("Swap the runs before and after the change"), lambda s: _run(s).deck.compare(),
            menu=f"{menu}/{tr('Recording')}", enabled=_compared,
        ),
        Action(
            "graph.slower", tr("Run in slower motion"), lambda s: _slower(s, 0.5),
            menu=f"{menu}/{tr('Recording')}", enabled=_can_play,
        ),
        Action(
            "graph.faster", tr("Run in faster motion"), lambda s: _slower(s, 2.0),
            menu=f"{menu}/{tr('Recording')}", enabled=_can_play,
        ),
        Action("graph.add_variable", tr("Add a variable"), menu=menu, section="variables", enabled=_can_play),
        Action("graph.add_trigger", tr("Add a trigger"), menu=menu, section="variables", enabled=_can_play),
    ]  # fmt: skip
