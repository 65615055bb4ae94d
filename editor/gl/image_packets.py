"""How the image decoder and its helper process talk: `struct` formats of what goes before the bytes."""

HEAD = "<II"
"""Asked: how many bytes follow, and the longest edge wanted."""
ANSWER = "<III"
"""Told: width and height, 0 where there is no picture, and how many bytes follow."""
