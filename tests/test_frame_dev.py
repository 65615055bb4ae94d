"""dev.py: what it decides and says. The set-up itself is proved by every run on a fresh clone."""

import ast
import json
import os
import shutil
import subprocess
import sys
from contextlib import nullcontext

import pytest

import dev
from tests.shared import ROOT


@pytest.fixture
def calls(monkeypatch):
    """Commands instead of running them; each succeeds unless ``fail`` says otherwise."""

    class Calls(list):
        def fail(self, command):
            return False

    made = Calls()

    def call(command, **options):
        made.append([str(word) for word in command])
        return int(made.fail(made[-1]))

    monkeypatch.setattr(subprocess, "call", call)
    return made


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """An empty checkout with a working interpreter in its virtual environment."""
    (tmp_path / "pyproject.toml").write_text("[project]")
    monkeypatch.setattr(dev, "ROOT", tmp_path)
    monkeypatch.setattr(dev, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(dev, "STAMP", tmp_path / ".venv/stamp.json")
    monkeypatch.setattr(dev, "venv_works", lambda: (tmp_path / ".venv").exists())
    monkeypatch.setattr(dev, "missing_libraries", list)
    monkeypatch.setattr(dev, "missing_programs", list)
    monkeypatch.setattr(dev, "missing_venv", list)
    dev.venv_program("python").parent.mkdir(parents=True)
    dev.venv_program("python").touch()
    return tmp_path


def programs(*names):
    """Stand in for shutil.which on a machine that has just these programs."""
    return lambda name: f"/usr/bin/{name}" if name in names else None


def stand_in_for_venv(command):
    """Leave what ``python -m venv`` leaves, as far as dev.py looks; never fail."""
    dev.venv_program("python").parent.mkdir(parents=True, exist_ok=True)
    dev.venv_program("python").touch()
    return False


# ---------------------------------------------------------------- interpreter
def test_source_parses_in_old_pythons_so_that_they_can_say_what_is_wrong():
    ast.parse((ROOT / "dev.py").read_text(encoding="utf-8"), feature_version=(3, 7))


def test_require_python_too_old_and_alone_names_the_remedy(monkeypatch):
    monkeypatch.setattr(shutil, "which", programs())
    with pytest.raises(SystemExit, match=r"3\.11 or newer; this is 3\.9[\s\S]*apt-get install python3\.11"):
        dev.require_python((3, 9, 2), ["dev.py", "run"])


def test_require_python_too_old_starts_again_under_the_newest(monkeypatch, calls):
    monkeypatch.setattr(shutil, "which", programs("python3.11", "python3.12"))
    with pytest.raises(SystemExit) as ended:
        dev.require_python((3, 10, 1), ["dev.py", "test"])
    assert ended.value.code == 0
    assert calls == [["/usr/bin/python3.12", "dev.py", "test"]]


def test_require_python_new_enough_goes_on(calls):
    dev.require_python(sys.version_info, ["dev.py"])
    assert calls == []


def test_child_environment_keeps_other_pythons_out(monkeypatch):
    for name in ("PYTHONPATH", "PYTHONHOME", "PIP_USER", "PIP_TARGET"):
        monkeypatch.setenv(name, "elsewhere")
    monkeypatch.setenv("PIP_INDEX_URL", "https://index.example")
    environment = dev.child_environment()
    assert not {"PYTHONPATH", "PYTHONHOME", "PIP_USER", "PIP_TARGET"} & environment.keys()
    assert environment["PYTHONNOUSERSITE"] == "1"
    assert environment["PIP_INDEX_URL"] == "https://index.example"
    assert environment["PATH"].split(os.pathsep)[0] == str(dev.venv_program("python").parent)


# ---------------------------------------------------------------- system packages
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux needs system packages")
class TestSystemPackages:
    @pytest.fixture(autouse=True)
    def no_skip(self, monkeypatch):
        monkeypatch.delenv("POSEWRIGHT_SKIP_SYSTEM", raising=False)

    def test_loads_tells_present_from_absent(self):
        assert dev.loads("libc.so.6")
        assert not dev.loads("libnothing-of-the-kind.so.7")

    def test_missing_libraries_one_of_several_files_is_enough(self, monkeypatch):
        absent = {"libGL.so.1", "libGLX_mesa.so.0", "libxcb-cursor.so.0"}
        monkeypatch.setattr(dev, "loads", lambda name: name not in absent)
        assert dev.missing_libraries() == ["libgl1", "libxcb-cursor0"]

    def test_missing_libraries_on_this_machine_is_none_as_the_tests_run(self):
        assert dev.missing_libraries() == []

    def test_missing_programs_names_the_packages(self, monkeypatch):
        monkeypatch.setattr(shutil, "which", programs("xauth"))
        assert dev.missing_programs() == ["xvfb"]

    def test_missing_venv_on_debians_split_python_names_the_package(self, monkeypatch):
        monkeypatch.setattr(dev.importlib.util, "find_spec", lambda name: None)
        assert dev.missing_venv() == [f"python3.{sys.version_info[1]}-venv"]

    def test_install_packages_as_root_uses_apt_get(self, monkeypatch, calls):
        monkeypatch.setattr(shutil, "which", programs("apt-get"))
        monkeypatch.setattr(os, "geteuid", lambda: 0)
        dev.install_packages(["libgl1", "xvfb"])
        assert [call[-1] for call in calls] == ["update", "xvfb"]
        assert calls[1][0] == "env"
        assert calls[1][-5:] == ["install", "-y", "--no-install-recommends", "libgl1", "xvfb"]

    def test_install_packages_with_sudo_and_no_terminal_never_waits_for_a_password(self, monkeypatch, calls):
        monkeypatch.setattr(shutil, "which", programs("apt-get", "sudo"))
        monkeypatch.setattr(os, "geteuid", lambda: 1000)
        monkeypatch.setattr(sys, "stdin", open(os.devnull))  # noqa: SIM115
        dev.install_packages(["libgl1"])
        sys.stdin.close()
        assert all(call[:3] == ["sudo", "-n", "env"] for call in calls)

    @pytest.mark.parametrize(
        ("has", "user", "why"),
        [
            ((), 0, "no apt-get"),
            (("apt-get",), 1000, "no sudo"),
            (("apt-get", "sudo"), 1000, "apt-get failed"),
            (("apt-get",), 0, "apt-get failed"),
        ],
    )
    def test_install_packages_that_cannot_names_packages_and_files(self, monkeypatch, calls, has, user, why):
        monkeypatch.setattr(shutil, "which", programs(*has))
        monkeypatch.setattr(os, "geteuid", lambda: user)
        calls.fail = lambda command: True
        with pytest.raises(dev.SetupError) as caught:
            dev.install_packages(["libxcb-cursor0", "xvfb"])
        message = str(caught.value)
        assert why in message
        assert "apt-get install libxcb-cursor0 xvfb" in message
        assert "libxcb-cursor.so.0, Xvfb" in message

    def test_install_packages_nothing_missing_or_told_to_skip_does_nothing(self, monkeypatch, calls):
        dev.install_packages([])
        monkeypatch.setenv("POSEWRIGHT_SKIP_SYSTEM", "1")
        dev.install_packages(["libgl1"])
        assert calls == []

    def test_run_without_a_screen_says_what_to_do(self, monkeypatch, capsys, calls):
        for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
            monkeypatch.delenv(name, raising=False)
        assert dev.main(["run"]) == 1
        message = capsys.readouterr().err
        assert all(hint in message for hint in ("DISPLAY", "ssh -X", "xvfb-run"))
        assert calls == []


# ---------------------------------------------------------------- set-up
def test_set_up_first_time_installs_then_stamps(checkout, calls):
    assert not dev.is_set_up()
    dev.set_up()
    assert dev.is_set_up()
    assert calls[0][-2:] == ["-e", f"{checkout}[pictures,media,usd,gamepad,test]"]


def test_set_up_second_time_starts_nothing(checkout, calls):
    dev.set_up()
    calls.clear()
    dev.set_up()
    assert calls == []


def test_set_up_interrupted_is_done_again(checkout, calls, monkeypatch):
    def interrupted(command, **options):
        raise KeyboardInterrupt

    half_written = checkout / ".venv/half"
    half_written.touch()
    with monkeypatch.context() as patch:
        patch.setattr(subprocess, "call", interrupted)
        with pytest.raises(KeyboardInterrupt):
            dev.set_up()
    assert half_written.exists()  # an environment that someone else made is used as it is
    assert not dev.is_set_up()
    calls.fail = stand_in_for_venv
    dev.set_up()
    assert [call[1:3] for call in calls] == [["-m", "venv"], ["-m", "pip"]]
    assert not half_written.exists()
    assert dev.is_set_up()


def test_set_up_forced_and_failing_forgets_the_old_stamp(checkout, calls):
    dev.set_up()
    calls.fail = lambda command: "pip" in command
    with pytest.raises(dev.SetupError, match="network"):
        dev.set_up(force=True)
    assert not dev.is_set_up()


def test_set_up_broken_environment_is_made_anew(checkout, calls, monkeypatch):
    rubbish = checkout / ".venv/rubbish"
    rubbish.touch()
    answers = iter([False, True])
    monkeypatch.setattr(dev, "venv_works", lambda: next(answers))
    calls.fail = stand_in_for_venv
    dev.set_up()
    assert calls[0] == [sys.executable, "-m", "venv", str(dev.VENV)]
    assert not rubbish.exists()


def test_set_up_asks_for_all_system_packages_at_once(checkout, calls, monkeypatch):
    asked = []
    monkeypatch.setattr(dev, "install_packages", asked.append)
    monkeypatch.setattr(dev, "missing_libraries", lambda: ["libgl1"])
    monkeypatch.setattr(dev, "missing_programs", lambda: ["xvfb"])
    monkeypatch.setattr(dev, "missing_venv", lambda: ["python3.11-venv"])
    dev.set_up(screen=True)
    dev.set_up()
    dev.set_up(screen=True)
    assert asked == [["xvfb", "libgl1", "python3.11-venv"], [], ["xvfb"]]


def test_is_set_up_other_dependencies_other_place_or_other_python_is_not(checkout, calls, monkeypatch):
    dev.set_up()
    with monkeypatch.context() as patch:
        patch.setattr(sys.implementation, "cache_tag", "cpython-399")
        assert not dev.is_set_up()
    stamp = dev.STAMP.read_bytes()
    for damaged in (b"", stamp[:10], b"[]", json.dumps({"key": "other"}).encode()):
        dev.STAMP.write_bytes(damaged)
        assert not dev.is_set_up()
    dev.STAMP.write_bytes(stamp)
    assert dev.is_set_up()
    (checkout / "pyproject.toml").write_text("[project] # one more")
    assert not dev.is_set_up()


def test_is_set_up_interpreter_gone_is_not(checkout, calls):
    dev.set_up()
    dev.venv_program("python").unlink()
    assert not dev.is_set_up()


def test_venv_works_environment_without_pip_or_of_another_place_does_not(tmp_path, monkeypatch):
    monkeypatch.setattr(dev, "VENV", tmp_path / "none")
    assert not dev.venv_works()
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "bare")], check=True)
    monkeypatch.setattr(dev, "VENV", tmp_path / "bare")
    assert not dev.venv_works()


