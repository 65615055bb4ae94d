"""A helper that waits, loaded, for the next file: what it returns, and what becomes of one that is not well."""

import os
import signal
import subprocess
import sys
import threading

import pytest

from core.errors import Cancelled, FormatError
from core.io import load, save
from core.io.common.helper import packet, spare
from core.io.common.helper.target import Kind, Target
from core.progress import Progress
from tests.core.io import making
from tests.core.io.common.test_fence import alive, children_of, wait_for
from tests.shared import ROOT

posix = pytest.mark.skipif(os.name == "nt", reason="signals")
WORKER = """
import os, sys, time
from core.io.common.helper.worker import leave
def collect(path):
    word = open(path).read()
    if word == "hang":
        time.sleep(60)
    if word == "crash":
        os.abort()
    return {"word": word, "process": os.getpid()}, {}
if __name__ == "__main__":
    leave(collect)
"""


@pytest.fixture(autouse=True)
def released():
    yield
    spare.release()


@pytest.fixture
def kind(tmp_path, monkeypatch):
    (tmp_path / "wordy_worker.py").write_text(WORKER)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return Kind("FBX", "wordy_worker", "numpy", "")


def waiting(kind):
    """The process that waits now; a refill may be under way."""
    return wait_for(lambda: spare._kept.spares.get(kind.worker)).process


def file(tmp_path, word):
    (tmp_path / f"{word}.fbx").write_text(word)
    return tmp_path / f"{word}.fbx"


def told(path, kind, progress=None):
    return packet.fetch(path, progress or Progress(), kind).told


def test_files_are_read_by_who_waited_each_by_another(tmp_path, kind):
    spare.keep(kind)
    for word in ("one", "two"):
        process = waiting(kind)
        assert told(file(tmp_path, word), kind) == {"word": word, "process": process.pid}
        assert process.returncode == 0, "it reads one file only"
    assert waiting(kind).poll() is None


def test_kept_for_so_many_files_no_more_are_started(tmp_path, kind):
    spare.keep(kind, files=1)
    process = waiting(kind)
    assert told(file(tmp_path, "one"), kind)["process"] == process.pid
    assert told(file(tmp_path, "two"), kind)["process"] != process.pid
    assert not spare._kept.spares


def test_real_file_is_the_same_from_a_helper_that_waited(tmp_path):
    pytest.importorskip("ufbx")
    from core.io.fbx.kind import FBX

    save(making.small(), tmp_path / "a.fbx")
    alone = load(tmp_path / "a.fbx").project
    spare.keep(FBX)
    process = waiting(FBX)
    project = load(tmp_path / "a.fbx").project
    assert process.returncode == 0
    assert [clip.tracks.keys() for clip in project.clips] == [clip.tracks.keys() for clip in alone.clips]
    assert [rig.skeleton.names for rig in project.rigs] == [rig.skeleton.names for rig in alone.rigs]


@posix
def test_spare_that_died_while_it_waited_is_passed_over(tmp_path, kind, caplog):
    spare.keep(kind)
    process = waiting(kind)
    process.kill()
    process.wait()
    assert told(file(tmp_path, "one"), kind)["process"] != process.pid
    assert "helper that waited has ended" in caplog.text


@posix
def test_spare_that_dies_before_it_takes_the_request_is_no_fault_of_the_file(tmp_path, kind):
    (tmp_path / "wordy_worker.py").write_text(
        "import sys, os\nif '--wait' in sys.argv: sys.stdin.readline(); os._exit(9)\n" + WORKER
    )
    spare.keep(kind)
    process = waiting(kind)
    assert told(file(tmp_path, "one"), kind)["word"] == "one"
    assert process.returncode == 9


@posix
def test_file_that_breaks_the_helper_down_is_told_as_one(tmp_path, kind):
    spare.keep(kind)
    with pytest.raises(FormatError, match=r"crash\.fbx: .*broke down over it \(signal 6\)"):
        told(file(tmp_path, "crash"), kind)
    assert told(file(tmp_path, "one"), kind)["word"] == "one", "the next has a helper of its own"


def test_file_that_hangs_the_helper_is_stopped_for_its_time(tmp_path, kind, monkeypatch):
    spare.keep(kind)
    process = waiting(kind)
    monkeypatch.setenv(packet.SECONDS_VARIABLE, "0.05")
    with pytest.raises(FormatError, match="more time or memory"):
        told(file(tmp_path, "hang"), kind)
    assert process.returncode is not None


