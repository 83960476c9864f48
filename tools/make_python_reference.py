#!/usr/bin/env python3
"""Writes docs/python/reference.md from the docstrings of the package: make_python_reference.py [--check] REFERENCE.md

With --check nothing is written: it exits with 1 if the page is not what the docstrings say. The package must be importable.
"""
import inspect
import pathlib
import re
import sys

import salvo
from salvo import plots

HEAD = """# Python, name by name

Made from the docstrings by `tools/make_python_reference.py`; [Salvo from Python](../python.md) is the page to begin with.
A *table* is a pandas frame, or a dict of numpy arrays where pandas is missing.
"""
# What stands first on the page; whatever else the package names follows by the alphabet.
FIRST = ["Problem", "Fit", "Estimate", "Objective", "Model", "Profiles", "Profile", "Design", "Study", "Simulation", "Evaluation", "Check"]


def public(kind):
    """The classes, or the functions, that the package names."""
    names = [name for name in salvo.__all__ if kind(getattr(salvo, name))]
    return sorted(names, key=lambda name: (FIRST.index(name) if name in FIRST else len(FIRST), name.lower()))


def signature_of(thing):
    """Names, defaults, and what comes back; the annotations of arguments are for editors."""
    try:
        signature = inspect.signature(thing)
    except (TypeError, ValueError):
        return "(...)"
    kept = [each.replace(annotation=each.empty) for name, each in signature.parameters.items() if name != "self"]
    text = str(signature.replace(parameters=kept))
    return re.sub(r"\b(?:typing|collections\.abc|frames|salvo\.\w+)\.", "", text).replace("'", "").removesuffix(" -> Any")


def words_of(thing):
    return inspect.cleandoc(thing.__doc__ or "").strip()


def shown(words, indent=""):
    """A docstring as Markdown: double backticks become single ones, names of the package too."""
    text = re.sub(r"``([^`]*)``", r"`\1`", words)
    return "\n".join(f"{indent}{line}".rstrip() for line in text.splitlines())


def members_of(kind):
    for name, member in vars(kind).items():
        if name.startswith("_") and name not in ("__call__", "__getitem__", "__len__"):
            continue
        if isinstance(member, property):
            yield name, "", words_of(member)
        elif inspect.isfunction(member) or isinstance(member, (classmethod, staticmethod)):
            function = getattr(kind, name)
            yield name, signature_of(function), words_of(function)


def spelled(name, signature):
    calls = {"__call__": f"object{signature}", "__getitem__": "object[name]", "__len__": "len(object)"}
    return calls.get(name, f"{name}{signature}")


def class_section(name):
    kind = getattr(salvo, name)
    lines = [f"## {name}", "", shown(words_of(kind)), ""]
    for member, signature, words in members_of(kind):
        if words:
            lines += [f"- **`{spelled(member, signature)}`**  ", shown(words, "  ")]
    return "\n".join(lines).rstrip() + "\n"


def function_section(heading, functions):
    lines = [f"## {heading}", ""]
    for name, function in functions:
        lines += [f"- **`{name}{signature_of(function)}`**  ", shown(words_of(function), "  ")]
    return "\n".join(lines) + "\n"


def page():
    functions = [(name, getattr(salvo, name)) for name in public(inspect.isfunction)]
    parts = [HEAD, function_section("Functions", functions)]
    parts += [class_section(name) for name in public(inspect.isclass)]
    parts.append(function_section("salvo.plots", [(name, getattr(plots, name)) for name in plots.__all__]))
    return "\n".join(parts)


def main(*arguments):
    check = "--check" in arguments
    (target,) = [pathlib.Path(argument) for argument in arguments if argument != "--check"]
    if not check:
        target.write_text(page())
        return 0
    if target.exists() and target.read_text() == page():
        print("The reference says what the docstrings say.")
        return 0
    print(f"{target} is not what the docstrings say; write it again with  tools/make_python_reference.py {target}")
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
