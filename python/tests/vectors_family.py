"""What saiban answers to the vectors of the other schemes, of layouts and of wide encodings."""

from __future__ import annotations

import math
from typing import Any
from uuid import UUID

import saiban
import vectors_integers
from vectors_integers import anyone, generated, integers, written

FILES = (
    *("flake", "flake-1", "flake-2", "ulid", "uuid", "objectid", "xid", "tick-id"),
    *("layout", "range", "encoding-wide"),
)

#: Schemes whose IDs are ints in Python; others are str or UUID.
NUMBERS = ("snowflake", "randflake", "ulid-flake", "tsid", "flake")


def make(
    subject: str, config: dict[str, Any], given: dict[str, Any], clock: saiban.ManualClock
) -> saiban.Generator[Any]:
    """Returns a generator with this config and these arguments; absent arguments are not passed."""
    if subject in vectors_integers.FILES:
        return anyone(subject, config)
    arguments: dict[str, Any] = {"clock": clock, **integers(given, "max_wait_ms", "node", "not_before")}
    for name in ("nodes", "window"):
        if name in given:
            first, end = map(int, given[name])
            arguments[name] = range(first, end) if name == "nodes" else (first, end)
    if "rollback" in given:
        arguments["rollback"] = given["rollback"]
    if subject == "flake":
        return saiban.Flake(saiban.Layout.from_text(given.get("layout", config.get("layout"))), **arguments)
    if subject == "uuid":
        return saiban.Uuid(int(given.get("version", config.get("version"))), **arguments)
    if subject == "tick-id":
        return saiban.TickId(given.get("order", config.get("order")), **arguments)
    return {"ulid": saiban.Ulid, "objectid": saiban.ObjectId, "xid": saiban.Xid}[subject](**arguments)


def reader(subject: str, config: dict[str, Any]) -> saiban.Generator[Any]:
    """Returns a generator for reading and composing IDs, whose own node does not matter."""
    has_node = subject == "flake" and any(
        place.kind == "node" for place in saiban.Layout.from_text(config["layout"]).places
    )
    return make(subject, config, {"node": "0"} if has_node else {}, saiban.ManualClock(0))


def given_id(subject: str, given: dict[str, Any]) -> Any:
    if subject in NUMBERS:
        return int(given["id"])
    return UUID(given["text"]) if subject == "uuid" else given["text"]


def number(ids: saiban.Generator[Any], id: Any) -> str:
    """Returns an ID as a number, signed if it has up to 64 bits."""
    parts = ids.inspect(id)
    return str(id) if isinstance(id, int) else str(int.from_bytes(parts.id_bytes))


def described(ids: saiban.Generator[Any], id: Any) -> dict[str, str]:
    return {"id": number(ids, id), "text": ids.to_text(id)}


def compose(ids: saiban.Generator[Any], given: dict[str, Any]) -> Any:
    arguments = {name: int(value) for name, value in given.items() if name != "node_parts"}
    if "node_parts" in given:
        arguments["node"] = {name: int(value) for name, value in given["node_parts"].items()}
    return ids.compose(**arguments)


def parts_of(parts: saiban.Parts[Any]) -> dict[str, Any]:
    found: dict[str, Any] = written(parts)
    if parts.node_parts:
        found["node_parts"] = {name: str(value) for name, value in parts.node_parts.items()}
    return found


def generate(subject: str, config: dict[str, Any], given: dict[str, Any], wanted: list[Any]) -> list[Any]:
    times = [int(time) for time in given["clock_ms"]]
    assert len(times) == len(wanted)
    clock = saiban.ManualClock(times[0])
    ids = make(subject, config, given, clock)
    last: saiban.Parts[Any] | None = None

    def answer(made: Any, index: int) -> Any:
        nonlocal last
        before, last = last, ids.inspect(made)
        return predictable(ids, last, before, wanted[index])

    return generated(ids, clock, times, answer)


def predictable(
    ids: saiban.Generator[Any], parts: saiban.Parts[Any], before: saiban.Parts[Any] | None, wanted: Any
) -> Any:
    """Returns the predictable parts of an ID; checks the step from the ID before."""
    if not isinstance(wanted, dict):
        return str(parts.id)
    found: dict[str, Any] = {
        name: str(getattr(parts, name)) for name in ("timestamp_ms", "node", "sequence") if name in wanted
    }
    if "ticks" in wanted:
        found["ticks"] = str(ticks(parts))
    if parts.scheme == "uuid-v1":
        assert parts.id.node >> 40 & 1
        assert before is None or (parts.node, parts.sequence) == (before.node, before.sequence)
    if parts.scheme in ("objectid", "xid"):
        assert before is None or parts.node == before.node
    if "new_tick" in wanted:
        found["new_tick"] = before is None or before.timestamp_ms != parts.timestamp_ms
        if before is not None and not found["new_tick"]:
            assert growth(ids, parts, before)
    return found


def ticks(parts: saiban.Parts[Any]) -> int:
    if parts.scheme == "uuid-v1":
        return parts.id.time
    digits = int(parts.text[:19])
    return digits if parts.layout == "ascending" else 2**63 - 1 - digits


