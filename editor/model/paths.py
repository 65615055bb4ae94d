"""Where preferences, journals and backups belong on this system."""

import os
from pathlib import Path

from platformdirs import user_config_path

from core.io.backups import data_dir

__all__ = ["config_dir", "data_dir"]


def config_dir() -> Path:
    """Folder of the preferences; ``POSEWRIGHT_CONFIG_DIR`` overrides it. Not made here."""
    override = os.environ.get("POSEWRIGHT_CONFIG_DIR")
    return Path(override) if override else Path(user_config_path("posewright", appauthor=False))


def printable(name: str) -> str:
    """A file's name for people: what is no Unicode in it becomes "\N{REPLACEMENT CHARACTER}"."""
    return "".join("\N{REPLACEMENT CHARACTER}" if "\ud800" <= c <= "\udfff" else c for c in name)
