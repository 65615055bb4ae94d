"""The locomotion sample, and its character with the few clips that most tests need: a tenth of the time to make."""

from dataclasses import replace
from functools import cache

from core.io import load
from core.project.project import Project
from resources.sample.locomotion import FILE

CLIPS = ("idle", "walk", "run", "wave", "crouch idle", "jump start", "fall", "jump land")


@cache
def whole() -> Project:
    """The locomotion sample."""
    return load(FILE).project


@cache
def light(*more: str) -> Project:
    """Its character with a few clips, those named too, and no graph or mesh."""
    rig = replace(whole().rigs[0], post_graph=None, animation=None)
    clips = [clip for clip in whole().clips if clip.name in (*CLIPS, *more)]
    return Project({asset.id: asset for asset in (rig, *clips)})