# ---------------------------------------------------------------- commands
def test_main_passes_options_on_untouched(monkeypatch):
    seen = []
    monkeypatch.setitem(dev.COMMANDS, "test", (lambda words: seen.append(words) or 0, "", ""))
    assert dev.main(["test", "-k", "quat", "-x", "--help"]) == 0
    assert seen == [["-k", "quat", "-x", "--help"]]


def test_main_unknown_command_is_refused_with_status_two(capsys):
    with pytest.raises(SystemExit) as ended:
        dev.main(["fly"])
    assert ended.value.code == 2
    assert "fly" in capsys.readouterr().err


def test_main_help_names_every_command(capsys):
    with pytest.raises(SystemExit):
        dev.main(["--help"])
    text = capsys.readouterr().out
    assert all(f"\n  {name} " in text for name in dev.COMMANDS)


def test_test_one_failing_check_fails_the_whole_and_all_still_run(monkeypatch, capsys):
    monkeypatch.setattr(dev, "set_up", lambda **options: None)
    monkeypatch.setattr(dev, "warm_kernels", nullcontext)
    monkeypatch.setattr(dev, "compiled_tests", nullcontext)
    monkeypatch.setattr(dev, "tee", lambda command: (0, "...\n=== 3 passed in 0.10s ===\n"))
    monkeypatch.setattr(subprocess, "call", lambda command, **options: int("mypy" in command))
    assert dev.test([]) == 1
    rows = capsys.readouterr().out.splitlines()
    assert [row.split()[:2] for row in rows[-5:-1]] == [
        ["ruff", "passed"],
        ["mypy", "FAILED"],
        ["layers", "passed"],
        ["pytest", "passed"],
    ]
    assert rows[-1] == "=== 3 passed in 0.10s ==="


