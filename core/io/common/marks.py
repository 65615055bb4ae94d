"""Marks that our writers leave in files for our readers. (Apart, as helper processes need no more than this.)"""

EXTRAS = "posewright"
"""Property of an animation stack that holds what FBX has no place for, as JSON."""

RIG = "posewright_rig"
"""Property of a root bone that names its rig, where a file holds several or the rig several roots."""

NAME = "posewright_name"
"""Property of a bone whose node is called otherwise, because another rig's bone has its name."""
