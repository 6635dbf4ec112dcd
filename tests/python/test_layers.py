"""The modules of the core form layers: none imports, by whatever way round, one that imports it."""

import re
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

CORE = Path(__file__).parents[2] / "src"
IMPORT = re.compile(r"\bcrate::(\{(?:[^{}]|\{[^{}]*\})*\}|\w+)")
EXPORT = re.compile(r"\bpub use (\{(?:[^{}]|\{[^{}]*\})*\}|[\w:]+(?:::\{[^{}]*\})?);")


def code(text: str) -> str:
    """Leave out comments and what is compiled for tests alone."""
    text = text.split("#[cfg(test)]\nmod tests {")[0]
    return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("//"))


def paths(tree: str, before: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Unfold `a::{b, c::D}` into its paths."""
    tree = tree.strip()
    head, brace, rest = tree.partition("{")
    whole = (*before, *(part.strip() for part in head.split("::") if part.strip()))
    if not brace:
        if whole != before:
            yield whole
        return
    depth, item = 0, ""
    for letter in rest[: rest.rindex("}")] + ",":
        if letter == "," and depth == 0:
            yield from paths(item, whole)
            item = ""
        else:
            depth += (letter == "{") - (letter == "}")
            item += letter


def exported(library: str) -> dict[str, str]:
    """Tell in which module stands what the crate hands out at its top: `Span` in `span`."""
    found = {}
    for tree in EXPORT.findall(code(library)):
        for path in paths(tree):
            found[path[-1]] = path[0]
    return found


def imports(folder: Path) -> dict[str, set[str]]:
    """Read for each module at the top of a crate which others it names."""
    named = exported((folder / "lib.rs").read_text(encoding="utf-8"))
    graph: dict[str, set[str]] = {}
    for file in sorted(folder.rglob("*.rs")):
        module = file.relative_to(folder).parts[0].removesuffix(".rs")
        if module == "lib" or file.stem == "tests":
            continue
        for tree in IMPORT.findall(code(file.read_text(encoding="utf-8"))):
            for path in paths(tree):
                graph.setdefault(module, set()).add(named.get(path[0], path[0]))
        graph.get(module, set()).discard(module)
    return graph


def test_no_circle_between_the_modules_of_the_core() -> None:
    graph = imports(CORE)
    modules = {path.stem for path in CORE.iterdir()} - {"lib"}
    assert modules >= graph.keys() and modules >= set().union(*graph.values())
    assert graph["pipeline"] >= {"concepts", "decide", "render", "rules"}, "the reader finds what is known to be there"
    TopologicalSorter(graph).prepare()


def test_a_circle_is_found(tmp_path: Path) -> None:
    (tmp_path / "lib.rs").write_text("mod a;\nmod b;\npub use {a::A, b::{B, c::C}};\n")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "mod.rs").write_text("// use crate::a;\n#[cfg(test)]\nmod tests {\n    use crate::a::A;\n}\n")
    (tmp_path / "a.rs").write_text("use crate::{\n    C,\n    b::{self, B},\n};\n")
    assert imports(tmp_path) == {"a": {"b"}}
    (tmp_path / "b" / "c.rs").write_text("fn of(a: &crate::A) {}\n")
    assert imports(tmp_path) == {"a": {"b"}, "b": {"a"}}
    with pytest.raises(CycleError):
        TopologicalSorter(imports(tmp_path)).prepare()
