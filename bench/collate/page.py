"""The page that the tables are written into."""

from __future__ import annotations

BEGIN = "<!-- the table: make bench -->\n"
END = "<!-- the end of the table -->\n"


def between(page: str, tables: str) -> str:
    """The page with these tables between the marks."""
    head, begin, rest = page.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise ValueError("the page has no marks for the tables")
    return f"{head}{begin}\n{tables.strip()}\n\n{end}{tail}"
