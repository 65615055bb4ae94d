"""What every test gets: the virtual screen's environment, own directories, hypothesis profiles, leak checks.

Directories: each test runs with ``POSEWRIGHT_CONFIG_DIR`` (preferences, layout) and ``POSEWRIGHT_DATA_DIR``
(journals, backups, caches) set to fresh paths below pytest's temporary folder, and what a module sets up for all its
tests with paths of the module. They are not made beforehand: who writes there makes them. So no test ever sees or
touches what the user of this machine has, nor what a test in another process does.

Shared data: the fixture ``shared`` is the path of the shared folder and skips the test where it is absent; for
parametrised tests see ``tests/shared.py``.

GUI tests (those that use ``qapp`` or ``qtbot``, straight or through another fixture): threads and running timers
that a test leaves behind fail it.
"""

import gc
import itertools
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

from tests.shared import REASON, SHARED
from tests.temporary import own_folder

if sys.platform.startswith("linux"):
    # Before Qt is loaded: the offscreen platform gives no OpenGL context, xcb on the virtual screen does.
    os.environ["QT_QPA_PLATFORM"] = "xcb"
    os.environ.setdefault("LIBGL_ALWAYS_SOFTWARE", "1")
    # Each worker of pytest draws in its own thread: a tenth less work than with threads on busy processors.
    os.environ.setdefault("LP_NUM_THREADS", "0")
    # The same of linear algebra: its threads wait by turning, which is the others' time.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ["QT_ACCESSIBILITY"] = "0"
    os.environ["NO_AT_BRIDGE"] = "1"
    if not os.environ.get("XDG_RUNTIME_DIR"):  # Qt warns about it where nobody is logged in
        os.environ["XDG_RUNTIME_DIR"] = str(own_folder("runtime"))
    if not any("UTF-8" in os.environ.get(name, "").upper() for name in ("LC_ALL", "LC_CTYPE", "LANG")):
        os.environ["LC_ALL"] = "C.UTF-8"
os.environ["POSEWRIGHT_STILL"] = "1"  # views are there at once instead of gliding
for name in ("QT_SCALE_FACTOR", "QT_SCREEN_SCALE_FACTORS", "QT_STYLE_OVERRIDE", "QT_LOGGING_RULES"):
    os.environ.pop(name, None)

_quiet = [HealthCheck.too_slow, HealthCheck.data_too_large]
# HYPOTHESIS_PROFILE=deep or explore looks further, by other examples every time.
settings.register_profile(
    "ci", derandomize=True, deadline=None, max_examples=60, suppress_health_check=_quiet
)
settings.register_profile("deep", deadline=None, max_examples=600, suppress_health_check=_quiet)
settings.register_profile("explore", deadline=None, max_examples=2000, suppress_health_check=_quiet)
settings.register_profile(  # a fault need not be made small to be found
    "mutants", derandomize=True, deadline=None, max_examples=60, suppress_health_check=_quiet,
    phases=(Phase.explicit, Phase.generate),
)  # fmt: skip
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

_numbers = itertools.count()

LONGEST = (
    "editor/shell/test_verbs_by_key_and_mouse.py",
    "editor/portraits/test_panel_deeds.py",
    "resources/test_sample_clips.py",
    "resources/test_guide.py",
    "editor/test_words.py",
    "editor/shell/test_start.py",
    "reliability/test_reliability.py",
    "editor/shell/test_graph_job_by_mouse.py",
    "editor/shell/test_graph_job_by_keys.py",
    "editor/panels/blend_space/test_blend_space_panel.py",
    "editor/panels/play/test_play_by_hand.py",
    "resources/test_locomotion_file.py",
    "editor/model/play/test_play.py",
    "core/clips/test_compiled.py",
    "core/locomotion/test_long_poses.py",
    "core/cli/test_locomotion_drive.py",
    "editor/panels/dialogs/test_export_dialog.py",
    "editor/panels/retarget/test_retarget_panel.py",
    "editor/panels/layers/test_layers_panel.py",
    "editor/shell/test_playblast.py",
)
"""Files that take longest; they begin first, so that at the end no worker is left alone with one."""


TOGETHER = ("tests/resources/test_sample_",)
"""How files begin that share what takes seconds to set up, as the sample character does: one worker has them all."""


