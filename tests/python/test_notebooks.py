"""Notebooks are kept without outputs: what somebody saw stays with them. `make test-notebooks` runs them."""

import ast
import json
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))


def test_they_were_found() -> None:
    assert [path.name[:2] for path in NOTEBOOKS] == sorted({path.name[:2] for path in NOTEBOOKS})
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_outputs_are_stripped(path: Path) -> None:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert notebook["cells"][0]["cell_type"] == "markdown"
    for cell in notebook["cells"]:
        assert not cell.get("attachments")
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            assert cell["execution_count"] is None
            ast.parse("".join(cell["source"]))
    assert "widgets" not in notebook["metadata"]
