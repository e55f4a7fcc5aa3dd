"""Orders with Randflake keys and their API, by hand and with saiban's helpers: both behave alike.

docs/frameworks.md has the number of the lines that are marked `counted`, here and in settings.py.
"""

from __future__ import annotations

import json

import pytest
import saiban
from django.db import models
from django.test import override_settings
from django.urls import include, path
from integrations import javascript
from rest_framework import serializers
from rest_framework.routers import DefaultRouter
from rest_framework.test import APIClient
from rest_framework.viewsets import ModelViewSet
from saiban.contrib.django.converters import register_converters
from saiban.contrib.django.fields import RandflakeAutoField

from django_tests.rest import BIG, NEGATIVE, NEXT, get, post, text

# counted: Django, key, by hand
ids = saiban.Randflake(node=4244, secret=bytes(range(16)))


def new_id() -> int:  # a migration names this function
    return ids.generate()


# end of count
class OrderByHand(models.Model):
    # counted: Django, key, by hand
    id = models.BigIntegerField(primary_key=True, default=new_id, editable=False)
    # end of count
    parent = models.ForeignKey("self", on_delete=models.CASCADE, null=True, blank=True)

    class Meta:
        app_label = "api"


# counted: Django, API, by hand
class IdField(serializers.Field):
    def to_representation(self, value):
        return ids.to_text(value)

    def to_internal_value(self, data):
        try:
            return ids.from_text(data)
        except saiban.SaibanError as error:
            raise serializers.ValidationError(str(error)) from error


# end of count
class OrderByHandSerializer(serializers.ModelSerializer):
    id = IdField(read_only=True)  # counted: Django, API, by hand

    class Meta:
        model = OrderByHand
        fields = ("id", "parent")
        extra_kwargs = {"parent": {"pk_field": IdField()}}  # noqa: RUF012  # counted: Django, API, by hand


class OrderByHandViewSet(ModelViewSet):
    queryset = OrderByHand.objects.all()
    serializer_class = OrderByHandSerializer

    # counted: Django, API, by hand
    def get_object(self):
        self.kwargs["pk"] = IdField().to_internal_value(self.kwargs["pk"])
        return super().get_object()

    # end of count


by_hand = DefaultRouter()
by_hand.register("orders", OrderByHandViewSet, basename="order-by-hand")


class OrderWithSaiban(models.Model):
    id = RandflakeAutoField(primary_key=True)  # counted: Django, key, with saiban
    parent = models.ForeignKey("self", on_delete=models.CASCADE, null=True, blank=True)

    class Meta:
        app_label = "api"


class OrderWithSaibanSerializer(serializers.ModelSerializer):
    class Meta:
        model = OrderWithSaiban
        fields = ("id", "parent")


class OrderWithSaibanViewSet(ModelViewSet):
    queryset = OrderWithSaiban.objects.all()
    serializer_class = OrderWithSaibanSerializer
    lookup_value_converter = "randflake"  # counted: Django, API, with saiban


# counted: Django, API, with saiban
register_converters()
with_saiban = DefaultRouter(use_regex_path=False)
# end of count
with_saiban.register("orders", OrderWithSaibanViewSet, basename="order-with-saiban")

urlpatterns = [path("by-hand/", include(by_hand.urls)), path("with-saiban/", include(with_saiban.urls))]

PROGRAMS = pytest.mark.parametrize(
    ("url", "model", "invalid_url"),
    [("/by-hand/orders/", OrderByHand, 400), ("/with-saiban/orders/", OrderWithSaiban, 404)],
    ids=["by hand", "with saiban"],
)


@pytest.fixture
def api():
    with override_settings(ROOT_URLCONF=__name__):
        yield APIClient()


@PROGRAMS
def test_an_id_goes_from_the_database_to_javascript_and_back(api, url, model, invalid_url) -> None:
    for id in (BIG, NEXT, NEGATIVE):
        model.objects.create(id=id)
        read = api.get(f"{url}{text('randflake', id)}/").content.decode()
        assert json.loads(read) == {"id": text("randflake", id), "parent": None}
        sent = javascript(json.dumps({"parent": json.loads(javascript(read))["id"]}))
        response = api.post(url, sent, content_type="application/json")
        assert response.status_code == 201, response.content
        child = model.objects.get(parent=id)
        assert response.json() == {"id": text("randflake", child.id), "parent": text("randflake", id)}
    assert get(api, f"{url}{text('randflake', BIG - 1)}/", 404)
    assert post(api, url, {})["parent"] is None


@PROGRAMS
def test_text_that_is_no_id_is_refused_with_the_reason(api, url, model, invalid_url) -> None:
    assert "no character '-'" in post(api, url, {"parent": "3f-5"}, 400)["parent"][0]
    assert "does not fit" in post(api, url, {"parent": "v" * 13}, 400)["parent"][0]
    assert "float" in post(api, url, {"parent": 7.5}, 400)["parent"][0]
    assert api.get(f"{url}3f-5/").status_code == invalid_url
