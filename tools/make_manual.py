#!/usr/bin/env python3
"""Makes the manual page and the shell completions from what the program says of itself: make_manual.py SALVO FOLDER

Writes salvo.1, salvo.bash, _salvo (zsh) and salvo.fish. Nothing is said twice: a new option appears in them by itself.
"""
import dataclasses
import pathlib
import re
import subprocess
import sys

# Words that can follow an option; others are numbers, names or files.
CHOICES = {
    "--method": ["auto", "gauss-newton", "lagrangian", "scalar"],
    "--derivatives": ["auto", "tangent", "adjoint"],
    "--nodes": ["auto", "measurements", "single"],
    "--start": ["auto", "data", "simulate"],
    "--integrator": ["auto", "dopri5", "rodas5p", "rk4", "cvodes"],
}


@dataclasses.dataclass
class Option:
    names: list
    value: str
    text: str
    group: str

    @property
    def long(self):
        return self.names[-1]


@dataclasses.dataclass
class Command:
    name: str
    about: str
    usage: str
    positional: str
    options: list
    footer: str


def help_of(salvo, *words):
    return subprocess.run([salvo, *words, "--help"], check=True, capture_output=True, text=True).stdout


def sections_of(text):
    """The blocks of a help text: (title, lines)."""
    title, lines = "", []
    for line in text.splitlines():
        if re.fullmatch(r"[A-Z][A-Za-z ]*:", line):
            yield title, lines
            title, lines = line[:-1], []
        else:
            lines.append(line)
    yield title, lines


def entries_of(lines):
    """The two columns of a block; a line without a first column goes on with the text before it. Ends at what is no entry."""
    entries = []
    for line in lines:
        if not line.strip():
            continue
        if re.match(r" {20}", line) and entries:
            entries[-1][1] += "\n" + line.strip()
        elif found := re.match(r"  (\S.*?)(?: {2,}(.*))?$", line):
            entries.append([found[1], found[2] or ""])
        else:
            break
    return entries


def option_of(head, text, group):
    found = re.match(r"((?:-\w,)?--[\w-]+) ?(.*)", head)
    return Option(found[1].split(","), found[2].removesuffix(" ..."), text, group)


def footer_of(text):
    found = re.search(r"^(?:Examples?:|Begin with)$.*", text, re.MULTILINE | re.DOTALL)
    return found[0] if found else ""


def command_of(salvo, name, about):
    text = help_of(salvo, name)
    options, positional = [], ""
    for title, lines in sections_of(text):
        if title == "Positionals":
            positional = entries_of(lines)[0][0].split()[0]
        elif title and not title.startswith("Example"):
            options += [option_of(head, words, title) for head, words in entries_of(lines) if head.startswith("-")]
    return Command(name, about, re.search(r"Usage: (.*)", text)[1], positional, options, footer_of(text))


def commands_of(salvo):
    entries = next(lines for title, lines in sections_of(help_of(salvo)) if title == "Commands")
    return [command_of(salvo, name, about) for name, about in entries_of(entries)]


# --- the manual page -------------------------------------------------------------------------------------------------

def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return re.sub(r"^\.", r"\\&.", text, flags=re.MULTILINE)


def roff_option(option):
    names = ", ".join(rf"\fB{roff(name)}\fR" for name in option.names)
    value = rf" \fI{roff(option.value)}\fR" if option.value else ""
    return f".TP\n{names}{value}\n" + "\n.br\n".join(roff(option.text).splitlines()) + "\n"


def roff_command(command):
    page = f".SS {roff(command.name)}\n{roff(command.about)}.\n.PP\n.B {roff(command.usage)}\n"
    page += "".join(roff_option(option) for option in command.options if "--help" not in option.names)
    if command.footer:
        page += f".PP\n.nf\n{roff(command.footer)}\n.fi\n"
    return page


