"""saiban.contrib.sqlalchemy in migrations of Alembic."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import alembic.command
import alembic.config
import pytest
import saiban
import sqlalchemy as sa
from databases import Databases, all_databases
from saiban.contrib.sqlalchemy import SaibanId
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column
from sqlalchemy_models import SECRET, Base, Customer, Order

# Fixtures of other files.
__all__ = ["all_databases"]

ENV = """
from alembic import context
from saiban.contrib.sqlalchemy import include_name
from sqlalchemy import create_engine
from test_sqlalchemy_migrations import metadata
with create_engine(context.config.get_main_option("sqlalchemy.url")).connect() as connection:
    context.configure(
        connection=connection, target_metadata=metadata, compare_type=True, include_name=include_name
    )
    with context.begin_transaction():
        context.run_migrations()
"""

#: The tables of saiban in a database that is a store.
TABLES = {"saiban_namespaces", "saiban_slots", "saiban_counters", "saiban_counter_days"}


class ShopId(SaibanId):
    """A type with the arguments of SaibanId."""

    cache_ok = True


class EventId(SaibanId):
    """A type with its own arguments."""

    cache_ok = True

    def __init__(self, prefix: str = "event") -> None:
        super().__init__("uuid-v7", prefix=prefix)


class Own(DeclarativeBase):
    pass


class Event(Own):
    __tablename__ = "events"
    id: Mapped[str] = mapped_column(EventId(), primary_key=True)
    shop: Mapped[str] = mapped_column(ShopId("tsid", text=True, generate=True))


#: The tables that migrations are for.
metadata = [Base.metadata, Own.metadata]


class Migrations:
    """A folder of migrations for the database of this engine."""

    def __init__(self, folder: Path, engine: sa.Engine) -> None:
        self._folder = folder / "migrations"
        self._config = alembic.config.Config()
        self._config.set_main_option("script_location", str(self._folder))
        self._config.set_main_option("path_separator", "os")
        url = engine.url.render_as_string(hide_password=False)
        self._config.set_main_option("sqlalchemy.url", url.replace("%", "%%"))
        self._config.config_file_name = str(folder / "alembic.ini")
        self.run(alembic.command.init, str(self._folder))
        (self._folder / "env.py").write_text(ENV)
        template = self._folder / "script.py.mako"
        imports = f"import sqlalchemy as sa\nimport saiban.contrib.sqlalchemy\nimport {__name__}\n"
        template.write_text(template.read_text().replace("import sqlalchemy as sa\n", imports))

    def run(self, command: Any, *arguments: Any, **options: Any) -> None:
        with Path(os.devnull).open("w") as self._config.stdout:
            command(self._config, *arguments, **options)

    def generate(self) -> str:
        """Returns the text of the first migration."""
        self.run(alembic.command.revision, "orders", autogenerate=True)
        (migration,) = (self._folder / "versions").glob("*.py")
        return migration.read_text()


def insert(engine: sa.Engine) -> None:
    with Session(engine) as session:
        session.add_all([Customer(orders=[Order()]), Event()])
        session.commit()


def test_alembic_writes_and_applies_a_migration_without_secrets(tmp_path: Path) -> None:
    engine = sa.create_engine(f"sqlite:///{tmp_path}/shop.db")
    migrations = Migrations(tmp_path, engine)
    text = migrations.generate()
    type_ = "saiban.contrib.sqlalchemy.SaibanId('snowflake')"
    assert f"sa.Column('id', {type_}, autoincrement=False, nullable=False)" in text
    assert f"sa.Column('customer_id', {type_}, nullable=True)" in text
    assert f"sa.Column('id', {__name__}.EventId(), autoincrement=False, nullable=False)" in text
    assert f"sa.Column('shop', {__name__}.ShopId('tsid'), nullable=False)" in text
    assert not any(secret in text for secret in ("://", "namespace", SECRET.hex(), "secret", "node"))
    migrations.run(alembic.command.upgrade, "head")
    migrations.run(alembic.command.check)  # a second migration would be empty
    insert(engine)


@pytest.mark.parametrize(("kind", "driver"), [("postgres", "postgresql+psycopg"), ("mysql", "mysql+pymysql")])
def test_alembic_keeps_the_tables_of_leases(all_databases: Databases, tmp_path: Path, kind: str, driver: str) -> None:
    store = all_databases.new(kind)
    engine = sa.create_engine(sa.make_url(store).set(drivername=driver))
    for each in metadata:
        each.create_all(engine)
    insert(engine)
    saiban.SharedCounter(store, create=True).generate()
    saiban.DailyCounter(store, name="daily", create=True).generate()
    assert {name for name in sa.inspect(engine).get_table_names() if name.startswith("saiban")} == TABLES
    text = Migrations(tmp_path, engine).generate()
    assert "saiban_" not in text
    engine.dispose()
