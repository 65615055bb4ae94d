"""Every function and operator with arguments of every type: what is refused, and what the others give.

Each line of the pins is one function: for each of its arguments each type, the others as it takes them.
"""

# ruff: noqa: E501 - a line of texts

import itertools

import pytest

from core.graph.graph import Variable
from core.graph.instance import Instance
from core.graph.language.functions import FUNCTIONS
from core.graph.language.syntax import ExpressionError
from core.graph.language.values import BOOL, VECTOR, Kind
from core.graph.peek import asking
from core.tracks.keys import Interpolation, scalar_track
from tests.core.graph.builders import Drawing, clip
from tests.pins import Pins

HELD = Pins(__file__)
OF_TYPES = ("0.75", "2", "true", "at", "'anna'", "axis_angle(at, 40)", "gait", "speed")
BINARY = ("+", "-", "*", "/", "%", "**", "==", "!=", "<", "<=", ">", ">=", "and", "or")


@pytest.fixture(scope="module")
def standing() -> Instance:
    """An instance whose variables have some values."""
    maps = {"bent": scalar_track([0.0, 1.0], [0.5, 2.0], interpolations=Interpolation.LINEAR)}
    drawing = Drawing(
        clip("a"), enums={"gaits": ("walk", "run")}, maps=maps,
        variables=(
            Variable("speed", minimum=-9.0, maximum=9.0), Variable("at", Kind.VECTOR, (0.5, -1.5, 2.0)),
            Variable("gait", Kind.ENUM, enum="gaits", maximum=1.0, minimum=0.0), Variable("who", Kind.NAME, minimum=0.0),
            Variable("on", Kind.BOOL, (1.0,), 0.0, 1.0),
        ),
    )  # fmt: skip
    instance = drawing.run(drawing.one(drawing.play("a")))
    instance.step(0.1, {"speed": -1.25})
    return instance


def told(instance: Instance, text: str) -> object:
    """The value of an expression with its type, or what is wrong with it and where."""
    try:
        asked = asking(instance.plan, text)
    except ExpressionError as error:
        return (error.reason, error.column)
    return (str(asked.type), asked.ask(instance).copy())


def usual(name: str) -> list[str]:
    """Arguments that a function takes."""
    types = FUNCTIONS[name].types
    texts = {BOOL: "on", VECTOR: "at"}
    return [texts.get(type_, f"{0.3 + 0.4 * k:g}") for k, type_ in enumerate(types)]


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_a_function_takes_arguments_of_its_types_alone(standing, name):
    arguments = usual(name)
    with HELD.together(name) as note:
        note(told(standing, f"{name}({', '.join(arguments)})"))
        for count in range(len(arguments) + 2):
            note(told(standing, f"{name}({', '.join([*arguments, 'speed'][:count])})"))
        for place, text in itertools.product(range(len(arguments)), OF_TYPES):
            changed = [*arguments[:place], text, *arguments[place + 1 :]]
            note(told(standing, f"{name}({', '.join(changed)})"))
            note(told(standing, f"{name}({', '.join([text] * len(arguments))})"))


@pytest.mark.parametrize("operator", BINARY)
def test_an_operator_joins_what_goes_together(standing, operator):
    with HELD.together(f"operator {operator}") as note:
        for left, right in itertools.product(OF_TYPES, repeat=2):
            note(told(standing, f"{left} {operator} {right}"))


@pytest.mark.parametrize("operator", ["-", "not "])
def test_an_operator_of_one_side_takes_its_type(standing, operator):
    with HELD.together(f"operator {operator.strip()} before") as note:
        for text in OF_TYPES:
            note(told(standing, operator + text), told(standing, f"{operator}({operator}{text})"))


@pytest.mark.parametrize("part", ["x", "y", "z", "w", "xy", ""])
def test_a_part_is_of_a_vector(standing, part):
    with HELD.together(f"part {part}") as note:
        for text in OF_TYPES:
            note(told(standing, f"{text}.{part}"))


def test_chains_conditions_maps_and_words(standing):
    texts = (
        "0 < speed < 2", "-3 < speed <= -1.25", "0 < at < 1", "if(on, speed, 2)", "if(on, at, at * 2).y", "if(not on, 'a', who)", "if(speed, 1, 2)",
        "if(on, gait, 'run')", "if(on, 1, true)", "if(on, 1)", "map('bent', 0.5)", "map('bent', on)", "map('bend', 1)", "map(bent, 1)", "map('bent')",
        "pi", "gait == 'run'", "'run' == gait", "gait != 'fly'", "who == 'anna'", "who == ''", "time('a')", "time(a)", "time(1)", "curve('level')",
        "bone('hand').y", "bone(hips).x", "speed speed", "(speed", "speed)", "1..2", "1e3", "0x10", "'open", "speed.", "", "  ", "at.x + at.y * at.z",
        "1 < 2 == true", "- - speed", "not not on", "2 ** 3 ** 2", "-2 ** 2", "7 % 3 - -7 % 3", "8 / 4 / 2", "1 - 2 - 3", "on and on or not on", "1 / 0",
    )  # fmt: skip
    for text in texts:
        HELD.hold(f"text {text.replace('|', '/')}", told(standing, text))
