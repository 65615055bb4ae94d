"""The layers' contracts catch what they are there for, on a small tree that breaks each of them."""

import shutil
import subprocess
import sys
import tomllib

import pytest

from tests.shared import ROOT

GOOD = {
    "core/__init__.py": "",
    "core/errors.py": "",
    "core/rig/__init__.py": "from core import errors",
    "core/pose/__init__.py": "from core import rig",
    "core/io/__init__.py": "",
    "core/io/common/__init__.py": "",
    "core/io/bvh/__init__.py": "from core.io import common",
    "core/io/fbx/__init__.py": "from core.io import common",
    "editor/__init__.py": "",
    "editor/app.py": "import PySide6\nfrom editor import shell",
    "editor/shell/__init__.py": "",
    "editor/model/__init__.py": "from core import pose",
    "editor/gl/__init__.py": "",
    "editor/gl/camera.py": "",
    "editor/panels/__init__.py": "",
    "editor/panels/time/__init__.py": "",
    "editor/panels/time/view_model.py": "from editor import model",
    "editor/panels/time/widget.py": "import PySide6\nfrom editor.panels.time import view_model",
    "editor/panels/tree/__init__.py": "",
}
BREAKS = {
    "core is free of Qt": {"core/rig/__init__.py": "import OpenGL.GL"},
    "layers of core": {"core/rig/__init__.py": "from core import pose"},
    "formats don't know each other": {"core/io/fbx/__init__.py": "from core.io import bvh"},
    "layers of the editor": {"editor/gl/__init__.py": "from editor import shell"},
    "view models": {"editor/panels/time/view_model.py": "from editor.panels.time import widget"},
    "camera and draw list": {"editor/gl/camera.py": "from PySide6 import QtGui"},
    "panels don't know each other": {
        "editor/panels/tree/__init__.py": "from editor.panels.time import widget"
    },
}


def lint(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    shutil.copy(ROOT / "pyproject.toml", folder)
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()"]
    done = subprocess.run([*command, "--no-cache"], cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, " ".join(done.stdout.split())


def test_layers_sound_tree_keeps_every_contract(tmp_path):
    code, output = lint(tmp_path, GOOD)
    assert code == 0, output
    assert " 0 broken" in output


@pytest.mark.parametrize("contract", BREAKS)
def test_layers_broken_contract_is_named(tmp_path, contract):
    code, output = lint(tmp_path, GOOD | BREAKS[contract])
    assert code == 1, output
    broken = [part.rsplit("KEPT")[-1] for part in output.split("BROKEN")[:-1]]
    assert any(contract in name for name in broken), output


def test_layers_new_package_without_a_place_is_told(tmp_path):
    code, output = lint(tmp_path, GOOD | {"core/cooking.py": ""})
    assert code == 1
    assert "cooking" in output


def test_contract_of_formats_names_every_package_that_has_an_entry():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = next(c["layers"] for c in contracts if c["name"] == "formats don't know each other")
    named = {name.strip("() ").rsplit(".", 1)[-1] for name in layers[1].split("|")}
    assert named == {path.parent.name for path in (ROOT / "core" / "io").glob("*/entry.py")}
