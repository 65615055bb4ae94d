"""Compiling at its edges: what is chosen and why it cannot be, cancelling, comparing, and files of what was made."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.blending.layer_stack import ClipLayer, LayerStack
from core.clips.compiled import check
from core.clips.compiled.container import to_bytes
from core.clips.compiled.options import CompileOptions
from core.clips.compiled.player import CompiledPlayer
from core.ids import AssetId
from core.progress import Progress
from core.tracks.keys import scalar_track
from editor.model import compile_state, compile_work
from editor.model.compile_state import Compiling, Which, file_name
from editor.model.compile_work import BoneErrors, Compiled, compiled, measured, order_for
from editor.model.jobs import run_at_once
from editor.model.messages import Level
from editor.model.session import Session
from tests.editor.stage import RIG, TURN, WALK, small_project

QUICK = CompileOptions(metres=1e-2)


@pytest.fixture(autouse=True)
def _few_random_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is measured at a thousand random times is no more certain here."""
    monkeypatch.setattr(check, "RANDOM", 20)


@pytest.fixture
def session() -> Session:
    made = Session.create()
    project = small_project()
    walk = replace(project.clip_named("walk"), curves={"speed": scalar_track([0.0, 1.0], [1.0, 3.0])})
    made.document.replace(project.with_assets(walk), None)
    made.playback.set_clip(WALK)
    yield made
    made.close()


@pytest.fixture
def compiling(session: Session) -> Compiling:
    return session.feature(Compiling)


def told(event) -> list[None]:
    heard: list[None] = []
    event.connect(heard.append)
    return heard


def last(session: Session) -> tuple[str, str]:
    return session.messages.latest.text, session.messages.latest.next_step


class Later:
    """A runner whose work waits."""

    def __init__(self) -> None:
        self.waiting: list = []

    def __call__(self, work, then) -> None:
        self.waiting.append((work, then))


# ---------------------------------------------------------------- what is compiled
def test_settings_tell_of_changes_and_of_what_is_refused(session: Session, compiling: Compiling) -> None:
    heard = told(compiling.changed)
    compiling.set(metres=CompileOptions().metres)
    assert heard == []
    compiling.set(metres=1e-2, cubic=False)
    assert len(heard) == 1 and compiling.options == CompileOptions(metres=1e-2, cubic=False)
    compiling.set(shell=-1.0)
    assert len(heard) == 2 and compiling.options.shell == CompileOptions().shell
    assert session.messages.latest.level is Level.WARNING


def test_choosing_which_clips_begins_with_the_one_shown(session: Session, compiling: Compiling) -> None:
    heard = told(compiling.changed)
    assert compiling.which is Which.SHOWN and [clip.id for clip in compiling.targets] == [WALK]
    compiling.set_which(Which.SHOWN)
    assert heard == []
    compiling.set_which(Which.CHOSEN)
    assert len(heard) == 1 and compiling.is_chosen(WALK) and not compiling.is_chosen(TURN)
    compiling.choose(WALK, True)
    compiling.choose(TURN, False)
    assert len(heard) == 1
    compiling.choose(TURN, True)
    compiling.choose(WALK, False)
    assert len(heard) == 3 and [clip.id for clip in compiling.targets] == [TURN]
    compiling.set_which(Which.ALL)
    assert [clip.id for clip in compiling.targets] == [WALK, TURN]
    compiling.set_which(Which.CHOSEN)
    assert not compiling.is_chosen(WALK)  # there was a choice already


def test_choosing_without_a_clip_ticks_none(session: Session, compiling: Compiling) -> None:
    session.playback.set_clip(None)
    assert compiling.targets == () and compiling.result is None and compiling.fresh is None
    compiling.set_which(Which.CHOSEN)
    assert compiling.targets == ()


@pytest.mark.parametrize(
    ("case", "why"),
    [
        ("no character", "open or import a character first"),
        ("no clip", "create or select a clip first"),
        ("none ticked", "tick a clip first"),
        ("busy", "a clip is being compiled"),
        ("", ""),
    ],
)
def test_why_nothing_can_be_compiled(session: Session, compiling: Compiling, case: str, why: str) -> None:
    if case == "no character":
        session.files.new()
    elif case == "no clip":
        session.playback.set_clip(None)
    elif case == "none ticked":
        session.playback.set_clip(None)
        compiling.set_which(Which.CHOSEN)
    elif case == "busy":
        session.jobs.runner = Later()
        compiling.compile()
    assert compiling.why_not == why
    if why:
        assert compiling.compile() is None and last(session)[0] == f"Nothing was compiled: {why}"
    compiling.cancel()


