"""Formulas of states, parameters and time, written with Python's operators.

A formula is the text that a problem file would have, with what is needed to put parentheses right. `Model` gives out its
symbols; numbers, operators and the functions below make formulas of them. The functions of numpy work too: ``numpy.exp(-k * t)``.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Callable, Optional, Union, cast

from salvo.errors import ProblemError

if TYPE_CHECKING:
    from salvo.model import Model

Number = Union[int, float]
FormulaLike = Union["Formula", int, float]

# How tightly a text holds together: what is put beside something tighter gets parentheses.
_LOGIC, _COMPARISON, _SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(7)
_LONGEST = 1_000_000  # characters, as in a line of a problem file


class Formula:
    """A formula of one model. Comparisons are formulas, too: of conditions, for `where`, events and constraints."""

    __slots__ = ("_model", "_rank", "_text")

    def __init__(self, text: str, rank: int = _ATOM, model: Optional[Model] = None) -> None:
        self._text = text
        self._rank = rank
        self._model = model

    def __repr__(self) -> str:
        return self._text

    def __add__(self, other: FormulaLike) -> Formula:
        return _joined(self, "+", other, _SUM)

    def __radd__(self, other: FormulaLike) -> Formula:
        return _joined(other, "+", self, _SUM)

    def __sub__(self, other: FormulaLike) -> Formula:
        return _joined(self, "-", other, _SUM)

    def __rsub__(self, other: FormulaLike) -> Formula:
        return _joined(other, "-", self, _SUM)

    def __mul__(self, other: FormulaLike) -> Formula:
        return _joined(self, "*", other, _PRODUCT)

    def __rmul__(self, other: FormulaLike) -> Formula:
        return _joined(other, "*", self, _PRODUCT)

    def __truediv__(self, other: FormulaLike) -> Formula:
        return _joined(self, "/", other, _PRODUCT)

    def __rtruediv__(self, other: FormulaLike) -> Formula:
        return _joined(other, "/", self, _PRODUCT)

    def __pow__(self, other: FormulaLike) -> Formula:
        return _power(self, other)

    def __rpow__(self, other: FormulaLike) -> Formula:
        return _power(other, self)

    def __neg__(self) -> Formula:
        return Formula("-" + _within(self, _SIGN + 1), _SIGN, self._model)

    def __pos__(self) -> Formula:
        return self

    def __abs__(self) -> Formula:
        return call("abs", self)

    def __lt__(self, other: FormulaLike) -> Formula:
        return _joined(self, "<", other, _COMPARISON)

    def __le__(self, other: FormulaLike) -> Formula:
        return _joined(self, "<=", other, _COMPARISON)

    def __gt__(self, other: FormulaLike) -> Formula:
        return _joined(self, ">", other, _COMPARISON)

    def __ge__(self, other: FormulaLike) -> Formula:
        return _joined(self, ">=", other, _COMPARISON)

    def __eq__(self, other: FormulaLike) -> Formula:  # type: ignore[override]
        return _joined(self, "==", other, _COMPARISON)

    def __ne__(self, other: FormulaLike) -> Formula:  # type: ignore[override]
        return _joined(self, "!=", other, _COMPARISON)

    __hash__ = object.__hash__

    def __and__(self, other: FormulaLike) -> Formula:
        return _joined(self, "&&", other, _LOGIC)

    def __rand__(self, other: FormulaLike) -> Formula:
        return _joined(other, "&&", self, _LOGIC)

    def __or__(self, other: FormulaLike) -> Formula:
        return _joined(self, "||", other, _LOGIC)

    def __ror__(self, other: FormulaLike) -> Formula:
        return _joined(other, "||", self, _LOGIC)

    def __invert__(self) -> Formula:
        return Formula("!" + _within(self, _SIGN + 1), _SIGN, self._model)

    def __bool__(self) -> bool:
        raise TypeError(
            f"the formula {_shortened(self._text)} is neither true nor false before there are numbers: "
            "choose with salvo.where(condition, a, b), join conditions with & and |, state ranges as two conditions"
        )

    def __float__(self) -> float:
        raise TypeError(
            f"the formula {_shortened(self._text)} is no number: take the functions of salvo or numpy, not of math"
        )

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        make = _OF_NUMPY.get(ufunc.__name__)
        if method != "__call__" or make is None or options or not all(_is_scalar(value) for value in inputs):
            return NotImplemented
        return make(*inputs)


def where(condition: FormulaLike, if_true: FormulaLike, otherwise: FormulaLike) -> Formula:
    """`if_true` where the condition holds, else `otherwise`."""
    return call("piecewise", if_true, condition, otherwise)


def minimum(*formulas: FormulaLike) -> Formula:
    """The smallest of two or more."""
    return call("min", *formulas)


def maximum(*formulas: FormulaLike) -> Formula:
    """The largest of two or more."""
    return call("max", *formulas)


def delay(x: FormulaLike, tau: FormulaLike) -> Formula:
    """What ``x`` was ``tau`` earlier, where ``tau`` is a formula of parameters."""
    return call("delay", x, tau)


def exp(x: FormulaLike) -> Formula:
    """e to the power of x."""
    return call("exp", x)


def log(x: FormulaLike, base: Optional[FormulaLike] = None) -> Formula:
    """The natural logarithm, or that to a base."""
    return call("ln", x) if base is None else call("log", x, base)


def log2(x: FormulaLike) -> Formula:
    """The logarithm to base 2."""
    return call("log2", x)


def log10(x: FormulaLike) -> Formula:
    """The logarithm to base 10."""
    return call("log10", x)


def sqrt(x: FormulaLike) -> Formula:
    """The square root."""
    return call("sqrt", x)


def sign(x: FormulaLike) -> Formula:
    """-1, 0 or 1."""
    return call("sign", x)


def sin(x: FormulaLike) -> Formula:
    """The sine of an angle in radians."""
    return call("sin", x)


def cos(x: FormulaLike) -> Formula:
    """The cosine of an angle in radians."""
    return call("cos", x)


def tan(x: FormulaLike) -> Formula:
    """The tangent of an angle in radians."""
    return call("tan", x)


def arcsin(x: FormulaLike) -> Formula:
    """The inverse of the sine."""
    return call("arcsin", x)


def arccos(x: FormulaLike) -> Formula:
    """The inverse of the cosine."""
    return call("arccos", x)


def arctan(x: FormulaLike) -> Formula:
    """The inverse of the tangent."""
    return call("arctan", x)


def sinh(x: FormulaLike) -> Formula:
    """The hyperbolic sine."""
    return call("sinh", x)


def cosh(x: FormulaLike) -> Formula:
    """The hyperbolic cosine."""
    return call("cosh", x)


def tanh(x: FormulaLike) -> Formula:
    """The hyperbolic tangent."""
    return call("tanh", x)


def call(function: str, *arguments: FormulaLike) -> Formula:
    """A function of the problem file by its name: ``call("arccosh", x)``."""
    texts = ", ".join(text_of(argument) for argument in arguments)
    return _checked(f"{function}({texts})", _ATOM, *arguments)


def text_of(value: FormulaLike) -> str:
    """The formula, or number, as a problem file has it."""
    return value._text if isinstance(value, Formula) else _number(value)[0]


def belongs_to(value: FormulaLike, model: Model) -> bool:
    """Whether it is made of symbols of this model, or of numbers alone."""
    return not isinstance(value, Formula) or value._model is None or value._model is model


def _number(value: Any) -> tuple[str, int]:
    if isinstance(value, bool):
        return ("1" if value else "0"), _ATOM
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise ProblemError(f"{_shortened(repr(value))} is neither a formula nor a number") from None
    if not math.isfinite(number):
        raise ProblemError(f"{number} cannot stand in a formula: numbers there are finite")
    text = repr(int(number)) if number.is_integer() and abs(number) < 2**53 else repr(number)
    return text, _SIGN if math.copysign(1, number) < 0 else _ATOM


def _within(value: FormulaLike, rank: int) -> str:
    text, own = (value._text, value._rank) if isinstance(value, Formula) else _number(value)
    return text if own >= rank else f"({text})"


# From left to right; comparisons and conditions of both kinds are put in parentheses, whatever their neighbour.
# What is no number or formula may know what to do itself: an array, for example.
def _joined(left: Any, operator: str, right: Any, rank: int) -> Formula:
    if not (_is_scalar(left) and _is_scalar(right)):
        return cast(Formula, NotImplemented)
    alone = rank in (_LOGIC, _COMPARISON)
    a, b = _within(left, rank + 1 if alone else rank), _within(right, rank + 1)
    return _checked(f"{a}{operator}{b}" if rank == _PRODUCT else f"{a} {operator} {b}", rank, left, right)


def _power(base: Any, exponent: Any) -> Formula:
    if not (_is_scalar(base) and _is_scalar(exponent)):
        return cast(Formula, NotImplemented)
    return _checked(f"{_within(base, _ATOM)}^{_within(exponent, _ATOM)}", _POWER, base, exponent)


def _is_scalar(value: Any) -> bool:
    return isinstance(value, (Formula, int, float)) or (hasattr(value, "__float__") and getattr(value, "shape", ()) == ())


def _checked(text: str, rank: int, *parts: Any) -> Formula:
    models = {id(part._model): part._model for part in parts if isinstance(part, Formula) and part._model is not None}
    if len(models) > 1:
        raise ProblemError(f"{_shortened(text)} mixes symbols of two models")
    if len(text) > _LONGEST:
        raise ProblemError(
            f"a formula has become {len(text):,} characters long; give a name to a part that is used often: m.definition(name, formula)"
        )
    return Formula(text, rank, next(iter(models.values()), None))


def _shortened(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."


_OF_NUMPY: dict[str, Callable[..., Any]] = {
    "add": lambda a, b: _joined(a, "+", b, _SUM),
    "subtract": lambda a, b: _joined(a, "-", b, _SUM),
    "multiply": lambda a, b: _joined(a, "*", b, _PRODUCT),
    "divide": lambda a, b: _joined(a, "/", b, _PRODUCT),
    "true_divide": lambda a, b: _joined(a, "/", b, _PRODUCT),
    "power": _power,
    "float_power": _power,
    "less": lambda a, b: _joined(a, "<", b, _COMPARISON),
    "less_equal": lambda a, b: _joined(a, "<=", b, _COMPARISON),
    "greater": lambda a, b: _joined(a, ">", b, _COMPARISON),
    "greater_equal": lambda a, b: _joined(a, ">=", b, _COMPARISON),
    "equal": lambda a, b: _joined(a, "==", b, _COMPARISON),
    "not_equal": lambda a, b: _joined(a, "!=", b, _COMPARISON),
    "logical_and": lambda a, b: _joined(a, "&&", b, _LOGIC),
    "logical_or": lambda a, b: _joined(a, "||", b, _LOGIC),
    "logical_not": lambda a: ~a,
    "negative": lambda a: -a,
    "positive": lambda a: a,
    "square": lambda a: _power(a, 2),
    "reciprocal": lambda a: _joined(1, "/", a, _PRODUCT),
    "absolute": lambda a: call("abs", a),
    "fabs": lambda a: call("abs", a),
    "exp": exp,
    "exp2": lambda a: _power(2, a),
    "log": log,
    "log2": log2,
    "log10": log10,
    "sqrt": sqrt,
    "sign": sign,
    "sin": sin,
    "cos": cos,
    "tan": tan,
    "arcsin": arcsin,
    "arccos": arccos,
    "arctan": arctan,
    "sinh": sinh,
    "cosh": cosh,
    "tanh": tanh,
    "arcsinh": lambda a: call("arcsinh", a),
    "arccosh": lambda a: call("arccosh", a),
    "arctanh": lambda a: call("arctanh", a),
    "minimum": minimum,
    "maximum": maximum,
    "fmin": minimum,
    "fmax": maximum,
}
