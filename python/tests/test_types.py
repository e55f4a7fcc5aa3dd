"""The type stubs match the module, and typed programs pass the type checker."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import saiban.names
from conftest import ROOT
from typed_integrations import integrations
from typed_sample import family, leased, named, sample

PYTHON = ROOT / "python"


#: What stubtest may find in the package.
ALLOWED = f"""
# mypy does not know the value of `__all__ += module.__all__`.
saiban\\.__all__
# The stub of a part of saiban._native.
saiban\\._schemes
# stubtest has no alias of several literals; test_docs checks these.
saiban\\.(names\\.)?({"|".join(saiban.names.__all__)})
# These modules have no stubs, and metaclasses of frameworks change their classes.
saiban\\.contrib\\..*
"""

#: The modules whose classes derive from those of frameworks without types, and what pyright reports
#: about such classes.
UNTYPED = re.compile(r"saiban\.contrib\.(django|graphene|rest_framework)\.")
OF_FRAMEWORKS = re.compile(
    r'Type of (base class|metaclass) |Return type is partially unknown\s+Return type is "_PrefixedField"'
    r'|Module "saiban\.contrib\.django\.fields" is partially'
    # The docstrings of these classes are in fields.py, not in fields.pyi.
    r'|No docstring found for class "saiban\.contrib\.django\.fields\.'
)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=PYTHON,
        env=os.environ | {"MYPYPATH": "tests"},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def test_the_package_is_marked_as_typed() -> None:
    assert files("saiban").joinpath("py.typed").is_file()
    assert files("saiban").joinpath("_native.pyi").is_file()


def test_stubs_agree_with_the_package(tmp_path: Path) -> None:
    allowed = tmp_path / "allowed"
    allowed.write_text(ALLOWED)
    done = run("-m", "mypy.stubtest", "saiban", f"--allowlist={allowed}", "--mypy-config-file=pyproject.toml")
    assert done.returncode == 0, done.stdout


def test_pyright_knows_the_type_of_everything_public(tmp_path: Path) -> None:
    programs = Path(sys.executable).parent
    done = subprocess.run(
        [programs / "basedpyright", "--verifytypes", "saiban", "--ignoreexternal", "--outputjson"],
        # It finds the package with the first Python of the path.
        env=os.environ | {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"},
        cwd=tmp_path,
        text=True,
        stdout=subprocess.PIPE,
    )
    symbols = json.loads(done.stdout)["typeCompleteness"]["symbols"]
    assert {"saiban.Snowflake", "saiban.Encoding", "saiban._native.Parts.as_dict"} <= {each["name"] for each in symbols}
    wrong = [
        (symbol["name"], problem["message"])
        for symbol in symbols
        if not symbol["isTypeKnown"] or symbol["isTypeAmbiguous"]
        for problem in symbol["diagnostics"]
        if not (UNTYPED.match(symbol["name"]) and OF_FRAMEWORKS.match(problem["message"]))
    ]
    assert wrong == []


def test_the_package_itself_checks_strictly() -> None:
    done = run("-m", "mypy")
    assert done.returncode == 0, done.stdout


def test_a_typed_program_checks_strictly() -> None:
    cache = str(PYTHON / ".mypy_cache")
    done = run("-m", "mypy", "--strict", "--config-file=", f"--cache-dir={cache}", "tests/typed_sample.py")
    assert done.returncode == 0, done.stdout


def test_the_typed_program_runs() -> None:
    assert len(sample()) == 9
    assert len(family()) == 5
    assert len(named()) == 4
    assert len(asyncio.run(leased())) == 8
    assert integrations()[:2] == [5, 6]


def test_wrong_types_are_found() -> None:
    wrong = {
        "saiban.Snowflake(node='7')": "arg-type",
        "saiban.Snowflake(7)": "call-arg|misc",
        "saiban.Xid(node=1)": "call-arg|misc",
        "saiban.Tsid(layout=256)": "arg-type",
        "saiban.Layout.preset('tsid-512')": "arg-type",
        "saiban.Lease.acquire('memory:x', scheme='tsid-256')": "arg-type",
        "saiban.encode(7, 'base33')": "arg-type",
        "saiban.Snowflake(node=7, rollback='jump')": "arg-type",
        "saiban.Snowflake(node=7, scope='thread')": "arg-type",
        "saiban.Snowflake(node=7, state=b'ids')": "arg-type",
        "saiban.UlidFlake(shards=4)": "call-arg|misc",
        "saiban.Generator().wait()": "attr-defined",
        "saiban.Ulid().to_text(5)": "arg-type|call-overload|misc",
        "saiban.Uuid(7).generate().upper()": "attr-defined",
        "saiban.TickId('down')": "arg-type",
        "saiban.Flake(64)": "arg-type",
        "saiban.ObjectId().to_text(uuid.uuid4())": "arg-type|call-overload|misc",
        "saiban.nonsense": "attr-defined",
        "encoding: saiban.Encoding = 'base33'": "assignment",
        "saiban.Ulid().inspect('').as_dict()['nodes']": "typeddict-item",
        "saiban.Ulid(node=1)": "call-arg|misc",
        "saiban.Ulid(prefix=1)": "arg-type",
        "saiban.Lease.acquire('memory:x', scheme='ulid')": "arg-type",
        "saiban.Lease.acquire(None)": "arg-type",
        "saiban.Snowflake(lease='memory:x')": "arg-type",
        "saiban.Ulid(lease=saiban.Lease.acquire('memory:x'))": "call-arg|misc",
        "saiban.Tsid(store=5)": "arg-type",
        "saiban.Ulid(store='memory:x')": "call-arg|misc",
        "saiban.Snowflake(store='memory:x').lease.nodes": "union-attr",
    }
    assert_found("import saiban, uuid", wrong)


def test_wrong_types_of_integrations_are_found() -> None:
    wrong = {
        "Order(id='5')": "arg-type",
        "Order(id=5).id.upper()": "attr-defined",
        "IdText('snowflakes')": "arg-type",
        "IdText('snowflake', encoding='base33')": "arg-type",
        "Event(5, ShortId(5))": "arg-type",
        "ShortId(5.0)": "arg-type",
        "SaibanId('snowflakes')": "arg-type",
        "SaibanId('snowflake', text='base62')": "arg-type",
        "Row().id.upper()": "attr-defined",
        "id_scalar('snowflakes', name='OrderId')": "arg-type",
        "class WrongId(IdScalar, scheme='snowflakes'): pass": "arg-type",
    }
    ours = (
        "graphene import IdScalar",
        "pydantic import IdText",
        "sqlalchemy import SaibanId",
        "strawberry import id_scalar",
    )
    imports = ["from typed_integrations import *", *(f"from saiban.contrib.{each}" for each in ours)]
    assert_found("; ".join(imports), wrong)


def assert_found(imports: str, wrong: dict[str, str]) -> None:
    """mypy finds these errors in these lines."""
    program = "\n".join([imports, *wrong])
    done = run("-m", "mypy", "--strict", "--config-file=", "--cache-dir=.mypy_cache", "-c", program)
    lines = done.stdout.splitlines()
    for number, codes in enumerate(wrong.values(), start=2):
        found = [line for line in lines if line.startswith(f"<string>:{number}:")]
        assert any(f"[{code}]" in line for line in found for code in codes.split("|")), done.stdout
