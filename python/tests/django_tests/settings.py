"""The project's settings."""

SECRET_KEY = "only for these tests"
ALLOWED_HOSTS = ["*"]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.sessions",
    "rest_framework",
    "django_filters",
    "drf_spectacular",
    "saiban.contrib.rest_framework",  # counted: Django, API, with saiban
    "django_tests.shop",
    "django_tests.api",
]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
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
ROOT_URLCONF = "django_tests.urls"
USE_TZ = True
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
DEFAULT_AUTO_FIELD = "saiban.contrib.django.fields.RandflakeAutoField"
SAIBAN = {
    # counted: Django, key, with saiban
    "default": {"scheme": "randflake", "node": 4242, "secret": bytes.fromhex("dffd6021bb2bd5b0af676290809ec3a5")},
    # end of count
    "orders": {"scheme": "snowflake", "node": 424, "layout": "discord"},
    "events": {"scheme": "ulid-flake", "scalability": 24, "entropy_size": 2},
    "tickets": {"scheme": "tsid", "node": 4012, "layout": "tsid-4096"},
}
REST_FRAMEWORK = {
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
}
