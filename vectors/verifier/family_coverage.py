"""Checks that the newer files have all cases that they need, so that an incomplete set fails."""

from __future__ import annotations

from collections.abc import Iterator

from . import family, text, wide
from .grammar import KEYS, MAX_BITS, PRESETS, UNIT_US, AnyLayout

LAYOUTS = 1_000
TEXT_OPS = {"compose", "inspect", "to_text", "from_text", "generate", "new"}
BYTES_OPS = {"to_bytes", "from_bytes"}
NEEDED_OPS = {
    "flake": TEXT_OPS,
    "flake-1": {"limits", "round_trips", "inspect", "compose"},
    "flake-2": {"limits", "round_trips", "inspect", "compose"},
    "ulid": TEXT_OPS | BYTES_OPS,
    "uuid": TEXT_OPS | BYTES_OPS | {"to_guid_bytes", "from_guid_bytes"},
    "objectid": TEXT_OPS | BYTES_OPS,
    "tick-id": TEXT_OPS,
    "xid": TEXT_OPS | BYTES_OPS,
    "range": {"range"},
    "layout": {"layout", "from_json", "with_rollback_bits", "collision_odds"},
    "encoding-wide": {"encode_wide", "decode_wide"},
}
BEYOND = {"TIMESTAMP_BEFORE_EPOCH", "TIMESTAMP_OVERFLOW"}
TEXT_ERRORS = {"TEXT_LENGTH", "TEXT_CHARACTER", "TEXT_OVERFLOW"}
NEEDED_ERRORS = {
    "flake": BEYOND
    | TEXT_ERRORS
    | {"NODE_OUT_OF_RANGE", "SEQUENCE_OUT_OF_RANGE", "RANDOM_OUT_OF_RANGE", "ROLLBACK_OUT_OF_RANGE", "ID_OUT_OF_RANGE"}
    | {"INVALID_LAYOUT", "INVALID_ARGUMENT", "INVALID_WINDOW", "NODE_REQUIRED", "UNKNOWN_NAME", "TEXT_NOT_CANONICAL"},
    "flake-1": BEYOND | {"ID_OUT_OF_RANGE"},
    "flake-2": BEYOND | {"ID_OUT_OF_RANGE"},
    "ulid": BEYOND | TEXT_ERRORS | {"RANDOM_OUT_OF_RANGE", "INVALID_WINDOW", "INVALID_LAYOUT"},
    "uuid": BEYOND
    | {"TEXT_LENGTH", "TEXT_CHARACTER", "TEXT_NOT_CANONICAL", "ID_OUT_OF_RANGE", "RANDOM_OUT_OF_RANGE"}
    | {"SEQUENCE_OUT_OF_RANGE", "NODE_OUT_OF_RANGE", "INVALID_ARGUMENT", "INVALID_WINDOW"},
    # 24 hexadecimal digits cannot overflow.
    "objectid": BEYOND
    | {"TEXT_LENGTH", "TEXT_CHARACTER", "TEXT_NOT_CANONICAL"}
    | {"NODE_OUT_OF_RANGE", "SEQUENCE_OUT_OF_RANGE", "INVALID_WINDOW"},
    "xid": BEYOND
    | {"TEXT_LENGTH", "TEXT_CHARACTER", "TEXT_NOT_CANONICAL"}
    | {"NODE_OUT_OF_RANGE", "SEQUENCE_OUT_OF_RANGE", "INVALID_WINDOW"},
    "tick-id": BEYOND | TEXT_ERRORS | {"RANDOM_OUT_OF_RANGE", "INVALID_WINDOW"},
    "range": BEYOND | {"NOT_TIME_ORDERED", "INVALID_WINDOW"},
    "layout": {"INVALID_LAYOUT", "UNKNOWN_NAME", "INVALID_ARGUMENT"},
    "encoding-wide": TEXT_ERRORS
    | {"TEXT_NOT_CANONICAL", "WIDTH_OUT_OF_RANGE", "ID_OUT_OF_RANGE", "INVALID_ARGUMENT", "UNKNOWN_NAME"},
}
NEEDED_FLAGS = {
    "flake-1": {"random", "edge"},
    "flake-2": {"random", "edge"},
    "flake": {"random", "edge", "one-bit"},
    "range": {"random", "edge"},
    "layout": {"random", "edge"},
    "tick-id": {"random", "edge"},
}
USUAL_FLAGS = {"edge", "random", "published"}
RUN_ERRORS = {"LEASE_NOT_BEGUN", "LEASE_EXPIRED", "WOULD_WAIT", "CLOCK_BACKWARD"}
FIRST_AND_LAST = {
    "ulid": ("timestamp", "random"),
    "objectid": ("timestamp", "node", "sequence"),
    "xid": ("timestamp", "node", "sequence"),
    "tick-id": ("timestamp", "random"),
    "uuid": ("timestamp", "random", "node", "sequence"),
}


