"""Runs a case with the independent implementation of the formats."""

from __future__ import annotations

from . import family_operations, promises, schemes, secrets, sparx, text
from .errors import Refused


def numbers(op: str, given: dict) -> dict:
    """Returns the `in` of a scheme's case with its integers as int; text stays text."""
    kept = {"text", "lenient", "secret", "old_secrets", "layout", "entropy_size"}
    if op != "compose":
        kept.add("rollback")  # the name of a policy
    return {
        name: value if name in kept else [int(item) for item in value] if isinstance(value, list) else int(value)
        for name, value in given.items()
    }


def written(parts: dict) -> dict:
    """Returns parts in the vectors' form: integers as text, booleans unchanged."""
    return {name: value if isinstance(value, bool) else str(value) for name, value in parts.items()}


def new(subject: str, config: dict, given: dict) -> None:
    config = dict(config)
    for name in ("secret", "entropy_size", "layout"):
        if name in given:
            config[name] = given[name]
    if subject == "ulid-flake" and "entropy_size" in config:
        config["scalable"] = given.get("scalability") is not None
    schemes.of(subject, config).generator(given)


def generate(scheme: schemes.Scheme, given: dict) -> list:
    generator = scheme.generator(given)
    answers = []
    for clock_ms in given["clock_ms"]:
        try:
            answer = generator.next(clock_ms)
            answers.append(written(answer) if isinstance(answer, dict) else str(answer))
        except Refused as refused:
            answers.append({"error": refused.kind})
    return answers


def broken_promise(document: dict, case: dict) -> str | None:
    """Returns a promise that the file's results of a `generate` case break, or None."""
    if case["op"] != "generate" or document["subject"] == "ulid-flake":
        return None
    scheme = schemes.of(document["subject"], document["configs"][case["config"]])
    return promises.broken(scheme, numbers("generate", case["in"]), case["out"]["ids"])


def run_scheme(document: dict, case: dict) -> dict | None:
    subject, op = document["subject"], case["op"]
    config, given = document["configs"][case["config"]], numbers(op, case["in"])
    if op == "new":
        new(subject, config, given)
        return None
    if op == "inspect_secrets":
        return written(secrets.inspect(given["id"], config["secret"], given["old_secrets"]))
    scheme = schemes.of(subject, config)
    match op:
        case "compose":
            value = scheme.compose(given)
            return {"id": str(value), "text": scheme.to_text(value)}
        case "inspect":
            return written(scheme.inspect(given["id"]))
        case "to_text":
            return {"text": scheme.to_text(given["id"])}
        case "from_text":
            return {"id": str(scheme.from_text(given["text"], given.get("lenient", False)))}
        case "generate":
            return {"ids": generate(scheme, given)}
    raise AssertionError(op)


def run_encoding(case: dict) -> dict:
    given = case["in"]
    if case["op"] == "encode":
        return {"text": text.encode(int(given["value"]), given["encoding"], given.get("width"))}
    lenient = given.get("lenient", False)
    return {"value": str(text.decode(given["text"], given["encoding"], given.get("width"), lenient))}


def run_sparx(case: dict) -> dict:
    key, plaintext = (bytes.fromhex(case["in"][name]) for name in ("key", "plaintext"))
    ciphertext = sparx.encrypt(key, plaintext)
    if sparx.decrypt(key, ciphertext) != plaintext:
        raise AssertionError("decryption is not the way back")
    return {"ciphertext": ciphertext.hex()}


def problem(document: dict, case: dict) -> str | None:
    """Returns None if the case has the verifier's result, else the difference."""
    wanted = {name: case[name] for name in ("out", "error", "position") if name in case}
    try:
        match document["subject"]:
            case "encoding":
                out = run_encoding(case)
            case "sparx":
                out = run_sparx(case)
            case "layout":
                out = family_operations.run_layout(case)
            case "encoding-wide":
                out = family_operations.run_encoding(case)
            case subject if subject in family_operations.SCHEMES:
                out = family_operations.run_scheme(document, case)
            case _:
                out = run_scheme(document, case)
        found = {"out": out}
    except Refused as refused:
        found = {"error": refused.kind}
        if refused.position is not None:
            found["position"] = refused.position
    if found != wanted:
        return f"the file says {wanted}, the verifier {found}, in {case['in']}"
    if document["subject"] in family_operations.SCHEMES:
        return family_operations.broken_promise(document, case)
    return broken_promise(document, case)
