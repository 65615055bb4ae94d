"""The machine around the program: processes, what they left, logs, folders, catalogues, and pictures."""

import gettext
import logging
import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from editor.model import heap, i18n, leftovers, logs, paths, process, recent_pictures
from editor.model.leftovers import DAY, HOUR, sweep

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks Linux")


def made(folder: Path, name: str, age: float = 0.0) -> Path:
    path = folder / name
    path.write_text("x")
    os.utime(path, (time.time() - age,) * 2)
    return path


# ---------------------------------------------------------------- processes
@linux
@pytest.mark.parametrize(
    ("stat", "start"),
    [
        ("7 (a) b) S " + " ".join(str(n) for n in range(4, 30)), "22"),
        ("7 (a) Z " + " ".join(str(n) for n in range(4, 30)), ""),
        ("7 (a) X " + " ".join(str(n) for n in range(4, 30)), ""),
        ("7 (a) S " + " ".join(str(n) for n in range(4, 23)), "22"),
        ("7 (a) S " + " ".join(str(n) for n in range(4, 22)), ""),
        ("", ""),
    ],
    ids=range(6),
)
def test_start_of_a_process_is_the_22nd_of_what_linux_tells(
    monkeypatch: pytest.MonkeyPatch, stat: str, start: str
) -> None:
    asked: list[Path] = []
    monkeypatch.setattr(Path, "read_text", lambda path, **how: asked.append(path) or stat)
    assert process.start_time(7) == start and asked == [Path("/proc/7/stat")]


@linux
def test_a_process_that_is_not_there_has_no_start() -> None:
    assert process.start_time(1 << 22) == "" and process.start_time(os.getpid()).isdecimal()
    assert process.own() == {"pid": os.getpid(), "start": process.start_time(os.getpid())}


def test_elsewhere_ps_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    def run(command: list[str], **how: object) -> subprocess.CompletedProcess:
        asked.append(command)
        return subprocess.CompletedProcess(command, 0, " Mon Jan  1 \n", "")

    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(subprocess, "run", run)
    assert process.start_time(7) == "Mon Jan  1" and asked == [["ps", "-o", "lstart=", "-p", "7"]]

    def fail(command: list[str], **how: object) -> None:
        raise subprocess.TimeoutExpired(command, 5)

    monkeypatch.setattr(subprocess, "run", fail)
    assert process.start_time(7) == ""


# ---------------------------------------------------------------- what programs left
def test_what_cannot_be_looked_at_or_removed_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    part = made(tmp_path, ".x.abcd1234.part", HOUR * 2)

    def refused(self: Path) -> None:
        raise PermissionError

    for name in ("unlink", "lstat"):
        with monkeypatch.context() as patched:
            patched.setattr(Path, name, refused)
            assert sweep([tmp_path], temporary=tmp_path / "none") == [] and part.exists()
    assert sweep([tmp_path], temporary=tmp_path / "none") == [part]


def test_files_of_another_user_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    part = made(tmp_path, ".x.abcd1234.part", HOUR * 2)
    monkeypatch.setattr(os, "getuid", lambda: part.stat().st_uid + 1)
    assert sweep([tmp_path], temporary=tmp_path / "none") == [] and part.exists()


@pytest.mark.parametrize(("age", "goes"), [(HOUR - 60.0, False), (HOUR + 60.0, True)])
def test_half_written_files_go_after_an_hour(tmp_path: Path, age: float, goes: bool) -> None:
    own, beside = tmp_path / "own", tmp_path / "beside"
    for folder in (own, beside):
        folder.mkdir()
    parts = [made(own, ".x.abcd1234.part", age), made(beside, ".walk.glb.abcd1234.part", age)]
    found = sweep([own], [beside / "walk.glb"], tmp_path / "none")
    assert found == (parts if goes else []) and all(part.exists() is not goes for part in parts)


@pytest.mark.parametrize(("age", "goes"), [(DAY - 60.0, False), (DAY + 60.0, True)])
def test_folders_that_do_not_tell_whose_they_are_go_after_a_day(
    tmp_path: Path, age: float, goes: bool
) -> None:
    folder = tmp_path / "posewright-usd-abc_1234"
    folder.mkdir()
    os.utime(folder, (time.time() - age,) * 2)
    assert sweep(temporary=tmp_path) == ([folder] if goes else [])


def test_long_names_of_documents_are_known_by_their_beginning(tmp_path: Path) -> None:
    name, stem = "n" * 120 + ".posewright", "s" * 70
    parts = [
        made(tmp_path, f".{name[:100]}.abcd1234.part", HOUR * 2),
        made(tmp_path, f".{stem[:60]}.abcd1234.part", HOUR * 2),
    ]
    other = made(tmp_path, f".{stem[:61]}.abcd1234.part", HOUR * 2)
    found = sweep((), [tmp_path / name, tmp_path / f"{stem}.glb"], tmp_path / "none")
    assert sorted(found) == sorted(parts) and other.exists()


