"""IDs for the other languages, and theirs read: lines of language, scheme, id and text, separated by tabs.

    python exchange.py emit          one ID of each scheme
    python exchange.py read FILE     the parts of every ID in the file, which it must agree with

The Randflake secret, 32 hexadecimal digits, is in the environment variable SAIBAN_SECRET.
"""

import os
import sys
from pathlib import Path

import saiban

LANGUAGE = "python"
NODE = 1


def generators() -> dict[str, saiban.Generator]:
    secret = bytes.fromhex(os.environ["SAIBAN_SECRET"])
    return {
        "snowflake": saiban.Snowflake(node=NODE),
        "randflake": saiban.Randflake(node=NODE, secret=secret),
        "ulid-flake": saiban.UlidFlake(),
        "ulid-flake-scalable": saiban.UlidFlake(scalability=NODE),
    }


def emit() -> None:
    for scheme, ids in generators().items():
        id = ids.generate()
        print(LANGUAGE, scheme, id, ids.to_text(id), sep="\t")


def read(file: Path) -> None:
    ids = generators()
    for line in file.read_text().splitlines():
        language, scheme, id, text = line.split("\t")
        found = ids[scheme].from_text(text)
        if found != int(id):
            sys.exit(f"{language}'s {scheme} {text} is {found} here, but {id} there")
        parts = ids[scheme].inspect(found)
        fields = (parts.timestamp_ms, parts.node, parts.sequence, parts.random)
        print(LANGUAGE, language, scheme, id, *("-" if field is None else field for field in fields), sep="\t")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["emit"]:
            emit()
        case ["read", file]:
            read(Path(file))
        case _:
            sys.exit(__doc__)
