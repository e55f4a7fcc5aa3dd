"""A small JSON Schema 2020-12 checker for the keywords that the schemas use. Others are errors."""

from __future__ import annotations

import re
from collections.abc import Iterator

TYPES = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool}
NOTES = {"$schema", "$id", "$defs", "title", "description"}


class Schema:
    def __init__(self, root: dict) -> None:
        self.root = root

    def problems(self, value: object) -> Iterator[str]:
        """Yields every violation of the schema as "path: what"."""
        return self._problems(value, self.root, "$")

    def _fits(self, value: object, schema: dict | bool) -> bool:
        return next(self._problems(value, schema, ""), None) is None

    def _problems(self, value: object, schema: dict | bool, at: str) -> Iterator[str]:
        if schema is True:
            return
        if schema is False:
            yield f"{at}: not allowed here"
            return
        for keyword, wanted in schema.items():
            if keyword in NOTES or keyword in ("then", "else"):
                continue
            check = getattr(self, "_" + keyword.lstrip("$").lower(), None)
            if check is None:
                raise NotImplementedError(f"schema keyword {keyword}")
            yield from check(value, wanted, schema, at)

    def _ref(self, value, wanted, schema, at):
        target = self.root
        for step in wanted.removeprefix("#/").split("/"):
            target = target[step]
        yield from self._problems(value, target, at)

    def _type(self, value, wanted, schema, at):
        right = isinstance(value, TYPES[wanted]) and not (wanted == "integer" and isinstance(value, bool))
        if not right:
            yield f"{at}: is no {wanted}"

    def _const(self, value, wanted, schema, at):
        if value != wanted or type(value) is not type(wanted):
            yield f"{at}: is not {wanted!r}"

    def _enum(self, value, wanted, schema, at):
        if value not in wanted:
            yield f"{at}: {value!r} is none of {wanted}"

    def _pattern(self, value, wanted, schema, at):
        if isinstance(value, str) and not re.search(wanted, value):
            yield f"{at}: {value!r} does not match {wanted}"

    def _maxlength(self, value, wanted, schema, at):
        if isinstance(value, str) and len(value) > wanted:
            yield f"{at}: is longer than {wanted}"

    def _minimum(self, value, wanted, schema, at):
        if isinstance(value, int) and value < wanted:
            yield f"{at}: is less than {wanted}"

    def _maximum(self, value, wanted, schema, at):
        if isinstance(value, int) and value > wanted:
            yield f"{at}: is more than {wanted}"

    def _minitems(self, value, wanted, schema, at):
        if isinstance(value, list) and len(value) < wanted:
            yield f"{at}: has fewer than {wanted} items"

    def _maxitems(self, value, wanted, schema, at):
        if isinstance(value, list) and len(value) > wanted:
            yield f"{at}: has more than {wanted} items"

    def _items(self, value, wanted, schema, at):
        if isinstance(value, list):
            for index, item in enumerate(value):
                yield from self._problems(item, wanted, f"{at}[{index}]")

    def _prefixitems(self, value, wanted, schema, at):
        if isinstance(value, list):
            for index, (item, inner) in enumerate(zip(value, wanted)):
                yield from self._problems(item, inner, f"{at}[{index}]")

    def _required(self, value, wanted, schema, at):
        if isinstance(value, dict):
            for name in wanted:
                if name not in value:
                    yield f"{at}: has no {name}"

    def _properties(self, value, wanted, schema, at):
        if isinstance(value, dict):
            for name, inner in wanted.items():
                if name in value:
                    yield from self._problems(value[name], inner, f"{at}.{name}")

    def _additionalproperties(self, value, wanted, schema, at):
        if isinstance(value, dict):
            for name in value:
                if name not in schema.get("properties", {}):
                    yield from self._problems(value[name], wanted, f"{at}.{name}")

    def _allof(self, value, wanted, schema, at):
        for inner in wanted:
            yield from self._problems(value, inner, at)

    def _anyof(self, value, wanted, schema, at):
        if not any(self._fits(value, inner) for inner in wanted):
            yield f"{at}: is none of the forms allowed"

    def _oneof(self, value, wanted, schema, at):
        fitting = sum(self._fits(value, inner) for inner in wanted)
        if fitting != 1:
            yield f"{at}: has {fitting} of the forms of which it must have one"

    def _if(self, value, wanted, schema, at):
        branch = schema.get("then" if self._fits(value, wanted) else "else", True)
        yield from self._problems(value, branch, at)
