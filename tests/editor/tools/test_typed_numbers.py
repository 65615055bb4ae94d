import pytest
from hypothesis import given
from hypothesis import strategies as st

from editor.tools.typed import Typed


def after(keys: str) -> Typed:
    typed = Typed()
    for key in keys:
        taken = typed.with_text(key)
        typed = typed if taken is None else taken
    return typed


@pytest.mark.parametrize(
    ("keys", "values"),
    [
        ("90", (90.0,)),
        ("-12.5", (-12.5,)),
        ("12-", (-12.0,)),
        ("--3", (3.0,)),
        ("1.2.3", (1.23,)),
        ("1,2,-3", (1.0, 2.0, -3.0)),
        ("45\b\b", ()),
        ("-", (0.0,)),
        (".", (0.0,)),
        (".5", (0.5,)),
        ("x7y", (7.0,)),
    ],
)
def test_keys_typed_read_as_numbers(keys, values):
    assert after(keys).values() == values


def test_backspace_on_nothing_and_letters_are_not_taken():
    assert Typed().with_text("\b") is None
    assert Typed().with_text("g") is None
    assert Typed().with_text("") is None
    assert Typed().with_text("٣") is None


@given(st.text(alphabet="0123456789.-,\b\tab", max_size=20))
def test_any_keys_give_finite_numbers(keys):
    assert all(abs(value) < 1e21 for value in after(keys).values())
