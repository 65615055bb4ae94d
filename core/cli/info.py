"""``info FILE``: what a file holds."""

import argparse
import json
from typing import Any

from core.cli.common import Subcommand
from core.cli.exporting import add_reading, opened
from core.io.loaded import Loaded


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="the file to read")
    add_reading(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def _run(arguments: argparse.Namespace) -> int:
    told = described(opened(arguments.file, arguments))
    print(json.dumps(told, ensure_ascii=False, indent=2) if arguments.json else _text(told))
    return 0


def described(loaded: Loaded) -> dict[str, Any]:
    """Plain values about a loaded file."""
    project = loaded.project
    return {
        "rigs": [
            {
                "name": rig.name,
                "bones": list(rig.skeleton.names),
                "parents": rig.skeleton.parents.tolist(),
                "sources": rig.skeleton.sources.tolist(),
                "clips": [clip.name for clip in project.clips_of(rig.id)],
                "meshes": [mesh.name for mesh in project.meshes_of(rig.id)],
            }
            for rig in project.rigs
        ],
        "clips": [
            {
                "name": clip.name,
                "duration": clip.length,
                "rate": clip.rate.fps,
                "frames": round(clip.frames) + 1,
                "looping": clip.looping,
                "tracks": len(clip.tracks),
                "keys": sum(len(track) for track in clip.every_track()),
            }
            for clip in project.clips
        ],
        "meshes": [
            {
                "name": mesh.name,
                "vertices": len(mesh.positions),
                "triangles": len(mesh.triangles),
                "morphs": [morph.name for morph in mesh.morphs],
            }
            for rig in project.rigs
            for mesh in project.meshes_of(rig.id)
        ],
        "report": loaded.report.to_json(),
        "report_text": loaded.report.to_text(),
    }


def _text(told: dict[str, Any]) -> str:
    lines: list[str] = []
    for rig in told["rigs"]:
        lines.append(f"rig {rig['name']}: {len(rig['bones'])} bones")
        lines.append("  " + ", ".join(rig["bones"]))
    for clip in told["clips"]:
        loop = ", looping" if clip["looping"] else ""
        lines.append(
            f"clip {clip['name']}: {clip['duration']:.4g} s, {clip['frames']} frames at {clip['rate']:g}"
            f"{loop}, {clip['tracks']} tracks, {clip['keys']} keys"
        )
    for mesh in told["meshes"]:
        morphs = f", morphs {', '.join(mesh['morphs'])}" if mesh["morphs"] else ""
        lines.append(
            f"mesh {mesh['name']}: {mesh['vertices']} vertices, {mesh['triangles']} triangles{morphs}"
        )
    lines.append(told["report_text"])
    return "\n".join(lines)


COMMAND = Subcommand("info", "Show what a file contains.", _arguments, _run)
