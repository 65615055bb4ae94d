"""What a report of benchmarks says of the machine, the versions, and the state of the code."""

import importlib.metadata
import os
import platform
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("numpy", "numba", "llvmlite", "PySide6-Essentials", "pyqtgraph", "PyOpenGL")


def commit() -> str:
    """The commit that runs, and whether files differ from it."""
    try:
        words = ["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--abbrev=12"]
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown (no git)"


def processor() -> str:
    """Name of the processor, as the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def version(package: str) -> str:
    """A package and its version."""
    try:
        return f"{package} {importlib.metadata.version(package)}"
    except importlib.metadata.PackageNotFoundError:
        return f"{package} –"


def heading() -> str:
    """A few lines to stand above all figures."""
    load = f", load {os.getloadavg()[0]:.1f} at the start" if hasattr(os, "getloadavg") else ""
    lines = [
        f"Posewright benchmarks, {time.strftime('%Y-%m-%d %H:%M')}, commit {commit()}",
        f"{platform.platform()}, {processor()}, {os.cpu_count()} processors{load}",
        f"Python {platform.python_version()}, " + ", ".join(version(package) for package in PACKAGES),
        "Each table says how its times were taken; ratios compare what ran one after the other in one run.",
    ]
    return "\n".join(lines)
