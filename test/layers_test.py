"""Checks that every #include under src/ is allowed by docs/layers.txt, and that every folder there has a README.md.

layers_test.py PROJECT_FOLDER
"""
import pathlib
import re
import sys

FREE_EVERYWHERE = {"Eigen", "fmt"}
POSIX = {"unistd.h", "dlfcn.h", "fcntl.h", "sys/file.h", "sys/ioctl.h", "sys/stat.h"}
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
    source = pathlib.Path(project) / "src"
    rooms, homes = read_layers((pathlib.Path(project) / "docs" / "layers.txt").read_text())
    troubles = [*check_itself(rooms, homes), *check_includes(source, rooms, homes), *check_rooms(source, rooms)]
    print("\n".join(troubles) or "Every include keeps to docs/layers.txt.")
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
