"""The generators of a Django project, by name, as the setting SAIBAN describes them.

    SAIBAN = {
        "default": {"scheme": "randflake", "node_env": "SAIBAN_NODE", "secret_file": "/run/secrets/saiban"},
        "orders": {"scheme": "snowflake", "node": 7, "layout": "discord"},
        "events": {"scheme": "ulid-flake", "scalability_env": "SAIBAN_NODE", "entropy_size": 2},
    }

Fields and migrations know only the name. Every entry has a `scheme`: snowflake, randflake, ulid-flake, ulid, uuid-v7
or objectid. The last three need no entry: where there is none of their name, their fields take what
`{"scheme": "ulid"}` makes. What else an entry may have:

- `node` or `nodes` (a pair: first, end): whose IDs these are; for Ulid-Flake `scalability`, which may be left out.
  `node_env`, `nodes_env` ("0:64") and `scalability_env` name an environment variable that holds it.
- Randflake's secret: `secret_file` (a path; 32 hexadecimal digits and perhaps a line's end) or
  `secret_env` (a variable with 32 hexadecimal digits). `secret` itself, 16 bytes, is for tests.
- Snowflake's `layout`: a preset's name or a layout's text (see saiban.Layout.from_text), {"fields": [["unused", 1],
  …], "epoch_ms": …, "tick_us": …}, or a saiban.Layout, such as saiban.Layout.TWITTER.with_rollback_bits(2).
- Ulid-Flake's `entropy_size`, `epoch_ms` and `allow_collisions`.
- `window` (a pair), `not_before`, `rollback` ("hold", "error" or "bits"), `max_jump_s`, `max_wait_ms`, and for nodes
  `shards`: as the generators take them.
- `state`, the path of a state file, or `state_env`, a variable that holds it, of the first three. Each process needs
  one of its own, as it needs a node of its own.

A generator is made when it is first needed, one for each process and name; that is when a state file is opened, and
Django's checks leave it alone. Its first ID waits until the tick in which it was made is over: up to a second for
Randflake. A process that was made by fork makes its own anew, and is refused the nodes that its parent has already
used. Processes that know nothing of each other and issue IDs for the *same node at the same time* repeat each other:
give each one a node of its own, say by a `node_env` that differs.
"""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.signals import setting_changed

import saiban

DEFAULT = "default"


class MissingError(ImproperlyConfigured):
    """What a setting names is not there: an environment variable, the file with the secret, the state file's folder."""


_generators: dict[str, saiban.Generator[Any]] = {}
_lock = threading.Lock()
#: Of generators that are only looked at.
_STOPPED = saiban.ManualClock(0)


def get_generator(name: str = DEFAULT) -> saiban.Generator[Any]:
    """The process's generator of this name; the same one each time.

    Raises ImproperlyConfigured, naming the setting.
    """
    try:
        return _generators[name]
    except KeyError:
        with _lock:
            if name not in _generators:
                _generators[name] = make_generator(name)
            return _generators[name]


def reset_generators() -> None:
    """Forgets every generator, so that the settings are read again. For tests and for processes made by fork."""
    global _lock
    # In a child made by fork another thread of the parent may have held the lock: nobody is left to let go of it.
    _lock = threading.Lock()
    _generators.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=reset_generators)


def _forget_when_changed(*, setting: str, **_: object) -> None:
    if setting == "SAIBAN":
        reset_generators()


setting_changed.connect(_forget_when_changed)


def entry(name: str) -> Mapping[str, Any]:
    """The setting SAIBAN[name]; a scheme without nodes needs none.

    Raises ImproperlyConfigured when there is none, or it is no dictionary with a known scheme.
    """
    entries = getattr(settings, "SAIBAN", None)
    if name in _WITHOUT_SETTING and (entries is None or (isinstance(entries, Mapping) and name not in entries)):
        return {"scheme": name}
    if not isinstance(entries, Mapping):
        raise ImproperlyConfigured('The setting SAIBAN must be a dictionary: SAIBAN = {"default": {"scheme": …}}.')
    if name not in entries:
        known = ", ".join(sorted(map(repr, entries))) or "none"
        raise ImproperlyConfigured(f"SAIBAN[{name!r}] is not set; there is: {known}.")
    found = entries[name]
    if not isinstance(found, Mapping):
        raise ImproperlyConfigured(f"SAIBAN[{name!r}] must be a dictionary.")
    scheme = found.get("scheme")
    if not isinstance(scheme, str) or scheme not in _SCHEMES:
        known = ", ".join(map(repr, _SCHEMES))
        raise ImproperlyConfigured(f"SAIBAN[{name!r}]['scheme'] is {scheme!r}; give one of {known}.")
    unknown = sorted(map(str, found.keys() - _COMMON - _SCHEMES[scheme][2]))
    if unknown:
        raise ImproperlyConfigured(f"SAIBAN[{name!r}] has keys that {scheme} does not: {', '.join(unknown)}.")
    return found