def growth(ids: saiban.Generator[Any], parts: saiban.Parts[Any], before: saiban.Parts[Any]) -> bool:
    """Returns whether the part that counts within a tick has grown by a valid step."""
    if parts.scheme in ("objectid", "xid"):
        return parts.sequence == (before.sequence + 1) % 2**24
    if parts.scheme == "ulid":
        return parts.random == before.random + 1
    if parts.scheme == "uuid-v7":
        return 1 <= parts.random - before.random <= 2**32
    assert isinstance(ids, saiban.Flake)
    for place in ids.layout.places:
        if place.step is not None:
            return 1 <= parts.random - before.random <= place.step
        if place.kind == "sequence":
            return parts.sequence == before.sequence + 1
    return True


def layout_answers(layout: saiban.Layout) -> dict[str, Any]:
    found: dict[str, Any] = {
        "text": layout.to_text(),
        "json": layout.to_json(),
        "size_bits": layout.size_bits,
        "bits": layout.capacity.bits,
        "places": [
            {"kind": place.kind, "bits": place.bits, "shift": place.shift, "max": str(place.max)}
            | ({} if place.name is None else {"name": place.name})
            for place in layout.places
        ],
        "is_unique": layout.is_unique,
        "is_time_ordered": layout.is_time_ordered,
    }
    for name in ("epoch_ms", "tick_us", "first_ms", "last_ms", "lifetime_ms"):
        found[name] = str(getattr(layout, name))
    for name in ("ids_per_tick", "nodes", "ids"):
        found[name] = str(getattr(layout.capacity, name))
    return found if layout.name is None else found | {"name": layout.name}


def layout_answer(op: str, given: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    if op == "from_json":
        return {"text": saiban.Layout.from_json(given["json"]).to_text()}
    layout = saiban.Layout.from_text(given["text"])
    if op == "with_rollback_bits":
        return {"text": str(layout.with_rollback_bits(given["bits"]))}
    if op == "collision_odds":
        odds, expected = layout.collision_odds(float(given["ids_per_second"]), float(given["seconds"])), wanted["odds"]
        tolerance = 0 if expected in ("0", "1") else 1e-6
        return {"odds": expected if math.isclose(odds, float(expected), rel_tol=tolerance) else odds}
    assert op == "layout"
    assert saiban.Layout.from_json(layout.to_json()) == layout == saiban.Layout.from_text(layout.to_text())
    found = layout_answers(layout)
    for name, rate in layout.ids_per_second._asdict().items():
        is_near = name in wanted and math.isclose(rate, float(wanted[name]), rel_tol=1e-12)
        found[name] = wanted[name] if is_near else rate
    return found


def answer(subject: str, config: dict[str, Any], case: dict[str, Any]) -> dict[str, Any]:
    op, given, wanted = case["op"], case["in"], case.get("out", {})
    if subject == "layout":
        return layout_answer(op, given, wanted)
    if op == "encode_wide":
        form = {"width": given.get("width"), "bits": given["bits"]}
        return {"text": saiban.encode(int(given["value"]), given["encoding"], **form)}
    if op == "decode_wide":
        form = {"width": given.get("width"), "bits": given["bits"], "lenient": given.get("lenient", False)}
        return {"value": str(saiban.decode(given["text"], given["encoding"], **form))}
    if op == "new":
        return {"made": repr(make(subject, config, given, saiban.ManualClock(0)))}
    if op == "generate":
        return {"ids": generate(subject, config, given, wanted["ids"])}
    if op == "range":
        ids = reader(config["scheme"], config)
        first, last = ids.range(int(given["start_ms"]), int(given["end_ms"]))
        numbers = {"first": number(ids, first), "last": number(ids, last)}
        return numbers | {"first_text": ids.to_text(first), "last_text": ids.to_text(last)}
    ids = reader(subject, config)
    if op == "compose":
        return described(ids, compose(ids, given))
    if op == "round_trips":
        made = [compose(ids, parts) for parts in given["parts"]]
        for id, parts in zip(made, given["parts"], strict=True):
            assert parts_of(ids.inspect(id)).items() >= parts.items()
        return {"ids": [number(ids, id) for id in made]}
    if op == "limits":
        found = layout_answers(ids.layout)
        return {name: found[name] for name in ("text", "last_ms", "lifetime_ms", "ids_per_tick", "nodes", "ids")}
    if op == "inspect":
        parts = ids.inspect(given_id(subject, given))
        assert parts.id == given_id(subject, given)
        return parts_of(parts)
    if op == "to_text":
        return {"text": ids.to_text(given_id(subject, given), given.get("encoding"))}
    if op == "from_text":
        return described(ids, ids.from_text(given["text"], lenient=given.get("lenient", False)))
    return bytes_answer(ids, op, given)


def bytes_answer(ids: saiban.Generator[Any], op: str, given: dict[str, Any]) -> dict[str, Any]:
    if op == "to_guid_bytes":
        return {"bytes": saiban.uuid_to_guid_bytes(UUID(given["text"])).hex()}
    if op == "from_guid_bytes":
        return described(ids, saiban.uuid_from_guid_bytes(bytes.fromhex(given["bytes"])))
    is_uuid = isinstance(ids, saiban.Uuid)
    if op == "to_bytes":
        return {"bytes": (UUID(given["text"]).bytes if is_uuid else ids.to_bytes(given["text"])).hex()}
    assert op == "from_bytes"
    content = bytes.fromhex(given["bytes"])
    return described(ids, UUID(bytes=content) if is_uuid else ids.from_bytes(content))
