"""The guide: Markdown pages in ``resources/guide``, shown by Help and run by the tests."""

from dataclasses import dataclass
from pathlib import Path

from core.errors import FormatError

SCRIPTS = "scripts"
"""Folder of the pages for people who write Python."""


@dataclass(frozen=True, slots=True)
class GuidePage:
    """One page.

    Parameters
    ----------
    section : "" for pages of the editor, else the name of its folder (`SCRIPTS`)
    title : its first heading
    text : all of it, in Markdown
    """

    section: str
    title: str
    text: str
    path: Path


def guide_folder() -> Path:
    """Where the pages are."""
    import resources

    return Path(next(iter(resources.__path__))) / "guide"


def guide_pages(folder: Path | None = None) -> tuple[GuidePage, ...]:
    """Pages of the editor in the order of their file names, then those of each subfolder.

    Raises
    ------
    FormatError
        A page is not UTF-8, or does not begin with a heading.
    """
    root = folder or guide_folder()
    paths = [*sorted(root.glob("*.md")), *sorted(root.glob("*/*.md"))]
    return tuple(_page(root, path) for path in paths)


def found_pages(pages: tuple[GuidePage, ...], words: str) -> tuple[GuidePage, ...]:
    """Pages that contain every word, those with all words in the title first; all without a word."""
    wanted = words.casefold().split()
    found = [page for page in pages if all(word in page.text.casefold() for word in wanted)]
    return tuple(sorted(found, key=lambda page: not all(word in page.title.casefold() for word in wanted)))


def _page(root: Path, path: Path) -> GuidePage:
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError(path, "", f"cannot be read: {error}") from error
    head = text.split("\n", 1)[0]
    if not head.startswith("# "):
        raise FormatError(path, "line 1", f"expected a heading such as '# Set keys', got {head[:40]!r}")
    section = "" if path.parent == root else path.parent.name
    return GuidePage(section, head[2:].strip(), text, path)
