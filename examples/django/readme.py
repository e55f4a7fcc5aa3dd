"""The README's lines of Python, as a program."""

import saiban

ids = saiban.Snowflake(node=7)  # node 7, which must be ours alone
id = ids.generate()  # int
print(id, ids.generate_text("base62"), ids.inspect(id).time)
