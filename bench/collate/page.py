"""Writes the tables into the page."""

from __future__ import annotations

BEGIN = "<!-- the table: make bench -->\n"
END = "<!-- the end of the table -->\n"


def between(page: str, tables: str) -> str:
    """Returns the page with these tables between its markers."""
    head, begin, rest = page.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise ValueError("the page has no marks for the tables")
    return f"{head}{begin}\n{tables.strip()}\n\n{end}{tail}"
