"""Makes IDs for the other languages, and reads theirs: lines of language, scheme, ID and text,
separated by tabs.

    python exchange.py emit          one ID of each scheme
    python exchange.py read FILE     the parts of every ID in the file; number and text must agree

Each ID occurs twice: as a decimal number, and as text of its scheme. All languages share two
environment variables: SAIBAN_SECRET, Randflake's secret as 32 hexadecimal digits, and
SAIBAN_LAYOUT, the layout of "flake".
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
        "flake": saiban.Flake(saiban.Layout.from_text(os.environ["SAIBAN_LAYOUT"]), node=NODE),
        "uuid-v7": saiban.Uuid(7),
        "ulid": saiban.Ulid(),
        "objectid": saiban.ObjectId(),
    }


def emit() -> None:
    for scheme, ids in generators().items():
        id = ids.generate()
        print(LANGUAGE, scheme, ids.to_text(id, "decimal"), ids.to_text(id), sep="\t")


def read(file: Path) -> None:
    ids = generators()
    for line in file.read_text().splitlines():
        language, scheme, number, text = line.split("\t")
        id = ids[scheme].from_text(text)
        found = ids[scheme].to_text(id, "decimal")
        if found != number:
            sys.exit(f"{language}'s {scheme} {text} is {found} here, but {number} there")
        parts = ids[scheme].inspect(id)
        fields = (parts.timestamp_ms, parts.node, parts.sequence, parts.random)
        print(LANGUAGE, language, scheme, number, *("-" if field is None else field for field in fields), sep="\t")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["emit"]:
            emit()
        case ["read", file]:
            read(Path(file))
        case _:
            sys.exit(__doc__)
