"""The defaults of columns, which SQLAlchemy calls for missing values."""

from __future__ import annotations

import functools
from typing import Any

from sqlalchemy import Column, ColumnDefault, ForeignKey, PrimaryKeyConstraint, event
from sqlalchemy.engine.default import DefaultExecutionContext

import saiban
from saiban.contrib.sqlalchemy.generators import Request, generator_for
from saiban.contrib.sqlalchemy.types import SaibanId


class _Generate:
    """The default of a column: new IDs, from a generator for each engine."""

    def __init__(self, column: SaibanId) -> None:
        self.column = column
        self._request = Request(column.scheme, column.store, column.namespace or column.scheme)

    def __call__(self, context: DefaultExecutionContext) -> Any:
        if getattr(getattr(context.compiled, "statement", None), "select", None) is not None:
            # SQLAlchemy calls the default once, and gives its value to all rows.
            raise saiban.InvalidArgumentError("INSERT FROM SELECT would give all rows one ID: add IDs to the SELECT")
        id = generator_for(self._request, context).generate()
        return self.column.process_result_value(id, context.dialect)


@event.listens_for(SaibanId, "before_parent_attach")
def _joins_column(type_: SaibanId, column: object) -> None:
    if isinstance(column, Column):
        event.listen(column, "before_parent_attach", functools.partial(_joins_table, type_))


def _joins_table(type_: SaibanId, column: Column[Any], table: object) -> None:
    if type_.generate or (type_.generate is None and column.primary_key and not column.foreign_keys):
        _add_default(type_, column)
    if column.primary_key:
        _disable_autoincrement(column)


@event.listens_for(PrimaryKeyConstraint, "after_parent_attach")
def _becomes_key(key: PrimaryKeyConstraint, table: object) -> None:
    # A named or reflected key is attached after its columns.
    for column in key.columns:
        type_ = column.type
        if isinstance(type_, SaibanId):
            if type_.generate is None and not column.foreign_keys:
                _add_default(type_, column)
            _disable_autoincrement(column)


@event.listens_for(ForeignKey, "before_parent_attach")
def _refers(key: ForeignKey, column: Any) -> None:
    # A ForeignKeyConstraint attaches its foreign keys after the columns.
    generate = getattr(getattr(column, "default", None), "arg", None)
    if isinstance(generate, _Generate) and generate.column.generate is None:
        column.default = None


def _add_default(type_: SaibanId, column: Column[Any]) -> None:
    if column.default is None and column.server_default is None:
        column.default = ColumnDefault(_Generate(type_))


def _disable_autoincrement(column: Column[Any]) -> None:
    """Prevents SERIAL and AUTO_INCREMENT, with which the database would generate the IDs."""
    if column.autoincrement == "auto":
        column.autoincrement = False