# ---------------------------------------------------------------- results
def test_one_clip_says_what_came_of_it_and_several_how_many(session: Session, compiling: Compiling) -> None:
    compiling.set(metres=1e-2)
    heard = told(compiling.changed)
    job = compiling.compile()
    made = compiling.fresh
    assert job.title == "Compile walk" and len(heard) == 2 and not compiling.busy and compiling.job is None
    most = float(made.errors.metres.max()) * 1e3
    assert last(session)[0] == f"walk compiled: {made.report.ratio:.1f} : 1, largest error {most:.3f} mm"
    assert made.options.metres == 1e-2 and made.to_bytes() == to_bytes(made.clip)
    compiling.set_which(Which.ALL)
    assert compiling.compile().title == "Compile 2 clips" and last(session)[0] == "2 clips compiled"
    lines = compiling.lines()
    assert [(line.id, line.name, line.fresh) for line in lines] == [
        (WALK, "walk", True),
        (TURN, "turn", True),
    ]
    assert lines[0].ratio == made.report.ratio and lines[0].millimetres == pytest.approx(most)
    assert [one.order.clip.id for one in compiling.saveable] == [WALK, TURN]
    session.clips.rename(WALK, "stroll")
    assert [line.fresh for line in compiling.lines()] == [False, True]
    assert [one.order.clip.id for one in compiling.saveable] == [TURN]


