"""A URL for the text of each scheme."""

from django.contrib import admin
from django.http import JsonResponse
from django.urls import path
from saiban.contrib.django.converters import register_converters

from django_tests.shop.models import Invoice, Line

register_converters(invoice=Invoice._meta.pk, line=Line._meta.pk)


def show(request, pk):
    return JsonResponse({"pk": pk, "type": type(pk).__name__})


urlpatterns = [
    path("admin/", admin.site.urls),
    path("snowflake/<snowflake:pk>/", show, name="snowflake"),
    path("randflake/<randflake:pk>/", show, name="randflake"),
    path("tsid/<tsid:pk>/", show, name="tsid"),
    path("ulid/<ulid:pk>/", show, name="ulid"),
    path("objectid/<objectid:pk>/", show, name="objectid"),
    path("xid/<xid:pk>/", show, name="xid"),
    path("invoice/<invoice:pk>/", show, name="invoice"),
    path("line/<line:pk>/", show, name="line"),
    path("ulidflake/<ulidflake:pk>/", show, name="ulidflake"),
]
