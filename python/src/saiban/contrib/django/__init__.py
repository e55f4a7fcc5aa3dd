"""saiban in Django: model fields, auto fields and URL converters for each scheme.

`fields`, `converters` and `generators` are imported from their modules; the settings are `SAIBAN`,
see `generators`. The package is also an app for INSTALLED_APPS, which adds the check of
DEFAULT_AUTO_FIELD: see `checks`.
"""
