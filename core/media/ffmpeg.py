"""The decoder: ffmpeg of the package imageio-ffmpeg, in processes of its own.

A crafted file can at most take over such a process, never the editor's. It is told to open nothing but the one
local file, in formats that hold media themselves: no playlists, no addresses.
"""

import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from core.errors import FormatError, UnsupportedError

EXTRA = "media"
FORMATS = (
    "aac,ac3,aiff,amr,ape,apng,asf,au,avi,caf,dv,exr_pipe,flac,flv,gif,gif_pipe,image2,jpeg_pipe,jpegls_pipe,"
    "matroska,webm,mov,mp4,m4a,3gp,3g2,mj2,mp3,mpeg,mpegts,mpegvideo,mxf,ogg,png_pipe,bmp_pipe,tiff_pipe,tga_pipe,"
    "webp_pipe,w64,wav,wv,h264,hevc,m4v,ivf,webp,avif,heic"
)
MOST_PIXELS = 80_000_000
MOST_MEMORY = 6 << 30


def why_missing() -> UnsupportedError | None:
    """Why nothing can be decoded here, or None where it can."""
    if find_spec("imageio_ffmpeg") is not None:
        return None
    return UnsupportedError(
        "audio and reference files need the package imageio-ffmpeg, which is not installed: "
        f"install the extra '{EXTRA}' (pip install 'posewright[{EXTRA}]')"
    )


def executable() -> str:
    """Path of ffmpeg.

    Raises
    ------
    UnsupportedError
        The extra ``media`` is not installed, or has no ffmpeg for this system; names what to do.
    """
    missing = why_missing()
    if missing is not None:
        raise missing
    from imageio_ffmpeg import get_ffmpeg_exe

    try:
        return str(get_ffmpeg_exe())
    except RuntimeError as error:
        raise UnsupportedError(
            "imageio-ffmpeg has no ffmpeg for this system: install ffmpeg, or name it in IMAGEIO_FFMPEG_EXE"
        ) from error


def checked(path: Path) -> Path:
    """The path of a file that is there and holds something.

    Raises
    ------
    FormatError
        It is missing, no file, or empty.
    """
    try:
        if not path.is_file():
            reason = "it is a folder" if path.is_dir() else "the file is missing"
            raise FormatError(path, "", reason, "choose another file")
        if path.stat().st_size == 0:
            raise FormatError(path, "", "the file is empty", "choose another file")
    except (OSError, ValueError) as error:
        raise FormatError(path, "", f"it cannot be opened: {error}", "choose another file") from error
    return path


def reading(path: Path | str, *options: str, level: str = "fatal") -> list[str]:
    """The words of a command that opens one local file; what is done with it follows them."""
    return [
        executable(), "-nostdin", "-hide_banner", "-v", level, "-protocol_whitelist", "file,pipe",
        "-format_whitelist", FORMATS, *options, "-i", f"file:{path}",
    ]  # fmt: skip


def start(words: Sequence[str]) -> "subprocess.Popen[bytes]":
    """Start ffmpeg with its output in a pipe.

    Raises
    ------
    UnsupportedError
        It cannot be started.
    """
    try:
        process = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, **_quiet()
        )
    except OSError as error:
        raise UnsupportedError(f"ffmpeg cannot be started: {error.strerror or error}") from error
    _limit(process.pid)
    return process


def stop(process: "subprocess.Popen[bytes] | None") -> None:
    """End a process and wait for it; its pipe is closed."""
    if process is None:
        return
    if process.poll() is None:
        process.kill()
    if process.stdout is not None:
        process.stdout.close()
    process.wait()


def told(words: Sequence[str], seconds: float) -> tuple[int, str, bytes]:
    """Run ffmpeg to its end: exit status, what it says, what it writes.

    Raises
    ------
    UnsupportedError
        It cannot be started, or takes longer than `seconds`.
    """
    try:
        done = subprocess.run(
            words, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds, check=False, **_quiet()
        )
    except subprocess.TimeoutExpired as error:
        raise UnsupportedError(f"ffmpeg did not finish within {seconds:g} s") from error
    except OSError as error:
        raise UnsupportedError(f"ffmpeg cannot be started: {error.strerror or error}") from error
    return done.returncode, done.stderr.decode("utf-8", "replace"), done.stdout


def _quiet() -> dict[str, Any]:
    """No console window where the system would open one."""
    return {"creationflags": 0x08000000} if sys.platform == "win32" else {}


def _limit(pid: int) -> None:
    """Bound its memory, where the system can do so from outside."""
    if sys.platform.startswith("linux"):
        import resource

        try:
            resource.prlimit(pid, resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        except (OSError, ValueError):
            return  # ended already, or a smaller limit holds
