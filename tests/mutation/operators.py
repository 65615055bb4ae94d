"""The changes: what the mutation library has, and those that an animation editor's faults are made of."""

import re
from collections.abc import Iterator

from cosmic_ray.ast import get_ast
from cosmic_ray.operators import (
    binary_operator_replacement,
    boolean_replacer,
    break_continue,
    comparison_operator_replacement,
    unary_operator_replacement,
    zero_iteration_for_loop,
)
from cosmic_ray.operators.number_replacer import NumberReplacer
from cosmic_ray.operators.operator import Example, Operator
from parso.python import tree

SIDES = {
    "left": "right", "before": "after", "first": "last", "start": "end", "min": "max", "minimum": "maximum",
    "previous": "next", "incoming": "outgoing", "lower": "upper", "parent": "child", "floor": "ceil",
    "rows": "columns", "width": "height", "in": "out", "undo": "redo", "forward": "backward",
}  # fmt: skip
"""Words of names that are each other's opposite, both ways round."""
OPPOSITE = SIDES | {there: here for here, there in SIDES.items()}
MODIFIERS = {"shift", "ctrl", "control", "alt", "meta", "additive", "extend", "symmetric", "snap", "precise"}
UNITS = {"radians", "degrees", "deg2rad", "rad2deg"}
FACTORS = {"0.01", "100", "100.0", "0.001", "1000", "1000.0", "180", "180.0", "360", "360.0", "10", "10.0"}
TOLD = re.compile(r"(emit|notify|changed|publish|announce|tell|refresh|update|invalidate)\w*$")
COMMITS = re.compile(r"(commit|perform|edit|apply|do|push|step|gesture)\w*$")


def leaf(node: tree.PythonLeaf, value: str) -> tree.Name:
    """A name in the place of a leaf, with the white space before it kept."""
    return tree.Name(value, node.start_pos, prefix=node.prefix)


def parsed(text: str, prefix: str) -> tree.PythonNode:
    """An expression's tree, with white space before it."""
    made = get_ast(text).children[0]
    made.get_first_leaf().prefix = prefix
    return made


def called(node: tree.PythonNode) -> str:
    """The name a call calls (``a.b.c(…)``: c), or nothing where the node is no call."""
    if node.type not in ("atom_expr", "power") or len(node.children) < 2:
        return ""
    last = node.children[-1]
    if last.type != "trailer" or last.children[0].value != "(":
        return ""
    before = node.children[-2]
    if before.type == "trailer":
        return str(before.children[1].value) if before.children[0].value == "." else ""
    return str(getattr(before, "value", ""))


class _One(Operator):
    """A change with one way to make it at a node."""

    def mutation_positions(self, node) -> Iterator[tuple]:
        if self.fits(node):
            yield node.start_pos, node.end_pos

    def fits(self, node) -> bool:
        raise NotImplementedError

    @classmethod
    def examples(cls):
        return ()


class DropStatement(_One):
    """A call, a deletion or a change of one place (``a[i] = b``, ``a.b = c``, ``a += b``) is left out."""

    def fits(self, node) -> bool:
        if node.type == "del_stmt":
            return True
        if node.parent is None or node.parent.type != "simple_stmt":
            return False
        if node.type == "expr_stmt":
            return node.children[0].type == "atom_expr" or getattr(node.children[1], "value", "=") != "="
        return bool(called(node)) and not TOLD.match(called(node))

    def mutate(self, node, index):
        return leaf(node.get_first_leaf(), "pass")

    @classmethod
    def examples(cls):
        return (
            Example("del states[1:]\n", "pass\n"),
            Example("items.append(x)\n", "pass\n"),
            Example("a[i] = b\n", "pass\n"),
        )


class MissingSignal(_One):
    """Nobody is told of a change."""

    def fits(self, node) -> bool:
        return (
            node.parent is not None and node.parent.type == "simple_stmt" and bool(TOLD.match(called(node)))
        )

    def mutate(self, node, index):
        return leaf(node.get_first_leaf(), "pass")

    @classmethod
    def examples(cls):
        return (Example("self.changed.emit(3)\n", "pass\n"),)