def missing(wanted: set, found: set) -> str | None:
    return f"lacks {sorted(wanted - found, key=str)}" if wanted - found else None


def checks(document: dict) -> Iterator[tuple[str, str | None]]:
    """Yields (what is checked, the problem or None) for the whole file."""
    subject, cases = document["subject"], document["cases"]
    name = cases[0]["id"].split("/")[0]
    ids = [case["id"] for case in cases]
    yield "has unique case ids", None if len(set(ids)) == len(ids) else "an id stands twice"
    strays = [case["id"] for case in cases if case["id"].split("/")[:2] != [name, case["op"]]]
    yield "has case ids of the file and operation", f"{strays[:3]}" if strays else None
    yield "is a file that is known", None if name in NEEDED_OPS and name.startswith(subject) else name
    yield "has every operation", missing(NEEDED_OPS.get(name, set()), {case["op"] for case in cases})
    yield (
        "has the errors of its subject",
        missing(NEEDED_ERRORS.get(name, set()), {case.get("error") for case in cases}),
    )
    flags = {flag for case in cases for flag in case.get("flags", [])}
    yield "has the flags of its subject", missing(NEEDED_FLAGS.get(name, USUAL_FLAGS), flags)
    if subject in FIRST_AND_LAST:
        ends = {f"{end}-{part}" for part in FIRST_AND_LAST[subject] for end in ("first", "last")}
        yield "composes first and last parts", missing(ends, flags)
    if "generate" in NEEDED_OPS.get(name, set()):
        answers = [answer for case in cases if case["op"] == "generate" for answer in case["out"]["ids"]]
        found = {answer.get("error") for answer in answers if isinstance(answer, dict)}
        yield "generates into every error", missing(RUN_ERRORS, found)
        policies = {case["in"].get("rollback") for case in cases if case["op"] == "generate"}
        yield (
            "generates under every policy",
            missing({None, "error"} | ({"bits"} if subject == "flake" else set()), policies),
        )
    if name in ("ulid", "uuid", "objectid", "xid", "flake"):
        yield from one_bit(document)
    if name in ("flake", "flake-1", "flake-2", "uuid", "tick-id"):
        below = {case["op"] for case in cases if "submillisecond_ns" in str(case["in"])}
        below |= {f"{case['op']} out" for case in cases if "submillisecond_ns" in case.get("out", {})}
        wanted = {"round_trips" if name.startswith("flake-") else "compose", "inspect out"}
        yield "has times below the millisecond", missing(wanted, below)
    if name in ("flake-1", "flake-2"):
        yield from by_chance(document)
    if name == "layout":
        yield from grammar(cases)
    if name == "encoding-wide":
        yield from encodings(cases)
    if name == "range":
        yield (
            "has every scheme",
            missing(set(family.SCHEMES), {config["scheme"] for config in document["configs"].values()}),
        )
        yield from intervals(document)


def one_bit(document: dict) -> Iterator[tuple[str, str | None]]:
    for name, config in document["configs"].items():
        flagged = [
            case
            for case in document["cases"]
            if case.get("config") == name and case["op"] == "inspect" and "one-bit" in case.get("flags", [])
        ]
        if not flagged and document["subject"] == "flake":
            continue
        bits = max(family.of(document["subject"], config).bits, 64)
        ids = {int(case["in"]["id"]) % (1 << bits) for case in flagged}
        complete = any(all(base ^ 1 << bit in ids for bit in range(bits)) for base in ids)
        yield f"changes every bit of an ID of {name}", None if complete else f"{len(ids)} IDs"


