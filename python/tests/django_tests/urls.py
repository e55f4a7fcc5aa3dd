"""One URL for each scheme's text."""

from django.contrib import admin
from django.http import JsonResponse
from django.urls import path
from saiban.contrib.django.converters import register_converters

register_converters()


def show(request, pk):
    return JsonResponse({"pk": pk, "type": type(pk).__name__})


urlpatterns = [
    path("admin/", admin.site.urls),
    path("snowflake/<snowflake:pk>/", show, name="snowflake"),
    path("randflake/<randflake:pk>/", show, name="randflake"),
    path("ulid/<ulid:pk>/", show, name="ulid"),
    path("objectid/<objectid:pk>/", show, name="objectid"),
    path("ulidflake/<ulidflake:pk>/", show, name="ulidflake"),
]
