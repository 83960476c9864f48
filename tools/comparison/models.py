"""Families of small models: equations as text, and their solution in closed form where there is one.

A family draws one model: numbers that are true, what can be observed, and how long to look. Closed forms take the values of
parameters and initial states as rows (one column for each point of a batch, possibly complex) and times as a column.
"""
import dataclasses
import typing

import numpy as np
from scipy.special import wrightomega


@dataclasses.dataclass
class Observable:
    name: str
    formula: str
    positive: bool = True  # only these can have a logarithmic law or noise in proportion


@dataclasses.dataclass
class Model:
    family: str
    equations: dict
    initial: dict  # state: a number, or a formula of parameters
    parameters: dict  # name: true value
    observables: list
    span: float
    solve: typing.Callable = None  # (values, initial, time since the start) -> states; None: integrate
    levers: tuple = ()  # constants that an experiment may set
    narrow: tuple = ()  # quantities whose bounds stay within a factor of two or so
    any_sign: tuple = ()  # quantities that are not positive by nature
    zero: tuple = ()  # quantities that may have 0 as a lower bound
    uses_time: bool = False
    events: str = ""  # a section of the problem file


def around(rng, value, factor=2.0):
    """A number with few digits, within a factor of the value."""
    return float(f"{value * factor ** rng.uniform(-1, 1):.3g}")


def either(rng, *things):
    return things[rng.integers(len(things))]


def some(rng, things):
    """One or more of them, in their order."""
    kept = [thing for thing in things if rng.random() < 0.6]
    return kept or [either(rng, *things)]


def where(condition, values):
    """The values, where the condition holds; nan elsewhere: there the equations have no solution that counts."""
    return np.where(condition, values, np.nan)


def slope(rate, t):
    """(1 - exp(-rate t))/rate, also for a rate near zero."""
    rate = np.where(np.abs(rate) < 1e-12, 1e-12, rate)
    return -np.expm1(-rate * t) / rate


# Linear models


def decay(rng):
    def solve(v, x0, t):
        return {"x": x0["x"] * np.exp(-v["k"] * t)}

    return Model("decay", {"x": "-k*x"}, {"x": around(rng, 5)}, {"k": around(rng, 0.5), "gain": around(rng, 1)},
                 [Observable("seen", either(rng, "x", "gain*x"))], around(rng, 6, 1.5), solve, levers=("gain",), zero=("k",))


def formation(rng):
    def solve(v, x0, t):
        return {"x": x0["x"] * np.exp(-v["k"] * t) + v["a"] * slope(v["k"], t)}

    return Model("formation", {"x": "a - k*x"}, {"x": around(rng, 0.5)}, {"a": around(rng, 2), "k": around(rng, 0.4)},
                 [Observable("seen", "x")], around(rng, 8, 1.5), solve, levers=("a",), zero=("k",))


def chain(rng):
    def solve(v, x0, t):
        k1, k2 = v["k1"], v["k2"]
        a = x0["a"] * np.exp(-k1 * t)
        b = x0["b"] * np.exp(-k2 * t) + x0["a"] * k1 * np.exp(-k1 * t) * slope(k2 - k1, t)
        return {"a": a, "b": b, "c": x0["a"] + x0["b"] + x0["c"] - a - b}

    observables = [Observable("first", "a"), Observable("second", "b"), Observable("last", "c"),
                   Observable("both", "a + b"), Observable("part", "b/(a + b + c)")]
    return Model("chain", {"a": "-k1*a", "b": "k1*a - k2*b", "c": "k2*b"},
                 {"a": around(rng, 3), "b": around(rng, 0.3), "c": around(rng, 0.1)},
                 {"k1": around(rng, 1), "k2": around(rng, 0.3)}, some(rng, observables)[:3], around(rng, 8, 1.5), solve,
                 zero=("k1", "k2"))


