"""The settings of django_tests for a server: a database on disk, the node from a variable."""

import os

from django_tests.settings import *  # noqa: F403
from django_tests.settings import SAIBAN

ROOT_URLCONF = "servers.shop_urls"
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": os.environ["SHOP_DATABASE"],
        "OPTIONS": {"timeout": 60},
    }
}
SAIBAN = {
    "default": {"scheme": "randflake", "node_env": "SAIBAN_NODE", "secret": SAIBAN["default"]["secret"]},
    "orders": {"scheme": "snowflake", "node_env": "SAIBAN_NODE", "layout": "discord"},
    "events": {"scheme": "ulid-flake", "scalability_env": "SAIBAN_NODE", "entropy_size": 2},
    "tickets": {"scheme": "tsid", "node_env": "SAIBAN_NODE", "layout": "tsid-4096"},
}
