"""Reads and checks the entries of the setting SAIBAN, which `generators` documents."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

import saiban
from saiban import _native
from saiban.contrib.hidden import Hidden, HiddenText
from saiban.contrib.schemes import SCHEMES

DEFAULT = "default"
#: The schemes that an entry may have. "uuid" is another name of "uuid-v7".
_NAMES = [name for name, row in SCHEMES.items() if row["made"] == name]


class MissingError(ImproperlyConfigured):
    """A setting names something that does not exist: an environment variable, the file with the
    secret, or the state file's folder.
    """


@functools.cache
def texts_of(scheme: str, prefix: str | None = None) -> _native.Texts:
    """Returns the object that reads and writes the texts of a scheme's IDs, with this prefix.

    Raises InvalidArgumentError for an invalid prefix.
    """
    return _native.Texts(scheme, prefix=prefix)


def resolve(name: str, scheme: str) -> str:
    """Returns the name of the generator for a field of this scheme: `name`, or the scheme's name
    for "default" if SAIBAN has no such entry.
    """
    return scheme if name == DEFAULT and DEFAULT not in _entries() else name


def hide_urls() -> None:
    """Hides the store URLs in the setting SAIBAN, which may contain passwords.

    Django's debug page and error mails show all settings except those with names like SECRET.
    """
    global _seen
    entries = getattr(settings, "SAIBAN", None)
    if entries is _seen or not isinstance(entries, Mapping):
        return
    for found in entries.values():
        if isinstance(found, dict):
            _hide(found, "lease")
            _hide(found, "store")
            if isinstance(found.get("lease"), dict):
                _hide(found["lease"], "url")
    _seen = entries


#: The setting at the last call of hide_urls, which runs for every ID.
_seen: object = None


def _hide(found: dict[Any, Any], key: str) -> None:
    if isinstance(found.get(key), str):
        found[key] = HiddenText(found[key])


def entry(name: str) -> Mapping[str, Any]:
    """Returns the setting SAIBAN[name], with its secret and its store's URL hidden. The name of a
    scheme needs no entry.

    Raises ImproperlyConfigured if there is no entry, or if it is not a dictionary with a known
    scheme.
    """
    found = _hidden(_entries().get(name, {"scheme": name} if name in _NAMES else None))
    if found is None and name not in _entries():
        known = ", ".join(sorted(map(repr, _entries()))) or "none"
        raise ImproperlyConfigured(f"SAIBAN[{name!r}] is not set; there is: {known}.")
    if found is None:
        raise ImproperlyConfigured(f"SAIBAN[{name!r}] must be a dictionary.")
    scheme = found.get("scheme")
    if not isinstance(scheme, str) or scheme not in _NAMES:
        known = ", ".join(map(repr, _NAMES))
        raise ImproperlyConfigured(f"SAIBAN[{name!r}]['scheme'] is {scheme!r}; give one of {known}.")
    keys = {key for option in SCHEMES[scheme]["options"] for key in _KEYS.get(option, (option,))}
    unknown = sorted(map(str, found.keys() - keys - {"scheme"}))
    if unknown:
        hint = " Give the store and its namespace in 'lease'." if _OF_LEASE.intersection(unknown) else ""
        raise ImproperlyConfigured(f"SAIBAN[{name!r}] has keys that {scheme} does not: {', '.join(unknown)}.{hint}")
    return found


def takes(found: Mapping[str, Any], option: str) -> bool:
    """Returns whether generators of an entry's scheme take an option."""
    return option in SCHEMES[found["scheme"]]["options"]


def generator_of(found: Mapping[str, Any]) -> Callable[..., saiban.Generator[Any]]:
    """Returns the callable that makes generators of an entry's scheme."""
    return SCHEMES[found["scheme"]]["generator"]