def unit_of(file: str) -> str:
    """What a file's tests belong to that go to one worker: those of the file, or of some that share their set-up."""
    return next((begin for begin in TOGETHER if file.startswith(begin)), file)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object | None:
    """Give files to workers as ``--dist loadfile`` does, but those of `TOGETHER` to one."""
    if config.getvalue("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return unit_of(super()._split_scope(nodeid))

    return Scheduling(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the files that take longest in front, whatever their names."""
    here = Path(__file__).parent
    place = {here / name: number for number, name in enumerate(LONGEST)}
    missing = [str(path) for path in place if not path.exists()]
    assert not missing, f"tests/conftest.py, LONGEST names files that are not there: {missing}"
    items.sort(key=lambda item: place.get(item.path, len(place)))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """No garbage collection while tests are collected: nearly all that comes is kept, a million objects."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        return (yield)
    finally:
        if was_on:
            gc.enable()


def pytest_collection_finish() -> None:
    """Set aside what collecting made: the leak check looks through all objects, and there are a million.

    Garbage is looked for less often than Python does by itself, which is a twentieth of the time of tests that compute:
    what a module leaves is collected after it.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


@pytest.fixture(autouse=True, scope="module")
def set_aside() -> Iterator[None]:
    """Set aside what the modules before left for good, such as libraries loaded late.

    Widgets that were never shown, and so never closed, go with the module that made them: a style sheet dresses every
    widget that there is, and each window of a later module would take the longer.
    """
    gc.collect()
    gc.freeze()
    yield
    if "PySide6.QtWidgets" in sys.modules:
        from tests.leaks import delete_widgets

        delete_widgets()


@pytest.fixture(autouse=True, scope="session")
def unhurried_disk() -> Iterator[None]:
    """Let the disk write when it likes: no test cuts the power, and waiting for it is a tenth of the suite's time.

    Tests of what is written when put their own function in this one's place.
    """
    with pytest.MonkeyPatch.context() as patch:
        for name in {"fsync", "fdatasync"} & set(vars(os)):
            patch.setattr(os, name, lambda handle: None)
        yield


@pytest.fixture(autouse=True, scope="session")
def kept_files() -> Iterator[None]:
    """Decode the samples once in each process: half a second of the one, two of the other, hundreds of times."""
    from core.io.native import read
    from tests.kept_files import KeptFiles

    kept = KeptFiles()
    read._read = kept
    yield
    read._read = kept.read


@pytest.fixture(autouse=True, scope="session")
def kept_pictures() -> Iterator[Callable[..., object]]:
    """Draw each small picture of a pose once in each process: every window that is open for long asks for them.

    Gives what draws them.
    """
    from editor.gl.clip_sketch import ClipSketcher
    from tests.kept_pictures import KeptPictures

    kept = KeptPictures()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ClipSketcher, "draw_pose", lambda *asked: kept(*asked))
        yield kept.draw


@pytest.fixture(scope="session")
def shared() -> Path:
    """Path of the shared folder (data, goldens, checkers); skips the test where it is absent."""
    if not SHARED.is_dir():
        pytest.skip(REASON)
    return SHARED


@pytest.fixture(autouse=True, scope="module")
def module_directories(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Point what windows of a whole module write at fresh paths, too: they are opened before their first test."""
    with pytest.MonkeyPatch.context() as patch:
        yield _fresh_directories(tmp_path_factory, patch)


@pytest.fixture(autouse=True)
def own_directories(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Point preferences, journals and backups at fresh paths; return the folder above them (not made yet)."""
    return _fresh_directories(tmp_path_factory, monkeypatch)


def _fresh_directories(factory: pytest.TempPathFactory, patch: pytest.MonkeyPatch) -> Path:
    top = factory.getbasetemp() / "directories" / str(next(_numbers))
    patch.setenv("POSEWRIGHT_CONFIG_DIR", str(top / "config"))
    patch.setenv("POSEWRIGHT_DATA_DIR", str(top / "data"))
    return top


@pytest.fixture(autouse=True)
def leak_check(request: pytest.FixtureRequest, own_directories: Path) -> Iterator[None]:
    """Fail a GUI test that leaves a thread or a running timer behind."""
    if not {"qapp", "qtbot"} & set(request.fixturenames):
        yield
        return
    from tests.leaks import Leaks, let_go_of_keys

    leaks = Leaks(request.getfixturevalue("qapp"))
    yield
    let_go_of_keys()
    found = leaks.found()
    if found:
        pytest.fail("left behind after the test:\n  " + "\n  ".join(found), pytrace=False)
