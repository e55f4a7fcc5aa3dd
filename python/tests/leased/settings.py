"""The project's settings. Only the type of primary keys refers to saiban."""

import os
from urllib.parse import parse_qs, unquote, urlsplit

ENGINES = {"sqlite": "sqlite3", "postgres": "postgresql", "mysql": "mysql"}

_url = urlsplit(os.environ.get("SHOP_DATABASE", "sqlite:///no/such/shop.sqlite3"))
_path = unquote(_url.path)

SECRET_KEY = "only for these tests"
ALLOWED_HOSTS = ["*"]
DEBUG = True
DATABASES = {
    "default": {
        "ENGINE": f"django.db.backends.{ENGINES[_url.scheme]}",
        "NAME": _path if _url.scheme == "sqlite" else _path[1:],
        "USER": unquote(_url.username or ""),
        "PASSWORD": unquote(_url.password or ""),
        # Django puts the path of a socket into HOST.
        "HOST": parse_qs(_url.query).get("socket", [_url.hostname or ""])[0],
        "PORT": _url.port or "",
        "OPTIONS": {"timeout": 60} if _url.scheme == "sqlite" else {},
        "ATOMIC_REQUESTS": True,
        # Only for SQLite; without a name, the test database is in memory.
        "TEST": {"NAME": os.environ.get("SHOP_TEST_FILE")},
    }
}
INSTALLED_APPS = ["django.contrib.contenttypes", "leased.shop"]
ROOT_URLCONF = "leased.urls"
STATIC_URL = "static/"
MEDIA_URL = "media/"
USE_TZ = True
DEFAULT_AUTO_FIELD = "saiban.contrib.django.fields.SnowflakeAutoField"
