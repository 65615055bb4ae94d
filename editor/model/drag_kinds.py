"""Kinds of data that are dragged from one panel to another."""

CLIP = "application/x-posewright-clip"
"""The id of a clip."""
ASSET = "application/x-posewright-asset"
"""The id of any asset."""
VARIABLE = "application/x-posewright-variable"
"""The name of a variable of the graph that runs."""
