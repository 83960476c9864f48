"""The manual page and the completions name every command and option that --help names, and the words they offer are taken.

So do the pages in docs/commands. manual_test.py PROGRAM FOLDER_OF_THE_MANUAL PROJECT_FOLDER
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def said_by(program, *words):
    return subprocess.run([program, *words], capture_output=True, text=True)


def options_of(program, command):
    return sorted(set(re.findall(r"^  (?:-\w,)?(--[\w-]+)", said_by(program, command, "--help").stdout, re.MULTILINE)))


def commands_of(program):
    text = said_by(program, "--help").stdout
    return re.findall(r"^  ([\w-]+) ", text[text.index("Commands:"):text.index("Begin with")], re.MULTILINE)


def bash_offers(folder, *words):
    quoted = " ".join(f"'{word}'" for word in words)
    script = f"source '{folder}/salvo.bash'; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _salvo; echo \"${{COMPREPLY[@]}}\""
    return subprocess.run(["bash", "-c", script], capture_output=True, text=True).stdout.split()


def in_the_manual(page, command, option):
    part = re.search(rf"^\.SS {re.escape(command)}$(.*?)(?=^\.S[SH]|\Z)", page, re.MULTILINE | re.DOTALL)
    return part is not None and option in part[1]


def missing(program, folder):
    page = (folder / "salvo.1").read_text().replace("\\-", "-").replace("\\(aq", "'")
    zsh = (folder / "_salvo").read_text()
    fish = (folder / "salvo.fish").read_text()
    for command in commands_of(program):
        if command not in bash_offers(folder, "salvo", command[:2]):
            yield f"bash does not offer {command}"
        for option in options_of(program, command):
            if option == "--help":
                continue
            if not in_the_manual(page, command, option):
                yield f"the manual page does not name {command} {option}"
            if option not in bash_offers(folder, "salvo", command, option[:4]):
                yield f"bash does not offer {command} {option}"
            if f"'{option}[" not in zsh[zsh.index(f"    {command})"):]:
                yield f"zsh does not offer {command} {option}"
            if f"from {command}' -l {option[2:]} " not in fish:
                yield f"fish does not offer {command} {option}"


def without_a_page(program, pages):
    for command in commands_of(program):
        page = pages / f"{command}.md"
        if not page.exists():
            yield f"{command} has no page in {pages}"
            continue
        for option in options_of(program, command):
            if option != "--help" and option not in page.read_text():
                yield f"{page} does not name {option}"


def slips_of_bash(folder):
    if bash_offers(folder, "salvo", "fit", "--method", "=", "g") != ["gauss-newton"]:
        yield "bash does not complete --method=g"
    with tempfile.TemporaryDirectory() as empty:
        (pathlib.Path(empty) / "two words").mkdir()
        (pathlib.Path(empty) / "two.yaml").touch()
        script = f"source '{folder}/salvo.bash'; COMP_WORDS=(salvo report tw); COMP_CWORD=2; _salvo; printf '%s;' \"${{COMPREPLY[@]}}\""
        offered = subprocess.run(["bash", "-c", script], cwd=empty, capture_output=True, text=True).stdout
        if offered != "two words;":
            yield f"bash offers {offered!r} where only a folder fits"


def refused(program, choices):
    for option, words in choices.items():
        for word in words:
            if option in said_by(program, "fit", "nothing.yaml", option, word).stderr:
                yield f"{option} {word} is offered and refused"


def syntax_errors(folder):
    for shell, name in {"bash": "salvo.bash", "zsh": "_salvo", "fish": "salvo.fish"}.items():
        if shutil.which(shell) and subprocess.run([shell, "-n", folder / name]).returncode != 0:
            yield f"{shell} cannot read {name}"


def main(program, folder, project):
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(pathlib.Path(project) / "tools"))
    from make_manual import CHOICES
    folder = pathlib.Path(folder)
    troubles = [*missing(program, folder), *without_a_page(program, pathlib.Path(project) / "docs/commands"),
                *refused(program, CHOICES), *slips_of_bash(folder), *syntax_errors(folder)]
    count = len(commands_of(program))
    print("\n".join(troubles) or f"{count} commands are in the manual and in the completions with all their options.")
    return 1 if troubles or count < 8 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
