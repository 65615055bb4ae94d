"""Map proposals for every rig of a folder onto the sample character, as a table in Markdown.

    python -m tests.clients.retarget_maps [FOLDER]

What is wrong is told by `tests.core.retarget.truth`, which a person wrote; rigs that it does not know are judged
by nobody.
"""

import sys
from pathlib import Path

from core.errors import AnimError
from core.io import format_of, load
from core.retarget.chain_map import propose_map
from tests.core.retarget.figures import sample
from tests.core.retarget.truth import HUMANOIDS, IN_PART, wrong

ROOT = Path(__file__).resolve().parents[2]


def row(name: str, rig_name: str, found, bones: int) -> str:  # type: ignore[no-untyped-def]
    mapped = sum(len(pair.source) for pair in found.chains)
    left = [bone for bone in found.source_left if not bone.lower().endswith(("_end", "_nub"))]
    truth = HUMANOIDS.get(name) or IN_PART.get(name)
    judged = "; ".join(wrong(found, truth)) or "none" if truth and rig_name != "Skel" else "–"
    least = min((pair.confidence for pair in found.chains), default=0.0)
    shown = ", ".join(left[:6]) + (f" … {len(left)} in all" if len(left) > 6 else "")
    told = found.refused or "; ".join(found.notes)
    count = f"{len(found.chains)} ({mapped})"
    return f"| {name} | {bones} | {count} | {least:.2f} | {shown or 'none'} | {judged} | {told} |"


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT.parent / "shared" / "data"
    target = sample().rigs[0].skeleton
    print("| file | bones | chains (bones) | least sure | left out, ends aside | wrong | said |")
    print("| --- | --: | --: | --: | --- | --- | --- |")
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and format_of(p) is not None):
        if path.suffix.lower() in (".json", ".csv"):
            continue
        name = str(path.relative_to(folder))
        try:
            project = load(path).project
        except AnimError as error:
            print(f"| {name} | | | | | | cannot be read: {' '.join(str(error).split())[:80]} |")
            continue
        for rig in project.rigs:
            print(row(name, rig.name, propose_map(rig.skeleton, target), len(rig.skeleton)))


if __name__ == "__main__":
    sys.exit(main())
