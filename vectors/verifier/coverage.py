"""What a file must hold, so that an easy set of cases can't pass for a full one."""

from __future__ import annotations

from collections.abc import Iterator

from . import schemes

LEAST = 200
NEEDED_OPS = {"compose", "inspect", "to_text", "from_text", "generate", "new"}
NEEDED_FLAGS = {
    "snowflake": {"edge", "random", "one-bit", "published"},
    "randflake": {"edge", "random", "one-bit", "published"},
    "ulid-flake": {"edge", "random", "one-bit", "published"},
    "encoding": {"edge", "random", "published"},
    "sparx": {"one-bit", "random", "published"},
}
SCHEME_ERRORS = {"TIMESTAMP_BEFORE_EPOCH", "TIMESTAMP_OVERFLOW", "TEXT_LENGTH", "TEXT_CHARACTER", "INVALID_WINDOW"}
NEEDED_ERRORS = {
    "snowflake": SCHEME_ERRORS
    | {"NODE_REQUIRED", "NODE_OUT_OF_RANGE", "SEQUENCE_OUT_OF_RANGE", "ID_OUT_OF_RANGE", "INVALID_LAYOUT"}
    | {"TEXT_OVERFLOW", "TEXT_NOT_CANONICAL"},
    "randflake": SCHEME_ERRORS
    | {"NODE_REQUIRED", "NODE_OUT_OF_RANGE", "SEQUENCE_OUT_OF_RANGE", "INVALID_SECRET"}
    | {"TEXT_OVERFLOW", "TEXT_NOT_CANONICAL"},
    "ulid-flake": SCHEME_ERRORS
    | {"NODE_OUT_OF_RANGE", "RANDOM_OUT_OF_RANGE", "ID_OUT_OF_RANGE", "INVALID_ENTROPY_SIZE"},
    "encoding": {"TEXT_LENGTH", "TEXT_CHARACTER", "TEXT_OVERFLOW", "TEXT_NOT_CANONICAL"}
    | {"WIDTH_OUT_OF_RANGE", "UNKNOWN_NAME"},
    "sparx": set(),
}
GENERATE_ERRORS = {"WOULD_WAIT", "LEASE_NOT_BEGUN", "LEASE_EXPIRED", "TIMESTAMP_BEFORE_EPOCH", "TIMESTAMP_OVERFLOW"}
ENCODINGS = "decimal hex binary crockford base32hex base36 base58 base62 base64url".split()


def missing(wanted: set[str], found: set[str]) -> str | None:
    return f"lacks {sorted(wanted - found)}" if wanted - found else None


def checks(document: dict) -> Iterator[tuple[str, str | None]]:
    """(what is asked, the problem or None) for the whole file."""
    subject, cases = document["subject"], document["cases"]
    yield f"has {LEAST} cases or more", None if len(cases) >= LEAST else f"has {len(cases)}"
    ids = [case["id"] for case in cases]
    yield "has unique case ids", None if len(set(ids)) == len(ids) else "an id stands twice"
    strays = [case["id"] for case in cases if case["id"].split("/")[:2] != [subject, case["op"]]]
    yield "has case ids of subject and operation", f"{strays[:3]}" if strays else None

    flags = {flag for case in cases for flag in case.get("flags", [])}
    yield "has the flags of its subject", missing(NEEDED_FLAGS[subject], flags)
    errors = {case["error"] for case in cases if "error" in case}
    yield "has the errors of its subject", missing(NEEDED_ERRORS[subject], errors)
    if subject == "encoding":
        yield from encoding_checks(cases)
    elif subject != "sparx":
        yield from scheme_checks(document)


def encoding_checks(cases: list[dict]) -> Iterator[tuple[str, str | None]]:
    for encoding in ENCODINGS:
        of_it = [case for case in cases if case["in"]["encoding"] == encoding]
        values = {case["in"]["value"] for case in of_it if case["op"] == "encode"}
        edges = {"0", "1", "-1", str(-(1 << 63)), str((1 << 63) - 1)}
        yield f"encodes {encoding}'s edges", missing(edges, values)
        positions = {case["position"] for case in of_it if "position" in case}
        yield f"has a bad character of {encoding} at several positions", None if len(positions) > 3 else f"{positions}"


def scheme_checks(document: dict) -> Iterator[tuple[str, str | None]]:
    subject, cases = document["subject"], document["cases"]
    yield "has every operation", missing(NEEDED_OPS, {case["op"] for case in cases})
    answers = [answer for case in cases if case["op"] == "generate" for answer in case["out"]["ids"]]
    refused = {answer["error"] for answer in answers if isinstance(answer, dict) and "error" in answer}
    # A tick can be used up in a few steps only where it holds a few IDs, as in one of Snowflake's layouts.
    used_up = {"CLOCK_BACKWARD"} if subject == "snowflake" else set()
    yield "generates into every error", missing(GENERATE_ERRORS | used_up, refused)
    for name, config in document["configs"].items():
        of_it = [case for case in cases if case["config"] == name]
        yield f"reaches the edges of {name}", edges(schemes.of(subject, config), of_it)
        yield f"changes every bit of an ID of {name}", one_bit(of_it)


def edges(scheme: schemes.Scheme, cases: list[dict]) -> str | None:
    """The flags say first and last timestamp, node and sequence (or random), and the parts are those."""
    layout = scheme.layout
    last_ms = layout.unix_ms(layout.highest("timestamp"))
    limits = {"timestamp": (layout.epoch_ms, last_ms), scheme.low_field: (0, layout.highest("sequence"))}
    if layout.widths["node"]:
        limits["node"] = (0, layout.highest("node"))
    wanted = {f"{end}-{part}" for part in limits for end in ("first", "last")}
    found = set()
    for case in cases:
        if case["op"] != "compose" or "out" not in case:
            continue
        given = {"node": case["in"].get("scalability"), **case["in"], "timestamp": case["in"]["timestamp_ms"]}
        for flag in case.get("flags", []):
            end, _, part = flag.partition("-")
            if flag in wanted:
                if int(given[part]) != limits[part][end == "last"]:
                    return f"{case['id']} is flagged {flag} and is not"
                found.add(flag)
    return missing(wanted, found)


def one_bit(cases: list[dict]) -> str | None:
    """The cases flagged one-bit inspect a base ID and each of its 64 one-bit changes."""
    mask = (1 << 64) - 1
    flagged = [case for case in cases if case["op"] == "inspect" and "one-bit" in case.get("flags", [])]
    ids = {int(case["in"]["id"]) & mask for case in flagged}
    complete = any(all(base ^ 1 << bit in ids for bit in range(64)) for base in ids)
    return None if complete else f"no base ID with its 64 neighbours among {len(ids)}"