@pytest.mark.parametrize(("alone", "status"), [(0, 0), (1, 1), (2, 2)])
def test_mypy_whose_workers_did_not_start_is_asked_once_more_without_them(monkeypatch, alone, status):
    asked = []

    def call(command, env, **options):
        if "mypy" not in command:
            return 0
        asked.append(env.get("MYPY_NUM_WORKERS"))
        return 2 if asked[-1] else alone

    monkeypatch.setattr(subprocess, "call", call)
    monkeypatch.setattr(os, "cpu_count", lambda: 6)
    monkeypatch.delenv("MYPY_NUM_WORKERS", raising=False)
    results = dev.check_steps([])
    assert [(name, code) for name, code, _ in results] == [("ruff", 0), ("mypy", status), ("layers", 0)]
    assert asked == ["6", None]


def test_mypy_that_finds_faults_is_asked_once(monkeypatch):
    asked = []

    def call(command, **options):
        asked.append(command[-1])
        return int("mypy" in command)

    monkeypatch.setattr(subprocess, "call", call)
    assert [code for _, code, _ in dev.check_steps([])] == [0, 1, 0] and asked.count("mypy") == 1


def test_test_compiles_the_kernels_beside_the_checks_and_has_them_before_the_tests(monkeypatch, capsys):
    done = []

    class Compiler(nullcontext):
        def __init__(self, command, **options):
            done.append(command[-1])
            super().__init__(self)

        def wait(self):
            done.append("compiled")
            return 1

    monkeypatch.setattr(dev, "is_set_up", lambda: True)
    monkeypatch.setattr(dev, "missing_programs", list)
    monkeypatch.setattr(dev, "compiled_tests", nullcontext)
    monkeypatch.setattr(subprocess, "Popen", Compiler)
    monkeypatch.setattr(subprocess, "call", lambda command, **options: done.append(command[-1]) or 0)
    monkeypatch.setattr(dev, "tee", lambda command: (done.append("pytest"), (0, "1 passed in 1s\n"))[1])
    assert dev.test([]) == 0
    assert done == [
        "core.math.warm",
        "check",
        "mypy",
        str(dev.venv_program("lint-imports")),
        "compiled",
        "pytest",
    ]
    assert "compiled at first use instead" in capsys.readouterr().out