def test_cancel_ends_the_helper(tmp_path, kind):
    spare.keep(kind)
    process = waiting(kind)
    progress = Progress(lambda fraction, text: progress.cancel())
    with pytest.raises(Cancelled):
        told(file(tmp_path, "hang"), kind, progress)
    assert process.returncode is not None


@posix
def test_slow_spare_is_asked_all_the_same(tmp_path, kind):
    """It is still loading, or held up, when the request comes: the request waits in its pipe."""
    spare.keep(kind)
    process = waiting(kind)
    process.send_signal(signal.SIGSTOP)
    go_on = Progress(lambda fraction, text: process.send_signal(signal.SIGCONT))
    assert told(file(tmp_path, "one"), kind, go_on)["process"] == process.pid


def test_two_at_once_have_a_helper_each(tmp_path, kind):
    spare.keep(kind)
    waiting(kind)
    found = {}

    def read(word):
        found[word] = told(tmp_path / f"{word}.fbx", kind)

    threads = [threading.Thread(target=read, args=(file(tmp_path, word).stem,)) for word in ("one", "two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {word: answer["word"] for word, answer in found.items()} == {"one": "one", "two": "two"}
    assert found["one"]["process"] != found["two"]["process"]


def test_reading_imports_nothing_that_loading_has_not(tmp_path):
    """Every module left to the first file would be read while somebody waits for it."""
    pytest.importorskip("ufbx")
    save(making.small(), tmp_path / "a.fbx")
    code = (
        "import sys, os; from core.io.fbx import worker; worker.load(); before = set(sys.modules)\n"
        f"worker.collect({str(tmp_path / 'a.fbx')!r}); print(sorted(set(sys.modules) - before)); "
        "sys.stdout.flush(); os._exit(0)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.stdout.strip() == "[]", done.stderr


def test_end_of_a_process_wakes_who_waits(monkeypatch):
    process = subprocess.Popen([sys.executable, "-c", ""])
    with packet._End(process) as end:
        while process.poll() is None:
            end.wait(30.0)
    monkeypatch.delattr(os, "pidfd_open", raising=False)  # as on other systems: it looks now and then
    process = subprocess.Popen([sys.executable, "-c", ""])
    with packet._End(process) as end:
        while process.poll() is None:
            end.wait(0.01)


def test_releasing_ends_it_and_files_are_read_as_before(tmp_path, kind):
    spare.keep(kind)
    process = waiting(kind)
    spare.release()
    assert process.returncode is not None
    assert told(file(tmp_path, "one"), kind)["process"] != process.pid
    assert not spare._kept.spares, "none is started any more"


def test_releasing_while_a_file_is_read_leaves_that_file_alone(tmp_path, kind):
    spare.keep(kind)
    process = waiting(kind)
    progress = Progress(lambda fraction, text: spare.release())
    assert told(file(tmp_path, "one"), kind, progress)["process"] == process.pid
    assert not spare._kept.spares


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc")
def test_spare_ends_with_who_keeps_it_however_that_happens(tmp_path, kind):
    code = (
        "import time; from core.io.common.helper import spare; from core.io.common.helper.target import Kind\n"
        "spare.keep(Kind('FBX', 'wordy_worker', 'numpy', '')); time.sleep(60)"
    )
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}:{tmp_path}"}
    parent = subprocess.Popen([sys.executable, "-c", code], env=environment, cwd=tmp_path)
    try:
        children = wait_for(lambda: children_of(parent.pid))
    finally:
        parent.kill()
        parent.wait()
    assert wait_for(lambda: not any(alive(child) for child in children))


def test_no_process_to_be_had_leaves_files_to_helpers_of_their_own(tmp_path, kind, monkeypatch, caplog):
    def refuse(*words):
        raise OSError("no more processes")

    monkeypatch.setattr(spare, "start", refuse)
    spare.keep(kind)
    assert not spare._kept.spares
    assert "no spare" in caplog.text
    assert told(file(tmp_path, "one"), kind)["word"] == "one"


def test_windows_hands_no_files_over(tmp_path, kind, monkeypatch):
    """There the packet is a file in a folder, named on the command line: tried here with the same helper."""
    monkeypatch.setattr(Target, "__enter__", Target.in_a_folder)
    spare.keep(kind)
    process = waiting(kind)
    folder = spare._kept.spares[kind.worker].target.folder
    assert told(file(tmp_path, "one"), kind) == {"word": "one", "process": process.pid}
    assert not folder.exists(), "it goes with the spare"