class DropOption(Operator):
    """A named argument of a call is left out."""

    def mutation_positions(self, node):
        for argument in self._options(node):
            yield argument.start_pos, argument.end_pos

    def mutate(self, node, index):
        argument = self._options(node)[index]
        place = node.children.index(argument)
        stop = place + 1
        if stop < len(node.children) and getattr(node.children[stop], "value", "") == ",":
            stop += 1
        del node.children[place:stop]
        return node

    @staticmethod
    def _options(node) -> list:
        if node.type != "arglist" or node.parent is None or node.parent.type != "trailer":
            return []
        return [
            child
            for child in node.children
            if child.type == "argument" and getattr(child.children[1], "value", "") == "="
        ]

    @classmethod
    def examples(cls):
        return (Example("f(a, loop=True)", "f(a,)"), Example("f(a, b=1, c=2)", "f(a, c=2)"))


class SwapSide(_One):
    """A name of one side stands where the other's stood: left and right, start and end, minimum and maximum."""

    def fits(self, node) -> bool:
        if node.type != "name" or node.parent is None or node.parent.type in ("funcdef", "classdef", "param"):
            return False
        if node.parent.type == "argument" and node.parent.children[0] is node:
            return False  # the name of an option
        return self._other(node.value) != node.value

    def mutate(self, node, index):
        return leaf(node, self._other(node.value))

    @staticmethod
    def _other(name: str) -> str:
        if name in ("in_", "out_"):
            return {"in_": "out_", "out_": "in_"}[name]
        return "_".join(OPPOSITE.get(part, part) if part not in ("in", "out") or "_" in name else part
                        for part in name.split("_"))  # fmt: skip

    @classmethod
    def examples(cls):
        return (Example("left_hand + 1", "right_hand + 1"), Example("max(a, b)", "min(a, b)"))


class SwapSideText(_One):
    """A text of one side stands where the other's stood."""

    TEXT = re.compile(r"""^(["'])(left|right|_l|_r|start|end|in|out|before|after|next|previous|x|y|z)\1$""")
    OTHER = OPPOSITE | {"_l": "_r", "_r": "_l", "x": "y", "y": "z", "z": "x"}

    def fits(self, node) -> bool:
        return node.type == "string" and bool(self.TEXT.match(node.value))

    def mutate(self, node, index):
        return leaf(node, f'"{self.OTHER[node.value[1:-1]]}"')

    @classmethod
    def examples(cls):
        return (Example("f('left')", 'f("right")'),)


class IgnoreModifier(_One):
    """A modifier key, or what it stands for, is never seen."""

    def fits(self, node) -> bool:
        parent = node.parent
        if node.type != "name" or parent is None:
            return False
        if node.value.endswith("Modifier") and node.value != "NoModifier":
            return False  # part of a longer name; IgnoreQtModifier has those
        if node.value not in MODIFIERS:
            return False
        conditions = ("if_stmt", "ternary", "and_test", "or_test", "not_test", "while_stmt", "test")
        return parent.type in conditions

    def mutate(self, node, index):
        return leaf(node, "False")

    @classmethod
    def examples(cls):
        return (Example("a if shift else b", "a if False else b"),)


class IgnoreQtModifier(_One):
    """A modifier key of Qt is never seen."""

    def fits(self, node) -> bool:
        return node.type == "name" and node.value in ("ShiftModifier", "ControlModifier", "AltModifier")

    def mutate(self, node, index):
        return leaf(node, "NoModifier")

    @classmethod
    def examples(cls):
        return (Example("m & Qt.ShiftModifier", "m & Qt.NoModifier"),)


class DropUnit(_One):
    """An angle stays in the unit in which it came."""

    def fits(self, node) -> bool:
        if called(node) not in UNITS or len(node.children[-1].children) != 3:
            return False
        return node.children[-1].children[1].type != "arglist"

    def mutate(self, node, index):
        return parsed(f"({node.children[-1].children[1].get_code()})", node.get_first_leaf().prefix)

    @classmethod
    def examples(cls):
        return (Example("np.radians(a)", "(a)"),)