def manual(salvo, commands):
    version = subprocess.run([salvo, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    about = help_of(salvo).splitlines()[0]
    return f"""\
.TH SALVO 1 "" "{version}" "User Commands"
.SH NAME
salvo \\- parameters of differential equations from noisy data, by multiple shooting
.SH SYNOPSIS
.B salvo
.I COMMAND
[\\fIOPTIONS\\fR]
.br
.B salvo \\-\\-help
|
.B \\-\\-version
.SH DESCRIPTION
{roff(about)}
Problems are YAML files with their data in CSV beside them; \\fBsalvo new\\fR writes one to start from.
Every command explains itself with \\fB\\-\\-help\\fR.
.SH COMMANDS
{''.join(roff_command(command) for command in commands)}.SH FILES
A fit writes into the folder \\fISTEM.fit\\fR:
.TP
.B report.html
the page to look at, one file, offline
.TP
.B fit.json
the whole result
.TP
.B estimates.tsv, trajectories.csv, residuals.csv, starts.csv
tables for other programs
.TP
.B summary.txt
what the terminal prints
.TP
.B start.svg, solution.svg
the trajectories before and after
.TP
.B pictures.json
what report.html draws beyond fit.json; \\fBsalvo report\\fR makes the page from both
.SH ENVIRONMENT
.TP
.B NO_COLOR
if set and not empty, nothing is coloured
.TP
.B COLUMNS
how wide the terminal is, where it does not say so itself
.SH EXIT STATUS
0 done, 1 wrong usage or an unreadable file, 2 invalid problem, 3 not supported, 4 ran without a converged answer,
130 interrupted.
"""


# --- completions -----------------------------------------------------------------------------------------------------


def bash(commands):
    cases = ""
    for command in commands:
        words = " ".join(option.long for option in command.options)
        cases += f"    {command.name}) words='{words}' ;;\n"
    values = "".join(f"    {name}) COMPREPLY=($(compgen -W '{' '.join(words)}' -- \"$word\")); return ;;\n"
                     for name, words in CHOICES.items())
    options = [option for command in commands for option in command.options]
    folders = "|".join(sorted({option.long for option in options if option.value == "DIR"}))
    plain = "|".join(sorted({option.long for option in options
                             if option.value not in ("", "DIR", "FILE") and option.long not in CHOICES}))
    folder_commands = "|".join(command.name for command in commands if command.positional == "DIR")
    return f"""\
# bash completion for salvo
_salvo() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words= kind=-f
  if [ "$word" = = ]; then word=; elif [ "$before" = = ]; then before=${{COMP_WORDS[COMP_CWORD-2]}}; fi  # --option=value
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '{' '.join(command.name for command in commands)} --help --version' -- "$word"))
    return
  fi
  case $before in
{values}    {plain}) COMPREPLY=(); return ;;
    {folders}) kind=-d ;;
  esac
  case ${{COMP_WORDS[1]}} in
{cases}  esac
  case ${{COMP_WORDS[1]}} in
    {folder_commands}) kind=-d ;;
  esac
  case $word in
    -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
    *) mapfile -t COMPREPLY < <(compgen $kind -- "$word") ;;
  esac
}}
complete -o filenames -F _salvo salvo
"""


def first_line(text):
    return text.splitlines()[0] if text else ""


def zsh(commands):
    def spec(option):
        text = re.sub(r"[\[\]:'\\]", " ", first_line(option.text))
        if not option.value:
            return f"'{option.long}[{text}]'"
        words = f"({' '.join(CHOICES[option.long])})" if option.long in CHOICES else "_files" if option.value in ("FILE", "DIR") else " "
        return f"'{option.long}[{text}]:{option.value.split('=')[0].lower()}:{words}'"

    names = "\n".join(f"    '{command.name}:{command.about.replace(chr(39), ' ')}'" for command in commands)
    cases = ""
    for command in commands:
        specs = " \\\n        ".join([*map(spec, command.options), "'*:file:_files'"])
        cases += f"    {command.name})\n      _arguments \\\n        {specs} ;;\n"
    return f"""\
#compdef salvo
# zsh completion for salvo
_salvo() {{
  local -a commands=(
{names}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    _arguments '--help[help]' '--version[version]'
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{cases}  esac
}}
_salvo "$@"
"""


def fish(commands):
    def quoted(text):
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

    lines = ["# fish completion for salvo", "complete -c salvo -n __fish_use_subcommand -f -l version -d 'Version'",
             "complete -c salvo -f -l help -d 'Help'"]
    for command in commands:
        lines.append(f"complete -c salvo -n __fish_use_subcommand -f -a {command.name} -d {quoted(command.about)}")
        for option in command.options:
            if option.long == "--help":
                continue
            value = f" -x -a {quoted(' '.join(CHOICES[option.long]))}" if option.long in CHOICES else \
                " -r" if option.value in ("FILE", "DIR") else " -x" if option.value else ""
            lines.append(f"complete -c salvo -n '__fish_seen_subcommand_from {command.name}' -l {option.long[2:]}{value} "
                         f"-d {quoted(first_line(option.text))}")
    return "\n".join(lines) + "\n"


def main(salvo, folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    commands = commands_of(salvo)
    (folder / "salvo.1").write_text(manual(salvo, commands))
    (folder / "salvo.bash").write_text(bash(commands))
    (folder / "_salvo").write_text(zsh(commands))
    (folder / "salvo.fish").write_text(fish(commands))


if __name__ == "__main__":
    main(*sys.argv[1:])
