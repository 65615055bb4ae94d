"""Units of length that files may be in, as dialogs offer them. Free of Qt."""

UNITS = (("millimetres", 0.001), ("centimetres", 0.01), ("inches", 0.0254), ("feet", 0.3048), ("metres", 1.0))
"""Name and metres."""