def exchange(rng):
    def solve(v, x0, t):
        total, both = x0["a"] + x0["b"], v["there"] + v["back"]
        rest = v["back"] * total / both
        a = rest + (x0["a"] - rest) * np.exp(-both * t)
        return {"a": a, "b": total - a}

    observables = [Observable("one", "a"), Observable("other", "b"), Observable("sum", "a + b")]
    return Model("exchange", {"a": "back*b - there*a", "b": "there*a - back*b"}, {"a": around(rng, 4), "b": around(rng, 0.5)},
                 {"there": around(rng, 0.6), "back": around(rng, 0.2)}, some(rng, observables), around(rng, 6, 1.5), solve)


def absorption(rng):
    def solve(v, x0, t):
        ka, ke = v["ka"], v["clearance"] / v["volume"]
        gut = x0["gut"] * np.exp(-ka * t)
        return {"gut": gut, "blood": x0["blood"] * np.exp(-ke * t) + x0["gut"] * ka * np.exp(-ka * t) * slope(ke - ka, t)}

    return Model("absorption", {"gut": "-ka*gut", "blood": "ka*gut - clearance/volume*blood"}, {"gut": "dose", "blood": 0.0},
                 {"ka": around(rng, 1), "clearance": around(rng, 5), "volume": around(rng, 20), "dose": 100.0},
                 [Observable("level", "blood/volume")], around(rng, 12, 1.5), solve, levers=("dose",))


def oscillator(rng):
    def solve(v, x0, t):
        d, w = v.get("damping", 0.0), v["w"]
        s = np.sqrt(w * w - d * d + 0j)
        decayed, cos, sin = np.exp(-d * t), np.cos(s * t), np.sin(s * t) / s
        x = decayed * (x0["x"] * cos + (x0["v"] + d * x0["x"]) * sin)
        return {"x": x, "v": decayed * (x0["v"] * cos - (w * w * x0["x"] + d * x0["v"]) * sin)}

    damped = rng.random() < 0.6
    parameters = {"w": around(rng, 1.5, 1.3), **({"damping": around(rng, 0.15)} if damped else {})}
    return Model("damped oscillator" if damped else "harmonic oscillator",
                 {"x": "v", "v": "-w^2*x - 2*damping*v" if damped else "-w^2*x"}, {"x": around(rng, 1), "v": around(rng, 0.3)},
                 parameters, some(rng, [Observable("place", "x", False), Observable("speed", "v", False)]), around(rng, 6, 1.3),
                 solve, narrow=("w",), any_sign=("x", "v"), zero=("damping",))


def driven(rng):
    def solve(v, x0, t):
        k, a, w = v["k"], v["a"], v["w"]
        forced = a * (k * np.sin(w * t) - w * np.cos(w * t)) / (k * k + w * w)
        return {"x": forced + (x0["x"] + a * w / (k * k + w * w)) * np.exp(-k * t)}

    return Model("driven", {"x": "a*sin(w*t) - k*x"}, {"x": around(rng, 1)},
                 {"k": around(rng, 0.5), "a": around(rng, 2), "w": around(rng, 1.5, 1.3)}, [Observable("seen", "x", False)],
                 around(rng, 8, 1.3), solve, narrow=("w",), any_sign=("x", "a"), uses_time=True)


def fading(rng):
    def solve(v, x0, t):
        return {"x": x0["x"] * np.exp(-v["k"] * t) + v["a"] * np.exp(-v["k"] * t) * slope(v["b"] - v["k"], t)}

    return Model("fading drive", {"x": "a*exp(-b*t) - k*x"}, {"x": around(rng, 0.5)},
                 {"k": around(rng, 1), "a": around(rng, 3), "b": around(rng, 0.2)}, [Observable("seen", "x")],
                 around(rng, 8, 1.3), solve, levers=("a",), uses_time=True)


def doses(rng):
    times = sorted(float(f"{x:.3g}") for x in rng.uniform(0.5, 6, 2))

    def solve(v, x0, t):
        x = x0["x"] * np.exp(-v["k"] * t)
        for time in times:
            x = x + np.where(t >= time, v["dose"] * np.exp(-v["k"] * (t - time)), 0)
        return {"x": x}

    return Model("doses", {"x": "-k*x"}, {"x": around(rng, 1)}, {"k": around(rng, 0.5), "dose": around(rng, 4), "volume": around(rng, 2)},
                 [Observable("level", either(rng, "x", "x/volume"))], around(rng, 9, 1.3), solve, levers=("dose",), uses_time=True,
                 events=f"events:\n  - {{at: {times!r}, add: {{x: dose}}}}\n")


