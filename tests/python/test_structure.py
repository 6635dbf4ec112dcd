"""How the code is built: no circle between files of the package, files and functions of a size that can be read."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import notesieve as ns

PACKAGE = Path(ns.__file__).parent
FILES = {
    ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): file
    for file in sorted(PACKAGE.rglob("*.py"))
}
COMPILED = "notesieve._core"
LONGEST_FILE = 400
LONGEST_FUNCTION = 60
MOST_WORDS = 6
ROOT = Path(__file__).parents[2]
RUST = [
    file.relative_to(ROOT).as_posix()
    for folder in ("crates", "fuzz", "models", "python", "src", "tests", "vocabularies")
    for file in sorted((ROOT / folder).rglob("*.rs"))
    if "target" not in file.relative_to(ROOT).parts
]


def imported_modules(name: str, content: str) -> set[str]:
    """Name the modules of the package that a module imports.

    Imports for type checkers and those inside functions count like any other. They break no import at run time, but a
    reader who follows them goes in a circle all the same, and the package needs no exception.

    Whoever imports a module runs the packages above it first, so these count, too: but for those that the module
    stands in itself, which are there already.
    """
    found = set()
    for node in ast.walk(ast.parse(content)):
        assert not (isinstance(node, ast.ImportFrom) and node.level), f"{name}: a relative import"
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            wholes = {f"{node.module}.{alias.name}" for alias in node.names}
            submodules = wholes & {*FILES, COMPILED}
            found |= submodules if submodules == wholes else submodules | {node.module}
    above = {module.rsplit(".", depth)[0] for module in found for depth in range(1, module.count("."))}
    own = {name.rsplit(".", depth)[0] for depth in range(name.count(".") + 1)}
    return {module for module in found | (above - own) if module in FILES}


def find_cycle(edges: dict[str, set[str]]) -> list[str] | None:
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        return list(error.args[1])
    return None


def test_no_circle_between_files() -> None:
    edges = {name: imported_modules(name, file.read_text(encoding="utf-8")) for name, file in FILES.items()}
    assert sum(map(len, edges.values())) > 200
    assert edges["notesieve.cli.train"] >= {"notesieve.learning", "notesieve.cli.options"}
    assert find_cycle(edges) is None


@pytest.mark.parametrize(
    "content",
    [
        "from notesieve.scrubber import Scrubber",
        "from notesieve import scrubber",
        "import notesieve.scrubber",
        "if TYPE_CHECKING:\n    from notesieve.scrubber import Scrubber",
        "def late():\n    from notesieve.scrubber import Scrubber",
    ],
)
def test_a_circle_is_found(content: str) -> None:
    edges = {name: imported_modules(name, file.read_text(encoding="utf-8")) for name, file in FILES.items()}
    edges["notesieve.errors"] = imported_modules("notesieve.errors", content)
    assert set(find_cycle(edges) or ()) >= {"notesieve.errors", "notesieve.scrubber"}


def function_lengths(content: str) -> Iterator[tuple[str, int]]:
    """Give the name of each function with its lines, without those of its docstring."""
    for node in ast.walk(ast.parse(content)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0]
            told = ast.get_docstring(node, clean=False) is not None
            docstring = (first.end_lineno or 0) - first.lineno + 1 if told else 0
            yield node.name, (node.end_lineno or 0) - node.lineno + 1 - docstring


@pytest.mark.parametrize("name", FILES)
def test_files_and_functions_can_be_read(name: str) -> None:
    content = FILES[name].read_text(encoding="utf-8")
    assert content.count("\n") <= LONGEST_FILE
    assert [function for function, lines in function_lengths(content) if lines > LONGEST_FUNCTION] == []


@pytest.mark.parametrize("folder", ["corpus", "docs", "models", "tests", "vocabularies"])
def test_other_files_can_be_read(folder: str) -> None:
    lengths = {str(file): len(file.read_text(encoding="utf-8").splitlines()) for file in (ROOT / folder).rglob("*.py")}
    assert {name: lines for name, lines in lengths.items() if lines > LONGEST_FILE} == {}


def rust_lengths(content: str) -> Iterator[tuple[str, int]]:
    """Give the name of each Rust function with its lines: rustfmt ends it with a brace below its first letter."""
    lines = content.splitlines()
    for first, line in enumerate(lines):
        head = re.match(r"( *)(?:pub(?:\([^)]*\))? )?(?:(?:const|async|unsafe|extern \"C\") )*fn (\w+)", line)
        if head and not line.endswith((";", "}")):
            yield head[2], lines.index(head[1] + "}", first) - first + 1


def test_rust_functions_are_measured() -> None:
    content = "    pub(crate) const fn one(\n        two: u8,\n    ) -> u8 {\n        two\n    }\n\nfn three() {}\n"
    assert list(rust_lengths(content)) == [("one", 5)]


@pytest.mark.parametrize("name", RUST)
def test_rust_files_and_functions_can_be_read(name: str) -> None:
    content = (ROOT / name).read_text(encoding="utf-8")
    assert content.count("\n") <= LONGEST_FILE
    assert [function for function, lines in rust_lengths(content) if lines > LONGEST_FUNCTION] == []


LITERAL = r'b?"(?:[^"\\\n]|\\.)*"'


def word_literals(content: str) -> Iterator[list[str]]:
    """Give the lists of words that stand in Rust as literals, `"a" | "b"` or `"a", "b"`; tests are left out."""
    code = re.sub(r"//.*", "", content.partition("#[cfg(test)]\nmod tests")[0])
    for found in re.finditer(rf"{LITERAL}(?:\s*[|,]\s*{LITERAL})*", code):
        yield re.findall(LITERAL, found[0])


def test_literals_are_found() -> None:
    code = 'word_is!(note, at, "a" | "b") // "c"\nconst X: &[&[u8]] = &[b"d",\n    b"e",\n];\n'
    content = code + '#[cfg(test)]\nmod tests {"f"}'
    assert list(word_literals(content)) == [['"a"', '"b"'], ['b"d"', 'b"e"']]


@pytest.mark.parametrize("name", [name for name in RUST if name.startswith(("src/rules/", "src/names/"))])
def test_words_that_are_more_than_a_handful_stand_in_the_lexicon(name: str) -> None:
    content = (ROOT / name).read_text(encoding="utf-8")
    assert [words for words in word_literals(content) if len(words) > MOST_WORDS] == []


def test_each_list_of_words_is_used_and_no_other_is_the_same() -> None:
    files = [file for root in ("src", "crates", "tests") for file in (ROOT / root).glob("**/words/*.txt")]
    lists = {file.stem: file.read_text(encoding="utf-8").partition("\n") for file in files}
    code = "".join((ROOT / name).read_text(encoding="utf-8") for name in RUST)
    assert len(lists) == len(files)
    assert lists.keys() == set(re.findall(r'word(?:_set|_list|s_of_file)!\("(?:[\w./]*/)?([\w-]+)(?:\.txt)?"\)', code))
    assert all(comment.startswith("# ") for comment, _, _ in lists.values())
    words = [words for _, _, words in lists.values()]
    assert [name for name, (_, _, own) in lists.items() if words.count(own) > 1] == []


def test_no_file_is_called_like_another_in_a_package_that_does_something_else() -> None:
    """A name that stands twice is that of one thing: a command and what it runs, scrubbing of files and of frames."""
    names = [name.rpartition(".")[2] for name, file in FILES.items() if file.name != "__init__.py"]
    twice = {name for name in names if names.count(name) > 1}
    assert twice <= {"index", "scrub"}


def test_what_few_need_is_loaded_by_those() -> None:
    """`import notesieve` is to be quick, and stays off the network."""
    libraries = ["numpy", "pandas", "polars", "pyarrow", "tqdm", "urllib.request"]
    rooms = ["display", "evaluation", "evidence", "files", "index", "learning", "verification", "vocabularies"]
    late = libraries + [f"notesieve.{room}" for room in rooms]
    code = f"import sys, notesieve; print([name for name in {late!r} if name in sys.modules])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


def test_every_public_name_is_there() -> None:
    assert set(ns.__all__) <= set(dir(ns))
    for name in ns.__all__:
        assert getattr(ns, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'Scruber'"):
        _ = ns.Scruber
