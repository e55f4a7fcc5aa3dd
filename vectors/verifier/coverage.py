"""Checks that a file has all cases that it should have, so that an incomplete set fails."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from . import family_coverage, schemes
from .layout import Layout

LEAST = 200
NEEDED_OPS = {"compose", "inspect", "to_text", "from_text", "generate", "new"}
NEEDED_FLAGS = {
    "snowflake": {"edge", "random", "one-bit", "published", "first-rollback", "last-rollback"},
    "tsid": {"edge", "random", "one-bit", "published", "first-rollback", "last-rollback"},
    "randflake": {"edge", "random", "one-bit", "published"},
    "ulid-flake": {"edge", "random", "one-bit", "published"},
    "encoding": {"edge", "random", "published"},
    "sparx": {"one-bit", "random", "published"},
}
SCHEME_ERRORS = {"TIMESTAMP_BEFORE_EPOCH", "TIMESTAMP_OVERFLOW", "TEXT_LENGTH", "TEXT_CHARACTER", "INVALID_WINDOW"}
NEEDED_ERRORS = {
    "snowflake": SCHEME_ERRORS
    | {"NODE_REQUIRED", "NODE_OUT_OF_RANGE", "SEQUENCE_OUT_OF_RANGE", "ID_OUT_OF_RANGE", "INVALID_LAYOUT"}
    | {"TEXT_OVERFLOW", "TEXT_NOT_CANONICAL", "ROLLBACK_OUT_OF_RANGE"},
    # TSID text is read in any case, and every 64-bit number is an ID of the presets.
    "tsid": SCHEME_ERRORS
    | {"NODE_REQUIRED", "NODE_OUT_OF_RANGE", "SEQUENCE_OUT_OF_RANGE", "INVALID_LAYOUT"}
    | {"TEXT_OVERFLOW", "ROLLBACK_OUT_OF_RANGE"},
    "randflake": SCHEME_ERRORS
    | {"NODE_REQUIRED", "NODE_OUT_OF_RANGE", "SEQUENCE_OUT_OF_RANGE", "INVALID_SECRET"}
    | {"INVALID_LAYOUT", "INVALID_ARGUMENT"}
    | {"TEXT_OVERFLOW", "TEXT_NOT_CANONICAL"},
    "ulid-flake": SCHEME_ERRORS
    | {"NODE_OUT_OF_RANGE", "RANDOM_OUT_OF_RANGE", "ID_OUT_OF_RANGE", "INVALID_ENTROPY_SIZE", "INVALID_LAYOUT"},
    "encoding": {"TEXT_LENGTH", "TEXT_CHARACTER", "TEXT_OVERFLOW", "TEXT_NOT_CANONICAL"}
    | {"WIDTH_OUT_OF_RANGE", "UNKNOWN_NAME"},
    "sparx": set(),
}
GENERATE_ERRORS = {"WOULD_WAIT", "LEASE_NOT_BEGUN", "LEASE_EXPIRED", "TIMESTAMP_BEFORE_EPOCH", "TIMESTAMP_OVERFLOW"}
GENERATE_ERRORS |= {"CLOCK_BACKWARD"}
ENCODINGS = "decimal hex binary crockford base32hex base36 base58 base62 base64url".split()


def missing(wanted: set[str], found: set[str]) -> str | None:
    return f"lacks {sorted(wanted - found)}" if wanted - found else None


def checks(document: dict) -> Iterator[tuple[str, str | None]]:
    """Yields (what is checked, the problem or None) for the whole file."""
    subject, cases = document["subject"], document["cases"]
    yield f"has {LEAST} cases or more", None if len(cases) >= LEAST else f"has {len(cases)}"
    if subject not in NEEDED_FLAGS:
        yield from family_coverage.checks(document)
        return
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
    yield "generates into every error", missing(GENERATE_ERRORS, refused)
    yield "generates under every policy", missing(*policies(subject, cases))
    yield "begins after a time known to be used", known(cases)
    if subject == "randflake":
        yield "has an ID of each of several secrets", several_secrets(cases)
    for name, config in document["configs"].items():
        of_it = [case for case in cases if case["config"] == name]
        yield f"reaches the edges of {name}", edges(schemes.of(subject, config), of_it)
        yield f"changes every bit of an ID of {name}", one_bit(of_it)
        layout = schemes.of(subject, config).layout
        if layout.widths["rollback"]:
            yield f"counts more steps back than {name} has values for", used_up_values(layout, of_it)


def policies(subject: str, cases: list[dict]) -> tuple[set[str], set[str]]:
    """Returns (wanted, found): the policies of `generate` cases in which the clock goes back."""
    found = set()
    for case in cases:
        policy = case["in"].get("rollback")
        if case["op"] == "generate" and policy:
            clock_ms = [int(time) for time in case["in"]["clock_ms"]]
            if any(later < earlier for earlier, later in pairwise(clock_ms)):
                found.add(policy)
    return {"hold", "error"} | ({"bits"} if subject in ("snowflake", "tsid") else set()), found


def known(cases: list[dict]) -> str | None:
    """Checks that `not_before` delays an ID, does not delay one, and leaves no window."""
    of_it = [case for case in cases if "not_before" in case["in"]]
    answers = [case["out"]["ids"] for case in of_it if case["op"] == "generate"]
    begins_late = any("LEASE_NOT_BEGUN" in str(ids[0]) and "error" not in str(ids[-1]) for ids in answers)
    begins_at_once = any("error" not in str(ids[0]) for ids in answers)
    nothing = any(case.get("error") == "INVALID_WINDOW" for case in of_it)
    return None if begins_late and begins_at_once and nothing else f"{begins_late}, {begins_at_once}, {nothing}"


def several_secrets(cases: list[dict]) -> str | None:
    of_it = [case for case in cases if case["op"] == "inspect_secrets" and "out" in case]
    found = {(len(case["in"]["old_secrets"]), case["out"].get("secret_index")) for case in of_it}
    wanted = {(0, None), (7, "0"), (7, "7")} | {(old, str(place)) for old in (1, 2, 3) for place in range(old + 1)}
    return f"lacks {sorted(wanted - found, key=str)}" if wanted - found else None


def used_up_values(layout: Layout, cases: list[dict]) -> str | None:
    """Checks that a case uses every rollback value, and then generates with a clock behind."""
    values = set(range(layout.highest("rollback") + 1))
    for case in cases:
        if case["op"] != "generate" or case["in"].get("rollback", "bits") != "bits":
            continue
        seen: set[int] = set()
        for clock_ms, answer in zip(case["in"]["clock_ms"], case["out"]["ids"]):
            if isinstance(answer, str):
                fields = layout.split(int(answer))
                if seen == values and layout.unix_ms(fields["timestamp"]) > int(clock_ms):
                    return None
                seen.add(fields["rollback"])
            elif seen == values and answer == {"error": "CLOCK_BACKWARD"}:
                return None
    return "no case of all values and a clock that is behind"


def edges(scheme: schemes.Scheme, cases: list[dict]) -> str | None:
    """Checks that cases flagged as the first and last value of a part exist and have that value."""
    layout = scheme.layout
    last_ms = layout.unix_ms(layout.highest("timestamp"))
    limits = {"timestamp": (layout.epoch_ms, last_ms), scheme.low_field: (0, layout.highest("sequence"))}
    if layout.widths["node"]:
        limits["node"] = (0, layout.highest("node"))
    if layout.widths["rollback"]:
        limits["rollback"] = (0, layout.highest("rollback"))
    wanted = {f"{end}-{part}" for part in limits for end in ("first", "last")}
    found = set()
    for case in cases:
        if case["op"] != "compose" or "out" not in case:
            continue
        given = {"node": case["in"].get("scalability"), "rollback": 0, **case["in"]}
        given["timestamp"] = given["timestamp_ms"]
        for flag in case.get("flags", []):
            end, _, part = flag.partition("-")
            if flag in wanted:
                if int(given[part]) != limits[part][end == "last"]:
                    return f"{case['id']} is flagged {flag} and is not"
                found.add(flag)
    return missing(wanted, found)


def one_bit(cases: list[dict]) -> str | None:
    """Checks that the cases flagged one-bit inspect all 64 one-bit changes of a base ID."""
    mask = (1 << 64) - 1
    flagged = [case for case in cases if case["op"] == "inspect" and "one-bit" in case.get("flags", [])]
    ids = {int(case["in"]["id"]) & mask for case in flagged}
    complete = any(all(base ^ 1 << bit in ids for bit in range(64)) for base in ids)
    return None if complete else f"no base ID with its 64 neighbours among {len(ids)}"
