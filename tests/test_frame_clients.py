"""Installing the outside programs that judge our files."""

import shutil
import subprocess

from tests.clients import install


def test_clients_that_cannot_be_installed_are_named(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(install, "SCRIPTS", tmp_path / "absent")
    assert install.main([str(tmp_path / "here")]) == 0
    said = capsys.readouterr().out
    assert "Node.js 20 or newer, with npm, is not on the path" in said and "Blender, OpenUSD, ufbx" in said


def test_clients_are_installed_once_and_again_when_their_versions_change(monkeypatch, tmp_path):
    scripts, made = tmp_path / "check", []
    scripts.mkdir()
    for name, text in {
        "package.json": "{}",
        "requirements-ufbx.txt": "ufbx",
        "requirements-usd.txt": "usd",
    }.items():
        (scripts / name).write_text(text)

    def call(command, folder):
        made.append(command[-1])
        if not command[-1].endswith(".txt"):
            (folder / ("node_modules" if "npm" in command[0] else command[-1])).mkdir(parents=True)
        return True

    monkeypatch.setattr(install, "SCRIPTS", scripts)
    monkeypatch.setattr(install, "_call", call)
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(
        subprocess, "run", lambda command, **options: subprocess.CompletedProcess(command, 0, "v22.1.0\n")
    )
    folder = tmp_path / "here"
    assert any("Blender" in text for text in install.install(folder))
    first = len(made)
    assert first == 5  # npm, and venv and pip of two
    install.install(folder)
    assert len(made) == first
    (scripts / "requirements-usd.txt").write_text("usd newer")
    install.install(folder)
    assert len(made) == first + 2