def test_tests_of_a_fresh_checkout_are_compiled_once_beside_the_checks(checkout, monkeypatch):
    started = []
    monkeypatch.setattr(
        subprocess, "Popen", lambda command, **options: started.append(command[-2:]) or nullcontext()
    )
    with dev.compiled_tests():
        assert started == [["--collect-only", "-q"]]
    (checkout / "tests/__pycache__").mkdir(parents=True)
    with dev.compiled_tests():
        assert len(started) == 1


def test_test_with_arguments_runs_only_pytest(monkeypatch, calls):
    seen = []
    monkeypatch.setattr(dev, "set_up", lambda **options: None)
    monkeypatch.setattr(dev, "tee", lambda command: (seen.append(command) or 5, ""))
    assert dev.test(["tests/core", "-x"]) == 5
    assert seen[0][-2:] == ["tests/core", "-x"]
    assert calls == []


def test_test_with_clients_installs_them_and_names_their_folder(monkeypatch, calls):
    seen = []
    monkeypatch.setenv("POSEWRIGHT_CHECK", "")
    monkeypatch.setattr(dev, "set_up", lambda **options: None)
    monkeypatch.setattr(
        dev, "tee", lambda command: (seen.append((command, os.environ["POSEWRIGHT_CHECK"])), (0, ""))[1]
    )
    assert dev.test(["--clients", "tests/core"]) == 0
    assert calls[0][1:3] == ["-m", "tests.clients.install"]
    command, folder = seen[0]
    assert command[-1] == "tests/core" and folder == calls[0][3] == str(dev.ROOT / ".clients")


def test_mutate_fetches_its_library_once_and_for_its_help_nothing(monkeypatch, calls):
    screens = []
    monkeypatch.setattr(dev, "set_up", lambda screen: screens.append(screen))
    dev.mutate(["core/ik", "--help"])
    assert screens == [False] and [call[1:] for call in calls] == [
        ["-m", "tests.mutation", "core/ik", "--help"]
    ]
    calls.clear()
    dev.mutate(["core/ik"])
    assert screens == [False, True]
    assert [call[1:3] for call in calls] == [["-c", "import cosmic_ray"], ["-m", "tests.mutation"]]
    calls.clear()
    calls.fail = lambda command: command[-1] == "import cosmic_ray"
    dev.mutate(["core/ik"])
    assert [call[1:3] for call in calls[1:]] == [["-m", "pip"], ["-m", "tests.mutation"]]
    assert calls[1][-1].endswith(",mutate]")


def test_ci_script_is_sound_and_executable():
    script = ROOT / ".ci/run"
    if os.name != "nt":
        assert os.access(script, os.X_OK)
        subprocess.run(["bash", "-n", str(script)], check=True)
    assert "dev.py test" in script.read_text()


def test_set_up_installs_every_extra():
    """What the README promises (MP4, USD) is there after the set-up; ``dev.py mutate`` alone fetches its own."""
    import tomllib

    settings = tomllib.loads((dev.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert {*dev.EXTRAS.split(","), "mutate"} == set(settings["project"]["optional-dependencies"])
