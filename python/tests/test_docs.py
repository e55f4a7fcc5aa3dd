"""Everything public is documented, and the examples in the documentation run."""

from __future__ import annotations

import doctest
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
import saiban
from integrations import README
from saiban import _native, names

#: The types of names have comments in place of docstrings.
PUBLIC = [getattr(saiban, name) for name in saiban.__all__ if name not in names.__all__]


def documented() -> Iterator[tuple[str, Any]]:
    yield "saiban", saiban
    for value in PUBLIC:
        yield value.__name__, value
        if inspect.isclass(value) and not issubclass(value, Exception):
            for name, member in vars(value).items():
                if not name.startswith("_") and not isinstance(member, value):
                    yield f"{value.__name__}.{name}", getattr(value, name)


DOCUMENTED = dict(documented())
WITH_EXAMPLES = {name: value for name, value in DOCUMENTED.items() if ">>>" in (value.__doc__ or "")}


@pytest.mark.parametrize("name", DOCUMENTED)
def test_everything_public_has_a_docstring(name: str) -> None:
    assert (DOCUMENTED[name].__doc__ or "").strip()


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples_run(name: str) -> None:
    test = doctest.DocTestParser().get_doctest(WITH_EXAMPLES[name].__doc__, {}, name, None, None)
    output: list[str] = []
    result = doctest.DocTestRunner().run(test, out=output.append)
    assert result.attempted > 0
    assert result.failed == 0, "".join(output)


def test_the_types_of_names_have_the_names_of_the_core() -> None:
    described = Path(names.__file__).read_text()
    for name, values in _native.names().items():
        assert list(get_args(getattr(saiban, name))) == values
        assert re.search(rf"^#: .*\.\n{name}: ", described, re.M)
    assert names.__all__ == sorted(_native.names())


def test_every_class_has_an_example() -> None:
    short = "Snowflake Randflake UlidFlake Flake Ulid Uuid ObjectId TickId Tsid Xid".split()
    generators = {f"{name}Generator" for name in short}
    classes = generators | {"ManualClock", "Layout", "Parts", "Stats", "Lease", "LeaseStatus"}
    assert WITH_EXAMPLES.keys() >= classes | {"encode", "decode", "inspect"}


def test_the_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The README's program creates a file.
    monkeypatch.chdir(tmp_path)
    programs = re.findall(r"```python\n(import saiban\n.*?)```", README, re.S)
    assert len(programs) == 6
    for program in programs:
        exec(program, {})


def test_parameters_have_their_true_defaults() -> None:
    assert str(inspect.signature(saiban.decode)) == "(text, encoding, *, width=None, lenient=False, bits=64)"
    assert str(inspect.signature(saiban.Layout)) == "(fields, *, epoch_ms=0, tick_us=1000)"
    compose = "(self, /, *, timestamp_ms=None, time=None, submillisecond_ns=None, node, sequence, rollback=0)"
    assert str(inspect.signature(saiban.Snowflake.compose)) == compose
    looking = "(id, *, secret=None, old_secrets=(), scheme=None, layouts=(), epoch_ms=None, bits=None)"
    assert str(inspect.signature(saiban.inspect)) == str(inspect.signature(saiban.candidates)) == looking


def test_generators_take_the_same_options() -> None:
    common = "lease store namespace window not_before state rollback scope clock max_jump_s max_wait_ms prefix".split()
    nodes = ["node", "nodes", "shards"]
    ulid_flake = ["scalability", "entropy_size", "epoch_ms", "allow_collisions"]
    for scheme, own, positional in (
        (saiban.Snowflake, [*nodes, "layout"], []),
        (saiban.Randflake, [*nodes, "secret"], []),
        (saiban.UlidFlake, ulid_flake, []),
        (saiban.Flake, nodes, ["layout"]),
    ):
        assert_parameters(scheme, [*common, *own], positional)


def test_generators_without_nodes_take_neither_nodes_nor_a_state_file() -> None:
    common = ["window", "not_before", "rollback", "clock", "max_jump_s", "max_wait_ms", "prefix"]
    for scheme, positional in (
        (saiban.Ulid, []),
        (saiban.ObjectId, []),
        (saiban.Uuid, ["version"]),
        (saiban.TickId, ["order"]),
    ):
        assert_parameters(scheme, common, positional)


def assert_parameters(scheme: type, by_keyword: list[str], positional: list[str]) -> None:
    parameters = inspect.signature(scheme).parameters
    assert sorted(parameters) == sorted([*by_keyword, *positional])
    for name, parameter in parameters.items():
        assert (parameter.kind is inspect.Parameter.KEYWORD_ONLY) == (name in by_keyword)