def by_chance(document: dict) -> Iterator[tuple[str, str | None]]:
    texts = {config["layout"] for config in document["configs"].values()}
    yield "has its half of the layouts", None if len(texts) == LAYOUTS // 2 else f"{len(texts)}"
    layouts = [AnyLayout.of_text(each) for each in texts]
    sizes = {layout.size for layout in layouts}
    yield "has nearly all widths", None if {16, 64, 65, 128} < sizes and len(sizes) > 80 else f"{sorted(sizes)}"
    kinds = {field.kind for layout in layouts for field in layout.fields}
    yield "has every kind of field", missing(set(MAX_BITS), kinds)
    units = {unit for unit, us in UNIT_US.items() for layout in layouts if layout.tick_us == us}
    yield "has every unit", missing(set(UNIT_US), units)
    some = {
        "named": any(layout.node_parts() for layout in layouts),
        "growing": any(layout.is_growing for layout in layouts),
        "fresh": any(layout.widths["random"] for layout in layouts),
        "start": any(layout.random_start for layout in layouts),
        "time below": any(not layout.is_time_ordered for layout in layouts),
        "time above": sum(layout.is_time_ordered for layout in layouts) > LAYOUTS // 4,
    }
    yield "has all sorts", missing(set(some), {name for name, there in some.items() if there})
    for op in ("limits", "round_trips"):
        shown = {case["config"] for case in document["cases"] if case["op"] == op}
        yield f"shows {op} of each", missing(set(document["configs"]), shown)
    yield "reaches the ends of each layout", reaches_ends(document)


def reaches_ends(document: dict) -> str | None:
    """Checks that the IDs of every layout include its smallest ID and its largest one."""
    for case in document["cases"]:
        if case["op"] != "round_trips":
            continue
        layout = AnyLayout.of_text(document["configs"][case["config"]]["layout"])
        words = {int(value) % (1 << max(layout.size, 64)) for value in case["out"]["ids"]}
        last = layout.highest("timestamp")
        rest = {part: layout.highest(part) for part in ("node", "counter", "random", "rollback")}
        if layout.joined() not in words or layout.joined(timestamp=last, **rest) not in words:
            return f"{case['id']} lacks an end"
    return None


def grammar(cases: list[dict]) -> Iterator[tuple[str, str | None]]:
    right = " ".join(case["in"]["text"] for case in cases if case["op"] == "layout" and "out" in case)
    wanted = {f"{kind}:" for kind in MAX_BITS if kind != "node"} | {f",{key}=" for key in KEYS.values()}
    wanted |= {f"{unit}" for unit in UNIT_US} | {"node.", "0x", "start=random"}
    yield "has all of the grammar", missing(wanted, {each for each in wanted if each in right})
    yield "has every preset", missing({*PRESETS, "bwmarrin"}, set(right.split(" ")))
    refused = sum("error" in case for case in cases if case["op"] == "layout")
    yield "refuses many texts", None if refused >= 80 else f"{refused}"
    odds = {case["out"]["odds"] for case in cases if case["op"] == "collision_odds" and "out" in case}
    few = sum(0 < float(value) < 1 for value in odds)
    yield "has odds of all sizes", None if {"0", "1"} <= odds and few >= 40 else f"{few}"


def encodings(cases: list[dict]) -> Iterator[tuple[str, str | None]]:
    for encoding in (*text.ALPHABETS, *wide.FORMS):
        of_it = [case for case in cases if case["in"]["encoding"] == encoding]
        edges = {(bits, value) for bits in (16, 128) for value in ("0", "1", str((1 << bits) - 1))}
        found = {(case["in"]["bits"], case["in"]["value"]) for case in of_it if "value" in case["in"]}
        yield f"encodes {encoding}'s edges", missing(edges, found)
        positions = {case["position"] for case in of_it if "position" in case}
        yield f"has a bad character of {encoding} at several positions", None if len(positions) > 2 else f"{positions}"


def intervals(document: dict) -> Iterator[tuple[str, str | None]]:
    for name, config in document["configs"].items():
        of_it = [case for case in document["cases"] if case["config"] == name]
        wanted = {"NOT_TIME_ORDERED"}
        if family.of("range", config).order_of_time:
            wanted = BEYOND | {"INVALID_WINDOW", None}
        yield f"meets every end of {name}", missing(wanted, {case.get("error") for case in of_it})
