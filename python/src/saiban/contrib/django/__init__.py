"""saiban in Django: model fields, auto fields and URL converters for each scheme.

`fields`, `converters` and `generators` are imported from their modules; the settings are `SAIBAN`,
see `generators`.
"""
