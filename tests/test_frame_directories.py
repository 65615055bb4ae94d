"""What a test writes for its user is its own: neither the machine's user nor another process ever has it."""

import os
from pathlib import Path

import pytest

from core.io.backups import data_dir
from editor.model.paths import config_dir

NAMES = ("POSEWRIGHT_CONFIG_DIR", "POSEWRIGHT_DATA_DIR")


@pytest.fixture(scope="module")
def of_module() -> dict[str, str]:
    """What a window that a module opens for all its tests is told."""
    return {name: os.environ.get(name, "") for name in NAMES}


def test_a_module_sets_up_in_folders_of_its_own(of_module, module_directories, tmp_path_factory) -> None:
    base = tmp_path_factory.getbasetemp()
    for name in NAMES:
        assert Path(of_module[name]).is_relative_to(module_directories)
        assert Path(of_module[name]).is_relative_to(base), "where this process alone writes"


def test_a_test_has_others_than_its_module(of_module, own_directories) -> None:
    assert config_dir().is_relative_to(own_directories) and data_dir().is_relative_to(own_directories)
    assert not {str(config_dir()), str(data_dir())} & set(of_module.values())
