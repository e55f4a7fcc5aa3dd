"""The README's lines of Python, as a program."""

import os
import tempfile

import saiban

ids = saiban.Snowflake(node=7)  # node 7, which no other machine has
id = ids.generate()  # int
print(id, ids.generate_text("base62"), ids.inspect(id).time)

folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)

with saiban.Lease.acquire("sqlite:ids.db") as lease:  # a node that no other process of this machine has
    ids = saiban.Snowflake(lease=lease)
    print(ids.generate(), lease.nodes, lease.status().state)

invoices = saiban.DailyCounter("sqlite:ids.db", zone="Europe/Berlin", format="INV-{date:%Y%m%d}-{n:04}")
print(invoices.generate())  # INV-20261121-0001: once, whichever process asks
