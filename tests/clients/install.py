"""Installs the outside programs that judge our files: three.js, validators, OpenUSD, ufbx, Blender.

::

    python -m tests.clients.install            into .clients of the checkout
    python -m tests.clients.install FOLDER     elsewhere; then set POSEWRIGHT_CHECK to it

The checkers' scripts come from ``../shared/check``. Where that is absent, three.js alone is installed, which some tests
run with scripts of their own. What cannot be installed here is said, and the tests that want it skip.
"""

import argparse
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.shared import ROOT, SHARED

FOLDER = ROOT / ".clients"
SCRIPTS = SHARED / "check"
THREE_ALONE = '{"private": true, "type": "module", "dependencies": {"three": "0.187.0"}}\n'
OLDEST_NODE = 20
BLENDERS_PYTHON = (3, 11)
VENVS = {"bpy": "Blender", "usd": "OpenUSD", "ufbx": "ufbx"}


def install(folder: Path) -> list[str]:
    """Install what is missing; what could not be, and why."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ".gitignore").write_text("*\n", encoding="utf-8")
    scripts = SCRIPTS.is_dir()
    if scripts:
        for path in sorted(path for path in SCRIPTS.iterdir() if path.is_file()):
            shutil.copy2(path, folder / path.name)
    else:
        (folder / "package.json").write_text(THREE_ALONE, encoding="utf-8")
    missing = [*_node_packages(folder)]
    if not scripts:
        return [*missing, f"{', '.join(VENVS.values())}: there are no checkers at {SCRIPTS}"]
    for name, title in VENVS.items():
        missing += _venv(folder, name, title)
    return missing


def _node_packages(folder: Path) -> list[str]:
    """three.js, and the validator where the checkers ask for it."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        return [f"three.js: Node.js {OLDEST_NODE} or newer, with npm, is not on the path"]
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout.strip()
    if not said.startswith("v") or int(said[1:].split(".")[0]) < OLDEST_NODE:
        return [
            f"three.js: expected Node.js {OLDEST_NODE} or newer, found {said or 'one that does not start'}"
        ]
    wanted = (folder / "package.json").read_bytes()
    stamp = folder / "node_modules" / ".wanted"
    if stamp.is_file() and stamp.read_bytes() == wanted:
        return []
    verb = "ci" if (folder / "package-lock.json").is_file() else "install"
    if _call([npm, verb, "--no-audit", "--no-fund"], folder):
        stamp.write_bytes(wanted)
        return []
    return ["three.js: npm failed, see above"]


def _venv(folder: Path, name: str, title: str) -> list[str]:
    """A virtual environment of one client; finished ones are left as they are."""
    place, wanted = folder / f"venv-{name}", folder / f"requirements-{name}.txt"
    if name == "bpy" and sys.version_info[:2] != BLENDERS_PYTHON:
        return [f"{title}: its module exists for Python {'.'.join(map(str, BLENDERS_PYTHON))} only"]
    if not wanted.is_file():
        return [f"{title}: there is no {wanted.name} among the checkers"]
    stamp = place / "wanted.txt"
    if stamp.is_file() and stamp.read_bytes() == wanted.read_bytes():
        return []
    shutil.rmtree(place, ignore_errors=True)
    program = place / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    pip = [str(program), "-m", "pip", "install", "-q", "--disable-pip-version-check", "-r", str(wanted)]
    if _call([sys.executable, "-m", "venv", str(place)], folder) and _call(pip, folder):
        stamp.write_bytes(wanted.read_bytes())
        return []
    return [f"{title}: pip failed, see above"]


def _call(command: Sequence[str], folder: Path) -> bool:
    print(f"· {' '.join(command)}", flush=True)
    return subprocess.call(command, cwd=folder) == 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Install, and say what could not be; 0 in any case, since tests skip what is not there."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    given = parser.parse_args(arguments)
    for text in install(given.folder.resolve()):
        print(f"Not installed: {text}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
