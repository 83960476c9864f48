"""Checks that every #include under src/ is allowed by docs/layers.txt, that every folder there has a README.md, and that every
header of a room is included by a test of that room, or stands in test/without_test.txt.

layers_test.py PROJECT_FOLDER
"""
import pathlib
import re
import sys

FREE_EVERYWHERE = {"Eigen", "fmt"}
POSIX = {"unistd.h", "dlfcn.h", "fcntl.h", "gnu/libc-version.h", "sched.h", "spawn.h", "sys/file.h", "sys/ioctl.h", "sys/stat.h", "sys/wait.h"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def read_layers(text):
    """Returns {room: rooms it may include} and {third-party folder: its home}."""
    rooms, homes = {}, {}
    for line in text.splitlines():
        line = line.split("#")[0].strip()
        if not line:
            continue
        name, allowed = (part.strip() for part in line.split(":"))
        if name.startswith("home "):
            homes[name.removeprefix("home ").strip()] = allowed
        else:
            rooms[name] = set(allowed.split()) | {name}
    return rooms, homes


def trouble_with(bracket, path, room, rooms, homes):
    """Why this room may not include this path, or nothing."""
    folder = path.split("/")[0]
    if bracket == '"':
        if folder not in rooms:
            return "names no room"
        return None if folder in rooms[room] else f"{room} may not know {folder}"
    if folder in homes:
        return None if homes[folder] == room else f"{folder} lives in {homes[folder]} only"
    is_standard = "/" not in path and "." not in path
    return None if is_standard or folder in FREE_EVERYWHERE or path in POSIX else "has no home"


def check_includes(source, rooms, homes):
    for file in sorted(source.rglob("*.[ch]pp")):
        room = file.relative_to(source).parts[0]
        for bracket, path in INCLUDE.findall(file.read_text()):
            trouble = trouble_with(bracket, path, room, rooms, homes)
            if trouble:
                yield f"{file}: #include of {path}: {trouble}"


def check_rooms(source, rooms):
    for folder in sorted(path for path in source.rglob("*") if path.is_dir()):
        if folder.parent == source and folder.name not in rooms:
            yield f"{folder}: the room is not in docs/layers.txt"
        if any(folder.iterdir()) and not (folder / "README.md").exists():
            yield f"{folder}: README.md is missing"


def included_by_tests(tests):
    """Everything that the tests of a room include."""
    return {path for file in tests.rglob("*.[ch]pp") for _, path in INCLUDE.findall(file.read_text())}


def read_exceptions(text):
    """Folders (that end with a slash) and headers without a test in their room."""
    lines = (line.split("#")[0].strip() for line in text.splitlines())
    return {line for line in lines if line}


def check_tests(project, exceptions):
    source = project / "src"
    used = set()
    for room in sorted(path.name for path in source.iterdir() if path.is_dir()):
        included = included_by_tests(project / "test" / room)
        for header in sorted((source / room).rglob("*.hpp")):
            name = header.relative_to(source).as_posix()
            excuse = next((each for each in exceptions if name == each or each.endswith("/") and name.startswith(each)), None)
            if name not in included and excuse is None:
                yield f"{header}: no test in test/{room} includes it"
            if name not in included and excuse is not None:
                used.add(excuse)
    for excuse in sorted(exceptions - used):
        yield f"test/without_test.txt: {excuse} has its tests"


def check_itself(rooms, homes):
    """The rules must refuse what they are there to refuse."""
    for bracket, path, room in [('"', "fit/fit.hpp", "solve"), ('"', "fit.hpp", "fit"), ("<", "CLI/CLI.hpp", "fit"),
                                ("<", "curl/curl.h", "base")]:
        if not trouble_with(bracket, path, room, rooms, homes):
            yield f"layers_test allows {room} to include {path}"
    for bracket, path, room in [('"', "base/issue.hpp", "cli"), ("<", "vector", "base"), ("<", "Eigen/Core", "nlp"),
                                ("<", "CLI/CLI.hpp", "cli")]:
        if trouble_with(bracket, path, room, rooms, homes):
            yield f"layers_test forbids {room} to include {path}"


def main(project):
    project = pathlib.Path(project)
    source = project / "src"
    rooms, homes = read_layers((project / "docs" / "layers.txt").read_text())
    exceptions = read_exceptions((project / "test" / "without_test.txt").read_text())
    troubles = [*check_itself(rooms, homes), *check_includes(source, rooms, homes), *check_rooms(source, rooms),
                *check_tests(project, exceptions)]
    print("\n".join(troubles) or "Every include keeps to docs/layers.txt, and every header has a test or an excuse.")
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
