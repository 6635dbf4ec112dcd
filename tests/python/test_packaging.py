"""Every way to install says the same: pyproject.toml, the conda recipe, the Dockerfile and the page on installation."""

import re
import tomllib
from pathlib import Path

import pytest
import rattler_build

import notesieve as ns

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
CARGO = tomllib.loads((ROOT / "Cargo.toml").read_text("utf-8"))["workspace"]["package"]
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
INSTALL = (ROOT / "docs" / "install.md").read_text("utf-8")


@pytest.mark.parametrize("platform", ["linux-64", "linux-aarch64", "osx-arm64", "win-64"])
def test_the_conda_recipe_renders_and_agrees(platform: str) -> None:
    recipe = rattler_build.Stage0Recipe.from_file(ROOT / "conda" / "recipe.yaml")
    config = rattler_build.RenderConfig(platform=rattler_build.PlatformConfig(target_platform=platform))
    (variant,) = recipe.render(rattler_build.VariantConfig(), config)
    rendered = variant.recipe.to_dict()
    assert rendered["package"] == {"name": "notesieve", "version": ns.__version__}
    written = (ROOT / "conda" / "recipe.yaml").read_text("utf-8")
    run = set(re.findall(r"    - (.+)", written.partition("  run:\n")[2].partition("\n\n")[0]))
    assert run == {
        f"python {PROJECT['requires-python']}",
        *(each.replace(">=", " >=") for each in PROJECT["dependencies"]),
    }
    assert f"summary: {PROJECT['description']}" in written
    for file in PROJECT["license-files"]:
        assert f"- {file}\n" in written


def test_the_image_has_a_new_enough_compiler_and_no_rights() -> None:
    version = re.search(r"^FROM rust:([\d.]+)-", DOCKERFILE, re.MULTILINE)
    assert version
    assert tuple(map(int, version[1].split("."))) >= tuple(map(int, CARGO["rust-version"].split(".")))
    last = DOCKERFILE.rpartition("\nFROM ")[2]
    assert re.search(r"^USER [1-9]\d+$", last, re.MULTILINE)
    assert re.search(r'^ENTRYPOINT \["notesieve"\]$', last, re.MULTILINE)
    installed = re.search(r"whl\)\[([\w,]+)\]", DOCKERFILE)
    assert installed
    assert set(installed[1].split(",")) <= set(PROJECT["optional-dependencies"])


def test_what_the_image_is_built_from_is_tracked() -> None:
    patterns = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    assert "*" in patterns
    for pattern in patterns:
        if pattern.startswith("!"):
            assert list(ROOT.glob(pattern[1:])), pattern


def test_the_page_names_what_is_needed() -> None:
    assert f"cargo {CARGO['rust-version']} or newer" in INSTALL
    assert f"CPython {PROJECT['requires-python'].removeprefix('>=')} or newer" in INSTALL
    extras = re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.+?) \|", INSTALL, re.MULTILINE)))
    assert set(extras) == set(PROJECT["optional-dependencies"]) - {"bench"}
