"""Every option of `salvo fit` and `salvo simulate` is an option of the functions in C, and the library shows these alone.

options_test.py PROGRAM LIBRARY PROBLEM
"""
import ctypes
import re
import subprocess
import sys

# What prints, what is read beforehand, what simulate gives as a table, and what keeps a journal.
ELSEWHERE = {"help", "json", "quiet", "verbose", "data", "prepare", "resume"}


def options_of(program, command):
    text = subprocess.run([program, command, "--help"], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"--([a-z][a-z-]*)", text[:text.index("Examples:")])) - ELSEWHERE


def answer(library, function, problem, option):
    """What the function says to an option with a value that suits none."""
    text = ctypes.c_char_p()
    json = ('{"%s": [[]]}' % option).encode()
    if function == "fit":
        code = library.salvo_fit(problem, json, None, None, ctypes.byref(text))
    else:
        code = library.salvo_simulate(problem, json, ctypes.byref(text))
    return code, library.salvo_last_error().decode()


def exported(path):
    lines = subprocess.run(["nm", "-D", "--defined-only", path], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1] for line in lines.splitlines()}


def main(program, path, problem_file):
    library = ctypes.CDLL(path)
    library.salvo_last_error.restype = ctypes.c_char_p
    problem = ctypes.c_void_p()
    assert library.salvo_read(problem_file.encode(), None, ctypes.byref(problem)) == 0
    troubles = [f"the library shows {name}" for name in sorted(exported(path)) if not name.startswith("salvo_")]
    for function, fewest in [("fit", 20), ("simulate", 7)]:
        options = options_of(program, function)
        if len(options) < fewest:
            troubles.append(f"only {len(options)} options of {function} were found")
        for option in sorted(options):
            code, said = answer(library, function, problem, option)
            if code != 1 or not said.startswith(f"'{option}' wants "):
                troubles.append(f"salvo_{function}: {option}: {code}, {said}")
    print("\n".join(troubles) or "The options in C are those of the program.")
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
