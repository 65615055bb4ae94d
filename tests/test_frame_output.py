"""What dev.py shows of the tests while they run, and their last line."""

import sys

import pytest

import dev


@pytest.mark.parametrize(
    ("output", "closing"),
    [
        ("....\n4 passed in 0.30s\n", "4 passed in 0.30s"),
        ("x\n=== 1 failed, 3 passed, 2 skipped in 61.30s (0:01:01) ===\n", None),
        (
            "\x1b[32m=== \x1b[1m4 passed\x1b[0m\x1b[32m in 0.26s\x1b[0m ===\x1b[0m\n",
            "=== 4 passed in 0.26s ===",
        ),
        ("=== no tests ran in 0.01s ===\n", "=== no tests ran in 0.01s ==="),
        ("=== 2 errors in 3s ===\nafterwards\n", "=== 2 errors in 3s ==="),
        ("Fatal Python error: Aborted\n", ""),
    ],
)
def test_closing_line_is_found_in_every_shape(output, closing):
    assert dev.closing_line(output) == (output.splitlines()[-1] if closing is None else closing)


def test_tee_shows_output_and_returns_status_and_end(capfdbinary, monkeypatch):
    monkeypatch.setattr(sys, "stdout", sys.__stdout__)
    program = "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"
    code, output = dev.tee([sys.executable, "-u", "-c", program])
    assert (code, output.split()) == (3, ["out", "err"])