def arguments_of(name: str, found: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the arguments for an entry's generator, with the secret hidden, and without leased
    nodes.

    Raises ImproperlyConfigured, naming the setting.
    """
    arguments: dict[str, Any] = {}
    for option in SCHEMES[found["scheme"]]["options"]:
        if option in _READERS:
            arguments |= _READERS[option](name, found)
        elif option in found:
            arguments[option] = found[option]
    return arguments


def is_leased(name: str, found: Mapping[str, Any]) -> bool:
    """Returns whether the generator's nodes are leased: if its scheme takes a lease, and the entry
    neither gives nodes nor has `"lease": False`.

    Raises ImproperlyConfigured if the entry has both nodes and a lease.
    """
    if not takes(found, "lease") or found.get("lease") is False:
        return False
    own = [key for key in _OWN_NODES if key in found and (key != "allow_collisions" or found[key])]
    if own and "lease" in found:
        raise ImproperlyConfigured(f"SAIBAN[{name!r}] has both 'lease' and {own[0]!r}: give one of them.")
    return not own


def _hidden(found: object) -> Mapping[str, Any] | None:
    """Returns an entry with its secrets hidden, or `None` for an invalid one. The caller raises the
    error, since error reports show the variables of this function.
    """
    if not isinstance(found, Mapping):
        return None
    hidden = {key: Hidden(value) if key in ("secret", "store") else value for key, value in found.items()}
    lease = hidden.get("lease")
    if isinstance(lease, str):
        hidden["lease"] = Hidden(lease)
    elif isinstance(lease, Mapping):
        hidden["lease"] = {key: Hidden(value) if key == "url" else value for key, value in lease.items()}
    return hidden


def _entries() -> Mapping[str, Any]:
    hide_urls()
    entries = getattr(settings, "SAIBAN", None)
    if entries is None:
        return {}
    if isinstance(entries, Mapping):
        return entries
    del entries
    raise ImproperlyConfigured('The setting SAIBAN must be a dictionary: SAIBAN = {"default": {"scheme": …}}.')


def _variable(name: str, key: str, variable: str) -> str:
    try:
        return os.environ[variable]
    except KeyError:
        raise MissingError(
            f"SAIBAN[{name!r}][{key!r}] names the environment variable {variable}, which is not set."
        ) from None


def _once(name: str, found: Mapping[str, Any], *keys: str) -> str | None:
    """Returns which of these keys the entry has, if any. Two are an error."""
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


def _nothing(name: str, found: Mapping[str, Any]) -> dict[str, Any]:
    return {}


def _window(name: str, found: Mapping[str, Any]) -> dict[str, Any]:
    return {"window": _pair(name, "window", found["window"])} if "window" in found else {}


def _state(name: str, found: Mapping[str, Any]) -> dict[str, Any]:
    key = _once(name, found, "state", "state_env")
    if key is None or found[key] is None:
        return {}
    path = _variable(name, key, found[key]) if key == "state_env" else found[key]
    folder = Path(path).parent
    if not folder.is_dir():
        raise MissingError(f"SAIBAN[{name!r}][{key!r}] names a file in {folder}, which is no folder.")
    return {"state": path}


def _nodes(name: str, found: Mapping[str, Any]) -> dict[str, Any]:
    key = _once(name, found, "node", "nodes", "node_env", "nodes_env")
    if key == "nodes":
        return {"nodes": range(*_pair(name, key, found[key]))}
    if key == "nodes_env":
        first, _, end = _variable(name, key, found[key]).partition(":")
        return {"nodes": range(_number(name, key, first), _number(name, key, end))}
    return _numbered(name, found, "node")


def _scalability(name: str, found: Mapping[str, Any]) -> dict[str, Any]:
    _once(name, found, "scalability", "scalability_env")
    return _numbered(name, found, "scalability")


def _numbered(name: str, found: Mapping[str, Any], option: str) -> dict[str, Any]:
    """Returns a number, given directly or in an environment variable."""
    variable = f"{option}_env"
    if variable in found:
        return {option: _number(name, variable, _variable(name, variable, found[variable]))}
    return {option: found[option]} if option in found else {}


def _secret(name: str, found: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the secret's bytes, hidden. No message contains them."""
    key = _once(name, found, "secret", "secret_file", "secret_env")
    if key is None:
        raise ImproperlyConfigured(
            f"SAIBAN[{name!r}] needs 'secret_file' or 'secret_env': {found['scheme']} has a secret."
        )
    if key == "secret":
        return {"secret": found[key]}
    if key == "secret_env":
        content = Hidden(os.fsencode(_variable(name, key, found[key])))
    else:
        try:
            content = Hidden(Path(found[key]).read_bytes())
        except OSError as error:
            raise MissingError(f"SAIBAN[{name!r}]['secret_file'] cannot be read: {error}.") from error
    try:
        return {"secret": Hidden(bytes.fromhex(content.reveal().decode("ascii").strip()))}
    except ValueError:
        raise ImproperlyConfigured(
            f"SAIBAN[{name!r}][{key!r}] holds no secret: it must be 32 hexadecimal digits (the command: saiban secret)."
        ) from None


def _layout(name: str, found: Mapping[str, Any]) -> dict[str, Any]:
    if "layout" not in found:
        return {}
    described = found["layout"]
    if isinstance(described, saiban.Layout):
        return {"layout": described}
    if isinstance(described, str):
        return {"layout": saiban.Layout.from_text(described)}
    if isinstance(described, Mapping) and described.keys() <= {"fields", "epoch_ms", "tick_us"}:
        rest = {key: described[key] for key in ("epoch_ms", "tick_us") if key in described}
        return {"layout": saiban.Layout([tuple(field) for field in described.get("fields", ())], **rest)}
    raise ImproperlyConfigured(
        f"SAIBAN[{name!r}]['layout'] must be a preset's name, a layout's text, or a dictionary with fields, epoch_ms "
        "and tick_us."
    )


#: The keys of an entry for each option, if they are not just the option's name.
_KEYS = {
    "node": ("node", "node_env"),
    "nodes": ("nodes", "nodes_env"),
    "scalability": ("scalability", "scalability_env"),
    "secret": ("secret", "secret_file", "secret_env"),
    "state": ("state", "state_env"),
    "clock": (),
    "store": (),
    "namespace": (),
}
#: Options of the library's generators that belong in an entry's `lease`.
_OF_LEASE = {"store", "namespace"}
#: The functions that read an option from its keys, if it is not used as given.
_READERS: dict[str, Callable[[str, Mapping[str, Any]], dict[str, Any]]] = {
    "nodes": _nodes,
    "node": _nothing,  # read with nodes
    "lease": _nothing,  # see is_leased
    "scalability": _scalability,
    "layout": _layout,
    "secret": _secret,
    "window": _window,
    "state": _state,
}
#: The keys that set a generator's nodes, so that nothing is leased. Allowed collisions are an
#: explicit choice too.
_OWN_NODES = ("node", "nodes", "node_env", "nodes_env", "scalability", "scalability_env", "allow_collisions")
