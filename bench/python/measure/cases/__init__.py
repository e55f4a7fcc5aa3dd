"""The measured cases, a file a subject. Rivals make an ID in their own form: an object of their own
is enough where saiban makes text.
"""

from __future__ import annotations

from ..case import Case
from . import baselines, django_rows, integers, objects, texts


def all_cases() -> list[Case]:
    return [case for subject in (baselines, integers, objects, texts, django_rows) for case in subject.cases()]
