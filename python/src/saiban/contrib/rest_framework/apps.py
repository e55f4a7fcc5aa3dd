"""The app: makes text the default for saiban's model fields."""

from __future__ import annotations

from django.apps import AppConfig, apps


class RestFrameworkConfig(AppConfig):
    """Changes Django REST framework's defaults for saiban's model fields, and for no others."""

    name = "saiban.contrib.rest_framework"
    # The last part of the name is the label of Django REST framework's own app.
    label = "saiban_rest_framework"
    verbose_name = "saiban for Django REST framework"

    def ready(self) -> None:
        from saiban.contrib.rest_framework.defaults import change_serializers

        change_serializers()
        if apps.is_installed("django_filters"):
            from saiban.contrib.rest_framework.filters import change_filters

            change_filters()
        if apps.is_installed("drf_spectacular"):
            # drf-spectacular finds the extensions that are imported.
            from saiban.contrib.rest_framework import schema  # noqa: F401
