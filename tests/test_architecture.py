"""Dependencies point one way: the language knows nothing of playing, players know nothing of the engines."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

#: The engines and their parts, hidden behind `interpreter.game`.
HIDDEN = set("binding effects engine engines meanings native notation places reference run".split())
HIDDEN |= set("decisive sequence stages tracing words".split())
#: The bounds of the options of a rule file are a matter of binding; many games at once, of native code.
EXCEPTIONS = {("examine", "binding"), ("playouts", "native"), ("batch", "native")}
EXCEPTIONS |= {(part, "native") for part in ("search", "lead", "worths", "deepening", "retrograde")}


def modules(package: str) -> Iterator[tuple[str, ast.Module]]:
    """The modules of a package, each by the first part of its name below that, with its syntax tree."""
    for path in sorted((ROOT / package).rglob("*.py")):
        part = path.relative_to(ROOT / package).parts[0].removesuffix(".py")
        yield part, ast.parse(path.read_text(encoding="utf-8"))


def imports(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(name), names=names):
                yield from (f"{name}.{alias.name}" for alias in names)


def used(module: ast.Module) -> set[str]:
    """The parts of the interpreter that a module imports from."""
    return {name.split(".")[1] for name in imports(ast.walk(module)) if name.startswith("interpreter.")}


def test_the_language_knows_nothing_of_playing() -> None:
    for _, module in modules("gdl"):
        assert not [name for name in imports(ast.walk(module)) if name.split(".")[0] == "interpreter"]


USERS = [(part, module) for part, module in modules("interpreter") if part not in HIDDEN | {"game"}]


@pytest.mark.parametrize(("part", "module"), USERS, ids=[part for part, _ in USERS])
def test_what_plays_uses_the_public_face_only(part: str, module: ast.Module) -> None:
    assert {name for name in used(module) & HIDDEN if (part, name) not in EXCEPTIONS} == set()
    for node in ast.walk(module):
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__"):
            assert ast.unparse(node.value) == "self", ast.unparse(node)


def test_the_engines_know_nothing_of_who_plays() -> None:
    for part, module in modules("interpreter"):
        if part in HIDDEN:
            assert used(module) <= HIDDEN | {"errors", "game", "piece", "settings", "trace"}, part


def story() -> Iterator[tuple[str, list[str]]]:
    """The tables of the page: a package, and the names of its files and folders in the order of the page."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    for package, table in re.findall(r"^\*\*`(\S+)`(.*?)(?=^\*\*|^##)", page, re.MULTILINE | re.DOTALL):
        cells = "".join(re.findall(r"^\| (`.*?) \|", table, re.MULTILINE))
        yield package, re.findall(r"`(\w+)(?:\.py|/)`", cells)


def loaded(node: ast.AST) -> Iterator[ast.AST]:
    """What runs when a module is loaded: nothing in functions, nothing for type checking only."""
    for child in ast.iter_child_nodes(node):
        for_types = isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"
        if not for_types and not isinstance(child, ast.FunctionDef):
            yield child
            yield from loaded(child)


@pytest.mark.parametrize(("package", "order"), list(story()), ids=[package for package, _ in story()])
def test_every_file_builds_on_those_above_it_in_the_story(package: str, order: list[str]) -> None:
    inside = package.replace("/", ".") + "."
    for part, module in modules(package):
        if not part.startswith("__"):
            own = [name.removeprefix(inside) for name in imports(loaded(module)) if name.startswith(inside)]
            below = set(order[order.index(part) + 1 :])
            assert not [name for name in own if name.split(".")[0] in below], part


def test_where_the_story_is_told() -> None:
    packages = ["gdl", "interpreter", "interpreter/native", "interpreter/web"]
    assert [package for package, _ in story()] == packages


def test_no_word_of_a_game_in_the_code() -> None:
    """The bundled games are rule files and nothing else."""
    for package in ("gdl", "interpreter"):
        for path in (ROOT / package).rglob("*.py"):
            code = path.read_text(encoding="utf-8").lower()
            assert not [word for word in ("komi", "auction", "squared") if word in code], path
