"""Names in expressions: renaming changes what a name means, and nothing else of the text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.graph.language import renaming

TEXT = "state( 'moves' )== 'walk' and speed*2.5e3>=at.speed or speed('speed', _x1)"


def test_pieces_are_words_texts_numbers_and_signs_with_their_columns():
    found = renaming.pieces("a_1>=2.5e-3*'b c'+\"d\".x")
    assert [p for p, _ in found] == ["a_1", ">", "=", "2.5e-3", "*", "'b c'", "+", '"d"', ".", "x"]
    assert [column for _, column in found] == [0, 3, 4, 5, 11, 12, 17, 18, 21, 22]


@given(st.text(alphabet="ab_1 .'\"()=<,+", max_size=30))
def test_pieces_stand_where_they_say_and_leave_out_only_space(text):
    left = list(text)
    for piece, column in renaming.pieces(text):
        assert text[column : column + len(piece)] == piece
        left[column : column + len(piece)] = " " * len(piece)
    assert not "".join(left).strip()


def test_names_are_words_and_quoted_texts_but_not_the_words_of_the_language():
    assert renaming.names_in(TEXT) == {"state", "moves", "walk", "speed", "at", "_x1"}
    assert renaming.names_in("not true and false or '") == set()


def test_a_renamed_variable_leaves_calls_components_and_texts():
    new = renaming.with_name(TEXT, "speed", "pace")
    assert new == "state( 'moves' )== 'walk' and pace*2.5e3>=at.speed or speed('speed', _x1)"
    assert renaming.with_name("speed", "speed", "v") == "v"
    assert renaming.with_name("speed+speed", "speed", "longer_name") == "longer_name+longer_name"
    assert renaming.with_name("speeds + a", "speed", "v") == "speeds + a"


@given(st.lists(st.sampled_from(["speed", "+", "(", "'speed'", ".", " ", "x"]), max_size=12).map("".join))
def test_renaming_there_and_back_gives_the_same_text(text):
    assert renaming.with_name(renaming.with_name(text, "speed", "fresh"), "fresh", "speed") == text


@pytest.mark.parametrize("text, new", [
    ("take('jump')", "take('hop')"), ('fired( "jump" )', 'fired( "hop" )'),
    ("take('jump') and take('jumps')", "take('hop') and take('jumps')"),
    ("curve('jump')", "curve('jump')"), ("take(1, 'jump')", "take(1, 'jump')"),
    ("'jump'", "'jump'"), ("('jump')", "('jump')"), ("take 'jump'", "take 'jump'"), ("take(jump)", "take(jump)"),
    ("take['jump']", "take['jump']"),
])  # fmt: skip
def test_a_quoted_name_is_renamed_as_the_first_argument_of_the_functions(text, new):
    assert renaming.with_quoted(text, ("take", "fired"), "jump", "hop") == new


@pytest.mark.parametrize("text, new", [
    ("state('m') == 'walk'", "state('m') == 'run'"), ("'walk' == state('m')", "'run' == state('m')"),
    ("state(\"m\")!=\"walk\"", "state(\"m\")!=\"run\""), ("state('other') == 'walk'", "state('other') == 'walk'"),
    ("exited('m') == 'walk'", "exited('m') == 'walk'"), ("a == 'walk'", "a == 'walk'"),
    ("state('m') == 'walks'", "state('m') == 'walks'"),
    ("state('m') == 'a' and state('m') == 'walk'", "state('m') == 'a' and state('m') == 'run'"),
    ("state['m'] == 'walk'", "state['m'] == 'walk'"), ("walk == state('m')", "walk == state('m')"),
    ("state('m') == 'a' and b == c and 'walk' == d", "state('m') == 'a' and b == c and 'walk' == d"),
    ("'walk' == d and b == c and state('m') == 'a'", "'walk' == d and b == c and state('m') == 'a'"),
])  # fmt: skip
def test_a_quoted_name_is_renamed_where_it_is_compared_with_the_call(text, new):
    assert renaming.with_compared(text, "state", "m", "walk", "run") == new
