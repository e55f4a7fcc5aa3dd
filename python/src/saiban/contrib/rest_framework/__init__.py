"""saiban in Django REST framework: IDs as text in JSON, where numbers of 64 bits lose digits.

    INSTALLED_APPS = [..., "rest_framework", "saiban.contrib.rest_framework"]

The app makes text the default for saiban's model fields in every ModelSerializer, in filters of
django-filter and in schemas of drf-spectacular. For fields that you declare yourself, see
`saiban.contrib.rest_framework.fields`.
"""