def make_generator(name: str) -> saiban.Generator[Any]:
    """A new generator, as the setting SAIBAN[name] describes it. Use get_generator, which makes it once.

    Raises ImproperlyConfigured, naming the setting.
    """
    return _make(name, lambda arguments: arguments)


def check_generator(name: str) -> None:
    """Looks whether SAIBAN[name] describes a generator, without being in the way of one that is at work: neither its
    nodes nor its state file are taken.

    Raises ImproperlyConfigured, naming the setting.
    """
    _make(name, lambda arguments: {key: arguments[key] for key in arguments if key != "state"} | {"clock": _STOPPED})


def _make(name: str, change: Callable[[dict[str, Any]], dict[str, Any]]) -> saiban.Generator[Any]:
    found = entry(name)
    generator, describe, _ = _SCHEMES[found["scheme"]]
    try:
        return generator(**change(describe(name, found) | _common(name, found)))
    except (saiban.SaibanError, TypeError) as error:
        raise ImproperlyConfigured(f"SAIBAN[{name!r}]: {error}.") from error


def _variable(name: str, key: str, variable: str) -> str:
    try:
        return os.environ[variable]
    except KeyError:
        raise MissingError(
            f"SAIBAN[{name!r}][{key!r}] names the environment variable {variable}, which is not set."
        ) from None


def _once(name: str, found: Mapping[str, Any], *keys: str) -> str | None:
    """Which of these keys is there: one at the most."""
    given = [key for key in keys if key in found]
    if len(given) > 1:
        raise ImproperlyConfigured(f"SAIBAN[{name!r}] has both {given[0]!r} and {given[1]!r}: give one of them.")
    return given[0] if given else None