def fast_exchange(rng):
    """Stiff: two species that are in balance at once decay together."""
    fast = 1e4

    def solve(v, x0, t):
        total, s = v["k"] + 2 * fast, np.sqrt(v["k"] ** 2 + 4 * fast**2)
        slow, quick = -2 * v["k"] * fast / (total + s), -0.5 * (total + s)
        a0, b0 = x0["a"], x0["b"]
        slope_of_a = fast * (b0 - a0)
        of_quick = (slope_of_a - slow * a0) / (quick - slow)
        a = (a0 - of_quick) * np.exp(slow * t) + of_quick * np.exp(quick * t)
        slope = slow * (a0 - of_quick) * np.exp(slow * t) + quick * of_quick * np.exp(quick * t)
        return {"a": a, "b": a + slope / fast}

    return Model("fast exchange", {"a": f"{fast!r}*(b - a)", "b": f"{fast!r}*(a - b) - k*b"}, {"a": around(rng, 3), "b": around(rng, 1)},
                 {"k": around(rng, 0.8), "gain": around(rng, 1), "share": around(rng, 0.5)},
                 [Observable("seen", either(rng, "a", "gain*share*a", "a + b"))], around(rng, 6, 1.3), solve, levers=("gain",))


# A state that does nothing


def regression(rng):
    def solve(v, x0, t):
        return {"z": x0["z"] + 0 * t}

    formula, numbers, positive, narrow = either(
        rng,
        ("a + b*t", {"a": 1.0, "b": -0.5}, False, ()),
        ("a + b*t + c*t^2", {"a": 1.0, "b": -0.5, "c": 0.1}, False, ()),
        ("a*exp(-b*t) + c", {"a": 3.0, "b": 0.6, "c": 0.5}, True, ()),
        ("a*t/(b + t)", {"a": 4.0, "b": 2.0}, True, ()),
        ("a*exp(-(t - m)^2/(2*w^2)) + c", {"a": 3.0, "m": 4.0, "w": 1.2, "c": 0.5}, True, ("m", "w")),
        ("c + a/(1 + exp(-b*(t - m)))", {"c": 0.5, "a": 3.0, "b": 1.2, "m": 4.0}, True, ("m",)),
        ("a*cos(w*t) + b*sin(w*t)", {"a": 1.0, "b": 0.7, "w": 1.3}, False, ("w",)))
    any_sign = () if positive else tuple(name for name in numbers if name != "w")
    return Model("regression", {"z": "0"}, {"z": "0"}, {name: around(rng, value, 1.5) for name, value in numbers.items()},
                 [Observable("seen", formula, positive)], around(rng, 8, 1.2), solve, narrow=narrow, any_sign=any_sign,
                 uses_time=True)


# Models that are not linear, with a closed form


def logistic(rng):
    def solve(v, x0, t):
        start, limit = x0["x"], v["limit"]
        x = limit / (1 + (limit / start - 1) * np.exp(-v["r"] * t))
        return {"x": where((start.real > 0) & (limit.real > 0), x)}

    return Model("logistic", {"x": "r*x*(1 - x/limit)"}, {"x": around(rng, 0.5)},
                 {"r": around(rng, 0.8), "limit": around(rng, 10)}, [Observable("seen", either(rng, "x", "0.5*x"))],
                 around(rng, 9, 1.4), solve)


def gompertz(rng):
    def solve(v, x0, t):
        start, limit = x0["x"], v["limit"]
        x = limit * np.exp(np.log(start / limit) * np.exp(-v["r"] * t))
        return {"x": where((start.real > 0) & (limit.real > 0), x)}

    return Model("gompertz", {"x": "r*x*log(limit/x)"}, {"x": around(rng, 0.5)},
                 {"r": around(rng, 0.5), "limit": around(rng, 10)}, [Observable("seen", "x")], around(rng, 9, 1.4), solve)


