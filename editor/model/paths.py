"""Where preferences, journals and backups belong on this system."""

import os
from pathlib import Path

from platformdirs import user_config_path, user_data_path


def config_dir() -> Path:
    """Folder of the preferences; ``POSEWRIGHT_CONFIG_DIR`` overrides it. Not made here."""
    override = os.environ.get("POSEWRIGHT_CONFIG_DIR")
    return Path(override) if override else Path(user_config_path("posewright", appauthor=False))


def data_dir() -> Path:
    """Folder of journals, backups and caches; ``POSEWRIGHT_DATA_DIR`` overrides it. Not made here."""
    override = os.environ.get("POSEWRIGHT_DATA_DIR")
    return Path(override) if override else Path(user_data_path("posewright", appauthor=False))
