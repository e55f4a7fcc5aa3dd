"""Sets Django up with the project in this folder, and empties the database for each test."""

from __future__ import annotations

import os

import django
import pymysql
import pytest

# Django expects MySQLdb, a C library without wheels; PyMySQL replaces it.
pymysql.install_as_MySQLdb()
os.environ["DJANGO_SETTINGS_MODULE"] = "django_tests.settings"
django.setup()


@pytest.fixture(scope="session", autouse=True)
def environment():
    from django.core.management import call_command
    from django.test.utils import setup_test_environment, teardown_test_environment

    setup_test_environment()
    call_command("migrate", run_syncdb=True, verbosity=0)
    yield
    teardown_test_environment()


@pytest.fixture(autouse=True)
def clean_database(environment):
    from django.core.management import call_command

    yield
    call_command("flush", interactive=False, verbosity=0)


@pytest.fixture
def saiban_setting():
    """Changes the setting SAIBAN for a test."""
    from django.test import override_settings

    changes = []

    def change(value):
        override = override_settings(SAIBAN=value)
        override.enable()
        changes.append(override)

    yield change
    for override in reversed(changes):
        override.disable()
