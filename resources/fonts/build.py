"""Builds the interface font: ``python -m resources.fonts.build FOLDER`` writes the files beside this script.

`FOLDER` is the unpacked npm package ``inter-ui`` (4.1.1). The web fonts in it are unpacked to TrueType, which Qt
reads on every system; their figures become the tabular ones, so that no number jumps as it counts, and the family is
named "Inter Tabular", so that an Inter of the system is never mixed up with it. The letters that contact sheets are
labelled with are drawn to ``labels.npz``: labels need neither Qt nor Pillow. Needs fonttools, brotli and Pillow; the
program needs none of them.
"""

import io
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
WEIGHTS = ("Regular", "SemiBold")
LABEL_PIXELS = 12
CHARACTERS = "".join(map(chr, range(32, 127))) + "°·×–—…−ÄÖÜäöüßéèàç"


FAMILY = "Inter Tabular"


def build(folder: Path) -> None:
    """Write the fonts, their licence and the labels' letters."""
    from fontTools.ttLib import TTFont

    for weight in WEIGHTS:
        font = TTFont(folder / "web" / f"Inter-{weight}.woff2", recalcTimestamp=False)
        font.flavor = None
        _tabular(font)
        _name(font, weight)
        font.save(HERE / f"InterTabular-{weight}.ttf")
    shutil.copyfile(folder / "LICENSE.txt", HERE / "OFL.txt")
    _labels(TTFont(HERE / "InterTabular-Regular.ttf"))


def _tabular(font: Any) -> None:
    """Give every figure the same width."""
    for table in font["cmap"].tables:
        for code in range(ord("0"), ord("9") + 1):
            if not table.cmap.get(code, ".tf").endswith(".tf"):  # tables may share their entries
                table.cmap[code] += ".tf"


def _name(font: Any, weight: str) -> None:
    """Another family name; who made it and under which licence stays."""
    style = "Regular" if weight == "Regular" else "Semi Bold"
    plain = FAMILY if weight == "Regular" else f"{FAMILY} {style}"
    names = {
        1: plain,
        2: "Regular",
        3: f"{FAMILY} {style} 4.1",
        4: plain,
        6: f"InterTabular-{weight}",
        16: FAMILY,
        17: style,
    }
    for entry in font["name"].names:
        if entry.nameID in names:
            entry.string = names[entry.nameID]
    font["name"].names = [entry for entry in font["name"].names if entry.nameID not in (21, 22, 25)]
    for number in (16, 17):
        font["name"].setName(names[number], number, 3, 1, 0x409)


def _labels(font: Any) -> None:
    """Draw the letters of labels."""
    from PIL import Image, ImageDraw, ImageFont

    data = io.BytesIO()
    font.save(data)
    data.seek(0)
    face = ImageFont.truetype(data, LABEL_PIXELS, layout_engine=ImageFont.Layout.BASIC)
    up, down = face.getmetrics()
    wide = max(int(np.ceil(face.getlength(letter))) for letter in CHARACTERS) + 2
    letters, advances = [], []
    for letter in CHARACTERS:
        image = Image.new("L", (wide, up + down), 0)
        ImageDraw.Draw(image).text((1, 0), letter, 255, font=face)
        letters.append(np.asarray(image))
        advances.append(round(face.getlength(letter)))
    np.savez_compressed(
        HERE / "labels.npz",
        codes=np.array([ord(letter) for letter in CHARACTERS], np.uint32),
        coverage=np.stack(letters),
        advances=np.array(advances, np.int32),
    )


if __name__ == "__main__":
    build(Path(sys.argv[1]))
