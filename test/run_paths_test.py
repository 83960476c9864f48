#!/usr/bin/env python3
"""Where programs and libraries look for others, and what protects them.

    run_paths_test.py [--hardened FILE]... FOLDER...

No run path of a program or library below the folders has an element that is empty or relative: those lead to the folder where
the user stands, and whoever sends him a problem could put a library there. Files after --hardened are position-independent,
have nothing left to be resolved while they run, no stack that can be executed, and a guard on it.
"""
import os
import subprocess
import sys


def is_elf(path):
    if os.path.islink(path) or not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def readelf(path, *options):
    done = subprocess.run(["readelf", "-W", *options, path], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def wrong_elements(path):
    for line in readelf(path, "-d"):
        if "(RUNPATH)" not in line and "(RPATH)" not in line:
            continue
        elements = line[line.index("[") + 1:line.rindex("]")].split(":")
        yield from (element for element in elements if not element.startswith(("/", "$ORIGIN")))


def missing_protection(path):
    flags = " ".join(line for line in readelf(path, "-d") if "FLAGS" in line)
    segments = readelf(path, "-l")
    stack = [line for line in segments if "GNU_STACK" in line]
    if any("INTERP" in line for line in segments) and "PIE" not in flags:
        yield "it is not position-independent"
    if not any("GNU_RELRO" in line for line in segments) or "NOW" not in flags:
        yield "its tables can be written to while it runs (no full RELRO)"
    if not stack or "RWE" in stack[0]:
        yield "its stack can be executed"
    if not any("__stack_chk_fail" in line for line in readelf(path, "--dyn-syms")):
        yield "its stack has no guard"


def main():
    words = sys.argv[1:]
    hardened = []
    while words and words[0] == "--hardened":
        hardened.append(words[1])
        words = words[2:]
    faults = [f"{path}: {fault}" for path in hardened for fault in missing_protection(path)]
    seen = len(hardened)
    for folder in words:
        for place, folders, names in os.walk(folder):
            folders[:] = [name for name in folders if name != "CMakeFiles"]
            for path in (os.path.join(place, name) for name in names):
                if is_elf(path) and not path.endswith((".o", ".a")):
                    seen += 1
                    faults += [f"{path}: the run path has the element '{wrong}'" for wrong in wrong_elements(path)]
    for fault in faults:
        print(fault)
    print(f"{seen} programs and libraries, {len(faults)} faults")
    sys.exit(1 if faults or seen == 0 else 0)


if __name__ == "__main__":
    main()
