"""Who draws: a graphics card, or a program on the processor."""

_SOFTWARE = ("llvmpipe", "softpipe", "swrast", "software", "swiftshader", "gdi generic", "basic render")


def draws_in_software(renderer: str) -> bool:
    """Whether a renderer of this name (OpenGL's ``GL_RENDERER``) is a processor's work."""
    return any(word in renderer.lower() for word in _SOFTWARE)
