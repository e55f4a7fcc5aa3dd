"""The column type SaibanId."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import BigInteger, String, Uuid
from sqlalchemy.sql import operators
from sqlalchemy.types import TypeDecorator, TypeEngine

import saiban
from saiban.contrib.hidden import HiddenText
from saiban.contrib.schemes import SCHEMES, has_nodes
from saiban.contrib.stores import NAMESPACE, NAMESPACE_CHARACTERS
from saiban.contrib.texts import IdTexts

if TYPE_CHECKING:
    from sqlalchemy import Dialect

    from saiban.names import Encoding, Scheme

__all__ = ["SaibanId"]


#: The operators of LIKE, whose other operand is not an ID. SQLAlchemy does not pass the operator
#: of regexp_match.
_PATTERNS = {
    operators.like_op,
    operators.not_like_op,
    operators.ilike_op,
    operators.not_ilike_op,
    operators.startswith_op,
    operators.not_startswith_op,
    operators.istartswith_op,
    operators.not_istartswith_op,
    operators.endswith_op,
    operators.not_endswith_op,
    operators.iendswith_op,
    operators.not_iendswith_op,
    operators.contains_op,
    operators.not_contains_op,
    operators.icontains_op,
    operators.not_icontains_op,
}


class SaibanId(TypeDecorator[Any]):
    """A column of IDs: BIGINT for integers, VARCHAR for ULIDs, ObjectIds and XIDs, UUID for UUIDs, or
    CHAR(32) for UUIDs in a database without this type, such as MySQL and SQLite.

    saiban generates the IDs of a primary key that has neither a default nor a foreign key. Foreign
    keys take the type of the column that they refer to. For your own generator, or another layout
    or secret, give the column a default: `default=ids.generate`. In a composite key, give
    `generate=False` to the columns whose values come from elsewhere.

    scheme: the scheme's name, such as "snowflake". Columns read and compare IDs, and their text. A
    column of UUIDs reads every version, and generates the scheme's.
    text: IDs are text in Python: the scheme's canonical text, or with encoding the number in this
    encoding (see saiban.encode), or with prefix that prefix and the number. The column's type in
    the database does not change. Your own default must return text (`default=ids.generate_text`).
    generate: whether missing values are generated. By default, in primary keys without a foreign
    key.
    store: the URL of the store that leases nodes, in place of the engine's database (see
    engine_store). saiban creates the namespace in the engine's database, SQLite files and memory
    only.
    namespace: the namespace of leases, by default the scheme's name.

    Raises UnknownNameError for an unknown scheme or encoding; InvalidArgumentError for an invalid
    prefix or namespace, an encoding together with a prefix, an encoding or prefix for IDs that are
    text, and a store or namespace for IDs without nodes. In a statement, SQLAlchemy raises
    StatementError, whose `orig` is saiban's error: for an invalid ID one of Generator.from_text,
    and in an INSERT also one of Lease.acquire or Generator.generate.

    >>> from sqlalchemy import Column, MetaData, Table, create_engine
    >>> from saiban.contrib.sqlalchemy import SaibanId
    >>> orders = Table("orders", MetaData(), Column("id", SaibanId("snowflake"), primary_key=True))
    >>> engine = create_engine("sqlite://")
    >>> with engine.begin() as connection:
    ...     orders.create(connection)
    ...     id = connection.execute(orders.insert()).inserted_primary_key[0]
    >>> id > 2**53
    True
    """

    # Migrations and pickles name the package.
    __module__ = "saiban.contrib.sqlalchemy"
    impl: TypeEngine[Any] | type[TypeEngine[Any]] = BigInteger
    cache_ok: bool | None = True

    # The options are not keyword-only, because SQLAlchemy caches statements by the attributes that
    # have the names of positional arguments.
    def __init__(
        self,
        scheme: Scheme,
        text: bool = False,
        encoding: Encoding | None = None,
        prefix: str | None = None,
        generate: bool | None = None,
        store: str | None = None,
        namespace: str | None = None,
    ) -> None:
        super().__init__()
        self._texts = IdTexts(scheme, encoding=encoding, prefix=prefix)
        if self._texts.type is str and prefix is not None:
            raise saiban.InvalidArgumentError(f"prefix is {prefix!r}, but IDs of {scheme} are text: leave it out")
        if (store is not None or namespace is not None) and not has_nodes(scheme):
            raise saiban.InvalidArgumentError(f"IDs of {scheme} have no node to lease: give no store and no namespace")
        if namespace is not None and not NAMESPACE.fullmatch(namespace):
            raise saiban.InvalidArgumentError(f"namespace is {namespace!r}: give {NAMESPACE_CHARACTERS}")
        self.scheme, self.encoding = scheme, encoding
        self.prefix: str | None = prefix
        self.text: bool = text or encoding is not None or prefix is not None
        self.generate: bool | None = generate
        self.namespace: str | None = namespace
        self.store: HiddenText | None = None if store is None else HiddenText(store)
        if self._texts.type is not int:
            self.impl = Uuid() if self._texts.type is UUID else String(SCHEMES[scheme]["width"])

    def __repr__(self) -> str:
        # Alembic writes this into migrations, after the module of the class: only what the column
        # depends on, and no store.
        if type(self).__init__ is SaibanId.__init__:
            return f"{type(self).__qualname__}({self.scheme!r})"
        # A subclass with its own arguments.
        return TypeEngine.__repr__(self)

    @property
    def python_type(self) -> type[Any]:
        return str if self.text else self._texts.type

    def coerce_compared_value(self, op: Any, value: Any) -> Any:
        return String() if op in _PATTERNS and self._texts.type is str else self

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        return None if value is None else self._texts.read(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        return self._texts.write(value) if self.text and value is not None else value
