"""Numbers from a store, and inserts that are tried again: the lines of docs/numbers.md, as a program."""

import os
import sqlite3
import tempfile

import saiban

folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)

orders = saiban.SharedCounter("sqlite:ids.db", name="orders")
print(orders.generate(), list(orders.generate_many(3)))  # 1 [2, 3, 4]: each once, for any caller

masters = [saiban.SharedCounter(f"sqlite:master{start}.db", start=start, step=3) for start in (1, 2, 3)]
print([list(master.generate_many(3)) for master in masters])  # [[1, 4, 7], [2, 5, 8], [3, 6, 9]]

invoices = saiban.DailyCounter(
    "sqlite:ids.db", name="invoices", zone="Europe/Berlin", format="INV-{date:%Y%m%d}-{n:04}"
)
number = invoices.generate()
print(number, number.date, number.number)  # INV-20261121-0001 2026-11-21 1

table = sqlite3.connect("events.db", isolation_level=None)
table.execute("CREATE TABLE events (topic TEXT, row_key TEXT, what TEXT, PRIMARY KEY (topic, row_key))")

ids = saiban.TickId("descending")  # the newest row first; equal ones are the table's to refuse


def add(topic: str, what: str) -> str:
    def insert(key: str) -> str:
        table.execute("INSERT INTO events VALUES (?, ?, ?)", [topic, key, what])
        return key

    return saiban.insert_unique(ids.generate, insert, attempts=5)


first, second = add("orders", "placed"), add("orders", "paid")
(newest,) = table.execute("SELECT what FROM events WHERE topic = 'orders' ORDER BY row_key LIMIT 1").fetchone()
print(newest, second < first)  # paid True
