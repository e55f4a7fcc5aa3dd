"""What is measured, a file a subject. Packages beside saiban are asked for an ID in the form that
they give it: an object of their own is enough where saiban gives text.
"""

from __future__ import annotations

from ..case import Case
from . import floors, integers, objects, texts


def all_cases() -> list[Case]:
    return [case for subject in (floors, integers, objects, texts) for case in subject.cases()]
