"""The app, which only adds the check of DEFAULT_AUTO_FIELD."""

from __future__ import annotations

from django.apps import AppConfig


class SaibanConfig(AppConfig):
    """Registers `saiban.contrib.django.checks`, also if no model has a field of saiban's."""

    name = "saiban.contrib.django"
    # The last part of the name would be "django".
    label = "saiban"
    verbose_name = "saiban"

    def ready(self) -> None:
        from saiban.contrib.django import checks  # noqa: F401
