"""Where the program's own log goes: a file that rotates; the terminal hears of warnings, but not of stalls."""

import logging
import sys
from logging.handlers import RotatingFileHandler
from pathlib import Path

from editor.model.paths import data_dir

NAME = "posewright.log"
LARGEST = 1_000_000
"""Bytes of one file; two older ones are kept."""
KEPT = 2
FILE_ONLY = ("editor.qt.stall",)
"""Loggers whose lines are for whoever looks for a fault, not for whoever works at the terminal."""


def log_file() -> Path:
    """The file; its folder is made by `start`."""
    return data_dir() / "logs" / NAME


def start() -> logging.Handler | None:
    """Log warnings to the file, and to the terminal what is not for the file alone; returns the file's handler.

    None where the file cannot be written: then stalls are not logged at all.
    """
    terminal = logging.StreamHandler(sys.stderr)
    terminal.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    terminal.addFilter(lambda record: record.name not in FILE_ONLY)
    logging.basicConfig(level=logging.WARNING, handlers=[terminal])
    try:
        log_file().parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = RotatingFileHandler(
            log_file(), maxBytes=LARGEST, backupCount=KEPT, encoding="utf-8", errors="replace"
        )
    except OSError as error:
        logging.getLogger(__name__).warning("there will be no log file: %s", error)
        return None
    file.setFormatter(logging.Formatter("%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"))
    logging.getLogger().addHandler(file)
    return file
