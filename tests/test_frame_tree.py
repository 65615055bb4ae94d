"""What is in the repository: only what belongs there."""

import shutil
import subprocess

import pytest

from tests.shared import ROOT

TOP = {
    ".ci",
    ".editorconfig",
    ".gitattributes",
    ".gitignore",
    "LICENSE",
    "README.md",
    "core",
    "dev.py",
    "editor",
    "pyproject.toml",
    "resources",
    "tests",
}
"""Names at the top of the repository."""


def strangers(tracked: list[str]) -> set[str]:
    """Names at the top of tracked paths that are not known there, such as what a run by hand left behind."""
    return {path.split("/")[0] for path in tracked} - TOP


def test_every_tracked_name_at_the_top_is_known():
    if shutil.which("git") is None:
        pytest.skip("git is not on the path")
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False
    )
    if listed.returncode or not listed.stdout:
        pytest.skip("this copy is no repository")
    assert not strangers(listed.stdout.rstrip("\0").split("\0"))


def test_journals_of_a_run_by_hand_are_strangers():
    assert strangers(["core/ids.py", "data/journals/1.journal", "dev.py"]) == {"data"}
