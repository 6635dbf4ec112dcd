"""The modules of the core form layers: none imports, by whatever way round, one that imports it, in no folder of it."""

import re
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

CORE = Path(__file__).parents[2] / "src"
# Three levels of braces are more than rustfmt leaves in one import.
TREE = r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}"
NAMED = re.compile(rf"(?<![\w:])((?:crate|super|self)::(?:\w+::)*(?:\w+|{TREE}))")
CHILD = re.compile(r"(?<![\w:])(\w+)::")
EXPORT = re.compile(rf"\bpub(?:\([^)]*\))? use ((?:\w+::)*(?:\w+|{TREE}));")
ROOTS = {"crate", "super", "self"}
# The rooms of the rules, each of which knows only those before it: what asks knows nothing of what it asks.
ROOMS = ["engine", "clinical", "forms", "cues"]

# The modules that take part in a scrub: each reads the note and results of those before it.
STEPS = "placeholders note rules terms abbreviations status names decide render pipeline".split()

Steps = tuple[str, ...]


def without_comments_and_tests(text: str) -> str:
    """Leave out comments and what is compiled for tests alone."""
    return re.sub(r"//.*", "", re.split(r"#\[cfg\(test\)\]\s*(?:pub\(crate\) )?mod tests", text)[0])


def unfold_use_tree(tree: str, before: Steps = ()) -> Iterator[Steps]:
    """Unfold `a::{b, c::D}` into its paths."""
    head, brace, rest = tree.strip().partition("{")
    whole = (*before, *(part.strip() for part in head.split("::") if part.strip()))
    if not brace:
        if whole != before:
            yield whole
        return
    depth, item = 0, ""
    for letter in rest[: rest.rindex("}")] + ",":
        if letter == "," and depth == 0:
            yield from unfold_use_tree(item, whole)
            item = ""
        else:
            depth += (letter == "{") - (letter == "}")
            item += letter


class Modules:
    """The modules of a crate by their paths; its root is the empty one."""

    def __init__(self, folder: Path) -> None:
        files = {file.relative_to(folder).with_suffix("").parts: file for file in sorted(folder.rglob("*.rs"))}
        self.codes = {
            parts[:-1] if parts[-1] in {"mod", "lib"} else parts: without_comments_and_tests(
                file.read_text(encoding="utf-8")
            )
            for parts, file in files.items()
            if parts[-1] != "tests"
        }
        self.exports = {module: dict(self._exported_paths(module)) for module in self.codes}

    def _exported_paths(self, module: Steps) -> Iterator[tuple[str, Steps]]:
        for tree in EXPORT.findall(self.codes[module]):
            for path in unfold_use_tree(tree):
                if path[0] in ROOTS or (*module, path[0]) in self.codes:
                    yield path[-1], path if path[0] in ROOTS else ("self", *path)

    def module_of(self, module: Steps, path: Steps) -> Steps:
        """Name the module in which stands what a path names, through the modules that only hand it on."""
        here = () if path[0] == "crate" else module
        for step in path:
            if step == "super":
                here = here[:-1]
            elif (*here, step) in self.codes:
                here = (*here, step)
            elif step not in ROOTS:
                known = self.exports.get(here, {}).get(step)
                return here if known is None or here == module else self.module_of(here, known)
        return here

    def imports(self, module: Steps) -> set[Steps]:
        """Name the modules of which a module names something."""
        text = self.codes[module]
        found = {self.module_of(module, path) for tree in NAMED.findall(text) for path in unfold_use_tree(tree)}
        return found | {(*module, child) for child in CHILD.findall(text) if (*module, child) in self.codes}

    def graph(self, folder: Steps) -> dict[str, set[str]]:
        """Tell of each module of a folder, and all that is in it, which others of the folder it names."""
        graph: dict[str, set[str]] = {}
        depth = len(folder)
        for module in self.codes:
            if len(module) > depth and module[:depth] == folder:
                others = {other for other in self.imports(module) if len(other) > depth and other[:depth] == folder}
                graph.setdefault(module[depth], set()).update({other[depth] for other in others} - {module[depth]})
        return graph


MODULES = Modules(CORE)
FOLDERS = sorted({module[:-1] for module in MODULES.codes if module})


@pytest.mark.parametrize("folder", FOLDERS, ids="/".join)
def test_no_circle_between_the_modules_of_a_folder(folder: Steps) -> None:
    TopologicalSorter(MODULES.graph(folder)).prepare()


def test_the_reader_finds_what_is_known_to_be_there() -> None:
    assert MODULES.graph(())["pipeline"] >= {"terms", "decide", "names", "render", "rules"}
    assert MODULES.graph(("rules", "engine"))["columns"] >= {"facts", "group"}
    assert MODULES.graph(("rules", "forms"))["code"] >= {"identifier", "run"}
    assert {("rules", "forms", "place"), ("names", "context")} <= set(FOLDERS)


def test_rooms_of_the_rules_know_only_those_before_them() -> None:
    graph = MODULES.graph(("rules",))
    for nth, room in enumerate(ROOMS):
        assert graph[room] <= set(ROOMS[:nth]), room
    assert graph["cues"] >= {"engine", "forms"}


def test_steps_of_the_pipeline_know_no_later_step() -> None:
    graph = MODULES.graph(())
    for nth, step in enumerate(STEPS):
        assert not graph[step] & set(STEPS[nth:]), step
    assert graph["note"] & set(STEPS) == {"placeholders"}
    for step in ("rules", "terms", "status"):
        assert graph[step] & set(STEPS) <= {"note", "terms"}, step


def test_a_circle_is_found(tmp_path: Path) -> None:
    (tmp_path / "lib.rs").write_text("mod a;\nmod b;\npub use a::A;\npub(crate) use b::{B, c::C};\n")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "mod.rs").write_text("// use crate::a;\n#[cfg(test)]\nmod tests {\n    use crate::a::A;\n}\n")
    (tmp_path / "a.rs").write_text("use crate::{\n    C,\n    b::{self, B},\n};\n")
    assert Modules(tmp_path).graph(()) == {"a": {"b"}, "b": set()}
    for named in ("fn of(a: &crate::A) {}\n", "use super::super::a;\n", "use crate::{a::{self, A}};\n"):
        (tmp_path / "b" / "c.rs").write_text(named)
        (tmp_path / "b" / "d.rs").write_text("use super::c::C;\n")
        assert Modules(tmp_path).graph(()) == {"a": {"b"}, "b": {"a"}}
        assert Modules(tmp_path).graph(("b",)) == {"c": set(), "d": {"c"}}
        with pytest.raises(CycleError):
            TopologicalSorter(Modules(tmp_path).graph(())).prepare()
