"""What helper processes cannot do, tried from within; and that they end with who started them."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

import core.io
from core.errors import FormatError
from core.io.common.helper import fence
from core.io.common.helper.packet import fetch
from core.io.common.helper.target import Kind
from core.io.common.opening import NotAFileError, open_regular, read_regular
from core.progress import Progress
from tests.shared import ROOT

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="system calls are filtered on Linux")
posix = pytest.mark.skipif(os.name == "nt", reason="no such files there")

HOSTILE = """
import os, socket, subprocess, threading, sys
from core.io.common.helper.worker import leave
def attempt(work):
    try:
        work()
    except OSError as error:
        return type(error).__name__
    return "done"
def collect(path):
    from pathlib import Path
    folder = Path(path).parent
    thread = threading.Thread(target=lambda: None); thread.start(); thread.join()
    return {
        "socket": attempt(lambda: socket.socket()),
        "program": attempt(lambda: subprocess.run(["/bin/true"])),
        "fork": attempt(os.fork),
        "write": attempt(lambda: (folder / "new").write_text("x")),
        "append": attempt(lambda: open(path, "a")),
        "rename": attempt(lambda: os.rename(path, path + "2")),
        "remove": attempt(lambda: os.unlink(path)),
        "mode": attempt(lambda: os.chmod(path, 0o777)),
        "signal": attempt(lambda: os.kill(os.getppid(), 0)),
        "read": attempt(lambda: open(path).read()),
        "here": os.getcwd(),
        "privileges": [l for l in open("/proc/self/status") if l.startswith("NoNewPrivs")][0].split()[1],
    }, {}
if __name__ == "__main__":
    leave(collect)
"""
SLEEPER = """
import time
from core.io.common.helper.worker import leave
def collect(path):
    time.sleep(800)
if __name__ == "__main__":
    leave(collect)
"""
LARGE = """
from core.io.common.helper.worker import leave
import numpy as np
def collect(path):
    return {}, {"large": np.zeros(40 << 20, np.uint8)}
if __name__ == "__main__":
    leave(collect)
