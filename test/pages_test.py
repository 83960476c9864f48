"""Checks that links between pages lead somewhere, that every work cited in sources and pages is in the bibliography, and
that the reference names every word of the problem file.

pages_test.py PROJECT_FOLDER
"""
import pathlib
import re
import sys

LINK = re.compile(r'\]\(([^)#\s]+)(?:#[^)\s]*)?\)|src="([^"]+)"')
ANCHOR = re.compile(r"\]\(([^)#\s]*)#([^)\s]+)\)")
KEY = re.compile(r"\[([A-Z][A-Za-z]+[0-9]{2})\](?!\()")  # a link of that name is no citation
BLOCK = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def broken_links(page, text):
    for pair in LINK.findall(BLOCK.sub("", text)):
        target = "".join(pair)
        if "://" not in target and not (page.parent / target).exists():
            yield f"{page}: there is no {target}"


def anchors_of(page):
    """What the headings of a page are called in links to them."""
    heads = re.findall(r"^#+ (.*)$", BLOCK.sub("", page.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", re.sub(r"\]\([^)]*\)", "", head).lower()).strip().replace(" ", "-") for head in heads}


def broken_anchors(page, text):
    for file, anchor in ANCHOR.findall(BLOCK.sub("", text)):
        target = page.parent / file if file else page
        if "://" not in file and target.suffix == ".md" and target.exists() and anchor not in anchors_of(target):
            yield f"{page}: {target.name} has no heading #{anchor}"


def unknown_keys(file, text, known):
    for key in sorted(set(KEY.findall(text)) - known):
        yield f"{file}: [{key}] is not in docs/bibliography.md"


def false_copies(page, text, project):
    """A block after `<!-- file: PATH -->` holds the text of that file."""
    for name, block in re.findall(r"^<!-- file: (\S+) -->\n```\w*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        if block != (project / name).read_text():
            yield f"{page}: this is not the text of {name}"


def missing_words(project):
    """Sections, options and functions that the reader knows and docs/reference.md does not name."""
    known = set()
    for source in (project / "src/formats/problem").glob("*.cpp"):
        text = source.read_text()
        for names in re.findall(r"(?:check_options\([^;]*?|known_sections|options)\{((?:\s*\"[a-z]+\",?)+)\s*\}", text):
            known |= set(re.findall(r'"([a-z]+)"', names))
    known |= set(re.findall(r'^    \{"(\w+)", Op::', (project / "src/expression/functions.cpp").read_text(), re.MULTILINE))
    named = set(re.findall(r"\w+", (project / "docs/reference.md").read_text()))
    if len(known) < 60:
        yield f"only {len(known)} words of the problem file were found in the source"
    for word in sorted(known - named):
        yield f"docs/reference.md does not name '{word}'"


def files_of(project, folders, endings):
    for folder in folders:
        yield from sorted(file for file in (project / folder).rglob("*") if file.suffix in endings)


def main(project):
    project = pathlib.Path(project)
    known = set(KEY.findall((project / "docs/bibliography.md").read_text()))
    troubles = []
    for page in [*sorted(project.glob("*.md")), *files_of(project, ["docs", "examples", "src"], {".md"})]:
        text = page.read_text()
        troubles += [*broken_links(page, text), *broken_anchors(page, text), *unknown_keys(page, text, known),
                     *false_copies(page, text, project)]
    for source in files_of(project, ["src", "test", "bench"], {".cpp", ".hpp"}):
        troubles += unknown_keys(source, source.read_text(), known)
    troubles += missing_words(project)
    print("\n".join(troubles) or "Every link leads somewhere, and every work cited is in the bibliography.")
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
