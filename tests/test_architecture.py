"""Arrows point one way: every module imports lower floors and its own package only."""

from __future__ import annotations

import ast
import graphlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "quill_ls"

FLOORS = {
    "errors": 0,
    "cancel": 0,
    "folders": 0,
    "text": 0,
    "settings": 1,
    "markup": 1,
    "store": 1,
    "parsing": 2,
    "retrieval": 3,
    "scoring": 3,
    "ranking": 4,
    "verification": 4,
    "engine": 5,
    "evaluation": 6,
    "lsp": 6,
    "app": 7,
    "cli": 8,
    "__main__": 9,
}
"""The floor of every package and top-level module; docs/architecture.md repeats it."""

ONLY_IN = {
    "sqlite3": ["quill_ls.store"],
    "sqlite_utils": ["quill_ls.store"],
    "markdown_it": ["quill_ls.markup"],
    "mdit_py_plugins": ["quill_ls.markup"],
    "opencc": ["quill_ls.text", "quill_ls.store.importers"],
    "py3langid": ["quill_ls.text"],
    "llama_cpp": ["quill_ls.scoring"],
    "huggingface_hub": ["quill_ls.scoring"],
    "torch": ["quill_ls.retrieval", "quill_ls.evaluation"],
    "sentence_transformers": ["quill_ls.retrieval", "quill_ls.evaluation"],
    "pygls": ["quill_ls.lsp"],
    "lsprotocol": ["quill_ls.lsp"],
    "click": ["quill_ls.cli"],
    "rich": ["quill_ls.cli"],
}
"""Where a library may be imported, for those that have one user."""

IMPORT_NAMES = {"llama-cpp-python": "llama_cpp", "markdown-it-py": "markdown_it"}
COME_WITH_OTHERS = {"torch", "transformers"}  # parts of what sentence-transformers is
NOT_YET_IMPORTED = {"pygls"}  # the language server comes next


def _name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def _imports(path: Path) -> set[str]:
    """Every module that a file names in an import, wherever in the file it stands."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import, in line {node.lineno}"
            assert node.module is not None
            for alias in node.names:
                submodule = f"{node.module}.{alias.name}"
                found.add(submodule if submodule in MODULES else node.module)
    return found


IMPORTS = {name: _imports(path) for name, path in MODULES.items()}


def _part(module: str) -> str:
    """``"quill_ls.store.records"`` belongs to ``"store"``; ``"quill_ls"`` itself to ``""``."""
    return module.split(".")[1] if "." in module else ""


def _is_or_is_in(module: str, package: str) -> bool:
    return module == package or module.startswith(package + ".")


def test_every_module_has_a_floor() -> None:
    assert {_part(name) for name in MODULES} - {""} <= FLOORS.keys()


@pytest.mark.parametrize("module", MODULES)
def test_no_import_climbs(module: str) -> None:
    own = _part(module)
    climbing = [
        target
        for target in IMPORTS[module]
        if _is_or_is_in(target, "quill_ls")
        and (part := _part(target))
        and part != own
        and (own == "" or FLOORS[part] >= FLOORS[own])
    ]
    assert not climbing, f"{module} is on floor {FLOORS.get(own)} and may not import {climbing}"


@pytest.mark.parametrize("module", MODULES)
def test_a_library_is_imported_where_it_belongs(module: str) -> None:
    astray = [
        target
        for target in IMPORTS[module]
        for library, places in ONLY_IN.items()
        if _is_or_is_in(target, library)
        and not any(_is_or_is_in(module, place) for place in places)
    ]
    assert not astray, f"{module} may not import {astray}"


def test_no_import_cycles() -> None:
    graph = {name: targets & MODULES.keys() for name, targets in IMPORTS.items()}
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_what_is_imported_is_declared_and_nothing_else() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = {re.match(r"[\w-]+", line)[0] for line in project["dependencies"]}
    declared = {IMPORT_NAMES.get(name, name.replace("-", "_")) for name in names}
    imported = {target.partition(".")[0] for targets in IMPORTS.values() for target in targets}
    third_party = imported - sys.stdlib_module_names - {"quill_ls"}
    assert third_party - COME_WITH_OTHERS == declared - NOT_YET_IMPORTED


def test_files_are_one_idea_long() -> None:
    long = {
        name: lines
        for name, path in MODULES.items()
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > 450
    }
    assert not long


def test_documentation_shows_the_floors() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \| (.+?) \|", page, flags=re.MULTILINE)
    documented = {
        name.strip(" `"): int(floor) for floor, names in rows for name in names.split(",")
    }
    assert documented == {name: floor for name, floor in FLOORS.items() if name != "__main__"}


def _loaded_after(code: str) -> set[str]:
    """Top-level names of all modules that a fresh interpreter has loaded after `code`."""
    code += "; import sys; print(*sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return {name.partition(".")[0] for name in run.stdout.split()}


HEAVY = {"torch", "sentence_transformers", "transformers", "llama_cpp", "opencc", "py3langid"}


def test_the_command_line_starts_light() -> None:
    loaded = _loaded_after("import quill_ls.cli")
    assert "click" in loaded  # the list is one
    assert not loaded & (HEAVY | {"numpy", "rich", "sqlite3", "sqlite_utils", "pygls"})


def test_help_pages_load_no_model_library() -> None:
    loaded = _loaded_after(
        "from quill_ls.cli import COMMANDS, cli; [cli.get_command(None, name) for name in COMMANDS]"
    )
    assert "quill_ls" in loaded
    assert not loaded & HEAVY
