import dataclasses
import marshal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import class_code
from core.class_code import ClassCode, keep

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def writes(monkeypatch):
    """Whatever the shell says that the tests are run from: with PYTHONDONTWRITEBYTECODE nothing is kept."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)


@pytest.fixture
def code(tmp_path):
    before = vars(dataclasses).get("exec")
    yield keep(tmp_path)
    if before is None:
        del vars(dataclasses)["exec"]
    else:
        vars(dataclasses)["exec"] = before


def made():
    @dataclasses.dataclass(frozen=True, slots=True, order=True)
    class Key:
        time: float
        value: float = 0.0
        names: tuple[str, ...] = dataclasses.field(default_factory=tuple)

    return Key


def behaviour(kind):
    here = kind(1.0, 2.0, ("a",))
    with pytest.raises(dataclasses.FrozenInstanceError):
        here.time = 2.0
    said = repr(here).split(".")[-1]
    return said, here == kind(1.0, 2.0, ("a",)), here < kind(2.0), hash(here), kind(3.0).names, kind.__doc__


def test_classes_with_code_from_the_file_behave_like_those_compiled_now(code, tmp_path, monkeypatch):
    compiled = behaviour(made())
    assert code.write() and not code.write(), "there is nothing new the second time"
    again = ClassCode(code.path)
    vars(dataclasses)["exec"] = again.run
    monkeypatch.setattr(class_code, "compile", None, raising=False)  # whatever is compiled fails
    assert behaviour(made()) == compiled
    assert [path.name for path in tmp_path.iterdir()] == [code.path.name]


def test_same_folder_asked_for_twice_is_one_file_and_another_one_is_not(code, tmp_path):
    assert keep(tmp_path) is code
    assert keep(tmp_path / "other") is not code


def test_two_processes_that_write_keep_what_both_compiled(code, tmp_path):
    one, two = ClassCode(code.path), ClassCode(code.path)
    one.run("a = 1", {}, {})
    two.run("b = 2", {}, {})
    assert one.write() and two.write()
    after = ClassCode(code.path)
    for text in ("a = 1", "b = 2"):
        after.run(text, {}, {})
    assert not after.write()


@given(st.data())
def test_damaged_file_is_as_none(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("code")
    whole = ClassCode(folder / "classes.bin")
    whole.run("def f(): return 5", {}, {})
    assert whole.write()
    held = bytearray(whole.path.read_bytes())
    at = data.draw(st.integers(0, len(held) - 1))
    if data.draw(st.booleans()):
        held[at] ^= data.draw(st.integers(1, 255))
    else:
        del held[at:]
    whole.path.write_bytes(held)
    names: dict[str, object] = {}
    ClassCode(whole.path).run("def f(): return 5", {}, names)
    assert names["f"]() == 5


def test_file_of_another_python_is_not_used(code, monkeypatch):
    made()
    monkeypatch.setattr(sys, "version", "4.0 of another day")
    assert code.write()
    monkeypatch.undo()
    assert class_code._read(code.path) == {}


def test_texts_of_versions_gone_by_do_not_pile_up(code, monkeypatch):
    monkeypatch.setattr(class_code, "MOST_TEXTS", 3)
    for number in range(6):
        again = ClassCode(code.path)
        again.run(f"a = {number}", {}, {})
        assert again.write()
        assert len(class_code._read(code.path)) <= 3


def test_folder_that_cannot_be_written_is_no_error(tmp_path):
    (tmp_path / "file").write_text("no folder")
    code = ClassCode(tmp_path / "file" / "classes.bin")
    code.run("a = 1", {}, {})
    assert not code.write()


def test_second_start_of_the_command_line_compiles_no_class(tmp_path):
    code = (
        "import dataclasses, sys\n"
        "from editor.app import main\n"
        "main(['info', 'resources/sample/none.glb'])\n"
        "known = vars(dataclasses)['exec'].__self__\n"
        "print(len(known._used), set(known._used) <= set(known._known))"
    )
    said = [
        subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120, check=True,
            env={"POSEWRIGHT_DATA_DIR": str(tmp_path), "HOME": str(tmp_path)},
        ).stdout.split()
        for _ in range(2)
    ]  # fmt: skip
    assert said[0][1] == "False" and said[1][1] == "True"
    assert int(said[0][0]) > 500
    assert marshal.loads(next(tmp_path.glob("classes-*")).read_bytes()[40:])