def test_progress_goes_from_clip_to_clip(
    session: Session, compiling: Compiling, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[float] = []

    def noting(order: object, options: object, progress: Progress) -> Compiled:
        for part in (0.0, 1.0):
            progress.report(part)
            seen.append(compiling.job.fraction)
        return compiled(order, options, Progress())

    monkeypatch.setattr(compile_state, "compiled", noting)
    compiling.set_which(Which.ALL)
    compiling.compile()
    assert seen == [0.0, 0.5, 0.5, 1.0]


def test_progress_of_one_clip_rises_through_baking_compiling_and_measuring(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[float] = []
    shares: list[tuple[float, float]] = []
    progress = Progress(lambda fraction, text: seen.append(fraction))
    real = progress.part
    monkeypatch.setattr(progress, "part", lambda a, b: shares.append((a, b)) or real(a, b))
    compiled(order_for(small_project(), WALK), QUICK, progress)
    assert shares == [(0.0, 0.1), (0.1, 0.9), (0.9, 1.0)]
    assert seen == sorted(seen) and seen[0] >= 0.0 and seen[-1] <= 1.0


def test_a_cancel_keeps_what_is_compiled_and_says_how_much(
    session: Session, compiling: Compiling, monkeypatch: pytest.MonkeyPatch
) -> None:
    for count, words in ((0, "Compiling was cancelled: nothing changed"), (1, "Cancelled after 1 clip")):
        later = session.jobs.runner = Later()
        compiling.set_which(Which.ALL)
        compiling.set(metres=1e-2)
        compiling.compile()
        (work, then) = later.waiting[0]

        def stopping(order, options, progress, count=count):
            if order.clip.id == (WALK, TURN)[count]:
                compiling.cancel()
                progress.report(0.5)
            return compiled(order, options, progress)

        monkeypatch.setattr(compile_state, "compiled", stopping)
        work()
        then()
        assert last(session)[0] == words and not compiling.busy
        assert len(compiling.lines()) == count
    compiling.cancel()
    session.jobs.runner = run_at_once


def test_another_document_forgets_results_choices_and_comparison(
    session: Session, compiling: Compiling
) -> None:
    compiling.set_which(Which.CHOSEN)
    compiling.compile()
    compiling.compare.show(True)
    heard = told(compiling.changed)
    session.document.replace(small_project(), None)
    assert heard and compiling.lines() == () and not compiling.is_chosen(WALK) and not compiling.compare.on


def test_what_moves_with_a_clip_makes_its_result_old(session: Session, compiling: Compiling) -> None:
    compiling.compile()
    assert {part.id for part in compiling.result.order.parts} == {RIG, WALK}
    session.edits.put("other", replace(session.document.project.clip_named("turn"), length=3.0))
    assert compiling.fresh is not None
    stack = LayerStack(AssetId("stack"), "layers", RIG, WALK, (ClipLayer("turn", TURN),))
    session.edits.put("layer", stack)
    assert compiling.fresh is None
    session.undo()
    assert compiling.fresh is not None
    session.edits.put("rig", replace(session.rig, name="person"))
    assert compiling.fresh is None and compiling.result is not None


def test_bones_without_a_moment_are_off_by_nothing() -> None:
    none = BoneErrors(np.zeros(0), np.zeros((0, 3), np.float32))
    assert none.largest.tolist() == none.moments.tolist() == [0.0] * 3
    some = BoneErrors(np.array([0.5, 1.5]), np.array([[1.0, 0.0], [2.0, 0.0]], np.float32))
    assert some.largest.tolist() == [2.0, 0.0] and some.moments.tolist() == [1.5, 0.5]


@pytest.mark.parametrize(("metres", "holds"), [(2.0, True), (2.0 + 1e-8, False)])
def test_a_result_holds_up_to_its_bound(metres: float, holds: bool) -> None:
    made = compiled(order_for(small_project(), WALK), QUICK, Progress())
    errors = BoneErrors(np.zeros(1), np.array([[metres]]))
    assert replace(made, options=CompileOptions(metres=2.0), errors=errors).holds is holds


def test_errors_are_measured_alike_in_any_number_of_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    project = small_project()
    made = compiled(order_for(project, WALK), QUICK, Progress())
    times = np.linspace(0.0, 1.0, 11)
    wanted = CompiledPlayer(made.clip).poses(times)[0]
    wanted = type(wanted)(wanted.translation + 0.25, wanted.rotation, wanted.scale)
    whole = measured(made.clip, times, wanted, 0.03, Progress())
    reports: list[float] = []
    monkeypatch.setattr(compile_work, "CHUNK", 4)
    pieces = measured(made.clip, times, wanted, 0.03, Progress(lambda part, text: reports.append(part)))
    np.testing.assert_array_equal(pieces.metres, whole.metres)
    assert whole.metres[:, 0] == pytest.approx(np.sqrt(3.0) * 0.25)
    assert reports == pytest.approx([0.0, 4 / 11, 8 / 11])


# ---------------------------------------------------------------- saving
@pytest.mark.parametrize(
    ("given", "made"),
    [
        ("mine", "mine.pwclip"), ("mine.pwclip", "mine.pwclip"), ("mine.PWCLIP", "mine.PWCLIP"),
        ("jump 1.5", "jump 1.5.pwclip"), ("mine.bin", "mine.bin.pwclip"),
    ],
)  # fmt: skip
def test_one_clip_is_saved_under_the_name_given(
    session: Session, compiling: Compiling, tmp_path: Path, given: str, made: str
) -> None:
    compiling.compile()
    done: list[int] = []
    compiling.save(compiling.saveable, tmp_path / given, lambda: done.append(1))
    assert (tmp_path / made).read_bytes() == compiling.fresh.to_bytes() and done == [1]
    assert last(session) == (f"Saved {made}", str(tmp_path))


def test_clips_of_one_name_get_a_number_each(session: Session, compiling: Compiling, tmp_path: Path) -> None:
    made = compiled(order_for(small_project(), WALK), QUICK, Progress())
    names = ("Walk", "walk", "WALK", "a/b", "a_b")
    several = [
        replace(made, order=replace(made.order, clip=replace(made.order.clip, id=AssetId(n), name=n)))
        for n in names
    ]
    compiling.save(several, tmp_path)
    found = sorted(path.name for path in tmp_path.iterdir())
    assert found == ["WALK_3.pwclip", "Walk.pwclip", "a_b.pwclip", "a_b_2.pwclip", "walk_2.pwclip"]
    assert last(session) == ("Saved 5 files", str(tmp_path))


@pytest.mark.parametrize(
    ("name", "kept"), [(".a. ", "a"), ("a-b_(c).d", "a-b_(c).d"), ("?*", "__"), ("..", "clip")]
)
def test_names_of_files_keep_what_any_system_takes(name: str, kept: str) -> None:
    assert file_name(name) == f"{kept}.pwclip"
