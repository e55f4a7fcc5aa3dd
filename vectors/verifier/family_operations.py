"""Runs a case of the newer schemes, of layouts, or of text for numbers of 16 to 128 bits."""

from __future__ import annotations

from fractions import Fraction

from . import family, odds, wide
from .errors import Refused
from .grammar import AnyLayout

SCHEMES = ("flake", "ulid", "uuid", "objectid", "tick-id", "xid", "range")
RATE_TOLERANCE = 1e-12
ODDS_TOLERANCE = 1e-6
TIME = ("timestamp_ms", "submillisecond_ns")


def integers(given: dict) -> dict:
    """Returns parts with their integers as int."""
    return {
        name: integers(value)
        if isinstance(value, dict)
        else [int(item) for item in value]
        if isinstance(value, list)
        else int(value)
        for name, value in given.items()
    }


def written(parts: dict) -> dict:
    return {name: written(value) if isinstance(value, dict) else str(value) for name, value in parts.items()}


def options(given: dict) -> dict:
    policy = {"rollback": given["rollback"]} if "rollback" in given else {}
    return (
        integers({name: value for name, value in given.items() if name not in ("rollback", "layout", "version")})
        | policy
    )


def new(subject: str, config: dict, given: dict) -> None:
    config = config | {name: given[name] for name in ("layout", "version") if name in given}
    family.of(subject, config).cursor(options(given))


def told(scheme: family.Family, value: int) -> dict:
    return {"id": str(value), "text": scheme.to_text(value)}


def known(scheme: family.Family, given: dict) -> int:
    """Returns the ID of an `in`, and checks that its text is the text of this ID."""
    value = int(given["id"])
    if isinstance(scheme, family.Flake):
        assert given["text"] == given["id"], given
    elif isinstance(scheme, (family.TickId, family.Xid)):
        assert given["text"] == scheme.to_text(value), given
    else:
        assert given["text"] == wide.encode(value, scheme.encoding, scheme.bits, scheme.fixed), given
    return value


def round_trips(scheme: family.Family, given: list[dict]) -> dict:
    ids = []
    for parts in map(integers, given):
        value = scheme.compose(parts)
        read = scheme.inspect(value)
        assert all(read[name] == part for name, part in parts.items()), (parts, read)
        ids.append(str(value))
    return {"ids": ids}


def run_scheme(document: dict, case: dict) -> dict | None:
    subject, op, given = document["subject"], case["op"], case["in"]
    config = document["configs"][case["config"]]
    if op == "new":
        new(subject, config, given)
        return None
    scheme = family.of(subject, config)
    match op:
        case "compose":
            return told(scheme, scheme.compose(integers(given)))
        case "inspect":
            return written(scheme.inspect(known(scheme, given)))
        case "to_text":
            return {"text": scheme.to_text(known(scheme, given), given.get("encoding"))}
        case "from_text":
            return told(scheme, scheme.from_text(given["text"], given.get("lenient", False)))
        case "to_bytes" | "to_guid_bytes":
            return {"bytes": getattr(scheme, op)(known(scheme, given)).hex()}
        case "from_bytes" | "from_guid_bytes":
            return told(scheme, getattr(scheme, op)(bytes.fromhex(given["bytes"])))
        case "round_trips":
            return round_trips(scheme, given["parts"])
        case "generate":
            return {"ids": list(scheme.generated(options(given)))}
        case "limits":
            answers = scheme.layout.answers()
            return {name: answers[name] for name in ("text", "last_ms", "lifetime_ms", "ids_per_tick", "nodes", "ids")}
        case "range":
            first, last = scheme.range(int(given["start_ms"]), int(given["end_ms"]))
            texts = {"first_text": scheme.to_text(first), "last_text": scheme.to_text(last)}
            return {"first": str(first), "last": str(last)} | texts
    raise AssertionError(op)


def run_layout(case: dict) -> dict:
    given = case["in"]
    match case["op"]:
        case "layout":
            return near(AnyLayout.of_text(given["text"]).answers(), case, ("per_node", "in_all"), RATE_TOLERANCE)
        case "from_json":
            return {"text": AnyLayout.of_json(given["json"]).text()}
        case "with_rollback_bits":
            return {"text": AnyLayout.of_text(given["text"]).with_rollback_bits(given["bits"]).text()}
        case "collision_odds":
            rate, seconds = float(given["ids_per_second"]), float(given["seconds"])
            layout = AnyLayout.of_text(given["text"])
            if rate < 0 or seconds < 0:
                raise Refused("INVALID_ARGUMENT")
            found = odds.odds(layout, rate, seconds)
            return near({"odds": Fraction(found)}, case, ("odds",), ODDS_TOLERANCE)
    raise AssertionError(case["op"])


def near(found: dict, case: dict, names: tuple[str, ...], tolerance: float) -> dict:
    """Replaces these numbers by the file's text if it is within the tolerance."""
    for name in names:
        exact, theirs = found[name], case.get("out", {}).get(name, "nan")
        try:
            number = Fraction(theirs)
        except ValueError:
            number = None
        is_near = number is not None and abs(number - exact) <= exact * Fraction(tolerance)
        found[name] = theirs if is_near else f"about {float(exact)!r}"
    return found


def run_encoding(case: dict) -> dict:
    given = case["in"]
    if case["op"] == "encode_wide":
        return {"text": wide.encode(int(given["value"]), given["encoding"], given["bits"], given.get("width"))}
    lenient = given.get("lenient", False)
    return {"value": str(wide.decode(given["text"], given["encoding"], given["bits"], given.get("width"), lenient))}


def broken_promise(document: dict, case: dict) -> str | None:
    """Returns a rule that the file's results break without regard to the verifier's, or None."""
    if case["op"] == "round_trips":
        return unordered(document, case)
    if case["op"] == "generate":
        exact = [answer for answer in case["out"]["ids"] if isinstance(answer, str)]
        ticks = [answer["ticks"] for answer in case["out"]["ids"] if isinstance(answer, dict) and "ticks" in answer]
        for answers in (exact, ticks):
            if len(set(answers)) != len(answers):
                return "an ID comes twice"
    return None


def unordered(document: dict, case: dict) -> str | None:
    """Returns a problem if IDs that differ only in time and counter are not in their order."""
    scheme = family.of("flake", document["configs"][case["config"]])
    layout = scheme.layout
    if not layout.is_time_ordered:
        return None
    words = [int(value) % (1 << max(scheme.bits, 64)) for value in case["out"]["ids"]]
    counter = "random" if layout.is_growing else "sequence"

    def others(parts: dict) -> dict:
        return {name: value for name, value in parts.items() if name not in (*TIME, counter)}

    given = case["in"]["parts"]
    alike = [
        (tuple(int(parts.get(name, 0)) for name in (*TIME, counter)), word)
        for parts, word in zip(given, words)
        if others(parts) == others(given[0])
    ]
    is_sorted = [word for _, word in sorted(alike)] == sorted(word for _, word in alike)
    return None if is_sorted else "IDs are not in the order of tick and counter"
