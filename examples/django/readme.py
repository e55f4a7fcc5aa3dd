"""The README's lines of Python, as a program."""

import os
import tempfile

import saiban

ids = saiban.Snowflake(node=7)  # no other machine or container uses 7
id = ids.generate()
print(id)  # 2125671060601860096
print(ids.to_text(id, "base62"))  # 2X1ax3hdPiS
print(ids.inspect(id).time)  # 2026-11-25 19:20:48.563000+00:00

folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)

ids = saiban.Snowflake(store="sqlite:ids.db")  # leases a node number
print(ids.inspect(ids.generate()).node)  # 418

invoices = saiban.DailyCounter("sqlite:ids.db", zone="Europe/Berlin", format="INV-{date:%Y%m%d}-{n:04}")
print(invoices.generate())  # INV-20261121-0001: once, whichever process asks
