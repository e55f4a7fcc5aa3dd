"""What saiban answers to the vectors of Snowflake, Randflake, Ulid-Flake, TSID and encodings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import saiban

FILES = ("snowflake", "randflake", "ulid-flake", "tsid", "encoding")
PARTS = ("timestamp_ms", "submillisecond_ns", "node", "sequence", "random", "rollback", "secret_index")


def integers(values: dict[str, Any], *names: str) -> dict[str, int]:
    return {name: int(values[name]) for name in names if name in values}


def layout(described: Any) -> saiban.Layout:
    if isinstance(described, str):
        return saiban.Layout.preset(described)
    fields = [tuple(field) for field in described["fields"]]
    return saiban.Layout(fields, **integers(described, "epoch_ms", "tick_us"))


def make(subject: str, config: dict[str, Any], given: dict[str, Any], clock: saiban.ManualClock) -> saiban.Generator:
    """Returns a generator with this config and these arguments; absent arguments are not passed."""
    config = config | {name: given[name] for name in ("layout", "secret", "entropy_size") if name in given}
    numbers = integers(given, "max_wait_ms", "node", "not_before", "scalability")
    arguments: dict[str, Any] = {"clock": clock, **numbers}
    if "nodes" in given:
        arguments["nodes"] = range(*map(int, given["nodes"]))
    if "window" in given:
        start, end = map(int, given["window"])
        arguments["window"] = (start, end)
    if "rollback" in given:
        arguments["rollback"] = given["rollback"]
    if subject in ("snowflake", "tsid"):
        make = {"snowflake": saiban.Snowflake, "tsid": saiban.Tsid}[subject]
        return make(layout=layout(config["layout"]), **arguments)
    if subject == "randflake":
        return saiban.Randflake(secret=bytes.fromhex(config["secret"]), **arguments)
    return saiban.UlidFlake(entropy_size=config["entropy_size"], epoch_ms=int(config["epoch_ms"]), **arguments)


def anyone(subject: str, config: dict[str, Any]) -> saiban.Generator:
    """Returns a generator for reading and composing IDs, whose own node does not matter."""
    given = {"scalability": "0"} if config.get("scalable") else {} if subject == "ulid-flake" else {"node": "0"}
    return make(subject, config, given, saiban.ManualClock(0))


def generated(
    ids: saiban.Generator[Any], clock: saiban.ManualClock, times: list[int], answer: Callable[[Any, int], Any]
) -> list[Any]:
    """Makes an ID at each time. Returns the answers for the IDs and their indexes, and the errors."""
    answers: list[Any] = []
    for index, time in enumerate(times):
        clock.set(time)
        try:
            made = ids.generate()
        except saiban.SaibanError as error:
            answers.append({"error": error.kind})
        else:
            answers.append(answer(made, index))
    return answers


def generate(subject: str, config: dict[str, Any], given: dict[str, Any]) -> list[Any]:
    times = [int(time) for time in given["clock_ms"]]
    clock = saiban.ManualClock(times[0])
    ids = make(subject, config, given, clock)
    last: saiban.Parts | None = None

    def answer(made: int, _index: int) -> Any:
        nonlocal last
        if subject != "ulid-flake":
            return str(made)
        before, last = last, ids.inspect(made)
        return predictable(last, before, 2 ** (8 * config["entropy_size"]))

    return generated(ids, clock, times, answer)


def predictable(parts: saiban.Parts, last: saiban.Parts | None, step_end: int) -> dict[str, Any]:
    """Returns the predictable parts of a Ulid-Flake ID."""
    new_tick = last is None or last.timestamp_ms != parts.timestamp_ms
    if last is not None and not new_tick:
        assert 1 <= parts.random - last.random < step_end
    node = {} if parts.node is None else {"node": str(parts.node)}
    return {"timestamp_ms": str(parts.timestamp_ms), **node, "new_tick": new_tick}


def written(parts: saiban.Parts) -> dict[str, str]:
    """Returns all parts that are present, in the format of the files."""
    found = {name: getattr(parts, name) for name in PARTS}
    return {name: str(value) for name, value in found.items() if value is not None}


def answer(subject: str, config: dict[str, Any], case: dict[str, Any]) -> dict[str, Any]:
    op, given = case["op"], case["in"]
    if op == "encode":
        return {"text": saiban.encode(int(given["value"]), given["encoding"], width=given.get("width"))}
    if op == "decode":
        lenient = given.get("lenient", False)
        value = saiban.decode(given["text"], given["encoding"], width=given.get("width"), lenient=lenient)
        return {"value": str(value)}
    if op == "new":
        return {"made": repr(make(subject, config, given, saiban.ManualClock(0)))}
    if op == "generate":
        return {"ids": generate(subject, config, given)}
    if op == "inspect_secrets":
        secret, *old_secrets = (bytes.fromhex(each) for each in (config["secret"], *given["old_secrets"]))
        found = saiban.inspect(int(given["id"]), secret=secret, old_secrets=old_secrets, scheme=subject)
        assert len(found) == 1 + len(old_secrets)
        return written(found[0])
    ids = anyone(subject, config)
    if op == "compose":
        made = ids.compose(**{name: int(value) for name, value in given.items()})
        return {"id": str(made), "text": ids.to_text(made)}
    if op == "inspect":
        parts = ids.inspect(int(given["id"]))
        assert (parts.scheme, parts.id) == (subject, int(given["id"]))
        return written(parts)
    if op == "to_text":
        return {"text": ids.to_text(int(given["id"]))}
    assert op == "from_text"
    return {"id": str(ids.from_text(given["text"], lenient=given.get("lenient", False)))}
