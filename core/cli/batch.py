"""``batch PATTERN… --to DIR``: many files into one format, with progress, and each read back."""

import argparse
import glob
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.cli.common import Subcommand, UsageError
from core.cli.exporting import add_reading, add_writing, opened, options_of, settings_of
from core.cli.replacing import add_overwrite, kept_old, require_free
from core.errors import AnimError, Cancelled
from core.io import format_of, formats
from core.io.common.naming import cut_at
from core.progress import Progress


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "patterns", metavar="PATTERN", nargs="+", help="files, or globs such as 'mocap/**/*.bvh'"
    )
    parser.add_argument("--to", required=True, metavar="DIR", help="output folder; created if missing")
    suffixes = [suffix[1:] for known in formats() for suffix in known.write_suffixes]
    parser.add_argument("--format", choices=suffixes, help="output format; a preset sets its own")
    parser.add_argument(
        "--preset", metavar="NAME", help="settings for a program: unreal, unity, godot, blender …"
    )
    parser.add_argument("--clip", metavar="GLOB", action="append", help="only clips whose names match")
    parser.add_argument("--each", action="store_true", help="one file per clip")
    parser.add_argument("--no-check", action="store_true", help="do not verify the written files")
    parser.add_argument("--json", action="store_true", help="print one line of JSON per file")
    add_overwrite(parser)
    add_reading(parser)
    add_writing(parser)


def _run(arguments: argparse.Namespace) -> int:
    from core.io.presets import preset_named

    preset = preset_named(arguments.preset) if arguments.preset else None
    suffix = f".{arguments.format}" if arguments.format else preset.suffix if preset else ""
    if not suffix:
        raise UsageError("say --format or --preset")
    paths = files_of(arguments.patterns)
    folder = Path(arguments.to)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder}: {error.strerror or error}") from error
    failed = 0
    taken: set[Path] = set()
    for number, path in enumerate(paths):
        tell = _Line(f"[{number + 1}/{len(paths)}] {path.name}")
        try:
            results = _convert(path, folder, suffix, arguments, preset, tell.progress, taken)
        except Cancelled:
            raise
        except AnimError as error:
            results = [{"file": str(path), "error": " ".join(str(error).split())}]
        tell.clear()
        for result in results:
            failed += "error" in result or not result.get("good", True)
            print(json.dumps(result, ensure_ascii=False) if arguments.json else _text(result), flush=True)
    return 1 if failed else 0


def files_of(patterns: list[str]) -> list[Path]:
    """Files that patterns name, each once, in order; raises `UsageError` for one that names none."""
    found: dict[Path, None] = {}
    for pattern in patterns:
        matches = [pattern] if Path(pattern).is_file() else sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207 - a pattern with a folder in it
        files = [Path(match) for match in matches if Path(match).is_file()]
        if not files:
            raise UsageError(f"{pattern}: no file fits")
        found |= dict.fromkeys(files)
    return list(found)


def _convert(
    path: Path, folder: Path, suffix: str, arguments: argparse.Namespace, preset: Any, progress: Progress,
    taken: set[Path],
) -> list[dict[str, Any]]:  # fmt: skip
    from fnmatch import fnmatchcase

    from core.io.prepare.selection import of_rig
    from core.io.presets import export

    project = opened(str(path), arguments, progress.part(0.0, 0.4)).project
    results = []
    general = settings_of(arguments, preset)
    written = format_of(f"a{suffix}")
    single = written is not None and written.one_clip
    for rig in project.rigs:
        clips = [
            clip
            for clip in project.clips_of(rig.id)
            if not arguments.clip or any(fnmatchcase(clip.name, pattern) for pattern in arguments.clip)
        ]
        groups = [[clip] for clip in clips] if arguments.each or (single and clips) else [clips]
        for group in groups:
            parts = [path.stem]
            parts += [rig.name] if len(project.rigs) > 1 else []
            parts += [group[0].name] if len(groups) > 1 and group else []
            target = _free(folder, "_".join(parts), suffix, taken)
            require_free(str(target), arguments.overwrite, [str(path)])
            settings = replace(general, rig=rig.id, clips=tuple(clip.id for clip in group))
            options = options_of(arguments, str(target), preset)
            check = not arguments.no_check
            kept = of_rig(project, rig.id).without(*({c.id for c in project.clips} - {c.id for c in group}))
            replaced = kept_old(target, kept)
            done = export(
                project, target, settings, options, self_check=check, progress=progress.part(0.4, 1.0)
            )
            result: dict[str, Any] = {
                "file": str(path),
                "wrote": str(target),
                "left_out": done.report.left_out,
                "replaced": replaced,
            }
            if done.check is not None:
                worst = done.check.worst
                result |= {"good": done.check.good, "problems": list(done.check.problems)}
                result |= {
                    "worst": worst.to_text() if worst else "",
                    "mm": worst.millimetres if worst else None,
                }
            results.append(result)
    return results


def _free(folder: Path, stem: str, suffix: str, taken: set[Path]) -> Path:
    """A path that this run has not written yet; names keep only what every file system allows."""
    clean = "".join("_" if c in '<>:"/\\|?*' or ord(c) < 32 else c for c in stem).strip(". ")
    clean = cut_at(clean, 200) or "file"
    path, number = folder / f"{clean}{suffix}", 1
    while path in taken:
        path, number = folder / f"{clean}_{number}{suffix}", number + 1
    taken.add(path)
    return path


def _text(result: dict[str, Any]) -> str:
    if "error" in result:
        return f"FAILED {result['file']}: {result['error']}"
    line = f"{result['file']} → {result['wrote']}"
    line += "".join(f"\n  {text}" for text in result["replaced"])
    if "good" in result:
        line += f"  {'ok' if result['good'] else 'NOT GOOD'}: {result['worst']}"
        line += "".join(f"\n  problem: {text}" for text in result["problems"])
    return line


class _Line:
    """One line of progress on a terminal's standard error; nothing where that is a file."""

    def __init__(self, title: str) -> None:
        self._title, self._shows = title, sys.stderr.isatty()
        self.progress = Progress(self._tell if self._shows else None)

    def _tell(self, fraction: float, text: str) -> None:
        print(f"\r{self._title} {fraction:4.0%} {text[:40]:40}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Make room for what comes next."""
        if self._shows:
            print("\r" + " " * 100 + "\r", end="", file=sys.stderr, flush=True)


COMMAND = Subcommand("batch", "Convert many files, and verify each.", _arguments, _run)
