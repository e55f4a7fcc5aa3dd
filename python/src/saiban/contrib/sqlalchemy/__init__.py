"""A column type for SQLAlchemy: IDs that are generated on INSERT, without a round trip.

    class Order(Base):
        __tablename__ = "orders"
        id: Mapped[int] = mapped_column(SaibanId("snowflake"), primary_key=True)

Each process leases its own node from the database of its engine, when it inserts the first row. The
type also works in a Table, with SQLModel (`sa_type`), with asyncio, and in migrations of Alembic,
which contain only the scheme's name.
"""

# Gives columns of the type their defaults.
from saiban.contrib.sqlalchemy import columns as _columns  # noqa: F401
from saiban.contrib.sqlalchemy.stores import engine_store, include_name
from saiban.contrib.sqlalchemy.types import SaibanId

__all__ = ["SaibanId", "engine_store", "include_name"]
