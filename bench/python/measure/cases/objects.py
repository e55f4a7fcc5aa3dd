"""UUIDs, ULIDs and ObjectIds."""

from __future__ import annotations

import platform
import uuid

import bson
import saiban
import ulid
import ulid_transform
import uuid_utils
import uuid_utils.compat

from ..case import Case


def cases() -> list[Case]:
    return [
        *_uuids("uuid4", saiban.Uuid(4)),
        *_uuids("uuid7", saiban.Uuid(7)),
        Case("python.ulid.generate", "saiban", saiban.Ulid().generate),
        Case("python.ulid.generate", "ulid-transform", ulid_transform.ulid_now),
        Case("python.ulid.generate", "python-ulid", ulid.ULID),
        Case("python.ulid.generate_bytes", "saiban", saiban.Ulid().generate_bytes),
        Case("python.objectid.generate", "saiban", saiban.ObjectId().generate),
        # From its module bson.
        Case("python.objectid.generate", "pymongo", bson.ObjectId),
    ]


def _uuids(name: str, ids: saiban.Uuid) -> list[Case]:
    path = f"python.{name}.generate"
    cases = [
        Case(path, "saiban", ids.generate),
        Case(path, "uuid-utils", getattr(uuid_utils, name)),
        # Returns uuid.UUID like saiban; the other case returns a class of the package.
        Case(path, "uuid-utils, as uuid.UUID", getattr(uuid_utils.compat, name)),
    ]
    # Python has version 7 since 3.14.
    if hasattr(uuid, name):
        cases.append(Case(path, "standard library", getattr(uuid, name), version=platform.python_version()))
    return cases
