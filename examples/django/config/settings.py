"""The project's settings. The environment contains secrets, and what differs between machines."""

import os
from pathlib import Path

from django.core.management.utils import get_random_secret_key

BASE_DIR = Path(__file__).resolve().parent.parent

SECRET_KEY = os.environ.get("DJANGO_SECRET_KEY") or get_random_secret_key()
DEBUG = os.environ.get("DJANGO_DEBUG") == "1"
ALLOWED_HOSTS = ["localhost", "127.0.0.1"]

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.sessions",
    "shop",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": os.environ.get("SHOP_DATABASE", BASE_DIR / "shop.sqlite3"),
        # Only one worker can write at a time; the others wait up to this many seconds.
        "OPTIONS": {"timeout": 30},
    }
}
USE_TZ = True

# The primary key of models without one: a Randflake ID of the generator "default".
DEFAULT_AUTO_FIELD = "saiban.contrib.django.fields.RandflakeAutoField"

# Without a node, every process leases its own from the database. The processes of one machine may
# share a node: SHOP_NODE=7.
NODE = {"node": int(os.environ["SHOP_NODE"])} if "SHOP_NODE" in os.environ else {}
# Models and migrations refer to these names.
SAIBAN = {
    "default": {
        "scheme": "randflake",
        "secret_file": os.environ.get("SAIBAN_SECRET_FILE", "/run/secrets/saiban"),
        **NODE,
    },
    "orders": {"scheme": "snowflake", **NODE},
}
