#!/usr/bin/env python3
"""Set up, run and check Posewright. Needs nothing but Python 3.11 or newer and network access.

``python3 dev.py run`` opens the editor, ``python3 dev.py test`` runs every check. Either sets up what is missing
first: a virtual environment in ``.venv``, the dependencies, and on Debian and Ubuntu the system libraries that Qt and
OpenGL need. What is set up is remembered, so later starts go straight ahead.
"""

import argparse
import hashlib
import importlib.util
import json
import os
import platform
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
STAMP = VENV / "posewright-setup.json"
UNFINISHED = "unfinished"
NEEDED = (3, 11)
EXTRAS = "pictures,media,usd,gamepad,test"
"""Everything that the README promises after the set-up; `usd` only where there are wheels."""

XCB = "cursor0 glx0 icccm4 image0 keysyms1 randr0 render-util0 render0 shape0 shm0 sync1 util1 xfixes0 xkb1".split()
LIBRARIES = {
    # Debian package: files of which one must load. Qt opens them when the window starts, long after the import.
    "libgl1": ["libGL.so.1"],
    "libegl1": ["libEGL.so.1"],
    "libopengl0": ["libOpenGL.so.0"],
    "libglx-mesa0": ["libGLX_mesa.so.0", "libGLX_nvidia.so.0", "libGLX_system.so.0"],
    "libgl1-mesa-dri": ["libGLX_mesa.so.0", "libGLX_nvidia.so.0", "libGLX_system.so.0"],
    "libglib2.0-0": ["libglib-2.0.so.0"],
    "libdbus-1-3": ["libdbus-1.so.3"],
    "libfontconfig1": ["libfontconfig.so.1"],
    "libfreetype6": ["libfreetype.so.6"],
    "libxkbcommon0": ["libxkbcommon.so.0"],
    "libxkbcommon-x11-0": ["libxkbcommon-x11.so.0"],
    "libx11-6": ["libX11.so.6"],
    "libx11-xcb1": ["libX11-xcb.so.1"],
    "libxcb1": ["libxcb.so.1"],
    **{f"libxcb-{name}": [f"libxcb-{name[:-1]}.so.{name[-1]}"] for name in XCB},
}
SCREEN_PROGRAMS = {"xvfb": "Xvfb", "xauth": "xauth"}  # Debian package: program; the virtual screen

UNMET = """These system packages are missing, and could not be installed ({why}):
  {packages}
Ask whoever administers this machine to run
  apt-get install {packages}
(other systems than Debian and Ubuntu name them differently; what is needed is {files})
then start this again. Set POSEWRIGHT_SKIP_SYSTEM=1 to go on without them."""


class SetupError(Exception):
    """Set-up cannot go on; the message tells the person what to do."""


# ---------------------------------------------------------------- the interpreter
def require_python(version: tuple, arguments: list) -> None:  # type: ignore[type-arg]
    """Start again under a newer interpreter where this one is too old, or say what to install.

    Old Pythons get as far as this: the file must parse there, and nothing newer may run before.
    """
    if tuple(version[:2]) >= NEEDED:
        return
    import shutil

    for minor in range(16, NEEDED[1] - 1, -1):
        newer = shutil.which(f"python3.{minor}")
        if newer:
            sys.exit(subprocess.call([newer, *arguments]))
    sys.exit(
        f"Posewright needs Python 3.11 or newer; this is {version[0]}.{version[1]}, and no newer one was found.\n"
        "Install one (Debian, Ubuntu: apt-get install python3.11 python3.11-venv; elsewhere:\n"
        "https://www.python.org) and start this again with it: python3.11 dev.py"
    )


if __name__ == "__main__":
    require_python(sys.version_info, sys.argv)


def venv_program(name: str) -> Path:
    """Return the path of a program of the virtual environment."""
    return VENV / "Scripts" / f"{name}.exe" if os.name == "nt" else VENV / "bin" / name