class DropFactor(_One):
    """A factor between units is one."""

    def fits(self, node) -> bool:
        if node.type != "number" or node.value not in FACTORS or node.parent is None:
            return False
        return node.parent.type == "term"

    def mutate(self, node, index):
        return leaf(node, "1")

    @classmethod
    def examples(cls):
        return (Example("a * 100.0", "a * 1"), Example("a / 1000", "a / 1"))


class OtherAxis(_One):
    """The next component or axis: 0 for 1, 1 for 2, 2 for 0."""

    def fits(self, node) -> bool:
        if node.type != "number" or node.value not in "012" or node.parent is None:
            return False
        parent = node.parent
        if parent.type == "argument":
            return parent.children[0].value == "axis"
        inside = parent if parent.type == "trailer" else parent.parent
        listed = parent.type == "subscriptlist" or parent.type == "trailer"
        return bool(listed and inside is not None and inside.type == "trailer"
                    and inside.children[0].value == "[")  # fmt: skip

    def mutate(self, node, index):
        return leaf(node, {"0": "1", "1": "2", "2": "0"}[node.value])

    @classmethod
    def examples(cls):
        return (Example("a[..., 0]", "a[..., 1]"), Example("a[2]", "a[0]"))


class WrongUndoLabel(_One):
    """An edit goes by another label."""

    def fits(self, node) -> bool:
        if node.type != "string" or node.value[0] not in "\"'" or " " not in node.value:
            return False
        parent = node.parent
        if parent is None:
            return False
        arguments = parent if parent.type == "arglist" else node
        call = arguments.parent.parent if arguments.parent is not None else None
        return (
            arguments.parent is not None
            and arguments.parent.type == "trailer"
            and call is not None
            and bool(COMMITS.match(called(call)))
        )

    def mutate(self, node, index):
        return leaf(node, '"another label"')

    @classmethod
    def examples(cls):
        return (Example("commit('Move keys', a)", 'commit("another label", a)'),)


class NoGuard(_One):
    """A condition that leaves a function early never holds."""

    def fits(self, node) -> bool:
        if node.type != "if_stmt" or len(node.children) > 4:
            return False
        first = node.children[3].get_code().strip()
        return first.startswith(("return", "continue", "break", "raise")) and "\n" not in first

    def mutate(self, node, index):
        condition = node.children[1]
        node.children[1] = leaf(condition.get_first_leaf(), "False")
        return node

    @classmethod
    def examples(cls):
        return (Example("if a:\n    return\n", "if False:\n    return\n"),)


OWN: tuple[type[Operator], ...] = (
    DropStatement, MissingSignal, DropOption, SwapSide, SwapSideText, IgnoreModifier, IgnoreQtModifier,
    DropUnit, DropFactor, OtherAxis, WrongUndoLabel, NoGuard,
)  # fmt: skip

SWAPS = {
    "ReplaceBinaryOperator": "Add_Sub Sub_Add Mul_Div Div_Mul FloorDiv_Div Mod_Mul Pow_Mul BitOr_BitAnd BitAnd_BitOr",
    "ReplaceComparisonOperator": "Lt_LtE LtE_Lt Gt_GtE GtE_Gt Eq_NotEq NotEq_Eq Is_IsNot IsNot_Is Lt_Gt Gt_Lt",
    "ReplaceUnaryOperator": "Delete_USub Delete_Not",
}
"""The library's changes of operators that a person might make; the others are told at once by any test."""


def operators() -> list[Operator]:
    """One of each change."""
    wanted = {f"{kind}_{swap}" for kind, swaps in SWAPS.items() for swap in swaps.split()}
    theirs = [
        made
        for module in (
            binary_operator_replacement,
            comparison_operator_replacement,
            unary_operator_replacement,
        )
        for made in module.operators()
        if made.__name__ in wanted
    ]
    theirs += [
        boolean_replacer.ReplaceTrueWithFalse,
        boolean_replacer.ReplaceFalseWithTrue,
        boolean_replacer.ReplaceAndWithOr,
        boolean_replacer.ReplaceOrWithAnd,
        boolean_replacer.AddNot,
        break_continue.ReplaceBreakWithContinue,
        break_continue.ReplaceContinueWithBreak,
        zero_iteration_for_loop.ZeroIterationForLoop,
        NumberReplacer,
    ]
    return [made() for made in (*theirs, *OWN)]
