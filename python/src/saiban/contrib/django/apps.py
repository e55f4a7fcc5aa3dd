"""The Django app of saiban, which only registers the check of DEFAULT_AUTO_FIELD."""

from __future__ import annotations

from django.apps import AppConfig


class SaibanConfig(AppConfig):
    """Registers `saiban.contrib.django.checks`, even if no model has a saiban field."""

    name = "saiban.contrib.django"
    # By default, Django would use the last part of the name, "django".
    label = "saiban"
    verbose_name = "saiban"

    def ready(self) -> None:
        from saiban.contrib.django import checks  # noqa: F401
