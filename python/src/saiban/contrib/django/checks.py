"""A system check of DEFAULT_AUTO_FIELD, which `manage.py check` and other commands run.

Django runs the check if a model of the project has a saiban field, or if `saiban.contrib.django` is
in INSTALLED_APPS.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.apps import AppConfig, apps
from django.conf import settings
from django.core import checks
from django.db import models
from django.utils.module_loading import import_string

__all__ = ["check_auto_fields"]

#: The folders of installed packages.
_INSTALLED = {"site-packages", "dist-packages"}


@checks.register(checks.Tags.models)
def check_auto_fields(app_configs: Iterable[AppConfig] | None = None, **_: Any) -> list[checks.CheckMessage]:
    """Returns a warning (saiban.W002) for each app whose `default_auto_field` is one of Django's auto
    fields, if the project's DEFAULT_AUTO_FIELD is a saiban field. `manage.py startapp` of Django
    before 6.0 writes such a line.

    The check does not warn about Django's apps and those in site-packages or dist-packages: their
    migrations fix the type of their keys. Nor does the check warn about models that declare their
    primary key.
    """
    from saiban.contrib.django.fields import _GeneratedField

    default = settings.DEFAULT_AUTO_FIELD
    if not issubclass(import_string(default), _GeneratedField):
        return []
    found: list[checks.CheckMessage] = []
    for app in apps.get_app_configs() if app_configs is None else app_configs:
        if not app._is_default_auto_field_overridden or not _is_of_the_project(app):
            continue
        # A proxy model has the primary key of its base model.
        keys = {model._meta.pk for model in app.get_models(include_auto_created=True)}
        affected = sorted(
            key.model._meta.label
            for key in keys
            if key.auto_created and isinstance(key, models.AutoField) and not isinstance(key, _GeneratedField)
        )
        if affected:
            config = f"{type(app).__module__}.{type(app).__qualname__}"
            found.append(
                checks.Warning(
                    f"{config}.default_auto_field is {app.default_auto_field!r}, so these models do not use the "
                    f"project's DEFAULT_AUTO_FIELD, {default!r}: {', '.join(affected)}.",
                    hint=f"Remove default_auto_field from {config}, or declare the primary key in these models. If "
                    "their tables have rows, first read docs/django-migration.md in saiban's repository.",
                    obj=app,
                    id="saiban.W002",
                )
            )
    return found


def _is_of_the_project(app: AppConfig) -> bool:
    return not app.name.startswith("django.contrib.") and _INSTALLED.isdisjoint(Path(app.path).parts)