def _number(name: str, key: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ImproperlyConfigured(f"SAIBAN[{name!r}][{key!r}]: {text!r} is no integer.") from None


def _pair(name: str, key: str, value: object) -> tuple[Any, Any]:
    if isinstance(value, range) and value.step == 1:
        return value.start, value.stop
    if isinstance(value, list | tuple) and len(value) == 2:
        return value[0], value[1]
    raise ImproperlyConfigured(f"SAIBAN[{name!r}][{key!r}] must be a pair: (first, end).")


def _common(name: str, found: Mapping[str, Any]) -> dict[str, Any]:
    arguments = _given(found, _PLAIN) | _state(name, found)
    if "window" in found:
        arguments["window"] = _pair(name, "window", found["window"])
    return arguments


def _given(found: Mapping[str, Any], keys: Collection[str]) -> dict[str, Any]:
    return {key: found[key] for key in keys if key in found}


def _state(name: str, found: Mapping[str, Any]) -> dict[str, Any]:
    key = _once(name, found, "state", "state_env")
    if key is None or found[key] is None:
        return {}
    path = _variable(name, key, found[key]) if key == "state_env" else found[key]
    folder = Path(path).parent
    if not folder.is_dir():
        raise MissingError(f"SAIBAN[{name!r}][{key!r}] names a file in {folder}, which is no folder.")
    return {"state": path}


def _node(name: str, found: Mapping[str, Any]) -> dict[str, Any]:
    key = _once(name, found, "node", "nodes", "node_env", "nodes_env")
    arguments = _given(found, ("shards",))
    if key == "node":
        arguments["node"] = found[key]
    elif key == "nodes":
        arguments["nodes"] = range(*_pair(name, key, found[key]))
    elif key == "node_env":
        arguments["node"] = _number(name, key, _variable(name, key, found[key]))
    elif key == "nodes_env":
        first, _, end = _variable(name, key, found[key]).partition(":")
        arguments["nodes"] = range(_number(name, key, first), _number(name, key, end))
    return arguments


def _secret(name: str, found: Mapping[str, Any]) -> bytes:
    """The secret's bytes. No message repeats them."""
    key = _once(name, found, "secret", "secret_file", "secret_env")
    if key is None:
        raise ImproperlyConfigured(f"SAIBAN[{name!r}] needs 'secret_file' or 'secret_env': randflake has a secret.")
    if key == "secret":
        return found[key]
    if key == "secret_env":
        content = os.fsencode(_variable(name, key, found[key]))
    else:
        try:
            content = Path(found[key]).read_bytes()
        except OSError as error:
            raise MissingError(f"SAIBAN[{name!r}]['secret_file'] cannot be read: {error}.") from error
    try:
        return bytes.fromhex(content.decode("ascii").strip())
    except ValueError:
        raise ImproperlyConfigured(
            f"SAIBAN[{name!r}][{key!r}] holds no secret: it must be 32 hexadecimal digits (the command: saiban secret)."
        ) from None


def _layout(name: str, described: object) -> saiban.Layout:
    if isinstance(described, saiban.Layout):
        return described
    if isinstance(described, str):
        return saiban.Layout.from_text(described)
    if isinstance(described, Mapping) and described.keys() <= {"fields", "epoch_ms", "tick_us"}:
        rest = {key: described[key] for key in ("epoch_ms", "tick_us") if key in described}
        return saiban.Layout([tuple(field) for field in described.get("fields", ())], **rest)
    raise ImproperlyConfigured(
        f"SAIBAN[{name!r}]['layout'] must be a preset's name, a layout's text, or a dictionary with fields, epoch_ms "
        "and tick_us."
    )


def _snowflake(name: str, found: Mapping[str, Any]) -> dict[str, Any]:
    layout = {"layout": _layout(name, found["layout"])} if "layout" in found else {}
    return _node(name, found) | layout


def _randflake(name: str, found: Mapping[str, Any]) -> dict[str, Any]:
    return _node(name, found) | {"secret": _secret(name, found)}


def _ulid_flake(name: str, found: Mapping[str, Any]) -> dict[str, Any]:
    arguments = _given(found, ("entropy_size", "epoch_ms", "allow_collisions"))
    key = _once(name, found, "scalability", "scalability_env")
    if key == "scalability":
        arguments["scalability"] = found[key]
    elif key == "scalability_env":
        arguments["scalability"] = _number(name, key, _variable(name, key, found[key]))
    return arguments


def _nothing(name: str, found: Mapping[str, Any]) -> dict[str, Any]:
    return {}


#: What every generator takes as it stands.
_PLAIN = ("not_before", "rollback", "max_jump_s", "max_wait_ms")
_COMMON = {"scheme", "window", *_PLAIN}
_STATE = {"state", "state_env"}
_NODE = {"node", "nodes", "node_env", "nodes_env", "shards", *_STATE}
#: Each scheme's generator, the arguments that only it has, and the keys that tell them.
_SCHEMES: dict[
    str, tuple[Callable[..., saiban.Generator[Any]], Callable[[str, Mapping[str, Any]], dict[str, Any]], set[str]]
] = {
    "snowflake": (saiban.Snowflake, _snowflake, {*_NODE, "layout"}),
    "randflake": (saiban.Randflake, _randflake, {*_NODE, "secret", "secret_file", "secret_env"}),
    "ulid-flake": (
        saiban.UlidFlake,
        _ulid_flake,
        {"scalability", "scalability_env", "entropy_size", "epoch_ms", "allow_collisions", *_STATE},
    ),
    "ulid": (saiban.Ulid, _nothing, set()),
    "uuid-v7": (functools.partial(saiban.Uuid, 7), _nothing, set()),
    "objectid": (saiban.ObjectId, _nothing, set()),
}
#: Those of which every process makes its own without being told anything.
_WITHOUT_SETTING = {scheme for scheme, (_, _, keys) in _SCHEMES.items() if not keys}