"""


def worker(tmp_path, monkeypatch, text):
    """A reader whose helper runs this."""
    (tmp_path / "hostile_worker.py").write_text(text)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / "scene.fbx").write_bytes(b"anything")
    return Kind("FBX", "hostile_worker", "numpy", "")


@linux
@pytest.mark.skipif(fence.platform.machine() not in fence.MACHINES, reason="no filter for this machine")
def test_helper_reads_and_can_do_nothing_else(tmp_path, monkeypatch):
    kind = worker(tmp_path, monkeypatch, HOSTILE)
    told = fetch(tmp_path / "scene.fbx", Progress(), kind).told
    assert told.pop("read") == "done" and told.pop("here") == "/" and told.pop("privileges") == "1"
    assert told == dict.fromkeys(told, "PermissionError"), "each of these was tried, and refused"
    assert sorted(p.name for p in tmp_path.iterdir() if p.suffix) == ["hostile_worker.py", "scene.fbx"]


@posix
def test_helper_cannot_write_more_than_it_is_given(tmp_path, monkeypatch):
    kind = worker(tmp_path, monkeypatch, LARGE)
    monkeypatch.setattr(fence, "limit_files", lambda megabytes: None)
    text = (tmp_path / "hostile_worker.py").read_text()
    (tmp_path / "hostile_worker.py").write_text(
        "from core.io import fence\nreal = fence.limit_files\nfence.limit_files = lambda m: real(1)\n" + text
    )
    with pytest.raises(FormatError, match=r"File too large|failed on it"):
        fetch(tmp_path / "scene.fbx", Progress(), kind)


@linux
def test_helper_ends_with_its_parent_and_leaves_nothing(tmp_path, monkeypatch):
    worker(tmp_path, monkeypatch, SLEEPER)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    code = (
        "from core.io.common.helper.packet import fetch; from core.io.common.helper.target import Kind; "
        "from core.progress import Progress; from pathlib import Path\n"
        f"fetch(Path({str(tmp_path / 'scene.fbx')!r}), Progress(), Kind('FBX', 'hostile_worker', 'numpy', ''))"
    )
    environment = {**os.environ, "TMPDIR": str(temporary), "PYTHONPATH": f"{ROOT}:{tmp_path}"}
    parent = subprocess.Popen([sys.executable, "-c", code], env=environment, cwd=tmp_path)
    try:
        children = wait_for(lambda: children_of(parent.pid))
    finally:
        parent.send_signal(signal.SIGKILL)
        parent.wait()
    assert children, "the helper runs"
    assert wait_for(lambda: not any(alive(child) for child in children)), "and is gone"
    assert list(temporary.iterdir()) == []


def wait_for(condition, seconds=400.0):
    until = time.monotonic() + seconds
    while not (found := condition()) and time.monotonic() < until:
        time.sleep(0.02)
    return found


def children_of(pid):
    try:
        return [int(c) for c in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


@pytest.mark.parametrize("machine", fence.MACHINES)
def test_filter_is_well_formed_on_every_machine(machine):
    calls = fence.MACHINES[machine]
    text = fence.program(calls, 1234)
    count = len(text) // 8
    assert len(text) == count * 8 and count < 4096
    for row in range(count):
        code, yes, no, _ = fence.struct.unpack_from("=HBBI", text, row * 8)
        if code in (fence.EQUALS, fence.AT_LEAST, fence.ANY_BIT):
            assert row + 1 + max(yes, no) < count, "no jump leaves the program"
    assert fence.struct.unpack_from("=HBBI", text, len(text) - 8)[0] == fence.RETURN
    every = [*calls.refused, *calls.unknown, calls.clone, *calls.signals, *(n for n, _ in calls.opens)]
    assert len(set(every)) == len(every), "each call is judged once"


# ---------------------------------------------------------------- what is no file
def special(tmp_path, kind, suffix):
    path = tmp_path / f"thing{suffix}"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        os.chdir(tmp_path)  # names of sockets are short
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "folder":
        path.mkdir()
    elif kind == "loop":
        path.symlink_to(path)
    return path


@posix
@pytest.mark.parametrize("suffix", [".posewright", ".glb", ".bvh", ".fbx", ".usda", ".pwclip"])
@pytest.mark.parametrize(
    ("kind", "said"),
    [("pipe", "a named pipe"), ("socket", "a socket"), ("device", "a device"), ("folder", "a folder"),
     ("loop", "symbolic links")],
)  # fmt: skip
def test_what_is_no_regular_file_is_refused_before_it_is_opened(tmp_path, monkeypatch, kind, said, suffix):
    monkeypatch.chdir(tmp_path)
    path = special(tmp_path, kind, suffix)
    with pytest.raises(FormatError, match=said):
        core.io.load(path)


@posix
def test_regular_file_behind_a_link_is_opened(tmp_path):
    (tmp_path / "file").write_bytes(b"abc")
    (tmp_path / "link").symlink_to("file")
    with open_regular(tmp_path / "link") as file:
        assert file.read() == b"abc"
    assert read_regular(tmp_path / "link", 3) == b"abc"
    with pytest.raises(NotAFileError, match="more than the 2"):
        read_regular(tmp_path / "link", 2)


@posix
def test_pipe_beside_a_gltf_file_is_refused(tmp_path):
    os.mkfifo(tmp_path / "walk.bin")
    (tmp_path / "walk.gltf").write_text(
        '{"asset": {"version": "2.0"}, "buffers": [{"byteLength": 4, "uri": "walk.bin"}],'
        ' "bufferViews": [{"buffer": 0, "byteLength": 4}], "accessors": [{"bufferView": 0, "componentType": 5126,'
        ' "count": 1, "type": "SCALAR"}], "nodes": [{"name": "a"}], "scenes": [{"nodes": [0]}], "scene": 0,'
        ' "animations": [{"channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],'
        ' "samplers": [{"input": 0, "output": 0}]}]}'
    )
    with pytest.raises(FormatError, match="sensible size"):
        core.io.load(tmp_path / "walk.gltf")
