"""Every call in Salvo.jl is one of the functions in salvo.h, with as many arguments, of types that have the same size.

julia_test.py HEADER SALVO.JL
"""
import re
import sys


def kind_of_c(text):
    text = re.sub(r"/\*.*?\*/", "", text).strip()
    if "*" in text or text.startswith("salvo_stop"):
        return "pointer"
    return {"size_t": "size", "int": "int", "void": "void"}[text.split()[0]]


def kind_of_julia(text):
    if text.startswith("Ptr{") or text == "Cstring":
        return "pointer"
    return {"Csize_t": "size", "Cint": "int", "Cvoid": "void"}[text]


def header_functions(text):
    found = {}
    for result, name, arguments in re.findall(r"SALVO_API ([^;(]*?)(salvo_\w+)\(([^)]*)\);", text):
        kinds = [] if arguments.strip() == "void" else [kind_of_c(each) for each in arguments.split(",")]
        found[name] = (kind_of_c(result), kinds)
    return found


def types_in(text):
    """Elements of a tuple of types: commas within braces do not part them."""
    return [part for part in re.split(r",\s*(?![^{]*\})", text.strip().rstrip(",")) if part]


def julia_calls(text):
    for name, result, types, given in re.findall(r":(salvo_\w+)\), (\w+), \(((?:[^()])*)\)((?:[^()]|\([^()]*\))*)\)", text):
        yield name, kind_of_julia(result), [kind_of_julia(each) for each in types_in(types)], len(types_in(given.lstrip(", \n")))


def main(header, julia):
    functions = header_functions(open(header).read())
    calls = list(julia_calls(open(julia).read()))
    troubles = []
    for name, result, kinds, given in calls:
        if name not in functions:
            troubles.append(f"salvo.h has no {name}")
        elif functions[name] != (result, kinds):
            troubles.append(f"{name}: the header says {functions[name]}, Julia {(result, kinds)}")
        elif given != len(kinds):
            troubles.append(f"{name} is given {given} arguments, and wants {len(kinds)}")
    for name in sorted(functions.keys() - {call[0] for call in calls}):
        troubles.append(f"Julia does not call {name}")
    print("\n".join(troubles) or f"{len(calls)} calls in Julia are as {len(functions)} functions in C want them.")
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