def test_an_own_folder_names_this_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leftovers.tempfile, "tempdir", str(tmp_path))
    folder = leftovers.make_folder()
    found = leftovers.OWNED.fullmatch(folder.name)
    assert found[1] == str(os.getpid()) and found[2] == process.start_time(os.getpid())
    assert sweep(temporary=tmp_path) == [] and folder.is_dir()


# ---------------------------------------------------------------- logs
@pytest.fixture
def root() -> logging.Logger:
    """The root logger; its handlers are put back afterwards."""
    logger = logging.getLogger()
    handlers, level = logger.handlers[:], logger.level
    yield logger
    for handler in logger.handlers:
        handler.close()
    logger.handlers[:], logger.level = handlers, level


def test_the_log_is_in_the_data_folder_and_the_terminal_hears_no_stalls(
    root: logging.Logger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setenv("POSEWRIGHT_DATA_DIR", str(tmp_path))
    root.handlers.clear()
    file = logs.start()
    assert logs.log_file() == tmp_path / "logs" / "posewright.log"
    assert (file.maxBytes, file.backupCount) == (1_000_000, 2)
    logging.getLogger("editor.qt.stall").warning("slow %s", "turn \ud800")
    logging.getLogger("editor.model").warning("other")
    logging.getLogger("editor.model").info("nothing")
    file.flush()
    lines = logs.log_file().read_text("utf-8").splitlines()
    assert [line.split(" ", 3)[3] for line in lines] == [
        "WARNING editor.qt.stall: slow turn ?",
        "WARNING editor.model: other",
    ]
    assert all(f" {os.getpid()} " in line for line in lines)
    said = capsys.readouterr().err
    assert "slow turn" not in said and "WARNING editor.model: other" in said
    assert logs.log_file().parent.stat().st_mode & 0o077 == 0
    again = logs.start()
    assert again is not None


def test_without_a_place_for_the_log_that_is_said(
    root: logging.Logger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("POSEWRIGHT_DATA_DIR", str(tmp_path / "file"))
    root.handlers.clear()
    assert logs.start() is None and "there will be no log file: " in capsys.readouterr().err
    assert len(root.handlers) == 1


# ---------------------------------------------------------------- folders and catalogues
def test_preferences_go_where_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POSEWRIGHT_CONFIG_DIR", "/x")
    assert paths.config_dir() == Path("/x")
    monkeypatch.setenv("POSEWRIGHT_CONFIG_DIR", "")
    assert paths.config_dir().name == "posewright"


def test_texts_come_from_the_catalogue_that_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple] = []

    class Upper(gettext.NullTranslations):
        def gettext(self, text: str) -> str:
            return text.upper().replace("{NAME}", "{name}")

        def ngettext(self, one: str, many: str, count: int) -> str:
            return f"n {one if count == 1 else many}"

    def translation(*given: object, **named: object) -> gettext.NullTranslations:
        asked.append((given, named))
        return Upper()

    monkeypatch.setattr(gettext, "translation", translation)
    i18n.install(tmp_path, ["de"])
    assert asked == [(("posewright", str(tmp_path), ["de"]), {"fallback": True})]
    assert (
        i18n.tr("Delete {name}", name="a") == "DELETE a" and i18n.trn("{count} a", "{count} b", 2) == "n 2 b"
    )
    i18n.install(None)
    assert len(asked) == 1 and i18n.tr("Delete {name}", name="a") == "Delete a"
    assert i18n.tr("{braces}") == "{braces}"


# ---------------------------------------------------------------- pictures, memory
def test_a_picture_that_cannot_be_kept_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("POSEWRIGHT_DATA_DIR", str(tmp_path / "file"))
    caplog.set_level(logging.INFO)
    recent_pictures.keep_picture(Path("/x/one"), b"png", [])
    assert "picture of /x/one not kept: " in caplog.text


@pytest.mark.parametrize(("trimmed", "given"), [(1, True), (0, False)])
def test_memory_that_is_kept_is_told_and_given_back(
    monkeypatch: pytest.MonkeyPatch, trimmed: int, given: bool
) -> None:
    left: list[int] = []
    library = SimpleNamespace(
        mallinfo2=lambda: SimpleNamespace(fordblks=7), malloc_trim=lambda pad: left.append(pad) or trimmed
    )
    monkeypatch.setattr(heap, "_library", lambda: library)
    assert heap.kept() == 7 and heap.give_back() is given and left == [0]


@linux
def test_memory_that_is_kept_and_in_use_is_told_by_the_library() -> None:
    library = heap._library()
    if library is None:
        pytest.skip("another C library, or an older one")
    found = library.mallinfo2()
    assert found.uordblks > 0 and found.uordblks + found.fordblks == found.arena