def elimination(rng):
    def solve(v, x0, t):
        start, km = x0["x"], v["km"]
        y = np.log(start / km) + (start - v["vmax"] * t) / km
        root = wrightomega(y.real)
        root = root - (root + np.log(root) - y) / (1 + 1 / root)  # carries the derivative along: root + log(root) = y
        return {"x": where((start.real > 0) & (km.real > 0), km * np.where(np.isfinite(root), root, 0))}

    dose = around(rng, 10)
    return Model("michaelis-menten", {"x": "-vmax*x/(km + x)"}, {"x": either(rng, dose, "dose")},
                 {"vmax": around(rng, 2), "km": around(rng, 3), "dose": dose}, [Observable("seen", "x")], around(rng, 7, 1.3),
                 solve, levers=("dose",))


# Models that are integrated


def epidemic(rng):
    observables = [Observable("ill", "i"), Observable("healthy", "s"), Observable("had_it", "1 - s")]
    return Model("sir", {"s": "-beta*s*i", "i": "beta*s*i - gamma*i"}, {"s": 0.99, "i": around(rng, 0.02)},
                 {"beta": around(rng, 1.2, 1.5), "gamma": around(rng, 0.35, 1.5)}, some(rng, observables[:2])
                 if rng.random() < 0.7 else [observables[0], observables[2]], around(rng, 15, 1.3), narrow=("s",))


def predator_prey(rng):
    return Model("predator-prey",
                 {"prey": "birth*prey - hunt*prey*predator", "predator": "growth*prey*predator - death*predator"},
                 {"prey": around(rng, 1.2, 1.5), "predator": around(rng, 0.6, 1.5)},
                 {"birth": around(rng, 1, 1.4), "hunt": around(rng, 0.9, 1.4), "growth": around(rng, 0.7, 1.4),
                  "death": around(rng, 0.8, 1.4)},
                 some(rng, [Observable("hares", "prey"), Observable("foxes", "predator")]), around(rng, 5, 1.3),
                 narrow=("birth", "hunt", "growth", "death"))


def pendulum(rng):
    return Model("pendulum", {"angle": "speed", "speed": "-pull*sin(angle) - drag*speed"},
                 {"angle": around(rng, 1.5, 1.3), "speed": 0.0}, {"pull": around(rng, 2, 1.4), "drag": around(rng, 0.15)},
                 [Observable("seen", "angle", False)], around(rng, 6, 1.3), narrow=("pull", "angle"), any_sign=("angle", "speed"),
                 zero=("drag",))


def binding(rng):
    return Model("binding", {"a": "-on*a*b + off*c", "b": "-on*a*b + off*c", "c": "on*a*b - off*c"},
                 {"a": around(rng, 1), "b": around(rng, 2), "c": 0.0}, {"on": around(rng, 0.8), "off": around(rng, 0.2)},
                 some(rng, [Observable("bound", "c"), Observable("free", "a"), Observable("all", "b + c")]), around(rng, 5, 1.5),
                 narrow=("a", "b"))


def induction(rng):
    return Model("induction", {"x": "top*dose^2/(half^2 + dose^2) - loss*x/(1 + x)"}, {"x": around(rng, 0.3)},
                 {"top": around(rng, 2), "half": around(rng, 1.5), "loss": around(rng, 1.2), "dose": 2.0},
                 [Observable("seen", "x")], around(rng, 5, 1.4), levers=("dose",))


FAMILIES = [decay, formation, chain, exchange, absorption, oscillator, driven, fading, doses, fast_exchange, regression, logistic, gompertz,
            elimination, epidemic, predator_prey, pendulum, binding, induction]
WEIGHTS = [1, 1, 2, 1, 1.5, 2, 1, 1, 1.5, 1, 2, 1.5, 1, 1.5, 1, 1.5, 0.7, 0.7, 0.7]


def draw_model(rng):
    weights = np.array(WEIGHTS) / np.sum(WEIGHTS)
    return FAMILIES[rng.choice(len(FAMILIES), p=weights)](rng)