def child_environment() -> dict[str, str]:
    """Return the environment for programs of the virtual environment: nothing of other Pythons leaks in.

    Byte code is kept also where the machine's images switch it off: every start and every test's subprocess
    would compile the sources again.
    """
    leaks = {"PYTHONPATH", "PYTHONHOME", "PIP_USER", "PIP_TARGET", "PIP_PREFIX", "__PYVENV_LAUNCHER__"}
    leaks |= {"PYTHONDONTWRITEBYTECODE"}
    environment = {name: value for name, value in os.environ.items() if name not in leaks}
    environment["PYTHONNOUSERSITE"] = "1"
    environment["VIRTUAL_ENV"] = str(VENV)
    environment["PATH"] = os.pathsep.join(
        (str(venv_program("python").parent), os.environ.get("PATH", os.defpath))
    )
    return environment


def test_environment() -> dict[str, str]:
    """Return the environment for tests: on Linux the software renderer on the virtual screen."""
    environment = child_environment()
    if sys.platform.startswith("linux"):
        environment.update(QT_QPA_PLATFORM="xcb", LIBGL_ALWAYS_SOFTWARE="1")
    return environment


# ---------------------------------------------------------------- system packages
def loads(name: str) -> bool:
    """Whether the system's loader finds a shared library."""
    import ctypes

    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def missing_libraries() -> list[str]:
    """Return the Debian packages of the shared libraries that cannot be loaded; none outside Linux."""
    if not sys.platform.startswith("linux"):
        return []
    return [package for package, names in LIBRARIES.items() if not any(map(loads, names))]


def missing_programs() -> list[str]:
    """Return the Debian packages of the virtual screen's programs that are not on the path."""
    import shutil

    if not sys.platform.startswith("linux"):
        return []
    return [package for package, program in SCREEN_PROGRAMS.items() if not shutil.which(program)]


