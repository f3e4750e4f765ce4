"""Counts the lines of programs in Swift, Python and Rust: `lines.py FILE...`.

Blank lines, comments, documentation and the lines that only name what is used from elsewhere (`import`, `from`, `use`)
do not count. What a program of Rust includes does. Everything else does, a closing brace too.
"""

import ast
import pathlib
import re
import sys


def of_python(text):
    tree = ast.parse(text)
    skipped = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            if ast.get_docstring(node) is not None:
                skipped.append(node.body[0])
    without = {line for node in skipped for line in range(node.lineno, node.end_lineno + 1)}
    return sum(
        number not in without and bool(line.strip()) and not line.lstrip().startswith("#")
        for number, line in enumerate(text.splitlines(), 1))


def of_braces(text, path):
    """Swift and Rust; in the programs that are counted, a comment has lines of its own."""
    count = 0
    # What ends the comment or the import that is being skipped.
    end = ""
    for line in map(str.strip, text.splitlines()):
        if end:
            end = "" if line.endswith(end) else end
        elif line.startswith("/*"):
            end = "" if line.endswith("*/") else "*/"
        elif path.suffix == ".rs" and line.startswith("use "):
            end = "" if line.endswith(";") else ";"
        elif included := re.fullmatch(r'include!\("(.+)"\);', line):
            count += of_file(path.parent / included[1])
        elif line and not line.startswith(("//", "import ")):
            count += 1
    return count


def of_file(path):
    path = pathlib.Path(path)
    text = path.read_text()
    return of_python(text) if path.suffix == ".py" else of_braces(text, path)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(f"{of_file(name):5} {name}")