def missing_venv() -> list[str]:
    """Return Debian's package of the part of the standard library that makes virtual environments, if absent."""
    if importlib.util.find_spec("ensurepip") is not None:
        return []
    return [f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"]


def unmet_message(packages: list[str], why: str) -> str:
    """Say which packages are missing, and the files behind them for those on other systems."""
    files = [LIBRARIES.get(name, [SCREEN_PROGRAMS.get(name, name)])[0] for name in packages]
    return UNMET.format(why=why, packages=" ".join(packages), files=", ".join(files))


def install_packages(packages: list[str]) -> None:
    """Install Debian packages through apt-get, with sudo where not root; `SetupError` names them where that fails."""
    import shutil

    if not packages or os.environ.get("POSEWRIGHT_SKIP_SYSTEM"):
        return
    if not shutil.which("apt-get"):
        raise SetupError(unmet_message(packages, "this system has no apt-get"))
    prefix = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-o", "Dpkg::Use-Pty=0"]
    prefix += ["-o", "DPkg::Lock::Timeout=120"]  # another program may be installing something
    if os.geteuid() != 0:
        if not shutil.which("sudo"):
            raise SetupError(unmet_message(packages, "you are not root, and there is no sudo"))
        # Without a terminal nobody can type a password: fail at once rather than wait for one.
        prefix = ["sudo", *([] if sys.stdin.isatty() else ["-n"]), *prefix]
    say(f"Installing system packages: {' '.join(packages)}")
    subprocess.call(
        [*prefix, "update"]
    )  # lists that are fresh enough also do, so a failure shows in the next line
    if subprocess.call([*prefix, "install", "-y", "--no-install-recommends", *packages]) != 0:
        raise SetupError(unmet_message(packages, "apt-get failed, see above"))


# ---------------------------------------------------------------- set-up
def stamp_key() -> str:
    """Return what a finished set-up was made from: dependencies, Python, platform and place of the checkout."""
    digest = hashlib.sha256((ROOT / "pyproject.toml").read_bytes())
    for part in (sys.implementation.cache_tag, platform.machine(), sys.platform, str(ROOT), *LIBRARIES):
        digest.update(b"\0" + str(part).encode())
    return digest.hexdigest()


def stamped() -> str:
    """Return the key of the last set-up, `UNFINISHED` for one that was interrupted, nothing where none was."""
    try:
        return str(json.loads(STAMP.read_bytes())["key"])
    except OSError:
        return ""
    except (ValueError, KeyError, TypeError):
        return UNFINISHED


def write_stamp(key: str) -> None:
    STAMP.write_text(json.dumps({"key": key, "python": sys.version}), encoding="utf-8")


def is_set_up() -> bool:
    """Whether a set-up with the present key was finished and its interpreter still stands."""
    return stamped() == stamp_key() and venv_program("python").exists()


def venv_works() -> bool:
    """Whether the virtual environment has this Python's version and a pip that starts."""
    probe = (
        "import os, sys, pip\n"
        "same = os.path.samefile(sys.prefix, sys.argv[1]) and sys.implementation.cache_tag == sys.argv[2]\n"
        "sys.exit(not same)"
    )
    command = [str(venv_program("python")), "-c", probe, str(VENV), str(sys.implementation.cache_tag)]
    try:
        return (
            subprocess.run(command, capture_output=True, env=child_environment(), check=False).returncode == 0
        )
    except OSError:
        return False


def make_venv() -> None:
    """Make the virtual environment anew."""
    import shutil

    if VENV.exists():
        say("The virtual environment is incomplete or of another Python: making it anew.")
        shutil.rmtree(VENV)
    say("Making the virtual environment in .venv")
    if subprocess.call([sys.executable, "-m", "venv", str(VENV)]) != 0 or not venv_works():
        raise SetupError(f"Making the virtual environment with {sys.executable} failed, see above.")


def set_up(*, screen: bool = False, force: bool = False, kernels: bool = True) -> None:
    """Do all the set-up that is missing. One that was interrupted starts again with a new environment: pip may
    have stopped in the middle of a package, which no later check would see.

    With ``screen`` the virtual screen is part of it. System packages are asked for all at once. Without ``kernels``
    the caller compiles them.
    """
    done = is_set_up() and not force
    packages = missing_programs() if screen else []
    install_packages(packages if done else [*packages, *missing_libraries(), *missing_venv()])
    if done:
        return
    if stamped() == UNFINISHED or not venv_works():
        make_venv()
    write_stamp(UNFINISHED)
    say("Installing dependencies (once; this may take some minutes)")
    pip = [str(venv_program("python")), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    if subprocess.call([*pip, "-e", f"{ROOT}[{EXTRAS}]"], cwd=ROOT, env=child_environment()) != 0:
        raise SetupError(
            "Installing the dependencies failed, see above. Is there network access to a Python package index\n"
            "(pip config list shows which)? Start this again when there is; what was fetched is kept."
        )
    if kernels:
        with warm_kernels():
            pass
    write_stamp(stamp_key())


@contextmanager
def warm_kernels() -> Iterator[None]:
    """Compile the kernels into numba's disk cache beside what is done meanwhile, and wait until they are there."""
    if not (ROOT / "core/math/warm.py").exists():
        yield
        return
    say("Compiling the kernels")
    command = [str(venv_program("python")), "-m", "core.math.warm"]
    with subprocess.Popen(command, cwd=ROOT, env=child_environment()) as process:
        yield
        if process.wait():
            say("Compiling the kernels failed; they are compiled at first use instead.")


@contextmanager
def compiled_tests() -> Iterator[None]:
    """Collect the tests of a fresh checkout once, beside what is done meanwhile.

    Else every worker of pytest would compile all of them: three times 15 s of processor.
    """
    if (ROOT / "tests/__pycache__").exists():
        yield
        return
    command = [str(venv_program("python")), "-m", "pytest", "--collect-only", "-q"]
    nothing = subprocess.DEVNULL  # what is wrong with them is told when they run
    with subprocess.Popen(command, cwd=ROOT, env=test_environment(), stdout=nothing, stderr=nothing):
        yield


# ---------------------------------------------------------------- subcommands
def run(arguments: list[str]) -> int:
    """Open the editor with files and options passed on."""
    from editor.model import screen  # of this checkout, and free of everything that is not set up yet

    why = screen.missing_screen()
    if why:
        raise SetupError(screen.words(why, "python3 dev.py run", ".venv/bin/posewright"))
    set_up()
    # -P: the caller's folder stays the current one, for relative paths, but nothing is imported from it.
    command = [str(venv_program("python")), "-P", "-m", "editor", *arguments]
    if os.name != "nt":
        sys.stdout.flush()
        os.execve(command[0], command, child_environment())
    return subprocess.call(command, env=child_environment())


def lint(arguments: list[str]) -> int:
    """Run ruff, mypy and import-linter; arguments go to ruff (``--fix``)."""
    set_up()
    return summarise(check_steps(arguments))


def test(arguments: list[str]) -> int:
    """Run every check; with arguments only pytest, with those.

    ``--clients`` first: the outside programs that judge our files are installed where they can be, and take part.
    """
    set_up(screen=True, kernels=bool(arguments))
    if arguments[:1] == ["--clients"]:
        arguments = arguments[1:]
        install_clients()
    results = []
    if not arguments:
        with warm_kernels(), compiled_tests():
            results = check_steps([])
    headline("pytest")
    started = time.monotonic()
    colour = ["--color=yes"] if sys.stdout.isatty() else []
    # The whole suite on every processor, each file in one process: what a file sets up once stays set up. Tests of the
    # window wait now and then, so there are more workers than processors. Files begin in the order of conftest.
    processors = os.cpu_count() or 1
    workers = str(min(processors + (processors + 1) // 2, 8))
    spread = [] if arguments else ["-n", workers, "--dist", "loadfile", "--no-loadscope-reorder"]
    code, output = tee([str(venv_program("python")), "-m", "pytest", *colour, *spread, *arguments])
    results.append(("pytest", code, time.monotonic() - started))
    worst = summarise(results) if len(results) > 1 else code
    closing = closing_line(output)
    if closing and len(results) > 1:
        print(closing, flush=True)
    return worst


def install_clients() -> None:
    """Install the programs that judge our files, once, and name their folder to the tests."""
    folder = ROOT / ".clients"
    command = [str(venv_program("python")), "-m", "tests.clients.install", str(folder)]
    if subprocess.call(command, cwd=ROOT, env=child_environment()) != 0:
        raise SetupError("Installing the outside programs failed, see above.")
    os.environ["POSEWRIGHT_CHECK"] = str(folder)


def bench(arguments: list[str]) -> int:
    """Run the benchmarks, on a virtual screen where there is no other."""
    if not (ROOT / "tests/benchmarks/__main__.py").exists():
        raise SetupError("There are no benchmarks in this checkout (tests/benchmarks).")
    virtual = sys.platform.startswith("linux") and not os.environ.get("DISPLAY")
    set_up(screen=virtual)
    command = [str(venv_program("python")), "-m", "tests.benchmarks", *arguments]
    environment = child_environment()
    if virtual:
        from editor.model.screen import SETTINGS

        command = ["xvfb-run", "-a", "-s", SETTINGS, *command]
        environment = test_environment()
    return subprocess.call(command, cwd=ROOT, env=environment)


def mutate(arguments: list[str]) -> int:
    """Put small faults into the code and see whether the tests tell; the mutation library is fetched at first use."""
    asks = not {"-h", "--help"}.isdisjoint(arguments)
    set_up(screen=not asks)
    probe = [str(venv_program("python")), "-c", "import cosmic_ray"]
    if not asks and subprocess.call(probe, stderr=subprocess.DEVNULL, env=child_environment()) != 0:
        say("Installing the mutation library (once)")
        pip = [str(venv_program("python")), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        if subprocess.call([*pip, "-e", f"{ROOT}[{EXTRAS},mutate]"], cwd=ROOT, env=child_environment()) != 0:
            raise SetupError("Installing the extra mutate failed, see above.")
    command = [str(venv_program("python")), "-m", "tests.mutation", *arguments]
    return subprocess.call(command, cwd=ROOT, env=test_environment())


def setup(arguments: list[str]) -> int:
    """Do the set-up alone, also when it was done before."""
    if arguments:
        raise SetupError(f"setup takes no arguments, got {' '.join(arguments)}")
    set_up(screen=True, force=True)
    say("Set up. Next: python3 dev.py run")
    return 0


# ---------------------------------------------------------------- checks
def check_steps(ruff_options: list[str]) -> list[tuple[str, int, float]]:
    """Run ruff, mypy and import-linter, each whatever became of the others; return name, status, seconds."""
    steps = {
        "ruff": [str(venv_program("ruff")), "check", *ruff_options],
        "mypy": [str(venv_program("python")), "-m", "mypy"],
        "layers": [str(venv_program("lint-imports"))],
    }
    alone = child_environment()
    environment = alone | {"MYPY_NUM_WORKERS": str(os.cpu_count() or 1)}
    results = []
    for name, command in steps.items():
        headline(name)
        started = time.monotonic()
        code = subprocess.call(command, cwd=ROOT, env=environment)
        if name == "mypy" and code == 2:  # it gives its workers 3 s to start, which a busy machine does not
            say("mypy stopped before it had checked everything: once more, in one process")
            code = subprocess.call(command, cwd=ROOT, env=alone)
        results.append((name, code, time.monotonic() - started))
    return results


def summarise(results: list[tuple[str, int, float]]) -> int:
    """Print one line for each step; return the status for the whole."""
    headline("summary")
    for name, code, seconds in results:
        print(
            f"{name:8} {'passed' if code == 0 else f'FAILED (status {code})':20} {seconds:7.1f} s", flush=True
        )
    return int(any(code for _, code, _ in results))


def tee(command: list[str], patience: float = 5.0) -> tuple[int, str]:
    """Run a program with its output shown as it comes; return its status and the end of the output.

    A grandchild that outlives the program may hold the pipe open: that is waited for ``patience`` seconds only.
    """
    process = subprocess.Popen(
        command, cwd=ROOT, env=test_environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    tail = bytearray()

    def copy() -> None:
        assert process.stdout is not None
        with process.stdout as pipe:
            for chunk in iter(lambda: os.read(pipe.fileno(), 65536), b""):
                sys.stdout.buffer.write(chunk)
                sys.stdout.buffer.flush()
                tail.extend(chunk)
                del tail[:-65536]

    copier = threading.Thread(target=copy, daemon=True)
    sys.stdout.flush()
    copier.start()
    code = process.wait()
    copier.join(patience)
    return code, tail.decode("utf-8", "replace")


def closing_line(output: str) -> str:
    """Return pytest's last line of results (``12 passed in 3.4s``), or nothing where it did not get that far."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", output)
    lines = re.findall(r"^(?:=+ )?(?:\d+ \w+|no tests ran).* in \d[\d.]*s\b.*$", plain, re.MULTILINE)
    return str(lines[-1]) if lines else ""


def say(text: str) -> None:
    print(f"· {text}", flush=True)


def headline(text: str) -> None:
    print(f"\n── {text} {'─' * (60 - len(text))}", flush=True)


COMMANDS = {
    "run": (run, "[files…]", "open the editor"),
    "test": (
        test,
        "[--clients] [pytest arguments…]",
        "run ruff, mypy, import-linter and the tests; with arguments only pytest",
    ),
    "bench": (bench, "[arguments…]", "run the benchmarks"),
    "mutate": (mutate, "PATH… [arguments…]", "put small faults into the code and see which the tests miss"),
    "lint": (lint, "[ruff options…]", "run ruff, mypy and import-linter"),
    "setup": (setup, "", "do the set-up alone, also when it was done before"),
}


def main(arguments: list[str]) -> int:
    """Run one subcommand; return the exit status."""
    rows = "\n".join(f"  {name:5} {usage:20} {text}" for name, (_, usage, text) in COMMANDS.items())
    parser = argparse.ArgumentParser(
        prog="dev.py",
        description=__doc__,
        epilog=f"commands:\n{rows}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("command", choices=COMMANDS, metavar="command", help="one of those below")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="passed on to it")
    given = parser.parse_args(arguments)
    try:
        return COMMANDS[given.command][0](given.arguments)
    except SetupError as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a console without the signs used here
    sys.exit(main(sys.argv[1:]))
